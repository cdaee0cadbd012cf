"""Properties: added, removed, renamed, required or not, defaults and leniency."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ...document.jsonvalue import is_json_object
from ...errors import quoted
from ...findings.finding import Level
from ...findings.rule import Became, Effect, Hit
from ...model.kind import Kind
from ...model.types import Field
from ..defaults import MISSING
from ..pairs import FieldPair, Node, NullPair
from .rows import change


def advertised(nodes: list[Node]) -> bool:
    """Whether something is part of what a peer advertises when the connection opens."""
    return any(node.capability for node in nodes)


def _is_capability(pair: FieldPair) -> bool:
    field = pair.new or pair.old
    return field is not None and advertised(pair.nodes) and not field.name.startswith("_")


def _ceiling(receiver: Field) -> Level:
    """How bad it is that a receiver misses a property: a default that stands in for bad values stands in for none too."""
    return Level.warning if receiver.default_on_error and receiver.has_default else Level.error


def _missing(text: str, *, receiver: Became) -> Callable[[FieldPair], Iterator[Hit]]:
    """The check for a property that a receiver misses: the one that has the property `added`, or had it (`removed`)."""

    def check_missing(pair: FieldPair) -> Iterator[Hit]:
        field = pair.new if receiver == "added" else pair.old
        required = field is not None and field.required
        if field is not None and required and not (pair.became == "removed" and _is_capability(pair)):
            yield Hit(message=f"{pair.subject} {text}", ceiling=_ceiling(field), absent=True)

    return check_missing


def _optional_added(pair: FieldPair) -> Iterator[Hit]:
    text = ", where released receivers refuse what they do not know" if pair.kind is Kind.WIDER else ""
    yield Hit(message=f"{pair.subject} was added{text}")


def _optional_removed(pair: FieldPair) -> Iterator[Hit]:
    if pair.old is None or pair.old.required or _is_capability(pair):
        return
    if pair.kind is Kind.NARROWER:
        yield Hit(message=f"{pair.subject} is gone, and new receivers refuse it")
    elif pair.kept:
        yield Hit(message=f"{pair.subject} is no longer declared, but still kept", effect=Effect.ADDS)
    else:
        yield Hit(message=f"{pair.subject} is gone")


def _capability_removed(pair: FieldPair) -> Iterator[Hit]:
    if _is_capability(pair):
        yield Hit(message=f"the capability {pair.subject} is gone")


def _renamed(pair: FieldPair) -> Iterator[Hit]:
    if pair.renamed and pair.old is not None:
        yield Hit(message=f"{pair.subject} was called {quoted(pair.old.name)}")


def _not_nullable(pair: NullPair) -> Iterator[Hit]:
    ceiling = Level.info if pair.accepted else Level.error
    yield Hit(message=f"{pair.subject} may not be null any more", ceiling=ceiling)


def _differing(old: object, new: object, path: str = "") -> Iterator[tuple[str, object, object]]:
    """Where two defaults say different things about a property that both know."""
    if is_json_object(old) and is_json_object(new):
        for name in old.keys() & new.keys():
            yield from _differing(old[name], new[name], f"{path}.{name}")
    elif type(old) is not type(new) or old != new:
        yield path, old, new


def _default_changed(pair: FieldPair) -> Iterator[Hit]:
    if MISSING in (pair.default_old, pair.default_new):
        return
    for path, old, new in sorted(_differing(pair.default_old, pair.default_new), key=str):
        if not (new is True and _is_capability(pair)):
            yield Hit(message=f"the default of {pair.subject}{path} was {quoted(old)} and is {quoted(new)} now")


def _default_enabled(pair: FieldPair) -> Iterator[Hit]:
    if _is_capability(pair) and pair.default_new is True and pair.default_old is not True:
        yield Hit(message=f"the capability {pair.subject} is on by default")


def _default_removed(pair: FieldPair) -> Iterator[Hit]:
    if pair.default_old is not MISSING and pair.default_new is MISSING:
        yield Hit(message=f"{pair.subject} has no default any more; it was {quoted(pair.default_old)}")


def _default_added(pair: FieldPair) -> Iterator[Hit]:
    enabled = _is_capability(pair) and pair.default_new is True
    if pair.default_old is MISSING and pair.default_new is not MISSING and not enabled:
        yield Hit(message=f"{pair.subject} has the default {quoted(pair.default_new)} now")


_LENIENT = {
    "default_on_error": "bad values become the default",
    "default_on_null": "null becomes the default",
    "skip_invalid_items": "bad items are dropped",
}


def _lenient(one: Field | None, other: Field | None) -> str:
    """What is forgiven at one property and not at the other, in words."""
    texts = [text for name, text in _LENIENT.items() if getattr(one, name) and not getattr(other, name)]
    return " and ".join(texts)


def _leniency_removed(pair: FieldPair) -> Iterator[Hit]:
    lost, instead = _lenient(pair.old, pair.new), _lenient(pair.new, pair.old)
    if lost:
        yield Hit(message=f"{pair.subject}: {lost} no longer" + (f"; {instead} instead" if instead else ""))


def _leniency_added(pair: FieldPair) -> Iterator[Hit]:
    fresh = _lenient(pair.new, pair.old)
    if fresh and not _lenient(pair.old, pair.new):  # one keyword in place of another is one change
        yield Hit(message=f"{pair.subject}: {fresh} from now on")


_row, _default, _leniency, _capability = (
    partial(change, family) for family in ("properties", "defaults", "leniency", "capabilities")
)

ROWS = (
    _row(
        "required-property-added",
        {Kind.NARROWER: Effect.NARROWS, Kind.DISJOINT: Effect.BREAKS},
        FieldPair,
        _missing("was added and is required", receiver="added"),
        "A required property was added.",
        "Old senders do not know it, and new receivers reject their messages. No capability can gate that.",
        "make it optional; let its default mean what messages without it meant so far",
        "required-property-removed",
        became="added",
    ),
    _row(
        "required-property-removed",
        {Kind.WIDER: Effect.OMITS, Kind.DISJOINT: Effect.BREAKS},
        FieldPair,
        _missing("was required and is gone", receiver="removed"),
        "A required property was removed.",
        "Old receivers still require it and reject messages from new senders.",
        "keep the property; new senders can send a value without meaning",
        "required-property-added",
        became="removed",
    ),
    _row(
        "optional-property-added",
        {Kind.EQUAL: Effect.ADDS, Kind.WIDER: Effect.WIDENS},
        FieldPair,
        _optional_added,
        "An optional property was added.",
        "Receivers ignore properties that they do not know, unless the object rejects undeclared ones.",
        "nothing to do",
        "optional-property-removed",
        became="added",
    ),
    _row(
        "optional-property-removed",
        {Kind.EQUAL: Effect.DROPS, Kind.NARROWER: Effect.NARROWS},
        FieldPair,
        _optional_removed,
        "An optional property was removed.",
        "Nothing fails, but new receivers silently ignore what old senders put there.",
        "keep the property and mark it `deprecated`",
        "optional-property-added",
        became="removed",
    ),
    _row(
        "property-renamed",
        Effect.BREAKS,
        FieldPair,
        _renamed,
        "The name of a property changed; its type did not.",
        "Each side looks for its own name. A required property is then missing in both directions; an optional "
        "one is silently lost.",
        "keep the old name; or add the new one beside it, optional, and send both",
        became="kept",
    ),
    _row(
        "property-became-required",
        Kind.NARROWER,
        FieldPair,
        _missing("is required now", receiver="added"),
        "An optional property became required.",
        "Old senders leave it out, and new receivers reject their messages.",
        "keep it optional and say in the description what its absence means",
        "property-became-optional",
        became="kept",
    ),
    _row(
        "property-became-optional",
        Kind.WIDER,
        FieldPair,
        _missing("may be left out now", receiver="removed"),
        "A required property became optional.",
        "Old receivers reject messages without it.",
        "keep it required; or let new senders leave it out only for receivers that advertise a new capability",
        "property-became-required",
        became="kept",
    ),
    _row(
        "property-became-nullable",
        Kind.WIDER,
        NullPair,
        "{p.subject} may be null now",
        "A property, item or value may now be null.",
        "Old receivers do not expect null there.",
        "leave the property out instead of sending null",
        "property-became-not-nullable",
    ),
    _row(
        "property-became-not-nullable",
        Kind.NARROWER,
        NullPair,
        _not_nullable,
        "A property, item or value may no longer be null.",
        "Old senders send null, and new receivers reject it.",
        "keep null, or add `x-deserialize-default-on-null`",
        "property-became-nullable",
    ),
    _default(
        "default-changed",
        Effect.DROPS,
        FieldPair,
        _default_changed,
        "The default of a property changed.",
        "A message without the property means one thing to its sender and another to its receiver.",
        "keep the default; new senders can send the other value",
        became="kept",
    ),
    _default(
        "default-removed",
        Effect.DROPS,
        FieldPair,
        _default_removed,
        "The default of a property was removed.",
        "Receivers that applied the default now interpret messages without the property differently.",
        "keep the default",
        "default-added",
        became="kept",
    ),
    _default(
        "default-added",
        Effect.ADDS,
        FieldPair,
        _default_added,
        "A default was added.",
        "It says what receivers may assume. The messages stay the same.",
        "nothing to do",
        "default-removed",
        became="kept",
    ),
    _leniency(
        "leniency-removed",
        Effect.DROPS,
        FieldPair,
        _leniency_removed,
        "Receivers no longer tolerate bad values.",
        "New receivers reject values that they used to replace or drop.",
        "keep the keyword",
        "leniency-added",
        became="kept",
    ),
    _leniency(
        "leniency-added",
        Effect.ADDS,
        FieldPair,
        _leniency_added,
        "Receivers tolerate bad values.",
        "New receivers accept more than before. Senders do not change.",
        "nothing to do",
        "leniency-removed",
        became="kept",
    ),
    _capability(
        "capability-removed",
        Effect.BREAKS,
        FieldPair,
        _capability_removed,
        "A capability that peers advertise was removed.",
        "A new peer can neither advertise the feature to a released one nor see that the released one has it.",
        "keep the capability as long as any method or property depends on it",
        became="removed",
    ),
    _capability(
        "capability-default-enabled",
        Effect.BREAKS,
        FieldPair,
        _default_enabled,
        "A capability is on by default.",
        "Released peers that lack the feature do not mention it, so they receive messages that they cannot read.",
        "let absence mean no",
    ),
)
