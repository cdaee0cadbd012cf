"""The open connections: their owners, their maximum number, and the removal of unused ones.

A connection belongs to the identity that opened it; for any other caller it does not exist. A background task ends
connections that are idle, whose client reads nothing, or whose client has vanished.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from .interface import Runtime
from .routing import Routes
from .security import Rejected
from .server_transport import HttpServerTransport
from .websocket import ServerWebSocket

logger = logging.getLogger(__name__)

_UNKNOWN = (
    "unknown connection: send initialize to open a new one. If there are several servers, the load balancer must send "
    "all requests of a client to the same one (sticky sessions)"
)


_SWEEP = 2.0
"""Seconds between two checks of the connections."""
_SHARE = 16
"""The total size is recomputed each time that this fraction (1/16) of `memory` was queued."""


def _unknown() -> bool:
    return False


class ServerConnection:
    """One connection, with its transport and owner. ``busy`` returns whether a request is pending."""

    def __init__(self, id: str, transport: HttpServerTransport | ServerWebSocket, caller: Any) -> None:
        self.id = id
        self.transport = transport
        self.caller = caller
        self.busy: Callable[[], bool] = _unknown
        self.seen = asyncio.get_running_loop().time()
        """The time of the client's last activity."""
        self.task: asyncio.Task[Any] | None = None
        """The task that handles the connection."""
        self.given_up = False
        self.arriving = 0
        """Bytes of request bodies that are being read."""


Accept = Callable[[ServerConnection], Awaitable[None]]
"""Handles a connection until it ends."""


class ConnectionManager:
    """The open connections of an endpoint."""

    def __init__(self, runtime: Runtime, accept: Accept, options: Mapping[str, Any]) -> None:
        self._runtime = runtime
        self._accept = accept
        self._options = options
        self.connections: dict[str, ServerConnection] = {}
        self.memory: int = options["memory"]
        """Maximum bytes that all connections together may buffer, and again that all incoming requests may use."""
        self.arriving = 0
        """Bytes of incoming requests."""
        self._queued = 0
        """Bytes queued since the total was last computed."""
        self.draining = False
        self._by_identity: Counter[str] = Counter()
        self._ended = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    def enter(self, transport: HttpServerTransport | ServerWebSocket, caller: Any) -> ServerConnection:
        """Add a connection. Raises Rejected at the maximum number."""
        if self.draining:
            raise Rejected(503, "the server is shutting down", (b"retry-after", b"5"))
        if len(self.connections) >= self._options["connections"]:
            raise Rejected(503, "too many connections are open", (b"retry-after", b"5"))
        each = self._options["connections_each"]
        if each is not None and self._by_identity[caller.identity] >= each:
            raise Rejected(429, "this caller has too many open connections")
        connection = ServerConnection(secrets.token_urlsafe(24), transport, caller)
        self.connections[connection.id] = connection
        transport.queued = self._count
        self._by_identity[caller.identity] += 1
        if self._keeper is None:
            self._keeper = self._runtime.start(self._keep())
        return connection

    def leave(self, connection: ServerConnection) -> None:
        """Remove a connection; may be called twice."""
        if self.connections.pop(connection.id, None) is None:
            return
        self._by_identity[connection.caller.identity] -= 1
        if not self._by_identity[connection.caller.identity]:
            del self._by_identity[connection.caller.identity]
        self._ended.set()
        if not self.connections and self._keeper is not None:
            self._keeper.cancel()
            self._keeper = None

    def find(self, id: str, caller: Any) -> ServerConnection:
        """The HTTP connection with an id, if the caller opened it. Raises Rejected otherwise."""
        connection = self.connections.get(id)
        if (
            connection is None
            or connection.caller.identity != caller.identity
            or not isinstance(connection.transport, HttpServerTransport)
        ):
            raise Rejected(404, _UNKNOWN)
        if connection.transport.ended:
            raise Rejected(404, "the connection has ended: open a new one")
        connection.seen = asyncio.get_running_loop().time()
        return connection

    def open_http(self, caller: Any, *, numbered: bool) -> ServerConnection:
        """Add a connection over HTTP, and start its task."""
        connection = self.enter(HttpServerTransport(self._runtime, Routes(self._runtime), numbered=numbered), caller)
        self._runtime.start(self._serve_and_leave(connection))
        return connection

    async def _serve_and_leave(self, connection: ServerConnection) -> None:
        try:
            await self.serve(connection)
        finally:
            self.leave(connection)

    async def serve(self, connection: ServerConnection) -> None:
        """Handle a connection until it ends, then close its transport."""
        connection.task = task = asyncio.current_task()
        try:
            await self._accept(connection)
        except asyncio.CancelledError:
            if not connection.given_up or task is None or task.uncancel():
                raise
        except ConnectionError as error:
            logger.debug("connection of %r: %s", connection.caller.identity, error)
        except Exception:
            logger.exception("serving a connection failed")
        finally:
            connection.task = None
            connection.transport.close()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await connection.transport.wait_closed()

    # Time

    async def _keep(self) -> None:
        """End connections that are unused, whose client reads nothing, or whose client has disconnected."""
        idle, unread = self._options["idle_timeout"], self._options["unread_timeout"]
        ping, first = self._options["ping"], self._options["request_timeout"]
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(max(0.01, min(idle / 4, unread / 4, ping, first, _SWEEP)))
            now = loop.time()
            for connection in list(self.connections.values()):
                transport = connection.transport
                neglected = transport.neglected
                if not neglected:
                    transport.progress = max(transport.progress, now - unread / 2)
                if neglected and now - transport.progress > unread:
                    logger.warning("closing a connection whose client read nothing for %g seconds", unread)
                    self._end(connection)
                elif isinstance(transport, ServerWebSocket) and transport.keepalive.missing:
                    logger.debug("closing a connection whose client does not answer pings")
                    self._end(connection)
                elif isinstance(transport, ServerWebSocket) and not transport.heard and now - connection.seen > first:
                    logger.debug("closing a WebSocket without messages for %g seconds", first)
                    self._end(connection)
                elif now - connection.seen > idle and not connection.busy() and not _used(transport):
                    logger.debug("closing a connection that was idle for %g seconds", idle)
                    self._end(connection)

    def _count(self, size: int) -> None:
        """Count queued bytes, and schedule a check of the memory limit."""
        before, self._queued = self._queued, self._queued + size
        share = self.memory // _SHARE
        if before <= share < self._queued:
            asyncio.get_running_loop().call_soon(self._shed)

    def _shed(self) -> None:
        """End the largest connections until the total is within the limit."""
        self._queued = 0
        held = sum(connection.transport.held for connection in self.connections.values())
        while held > self.memory:
            most = max(self.connections.values(), key=lambda each: each.transport.held)
            held -= most.transport.held
            logger.warning(
                "closed a connection with %d queued bytes, because all connections together exceed `memory`",
                most.transport.held,
            )
            self._end(most)
            self.leave(most)

    @staticmethod
    def _end(connection: ServerConnection) -> None:
        """Cancel the task of a connection."""
        connection.given_up = True
        connection.transport.abort()
        if connection.task is not None:
            connection.task.cancel()

    async def drain(self, timeout: float | None = None) -> None:
        """Accept no more connections, wait for pending requests, then end every connection. After the timeout, end
        immediately.
        """
        self.draining = True
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (self._options["drain_timeout"] if timeout is None else timeout)
        while any(_busy(connection) for connection in self.connections.values()) and loop.time() < deadline:
            await asyncio.sleep(0.02)
            for connection in [each for each in self.connections.values() if not _busy(each)]:
                _finish(connection)
        for connection in list(self.connections.values()):
            _finish(connection)
        patience = loop.time() + 3
        while self.connections and loop.time() < patience:
            self._ended.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(patience):
                    await self._ended.wait()
        for connection in list(self.connections.values()):
            self._end(connection)


def _finish(connection: ServerConnection) -> None:
    """End a connection gracefully, and tell the client whether all requests that were read have responses."""
    transport = connection.transport
    if isinstance(transport, ServerWebSocket) and connection.busy is not _unknown and not connection.busy():
        transport.drained = True
    transport.finish()


def _busy(connection: ServerConnection) -> bool:
    """Return whether a request has no response yet, even if no handler has taken it."""
    transport = connection.transport
    return connection.busy() or (isinstance(transport, HttpServerTransport) and bool(transport.routes.served))


def _used(transport: HttpServerTransport | ServerWebSocket) -> bool:
    """Return whether a client uses its connection: it reads a stream, or was active on a WebSocket."""
    return transport.heard if isinstance(transport, ServerWebSocket) else transport.read
