"""Server-sent events: the queue of frames for an event stream's reader, and the parser of a stream.

Events are sent in order to one reader. A later reader replaces an earlier one, whose network connection may be dead
without notice. Events that a reader took but did not receive are lost, as the protocol specifies, unless both ends
number frames (``numbering``).
"""

from __future__ import annotations

import asyncio
import bisect
from collections.abc import Callable, Iterator

_SENT_AT_A_TIME = 1 << 18
_FIELD = len(b"data: \n\r")
"""Bytes of an event's line besides the frame."""
_WINDOW = 1 << 16
"""Maximum bytes in transit to a reader that acknowledges them."""


def event(frame: bytes) -> bytes:
    """A frame as an event. Line breaks between tokens become spaces."""
    if b"\n" in frame or b"\r" in frame:
        frame = frame.replace(b"\r", b" ").replace(b"\n", b" ")
    return b"data: %b\n\n" % frame


class EventQueue:
    """Queued frames of one stream. ``moved`` is called when the queue shrinks.

    `numbers`: the connection's event numbers, if frames are numbered. A numbered frame is kept until the client
    acknowledges it, the next reader gets the rest, and at most one window of bytes is in transit. Otherwise a frame
    is dropped when a reader takes it.
    """

    __slots__ = (
        "_frames",
        "_moved",
        "_numbered",
        "_numbers",
        "_sending",
        "_taken",
        "_then",
        "_wake",
        "ended",
        "last",
        "posted",
        "reader",
        "size",
        "unacknowledged",
    )

    def __init__(self, moved: Callable[[], None], numbers: Iterator[int] | None = None) -> None:
        self._frames: list[bytes] = []
        """Events: first those that the current reader took, then queued ones."""
        self._taken = 0
        self._numbers = numbers
        self._numbered: list[int] = []
        """The numbers of the events, if frames are numbered."""
        self._moved = moved
        self._wake: asyncio.Future[bool] | None = None
        self._sending = False
        self._then: list[Callable[[], None]] | None = None
        self.ended = False
        self.reader: object | None = None
        """The reader of the stream."""
        self.size = 0
        """Bytes of queued events."""
        self.unacknowledged = 0
        """Bytes that were taken and may have to be sent again."""
        self.last = 0
        """The number of the last frame."""
        self.posted = 0
        """The number of the last POST for the session of this stream."""

    def put(self, frame: bytes, before: int = 0) -> None:
        """Queue a frame; no effect after the end. `before`: the number of the preceding frame on another stream."""
        if self.ended:
            return
        text = event(frame)
        if self._numbers is not None:
            self.last = next(self._numbers)
            self._numbered.append(self.last)
            text = b"id: %d.%d\n%b" % (self.last, before, text)
        self._frames.append(text)
        self.size += len(text)
        self._stir()

    def after(self, call: Callable[[], None]) -> None:
        """Call a function when all queued frames were sent; immediately if there are none or nobody reads."""
        if self.reader is None or not (self._frames or self._sending):
            call()
        else:
            self._then = [*(self._then or ()), call]

    def finish(self) -> None:
        """End the stream after the queued frames."""
        self.ended = True
        self._stir()

    def attach(self) -> object:
        """Register a new reader for ``take``. The previous reader gets nothing more."""
        self.reader = object()
        self._sending = False
        self._taken = 0
        self.size += self.unacknowledged
        self.unacknowledged = 0
        self._stir()
        return self.reader

    def acknowledge(self, number: int) -> None:
        """Record that the client has received all frames up to a number."""
        count = bisect.bisect_right(self._numbered, number)
        if not count:
            return
        size = sum(map(len, self._frames[: min(count, self._taken)]))
        self.unacknowledged -= size
        self.size -= sum(map(len, self._frames[:count])) - size
        self._taken = max(0, self._taken - count)
        del self._frames[:count], self._numbered[:count]
        self._moved()
        self._stir()

    def detach(self, reader: object) -> None:
        """Remove a reader."""
        if self.reader is reader:
            self.reader = None
            self._sending = False
            self._called()
        self._stir()

    async def take(self, reader: object, patience: float) -> bytes | None:
        """The queued events as soon as there are any; a comment after a silence, None at the end."""
        self._sending = False
        while (nothing := self._taken == len(self._frames)) or (self.unacknowledged >= _WINDOW and not self.ended):
            if nothing:
                self._called()
            if (self.ended and nothing) or self.reader is not reader:
                return None
            if await self._quiet(patience):
                return b":\n\n"
        return self._next() if self.reader is reader else None

    async def _quiet(self, patience: float) -> bool:
        """Wait for a change; returns True if none came in time. A bare timer costs a third of `asyncio.timeout`."""
        loop = asyncio.get_running_loop()
        wake: asyncio.Future[bool] = loop.create_future()
        self._wake = wake
        timer = loop.call_later(patience, _settle, wake, True)
        try:
            return await wake
        finally:
            timer.cancel()
            if self._wake is wake:  # else it is that of who has taken over
                self._wake = None

    def _next(self) -> bytes:
        most = _SENT_AT_A_TIME if self._numbers is None else _WINDOW
        end, size = self._taken, 0
        while end < len(self._frames) and size < most:
            size += len(self._frames[end])
            end += 1
        taken = self._frames[self._taken : end]
        self.size -= size
        if self._numbers is None:
            del self._frames[:end]
        else:
            self._taken = end
            self.unacknowledged += size
        self._sending = True
        self._moved()
        return b"".join(taken)

    def _stir(self) -> None:
        if self._wake is not None:
            _settle(self._wake, False)

    def _called(self) -> None:
        then, self._then = self._then, None
        for call in then or ():
            call()


def _settle(future: asyncio.Future[bool], result: bool) -> None:
    if not future.done():
        future.set_result(result)


_ID = 64
"""Maximum bytes of an event id."""


class EventParser:
    """Parses the bytes of a stream into events. Raises ValueError beyond the limit."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = b""
        self._data: list[bytes] = []
        self._id = b""
        self._size = 0
        self._begun = False

    def feed(self, received: bytes) -> list[tuple[bytes, bytes]]:
        """The id and data of each complete event."""
        data = self._rest + received
        if not self._begun:
            if data in (b"\xef", b"\xef\xbb"):
                self._rest = data
                return []
            data = data.removeprefix(b"\xef\xbb\xbf")
            self._begun = bool(data)
        if b"\r" in data:
            held = data.endswith(b"\r")  # its line feed may be on the way
            data = (data[:-1] if held else data).replace(b"\r\n", b"\n").replace(b"\r", b"\n") + b"\r" * held
        *lines, self._rest = data.split(b"\n")
        found: list[tuple[bytes, bytes]] = []
        for line in lines:
            if not line:
                if self._data:
                    found.append((self._id, b"\n".join(self._data)))
                    self._data.clear()
                self._id, self._size = b"", 0
            elif line.startswith(b"id:"):
                self._id = line[3:].strip()[:_ID]
            elif line.startswith(b"data"):
                name, _, value = line.partition(b":")
                if name == b"data":
                    self._data.append(value.removeprefix(b" "))
                    self._size += len(value) + 1
        if self._size + len(self._rest) > self._limit + _FIELD:
            raise ValueError(f"an event has more than {self._limit} bytes")
        return found
