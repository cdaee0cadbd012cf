"""Navigation in a schema: the name at a position, its definition, its references, and the senders of a type."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from ..check.compare.flow import directions
from ..document.json_types import is_json_array, is_json_object
from ..document.positions import index_of
from ..document.read import Document, pointer_parts
from ..document.vocabulary import named as named_in
from ..model.nodes.types import Schema
from ..model.nodes.walk import reached
from .positions import Span, Spot, offset, pointer_at, spot

TABLES = ("$defs", "x-rfds")
"""The root tables whose entries have names."""
_FORMATS = {"method": "x-method", "rfd": "x-rfds"}
_MOST = 6
"""Maximum number of messages in a hover text."""

_Steps = tuple[str | int, ...]
Name = tuple[str, str]
"""A table of the root with an entry of it, or `x-method` with the name of a method."""


class Use(NamedTuple):
    """A text in a document that may contain a name.

    `format`: what it names, as in `vocabulary`; also a `definition`, a `reference` to one, an extension's `target`, or
    `prose`.
    """

    steps: _Steps
    text: str
    format: str
    is_key: bool = False

    @property
    def name(self) -> Name | None:
        """The name, if the text is nothing else."""
        if self.format == "reference":
            parts = pointer_parts(self.text.removeprefix("#"))
            return ("$defs", parts[1]) if len(parts) == 2 and parts[0] == "$defs" else None
        if self.format == "definition":
            return "$defs", self.text
        return (_FORMATS[self.format], self.text) if self.format in _FORMATS else None

    def span(self, text: bytes) -> Span:
        """The place of the text in its document."""
        index = index_of(text)
        start = index.offset(self.steps, key=self.is_key)
        return Span(spot(text, start), spot(text, index.end(start)))


def uses(value: object) -> Iterator[Use]:
    """The texts of a schema or an extension that may contain names, in the order of the document."""
    definitions: set[_Steps] = {("$defs",)}
    if is_json_object(value) and is_json_array(actions := value.get("actions")):
        targets = [action.get("target") if is_json_object(action) else None for action in actions]
        definitions |= {("actions", n, "update") for n, target in enumerate(targets) if target in _DEFINITIONS}
        definitions |= {("actions", n, "update", "$defs") for n, target in enumerate(targets) if target == "$"}
    yield from _uses(value, (), definitions, {})


_DEFINITIONS = ("$['$defs']", '$["$defs"]', "$.$defs")
"""The targets of actions that add definitions."""


def _uses(
    value: object, steps: _Steps, definitions: Collection[_Steps], known: Mapping[tuple[_Steps, bool], str]
) -> Iterator[Use]:
    """The texts below a step. `definitions`: the maps of definitions; `known`: the formats of names in a keyword."""
    if isinstance(value, str):
        usual = {"$ref": "reference", "target": "target"}.get(str(steps[-1]) if steps else "", "prose")
        yield Use(steps, value, known.get((steps, False), usual))
    for key, child in value.items() if is_json_object(value) else ():
        at = (*steps, key)
        found = {((*steps, *each.steps), each.is_key): each.format for each in named_in(key, child)} or known
        if (format_ := "definition" if steps in definitions else found.get((at, True))) is not None:
            yield Use(at, key, format_, is_key=True)
        yield from _uses(child, at, definitions, found)
    for index, child in enumerate(value if is_json_array(value) else ()):
        yield from _uses(child, (*steps, index), definitions, known)


def named(document: Document, at: Spot) -> Name | None:
    """The name at a position: a key, a value, or the key before a value."""
    index, where, steps = index_of(document.text), offset(document.text, at), pointer_at(document.text, at)
    for use in uses(document.value):
        if use.name is not None:
            start = index.offset(use.steps, key=use.is_key)
            before = not use.is_key and tuple(map(str, use.steps)) == steps
            if before or start <= where < index.end(start):
                return use.name
    return None


def outline(document: Document) -> Iterator[tuple[Name, Span, Span]]:
    """The definitions and RFDs of a schema, each with the spans of its key and of the whole entry."""
    index, data = index_of(document.text), document.text
    for table in TABLES:
        members = index.members((table,)) if table in document.value else {}
        for name, (key, value) in members.items():
            end = spot(data, index.end(value))
            yield (table, name), Span(spot(data, key), spot(data, index.end(key))), Span(spot(data, key), end)


def places(document: Document, name: Name) -> tuple[list[Span], list[Span]]:
    """The places that define a name, and those that refer to it, each in the order of the file."""
    own: list[Span] = []
    others: list[Span] = []
    for use in uses(document.value):
        if use.name == name:
            defines = use.steps[-1] == name[0] if name[0] not in TABLES else use.steps == name
            (own if defines else others).append(use.span(document.text))
    return own, others


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
