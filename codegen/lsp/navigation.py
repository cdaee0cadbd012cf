"""Navigation in a schema: the part at a position, its definition, its references, and its senders."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ..check.compare.flow import directions
from ..document.positions import index_of
from ..document.read import Document, join, pointer_parts
from ..document.walk import part_at, schemas
from ..model.nodes.types import Schema
from ..model.nodes.walk import reached
from .positions import Span, Spot, pointer_at, span_at, spot

_TABLES = {"$ref": "$defs", "x-rfd": "x-rfds"}
"""The root table that a keyword refers to."""
_NAMES = {
    "$defs": (re.compile(r"[A-Za-z_][A-Za-z0-9_]*"), "FileChange"),
    "x-rfds": (re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*"), "session-rename"),
}
_MOST = 6
"""Maximum number of messages in a hover text."""

Name = tuple[str, str]
"""A table of the root, and an entry of it."""


def named(document: Document, at: Spot) -> Name | None:
    """The name at a position: the key of an entry, or a keyword's value."""
    steps = pointer_at(document.text, at)
    if len(steps) == 2 and steps[0] in _TABLES.values():
        return steps[0], steps[1]
    return _entry(steps[-1], part_at(document.value, steps)) if steps else None


def _entry(keyword: str, value: object) -> Name | None:
    table = _TABLES.get(keyword, "")
    if not table or not isinstance(value, str):
        return None
    parts = pointer_parts(value.removeprefix("#")) if keyword == "$ref" else [table, value]
    return (table, parts[1]) if len(parts) == 2 and parts[0] == table else None


def outline(document: Document) -> Iterator[tuple[Name, Span, Span]]:
    """The definitions and RFDs of a schema, each with the spans of its key and of the whole entry."""
    index, data = index_of(document.text), document.text
    for table in _TABLES.values():
        members = index.members((table,)) if table in document.value else {}
        for name, (key, value) in members.items():
            end = spot(data, index.end(value))
            yield (table, name), Span(spot(data, key), spot(data, index.end(key))), Span(spot(data, key), end)


def defined(document: Document, name: Name) -> Span | None:
    """The span of an entry's key; None if there is no such entry."""
    return next((key for each, key, _ in outline(document) if each == name), None)


def references(document: Document, name: Name) -> Iterator[Span]:
    """The values that name an entry, in the order of the file."""
    for pointer, node in schemas(document.value.get("$defs", {}), "/$defs", "schemas"):
        for keyword in _TABLES:
            if _entry(keyword, node.get(keyword)) == name:
                line, column = document.locate(join(pointer, keyword))
                yield span_at(document.text, line, column)


def misnamed(document: Document, name: Name, new: str) -> str:
    """The reason why an entry cannot be renamed to a name; empty if it can."""
    table, _ = name
    if new in document.value.get(table, {}):
        return f"there is {new} in {table} already"
    pattern, like = _NAMES[table]
    return "" if pattern.fullmatch(new) else f"{new} is not a valid name; write it like {like}"


def renaming(document: Document, name: Name, new: str) -> Iterator[tuple[Span, str]]:
    """The texts that change if an entry gets another name: its key, what refers to it, and its requirements.

    The lock of names is not edited: the Python name of a renamed definition follows by `generate`, with an alias.
    """
    table, old = name
    index, data = index_of(document.text), document.text
    place = defined(document, name)
    if place is None:
        return
    yield place, json.dumps(new)
    written = f"#/$defs/{new}" if table == "$defs" else new
    yield from ((span, json.dumps(written)) for span in references(document, name))
    for source, group in document.value.get("x-requirements", {}).items():
        if table == "x-rfds" and source == old:
            key = index.members(("x-requirements",))[source][0]
            yield Span(spot(data, key), spot(data, index.end(key))), json.dumps(new)
        for id_, said in group.items() if table == "$defs" else ():
            for position, subject in enumerate(said.get("on", ())):
                head, dot, member = subject.partition(".")
                if head == old:
                    start, end = index.span(("x-requirements", source, id_, "on", position))
                    yield Span(spot(data, start), spot(data, end)), json.dumps(f"{new}{dot}{member}")


def senders(schema: Schema, name: str) -> str:
    """Name the senders and messages of a definition in a sentence; empty if no message contains it."""
    found: dict[str, list[str]] = {}
    for method in schema.methods:
        for definition, role in ((method.params, method.kind), (method.result, "response")):
            if definition is not None and name in reached(schema.definitions, [definition]):
                for direction in directions(method.side, role):
                    found.setdefault(direction.partition("-to-")[0], []).append(f"`{method.path}` ({role})")
    parts = [
        f"{peer}s send it in {', '.join(sent[:_MOST])}" + (f" and {len(sent) - _MOST} more" if sent[_MOST:] else "")
        for peer, sent in sorted(found.items())
    ]
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""
