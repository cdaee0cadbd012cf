"""Types: changed, narrowed, widened; bounds; objects and maps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from ...findings.finding import Level
from ...findings.rule import Effect, Hit, Rule
from ...model.types import Array, Integer, Number, String, Type
from ..pairs import BoundsPair, MapPair, ObjectPair, TypePair
from ..phrases import in_words
from .properties import advertised

T = TypeVar("T")

# What a format says of an integer's range. Other formats reject nothing.
SIZES = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64, 128)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64, 128)},
    "uint": (0, 2**64 - 1),
    "int": (-(2**63), 2**63 - 1),
}


def _capability(pair: TypePair) -> bool:
    return advertised(pair.nodes) and not pair.subject.rpartition(".")[2].startswith("_")


def _changed(pair: TypePair) -> Iterator[Hit]:
    if pair.how == "changed" and not _capability(pair):
        yield Hit(message=f"{pair.subject} was {pair.before} and is {pair.after} now")


def _narrowed(pair: TypePair) -> Iterator[Hit]:
    if pair.how == "narrowed" and not _capability(pair):
        yield Hit(message=f"{pair.subject} was {pair.before} and is only {pair.after} now")


def _widened(pair: TypePair) -> Iterator[Hit]:
    if pair.how == "widened" and not _capability(pair):
        yield Hit(message=f"{pair.subject} was {pair.before} and may be {pair.after} now")


def _shape(pair: TypePair) -> Iterator[Hit]:
    if pair.how in ("changed", "narrowed", "widened") and _capability(pair):
        yield Hit(message=f"the capability {pair.subject} was {pair.before} and is {pair.after} now")


Limits = dict[str, float]


def _bounds(type_: Type) -> tuple[Limits, Limits, dict[str, object]]:
    """Lower bounds, upper bounds, and the rest of what keeps values out."""
    match type_:
        case Integer() | Number():
            low, high = SIZES.get(type_.format or "", (None, None)) if isinstance(type_, Integer) else (None, None)
            if type_.above is not None and isinstance(type_, Integer) and isinstance(type_.above, int):
                low = _most(low, type_.above + 1)
            if type_.below is not None and isinstance(type_, Integer) and isinstance(type_.below, int):
                high = _least(high, type_.below - 1)
            lower: dict[str, float | None] = {"minimum": _most(low, type_.minimum)}
            upper: dict[str, float | None] = {"maximum": _least(high, type_.maximum)}
            if isinstance(type_, Number):
                lower["exclusive minimum"], upper["exclusive maximum"] = type_.above, type_.below
            return _given(lower), _given(upper), _rest(divisor=type_.multiple_of)
        case String():
            return (
                _given({"length at least": type_.min_length or None}),
                _given({"length at most": type_.max_length}),
                _rest(pattern=type_.pattern, format=type_.format, encoding=type_.encoding),
            )
        case Array():
            return _given({"items at least": type_.min_items or None}), _given({"items at most": type_.max_items}), {}
        case _:
            return {}, {}, {}


def _given(bounds: Mapping[str, T | None]) -> dict[str, T]:
    return {name: value for name, value in bounds.items() if value is not None}


def _rest(**limits: object) -> dict[str, object]:
    return _given(limits)


def _most(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else max(one, other)


def _least(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else min(one, other)


def _differences(pair: BoundsPair) -> tuple[list[str], list[str], list[str]]:
    """What keeps more out, what keeps less out, and what receivers may note but do not enforce."""
    tighter: list[str] = []
    looser: list[str] = []
    noted: list[str] = []
    (low, high, rest), (new_low, new_high, new_rest) = _bounds(pair.old), _bounds(pair.new)
    for old, new, sign in ((low, new_low, 1), (high, new_high, -1)):
        for name in sorted(old.keys() | new.keys()):
            least, most = old.get(name), new.get(name)
            if least != most:
                stricter = least is None or (most is not None and (most - least) * sign > 0)
                (tighter if stricter else looser).append(_text(name, least, most))
    for name in sorted(rest.keys() | new_rest.keys()):
        before, after = rest.get(name), new_rest.get(name)
        if before == after:
            continue
        if name in ("format", "encoding"):
            noted.append(_text(name, before, after))
        elif after is None:
            looser.append(_text(name, before, after))
        else:
            tighter.append(_text(name, before, after))
    return tighter, looser, noted


def _text(name: str, before: object, after: object) -> str:
    if before is None:
        return f"{name} {after}"
    return f"no {name} any more (was {before})" if after is None else f"{name} {after} instead of {before}"


def _tightened(pair: BoundsPair) -> Iterator[Hit]:
    tighter, looser, noted = _differences(pair)
    if tighter:
        yield Hit(message=f"{pair.subject} takes less: {', '.join([*tighter, *looser, *noted])}")
    elif noted and not looser and _bounds(pair.new)[2].keys() & {"format", "encoding"}:
        yield Hit(message=f"{pair.subject} has another format: {', '.join(noted)}", ceiling=Level.warning)


def _relaxed(pair: BoundsPair) -> Iterator[Hit]:
    tighter, looser, noted = _differences(pair)
    if looser and not tighter:
        yield Hit(message=f"{pair.subject} takes more: {', '.join([*looser, *noted])}")
    elif noted and not tighter and not looser and not _bounds(pair.new)[2].keys() & {"format", "encoding"}:
        yield Hit(message=f"{pair.subject} has another format: {', '.join(noted)}", ceiling=Level.warning)


def _map_value(pair: MapPair) -> Iterator[Hit]:
    yield Hit(message=f"the values of {pair.subject} were {in_words(pair.old)} and are {in_words(pair.new)} now")


def _closed(pair: ObjectPair) -> Iterator[Hit]:
    if pair.new.closed and not pair.old.closed:
        yield Hit(message=f"{pair.subject} refuses properties that it does not declare")


def _opened(pair: ObjectPair) -> Iterator[Hit]:
    if pair.old.closed and not pair.new.closed:
        yield Hit(message=f"{pair.subject} takes properties that it does not declare", ceiling=Level.warning)


ROWS = (
    Rule(
        id="property-type-changed",
        family="types",
        effect=Effect.BREAKS,
        on=TypePair,
        check=_changed,
        purpose="A property, item or named type has values of another kind.",
        reasoning="No value fits both types, so whoever is older rejects the other's messages, and the reverse.",
        instead="add a property of another name with the new type and keep the old one",
    ),
    Rule(
        id="property-type-narrowed",
        family="types",
        effect=Effect.NARROWS,
        on=TypePair,
        check=_narrowed,
        mirror="property-type-widened",
        purpose="A type takes a part of the values that it took before.",
        reasoning="Old senders send what new receivers reject.",
        instead="keep the type and say in the description which values new senders use",
    ),
    Rule(
        id="property-type-widened",
        family="types",
        effect=Effect.WIDENS,
        on=TypePair,
        check=_widened,
        mirror="property-type-narrowed",
        purpose="A type takes more values than before.",
        reasoning="New senders send what old receivers reject.",
        instead="add a property of another name, or send the new values only to receivers that advertise a new capability",
    ),
    Rule(
        id="capability-shape-changed",
        family="capabilities",
        effect=Effect.BREAKS,
        on=TypePair,
        check=_shape,
        purpose="A capability says yes in another way than before.",
        reasoning="A peer that asks for true finds an object, or the reverse, and takes it for no, or fails.",
        instead="add a capability of another name in the new form and advertise both",
    ),
    Rule(
        id="constraint-tightened",
        family="constraints",
        effect=Effect.NARROWS,
        on=BoundsPair,
        check=_tightened,
        mirror="constraint-relaxed",
        purpose="A bound keeps out values that were allowed: range, length, number of items, pattern, size of integers.",
        reasoning="Old senders send what new receivers reject. A format of strings rejects nothing by itself: warning.",
        instead="keep the bound; say in the description what new senders keep to",
    ),
    Rule(
        id="constraint-relaxed",
        family="constraints",
        effect=Effect.WIDENS,
        on=BoundsPair,
        check=_relaxed,
        mirror="constraint-tightened",
        purpose="A bound lets in values that were not allowed.",
        reasoning="New senders send what old receivers reject.",
        instead="send such values only to receivers that advertise a new capability",
    ),
    Rule(
        id="map-value-changed",
        family="types",
        effect=Effect.BREAKS,
        on=MapPair,
        check=_map_value,
        purpose="The values of a map have another type.",
        reasoning="Either side rejects the other's values.",
        instead="add a property with a map of the new type",
    ),
    Rule(
        id="additional-properties-closed",
        family="types",
        effect=Effect.NARROWS,
        on=ObjectPair,
        check=_closed,
        mirror="additional-properties-opened",
        purpose="An object refuses properties that it does not declare.",
        reasoning="Old senders, and newer ones, add properties; a receiver that refuses them breaks all later additions too.",
        instead="leave it open",
    ),
    Rule(
        id="additional-properties-opened",
        family="types",
        effect=Effect.WIDENS,
        on=ObjectPair,
        check=_opened,
        mirror="additional-properties-closed",
        purpose="An object takes properties that it does not declare.",
        reasoning="Old receivers refuse such objects; new senders have nothing to add yet, so it is a warning.",
        instead="gate what new senders add",
    ),
)
