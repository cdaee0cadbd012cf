"""A recording as a fake agent or client on the standard streams: deterministic, without a model, and masked.

It plays one side of one connection. Requests that exceed the recording are answered with an error.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

from acp_generated import transports

from ..codegen_api import console, errors, escape
from .diff import kind_of
from .player import Player
from .redaction import masked
from .transcript import Heard, loads, read

_SETTLED = 2.0
"""Seconds to wait for a notification that the recording has at a place, such as a cancellation."""
_NOT_RECORDED = -32603


def mock(path: Path, side: str, connection: int, patience: float | None) -> int:
    """Play until the peer ends. Returns 1 if the peer deviated from the recording."""
    connections = read(path)
    if not 1 <= connection <= len(connections):
        raise errors.InputError(
            str(path), f"has {len(connections)} connections, so --connection {connection} is invalid"
        )
    frames = [_safe(heard) for heard in connections[connection - 1][1]]
    return asyncio.run(_mock(frames, side, patience))


def _safe(heard: Heard) -> Heard:
    raw = masked(heard.raw)
    return heard if raw == heard.raw else Heard(heard.direction, loads(raw), raw, heard.at)


async def _mock(frames: list[Heard], side: str, patience: float | None) -> int:
    direction = f"{side}-to-{'client' if side == 'agent' else 'agent'}"
    async with transports.stdio_transport() as wire:
        streams = _Streams(wire)
        player = _Mock(frames, direction, patience, streams)
        reading = asyncio.create_task(player.listen(streams))
        await player.play(streams)
        if side == "client":  # nobody else ends the conversation: the agent's input ends with us
            reading.cancel()
        await asyncio.wait([reading])
    for kind, more in player.left():
        console.note(f"the peer sent no {escape.line(' '.join(kind))}" + (f" ({more} times)" if more > 1 else ""))
    for method in player.strange:
        console.note(f"the recording has no further {escape.line(method)}: responded with an error")
    return 1 if player.strange or player.left() else 0


class _Mock(Player):
    def __init__(self, frames: list[Heard], direction: str, patience: float | None, streams: _Streams) -> None:
        super().__init__(frames, direction, patience, _SETTLED)
        self._streams = streams
        self._recorded = Counter(kind_of(heard.frame) for heard in frames if heard.direction != direction)
        self.strange: list[str] = []
        """Methods of requests that are not in the recording."""

    def taken(self, frame: Any) -> None:
        super().taken(frame)
        kind = kind_of(frame)
        if kind[0] == "request" and sum(kind_of(other) == kind for other in self.now) > self._recorded[kind]:
            self.strange.append(frame["method"])
            error = {"code": _NOT_RECORDED, "message": f"the recording has no further {frame['method']}"}
            self._streams.write(json.dumps({"jsonrpc": "2.0", "id": frame["id"], "error": error}).encode())

    def left(self) -> list[tuple[tuple[str, ...], int]]:
        """Requests and responses of the recording that the peer did not send."""
        came = Counter(kind_of(frame) for frame in self.now)
        return [(k, n - came[k]) for k, n in self._recorded.items() if k[0] in {"request", "answer"} and n > came[k]]


class _Streams:
    """A transport as line-based input and output."""

    def __init__(self, wire: transports.Transport) -> None:
        self._wire = wire
        self._frames: list[bytes] = []

    async def readline(self) -> bytes:
        """The next frame; none at the end."""
        if not self._frames:
            self._frames = list(await self._wire.receive())
        return self._frames.pop(0) if self._frames else b""

    def write(self, data: bytes) -> None:
        """Send a frame."""
        self._wire.write(data.removesuffix(b"\n"))

    async def drain(self) -> None:
        """Wait until the peer reads."""
        await self._wire.drain()
