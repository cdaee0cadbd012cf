"""What a connection stands on: frames in, frames out. Byte streams, WebSockets and HTTP differ below this line alone.

The law of a wire: it takes a frame at once, and says whether it is full; who sends then waits for room, who answers never
does. A frame arrives whole, once and in order, or the wire says that it is broken. It knows nothing of messages, so that a
program may as well pump frames from one wire to another (``pump``).

A ``Port`` is what a channel sees of it: frames read as messages. Streams have one of their own, which cuts many frames at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, Protocol

from .jsonrpc import Message, Reader
from .streams import Input, Output, TwoStreams

__all__ = ["Port", "StreamPort", "Wire", "WirePort", "port_of"]

_CHUNK = 1 << 18


class Wire(ABC):
    """A frame in, a frame out. A frame is the bytes of one message, without a line end; line breaks between tokens are part of it."""

    @abstractmethod
    async def receive(self) -> Sequence[bytes]:
        """The frames that have come, as soon as there are any; none at the end. ConnectionClosed where the wire breaks."""

    @abstractmethod
    def write(self, frame: bytes) -> None:
        """Take a frame at once; it leaves when there is room. Nothing happens where the wire has ended."""

    @abstractmethod
    def full(self) -> bool:
        """Whether it holds so much that whoever sends should wait."""

    @abstractmethod
    async def drain(self) -> None:
        """Wait until it is not full; OSError where it is broken."""

    @abstractmethod
    def close(self) -> None:
        """Let what was taken leave, then end."""

    @abstractmethod
    async def wait_closed(self) -> None:
        """Wait until that is done."""

    def abort(self) -> None:
        """End at once: what has not left is dropped."""
        self.close()

    def hung_up(self) -> bool:
        """Whether the peer is known to send no more than what is on the way."""
        return False

    def when_deaf(self, told: Callable[[], None]) -> None:
        """Have this called when the peer is known to read no more."""
        del told  # most wires learn of it when they end

    @property
    def crowded(self) -> Collection[str]:
        """The sessions that have no room, where each has a stream of its own. The same object for as long as the wire lasts."""
        return ()

    async def drain_session(self, session: str) -> None:
        """Wait until a session is not among them; OSError where the wire is broken."""
        del session  # most wires have one stream for all
        await self.drain()


class Port(Protocol):
    """What a channel needs of what is below it."""

    def receive(self) -> Awaitable[Any]:
        """What has come, for ``messages``; empty at the end. ConnectionClosed or OSError where it breaks."""
        ...

    def messages(self, received: Any) -> list[tuple[bytes, Message]]:
        """Each complete frame in it with its message."""
        ...

    def rest(self) -> list[tuple[bytes, Message]]:
        """What is left in hand at the end."""
        ...

    def write(self, frame: bytes) -> None:
        """Take a frame, line end and all."""
        ...

    def write_all(self, frames: list[bytes]) -> None:
        """Take several."""
        ...

    def congested(self) -> bool:
        """Whether what was written may be held; only to wait for it tells for sure."""
        ...

    @property
    def crowded(self) -> Collection[str]:
        """The sessions that have no room of their own."""
        ...

    async def drain_session(self, session: str) -> None:
        """Wait for the room of a session; OSError where it is broken."""
        ...

    async def drain(self) -> None:
        """Wait for room; OSError where it is broken."""
        ...

    def close(self) -> None:
        """Let what was written leave, then close."""
        ...

    async def wait_closed(self) -> None:
        """Wait until that is done."""
        ...

    def abort(self) -> None:
        """Drop what has not left."""
        ...

    def hung_up(self) -> bool:
        """Whether the peer is known to send no more."""
        ...

    def when_deaf(self, told: Callable[[], None]) -> None:
        """Have this called when the peer is known to read no more."""
        ...


class StreamPort(TwoStreams):
    """Two byte streams that carry a frame on a line."""

    crowded: Collection[str] = ()
    """All sessions share one room."""

    def __init__(self, source: Input, sink: Output, limit: int, keep: bool) -> None:
        super().__init__(source, sink)
        reader = Reader(limit, keep)
        self.messages = reader.feed
        self.rest = reader.end

    def receive(self) -> Awaitable[bytes]:
        return self._source.read(_CHUNK)

    def write(self, frame: bytes) -> None:
        self._sink.write(frame)

    def write_all(self, frames: list[bytes]) -> None:
        self._sink.write(b"".join(frames))

    async def drain_session(self, session: str) -> None:
        del session
        await self.drain()

    def congested(self) -> bool:
        transport = self._transport
        return transport is None or transport.is_closing() or transport.get_write_buffer_size() > 0


class WirePort:
    """A wire, its frames read as messages."""

    def __init__(self, wire: Wire, limit: int) -> None:
        self._wire = wire
        self._reader = Reader(limit)
        self.receive = wire.receive
        self.congested = wire.full
        self.crowded = wire.crowded
        self.drain = wire.drain
        self.drain_session = wire.drain_session
        self.close = wire.close
        self.wait_closed = wire.wait_closed
        self.abort = wire.abort
        self.hung_up = wire.hung_up
        self.when_deaf = wire.when_deaf

    def messages(self, received: Sequence[bytes]) -> list[tuple[bytes, Message]]:
        whole = self._reader.whole
        return [found for frame in received for found in whole(frame)]

    def rest(self) -> list[tuple[bytes, Message]]:
        return []

    def write(self, frame: bytes) -> None:
        self._wire.write(frame[:-1])

    def write_all(self, frames: list[bytes]) -> None:
        write = self._wire.write
        for frame in frames:
            write(frame[:-1])


def port_of(source: Input | Wire, sink: Output | None, limit: int, keep: bool) -> Port:
    """The port of a wire, or of two streams."""
    if isinstance(source, Wire):
        return WirePort(source, limit)
    return StreamPort(source, sink, limit, keep)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
