"""Properties: added, removed, renamed, required or not, defaults and leniency."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from ...document.json_types import is_json_object
from ...errors import quoted
from ...findings.finding import Level
from ...findings.rule import Became, Effect, Hit
from ...model.algebra.change_kind import Kind
from ...model.nodes.types import Field
from ..parts.defaults import MISSING
from ..parts.pairs import FieldPair, Node, NullPair
from .rows import Rows


def advertised(nodes: list[Node]) -> bool:
    """Return whether a part belongs to the capabilities in the handshake."""
    return any(node.capability for node in nodes)


def _is_capability(pair: FieldPair) -> bool:
    field = pair.new or pair.old
    return field is not None and advertised(pair.nodes) and not field.name.startswith("_")


def _ceiling(receiver: Field) -> Level:
    """The level of a missing property: a default for bad values also applies to absent ones."""
    return Level.warning if receiver.default_on_error and receiver.has_default else Level.error


def _missing(text: str, *, receiver: Became) -> Callable[[FieldPair], Iterator[Hit]]:
    """The check for a property that a receiver misses, which was `added` or `removed`."""

    def check_missing(pair: FieldPair) -> Iterator[Hit]:
        field = pair.new if receiver == "added" else pair.old
        required = field is not None and field.required
        if field is not None and required and not (pair.became == "removed" and _is_capability(pair)):
            yield Hit(f"{pair.subject} {text}", ceiling=_ceiling(field), absent=True)

    return check_missing


def _optional_added(pair: FieldPair) -> Iterator[Hit]:
    text = ", where released receivers reject unknown properties" if pair.kind is Kind.WIDER else ""
    yield Hit(f"{pair.subject} was added{text}")


def _optional_removed(pair: FieldPair) -> Iterator[Hit]:
    if pair.old is None or pair.old.required or _is_capability(pair):
        return
    if pair.kind is Kind.NARROWER:
        yield Hit(f"{pair.subject} was removed, and new receivers reject it")
    elif pair.kept:
        yield Hit(f"{pair.subject} is no longer declared, but receivers still keep it", effect=Effect.ADDS)
    else:
        yield Hit(f"{pair.subject} was removed")


def _renamed(pair: FieldPair) -> Iterator[Hit]:
    if pair.renamed and pair.old is not None:
        yield Hit(f"{pair.subject} was renamed from {quoted(pair.old.name)}")


def _not_nullable(pair: NullPair) -> Iterator[Hit]:
    yield Hit(f"{pair.subject} may no longer be null", ceiling=Level.info if pair.accepted else Level.error)


def _differing(old: object, new: object, path: str = "") -> Iterator[tuple[str, object, object]]:
    """The differences of two defaults in shared properties."""
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
            yield Hit(f"the default of {pair.subject}{path} was {quoted(old)} and is now {quoted(new)}")


def _default_enabled(pair: FieldPair) -> Iterator[Hit]:
    if _is_capability(pair) and pair.default_new is True and pair.default_old is not True:
        yield Hit(f"the capability {pair.subject} is on by default", misread=True)


def _default_removed(pair: FieldPair) -> Iterator[Hit]:
    if pair.default_old is not MISSING and pair.default_new is MISSING:
        yield Hit(f"{pair.subject} no longer has a default; it was {quoted(pair.default_old)}")


def _default_added(pair: FieldPair) -> Iterator[Hit]:
    enabled = _is_capability(pair) and pair.default_new is True
    if pair.default_old is MISSING and pair.default_new is not MISSING and not enabled:
        said = _absence(pair)
        if said:
            text = f"{pair.subject} now has the default {quoted(pair.default_new)}, and its description said: {quoted(said)}"
            yield Hit(text, effect=Effect.DROPS, instead="keep what absence means")
        else:
            yield Hit(f"{pair.subject} now has the default {quoted(pair.default_new)}")


_ABSENT = re.compile(
    r"\b(absen(t|ce)|omit(ted)?|unset|missing|left out|without|none|no limit|unlimited)\b", re.IGNORECASE
)


def _absence(pair: FieldPair) -> str:
    """The sentence about the meaning of absence, unless it names the new default."""
    text = (pair.old.description or "") if pair.old is not None else ""
    said = next((part for part in re.split(r"(?<=[.;!?])\s+", text) if _ABSENT.search(part)), "")
    return "" if re.search(rf"\b{re.escape(str(pair.default_new).lower())}\b", said.lower()) else said


_LENIENT = {
    "default_on_error": "replace bad values by the default",
    "default_on_null": "replace null by the default",
    "skip_invalid_items": "drop bad items",
}


def _lenient(one: Field | None, other: Field | None) -> str:
    """Describe the tolerated values of one property that the other does not tolerate."""
    texts = [text for name, text in _LENIENT.items() if getattr(one, name) and not getattr(other, name)]
    return " and ".join(texts)


def _leniency_removed(pair: FieldPair) -> Iterator[Hit]:
    lost, instead = _lenient(pair.old, pair.new), _lenient(pair.new, pair.old)
    if lost:
        yield Hit(f"{pair.subject}: receivers no longer {lost}" + (f"; they {instead} instead" if instead else ""))


def _leniency_added(pair: FieldPair) -> Iterator[Hit]:
    fresh = _lenient(pair.new, pair.old)
    if fresh and not _lenient(pair.old, pair.new):  # one keyword in place of another is one change
        yield Hit(f"{pair.subject}: receivers now {fresh}")


_rules = Rows(
    """
# properties

required-property-added
    A required property was added.
    Why: Old senders do not know it, and new receivers reject their messages.
    Instead: make it optional, with a default that preserves the meaning of messages without it
    Mirror: required-property-removed

required-property-removed
    A required property was removed.
    Why: Old receivers still require it and reject messages from new senders.
    Instead: keep the property; new senders can send a dummy value
    Mirror: required-property-added

optional-property-added
    An optional property was added.
    Why: Receivers ignore properties that they do not know, unless the object rejects undeclared ones.
    Instead: nothing to do
    Mirror: optional-property-removed

optional-property-removed
    An optional property was removed.
    Why: Nothing fails, but new receivers silently ignore the values of old senders.
    Instead: keep the property and mark it `deprecated`
    Mirror: optional-property-added

property-renamed
    The name of a property changed; its type did not.
    Why: Each side looks for its own name. A required property is then missing in both directions; an optional one is
    silently lost.
    Instead: keep the old name; or add the new one beside it, optional, and send both

property-became-required
    An optional property became required.
    Why: Old senders leave it out, and new receivers reject their messages.
    Instead: keep it optional, and state the meaning of its absence in the description
    Mirror: property-became-optional

property-became-optional
    A required property became optional.
    Why: Old receivers reject messages without it.
    Instead: keep it required; or let new senders leave it out only for receivers that advertise a new capability
    Mirror: property-became-required

property-became-nullable
    A property, item or value may now be null.
    Says: {p.subject} may now be null
    Why: Old receivers do not expect null there.
    Instead: do not send null: omit an optional property, and send a value in a required one
    Mirror: property-became-not-nullable

property-became-not-nullable
    A property, item or value may no longer be null.
    Why: Old senders send null, and new receivers reject it.
    Instead: keep null, or add `x-deserialize-default-on-null`
    Mirror: property-became-nullable

# defaults

default-changed
    The default of a property changed.
    Why: A message without the property means one thing to its sender and another to its receiver.
    Instead: keep the default; new senders can send the other value

default-removed
    The default of a property was removed.
    Why: Receivers that applied the default now interpret messages without the property differently.
    Instead: keep the default
    Mirror: default-added

default-added
    A default was added.
    Why: It states the value that receivers may assume. The messages stay the same. If the description gave absence another meaning,
    released senders mean something else: warning.
    Instead: nothing to do
    Mirror: default-removed

# leniency

leniency-removed
    Receivers no longer tolerate bad values.
    Why: New receivers reject values that they used to replace or drop.
    Instead: keep the keyword
    Mirror: leniency-added

leniency-added
    Receivers tolerate bad values.
    Why: New receivers accept more than before. Senders do not change.
    Instead: nothing to do
    Mirror: leniency-removed

# capabilities

capability-removed
    A capability that peers advertise was removed.
    Says: the capability {p.subject} was removed
    Why: A new peer can neither advertise the feature to a released one nor see that the released one has it.
    Instead: keep the capability as long as any method or property depends on it

capability-default-enabled
    A capability is on by default.
    Why: Released peers that lack the feature do not mention it, so they receive messages that they do not understand.
    Instead: let absence mean no
"""
)

_REQUIRED: Mapping[Kind, Effect] = {Kind.NARROWER: Effect.NARROWS, Kind.DISJOINT: Effect.BREAKS}
_OMITTED: Mapping[Kind, Effect] = {Kind.WIDER: Effect.OMITS, Kind.DISJOINT: Effect.BREAKS}
_ADDED: Mapping[Kind, Effect] = {Kind.EQUAL: Effect.ADDS, Kind.WIDER: Effect.WIDENS}
_DROPPED: Mapping[Kind, Effect] = {Kind.EQUAL: Effect.DROPS, Kind.NARROWER: Effect.NARROWS}

_required_added = _missing("was added and is required", receiver="added")
_required_removed = _missing("was removed, although it was required", receiver="removed")
_became_required = _missing("is required now", receiver="added")
_became_optional = _missing("may now be left out", receiver="removed")

ROWS = (
    _rules.change("required-property-added", _REQUIRED, FieldPair, _required_added, became="added"),
    _rules.change("required-property-removed", _OMITTED, FieldPair, _required_removed, became="removed"),
    _rules.change("optional-property-added", _ADDED, FieldPair, _optional_added, became="added"),
    _rules.change("optional-property-removed", _DROPPED, FieldPair, _optional_removed, became="removed"),
    _rules.change("property-renamed", Effect.BREAKS, FieldPair, _renamed, became="kept"),
    _rules.change("property-became-required", Kind.NARROWER, FieldPair, _became_required, became="kept"),
    _rules.change("property-became-optional", Kind.WIDER, FieldPair, _became_optional, became="kept"),
    _rules.change("property-became-nullable", Kind.WIDER, NullPair),
    _rules.change("property-became-not-nullable", Kind.NARROWER, NullPair, _not_nullable),
    _rules.change("default-changed", Effect.DROPS, FieldPair, _default_changed, became="kept"),
    _rules.change("default-removed", Effect.DROPS, FieldPair, _default_removed, became="kept"),
    _rules.change("default-added", Effect.ADDS, FieldPair, _default_added, became="kept"),
    _rules.change("leniency-removed", Effect.DROPS, FieldPair, _leniency_removed, became="kept"),
    _rules.change("leniency-added", Effect.ADDS, FieldPair, _leniency_added, became="kept"),
    _rules.change("capability-removed", Effect.BREAKS, FieldPair, where=_is_capability, became="removed"),
    _rules.change("capability-default-enabled", Effect.NARROWS, FieldPair, _default_enabled),
)
