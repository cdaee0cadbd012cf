"""Rules for the keywords of the root: the handshake, cancellation, order, and the stages of RFDs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ...findings.rule import Effect, Hit
from ...model.analysis.updates import silent
from ..parts.pairs import RfdPair, RootPair, SessionsPair, StagePair, UnmarkedPair
from ..parts.schemas import Loaded
from .properties import advertised
from .rows import Rows


def _of(keyword: str, pair: RootPair) -> Iterator[Hit]:
    if pair.keyword == keyword:
        yield Hit(f"`{keyword}` was removed" if pair.lost else f"`{keyword}` changed: {', '.join(pair.differences)}")


def _sessions(pair: SessionsPair) -> Iterator[Hit]:
    yield Hit(
        f"{pair.subject} {'was added to' if pair.new else 'was removed from'} the `{pair.list}` methods of "
        "`x-sessions`",
        effect=_ONE_AT_A_TIME[pair.new] if pair.list == "exclusive" else Effect.DROPS,
    )


_ONE_AT_A_TIME = {True: Effect.NARROWS, None: Effect.WIDENS}
"""Explains that one side rejects concurrent requests which the other side sends."""


def _updates(pair: RootPair) -> Iterator[Hit]:
    yield from _of("x-updates", pair)
    if pair.keyword == "x-update":
        yield Hit("; ".join(pair.differences))


def _unsaid(loaded: Loaded) -> Iterator[Hit]:
    for variant in silent(loaded.schema):
        yield Hit("the update does not state its effect on a session's state", variant.pointer)


_LOSES = {
    "required property": Effect.OMITS,
    "property": Effect.DROPS,
    "value": Effect.NARROWS,
    "variant": Effect.NARROWS,
}


def _unstable(pair: StagePair) -> Iterator[Hit]:
    effect = Effect.BREAKS if advertised(pair.nodes) else _LOSES.get(pair.part, Effect.BREAKS)
    what = f"the {pair.part} {pair.subject}" if pair.part in ("request", "notification", "type") else pair.subject
    yield Hit(
        f"{what} was stable and now belongs to {pair.new.rfd}, which is a {pair.stage}",
        effect=effect,
        accepted=pair.open,
    )


def _reversed(pair: RfdPair) -> Iterator[Hit]:
    if pair.new is None:
        return
    text = f"the RFD {pair.subject} was {pair.old.stage} and is now a {pair.new.stage} again"
    if not pair.old.stable:
        yield Hit(text, effect=Effect.ADDS)
    else:
        yield Hit(f"{text}: {_listed(pair.brought, 4) or 'its parts'} left the stable protocol")


def _withdrawn(pair: RfdPair) -> Iterator[Hit]:
    if pair.new is None:
        yield Hit(f"the RFD {pair.subject} was removed, including {_listed(pair.brought, 12)}")


def _listed(names: Sequence[str], most: int) -> str:
    shown = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
    *before, last = shown or [""]
    return f"{', '.join(before)} and {last}" if before else last


_rules = Rows(
    """
# capabilities

handshake-changed
    The handshake changed by more than an addition: its method, the version number, or where capabilities are.
    Why: Peers of every version must be able to read it, and no capability can gate it, because none is known yet.
    Changes in it that other rules report as warnings, or accept because of a gate, are errors. A peer with another
    version number is rejected.
    Instead: keep the version number and add only optional properties to the opening request; gate new features by
    capabilities in its response

# agreements

cancel-changed
    The cancellation of requests changed, or is no longer possible.
    Why: Nothing fails, because peers ignore unknown notifications: a released peer cancels a request, and the request
    continues.
    Instead: keep `x-cancel` as it is

ordering-changed
    The property that decides which messages are handled in order changed or was removed.
    Why: The messages are the same, but a new peer may handle a released peer's messages in another order.
    Instead: keep `x-ordering` as it is

interrupt-changed
    The interruption of a session's requests changed: another notification, another response, or none.
    Why: Nothing fails, because peers ignore unknown notifications: a released peer interrupts a request, and the
    request continues, or ends with a response that the peer does not expect.
    Instead: keep `x-interrupt` as it is

remote-changed
    The path of the endpoint, or a header that names a connection or a session over HTTP or WebSocket, changed.
    Why: A released client requests a path that does not exist, or sends a header that nobody reads. No remote
    connection can be opened.
    Instead: keep `x-remote` as it is

trace-changed
    The keys of `_meta` that carry the trace context changed or were removed.
    Why: Nothing fails, because the messages are the same. The spans of released and new peers no longer form one trace.
    Instead: keep `x-trace` as it is

tunnel-changed
    The messages that carry another protocol, or the definitions of its servers, changed.
    Why: Nothing fails, because the messages are still read. But a released peer sends them elsewhere, so it reaches no
    server of a new one.
    Instead: keep `x-tunnel` as it is

sessions-changed
    The effect of a method on a session changed: whether it opens, closes or ends a session, or whether a session handles
    one call at a time.
    Why: A released peer and a new one disagree on which sessions are open. Messages are still read, but later messages
    of a session may be lost. If only one side treats a request as exclusive, it rejects a second one: error.
    Instead: keep the method in its list of `x-sessions`; add another method for the new behaviour

lists-changed
    The properties for the pages of a list changed, or the list no longer has pages.
    Why: A released client looks for the items, or for the cursor of the next page, in another property. It shows part
    of the list as if it were the whole list.
    Instead: keep `x-lists` as it is

permission-changed
    The request that asks for a permission, or its options that allow and reject, changed.
    Why: Nothing fails, because the messages are still read. The policy of a released client does not see the request,
    or picks an option that means something else to a new agent.
    Instead: keep `x-permission` as it is; add an option of a new kind beside the old ones

handles-changed
    The requests that release, kill, await or read a resource of the other side changed.
    Why: Nothing fails, because the requests are still answered. But a released peer sends a different release request
    than a new one expects, so the resource is never released.
    Instead: keep `x-handles` as it is; add the new requests under a new name

update-changed
    A message changes the state of a session differently than before.
    Why: Nothing fails, because the message is still read. A released client and a new one end up with different states.
    Instead: keep `x-update` as it is; add a variant for the new behaviour

update-unsaid (warning)
    An update without `x-update`, so its effect on the state of a session is unknown.
    Why: The class that keeps the state ignores the update, and so does `validate`.
    Instead: on a property whose value the state keeps, write `"x-update": {"part": "nameOfThePart"}`; on the variant,
    write `false` if it changes nothing (docs/schema.md)

# stages

stable-became-unstable
    A stable part was assigned to an RFD in progress.
    Why: The stable projection no longer contains it. For everybody who uses the projection, it is removed. For an
    optional property it is a warning, because nothing fails.
    Instead: remove `x-rfd` from the stable part; let the RFD add a part of its own beside it

rfd-stage-reversed
    An RFD is at an earlier stage than before.
    Why: Released peers rely on the parts of a completed RFD, and the stable projection loses them. From preview to
    draft it is info, because nothing stable changes.
    Instead: leave the RFD completed, and change its parts with a new RFD

rfd-withdrawn
    An RFD was removed with all its parts.
    Why: Peers that implement it lose its methods, capabilities and variants at once. While the RFD is in progress it is
    info, because nobody relies on them yet. One finding lists all parts.
    Instead: keep the parts of a completed RFD, and mark them `deprecated`

stable-without-rfd
    A new method, property, variant or value in a stable part has no `x-rfd`.
    Says: {p.part} is new and belongs to no RFD, so it immediately becomes part of the stable protocol
    Why: It becomes stable with the next release, and peers will rely on it. The rule applies only if both schemas have
    `x-rfds`. A new definition is reported at its references.
    Instead: write `x-rfd` with the RFD that adds it, if there is one
"""
)

ROWS = (
    _rules.change("handshake-changed", Effect.BREAKS, RootPair, partial(_of, "x-handshake")),
    _rules.change("cancel-changed", Effect.DROPS, RootPair, partial(_of, "x-cancel")),
    _rules.change("ordering-changed", Effect.DROPS, RootPair, partial(_of, "x-ordering")),
    _rules.change("interrupt-changed", Effect.DROPS, RootPair, partial(_of, "x-interrupt")),
    _rules.change("remote-changed", Effect.BREAKS, RootPair, partial(_of, "x-remote")),
    _rules.change("trace-changed", Effect.DROPS, RootPair, partial(_of, "x-trace")),
    _rules.change("tunnel-changed", Effect.DROPS, RootPair, partial(_of, "x-tunnel")),
    _rules.change("sessions-changed", Effect.DROPS, SessionsPair, _sessions),
    _rules.change("lists-changed", Effect.DROPS, RootPair, partial(_of, "x-lists")),
    _rules.change("permission-changed", Effect.DROPS, RootPair, partial(_of, "x-permission")),
    _rules.change("handles-changed", Effect.DROPS, RootPair, partial(_of, "x-handles")),
    _rules.change("update-changed", Effect.DROPS, RootPair, _updates),
    _rules.lint("update-unsaid", Loaded, _unsaid),
    _rules.change("stable-became-unstable", Effect.BREAKS, StagePair, _unstable),
    _rules.change("rfd-stage-reversed", Effect.BREAKS, RfdPair, _reversed),
    _rules.change("rfd-withdrawn", Effect.BREAKS, RfdPair, _withdrawn),
    _rules.change("stable-without-rfd", Effect.ADDS, UnmarkedPair),
)
