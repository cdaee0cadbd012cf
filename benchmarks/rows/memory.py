"""What decoded messages and waiting sessions hold."""

from __future__ import annotations

from ..model import Row, Target
from .opening import fresh

ROWS = (
    Row(
        "memory/updates",
        "hold a decoded streamed chunk, one of 100,000",
        "B",
        {peer: fresh(peer, "memory", count=100_000) for peer in ("ours", "sdk", "sdk-pre", "orjson")},
        (Target("sdk", "of", 0.25), Target("sdk-pre", "of", 0.25), Target("orjson", "of")),
        rounds=3,
    ),
    Row(
        "memory/session",
        "hold a session in its turn, both sides, one of 1,000",
        "B",
        {peer: fresh(peer, "session_memory", count=1_000) for peer in ("ours", "sdk", "sdk-pre")},
        (Target("sdk", "of"), Target("sdk-pre", "of")),
        rounds=3,
    ),
)
