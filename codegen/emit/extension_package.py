"""A small package that adds methods, their types and keys of `_meta` to another one, which it imports and leaves as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import CodegenError, quoted
from ..model.lock import Lock
from ..model.types import Schema
from .format import Formatter
from .methods import meta_json, methods_context, page_context
from .models import imports_of, model_context
from .nodes import node_tables, nodes_context
from .obligations import requirements_json
from .package import GIT, TOOLS_OFF, exports, origin, plain_title, templates
from .public import PEERS, PUBLIC_OF_BOTH, PUBLIC_OF_SIDE, side_classes
from .shapes import Shapes
from .state import added_state_context, state_context
from .stubs import blocking_context, side_context
from .table import Row, gate_encodings, rows, sides
from .testkit import testing_context
from .text import comment

_TABLES = ("AGENT_METHODS", "CLIENT_METHODS", "METHODS", "PROTOCOL")


def render_addition(
    extended: tuple[Schema, Shapes],
    base: tuple[Schema, Shapes],
    on: str,
    *,
    extensions: tuple[tuple[str, str], ...],
    command: str,
) -> dict[str, str]:
    """Every file of the package but the manifest and the lock. `on`: the import name of the package that it adds to.

    Raises CodegenError where the extensions change what is there.
    """
    schema, shapes = extended
    nodes = node_tables(shapes)
    there = node_tables(base[1])
    changed = [name for name, node in there.items() if nodes.get(name) != node]
    if changed:
        raise CodegenError(
            f"error: the extensions change {quoted(changed[0])}, which is in {on}; a package can only add methods, their types and "
            "keys of `_meta` to another one (leave out --on, and the package holds everything itself)"
        )
    table = rows(schema, shapes)
    known = {(row.side, row.method.path, row.method.kind) for row in rows(*base)}
    own = tuple(row for row in table if (row.side, row.method.path, row.method.kind) not in known)
    lines = origin(schema, command, extensions)
    header = "".join(f"# {line}\n" for line in lines) + TOOLS_OFF
    environment = templates()
    common = {"title": plain_title(schema), "on": on}

    def fill(template: str, context: Mapping[str, Any]) -> str:
        return environment.get_template(f"{template}.jinja2").render(**common, **_apart(context, there))

    # Sides that have only the base's methods stay the base's, but for both ends of a connection: each holds the other.
    named = [side for side in sides(table) if side in PEERS or any(row.side == side for row in own)]
    with Formatter(helped=False) as formatter:
        encodings = gate_encodings(schema, table)
        formatter.add("methods.py", fill("methods_on.py", methods_context(own, encodings, schema, shapes, nodes)))
        formatter.add("models.py", fill("models.py", _models(schema, shapes, there, on)))
        for side in named:
            formatter.add(f"{side}.py", fill("side.py", side_context(side, own, schema, shapes)))
        helpers = [*_helpers(extended, own, base, on)] if {*PEERS} <= {*sides(table)} else []
        for name, context in helpers:
            formatter.add(name, fill(name, context))
        exported = {*exports(*base, rows(*base))["all"]}
        own_names = sorted(nodes.keys() - there.keys())
        formatter.add(
            "__init__.py", fill("__init__on.py", _exports(named, own_names, exported, _of_helpers(schema, helpers)))
        )
        files = formatter.result()
    added = {name: node for name, node in nodes.items() if name not in there}
    views = {name: keys for name, keys in shapes.views.items() if base[1].views.get(name) != keys}
    files["_nodes.py"] = fill("_nodes.py", nodes_context(added, views))
    files = {name: f"{header}\n{text}" for name, text in files.items()}
    files["meta.json"] = meta_json(own, schema)
    known_requirements = {each.id for each in base[0].requirements}
    added_requirements = [each for each in schema.requirements if each.id not in known_requirements]
    if added_requirements:
        files["requirements.json"] = requirements_json(schema, added_requirements)
    note = comment(" ".join(lines)).replace("--", "- -")
    files["METHODS.md"] = fill("METHODS.md", {"note": note, **page_context(own, schema, added_requirements)})
    files["py.typed"] = ""
    files[".gitattributes"] = GIT
    return dict(sorted(files.items()))


def _helpers(
    extended: tuple[Schema, Shapes], own: tuple[Row, ...], base: tuple[Schema, Shapes], on: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The modules for clients and tests, each with what its template needs. The updates of a session are the base's."""
    state = state_context(*base)
    added = None if state is None else added_state_context(*extended, state)
    if added is not None:
        yield "state.py", added
    kit = testing_context(base[0], rows(*base), base[1])
    for name in ("testing.py", "pytest_plugin.py", "reconnecting.py"):
        yield name, {**kit, "state_of": on if added is None else ""}
    yield "blocking.py", dict(blocking_context(own, *extended))


def _of_helpers(schema: Schema, helpers: Iterable[tuple[str, object]]) -> dict[str, tuple[str, ...]]:
    """The public names of those modules, by module; a program imports the others as modules."""
    found = {name.removesuffix(".py") for name, _ in helpers}
    state = (schema.updates.state,) if schema.updates is not None else ()
    names = {"reconnecting": PUBLIC_OF_BOTH["reconnecting"], "state": state}
    return {name: classes for name, classes in names.items() if name in found}


def own_lock(lock: Lock, base: Lock) -> Lock:
    """The names that a package adds to those of another."""
    return Lock(
        {name: locked for name, locked in lock.definitions.items() if name not in base.definitions},
        {name: variants for name, variants in lock.variants.items() if name not in base.variants},
        {key: name for key, name in lock.methods.items() if key not in base.methods},
    )


def _apart(context: Mapping[str, Any], there: Mapping[str, Any]) -> dict[str, Any]:
    """A template's context in which the models that it imports are told apart by the package that has them."""
    names: Iterable[str] = context.get("models", ())
    return {
        **context,
        "models": [name for name in names if name not in there],
        "base_models": [name for name in names if name in there],
    }


def _models(schema: Schema, shapes: Shapes, there: Mapping[str, Any], on: str) -> dict[str, Any]:
    whole = model_context(schema, shapes)
    classes = [each for each in whole["classes"] if each["name"] not in there]
    aliases = [each for each in whole["aliases"] if each["name"] not in there]
    lines, code = imports_of(classes, aliases, shapes)
    used = sorted(set(re.findall(r"\b[A-Za-z_]\w*\b", code)) & there.keys())
    lines = [line.replace("from ._runtime", f"from {on}._runtime") for line in lines]
    lines += [f"from {on}.models import {', '.join(used)}"] if used else []
    return {"classes": classes, "aliases": aliases, "imports": lines, "former": ()}


def _exports(
    named: list[str], models: list[str], known: set[str], helpers: Mapping[str, tuple[str, ...]]
) -> dict[str, Any]:
    modules: dict[str, tuple[str, ...]] = {side: (*side_classes(side), *PUBLIC_OF_SIDE.get(side, ())) for side in named}
    modules["methods"] = _TABLES
    modules |= helpers
    modules["models"] = tuple(models)
    own = {name for names in modules.values() for name in names}
    return {
        "modules": [{"name": name, "names": sorted(names)} for name, names in sorted(modules.items()) if names],
        # One by one: mypy would let what a star brings hide what this package has of that name.
        "base_names": sorted(known - own),
        "all": sorted(own),
    }
