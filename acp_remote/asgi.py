"""ASGI application of an endpoint: HTTP and WebSocket on one path. It does not interpret messages.

The response, by method:

    POST     the opening request        a new connection: 200 with the response; a header names the connection
             any other message          202 when it was read; responses and requests to the client use an event stream
    GET      ``Upgrade: websocket``     a new connection, with text frames in both directions
             otherwise                  an event stream, of the connection or of a session
    DELETE                              202, and the connection ends

    400        not a message; no connection named; no session named, or not the session of the message
    401, 403   see ``security``
    404        a connection or session that the caller does not have
    429, 503   too many connections, or the server is shutting down
    405, 406, 408, 413, 415, 501 have their usual meanings.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from .interface import Connect, Limits, Runtime, check_interface
from .manager import Accept, ConnectionManager, ServerConnection
from .responses import Receive, RequestBody, Scope, Send, below, reject, respond
from .routing import Routes
from .security import AccessPolicy, Rejected, headers_of
from .server import HttpRequest
from .websocket import ServerWebSocket

logger = logging.getLogger(__name__)

_DISCARDED = 5.0
"""Seconds for the body of a request that is rejected."""

_KEY = re.compile("[A-Za-z0-9+/]{21}[AQgw]==")
"""The key of a WebSocket upgrade (RFC 6455, 4.2.1). Not every server library checks it."""


class Endpoint:
    """An ASGI application that creates a transport for each connection and passes it to ``accept``.

    `runtime`: of the generated package. `side`: the side that is served, for example ``agent``. `options`: the
    package's ``HostOptions`` without options of connections. `limits`: limits of the connections; only the frame
    limit is used here. ``path`` is relative to the mount point. ``drain`` shuts the application down gracefully; so
    does the end of the server's lifespan.
    """

    def __init__(
        self, runtime: Runtime, side: str, accept: Accept, limits: Limits | None = None, **options: Any
    ) -> None:
        check_interface(runtime)
        runtime.check_options(options, runtime.endpoint_options)
        remote = runtime.table.remote
        if remote is None:
            raise RuntimeError("the schema of this package lacks `x-remote`, which HTTP needs")
        self.runtime = runtime
        self.remote = remote
        self.routes = Routes(runtime)
        self.side = side
        self.frame_limit = runtime.frame_limit if limits is None else limits.frame
        self.options = options = {**runtime.endpoint_options, **options}
        self.path = (remote.path if options["path"] is None else str(options["path"])).rstrip("/")
        self.health: str | None = options["health"]
        self.ready: str | None = options["ready"]
        self.access = AccessPolicy(runtime.caller, options)
        self.manager = ConnectionManager(runtime, accept, options)
        self.pings: float | None = None
        """Seconds between pings that this application sends on WebSockets. None: the server library sends pings."""

    @property
    def draining(self) -> bool:
        """True if it accepts no more connections."""
        return self.manager.draining

    async def drain(self, timeout: float | None = None) -> None:
        """Accept no more connections, wait for pending requests, then end every connection. After the timeout, end
        immediately.
        """
        await self.manager.drain(timeout)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, a WebSocket or the lifespan of the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        path = below(scope)
        http = scope["type"] == "http"
        body = RequestBody(receive) if http else receive
        try:
            await self._admit(path, scope, body, send)
        except Rejected as rejected:
            client: Any = scope.get("client")
            from_, method = client[0] if client else "?", scope["method"] if http else "WebSocket"
            logger.info("rejected %s from %s: %d, %s", method, from_, rejected.status, rejected.reason)
            if isinstance(body, RequestBody):
                await body.discard(self.frame_limit, min(self.options["body_timeout"], _DISCARDED))
            await reject(rejected, scope, send)

    async def _admit(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        http = scope["type"] == "http"
        if path.rstrip("/") != self.path:
            if not http or path not in (self.health, self.ready):
                raise Rejected(404, f"the endpoint is {self.path or '/'}")
            self.access.check_host(headers_of(scope))
            waits = path == self.ready and self.draining
            await respond(send, 503 if waits else 200, b'{"status":"draining"}' if waits else b'{"status":"ok"}')
            return
        if http and scope["method"] == "OPTIONS":
            await HttpRequest(self, scope, receive, send, self.runtime.caller(headers={}, address=None)).preflight()
            return
        caller = await self.access.admit(scope)
        if http:
            await HttpRequest(self, scope, receive, send, caller).answer()
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

    async def _converse(self, caller: Any, receive: Receive, send: Send) -> None:
        """Handle a connection over a WebSocket."""
        key = caller.headers.get("sec-websocket-key")
        if key is not None and not _KEY.fullmatch(key):  # over HTTP/2 there is none
            raise Rejected(400, "Sec-WebSocket-Key is not sixteen bytes in base64")
        stream: Any = getattr(send, "__self__", None)
        if hasattr(
            stream, "handshake"
        ):  # hypercorn's: it would accept permessage-deflate, without a limit of what comes out
            stream.handshake.extensions = None
            stream.buffer.extend = partial(self._extend, stream, stream.buffer.extend)
        await receive()  # its connect event
        socket = ServerWebSocket(self.runtime, receive, send, self.pings, lambda: self.draining)
        connection = self.manager.enter(socket, caller)
        try:
            name = self.remote.connection.lower().encode()
            await send({"type": "websocket.accept", "headers": [(name, connection.id.encode())]})
            socket.keepalive.begin()
            await self.manager.serve(connection)
        finally:
            socket.keepalive.end()
            self.manager.leave(connection)

    def _extend(self, stream: Any, extend: Callable[[Any], None], event: Any) -> None:
        """Limit hypercorn's message buffer. hypercorn sends a Close frame at the limit, but would buffer later data."""
        try:
            extend(event)
        except Exception:
            stream.buffer.value = None
            stream.buffer.extend = _drop
            self.runtime.start(stream.app_put({"type": "websocket.disconnect", "code": 1009}))
            raise


def _drop(_: Any) -> None:
    """Discard data after the end."""


def application(runtime: Runtime, side: str, connect: Connect, **options: Any) -> Endpoint:
    """An endpoint that creates a connection of the package on each transport, by `connect`."""

    async def accept(opened: ServerConnection) -> None:
        connection = connect(opened.transport, opened.caller)
        opened.busy = lambda: connection.busy
        await connection.serve()

    return Endpoint(runtime, side, accept, **options)
