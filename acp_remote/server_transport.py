"""The HTTP server transport: frames come as POSTs and leave on event streams.

Messages of a session leave on its stream, all others on the stream of the connection. A session is known from the answer
to the request that opened it; that answer leaves after the updates that were sent before it. The stream of a closed session
stays until its reader leaves, because a closed session can still be deleted. Each session has a queue of its own: if nobody
reads its stream, only senders to that session wait, until all queues together reach the limit of the connection.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Collection, Sequence
from functools import partial

from .interface import Runtime, Transport
from .responses import uncounted
from .routing import Route, Routes
from .sse import EventQueue

__all__ = ["HttpServerTransport"]

_ROOM = 1 << 20
"""Bytes that may wait for one reader before who sends to it has to wait."""
_ALL = 1 << 25
"""Bytes that may wait for all of them; where there are many sessions, each has its share of half of that."""


class HttpServerTransport(Transport):
    """A transport that an endpoint feeds with posted messages, and whose streams it sends."""

    def __init__(self, runtime: Runtime, routes: Routes, *, numbered: bool = False) -> None:
        self._runtime = runtime
        self.routes = routes
        self.numbered = numbered
        """Whether both ends number frames."""
        self._numbers = itertools.count(1) if numbered else None
        self.opening: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        """The response to the request that opens the connection."""
        self.connection = EventQueue(self._moved, self._numbers)
        self.sessions: dict[str, EventQueue] = {}
        self._crowded: dict[str, None] = {}
        self.queued: Callable[[int], None] = uncounted
        """Called with the bytes of a frame that was queued."""
        self.progress = 0.0
        """When something was last taken, by the clock of the event loop."""
        self._tentative: dict[str, None] = {}
        """Sessions that have a stream and are not open: no answer has named them yet, or one has closed them."""
        self._aside: set[str] = set()
        """Sessions that are being opened, whose stream nobody has asked for: what is said of them leaves on the connection's."""
        self._inbox: list[bytes] = []
        self._held = 0
        self._arrived = runtime.waiters()
        self._ended = False
        self._room = runtime.waiters()
        self._posters = runtime.waiters()

    # What the endpoint does

    async def post(self, frame: bytes, route: Route | None) -> None:
        """Take a frame of the client; waits while much was posted that has not been read. ConnectionClosed once it has ended."""
        if self._ended:
            raise self._runtime.connection_closed("the connection has ended")
        if route is not None and route.opens and not route.answers and route.session is not None:
            box = self.sessions.get(route.session)
            if box is None or (box.reader is None and not self.numbered):
                self._aside.add(route.session)
        self._inbox.append(frame)
        self._held += len(frame)
        self.queued(len(frame))
        self._arrived.wake()
        while self._held > _ROOM and not self._ended and route is not None and not route.answers:
            await self._posters.wait()

    def stream(self, session: str) -> EventQueue | None:
        """The stream of a session; None where the session is not known."""
        return self.sessions.get(session)

    def expect(self, session: str) -> EventQueue:
        """A stream for a session that is not known, and may be opened soon."""
        self._tentative[session] = None
        return self._box(session)

    def forget(self, session: str) -> None:
        """A session that is not open is forgotten, unless its stream has a reader, something waits for one, or is being asked for."""
        box = self.sessions.get(session)
        if box is None or session not in self._tentative or box.reader is not None or box.size + box.unacknowledged:
            return
        if not self.numbered or all(about != session for _, about in self.routes.served.values()):
            del self._tentative[session]
            self.sessions.pop(session).finish()

    def acknowledge(self, session: str | None, number: int) -> None:
        """The client has everything up to a number of the stream of a session, or of the connection."""
        box = self.connection if session is None else self.sessions.get(session)
        if box is not None:
            box.acknowledge(number)
            self.forget(session or "")

    def finish(self) -> None:
        """The client is gone, or the server is about to be."""
        self._ended = True
        self._arrived.wake()
        self._posters.wake()

    @property
    def read(self) -> bool:
        """Whether anyone reads one of its streams."""
        return self.connection.reader is not None or any(box.reader is not None for box in self.sessions.values())

    @property
    def held(self) -> int:
        """Bytes that wait here, in both directions."""
        return self._held + self._waiting()

    @property
    def ended(self) -> bool:
        """Whether nothing more is taken."""
        return self._ended

    # What its user does

    async def receive(self) -> Sequence[bytes]:
        while not self._inbox:
            if self._ended:
                return ()
            await self._arrived.wait()
        frames, self._inbox, self._held = self._inbox, [], 0
        self._posters.wake()
        return frames

    def write(self, frame: bytes) -> None:
        self.queued(len(frame))
        route = self.routes.sent(frame)
        if route is None:
            self.connection.put(frame)
        elif route.answers and route.method == self.routes.opening and not self.opening.done():
            self.opening.set_result(frame)
        elif route.answers and route.opens:
            self._opened(route, frame)
        else:
            box = None
            if route.session is not None and route.session not in self._aside:
                box = self.sessions.get(route.session)
            (box or self.connection).put(frame)
            if box is not None and box.size > self._share() and route.session is not None:
                self._crowded[route.session] = None
            if route.answers and route.closes and not route.failed and route.session in self.sessions:
                self._tentative[route.session] = None
                self.forget(route.session)

    def full(self) -> bool:
        return self.connection.size > _ROOM or (bool(self._crowded) and self._waiting() > _ALL)

    @property
    def crowded(self) -> Collection[str]:
        return self._crowded.keys()

    @property
    def neglected(self) -> bool:
        """Whether something has no room, and its client reads no stream that has."""
        boxes = [self.connection, *(box for name, box in self.sessions.items() if name not in self._crowded)]
        return self.full() or (bool(self._crowded) and all(box.reader is None for box in boxes))

    async def drain_session(self, session: str) -> None:
        while session in self._crowded:
            if self._ended:
                raise BrokenPipeError("the client is gone")
            await self._room.wait()

    async def drain(self) -> None:
        while self.full():
            if self._ended:
                raise BrokenPipeError("the client is gone")
            await self._room.wait()

    def close(self) -> None:
        self.finish()
        for box in (self.connection, *self.sessions.values()):
            box.finish()
        if not self.opening.done():
            self.opening.cancel()
        self._room.wake()

    async def wait_closed(self) -> None:
        while any(box.size and box.reader is not None for box in (self.connection, *self.sessions.values())):
            await self._room.wait()

    def hung_up(self) -> bool:
        return self._ended

    # Inside

    def _opened(self, route: Route, frame: bytes) -> None:
        """Answer a request that opens a session."""
        session = route.named
        self._aside.discard(route.about or "")
        send: Callable[[], None] = partial(self.connection.put, frame)
        if session is None or route.failed:
            send()
            self.forget(route.about or "")
            return
        self._tentative.pop(session, None)
        box = self._box(session)
        if self.numbered:
            self.connection.put(frame, box.last)
        else:
            box.after(send)

    def _box(self, session: str) -> EventQueue:
        if session not in self.sessions:
            self.sessions[session] = EventQueue(self._moved, self._numbers)
        return self.sessions[session]

    def _share(self) -> int:
        return min(_ROOM, _ALL // 2 // (len(self.sessions) + 1))

    def _waiting(self) -> int:
        return sum(box.size + box.unacknowledged for box in (self.connection, *self.sessions.values()))

    def _moved(self) -> None:
        self.progress = asyncio.get_running_loop().time()
        if self._crowded:
            share = self._share()
            for session in [
                name for name in self._crowded if name not in self.sessions or self.sessions[name].size <= share
            ]:
                del self._crowded[session]
        self._room.wake()
