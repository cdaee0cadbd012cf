"""The released peers that a finding affects, and the version of the protocol that it requires.

A released *sender* is affected if a new receiver accepts less than before, a released *receiver* if a new sender sends
more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Literal

from msgspec import Struct

from .finding import Category, Finding, Level

Peer = Literal["client", "agent"]
PEERS: tuple[Peer, Peer] = ("client", "agent")

NARROW = "new {receiver}s reading from released {sender}s"
WIDE = "released {receiver}s reading from new {sender}s"
"""The affected peers in words. Each finding has one of these texts."""

_PAIRS: tuple[tuple[Peer, Peer], ...] = (("client", "agent"), ("agent", "client"))
RELEASED: Mapping[str, Peer] = {
    **{NARROW.format(sender=one, receiver=other): one for one, other in _PAIRS},
    **{WIDE.format(sender=one, receiver=other): other for one, other in _PAIRS},
}
"""The kind of the released peers, by the text about affected peers."""


def affected(finding: Finding) -> tuple[Peer, ...]:
    """The peers whose released programs break; empty if none do."""
    found = {RELEASED[who] for who in finding.breaks if who in RELEASED}
    return tuple(peer for peer in PEERS if peer in found)


class Needs(Enum):
    """The version bump that a change of the wire format requires."""

    MINOR = "next minor"
    VERSION = "needs another protocol version"


class Release(Struct, frozen=True, kw_only=True):
    """The version bump that changes of the wire format require for each peer: now, and when the drafts are completed.

    `accepted`: the number of accepted breaks, which are left out. `whole`: everything was compared. `meant`: this is
    the next version, which is meant to break. `numbers`: both versions, if the new one is later.
    """

    now: Mapping[Peer, Needs]
    completed: Mapping[Peer, Needs]
    accepted: int = 0
    whole: bool = True
    meant: bool = False
    numbers: tuple[int, int] | None = None

    def __str__(self) -> str:
        now, later = _words(self.now), _words(self.completed)
        text = now if now == later else f"{now}; once the RFDs are completed: {later}"
        if self.numbers is not None and Needs.VERSION in (*self.now.values(), *self.completed.values()):
            old, new = self.numbers
            text += f"; the version number already changed from {old} to {new} (--next-version lists what peers must migrate)"
        if self.meant:
            text = "the next protocol version, which may break peers of the current one"
        if self.accepted:
            text += f" ({self.accepted} accepted break{'' if self.accepted == 1 else 's'} not listed)"
        return text if self.whole else f"{text}, as far as compared"


def release(
    findings: Sequence[Finding], *, whole: bool = True, meant: bool = False, numbers: tuple[int, int] | None = None
) -> Release | None:
    """The version bump that findings require; None if nothing changed on the wire."""
    wire = [finding for finding in findings if finding.category is Category.WIRE]
    if not wire:
        return None
    return Release(
        now=_needs(f for f in wire if f.level is Level.error),
        completed=_needs(f for f in wire if f.at_completion is Level.error),
        accepted=sum(bool(f.accepted) for f in wire),
        whole=whole,
        meant=meant,
        numbers=numbers if numbers is not None and numbers[0] < numbers[1] else None,
    )


def json_version(release: Release) -> dict[str, Any]:
    """The verdict as JSON."""
    return {
        "now": {peer: release.now[peer].value for peer in PEERS},
        "atCompletion": {peer: release.completed[peer].value for peer in PEERS},
        "next": release.meant,
        "numbers": list(release.numbers) if release.numbers is not None else None,
        "accepted": release.accepted,
    }


def _needs(breaks: Iterable[Finding]) -> dict[Peer, Needs]:
    broken = {peer for finding in breaks for peer in affected(finding) or PEERS}
    return {peer: Needs.VERSION if peer in broken else Needs.MINOR for peer in PEERS}


def _words(needs: Mapping[Peer, Needs]) -> str:
    client, agent = (needs[peer] for peer in PEERS)
    if client is agent:
        return client.value if client is not Needs.VERSION else f"{client.value}, for clients and for agents"
    return "; ".join(f"{needs[peer].value} for {peer}s" for peer in sorted(PEERS, key=lambda p: needs[p].value))
