"""Turn a schema into the files of the generated package, as `{path: text}`. It writes nothing to disk.

The protocol's error codes are the enumerations that contain all of JSON-RPC's own codes. They become constants and
helpers of the package's `RequestError`. An extension adds an error code by adding a constant to such an enumeration.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..contracts import INTERFACE_VERSION, MESSAGES
from ..formatting.format import LINE_LENGTH, Formatter
from ..model.nodes.types import Schema
from ..resources import resource
from ..shape.error_codes import ErrorCode
from ..shape.method_table import sides
from ..shape.package import Package
from ..shape.public import (
    INSTALLED_RUNTIME,
    PASSED_ON,
    PASSED_ON_FOR,
    PEERS,
    PUBLIC,
    PUBLIC_OF_BOTH,
    PUBLIC_OF_SIDE,
    RUNTIME,
    RUNTIME_REQUIREMENT,
    SUBMODULES,
    side_classes,
)
from ..time_limit import is_running
from .kinds import Identifier, Prose, identifiers
from .methods import meta_json, methods_context, page_context
from .models import model_context, pydantic_context
from .nodes import nodes_context
from .parts import ALL, PARTS, in_order, is_in, part_of_module, possible, with_runtime
from .permissions import permissions_context
from .requirements import requirements_json
from .session_agent import session_agent_context
from .session_openings import has_sessions, session_classes
from .sessions import sessions_context
from .state import state_context
from .stubs import blocking_context, side_context
from .testing import testing_context
from .text import RUNTIME_HEADER, TOOLS_OFF, comment, docstring, literal, markdown, runtime_files

GIT = (
    "# @generated: reviews fold this package, and its lines end as they were written. Do not edit.\n"
    "* linguist-generated text eol=lf\n"
)
Fill = Callable[[str, Mapping[str, Any]], str]
"""A function that fills a template, given its name."""

PYDANTIC_MODELS = "pydantic_models.py"
MANY = 50
"""The number of definitions above which a second process is faster."""


def render(
    package: Package,
    *,
    options: tuple[str, ...] = (),
    extensions: tuple[tuple[str, str], ...] = (),
    command: str | None = None,
    parts: Collection[str] = ALL,
    installed: bool = False,
) -> dict[str, str]:
    """All files of the package except the manifest. `extensions`: title and version of each.

    `command` regenerates the package. If it is None, this tool's main command with the same options does. `parts`:
    parts beside the core; those without a module for the schema are omitted. `installed`: use the installed runtime,
    which has all parts.
    """
    schema, shapes, table = package.schema, package.shapes, package.rows
    environment = templates()
    command = command or " ".join(("acp-codegen", *options, *("--extend ..." for _ in extensions)))
    lines = origin(schema, command, extensions)
    header = "".join(f"# {line}\n" for line in lines) + TOOLS_OFF
    optional = _optional(package)
    parts = with_runtime(parts) if installed else parts
    available = possible((*optional, PYDANTIC_MODELS, *(f"{side}.py" for side in sides(table))))
    missing, parts = available - {*parts}, available & {*parts}
    runtime = Identifier(runtime_of(installed))
    common: dict[str, Any] = {
        "title": plain_title(schema),
        "on": Identifier(),
        "runtime": runtime,
        "chosen": identifiers(parts),
    }

    def fill(template: str, context: Mapping[str, Any]) -> str:
        return environment.get_template(f"{template}.jinja2").render(**common, **context)

    with Formatter(helped=len(schema.definitions) >= MANY and not is_running()) as formatter:
        formatter.add("methods.py", fill("methods.py", methods_context(table, package)))
        formatter.add("errors.py", fill("errors.py", errors_context(package.error_codes)))
        exported = {**exports(package, missing, runtime), "command": Prose(command)}
        exported |= {"installed": installed, "interface": INTERFACE_VERSION, "requirement": Prose(RUNTIME_REQUIREMENT)}
        formatter.add("__init__.py", fill("__init__.py", exported))
        for name, context in optional.items():
            if is_in(name, parts):
                formatter.add(name, fill(name, context))
        contexts = {side: side_context(side, table, schema, shapes, package.nodes) for side in sides(table)}
        for side, stubs in contexts.items():
            if is_in(f"{side}.py", parts):
                formatter.add(f"{side}.py", fill("side.py", stubs))
        if has_sessions(schema):
            context = sessions_context(table, schema, shapes, contexts.__getitem__)
            formatter.add("sessions.py", fill("sessions.py", context))
        formatter.add_large("models.py", fill("models.py", model_context(schema, shapes)))
        if is_in(PYDANTIC_MODELS, parts):
            formatter.add_large(PYDANTIC_MODELS, fill(PYDANTIC_MODELS, pydantic_context(schema, shapes)))
        files = formatter.result()
    files["_nodes.py"] = fill("_nodes.py", nodes_context(package.nodes, shapes.views))
    # Added after formatting, because the header turns formatters off.
    files = {name: f"{header}\n{text}" for name, text in files.items()}
    files |= _runtime_files(fill, parts, installed)
    files["meta.json"] = meta_json(table, schema)
    if schema.requirements:
        files["requirements.json"] = requirements_json(schema, schema.requirements)
    note = Prose(comment(" ".join(lines)).replace("--", "- -"))
    files["METHODS.md"] = fill("METHODS.md", {"note": note, **page_context(table, schema, schema.requirements)})
    files["py.typed"] = ""
    files[".gitattributes"] = GIT
    return dict(sorted(files.items()))


def _optional(package: Package) -> dict[str, Mapping[str, Any]]:
    """The modules that depend on the schema, with their template contexts."""
    schema, shapes, table = package.schema, package.shapes, package.rows
    found: dict[str, Mapping[str, Any]] = {}
    if {*PEERS} <= {*sides(table)}:
        testing = {**testing_context(schema, table, shapes), "state_of": Identifier()}
        found |= dict.fromkeys(("testing.py", "pytest_plugin.py", "reconnecting.py"), testing)
        found["blocking.py"] = blocking_context(table, schema, shapes, package.nodes)
    if (permissions := permissions_context(schema, shapes)) is not None:
        found["permissions.py"] = permissions
    if (state := state_context(schema, shapes)) is not None:
        found["state.py"] = {**state, "base_models": ()}
    if {*PEERS} <= {*sides(table)} and (stores := session_agent_context(schema, table, shapes)) is not None:
        found["stores.py"] = stores
    return found


def runtime_of(installed: bool, on: str = "") -> str:
    """The module from which a package imports its runtime. `on`: the base package."""
    return INSTALLED_RUNTIME if installed else f"{on}.{RUNTIME}"


def _runtime_files(fill: Fill, parts: Collection[str], installed: bool) -> dict[str, str]:
    """The hand-written modules, unless they are installed, and the modules that re-export public names."""
    present = {path: text for path, text in runtime_files().items() if installed or is_in(path, parts)}
    files = {} if installed else dict(present)
    for module, all_sources in PASSED_ON.items():
        sources = {
            name: names for name, names in all_sources.items() if f"{RUNTIME}/{name.replace('.', '/')}.py" in present
        }
        listed = [{"name": Identifier(name), "names": identifiers(names)} for name, names in sources.items()]
        if not sources:
            continue
        names = identifiers(name for each in sources.values() for name in each)
        about = {"about": [Prose(line) for line in PASSED_ON_FOR[module].splitlines()], "sources": listed, "all": names}
        passed_on = fill("passed_on.py", about)
        files[f"{module}.py"] = f"{RUNTIME_HEADER}\n{passed_on}"
    return files


def templates() -> Environment:
    """The templates of emitted files."""
    environment = Environment(
        loader=FileSystemLoader(resource("templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  # Python source; `text` escapes what comes from the schema
    )
    filters: dict[str, Any] = environment.filters
    filters |= {"names": names_in, "filled": filled}
    return environment


def names_in(body: str) -> frozenset[str]:
    """The names that Python code uses. Its template imports only these."""
    return frozenset(node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name))


def filled(items: Iterable[str], indent: str, head: str = "", tail: str = "") -> str:
    """Items separated by commas between head and tail, wrapped into long lines. No item is broken."""
    lines, *rest = [indent + head], *items
    for number, item in enumerate(rest, 1):
        piece = item + ("," if number < len(rest) else tail)
        if len(lines[-1]) + len(piece) >= LINE_LENGTH and lines[-1].strip():
            lines.append(indent + ("    " if head else ""))
        lines[-1] += piece if lines[-1].endswith(("(", " ")) or not lines[-1].strip() else f" {piece}"
    return "\n".join(lines)


def origin(schema: Schema, command: str, extensions: tuple[tuple[str, str], ...]) -> tuple[str, str]:
    """The header of a file, which states its origin. It does not change with every edit of the schema."""
    version = f"version {schema.handshake.version_number}" if schema.handshake is not None else "version unknown"
    added = "".join(f", extended by {_plain(f'{title} {number}')}" for title, number in extensions)
    return f"@generated from {plain_title(schema)}, {version}{added}. Do not edit.", f"Regenerate with: {command}"


def plain_title(schema: Schema) -> Prose:
    return _plain(schema.title) or Prose("an untitled schema")


def _plain(text: str) -> Prose:
    """A title, escaped for comments, docstrings and Markdown."""
    kept = "".join(c for c in text if c.isascii() and (c.isalnum() or c in " .-_()"))
    return Prose(markdown(" ".join(kept.split()).replace("--", "-"))[:80])


def public_of_side(side: str, without: Collection[str]) -> tuple[str, ...]:
    """The public names of a side's module, without those of some parts."""
    gone = {name for part in without for name in PARTS[part].names}
    return (*side_classes(side), *(name for name in PUBLIC_OF_SIDE.get(side, ()) if name not in gone))


def exports(package: Package, without: Collection[str] = (), runtime: str = f".{RUNTIME}") -> dict[str, Any]:
    """The public names of a package without some parts, by module and in total. `missing`: the names of these parts."""
    schema, shapes, table = package.schema, package.shapes, package.rows
    names = dict(PUBLIC)
    if schema.updates is not None:
        names |= {
            "state": (schema.updates.state,),
        }
    names["sessions"] = session_classes(table, schema, shapes, has_client="client" not in without)
    if permissions_context(schema, shapes) is not None:
        names["permissions"] = ("Permissions",)
    if {*PEERS} <= {*sides(table)}:
        names |= PUBLIC_OF_BOTH
    for side in sides(table):
        names[side] = public_of_side(side, without)
    absent = [(part_of_module(module), found) for module, found in names.items()]
    absent += [("client", session_classes(table, schema, shapes))]
    names = {module: found for module, found in names.items() if part_of_module(module) not in without}
    names["models"] = tuple(sorted({*shapes.records, *shapes.choices, *shapes.aliases, *shapes.former, *shapes.longer}))
    listed = [
        {"name": Identifier(f".{module}".replace(f".{RUNTIME}", runtime)), "names": identifiers(found)}
        for module, found in sorted(names.items())
        if found
    ]
    submodules = {*SUBMODULES, *sides(table), *(() if schema.updates is None else ("state",))}
    if session_agent_context(schema, table, shapes) is not None:
        submodules.add("stores")
    absent += [(part, (*PARTS[part].modules, *PARTS[part].names)) for part in PARTS]
    absent += [(part_of_module(module), (module,)) for module in SUBMODULES]
    missing = {
        name: in_order([p for p, them in absent if p in without and name in them])
        for _, found in absent
        for name in found
    }
    submodules = {name for name in submodules if part_of_module(name) not in without}
    taken = {*submodules, *(name for found in names.values() for name in found)}
    return {
        "modules": listed,
        "submodules": identifiers(submodules),
        "missing": {
            Identifier(name): Prose(",".join(of)) for name, of in sorted(missing.items()) if of and name not in taken
        },
        "all": identifiers(name for found in names.values() for name in found),
    }


def errors_context(codes: tuple[ErrorCode, ...]) -> dict[str, Any]:
    """The context of the template of `errors.py`."""
    return {
        "messages": literal({**MESSAGES, **{each.code: each.message for each in codes}}),
        "codes": [
            {
                "code": each.code,
                "name": Identifier(each.name),
                "constant": Identifier(each.name.upper()),
                "text": docstring(f"{each.code}: {each.description or each.message}", 8),
            }
            for each in codes
            if each.name is not None
        ],
    }
