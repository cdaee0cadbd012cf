"""Methods: added, removed, renamed, moved, gated otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.finding import Level
from ...findings.rule import Effect, Hit, Rule
from ..pairs import GatePair, MethodPair


def _removed(pair: MethodPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is None:
        yield Hit(message=f"the {pair.old.kind} {pair.subject} of the {pair.side} is gone")


def _renamed(pair: MethodPair) -> Iterator[Hit]:
    if pair.how == "renamed" and pair.old is not None and pair.new is not None:
        yield Hit(message=f"the {pair.old.kind} {pair.old.path} of the {pair.side} is called {pair.new.path} now")


def _side_changed(pair: MethodPair) -> Iterator[Hit]:
    if pair.how == "side" and pair.old is not None and pair.new is not None:
        yield Hit(message=f"{pair.subject} was implemented by side {pair.old.side} and is by side {pair.new.side} now")


def _kind_changed(pair: MethodPair) -> Iterator[Hit]:
    if pair.how == "kind" and pair.old is not None and pair.new is not None:
        yield Hit(message=f"{pair.subject} was a {pair.old.kind} and is a {pair.new.kind} now")


def _fresh_request(pair: MethodPair) -> bool:
    return pair.old is None and pair.new is not None and pair.new.kind == "request"


def _added(pair: MethodPair) -> Iterator[Hit]:
    if _fresh_request(pair) and pair.new is not None and (pair.new.capability is not None or pair.in_band):
        gate = pair.new.capability
        text = f"the {pair.side} has a new request {pair.subject}"
        if pair.in_band:
            yield Hit(message=f"{text}; {pair.in_band}")
        else:
            yield Hit(message=f"{text}, gated by {gate}", effect=Effect.WIDENS, gate=gate)


def _added_ungated(pair: MethodPair) -> Iterator[Hit]:
    if _fresh_request(pair) and pair.new is not None and pair.new.capability is None and not pair.in_band:
        ceiling = Level.error if pair.known_gates or pair.new.gated is not None else Level.warning
        yield Hit(message=f"the {pair.side} has a new request {pair.subject} that no capability gates", ceiling=ceiling)


def _notification_added(pair: MethodPair) -> Iterator[Hit]:
    if pair.old is None and pair.new is not None and pair.new.kind == "notification":
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


ROWS = (
    Rule(
        id="method-removed",
        family="methods",
        effect=Effect.BREAKS,
        on=MethodPair,
        check=_removed,
        mirror="request-added-ungated",
        purpose="A method that released peers call or implement is gone.",
        reasoning="Released peers go on calling it, and get method-not-found, or nothing where it was a notification. "
        "Peers that implement it are never called again.",
        instead="keep the method, mark it `deprecated`, and stop advertising its capability",
    ),
    Rule(
        id="method-renamed",
        family="methods",
        effect=Effect.BREAKS,
        on=MethodPair,
        check=_renamed,
        purpose="A method has another path, with the same params and result.",
        reasoning="Neither side knows the other's name for it. It is one finding, not one removed and one added.",
        instead="keep the old path beside the new one until no released peer uses it",
    ),
    Rule(
        id="method-side-changed",
        family="methods",
        effect=Effect.BREAKS,
        on=MethodPair,
        check=_side_changed,
        purpose="A method is implemented by another peer than before.",
        reasoning="Whoever called it is called now; nobody released answers.",
        instead="add a method of another name for the other side",
    ),
    Rule(
        id="method-kind-changed",
        family="methods",
        effect=Effect.BREAKS,
        on=MethodPair,
        check=_kind_changed,
        purpose="A request became a notification, or the reverse.",
        reasoning="A peer that waits for an answer gets none, or one that expects no answer gets one.",
        instead="add a method of another name",
    ),
    Rule(
        id="request-added",
        family="methods",
        effect=Effect.ADDS,
        on=MethodPair,
        check=_added,
        mirror="method-removed",
        purpose="A request was added that nobody sends to a peer that does not know it.",
        reasoning="Its capability is new, so no released peer advertises it; or its params need a value that only a new peer "
        "hands out. Where the capability was advertised before, released peers are sent what they do not know.",
        instead="gate the request by a capability of its own",
    ),
    Rule(
        id="request-added-ungated",
        family="methods",
        effect=Effect.WIDENS,
        on=MethodPair,
        check=_added_ungated,
        mirror="method-removed",
        purpose="A request was added that no capability gates.",
        reasoning="New peers send it to released ones, which answer method-not-found. A file without any gates of its own "
        "(a published one) leaves room for doubt, so there it is a warning.",
        instead="add a capability of the peer that implements it, and name it in `x-capability`",
    ),
    Rule(
        id="notification-added",
        family="methods",
        effect=Effect.ADDS,
        on=MethodPair,
        check=_notification_added,
        mirror="method-removed",
        purpose="A notification was added.",
        reasoning="Peers ignore notifications that they do not know.",
        instead="nothing to do",
    ),
    Rule(
        id="capability-gate-changed",
        family="capabilities",
        effect=Effect.BREAKS,
        on=GatePair,
        check=_gate_changed,
        purpose="Another capability than before, or none, decides whether a method may be called or a part may be sent.",
        reasoning="A released peer advertises the old one: new peers do not call what it offers, or call what it lacks. A variant, "
        "value or property that loses its gate is sent to receivers that did not ask for it; one that gains a gate is not "
        "sent any more to some that did: warning.",
        instead="keep the gate; add a capability for what is new about the method",
    ),
)
