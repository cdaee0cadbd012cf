"""`rfd`: the parts of each RFD, and the effect of promoting it to the next stage, by affected peer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from ...diagnostics import RFD_UNKNOWN
from ...document.json_types import is_json_object
from ...document.keywords import RFD_TEXTS, STAGES
from ...document.read import Document, pointer_parts, read
from ...document.walk import JsonNode, everything
from ...errors import CodegenError, printable, suggested
from ...findings.cascades import grouped
from ...findings.finding import Finding, Level
from ...findings.report import summary
from ...load.schema import load
from ...model.nodes.capabilities import advertised
from ...model.nodes.requirements import as_data, of_source, uncovered
from ...model.nodes.root import Rfd
from ...model.nodes.types import Schema
from ...model.nodes.walk import reached, references
from ..completion import completing
from ..lint.lint import read_examples
from ..parts.schemas import Raw

KINDS = ("methods", "definitions", "properties", "variants", "values", "capabilities")


def overview(path: Path) -> str:
    """The RFDs of a schema with stage and size, as text."""
    document, schema = _read(path)
    table = _table(document, schema)
    rows: list[tuple[str, str, str, str]] = []
    for name, rfd in table.items():
        parts = _parts(document, schema, name)
        size = ", ".join(
            f"{len(found)} {kind if len(found) != 1 else _one(kind)}" for kind, found in parts.items() if found
        )
        rows.append((printable(name), rfd.stage, printable(rfd.title), size or "nothing"))
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    lines = [
        f"{name:<{widths[0]}}  {stage:<{widths[1]}}  {title:<{widths[2]}}  {size}".rstrip()
        for name, stage, title, size in sorted(rows, key=lambda row: (STAGES.index(row[1]), row[0]))
    ]
    return "\n".join(lines) + "\n"


def describe(path: Path, name: str) -> str:
    """The parts that an RFD adds, its example messages, and the effects of its promotion, as text."""
    document, schema = _read(path)
    rfd = _named(_table(document, schema), name, path)
    lines = [f"{name}: {rfd.title} ({rfd.stage})", *filter(None, (rfd.motivation, rfd.document, rfd.pull_request))]
    lines += [f"champion: {rfd.champion}", ""] if rfd.champion else [""]
    for kind, found in _parts(document, schema, name).items():
        if found:
            lines.append(kind)
            lines += [f"  {text}" for text in found]
    lines += ["", *_requirements(schema, name), *_examples(path, document, schema, name)]
    lines += _promotion(document, rfd)
    lines += _untested(schema, rfd)
    return "\n".join(printable(text, 400) for text in lines).rstrip("\n") + "\n"


def as_json(path: Path, *names: str) -> str:
    """Title, stage and requirements of some RFDs, or of all, as a JSON array."""
    document, schema = _read(path)
    table = _table(document, schema)
    rfds = [_named(table, name, path) for name in names] or [*table.values()]
    data = [
        {
            "name": rfd.name,
            "title": rfd.title,
            "stage": rfd.stage,
            **{key: said for key in RFD_TEXTS if (said := to_builtins(rfd)[key])},
            "requirements": [as_data(schema, each) for each in of_source(schema, rfd.name)],
        }
        for rfd in rfds
    ]
    return json.dumps(data, indent=2, ensure_ascii=True) + "\n"


def named(path: Path, name: str) -> Rfd:
    """An RFD of a schema file by name. Raises CodegenError if there is none."""
    return _named(_table(*_read(path)), name, path)


def _named(table: Mapping[str, Rfd], name: str, path: Path) -> Rfd:
    if name not in table:
        hint = suggested(name, table)
        raise CodegenError(f"{printable(str(path))}: error: `x-rfds` has no RFD {printable(name)}{hint}")
    return table[name]


def _requirements(schema: Schema, name: str) -> Iterator[str]:
    """The requirements of an RFD, each with its id, the side that it binds and the number of its tests."""
    found = of_source(schema, name)
    if found:
        yield "requirements"
        for each in found:
            covered = each.covered
            kinds = (
                ("example", covered.examples),
                ("rule", covered.rules),
                ("test", covered.tests),
                ("probe", covered.probes),
            )
            counts = ", ".join(f"{len(n)} {kind}{'s' if len(n) != 1 else ''}" for kind, n in kinds if n)
            yield f"  {each.level.upper()} ({each.binds}) {each.text}  [{each.id.partition('/')[2]}: {counts or 'not covered'}]"
        yield ""


def _read(path: Path) -> tuple[Document, Schema]:
    document = read(path)
    schema, _ = load(document)
    return document, schema


def _table(document: Document, schema: Schema) -> Mapping[str, Rfd]:
    if schema.rfds is None:
        raise document.error("", "the schema has no `x-rfds`, so the parts of RFDs are unknown", RFD_UNKNOWN)
    return schema.rfds


def _one(kind: str) -> str:
    return {"properties": "property", "capabilities": "capability"}.get(kind, kind.removesuffix("s"))


# --- what an RFD brought --------------------------------------------------------------------------------------------------


def _parts(document: Document, schema: Schema, name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    methods = {method.pointer: method for method in schema.methods}
    capabilities = _capability_definitions(schema)
    for node in Raw.of(document).nodes:
        if node.value.get("x-rfd") != name:
            continue
        line, _ = document.locate(node.pointer, key=True)
        parts = pointer_parts(node.pointer)
        where = f"{document.name}:{line}"
        method = methods.get(node.pointer)
        if method is not None:
            gate = f", gated by {method.capability}" if method.capability else ""
            found["methods"].append(f"{method.path} ({method.kind}, side {method.side}{gate})  {where}")
        elif "x-method" in node.value:
            continue
        elif len(parts) == 2:
            found["definitions"].append(f"{parts[1]}  {where}")
        elif parts[-2] == "properties":
            kind = "capabilities" if parts[1] in capabilities else "properties"
            found[kind].append(f"{parts[1]}.{parts[-1]}  {where}")
        else:
            kind = "values" if "const" in node.value else "variants"
            found[kind].append(f"{parts[1]}: {_label(node)}  {where}")
    return found


def _capability_definitions(schema: Schema) -> set[str]:
    """The definitions of advertised capabilities."""
    types = [advertised(schema, side) for side in (schema.handshake.capabilities if schema.handshake else ())]
    return {*reached(schema.definitions, (name for type_ in types if type_ is not None for name in references(type_)))}


def _label(node: JsonNode) -> str:
    value: Any = node.value
    if "const" in value:
        return repr(value["const"])
    properties = value.get("properties", {})
    constants = [p["const"] for p in properties.values() if is_json_object(p) and "const" in p]
    return repr(constants[0]) if constants else str(value.get("title") or value.get("$ref", "").rpartition("/")[2])


def _examples(path: Path, document: Document, schema: Schema, name: str) -> Iterator[str]:
    directory = path.parent / "examples" / "messages"
    if not directory.is_dir():
        return
    tags = list(_tags(document, name))
    brought = {m.params: m for m in schema.methods if m.rfd == name} | {
        m.result: m for m in schema.methods if m.rfd == name
    }
    shown = [e.path for e in read_examples([directory], schema)[0] if e.definition in brought or _shows(e.value, tags)]
    if shown:
        yield "examples"
        yield from (f"  {printable(p)}" for p in shown)
        yield ""


def _tags(document: Document, name: str) -> Iterator[tuple[str, Any]]:
    """The tags of an RFD's variants, with their properties."""
    for node in Raw.of(document).nodes:
        properties: Any = node.value.get("properties")
        if node.value.get("x-rfd") == name and len(pointer_parts(node.pointer)) > 2 and is_json_object(properties):
            yield from ((key, p["const"]) for key, p in properties.items() if is_json_object(p) and "const" in p)


def _shows(value: Any, tags: list[tuple[str, Any]]) -> bool:
    """Return whether a message contains an object with one of the tags."""
    objects = filter(is_json_object, everything(value))
    return any(key in each and each[key] == tag for each in objects for key, tag in tags)


# --- what promoting it means ------------------------------------------------------------------------------------------------


def _promotion(document: Document, rfd: Rfd) -> Iterator[str]:
    if rfd.stable:
        yield "The RFD is completed: all its parts are stable."
        return
    following = STAGES[STAGES.index(rfd.stage) + 1]
    if following != STAGES[-1]:
        yield f"promoting it to {following} changes nothing in the stable projection; to {STAGES[-1]}, it adds:"
    else:
        yield f"promoting it to {following} adds to the stable projection:"
    yield from _added(grouped(completing(document, rfd.name)))


def _untested(schema: Schema, rfd: Rfd) -> Iterator[str]:
    names = uncovered(schema, rfd.name)
    if names:
        when = "warns of each" if rfd.stable else "will warn about each once it is completed"
        yield f"{len(names)} of its requirements have no tests, and `check` {when}: {', '.join(names)}"


def _added(findings: list[Finding]) -> Iterator[str]:
    for finding in findings:
        level = "" if finding.level is Level.info else f" {finding.level.name}:"
        yield f" {level} {finding.message}"
        if finding.breaks:
            yield f"      breaks: {'; '.join(finding.breaks)}"
            yield f"      instead: {finding.instead}"
    yield f"  ({summary(findings)})" if findings else "  nothing"
