"""The interface of a transport, and its implementation on two byte streams.

A connection uses one transport: frames in, frames out. Only transports know the difference between byte streams,
WebSockets and HTTP.

A transport accepts a frame immediately, and reports whether it is full. Senders of requests then wait; responses never
do. A frame arrives whole, once and in order, or the transport reports that it is broken. Transports do not interpret
messages, so a program can also relay frames from one transport to another (``relay``).

A channel uses a transport as a ``MessageSource``, which parses frames into messages. Two byte streams have their own
message source (``StreamTransport``), which parses many frames at a time. ``NdjsonTransport`` is a transport on two
byte streams, for programs that relay frames.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from ..errors import ConnectionClosed, FrameTooLong
from ..jsonrpc.encoder import one_line
from ..jsonrpc.parser import FRAME_LIMIT, Message, Reader

_CHUNK = 1 << 16
"""Bytes of one read, which are parsed without a break."""
_ROOM = 1 << 16


class Caller(Struct, frozen=True, kw_only=True):
    """The client of a connection or request."""

    headers: Mapping[str, str]
    """Headers by lower-case name. The values of a repeated header are joined with a comma."""
    address: str | None
    """The address of the network peer, which may be a proxy."""
    query: str = ""
    identity: str = ""
    """The result of ``identify``; empty without ``identify``."""


class Input(Protocol):
    """A source of bytes: asyncio's StreamReader, or an object with the same methods."""

    async def read(self, n: int, /) -> bytes:
        """Return up to n bytes as soon as there are any; none at the end."""
        ...


@runtime_checkable
class Mutual(Protocol):
    """An input that also reports when the peer stops reading."""

    def when_deaf(self, told: Callable[[], None], /) -> None:
        """Call a function when the peer stops reading."""
        ...


@runtime_checkable
class Attentive(Protocol):
    """An input that reports early that no more bytes will arrive."""

    def hung_up(self) -> bool:
        """Return whether the writer has closed its end."""
        ...


class Output(Protocol):
    """A sink for bytes: asyncio's StreamWriter, or an object with the same methods."""

    def write(self, data: bytes, /) -> None:
        """Accept the bytes immediately; write them when the stream has space."""
        ...

    async def drain(self) -> None:
        """Wait until the stream has space. Raises OSError if it is broken."""
        ...

    def close(self) -> None:
        """Write the buffered bytes, then close."""
        ...

    async def wait_closed(self) -> None:
        """Wait until the stream is closed."""
        ...


class TwoStreams:
    """A source and a sink of bytes as one stream."""

    def __init__(self, source: Input, sink: Output) -> None:
        self._source = source
        self._sink = sink
        self._transport: asyncio.WriteTransport | None = getattr(sink, "transport", None)

    async def drain(self) -> None:
        """Wait until the sink has space. Raises OSError if it is broken."""
        await self._sink.drain()

    def close(self) -> None:
        """Write the buffered bytes, then close."""
        self._sink.close()

    async def wait_closed(self) -> None:
        """Wait until the stream is closed."""
        await self._sink.wait_closed()

    def abort(self) -> None:
        """Close immediately and drop unsent bytes."""
        self._sink.close()
        if self._transport is not None:
            self._transport.abort()

    def hung_up(self) -> bool:
        """Return whether the peer will send no more bytes."""
        return isinstance(self._source, Attentive) and self._source.hung_up()

    def when_deaf(self, told: Callable[[], None]) -> None:
        """Call a function when the peer stops reading."""
        if isinstance(self._source, Mutual):
            self._source.when_deaf(told)


@runtime_checkable
class Transport(Protocol):
    """Sends and receives frames. A frame is the bytes of one message without the final line end; it may contain line
    breaks between tokens.
    """

    @abstractmethod
    async def receive(self) -> Sequence[bytes]:
        """Return the received frames as soon as there are any; none at the end. Raises ConnectionClosed if the
        transport breaks.
        """

    @abstractmethod
    def write(self, frame: bytes) -> None:
        """Accept a frame immediately and send it when there is space. Has no effect after the end of the transport."""

    @abstractmethod
    def full(self) -> bool:
        """Return whether senders should wait, because much is buffered."""

    @abstractmethod
    async def drain(self) -> None:
        """Wait until it is not full. Raises OSError if it is broken."""

    @abstractmethod
    def close(self) -> None:
        """Send the accepted frames, then close."""

    @abstractmethod
    async def wait_closed(self) -> None:
        """Wait until the transport is closed."""

    def abort(self) -> None:
        """Close immediately and drop unsent frames."""
        self.close()

    def hung_up(self) -> bool:
        """Return whether the peer has stopped sending. Data in transit may still arrive."""
        return False

    def when_deaf(self, told: Callable[[], None]) -> None:
        """Call a function when the peer stops reading."""
        del told  # most wires learn of it when they end

    @property
    def crowded(self) -> Collection[str]:
        """The sessions whose own streams are full. The object stays the same for the lifetime of the transport."""
        return ()

    async def drain_session(self, session: str) -> None:
        """Wait until a session's stream is not full. Raises OSError if the transport is broken."""
        del session  # most wires have one stream for all
        await self.drain()


class StreamTransport(TwoStreams):
    """Newline-delimited JSON on two byte streams, parsed into messages."""

    crowded: Collection[str] = ()
    """Always empty: all sessions share one stream."""
    ordered = True

    def __init__(self, source: Input, sink: Output, limit: int, keep: bool) -> None:
        super().__init__(source, sink)
        reader = Reader(limit, keep)
        self.messages = reader.feed
        self.rest = reader.end

    def receive(self) -> Awaitable[bytes]:
        """The received bytes, for ``messages``; empty at the end. Raises ConnectionClosed or OSError if the stream
        breaks.
        """
        return self._source.read(_CHUNK)

    def write(self, frame: bytes) -> None:
        """Write a frame that includes its line end."""
        try:  # noqa: SIM105  # each frame passes here
            self._sink.write(frame)
        except RuntimeError:  # uvloop's transport is closed: asyncio's drops the frame, and the reader tells why
            pass

    def write_all(self, frames: list[bytes]) -> None:
        """Write several frames."""
        self.write(b"".join(frames))

    async def drain_session(self, session: str) -> None:
        """Wait until the stream of a session has space. Raises OSError if it is broken."""
        del session
        await self.drain()

    def congested(self) -> bool:
        """Return whether written bytes may be delayed. Only waiting gives certainty."""
        transport = self._transport
        return transport is None or transport.is_closing() or transport.get_write_buffer_size() > 0


class TransportAdapter:
    """A transport whose frames are parsed into messages."""

    def __init__(self, wire: Transport, limit: int) -> None:
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

    @property
    def ordered(self) -> bool:
        """True if responses always arrive after everything that was sent before them. Transports with several streams
        may differ.
        """
        return getattr(self._wire, "ordered", True)

    def messages(self, received: Sequence[bytes]) -> list[tuple[bytes, Message]]:
        """Each complete frame with its message."""
        whole = self._reader.whole
        return [found for frame in received for found in whole(frame)]

    def rest(self) -> list[tuple[bytes, Message]]:
        """Parse the remaining bytes at the end."""
        return []

    def write(self, frame: bytes) -> None:
        self._wire.write(frame[:-1])

    def write_all(self, frames: list[bytes]) -> None:
        write = self._wire.write
        for frame in frames:
            write(frame[:-1])


MessageSource = StreamTransport | TransportAdapter
"""The source of a channel's messages and the sink of its frames."""


def source_of(source: Input | Transport, sink: Output | None, limit: int, keep: bool) -> MessageSource:
    """The message source for a transport or for two byte streams."""
    if isinstance(source, Transport):
        return TransportAdapter(source, limit)
    return StreamTransport(source, sink, limit, keep)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


class NdjsonTransport(TwoStreams, Transport):
    """Newline-delimited JSON in both directions. Raises ConnectionClosed for a line beyond the limit."""

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


async def relay(source: Transport, sink: Transport, tell: Callable[[bytes], object] | None = None) -> None:
    """Copy frames until the source ends, with back-pressure from the sink.

    Raises ConnectionClosed or OSError if either breaks.
    """
    while frames := await source.receive():
        for frame in frames:
            if tell is not None:
                tell(frame)
            sink.write(frame)
        if sink.full():
            await sink.drain()
