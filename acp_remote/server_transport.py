"""The HTTP server transport: frames arrive as POSTs, and leave on event streams.

Messages of a session are sent on its stream, all others on the stream of the connection. The response that opens a
session makes the session known; it is sent after earlier updates of the session. The stream of a closed session stays
open until its reader leaves, because a closed session can still be deleted.

Each session has its own queue. If nobody reads its stream, only senders to that session wait, until all queues together
reach the limit of the connection.
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

_ROOM = 1 << 20
"""Bytes that may be queued for one reader before its senders wait."""
_ALL = 1 << 25
"""Bytes that may be queued for all readers. With many sessions, each has its share of half of that."""


class HttpServerTransport(Transport):
    """A transport that receives posted messages and sends on event streams."""

    def __init__(self, runtime: Runtime, routes: Routes, *, numbered: bool = False) -> None:
        self._runtime = runtime
        self.routes = routes
        self.numbered = numbered
        """True if both ends number frames."""
        self._numbers = itertools.count(1) if numbered else None
        self.opening: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        """The response to the request that opens the connection."""
        self.connection = EventQueue(self._moved, self._numbers)
        self.sessions: dict[str, EventQueue] = {}
        self._crowded: dict[str, None] = {}
        self.queued: Callable[[int], None] = uncounted
        """Called with the size of each queued frame."""
        self.progress = 0.0
        """The time when a frame was last taken, by the clock of the event loop."""
        self._tentative: dict[str, None] = {}
        """Sessions with a stream that are not open: not opened yet, or already closed."""
        self._aside: set[str] = set()
        """Sessions being opened whose stream nobody has requested. Their messages are sent on the stream of the
        connection.
        """
        self._inbox: list[bytes] = []
        self._held = 0
        self._arrived = runtime.waiters()
        self._ended = False
        self._room = runtime.waiters()
        self._posters = runtime.waiters()

    # What the endpoint does

    async def post(self, frame: bytes, route: Route | None) -> None:
        """Accept a frame of the client, and wait while many are unread. Raises ConnectionClosed after the end."""
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
        """The stream of a session; None if the session is unknown."""
        return self.sessions.get(session)

    def expect(self, session: str) -> EventQueue:
        """A stream for an unknown session that may be opened soon."""
        self._tentative[session] = None
        return self._box(session)

    def forget(self, session: str) -> None:
        """Forget a session that is not open, unless its stream has a reader, queued frames or a pending request."""
        box = self.sessions.get(session)
        if box is None or session not in self._tentative or box.reader is not None or box.size + box.unacknowledged:
            return
        if not self.numbered or all(about != session for _, about in self.routes.served.values()):
            del self._tentative[session]
            self.sessions.pop(session).finish()

    def acknowledge(self, session: str | None, number: int) -> None:
        """Record that the client has received all frames of a stream up to a number."""
        box = self.connection if session is None else self.sessions.get(session)
        if box is not None:
            box.acknowledge(number)
            self.forget(session or "")

    def finish(self) -> None:
        """End the transport, because the client disconnected or the server is shutting down."""
        self._ended = True
        self._arrived.wake()
        self._posters.wake()

    @property
    def read(self) -> bool:
        """Return whether any stream has a reader."""
        return self.connection.reader is not None or any(box.reader is not None for box in self.sessions.values())

    @property
    def held(self) -> int:
        """Bytes that are queued here in both directions."""
        return self._held + self._waiting()

    @property
    def ended(self) -> bool:
        """True if it accepts no more frames."""
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
        """Return whether a stream is full and the client reads no other stream."""
        boxes = [self.connection, *(box for name, box in self.sessions.items() if name not in self._crowded)]
        return self.full() or (bool(self._crowded) and all(box.reader is None for box in boxes))

    async def drain_session(self, session: str) -> None:
        while session in self._crowded:
            if self._ended:
                raise BrokenPipeError("the client has disconnected")
            await self._room.wait()

    async def drain(self) -> None:
        while self.full():
            if self._ended:
                raise BrokenPipeError("the client has disconnected")
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
        """Send the response to a request that opens a session."""
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
