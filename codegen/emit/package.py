"""Turns a schema into the files of the generated package, as `{path: text}`; writes nothing to disk."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..deadline import is_running
from ..model.types import Schema
from ..resources import resource, runtime_modules
from .errors import errors_context
from .format import Formatter
from .methods import meta_json, methods_context, page_context
from .models import model_context
from .nodes import node_tables, nodes_context
from .objects import entry_classes
from .obligations import requirements_json
from .permissions import permissions_context
from .public import PASSED_ON, PEERS, PUBLIC, PUBLIC_OF_BOTH, PUBLIC_OF_SIDE, PUBLIC_OF_STATE, RUNTIME, side_classes
from .shapes import Shapes
from .state import state_context
from .stubs import blocking_context, side_context
from .table import Row, gate_encodings, rows, sides
from .testkit import testing_context
from .text import comment, markdown

TOOLS_OFF = "# ruff: noqa\n# ruff: noqa: PGH004\n# flake8: noqa\n# pylint: skip-file\n# isort: skip_file\n# fmt: off"
"""Keeps other projects' linters and formatters from changing emitted files.

The second line turns off ruff's rule against the first."""

GIT = (
    "# @generated: reviews fold this package, and its lines end as they were written. Do not edit.\n"
    "* linguist-generated text eol=lf\n"
)
RUNTIME_HEADER = f"# @generated: part of every package, the same for every schema. Do not edit.\n{TOOLS_OFF}"

Fill = Callable[[str, Mapping[str, Any]], str]
"""Fills a template, by its name."""

MANY = 50
"""The number of definitions from which starting a second process pays off."""


def render(
    schema: Schema,
    shapes: Shapes,
    *,
    options: tuple[str, ...] = (),
    extensions: tuple[tuple[str, str], ...] = (),
    command: str | None = None,
) -> dict[str, str]:
    """Every file of the package but the manifest. `extensions`: title and version of each.

    `command` regenerates the package; None: this tool's main command with the same options.
    """
    environment = templates()
    command = command or " ".join(("acp-codegen", *options, *("--extend ..." for _ in extensions)))
    lines = origin(schema, command, extensions)
    header = "".join(f"# {line}\n" for line in lines) + TOOLS_OFF
    common: dict[str, Any] = {"title": plain_title(schema), "on": ""}
    table = rows(schema, shapes)
    gates = gate_encodings(schema, table)
    nodes = node_tables(shapes)

    def fill(template: str, context: Mapping[str, Any]) -> str:
        return environment.get_template(f"{template}.jinja2").render(**common, **context)

    with Formatter(helped=len(schema.definitions) >= MANY and not is_running()) as formatter:
        formatter.add("methods.py", fill("methods.py", methods_context(table, gates, schema, shapes, nodes)))
        formatter.add("errors.py", fill("errors.py", errors_context(schema)))
        formatter.add("__init__.py", fill("__init__.py", exports(schema, shapes, table)))
        for name, context in _optional(schema, shapes, table).items():
            formatter.add(name, fill(name, context))
        for side in sides(table):
            formatter.add(f"{side}.py", fill("side.py", side_context(side, table, schema, shapes)))
        formatter.add_large("models.py", fill("models.py", model_context(schema, shapes)))
        files = formatter.result()
    files["_nodes.py"] = fill("_nodes.py", nodes_context(nodes, shapes.views))
    # Added after formatting, because the header turns formatters off.
    files = {name: f"{header}\n{text}" for name, text in files.items()}
    files |= _runtime_files(fill)
    files["meta.json"] = meta_json(table, schema)
    if schema.requirements:
        files["requirements.json"] = requirements_json(schema, schema.requirements)
    note = comment(" ".join(lines)).replace("--", "- -")
    files["METHODS.md"] = fill("METHODS.md", {"note": note, **page_context(table, schema, schema.requirements)})
    files["py.typed"] = ""
    files[".gitattributes"] = GIT
    return dict(sorted(files.items()))


def _optional(schema: Schema, shapes: Shapes, table: tuple[Row, ...]) -> dict[str, Mapping[str, Any]]:
    """The modules that not every schema makes, with what their templates need."""
    found: dict[str, Mapping[str, Any]] = {}
    if {*PEERS} <= {*sides(table)}:
        testing = {**testing_context(schema, table, shapes), "state_of": ""}
        found |= dict.fromkeys(("testing.py", "pytest_plugin.py", "reconnecting.py"), testing)
        found["blocking.py"] = blocking_context(table, schema, shapes)
    if (permissions := permissions_context(schema, shapes)) is not None:
        found["permissions.py"] = permissions
    if (state := state_context(schema, shapes)) is not None:
        found["state.py"] = {**state, "base_models": ()}
    return found


def _runtime_files(fill: Fill) -> dict[str, str]:
    """The hand-written modules, and those that pass on the public names of some."""
    files: dict[str, str] = {}
    for name, path in runtime_modules().items():
        text = path.read_text(encoding="utf-8")
        files[f"{RUNTIME}/{name}"] = f"{RUNTIME_HEADER}\n{text}"
        module = name.removesuffix(".py")
        if module in PASSED_ON:
            passed_on = fill("passed_on.py", {"module": module, "names": _public_names(text)})
            files[name] = f"{RUNTIME_HEADER}\n{passed_on}"
    return files


def templates() -> Environment:
    """The templates of emitted files."""
    return Environment(
        loader=FileSystemLoader(resource("templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  # Python source; `text` escapes what comes from the schema
    )


def origin(schema: Schema, command: str, extensions: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    """The lines about a file's origin; they contain nothing that changes with each edit of the schema."""
    version = f"version {schema.handshake.version_number}" if schema.handshake is not None else "version unknown"
    added = "".join(f", extended by {_plain(f'{title} {number}')}" for title, number in extensions)
    return f"@generated from {plain_title(schema)}, {version}{added}. Do not edit.", f"Regenerate with: {command}"


def plain_title(schema: Schema) -> str:
    return _plain(schema.title) or "an untitled schema"


def _plain(text: str) -> str:
    """A title made safe for comments, docstrings and Markdown."""
    kept = "".join(c for c in text if c.isascii() and (c.isalnum() or c in " .-_()"))
    return markdown(" ".join(kept.split()).replace("--", "-"))[:80]


def _public_names(text: str) -> list[str]:
    """The names in a module's `__all__`."""
    for statement in ast.parse(text).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return sorted(ast.literal_eval(value))
            case _:
                pass
    raise AssertionError("a re-exported module needs `__all__`")


def exports(schema: Schema, shapes: Shapes, table: tuple[Row, ...]) -> dict[str, Any]:
    """The public names of a package, by module and all of them."""
    names = dict(PUBLIC)
    if schema.updates is not None:
        names |= {"state": (schema.updates.state,), "_runtime.state": PUBLIC_OF_STATE, "_runtime.stream": ("Stream",)}
    if permissions_context(schema, shapes) is not None:
        names["permissions"] = ("Permissions",)
    if {*PEERS} <= {*sides(table)}:
        names |= PUBLIC_OF_BOTH
    for side in sides(table):
        names[side] = (
            *side_classes(side),
            *PUBLIC_OF_SIDE.get(side, ()),
            *entry_classes(side, table, schema, shapes),
        )
    names["models"] = tuple(sorted({*shapes.records, *shapes.choices, *shapes.aliases, *shapes.former}))
    listed = [{"name": module, "names": sorted(found)} for module, found in sorted(names.items()) if found]
    return {"modules": listed, "all": sorted(name for found in names.values() for name in found)}
