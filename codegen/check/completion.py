"""The effect of completing an RFD on earlier released peers, and on the stable protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as with_

from ..document.json_types import is_json_object
from ..document.keywords import STAGES
from ..document.projection import without
from ..document.read import Document, pointer_parts
from ..errors import SchemaError
from ..findings.cascades import explained
from ..findings.finding import Finding, Level
from ..load.schema import load
from ..model.algebra.normal_form import WireForms
from ..model.nodes.types import Schema
from .engine import diff
from .lint.lint import finding_of
from .parts.schemas import Loaded, Raw
from .parts.side import Side
from .rules import RULES

_BUILT_ON_DRAFTS = RULES["stable-refs-unstable"]


class Completion:
    """The changes from completing RFDs of a document. Raises SchemaError if the schema does not load."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.whole, _ = load(document)
        self.before = {finding.pointer for finding in _built_on_drafts(document, self.whole)}

    def of(self, name: str) -> list[Finding]:
        """The changes from completing one RFD, with their severities then."""
        earlier, done = without(self.document, {name}), _completed(self.document, name)
        table = self.whole.rfds or {}
        after = with_(self.whole, rfds={**table, name: with_(table[name], stage=STAGES[-1])})
        sides = (Side(earlier, load(earlier)[0], whole=self.whole), Side(done, after, whole=self.whole))
        changed = explained(diff(*sides))
        return [*changed, *(found for found in _built_on_drafts(done, after) if found.pointer not in self.before)]


def completing(document: Document, name: str) -> list[Finding]:
    """The changes from completing an RFD, with their severities then. Raises SchemaError if a schema does not load."""
    return Completion(document).of(name)


def foreseen(old: Document, new: Document) -> Iterator[Finding]:
    """The breaks from completing the RFDs in progress that an edit touches. For now they are info."""
    names = touched(old, new)
    try:
        completion = Completion(new) if names else None
    except SchemaError:
        return  # what does not load is a finding of its own
    for name in names:
        try:
            found = completion.of(name) if completion is not None else []
        except SchemaError:
            continue
        for finding in found:
            if finding.level > Level.info:
                yield with_(finding, level=Level.info, completed=finding.level)


def touched(old: Document, new: Document) -> list[str]:
    """The RFDs in progress with a changed part."""
    table = new.value.get("x-rfds")
    if not is_json_object(table):
        return []
    before, after = _parts(old), _parts(new)
    names = [name for name, entry in table.items() if is_json_object(entry) and entry.get("stage") != STAGES[-1]]
    return [name for name in names if after.get(name) is not None and before.get(name) != after[name]]


def _parts(document: Document) -> dict[str, list[Any]]:
    """The parts of each RFD, each with its definition."""
    found: dict[str, list[Any]] = {}
    for pointer, node in Raw.of(document).nodes:
        if isinstance(name := node.get("x-rfd"), str):
            found.setdefault(name, []).append((pointer_parts(pointer)[1], node))
    return found


def _completed(document: Document, name: str) -> Document:
    table: dict[str, Any] = document.value["x-rfds"]
    entry = {**table[name], "stage": STAGES[-1]}
    return replace(document, value={**document.value, "x-rfds": {**table, name: entry}})


def _built_on_drafts(document: Document, schema: Schema) -> list[Finding]:
    """The stable parts that depend on an RFD in progress."""
    loaded = Loaded(Raw.of(document), schema, WireForms(schema), annotated=True)
    return [finding_of(document, _BUILT_ON_DRAFTS, hit) for hit in _BUILT_ON_DRAFTS.check(loaded)]
