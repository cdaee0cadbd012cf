"""A server and a client with a network connection on loopback between them: the same server library, hypercorn, for each."""

from __future__ import annotations

from ..model import Row, Target
from .opening import ordered

__all__ = ["ROWS"]

_SDK = "sdk-pre, remote"
_FLOOR = "bare ASGI echo"
_OURS = {"ours": "ours, remote", _SDK: _SDK, _FLOOR: _FLOOR}
_WORDS = {"websocket": "over WebSocket", "http": "over HTTP"}


def _row(profile: str, name: str, what: str, count: int, faster: float) -> Row:
    compared = (Target(_FLOOR, "of"),) if profile == "websocket" else ()
    return Row(
        f"remote/{profile}_{name}",
        f"{what}, {_WORDS[profile]}",
        "s",
        {peer: ordered(_OURS[peer], f"{profile}_{name}", count=count) for peer in _OURS},
        (Target(_SDK, "faster", faster), *compared),
        rounds=7,
    )


def _idle(profile: str) -> Row:
    return Row(
        f"remote/{profile}_idle",
        f"hold a connection on which nothing happens, {_WORDS[profile]}, one of 500, on the server",
        "B",
        {peer: ordered(_OURS[peer], "idle", profile=profile, count=500) for peer in _OURS},
        (Target(_SDK, "of", 0.5),),
        rounds=3,
        note="What hypercorn holds for each is part of all figures: the bare echo holds little else.",
    )


ROWS = (
    _row("websocket", "updates", "stream an update, one of 2,000 in a turn", 2_000, 4),
    _row("websocket", "turns", "a request and its answer, one at a time", 300, 2),
    _row("http", "updates", "stream an update, one of 2,000 in a turn", 2_000, 4),
    _row("http", "turns", "a request and its answer, one at a time", 100, 2),
    _idle("websocket"),
    _idle("http"),
)
