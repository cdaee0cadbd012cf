"""Event streams on the client: one for the connection and one for each session.

A broken stream is reopened, because the server keeps unsent events. If the server no longer knows the connection, the
connection ends. Streams do not wait for each other. Numbers (``numbering``) show which frames have arrived. Without
them, a response that opens a session waits until the stream of the session was quiet for a while.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Any, Protocol

from .backend import HttpBackend, Response, StreamingResponse
from .numbering import ACKNOWLEDGED, numbers_in
from .sse import EventParser

_EVENTS = "text/event-stream"
_BUSY = 409
"""The status code of a server that has not yet noticed the disconnection of a stream's reader."""
_TRIES = 5
"""Number of failed attempts to open a stream before the connection ends."""
_NOISY = 20
"""Number of quiet periods after which a response is delivered although its stream is busy."""
_ACKNOWLEDGED_AT = 1 << 14
"""Bytes of a stream after which the client acknowledges them."""


class Owner(Protocol):
    """The transport that receives the frames of the streams."""

    headers: Mapping[str, str]
    """The headers that name the connection."""

    def backend(self, session: str | None) -> HttpBackend:
        """The HTTP backend of a session, or of the connection."""
        ...

    numbered: bool
    """True if both ends number frames."""

    def take(self, frame: bytes, session: str | None, before: int = 0) -> None:
        """Receive a frame. `before`: the number of the preceding frame of its session."""
        ...

    def deliver(self, frame: bytes) -> None:
        """Deliver the next frame."""
        ...

    async def acknowledge(self, session: str | None, number: int) -> None:
        """Acknowledge all frames of a stream up to a number."""
        ...

    async def room(self) -> None:
        """Wait until buffered frames have been taken."""
        ...

    def unheard(self, session: str, response: Response) -> None:
        """Process the server's rejection of a session's stream."""
        ...

    def end(self, why: str) -> None:
        """End the connection because it cannot continue."""
        ...

    def gone(self, why: str) -> None:
        """End the connection because the server no longer knows it."""
        ...

    def run(self, coroutine: Any) -> asyncio.Task[None]:
        """Start a task that ends with the connection."""
        ...


class EventStreams:
    """The open event streams."""

    def __init__(self, owner: Owner, header: str, options: Mapping[str, Any], limit: int) -> None:
        self._owner = owner
        self._header = header
        self._silence: float = options["silence"]
        self._quiet: float = options["quiet"]
        self._limit = limit
        self._streams: dict[str | None, _Stream] = {}

    def follow(self, session: str | None) -> asyncio.Future[int]:
        """Open the stream of a session, or of the connection. Returns the status code of its first response."""
        if session not in self._streams:
            self._streams[session] = self._open(session)
        return self._streams[session].first

    def _open(self, session: str | None) -> _Stream:
        stream = _Stream(self._owner, session, self._limit)
        stream.task = self._owner.run(stream.follow(self._header, self._silence))
        return stream

    def leave(self, session: str) -> None:
        """Close the stream of a session."""
        if (stream := self._streams.pop(session, None)) is not None and stream.task is not None:
            stream.task.cancel()
            if stream.last:
                self._owner.run(self._owner.acknowledge(session, stream.last))

    def forget(self, session: str) -> None:
        """Forget the stream of a session. It can be opened again."""
        self._streams.pop(session, None)

    def came_on(self, session: str | None) -> int:
        """The number of the last frame received on a stream; 0 if none."""
        stream = self._streams.get(session)
        return 0 if stream is None else stream.last

    def answer(self, session: str, frame: bytes, before: int) -> None:
        """Deliver a response that opens a session, after the frames that precede it on the session's stream."""
        stream = self._streams.get(session)
        self.follow(session)
        if stream is None or (before <= stream.last if self._owner.numbered else stream.heard is None):
            self._owner.deliver(frame)
        elif self._owner.numbered:
            stream.then.append((before, frame))
        else:
            self._owner.run(self._deliver_quietly(stream, frame))

    async def _deliver_quietly(self, stream: _Stream, frame: bytes) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + _NOISY * self._quiet
        while (quiet := loop.time() - (stream.heard or 0.0)) < self._quiet and loop.time() < until:  # noqa: ASYNC110
            await asyncio.sleep(self._quiet - quiet)
        await asyncio.sleep(self._quiet)
        self._owner.deliver(frame)


class _Stream:
    """One stream, which is reopened when it breaks."""

    def __init__(self, owner: Owner, session: str | None, limit: int) -> None:
        self._owner = owner
        self._session = session
        self._limit = limit
        self._tries = 0
        self.first: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """The status code of its first response; 0 if there was none."""
        self.heard: float | None = None
        """The time of its last data; None before it was opened and after it was closed."""
        self.task: asyncio.Task[None] | None = None
        self.last = 0
        """The number of the last received frame."""
        self.then: list[tuple[int, bytes]] = []
        """Responses received on another stream, each with the number of the frame that it must follow."""
        self._unacknowledged = 0

    async def follow(self, header: str, silence: float) -> None:
        """Read the stream until the server rejects it or the connection ends."""
        named = {} if self._session is None else {header: self._session}
        headers = {"Accept": _EVENTS, **self._owner.headers, **named}
        problem = ""
        try:
            while self._tries < _TRIES:
                try:
                    refused = await self._read(headers, silence)
                except OSError as error:
                    problem = str(error)
                except ValueError as error:
                    self._owner.end(str(error))
                    return
                else:
                    if refused is not None and refused.status < 500 and refused.status != _BUSY:
                        self._refused(refused)
                        return
                    problem = "the server ended it" if refused is None else refused.refusal
                self._tries += 1
                await asyncio.sleep(random.uniform(0, min(0.05 * 2**self._tries, 5)))  # noqa: S311  # spreads clients, keeps no secret
            self._owner.end(f"its event stream cannot be opened: {problem}")
        finally:
            if not self.first.done():
                self.first.set_result(0)
            self.heard = None
            self._release()

    async def _read(self, headers: Mapping[str, str], silence: float) -> Response | None:
        """Read events until the stream ends. Returns the response if the server rejects it."""
        last = {ACKNOWLEDGED: str(self.last)} if self._owner.numbered else {}
        self._unacknowledged = 0
        async with self._owner.backend(self._session).stream({**headers, **last}, silence) as response:
            if response.status != _BUSY and not self.first.done():
                self.first.set_result(response.status)
            if response.status != 200:
                try:
                    async with asyncio.timeout(silence):
                        return await response.whole(self._limit)
                except TimeoutError:
                    raise TimeoutError(f"the response {response.status} was incomplete after {silence:g} s") from None
            self.heard = self.heard or 0.0
            await self._take(response)
        return None

    async def _take(self, response: StreamingResponse) -> None:
        events = EventParser(self._limit)
        loop = asyncio.get_running_loop()
        while chunk := await response.more():
            for id, frame in events.feed(chunk):
                self._tries = 0
                self.heard = loop.time()
                number, before = numbers_in(id) if self._owner.numbered else (0, 0)
                if number and number <= self.last:
                    continue
                self.last = number or self.last
                self._unacknowledged += len(frame)
                self._owner.take(frame, self._session, before)
                if self.then:
                    self._release(number)
            await self._owner.room()
            if self.last and self._unacknowledged >= _ACKNOWLEDGED_AT:
                self._unacknowledged = 0
                self._owner.run(self._owner.acknowledge(self._session, self.last))

    def _release(self, number: int | None = None) -> None:
        """Deliver the responses that follow a frame; without a number, all."""
        ready = [frame for before, frame in self.then if number is None or before <= number]
        self.then = [each for each in self.then if number is not None and each[0] > number]
        for frame in ready:
            self._owner.deliver(frame)

    def _refused(self, response: Response) -> None:
        if self._session is not None and response.status not in (401, 403):
            self._owner.unheard(self._session, response)
        elif response.status == 404:
            self._owner.gone("the connection has ended")
        else:
            self._owner.end(response.refusal)
