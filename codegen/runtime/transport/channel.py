"""Frames over a transport: parsed messages in, frames out, and a hook for every frame.

A frame is written whole or not at all, even if the sending task is cancelled. The first frame after a read is written
immediately; later ones of the same iteration of the event loop are written together. Senders wait while too much is
buffered; responses and reading never wait. This module does not interpret messages.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from msgspec import UNSET, structs

from ..errors import INVALID_REQUEST, ConnectionClosed, FrameTooLong, RequestError
from ..jsonrpc.parser import Fault, Message, limit_in
from ..tasks import Waiters, start
from .base import MessageSource

logger = logging.getLogger(__name__)

FrameHook = Callable[[str, bytes], object]
"""A function that is called with the direction, ``<side>-to-<side>``, and the bytes of a frame without its line end.

It sees every frame except those that were skipped for their size. Its exceptions are logged.
"""

_BATCH = 1 << 14
"""Number of buffered bytes that triggers a write, so that the peer can start to process them."""
HIGH_WATER = 1 << 16
"""Bytes that may be sent in a row before a sender waits for the next iteration of the event loop."""


class Channel:
    """Sends and reads frames between ``side`` (this one) and ``peer_side``."""

    def __init__(
        self, side: str, peer_side: str, source: MessageSource, frame_limit: int, hook: FrameHook | None
    ) -> None:
        self.incoming = f"{peer_side}-to-{side}"
        self.outgoing = f"{side}-to-{peer_side}"
        self.closed: ConnectionClosed | None = None
        """The reason why nothing can be sent any more, after the connection ended."""
        self.broken: ConnectionClosed | None = None
        """The reason why nothing can be sent any more, although the peer may still send."""
        self.on_break: Callable[[], None] = lambda: None
        """Called when the stream breaks or the peer stops reading."""
        self.steps = 0
        """Number of starts and ends of reads. It is odd while a read waits for bytes."""
        self.backlog = 0
        """Bytes that wait for space in the stream."""
        self.on_room: Callable[[], None] = lambda: None
        """Called when the backlog shrinks."""
        self._peer_side = peer_side
        self._source = source
        self.crowded = source.crowded
        """Sessions whose streams are full. Only their senders wait, in ``session_room``."""
        self._limit = frame_limit
        self._limit_owner = "this side"
        source.when_deaf(lambda: self.on_break())  # noqa: PLW0108  # it is set later
        self._ended = False
        self._broke: ConnectionClosed | None = None
        """The error that ended the stream; None after a normal end."""
        self._hook = hook
        self._gathered: list[bytes] = []
        self._resting = True
        """True if nothing was written since the last read, or all buffered bytes were sent."""
        self._ending = False
        """True if the end of this iteration of the event loop, or the writer, will handle buffered bytes and waiting
        senders.
        """
        self.sent = 0
        """Bytes sent since the last flush. Above ``HIGH_WATER``, senders wait in ``room``."""
        self._writer: asyncio.Task[None] | None = None
        self._waiters = Waiters()
        self.release = self._waiters.wake
        """Wakes the senders that wait for space."""

    async def read(self) -> list[tuple[bytes, Message]] | None:
        """The received frames with their messages; None at the end. Raises ConnectionClosed if the stream breaks."""
        if self._ended:
            if self._broke is not None:
                raise self._broke
            return None
        received: Any = None
        self.steps += 1
        try:
            received = await self._source.receive()
        except ConnectionClosed as error:
            self._broke = error
        except OSError as error:
            self._broke = ConnectionClosed(f"the connection to the {self._peer_side} broke: {error}")
        self.steps += 1
        if not self._ending:
            self._rest()
        if received:
            return self._source.messages(received)
        self._ended = True
        return [(frame, _cut_short(message)) for frame, message in self._source.rest()]

    @property
    def ordered(self) -> bool:
        """True if responses always arrive after everything that was sent before them."""
        return self._source.ordered

    def received(self, frame: bytes) -> None:
        """Call the hook with a received frame."""
        if self._hook is not None:
            self._observe(self._hook, self.incoming, frame)

    def learn(self, error: RequestError) -> None:
        """Learn the peer's frame limit from an error that it sent."""
        if error.code == INVALID_REQUEST and (limit := limit_in(error.data)):
            self.limit(limit)

    def limit(self, limit: int) -> None:
        """Set the maximum length of frames that the peer reads."""
        if limit < self._limit:
            self._limit, self._limit_owner = limit, f"the {self._peer_side}"

    def hung_up(self) -> bool:
        """True if the peer has stopped sending. Data in transit may still arrive."""
        return self._source.hung_up()

    def write(self, frame: bytes) -> None:
        """Write a frame without waiting for space. Raises FrameTooLong if it exceeds the limit."""
        if reason := self.closed or self.broken:
            raise reason.again()
        size = len(frame)
        if size > self._limit + 1:  # its line end does not count
            raise FrameTooLong(size - 1, self._limit, self._limit_owner)
        if self._hook is not None:
            self._observe(self._hook, self.outgoing, frame[:-1])
        self.sent += size
        if self._resting:
            self._resting = False
            self._source.write(frame)
            if self.sent > HIGH_WATER or self._source.congested():
                self._schedule()
            return
        self._gathered.append(frame)
        self.backlog += size
        if not self._ending:
            self._schedule()
        elif self.backlog > _BATCH and self._writer is None and not self._source.congested():
            self._write_gathered()

    async def room(self) -> None:
        """Wait until the stream has space."""
        await self._waiters.wait()
        if reason := self.closed or self.broken:
            raise reason.again()

    async def session_room(self, session: str) -> None:
        """Wait until the stream of a session has space."""
        try:
            await self._source.drain_session(session)
        except OSError as error:
            raise self.closed or self.break_off(f": {error}") from None

    async def send(self, frame: bytes) -> None:
        """Write a frame and wait until the stream has space."""
        self.write(frame)
        if self.sent > HIGH_WATER:
            await self.room()

    def break_off(self, why: str = "") -> ConnectionClosed:
        """Record that nothing can be sent any more, and return the error."""
        if self.broken is None:
            self.broken = ConnectionClosed(f"the {self._peer_side} no longer reads{why}")
        return self.broken

    async def close(self, timeout: float) -> None:
        """Write the buffered frames, then close. After the timeout, drop the remaining ones."""
        try:
            async with asyncio.timeout(timeout):
                await asyncio.sleep(0)  # the turn that wrote last may not be over
                if self._writer is not None:
                    await self._writer
                self._source.close()
                await self._source.wait_closed()
        except TimeoutError:
            self._source.abort()
        except OSError:
            logger.debug("%s: unsent data was lost", self.outgoing)

    def _schedule(self) -> None:
        self._ending = True
        asyncio.get_running_loop().call_soon(self._turn_over)

    def _turn_over(self) -> None:
        """Write the buffered frames at the end of an iteration of the event loop."""
        congested = self._source.congested
        if self._gathered and not congested():
            self._write_gathered()
        if congested():
            self._writer = start(self._write_out())
        else:
            self._rest()

    def _write_gathered(self) -> None:
        self._source.write_all(self._gathered)
        self._gathered.clear()
        self.backlog = 0

    def _rest(self) -> None:
        """Record that nothing is buffered, so the next frame is written immediately."""
        self._ending = False
        self._resting = True
        self.sent = 0
        self.release()

    async def _write_out(self) -> None:
        """Write buffered frames until none is left."""
        try:
            await self._source.drain()
            while self._gathered:
                size = self.backlog
                self._source.write_all(self._gathered)
                self._gathered.clear()
                await self._source.drain()
                self.backlog -= size
                self.sent = self.backlog
                self.release()
                self.on_room()
        except OSError as error:
            self.break_off(f": {error}" if str(error) else "")
            self._gathered.clear()
            self.backlog = 0
            self.on_break()
        finally:
            self._writer = None
            self._rest()
            self.on_room()

    def _observe(self, hook: FrameHook, direction: str, frame: bytes) -> None:
        try:
            hook(direction, frame)
        except Exception:
            logger.exception("the frame hook failed")


def _cut_short(message: Message) -> Message:
    """Handle a last line without a line end. If it is not a message, the affected request fails with the connection."""
    if not isinstance(message, Fault):
        return message
    return structs.replace(message, outline=structs.replace(message.outline, id=UNSET))
