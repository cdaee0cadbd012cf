"""Event streams on the client: one for the connection and one for each session.

A stream that breaks is opened anew, for the server keeps what waits; when it does not know the connection any more, the
connection is over. Streams do not wait for each other.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Any, Protocol

from .backend import HttpBackend, Response, StreamingResponse
from .sse import EventParser

__all__ = ["EventStreams", "Owner"]

_EVENTS = "text/event-stream"
_BUSY = 409
"""The answer of servers that have not noticed yet that the reader of a stream has left."""
_TRIES = 5
"""Times that a stream is opened in vain until the connection is given up."""
_QUIET = 0.02
"""Seconds without an event after which a session's stream has nothing more that was sent before an answer on another stream."""
_LAST = 2.0


class Owner(Protocol):
    """The transport that the streams deliver to."""

    headers: Mapping[str, str]
    """Those that name the connection."""

    def backend(self, session: str | None) -> HttpBackend:
        """The HTTP backend of a session, or of the connection."""
        ...

    def take(self, frame: bytes, session: str | None) -> None:
        """A frame has come."""
        ...

    async def room(self) -> None:
        """Wait while much has come that nobody has taken."""
        ...

    def unheard(self, session: str, response: Response) -> None:
        """The stream of a session was refused."""
        ...

    def end(self, why: str) -> None:
        """There is no going on."""
        ...

    def run(self, coroutine: Any) -> asyncio.Task[None]:
        """A task that ends with the connection."""
        ...


class EventStreams:
    """The streams that are followed."""

    def __init__(self, owner: Owner, header: str, options: Mapping[str, Any], limit: int) -> None:
        self._owner = owner
        self._header = header
        self._silence: float = options.get("silence", 90.0)
        self._limit = limit
        self._streams: dict[str, _Stream] = {}

    def follow(self, session: str | None) -> asyncio.Future[int]:
        """Follow the stream of a session, or of the connection; the status of its first answer."""
        if session is None:
            return self._open(None).first
        if session not in self._streams:
            self._streams[session] = self._open(session)
        return self._streams[session].first

    def _open(self, session: str | None) -> _Stream:
        stream = _Stream(self._owner, session, self._limit)
        stream.task = self._owner.run(stream.follow(self._header, self._silence))
        return stream

    def leave(self, session: str) -> None:
        """Follow the stream of a session no more: it is closed."""
        if (stream := self._streams.pop(session, None)) is not None and stream.task is not None:
            stream.task.cancel()

    def forget(self, session: str) -> None:
        """Whoever wants the stream of a session again opens another one."""
        self._streams.pop(session, None)

    def speaks(self, session: str) -> bool:
        """Whether something may come on the stream of a session."""
        stream = self._streams.get(session)
        return stream is not None and stream.heard is not None

    async def silent(self, session: str) -> None:
        """Wait until what was sent on the stream of a session by now has come, as far as that can be known."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _LAST
        while (quiet := loop.time() - self._heard(session)) < _QUIET and loop.time() < until:  # noqa: ASYNC110
            await asyncio.sleep(_QUIET - quiet)
        await asyncio.sleep(_QUIET)

    def _heard(self, session: str) -> float:
        stream = self._streams.get(session)
        return 0.0 if stream is None else stream.heard or 0.0


class _Stream:
    """One stream, opened as often as it breaks."""

    def __init__(self, owner: Owner, session: str | None, limit: int) -> None:
        self._owner = owner
        self._session = session
        self._limit = limit
        self._tries = 0
        self.first: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """The status of its first answer; 0 where there was none."""
        self.heard: float | None = None
        """When it brought something last; None while it was never open, and once it is followed no more."""
        self.task: asyncio.Task[None] | None = None

    async def follow(self, header: str, silence: float) -> None:
        """Follow it until it is refused, or the connection is over."""
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

    async def _read(self, headers: Mapping[str, str], silence: float) -> Response | None:
        """Take what comes until it ends; the answer that refuses it."""
        async with self._owner.backend(self._session).stream(headers, silence) as response:
            if response.status != _BUSY and not self.first.done():
                self.first.set_result(response.status)
            if response.status != 200:
                try:
                    async with asyncio.timeout(silence):
                        return await response.whole(self._limit)
                except TimeoutError:
                    raise TimeoutError(
                        f"the end of the response {response.status} did not come within {silence:g} s"
                    ) from None
            self.heard = self.heard or 0.0
            await self._take(response)
        return None

    async def _take(self, response: StreamingResponse) -> None:
        events = EventParser(self._limit)
        loop = asyncio.get_running_loop()
        while chunk := await response.more():
            for frame in events.feed(chunk):
                self._tries = 0
                self.heard = loop.time()
                self._owner.take(frame, self._session)
            await self._owner.room()

    def _refused(self, response: Response) -> None:
        if self._session is not None and response.status not in (401, 403):
            self._owner.unheard(self._session, response)
        else:
            self._owner.end("the connection has ended" if response.status == 404 else response.refusal)
