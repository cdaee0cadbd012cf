"""Methods: added, removed, renamed, moved, gated otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...findings.finding import Level
from ...findings.rule import Effect, Hit
from ..parts.pairs import FormerPair, GatePair, MethodPair, RepeatPair
from .rows import Rows


def _paired(how: str) -> Callable[[MethodPair], bool]:
    """A condition: methods were paired by a criterion other than their key."""
    return lambda pair: pair.how == how


def _is_notification(pair: MethodPair) -> bool:
    return pair.new is not None and pair.new.kind == "notification"


def _added(pair: MethodPair) -> Iterator[Hit]:
    if pair.new is None or pair.new.kind != "request":
        return
    gate, text = pair.new.capability, f"the {pair.side} has a new request {pair.subject}"
    if pair.in_band:
        yield Hit(f"{text}; {pair.in_band}")
    elif gate is not None:
        yield Hit(text, effect=Effect.WIDENS, gate=gate)


def _added_ungated(pair: MethodPair) -> Iterator[Hit]:
    if pair.new is not None and pair.new.kind == "request" and pair.new.capability is None and not pair.in_band:
        ceiling = Level.error if pair.known_gates or pair.new.gated is not None else Level.warning
        yield Hit(f"the {pair.side} has a new request {pair.subject} that no capability gates", ceiling=ceiling)


def _gate_changed(pair: GatePair) -> Iterator[Hit]:
    before, after = (gate.removeprefix(f"{pair.side}:") if gate is not None else None for gate in (pair.old, pair.new))
    if before == after:
        return
    effect = Effect.BREAKS if pair.method is not None else Effect.WIDENS if before is not None else Effect.DROPS
    yield Hit(
        f"{pair.subject} was gated by {before or 'nothing'} and is now gated by {after or 'nothing'}",
        effect=effect,
        ceiling=Level.warning if pair.optional else Level.error,
    )


def _repeatable(pair: RepeatPair) -> Iterator[Hit]:
    yield Hit(f"{pair.subject} may now be repeated", ceiling=Level.warning)


_rules = Rows(
    """
# methods

method-removed
    A method that released peers call or implement was removed.
    Says: the {p.old.kind} {p.subject} of the {p.side} was removed
    Why: Released peers still call it. They get "method not found"; a notification is ignored. Peers that implement it
    are never called again. If the capability that gated it was removed too, peers that check capabilities first are not
    affected.
    Instead: keep the method, mark it `deprecated`, and stop advertising its capability; remove both later
    Mirror: request-added-ungated

method-renamed
    The path of a method changed; its params and result did not.
    Says: the {p.old.kind} {p.old.path} of the {p.side} was renamed to {p.new.path}
    Why: Neither side knows the other's name for the method. The rename is one finding, not a removal and an addition.
    Instead: keep the old path beside the new one until no released peer uses it

method-side-changed
    A different peer implements a method.
    Says: {p.subject} was implemented by side {p.old.side} and is now implemented by side {p.new.side}
    Why: Released peers that used to call it now receive the call, but do not implement it.
    Instead: add a method of another name for the other side

method-kind-changed
    A request became a notification, or the reverse.
    Says: {p.subject} was a {p.old.kind} and is now a {p.new.kind}
    Why: A peer waits for a response that never arrives, or gets a response that it does not expect.
    Instead: add a method of another name

request-added
    A request was added, and only peers that know it receive it.
    Why: Either its capability is new, so no released peer advertises it, or its params require a value that only new
    peers issue. If the capability existed before, released peers advertise it and receive a request that they do not
    know.
    Instead: gate the request by a separate capability
    Mirror: method-removed

request-added-ungated
    A request was added that no capability gates.
    Why: New peers send it to released ones, which answer "method not found". It is a warning in a file that declares no
    gates at all, as published files do.
    Instead: add a capability for the implementing peer, and name it in `x-capability`
    Mirror: method-removed

notification-added
    A notification was added.
    Says: the {p.side} has a new notification {p.subject}
    Why: Peers ignore notifications that they do not know.
    Instead: nothing to do
    Mirror: method-removed

idempotent-added
    A request that released peers handle may now be repeated.
    Why: A new peer repeats it if it does not know whether the first one arrived. A released peer then executes it twice.
    Instead: remove `x-idempotent`, unless all released peers already handle a repetition
    Mirror: idempotent-removed

idempotent-removed
    A request that released peers may repeat now has an effect each time.
    Says: {p.subject} may no longer be repeated
    Why: A released peer repeats it if it does not know whether the first one arrived. A new peer then executes it twice,
    without an error.
    Instead: keep `x-idempotent` and its promise; add another method for an effect at each call
    Mirror: idempotent-added

former-name-added
    A method is also served under the name that it had as an extension.
    Says: {p.subject} of the {p.side} is also served as {p.new}, the name of an extension
    Why: Peers of the vendor's extension and of the protocol understand each other. A call uses the name that its
    receiver advertises.
    Instead: nothing to do
    Mirror: former-name-removed

former-name-removed
    A method is no longer served under the name that it had as an extension.
    Says: {p.subject} of the {p.side} is no longer served as {p.old}, the name of an extension
    Why: Released peers of the extension still call it by that name. They get "method not found"; a notification is
    ignored.
    Instead: keep `x-was` until no released peer uses the former name
    Mirror: former-name-added

# capabilities

capability-gate-changed
    The capability that gates a method or a part of a message was replaced or removed.
    Why: Released peers advertise the old capability. New peers then fail to call a feature that such a peer offers, or
    call one that it lacks. A variant, value or property that loses its gate is sent to receivers that did not ask for it. One that gains
    a gate is no longer sent to some that did: warning.
    Instead: keep the gate; add a capability for the new behaviour of the method
"""
)

ROWS = (
    _rules.change("method-removed", Effect.BREAKS, MethodPair, became="removed"),
    _rules.change("method-renamed", Effect.BREAKS, MethodPair, where=_paired("renamed"), became="kept"),
    _rules.change("method-side-changed", Effect.BREAKS, MethodPair, where=_paired("side"), became="kept"),
    _rules.change("method-kind-changed", Effect.BREAKS, MethodPair, where=_paired("kind"), became="kept"),
    _rules.change("request-added", Effect.ADDS, MethodPair, _added, became="added"),
    _rules.change("request-added-ungated", Effect.WIDENS, MethodPair, _added_ungated, became="added"),
    _rules.change("notification-added", Effect.ADDS, MethodPair, where=_is_notification, became="added"),
    _rules.change("idempotent-added", Effect.WIDENS, RepeatPair, _repeatable, became="added"),
    _rules.change("idempotent-removed", Effect.DROPS, RepeatPair, became="removed"),
    _rules.change("former-name-added", Effect.ADDS, FormerPair, became="added"),
    _rules.change("former-name-removed", Effect.DROPS, FormerPair, became="removed"),
    _rules.change("capability-gate-changed", Effect.BREAKS, GatePair, _gate_changed),
)
