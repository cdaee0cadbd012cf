"""Types: changed, narrowed, widened; bounds; objects and maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from ...findings.finding import Level
from ...findings.rule import Effect, Hit
from ...model.algebra.bounds import bounds
from ...model.algebra.change_kind import Kind
from ..parts.pairs import BoundsPair, MapPair, ObjectPair, TypePair
from .properties import advertised
from .rows import Rows

T = TypeVar("T")


def _is_capability(pair: TypePair) -> bool:
    return advertised(pair.nodes) and not pair.subject.rpartition(".")[2].startswith("_")


def _is_no_capability(pair: TypePair) -> bool:
    return not _is_capability(pair)


def _differences(pair: BoundsPair) -> tuple[list[str], list[str]]:
    """The restrictions that exclude new values, in words, the strongest first; and unenforced ones."""
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


_KEEP = "keep the pattern, or check by hand that the new one matches the same strings"
_TAKES = {Kind.NARROWER: "takes less", Kind.WIDER: "takes more"}


def _bounds(*, stated: bool) -> Callable[[BoundsPair], Iterator[Hit]]:
    """The check for different bounds. `stated`: for unenforced formats, whether they were added or removed."""

    def check_bounds(pair: BoundsPair) -> Iterator[Hit]:
        differences, notes = _differences(pair)
        if pair.undecided:
            text = f"{pair.subject} may accept other values (not decidable): {', '.join([*differences, *notes])}"
            yield Hit(text, ceiling=Level.warning, instead=_KEEP)
        elif pair.kind is not Kind.EQUAL:
            what = _TAKES.get(pair.kind, "takes other values")
            yield Hit(f"{pair.subject} {what}: {', '.join([*differences, *notes])}")
        elif notes and bool(bounds(pair.new).notes) is stated:
            yield Hit(f"{pair.subject}: {', '.join(notes)}", ceiling=Level.warning)

    return check_bounds


def _opened(pair: ObjectPair) -> Iterator[Hit]:
    yield Hit(f"{pair.subject} accepts undeclared properties", ceiling=Level.warning)


_APART = {Kind.DISJOINT: Effect.BREAKS, Kind.OVERLAPPING: Effect.SHIFTS}


_rules = Rows(
    """
# types

property-type-changed
    A property, item or definition has an incompatible new type.
    Says: {p.subject} was {p.before} and is now {p.after}
    Why: No value fits both types, or each type accepts values that the other rejects. Old peers reject messages from
    new ones, or the reverse.
    Instead: add a property of another name with the new type and keep the old one

property-type-narrowed
    A type accepts fewer values than before.
    Says: {p.subject} was {p.before} and is now only {p.after}
    Why: Old senders send values that new receivers reject.
    Instead: keep the type, and state in the description which values new senders use
    Mirror: property-type-widened

property-type-widened
    A type accepts more values than before.
    Says: {p.subject} was {p.before} and may now be {p.after}
    Why: New senders send values that old receivers reject.
    Instead: add a property of another name, or send the new values only to receivers that advertise a new capability
    Mirror: property-type-narrowed

# capabilities

capability-shape-changed
    The form in which peers advertise a capability changed.
    Says: the capability {p.subject} was {p.before} and is now {p.after}
    Why: A peer that expects true finds an object, or the reverse. It treats the capability as unsupported, or fails.
    Instead: add a capability of another name in the new form and advertise both

# constraints

constraint-tightened
    A constraint rejects values that were allowed: a range, length, number of items, pattern or integer size.
    Why: Old senders send values that new receivers reject. For a string's `format` it is a warning, because `format`
    alone rejects nothing.
    Instead: keep the constraint; state in the description which values new senders use
    Mirror: constraint-relaxed

constraint-relaxed
    A constraint accepts values that were not allowed.
    Why: New senders send values that old receivers reject.
    Instead: send such values only to receivers that advertise a new capability
    Mirror: constraint-tightened

# types

map-value-changed
    The values of a map have another type.
    Says: the values of {p.subject} were {p.before} and are now {p.after}
    Why: Each side rejects the other's values.
    Instead: add a property with a map of the new type

additional-properties-closed
    An object no longer accepts undeclared properties.
    Says: {p.subject} rejects undeclared properties
    Why: Old and newer senders may add properties. A receiver that rejects them also breaks every later addition.
    Instead: leave it open
    Mirror: additional-properties-opened

additional-properties-opened
    An object accepts undeclared properties.
    Why: Old receivers reject objects with undeclared properties. It is a warning, because new senders have nothing to
    add yet.
    Instead: gate the properties that new senders add
    Mirror: additional-properties-closed
"""
)

ROWS = (
    _rules.change("property-type-changed", _APART, TypePair, where=_is_no_capability),
    _rules.change("property-type-narrowed", Kind.NARROWER, TypePair, where=_is_no_capability),
    _rules.change("property-type-widened", Kind.WIDER, TypePair, where=_is_no_capability),
    _rules.change("capability-shape-changed", Effect.BREAKS, TypePair, where=_is_capability),
    _rules.change(
        "constraint-tightened",
        {Kind.NARROWER: Effect.NARROWS, **_APART, Kind.EQUAL: Effect.NARROWS},
        BoundsPair,
        _bounds(stated=True),
    ),
    _rules.change(
        "constraint-relaxed", {Kind.WIDER: Effect.WIDENS, Kind.EQUAL: Effect.WIDENS}, BoundsPair, _bounds(stated=False)
    ),
    _rules.change("map-value-changed", Kind.DISJOINT, MapPair),
    _rules.change("additional-properties-closed", Kind.NARROWER, ObjectPair),
    _rules.change("additional-properties-opened", Kind.WIDER, ObjectPair, _opened),
)
