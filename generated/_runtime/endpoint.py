# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""An ASGI application that makes wires: what is spoken over HTTP and WebSocket, on one path, without a word about what it means.

The law, by what comes:

    POST     the opening request        a new connection: 200 with its answer, which the connection's header names
             anything else              202, once it was taken; what it leads to leaves on an event stream
    GET      ``Upgrade: websocket``     a new connection, both ways in text frames
             else                       an event stream, of the connection or of a session
    DELETE                              202, and the connection ends

    400  no connection named, the session not named or another one than in the message, no message   401, 403  ``doors``
    404  no such connection (of this caller), no such session                                       405, 406, 408, 413, 415, 501
    429, 503  too many connections, or the server is about to end
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Unpack

import msgspec

from ._base import Protocol
from .asgi import Reading, Receive, Scope, Send, below, refuse, respond
from .doors import Caller, Doors, EndpointOptions, Refusal
from .endpoint_http import Served
from .limits import FRAME_LIMIT
from .options import check_options
from .pongs import Pongs
from .posted import PostedWire
from .routes import Routes
from .sockets import SocketWire
from .tasks import start

__all__ = ["Accept", "Endpoint", "Visit"]

_DISCARDED = 5.0
"""Seconds for the body of a request that is turned away."""

_KEY = re.compile("[A-Za-z0-9+/]{21}[AQgw]==")
"""What a WebSocket is opened with (RFC 6455, 4.2.1); not every server library looks."""

logger = logging.getLogger(__name__)


class Visit:
    """One connection: its wire, and who opened it. ``busy`` says whether a request is open; whoever is visited may set it."""

    def __init__(self, id: str, wire: PostedWire | AsgiSocket, caller: Caller) -> None:
        self.id = id
        self.wire = wire
        self.caller = caller
        self.busy: Callable[[], bool] = lambda: False
        self.seen = asyncio.get_running_loop().time()
        """When its client last did something."""
        self.task: asyncio.Task[Any] | None = None
        """What serves it."""
        self.given_up = False
        self.arriving = 0
        """Bytes of bodies that are being read."""


Accept = Callable[[Visit], Awaitable[None]]
"""Serves a connection until it ends."""


class AsgiSocket(SocketWire):
    """A WebSocket of the server."""

    def __init__(self, receive: Receive, send: Send, pings: float | None = None) -> None:
        super().__init__()
        self._receive = receive
        self._send = send
        self.heard = False
        """Whether its client has said anything."""
        self.pongs = Pongs(send, pings)

    async def receive(self) -> tuple[bytes, ...]:
        while True:
            event = await self._receive()
            if event["type"] == "websocket.disconnect":
                self.left()
                return ()
            text = event.get("text")
            if text is not None:  # binary frames are ignored
                self.heard = True
                return (text.encode(),)

    async def send_text(self, text: str) -> None:
        await self._send({"type": "websocket.send", "text": text})

    async def send_close(self) -> None:
        await self._send({"type": "websocket.close", "code": 1001})


class Endpoint:
    """An ASGI application that makes a wire of each connection. ``accept`` is called with each connection, and serves it.

    ``path`` is the endpoint's below where it is mounted. ``drain`` ends it in order; the lifespan of the server does so at its end.
    """

    def __init__(
        self,
        protocol: Protocol,
        side: str,
        accept: Accept,
        frame_limit: int = FRAME_LIMIT,
        **options: Unpack[EndpointOptions],
    ) -> None:
        check_options(options, EndpointOptions.__annotations__)
        if protocol.remote is None:
            raise RuntimeError(
                "the schema of this package does not say how the protocol is spoken over HTTP: `x-remote`"
            )
        self.protocol = protocol
        self.remote = protocol.remote
        self.routes = Routes(protocol)
        self.side = side
        self.accept = accept
        self.frame_limit = frame_limit
        self.options = options
        self.path = options.get("path", protocol.remote.path).rstrip("/")
        self.doors = Doors(options)
        self.visits: dict[str, Visit] = {}
        self.draining = False
        self.pings: float | None = None
        """Seconds between the pings of WebSockets, where those of the server are not to be relied on."""
        self._by_identity: Counter[str] = Counter()
        self._ended = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    # The application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What a server calls."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        path = below(scope)
        if scope["type"] == "http" and path == self.options.get("health", "/health"):
            await self._tell_health(send)
            return
        http = scope["type"] == "http"
        reading = Reading(receive) if http else receive
        try:
            await self._admit(path, scope, reading, send)
        except Refusal as refusal:
            if isinstance(reading, Reading):
                await reading.discard(self.frame_limit, min(self.options.get("body_timeout", 30.0), _DISCARDED))
            await refuse(refusal, scope, send)

    async def _admit(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        http = scope["type"] == "http"
        if path.rstrip("/") != self.path:
            raise Refusal(404, f"the endpoint is {self.path or '/'}")
        if http and scope["method"] == "OPTIONS":
            await Served(self, scope, receive, send, Caller(headers={}, address=None)).preflight()
            return
        caller = await self.doors.admit(scope)
        if http:
            await Served(self, scope, receive, send, caller).answer()
        else:
            await self._converse(caller, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.drain()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _tell_health(self, send: Send) -> None:
        state = "draining" if self.draining else "ok"
        body = msgspec.json.encode({"status": state, "connections": len(self.visits)})
        await respond(send, 503 if self.draining else 200, body)

    async def _converse(self, caller: Caller, receive: Receive, send: Send) -> None:
        """A connection over a WebSocket."""
        key = caller.headers.get("sec-websocket-key")
        if key is not None and not _KEY.fullmatch(key):  # over HTTP/2 there is none
            raise Refusal(400, "Sec-WebSocket-Key is not sixteen bytes in base64")
        await receive()  # its connect event
        socket = AsgiSocket(receive, send, self.pings)
        visit = self.enter(socket, caller)
        try:
            name = self.remote.connection.lower().encode()
            await send({"type": "websocket.accept", "headers": [(name, visit.id.encode())]})
            socket.pongs.begin()
            await self._serve(visit)
        finally:
            socket.pongs.end()
            self.leave(visit)

    # Connections

    def enter(self, wire: PostedWire | AsgiSocket, caller: Caller) -> Visit:
        """A new connection; Refusal where there may be no more."""
        if self.draining:
            raise Refusal(503, "the server is about to end", (b"retry-after", b"5"))
        if len(self.visits) >= self.options.get("connections", 20_000):
            raise Refusal(503, "too many connections are open", (b"retry-after", b"5"))
        each = self.options.get("connections_each")
        if each is not None and self._by_identity[caller.identity] >= each:
            raise Refusal(429, "this caller has too many connections open")
        visit = Visit(secrets.token_urlsafe(24), wire, caller)
        self.visits[visit.id] = visit
        self._by_identity[caller.identity] += 1
        if self._keeper is None:
            self._keeper = start(self._keep())
        return visit

    def leave(self, visit: Visit) -> None:
        """A connection is over; may be called twice."""
        if self.visits.pop(visit.id, None) is None:
            return
        self._by_identity[visit.caller.identity] -= 1
        if not self._by_identity[visit.caller.identity]:
            del self._by_identity[visit.caller.identity]
        self._ended.set()
        if not self.visits and self._keeper is not None:
            self._keeper.cancel()
            self._keeper = None

    def find(self, id: str, caller: Caller) -> Visit:
        """The connection of that id, if the caller opened it."""
        visit = self.visits.get(id)
        if visit is None or visit.caller.identity != caller.identity or not isinstance(visit.wire, PostedWire):
            raise Refusal(404, "there is no such connection: open one")
        if visit.wire.ended:
            raise Refusal(404, "the connection has ended: open another one")
        visit.seen = asyncio.get_running_loop().time()
        return visit

    def open_posted(self, caller: Caller) -> Visit:
        """A new connection over HTTP, and the task that serves it."""
        visit = self.enter(PostedWire(Routes(self.protocol)), caller)
        start(self._serve_posted(visit))
        return visit

    async def _serve_posted(self, visit: Visit) -> None:
        try:
            await self._serve(visit)
        finally:
            self.leave(visit)

    async def _serve(self, visit: Visit) -> None:
        visit.task = task = asyncio.current_task()
        try:
            await self.accept(visit)
        except asyncio.CancelledError:
            if not visit.given_up or task is None or task.uncancel():
                raise
        except ConnectionError as error:
            logger.debug("connection of %r: %s", visit.caller.identity, error)
        except Exception:
            logger.exception("serving a connection failed")
        finally:
            visit.task = None
            visit.wire.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await visit.wire.wait_closed()

    # Time

    async def _keep(self) -> None:
        """End connections that nobody uses any more, or whose client takes nothing, or is not there."""
        idle, unread = self.options.get("idle_timeout", 300.0), self.options.get("unread_timeout", 60.0)
        ping = self.options.get("ping", 15.0)
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(max(0.01, min(idle / 4, unread / 4, ping)))
            now = loop.time()
            for visit in list(self.visits.values()):
                wire = visit.wire
                neglected = wire.neglected
                if not neglected:
                    wire.progress = max(wire.progress, now - unread / 2)
                if neglected and now - wire.progress > unread:
                    logger.warning("a client took nothing for %g seconds: its connection ends", unread)
                    self._end(visit)
                elif isinstance(wire, AsgiSocket) and wire.pongs.missing:
                    logger.debug("a client answers no pings: its connection ends")
                    self._end(visit)
                elif now - visit.seen > idle and not visit.busy() and not _used(wire):
                    logger.debug("a connection was idle for %g seconds and ends", idle)
                    self._end(visit)

    @staticmethod
    def _end(visit: Visit) -> None:
        """Give a connection up: whatever serves it is cancelled."""
        visit.given_up = True
        visit.wire.abort()
        if visit.task is not None:
            visit.task.cancel()

    async def drain(self, timeout: float | None = None) -> None:
        """Take no more connections, let open requests end, then end every connection; after the timeout, at once."""
        self.draining = True
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (self.options.get("drain_timeout", 20.0) if timeout is None else timeout)
        while any(visit.busy() for visit in self.visits.values()) and loop.time() < deadline:
            await asyncio.sleep(0.02)
            for visit in [visit for visit in self.visits.values() if not visit.busy()]:
                visit.wire.finish()
        for visit in list(self.visits.values()):
            visit.wire.finish()
        patience = loop.time() + 3
        while self.visits and loop.time() < patience:
            self._ended.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(patience):
                    await self._ended.wait()
        for visit in list(self.visits.values()):
            self._end(visit)


def _used(wire: PostedWire | AsgiSocket) -> bool:
    """Whether a client still has hold of its connection: it reads a stream, or has a socket on which it said something."""
    return wire.heard if isinstance(wire, AsgiSocket) else wire.read
