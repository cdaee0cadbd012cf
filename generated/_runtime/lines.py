# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""A wire on two byte streams, for programs that pass frames on; and the loop that passes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .errors import ConnectionClosed, FrameTooLong
from .limits import FRAME_LIMIT
from .streams import Input, Output, TwoStreams
from .wire import Wire
from .writing import one_line

__all__ = ["LineWire", "pump"]

_CHUNK = 1 << 18
_ROOM = 1 << 16


class LineWire(TwoStreams, Wire):
    """A frame on a line, in both directions. ConnectionClosed for a line beyond the limit."""

    def __init__(self, source: Input, sink: Output, limit: int = FRAME_LIMIT) -> None:
        super().__init__(source, sink)
        self._limit = limit
        self._rest: list[bytes] = []
        self._size = 0
        self._ended = False

    async def receive(self) -> Sequence[bytes]:
        while not self._ended:
            try:
                data = await self._source.read(_CHUNK)
            except ConnectionClosed:
                raise
            except OSError as error:
                raise ConnectionClosed(f"the stream broke: {error}") from None
            if not data:
                self._ended = True
                last = b"".join(self._rest).strip()
                return (last,) if last else ()
            *lines, rest = data.split(b"\n")
            if not lines:
                self._keep(rest)
                continue
            lines[0] = b"".join((*self._rest, lines[0]))
            self._rest, self._size = [], 0
            self._keep(rest)
            if frames := [frame for line in lines if (frame := line.strip())]:
                return frames
        return ()

    def _keep(self, piece: bytes) -> None:
        if piece:
            self._rest.append(piece)
            self._size += len(piece)
            if self._size > self._limit:
                raise ConnectionClosed(str(FrameTooLong(self._size, self._limit, "this side")))

    def write(self, frame: bytes) -> None:
        self._sink.write(b"%b\n" % one_line(frame))

    def full(self) -> bool:
        transport = self._transport
        return transport is not None and not transport.is_closing() and transport.get_write_buffer_size() > _ROOM


async def pump(source: Wire, sink: Wire, tell: Callable[[bytes], object] | None = None) -> None:
    """Pass frames on until the source ends; whoever sends into it waits while the sink has no room. Each is told of first.

    ConnectionClosed or OSError where either breaks.
    """
    while frames := await source.receive():
        for frame in frames:
            if tell is not None:
                tell(frame)
            sink.write(frame)
        if sink.full():
            await sink.drain()
