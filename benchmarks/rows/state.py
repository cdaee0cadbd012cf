"""Updates of a session: what its state takes in, and what its agent sends."""

from __future__ import annotations

from ..model import Row, Target
from .opening import ordered

_TURN, _LONG = 200, 100_000

ROWS = (
    Row(
        "state/turn",
        f"take in an update of a session, one of {_TURN:,}",
        "s",
        {peer: ordered(peer, "state", count=_TURN) for peer in ("ours", "sdk", "sdk-pre")},
        (Target("sdk", "faster", 10), Target("sdk-pre", "faster", 10)),
        rounds=3,
        note="The SDK's accumulator makes a snapshot after each update, as its only method does; its cost grows with the session.",
    ),
    Row(
        "state/say",
        f"send an update through the session object, one of {_TURN:,} in a turn in memory",
        "s",
        {
            "ours": ordered("ours", "say", count=_TURN, session=True),
            "by id": ordered("ours", "say", count=_TURN, session=False),
        },
        (Target("by id", "of", 1.15),),
        rounds=11,
        note="The peer calls `session_update` with the id and builds the update itself.",
    ),
    Row(
        "state/long",
        f"take in an update of a session, one of {_LONG:,}",
        "s",
        {"ours": ordered("ours", "state", count=_LONG), "1,000 updates": ordered("ours", "state", count=1_000)},
        (Target("1,000 updates", "of", 1.5),),
        rounds=5,
    ),
)
