"""A server and a client with a network connection on loopback between them, under hypercorn and under uvicorn with httptools and uvloop."""

from __future__ import annotations

from ..model import Row, Target
from .opening import ordered

_SDK = "sdk-pre, remote"
_FLOOR = "bare ASGI echo"
_OURS = {"ours": "ours, remote", _SDK: _SDK, _FLOOR: _FLOOR}
_WORDS = {"websocket": "over WebSocket", "http": "over HTTP"}
_NOTE = "What the server library holds for each is part of all figures: the bare echo holds little else."


def _row(library: str, profile: str, name: str, what: str, count: int, faster: float) -> Row:
    do = f"{library}_{profile}_{name}"
    return Row(
        f"remote/{library}_{profile}_{name}",
        f"{what}, {_WORDS[profile]}, {library}",
        "s",
        {peer: ordered(_OURS[peer], do, count=count) for peer in _OURS},
        (Target(_SDK, "faster", faster), Target(_FLOOR, "of")),
        rounds=7,
    )


def _idle(library: str, profile: str) -> Row:
    return Row(
        f"remote/{library}_{profile}_idle",
        f"hold a connection on which nothing happens, {_WORDS[profile]}, one of 500, on the server, {library}",
        "B",
        {peer: ordered(_OURS[peer], f"{library}_idle", profile=profile, count=500) for peer in _OURS},
        (Target(_SDK, "of", 0.6), Target(_FLOOR, "of")),
        rounds=3,
        note=_NOTE,
    )


def _rows(library: str) -> tuple[Row, ...]:
    return (
        _row(library, "websocket", "updates", "stream an update, one of 2,000 in a turn", 2_000, 4),
        _row(library, "websocket", "turns", "a request and its answer, one at a time", 300, 2),
        _row(library, "http", "updates", "stream an update, one of 2,000 in a turn", 2_000, 4),
        _row(library, "http", "turns", "a request and its answer, one at a time", 100, 2),
        _idle(library, "websocket"),
        _idle(library, "http"),
    )


ROWS = (*_rows("hypercorn"), *_rows("uvicorn"))
