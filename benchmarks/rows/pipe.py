"""An agent process and a client process with pipes between them: handshake done, handlers and calls as a user writes them."""

from __future__ import annotations

from ..model import Row, Target
from .opening import ordered

_PEERS = ("ours", "sdk", "sdk-pre", "raw loop")


def _row(name: str, what: str, do: str, count: int, faster: float, of_floor: float, rounds: int) -> Row:
    targets = (Target("sdk", "faster", faster), Target("sdk-pre", "faster", faster), Target("raw loop", "of", of_floor))
    return Row(
        f"pipe/{name}", what, "s", {peer: ordered(peer, do, count=count) for peer in _PEERS}, targets, rounds=rounds
    )


ROWS = (
    _row("updates", "stream an update, one of 5,000 in a turn", "updates", 5_000, 4, 1.15, 11),
    _row("one_at_a_time", "a request and its answer, one at a time", "one_at_a_time", 500, 2, 1.1, 15),
    _row("in_flight", "a request and its answer, 1,000 in flight", "in_flight", 1_000, 2, 1.1, 15),
    Row(
        "pipe/checked",
        "stream an update, checked before it is sent",
        "s",
        {peer: ordered(peer, "updates", count=5_000) for peer in ("ours", "ours, unchecked")},
        (Target("ours, unchecked", "of", 1.5),),
        rounds=11,
        note="Outgoing messages are checked unless `check_messages=False` turns it off, as it does for the peer here.",
    ),
)
