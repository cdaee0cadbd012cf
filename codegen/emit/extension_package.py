"""An extension package: it adds methods, their types and `_meta` keys to another package, which it imports
unchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ..errors import CodegenError, quoted
from ..formatting.format import Formatter
from ..shape.method_table import Row, sides
from ..shape.package import Package
from ..shape.public import PEERS, PUBLIC_OF_BOTH
from .kinds import Identifier, Prose, identifiers
from .methods import meta_json, methods_context, page_context
from .models import model_context
from .nodes import nodes_context
from .package import GIT, exports, origin, plain_title, public_of_side, runtime_of, templates
from .parts import is_in, possible, with_runtime
from .requirements import requirements_json
from .session_agent import session_agent_context
from .session_openings import has_sessions, session_classes
from .sessions import sessions_context
from .state import added_state_context, state_context
from .stubs import blocking_context, side_context
from .testing import testing_context
from .text import TOOLS_OFF, comment


def render_addition(
    extended: Package,
    base: Package,
    on: str,
    *,
    extensions: tuple[tuple[str, str], ...],
    command: str,
    parts: Collection[str],
    installed: bool = False,
) -> dict[str, str]:
    """All files of the package except the manifest and the lock. `on`: the import name of the base package. `parts`:
    the parts of the base package, which this one also gets.

    Raises CodegenError if the extensions change existing parts.
    """
    schema, shapes, table, nodes, there = extended.schema, extended.shapes, extended.rows, extended.nodes, base.nodes
    changed = [name for name, node in there.items() if nodes.get(name) != node]
    if changed:
        raise CodegenError(
            f"error: the extensions change {quoted(changed[0])} of {on}; with --on, a package can only add methods, "
            "their types and keys of `_meta` (without --on, the package contains everything itself)"
        )
    parts = with_runtime(parts) if installed else parts
    known = {(row.side, row.method.path, row.method.kind) for row in base.rows}
    own = tuple(row for row in table if (row.side, row.method.path, row.method.kind) not in known)
    lines = origin(schema, command, extensions)
    header = "".join(f"# {line}\n" for line in lines) + TOOLS_OFF
    environment = templates()
    common = {
        "title": plain_title(schema),
        "on": Identifier(on),
        "runtime": Identifier(runtime_of(installed, on)),
        "chosen": identifiers(parts),
    }

    def fill(template: str, context: Mapping[str, Any]) -> str:
        return environment.get_template(f"{template}.jinja2").render(**common, **_apart(context, there))

    # Sides that have only the base's methods stay the base's, but for both ends of a connection: each holds the other.
    named = [side for side in sides(table) if side in PEERS or any(row.side == side for row in own)]
    with Formatter(helped=False) as formatter:
        formatter.add("methods.py", fill("methods_on.py", methods_context(own, extended)))
        formatter.add("models.py", fill("models.py", model_context(schema, shapes, there)))
        for side in named:
            if is_in(f"{side}.py", parts):
                formatter.add(f"{side}.py", fill("side.py", side_context(side, own, schema, shapes, nodes, table)))
        helpers = [*_helpers(extended, own, base, on, parts)] if {*PEERS} <= {*sides(table)} else []
        for name, context in helpers:
            if is_in(name, parts):
                formatter.add(name, fill(name, context))
        missing = possible((*(name for name, _ in helpers), *(f"{side}.py" for side in named))) - {*parts}
        exported = exports(base, missing)
        base_names, submodules = {*exported["all"]}, {*exported["submodules"]}
        own_names = sorted(nodes.keys() - there.keys())
        present = [name for name, _ in helpers if is_in(name, parts)]
        sides_here = {name: public_of_side(name, missing) for name in named if is_in(f"{name}.py", parts)}
        # The class of added handlers comes first.
        public = {name: (f"{names[0]}Mixin", *names) for name, names in sides_here.items()}
        own_exports = _exports(
            public, own_names, base_names, submodules, _of_helpers(extended, present, has_client="client" in parts)
        )
        more = {"missing": exported["missing"], "command": Prose(command)}
        formatter.add("__init__.py", fill("__init__on.py", {**own_exports, **more}))
        files = formatter.result()
    added = {name: node for name, node in nodes.items() if name not in there}
    views = {name: keys for name, keys in shapes.views.items() if base.shapes.views.get(name) != keys}
    files["_nodes.py"] = fill("_nodes.py", nodes_context(added, views))
    files = {name: f"{header}\n{text}" for name, text in files.items()}
    files["meta.json"] = meta_json(own, schema)
    known_requirements = {each.id for each in base.schema.requirements}
    added_requirements = [each for each in schema.requirements if each.id not in known_requirements]
    if added_requirements:
        files["requirements.json"] = requirements_json(schema, added_requirements)
    note = Prose(comment(" ".join(lines)).replace("--", "- -"))
    files["METHODS.md"] = fill("METHODS.md", {"note": note, **page_context(own, schema, added_requirements)})
    files["py.typed"] = ""
    files[".gitattributes"] = GIT
    return dict(sorted(files.items()))


def _helpers(
    extended: Package, own: tuple[Row, ...], base: Package, on: str, parts: Collection[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The modules for clients and tests with their template contexts. Session updates come from the base."""
    state = state_context(base.schema, base.shapes)
    added = None if state is None else added_state_context(extended.schema, extended.shapes, state)
    if added is not None:
        yield "state.py", added
    stores = session_agent_context(extended.schema, extended.rows, extended.shapes)
    if stores is not None:
        yield "stores.py", stores
    kit = testing_context(base.schema, base.rows, base.shapes)
    for name in ("testing.py", "pytest_plugin.py", "reconnecting.py"):
        yield name, {**kit, "state_of": Identifier(on if added is None else "")}
    if has_sessions(extended.schema):
        whole = (extended.rows, extended.schema, extended.shapes)
        yield "sessions.py", sessions_context(*whole, lambda side: side_context(side, *whole, extended.nodes), own)
    if "extensions" in parts:
        yield "views.py", {}
    yield "blocking.py", dict(blocking_context(own, extended.schema, extended.shapes, extended.nodes))


def _of_helpers(extended: Package, helpers: Iterable[str], *, has_client: bool) -> dict[str, tuple[str, ...]]:
    """The public names of these modules, by module. Programs import the other modules themselves."""
    found = {name.removesuffix(".py") for name in helpers}
    state = (extended.schema.updates.state,) if extended.schema.updates is not None else ()
    sessions = session_classes(extended.rows, extended.schema, extended.shapes, has_client=has_client)
    names = {
        "reconnecting": PUBLIC_OF_BOTH["reconnecting"],
        "sessions": sessions,
        "state": state,
        "stores": (),
        "views": ("view",),
    }
    return {name: classes for name, classes in names.items() if name in found}


def _apart(context: Mapping[str, Any], there: Mapping[str, Any]) -> dict[str, Any]:
    """A template's context in which imported models are grouped by their package."""
    names: Iterable[str] = context.get("models", ())
    return {
        **context,
        "models": [name for name in names if name not in there],
        "base_models": [name for name in names if name in there],
    }


def _exports(
    sides: Mapping[str, tuple[str, ...]],
    models: list[str],
    known: set[str],
    submodules: set[str],
    helpers: Mapping[str, tuple[str, ...]],
) -> dict[str, Any]:
    modules = {**sides, "methods": ()}
    modules |= helpers
    modules["models"] = tuple(models)
    own = {name for names in modules.values() for name in names}
    return {
        "modules": [
            {"name": Identifier(name), "names": identifiers(names)} for name, names in sorted(modules.items()) if names
        ],
        "submodules": identifiers(modules),
        "base_submodules": identifiers(submodules - modules.keys()),
        # One by one: mypy would let what a star brings hide what this package has of that name.
        "base_names": identifiers(known - own),
        "all": identifiers(own),
    }
