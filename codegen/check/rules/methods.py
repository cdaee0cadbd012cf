"""Methods: added, removed, renamed, moved, gated otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...findings.finding import Level
from ...findings.rule import Effect, Hit
from ..pairs import GatePair, MethodPair, RepeatPair
from .rows import change


def _paired(how: str, text: str) -> Callable[[MethodPair], Iterator[Hit]]:
    """The check for methods that were paired by something else than their key."""

    def check(pair: MethodPair) -> Iterator[Hit]:
        if pair.how == how:
            yield Hit(message=text.format(p=pair))

    return check


def _added(pair: MethodPair) -> Iterator[Hit]:
    if pair.new is None or pair.new.kind != "request":
        return
    gate, text = pair.new.capability, f"the {pair.side} has a new request {pair.subject}"
    if pair.in_band:
        yield Hit(message=f"{text}; {pair.in_band}")
    elif gate is not None:
        yield Hit(message=f"{text}, gated by {gate}", effect=Effect.WIDENS, gate=gate)


def _added_ungated(pair: MethodPair) -> Iterator[Hit]:
    if pair.new is not None and pair.new.kind == "request" and pair.new.capability is None and not pair.in_band:
        ceiling = Level.error if pair.known_gates or pair.new.gated is not None else Level.warning
        yield Hit(message=f"the {pair.side} has a new request {pair.subject} that no capability gates", ceiling=ceiling)


def _notification_added(pair: MethodPair) -> Iterator[Hit]:
    if pair.new is not None and pair.new.kind == "notification":
        yield Hit(message=f"the {pair.side} has a new notification {pair.subject}")


def _gate_changed(pair: GatePair) -> Iterator[Hit]:
    before, after = (gate.removeprefix(f"{pair.side}:") if gate is not None else None for gate in (pair.old, pair.new))
    if before == after:
        return
    effect = Effect.BREAKS if pair.method is not None else Effect.WIDENS if before is not None else Effect.DROPS
    yield Hit(
        message=f"{pair.subject} was gated by {before or 'nothing'} and is by {after or 'nothing'} now",
        effect=effect,
        ceiling=Level.warning if pair.optional else Level.error,
    )


def _repeatable(pair: RepeatPair) -> Iterator[Hit]:
    yield Hit(message=f"{pair.subject} may be repeated now", ceiling=Level.warning)


ROWS = (
    change(
        "methods",
        "method-removed",
        Effect.BREAKS,
        MethodPair,
        "the {p.old.kind} {p.subject} of the {p.side} is gone",
        "A method that released peers call or implement was removed.",
        'Released peers still call it. They get "method not found"; a notification is ignored. Peers that '
        "implement it are never called again. If the capability that gated it was removed too, peers that check "
        "capabilities first are not affected.",
        "keep the method, mark it `deprecated`, and stop advertising its capability; remove both later",
        "request-added-ungated",
        became="removed",
    ),
    change(
        "methods",
        "method-renamed",
        Effect.BREAKS,
        MethodPair,
        _paired("renamed", "the {p.old.kind} {p.old.path} of the {p.side} is called {p.new.path} now"),
        "The path of a method changed; its params and result did not.",
        "Neither side knows the other's name for the method. The rename is one finding, not a removal and an addition.",
        "keep the old path beside the new one until no released peer uses it",
        became="kept",
    ),
    change(
        "methods",
        "method-side-changed",
        Effect.BREAKS,
        MethodPair,
        _paired("side", "{p.subject} was implemented by side {p.old.side} and is by side {p.new.side} now"),
        "Another peer than before implements a method.",
        "Released peers that used to call it are called now, and they do not implement it.",
        "add a method of another name for the other side",
        became="kept",
    ),
    change(
        "methods",
        "method-kind-changed",
        Effect.BREAKS,
        MethodPair,
        _paired("kind", "{p.subject} was a {p.old.kind} and is a {p.new.kind} now"),
        "A request became a notification, or the reverse.",
        "A peer that waits for an answer gets none, or one that expects no answer gets one.",
        "add a method of another name",
        became="kept",
    ),
    change(
        "methods",
        "request-added",
        Effect.ADDS,
        MethodPair,
        _added,
        "A request was added that only peers that know it receive.",
        "Either its capability is new, so no released peer advertises it, or its params need a value that only a "
        "new peer hands out. If the capability existed before, released peers advertise it and receive a request "
        "that they do not know.",
        "gate the request by a capability of its own",
        "method-removed",
        became="added",
    ),
    change(
        "methods",
        "request-added-ungated",
        Effect.WIDENS,
        MethodPair,
        _added_ungated,
        "A request was added that no capability gates.",
        'New peers send it to released ones, which answer "method not found". It is a warning in a file that '
        "declares no gates at all, as published files do.",
        "add a capability of the peer that implements it, and name it in `x-capability`",
        "method-removed",
        became="added",
    ),
    change(
        "methods",
        "notification-added",
        Effect.ADDS,
        MethodPair,
        _notification_added,
        "A notification was added.",
        "Peers ignore notifications that they do not know.",
        "nothing to do",
        "method-removed",
        became="added",
    ),
    change(
        "methods",
        "idempotent-added",
        Effect.WIDENS,
        RepeatPair,
        _repeatable,
        "A request that released peers handle may now be repeated.",
        "A new peer repeats it when it does not know whether the first one arrived. A released peer then does "
        "the work twice.",
        "remove `x-idempotent`, unless all released peers already handle a repetition",
        "idempotent-removed",
        became="added",
    ),
    change(
        "methods",
        "idempotent-removed",
        Effect.DROPS,
        RepeatPair,
        "{p.subject} may not be repeated any more",
        "A request that released peers may repeat now has an effect each time.",
        "A released peer repeats it when it does not know whether the first one arrived. A new peer then does "
        "the work twice, and nothing fails.",
        "keep `x-idempotent` and what it promises; add a method that has an effect each time",
        "idempotent-added",
        became="removed",
    ),
    change(
        "capabilities",
        "capability-gate-changed",
        Effect.BREAKS,
        GatePair,
        _gate_changed,
        "The capability that gates a method or a part of a message was replaced or removed.",
        "Released peers advertise the old capability. New peers do not call what such a peer offers, or call "
        "what it lacks. A variant, value or property that loses its gate is sent to receivers that did not ask "
        "for it. One that gains a gate is no longer sent to some that did: warning.",
        "keep the gate; add a capability for what is new about the method",
    ),
)
