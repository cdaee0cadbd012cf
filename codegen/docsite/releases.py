"""Earlier releases: the parts of each, and the changes from each to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from ..check.command import compare_documents
from ..document.annotations import annotated
from ..document.read import Document, pointer_parts
from ..findings.accepted_breaks import Ledger
from ..findings.finding import Finding, Level
from ..findings.review import Review, review
from ..load.schema import load
from ..model.algebra.normal_form import WireForms
from ..model.naming.lock import Lock
from ..model.nodes.types import Definition, Field, Union, Variant
from ..model.nodes.walk import inner, members
from .labels import label_of
from .urls import anchor_of

MethodKey = tuple[str, str, str]


class Given(Struct, frozen=True):
    """A release given as input: its document, and the names lock beside it."""

    name: str
    document: Document
    lock: Lock


class Release(Struct, frozen=True, kw_only=True):
    """A release: the stage of each method, and its other parts. A part is a tuple: ``(definition,)``, ``(definition,
    property)`` or ``(definition, variant)``.
    """

    name: str
    methods: Mapping[MethodKey, str]
    parts: frozenset[tuple[str, ...]]


class Step(Struct, frozen=True):
    """The changes from one release to the next as a review, with an anchor for each finding."""

    old: str
    new: str
    review: Review
    anchors: Mapping[int, str]
    """Anchors by the identity of a finding."""

    def anchor(self, finding: Finding) -> str:
        """The anchor of a finding."""
        return self.anchors[id(finding)]


class History(Struct, frozen=True, kw_only=True):
    """The releases, oldest first, with the changes between them."""

    releases: tuple[Release, ...] = ()
    steps: tuple[Step, ...] = ()
    changed: Mapping[tuple[str, str], tuple[tuple[str, str], ...]] = {}
    """For each property of a definition, the releases that changed it, with the anchors of the changes."""

    def since(self, what: tuple[str, ...]) -> str:
        """The first release with a part, in words; empty without releases."""
        found = self._first(what)
        if found is None:
            return ""
        return f"{found.name} or earlier" if found is self.releases[0] else found.name

    def added(self, what: tuple[str, ...]) -> str:
        """The release that added a part; empty for parts of the first release."""
        found = self._first(what)
        return found.name if found is not None and found is not self.releases[0] else ""

    @property
    def methods(self) -> list[MethodKey]:
        """All methods of all releases, by side."""
        return sorted({key for release in self.releases for key in release.methods})

    def _first(self, what: tuple[str, ...]) -> Release | None:
        has = (each for each in self.releases if what in each.parts or what in each.methods)
        return next(has, None) if len(self.releases) > 1 else None


def history(given: Sequence[Given], ledger: Ledger) -> History:
    """The history of some releases, oldest first. Raises SchemaError."""
    if len(given) < 2:
        return History()
    steps = tuple(_step(old, new, ledger) for old, new in pairwise(given))
    changed: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for step in steps:
        for finding in step.review.outcome.findings:
            place = _property(finding)
            if place is not None:
                found = changed.setdefault(place, [])
                if step.new not in (name for name, _ in found):
                    found.append((step.new, step.anchor(finding)))
    return History(
        releases=tuple(map(_release, given)),
        steps=steps,
        changed={place: tuple(found) for place, found in changed.items()},
    )


def _step(old: Given, new: Given, ledger: Ledger) -> Step:
    outcome = compare_documents((old.document, old.lock), (new.document, new.lock), ledger, wires=True)
    anchors: dict[int, str] = {}
    taken: dict[str, int] = {}
    for finding in outcome.findings:
        anchor = anchor_of("change", f"{finding.id}-{finding.subject or finding.pointer}")
        taken[anchor] = taken.get(anchor, 0) + 1
        anchors[id(finding)] = anchor if taken[anchor] == 1 else f"{anchor}-{taken[anchor]}"
    return Step(old.name, new.name, review(outcome, outcome.verdict(Level.error).value), anchors)


def _property(finding: Finding) -> tuple[str, str] | None:
    match pointer_parts(finding.pointer):
        case ["$defs", definition, "properties", name, *_]:
            return definition, name
        case _:
            return None


def _release(given: Given) -> Release:
    schema, _ = load(annotated(given.document))
    forms = WireForms(schema)
    rfds = schema.rfds or {}
    return Release(
        name=given.name,
        methods={
            m.key: rfds[m.rfd].stage if m.rfd is not None else "" for m in schema.methods if m.rfd in (None, *rfds)
        },
        parts=frozenset(part for each in schema.definitions.values() for part in _parts(each, forms)),
    )


def _parts(definition: Definition, forms: WireForms) -> Iterator[tuple[str, ...]]:
    yield (definition.name,)
    for type_ in inner(definition.type):
        for index, part in enumerate(members(type_)):
            if isinstance(part, Field):
                yield definition.name, part.name
            elif isinstance(part, Variant) and isinstance(type_, Union):
                yield definition.name, label_of(forms, part, index)
