"""Types: changed, narrowed, widened; bounds; objects and maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from ...findings.finding import Level
from ...findings.rule import Effect, Hit
from ...model.bounds import bounds
from ...model.kind import Kind
from ..pairs import BoundsPair, MapPair, ObjectPair, TypePair
from .properties import advertised
from .rows import change

T = TypeVar("T")


def _type(text: str) -> Callable[[TypePair], Iterator[Hit]]:
    def check_type(pair: TypePair) -> Iterator[Hit]:
        if not _is_capability(pair):
            yield Hit(message=f"{pair.subject} was {pair.before} and {text} {pair.after} now")

    return check_type


def _is_capability(pair: TypePair) -> bool:
    return advertised(pair.nodes) and not pair.subject.rpartition(".")[2].startswith("_")


def _shape(pair: TypePair) -> Iterator[Hit]:
    if _is_capability(pair):
        yield Hit(message=f"the capability {pair.subject} was {pair.before} and is {pair.after} now")


def _differences(pair: BoundsPair) -> tuple[list[str], list[str]]:
    """What keeps other values out than before, in words, what keeps more out first; and what receivers may note but do not enforce."""
    old, new = bounds(pair.old), bounds(pair.new)
    tighter: list[str] = []
    looser: list[str] = []
    for before, after, sign in ((old.lower, new.lower, 1), (old.upper, new.upper, -1)):
        for name, least, most in _differing(before, after):
            stricter = least is None or (most is not None and (most - least) * sign > 0)
            (tighter if stricter else looser).append(_text(name, least, most))
    for name, was, now in _differing(old.rest, new.rest):
        (looser if now is None else tighter).append(_text(name, was, now))
    return [*tighter, *looser], [_text(*each) for each in _differing(old.notes, new.notes)]


def _differing(old: Mapping[str, T], new: Mapping[str, T]) -> Iterator[tuple[str, T | None, T | None]]:
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield name, old.get(name), new.get(name)


def _text(name: str, before: object, after: object) -> str:
    if before is None:
        return f"{name} is now {after} (was not set)"
    return f"{name} is not set (was {before})" if after is None else f"{name} is now {after} (was {before})"


_TAKES = {Kind.NARROWER: "takes less", Kind.WIDER: "takes more"}


def _bounds(*, stated: bool) -> Callable[[BoundsPair], Iterator[Hit]]:
    """The check for other bounds. `stated`: of the formats that bind nobody, for those that are stated, or that are not any more."""

    def check_bounds(pair: BoundsPair) -> Iterator[Hit]:
        differences, notes = _differences(pair)
        if pair.kind is not Kind.EQUAL:
            what = _TAKES.get(pair.kind, "takes other values")
            yield Hit(message=f"{pair.subject} {what}: {', '.join([*differences, *notes])}")
        elif notes and bool(bounds(pair.new).notes) is stated:
            yield Hit(message=f"{pair.subject}: {', '.join(notes)}", ceiling=Level.warning)

    return check_bounds


def _opened(pair: ObjectPair) -> Iterator[Hit]:
    yield Hit(message=f"{pair.subject} accepts undeclared properties", ceiling=Level.warning)


_APART = {Kind.DISJOINT: Effect.BREAKS, Kind.OVERLAPPING: Effect.SHIFTS}
_type_row, _bounds_row = (partial(change, family) for family in ("types", "constraints"))

ROWS = (
    _type_row(
        "property-type-changed",
        _APART,
        TypePair,
        _type("is"),
        "A property, item or definition has an incompatible new type.",
        "No value fits both types, or each type accepts values that the other rejects. Old peers reject messages "
        "from new ones, or the reverse.",
        "add a property of another name with the new type and keep the old one",
    ),
    _type_row(
        "property-type-narrowed",
        Kind.NARROWER,
        TypePair,
        _type("is only"),
        "A type accepts fewer values than before.",
        "Old senders send values that new receivers reject.",
        "keep the type and say in the description which values new senders use",
        "property-type-widened",
    ),
    _type_row(
        "property-type-widened",
        Kind.WIDER,
        TypePair,
        _type("may be"),
        "A type accepts more values than before.",
        "New senders send values that old receivers reject.",
        "add a property of another name, or send the new values only to receivers that advertise a new capability",
        "property-type-narrowed",
    ),
    change(
        "capabilities",
        "capability-shape-changed",
        Effect.BREAKS,
        TypePair,
        _shape,
        "Peers advertise a capability in another form than before.",
        "A peer that expects true finds an object, or the reverse. It takes that for no, or fails.",
        "add a capability of another name in the new form and advertise both",
    ),
    _bounds_row(
        "constraint-tightened",
        {Kind.NARROWER: Effect.NARROWS, **_APART, Kind.EQUAL: Effect.NARROWS},
        BoundsPair,
        _bounds(stated=True),
        "A constraint rejects values that were allowed: a range, length, number of items, pattern or integer size.",
        "Old senders send values that new receivers reject. For a string's `format` it is a warning, because "
        "`format` alone rejects nothing.",
        "keep the constraint; say in the description which values new senders use",
        "constraint-relaxed",
    ),
    _bounds_row(
        "constraint-relaxed",
        {Kind.WIDER: Effect.WIDENS, Kind.EQUAL: Effect.WIDENS},
        BoundsPair,
        _bounds(stated=False),
        "A constraint accepts values that were not allowed.",
        "New senders send values that old receivers reject.",
        "send such values only to receivers that advertise a new capability",
        "constraint-tightened",
    ),
    _type_row(
        "map-value-changed",
        Kind.DISJOINT,
        MapPair,
        "the values of {p.subject} were {p.before} and are {p.after} now",
        "The values of a map have another type.",
        "Each side rejects the other's values.",
        "add a property with a map of the new type",
    ),
    _type_row(
        "additional-properties-closed",
        Kind.NARROWER,
        ObjectPair,
        "{p.subject} refuses properties that it does not declare",
        "An object no longer accepts undeclared properties.",
        "Old and newer senders may add properties. A receiver that rejects them also breaks every later addition.",
        "leave it open",
        "additional-properties-opened",
    ),
    _type_row(
        "additional-properties-opened",
        Kind.WIDER,
        ObjectPair,
        _opened,
        "An object accepts undeclared properties.",
        "Old receivers reject objects with undeclared properties. It is a warning, because new senders have "
        "nothing to add yet.",
        "gate what new senders add",
        "additional-properties-closed",
    ),
)
