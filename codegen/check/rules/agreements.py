"""What the root says of the protocol as a whole: the handshake, cancelling, order, and how far RFDs have come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ...findings.finding import Level
from ...findings.rule import Effect, Hit
from ...model.updates import silent
from ..pairs import RfdPair, RootPair, SessionsPair, StagePair, UnmarkedPair
from ..schemas import Loaded
from .properties import advertised
from .rows import change, lint


def _of(keyword: str, pair: RootPair) -> Iterator[Hit]:
    if pair.keyword == keyword:
        yield Hit(
            message=f"`{keyword}` is gone" if pair.lost else f"`{keyword}` changed: {', '.join(pair.differences)}"
        )


def _sessions(pair: SessionsPair) -> Iterator[Hit]:
    yield Hit(
        message=f"{pair.subject} {'is' if pair.new else 'is not'} among the `{pair.list}` methods of `x-sessions` {'now' if pair.new else 'any more'}",
        effect=_ONE_AT_A_TIME[pair.new] if pair.list == "exclusive" else Effect.DROPS,
    )


_ONE_AT_A_TIME = {True: Effect.NARROWS, None: Effect.WIDENS}
"""A new receiver refuses a second request; or a new sender sends one that a released receiver refuses."""


def _updates(pair: RootPair) -> Iterator[Hit]:
    yield from _of("x-updates", pair)
    if pair.keyword == "x-update":
        yield Hit(message="; ".join(pair.differences))


def _unsaid(loaded: Loaded) -> Iterator[Hit]:
    for variant in silent(loaded.schema):
        yield Hit(message="nothing says what this update does to the state of a session", pointer=variant.pointer)


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
        message=f"{what} was stable and belongs to {pair.new.rfd} now, which is a {pair.stage}",
        effect=effect,
        accepted=pair.open,
    )


def _reversed(pair: RfdPair) -> Iterator[Hit]:
    if pair.new is None:
        return
    text = f"the RFD {pair.subject} was {pair.old.stage} and is a {pair.new.stage} again"
    if not pair.old.stable:
        yield Hit(message=text, effect=Effect.ADDS)
    else:
        yield Hit(message=f"{text}: {_listed(pair.brought, 4) or 'what it brought'} left the stable protocol")


def _withdrawn(pair: RfdPair) -> Iterator[Hit]:
    if pair.new is None:
        yield Hit(message=f"the RFD {pair.subject} is gone, and with it {_listed(pair.brought, 12)}")


def _unmarked(pair: UnmarkedPair) -> Iterator[Hit]:
    yield Hit(message=f"{pair.part} is new and belongs to no RFD, so it goes straight into the stable protocol")


def _listed(names: Sequence[str], most: int) -> str:
    shown = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
    *before, last = shown or [""]
    return f"{', '.join(before)} and {last}" if before else last


ROWS = (
    change(
        "capabilities",
        "handshake-changed",
        Effect.BREAKS,
        RootPair,
        partial(_of, "x-handshake"),
        "How a connection opens changed by more than an addition: its request, the number of the version, where "
        "capabilities stand.",
        "It must parse across versions, and nothing can gate it: no capability is known yet. What other rules let "
        "pass with a warning or because of a gate is an error there. A peer of another version number is turned away.",
        "keep the version and only add optional properties to the opening request; gate new things in its answer",
    ),
    change(
        "agreements",
        "cancel-changed",
        Effect.DROPS,
        RootPair,
        partial(_of, "x-cancel"),
        "A request is cancelled in another way than before, or in none.",
        "Unknown notifications are ignored, so nothing fails: a released peer cancels, and its request goes on.",
        "keep `x-cancel` as it is",
    ),
    change(
        "agreements",
        "ordering-changed",
        Effect.DROPS,
        RootPair,
        partial(_of, "x-ordering"),
        "Another property than before, or none, decides which messages are handled in order.",
        "Messages are the same, but a new peer may handle a released one's in another order than they were sent.",
        "keep `x-ordering` as it is",
    ),
    change(
        "agreements",
        "interrupt-changed",
        Effect.DROPS,
        RootPair,
        partial(_of, "x-interrupt"),
        "What a session is doing is ended by another notification than before, is answered otherwise, or goes on.",
        "Unknown notifications are ignored, so nothing fails: a released peer interrupts a request, and it goes on or "
        "ends with an answer that the peer does not expect.",
        "keep `x-interrupt` as it is",
    ),
    change(
        "agreements",
        "remote-changed",
        Effect.BREAKS,
        RootPair,
        partial(_of, "x-remote"),
        "The endpoint, or a header that names a connection or a session, is called otherwise than before over HTTP and WebSocket.",
        "A released client asks for a path that is not there, or names its connection in a header that nobody reads: no remote "
        "connection opens.",
        "keep `x-remote` as it is",
    ),
    change(
        "agreements",
        "trace-changed",
        Effect.DROPS,
        RootPair,
        partial(_of, "x-trace"),
        "The keys of `_meta` that carry the trace context are others than before, or none.",
        "Messages are the same, so nothing fails: what a released peer does, and what a new one does for it, are no longer seen as one trace.",
        "keep `x-trace` as it is",
    ),
    change(
        "agreements",
        "sessions-changed",
        Effect.DROPS,
        SessionsPair,
        _sessions,
        "A method does something else to a session than before: it does not open, close or end one any more, or may be called "
        "once at a time, or several times.",
        "A session that a released peer takes for open or closed is not that for a new one: the message is read, and what follows "
        "goes to nobody. A second request that is exclusive on one side alone is refused: error.",
        "keep the method in its list of `x-sessions`; add a method that does otherwise",
    ),
    change(
        "agreements",
        "lists-changed",
        Effect.DROPS,
        RootPair,
        partial(_of, "x-lists"),
        "A list is read page by page by other properties than before, or is no list any more.",
        "A released client looks for the items, or for the cursor of the next page, in another property: it shows a part of the list "
        "as if it were all.",
        "keep `x-lists` as it is",
    ),
    change(
        "agreements",
        "permission-changed",
        Effect.DROPS,
        RootPair,
        partial(_of, "x-permission"),
        "The request that asks for a permission, or the options that allow and reject, are others than before.",
        "The messages are still read, so nothing fails: the policy of a released client does not see the request, or picks an "
        "option that a new agent takes for another answer.",
        "keep `x-permission` as it is; add an option of a new kind beside the old ones",
    ),
    change(
        "agreements",
        "handles-changed",
        Effect.DROPS,
        RootPair,
        partial(_of, "x-handles"),
        "What one side creates for the other is released, killed, awaited or read by other requests than before.",
        "The requests are still answered, so nothing fails: a released peer releases by another request than a new one waits for, "
        "and what it created stays.",
        "keep `x-handles` as it is; give what is new a name of its own there",
    ),
    change(
        "agreements",
        "update-changed",
        Effect.DROPS,
        RootPair,
        _updates,
        "A message changes the state of a session in another way than before.",
        "The message is still read, so nothing fails: a released client keeps another state than a new one.",
        "keep `x-update` as it is; let a new variant do what is new",
    ),
    lint(
        "agreements",
        "update-unsaid",
        Level.warning,
        Loaded,
        _unsaid,
        "An update that does not say what it does to the state of a session.",
        'on a property whose value the state keeps, write `"x-update": {"part": "nameOfThePart"}`; on the variant, write '
        "`false` if it changes nothing; docs/schema.md has the rest",
        "The class that keeps the state ignores it, and so do `validate` and all who build on them.",
    ),
    change(
        "stages",
        "stable-became-unstable",
        Effect.BREAKS,
        StagePair,
        _unstable,
        "Something stable was put under an RFD in progress.",
        "The stable projection loses it without a word: for everybody who uses that, it is removed. An optional "
        "property is lost silently: warning.",
        "leave what is stable without `x-rfd`; let the RFD add a part of its own beside it",
    ),
    change(
        "stages",
        "rfd-stage-reversed",
        Effect.BREAKS,
        RfdPair,
        _reversed,
        "An RFD is at an earlier stage than before.",
        "What a completed RFD brought is stable, and released peers rely on it; the stable projection loses all of it. "
        "From preview to draft nothing stable is touched: info.",
        "leave the RFD completed, and change what it brought by a new one",
    ),
    change(
        "stages",
        "rfd-withdrawn",
        Effect.BREAKS,
        RfdPair,
        _withdrawn,
        "An RFD is gone with all that it brought.",
        "Peers that implement it lose its methods, capabilities and variants at once. While it is in progress nobody "
        "relies on them: info. It is one finding with the list, not one for each part.",
        "keep what a completed RFD brought, and mark it `deprecated`",
    ),
    change(
        "stages",
        "stable-without-rfd",
        Effect.ADDS,
        UnmarkedPair,
        _unmarked,
        "A method, a property, a variant or a value is new in something stable, without `x-rfd`.",
        "It is in the stable projection from the next release on, and released peers will rely on it. It is asked only where both "
        "schemas have `x-rfds`. A new definition is reported for what refers to it.",
        "write `x-rfd` with the RFD that brings it, if one does",
    ),
)
