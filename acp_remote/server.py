"""One HTTP request to an endpoint: its checks, its effect on a connection, and the response."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from .interface import RemoteNames, Runtime
from .manager import ConnectionManager, ServerConnection
from .numbering import ACKNOWLEDGED, KEY, number_in, offer, take_offer
from .responses import Receive, Scope, Send, respond
from .routing import MAX_NAME, Route, Routes
from .security import AccessPolicy, Rejected
from .server_transport import HttpServerTransport
from .sse import EventQueue

_JSON = "application/json"
_EVENTS = "text/event-stream"
_METHODS = "DELETE, GET, OPTIONS, POST"
_OPENING = 1 << 20
"""Maximum bytes of the opening request."""
_MAX_OPEN = 20_000
"""Maximum number of pending requests of a connection."""


class Served(Protocol):
    """The interface of the endpoint to its requests."""

    @property
    def runtime(self) -> Runtime: ...
    @property
    def remote(self) -> RemoteNames: ...
    @property
    def routes(self) -> Routes: ...
    @property
    def side(self) -> str: ...
    @property
    def frame_limit(self) -> int: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def access(self) -> AccessPolicy: ...
    @property
    def manager(self) -> ConnectionManager: ...


class HttpRequest:
    """One HTTP request."""

    def __init__(self, endpoint: Served, scope: Scope, receive: Receive, send: Send, caller: Any) -> None:
        self._endpoint = endpoint
        self._runtime = endpoint.runtime
        self._options = endpoint.options
        self._remote = endpoint.remote
        self._scope = scope
        self._receive = receive
        self._send = send
        self._caller = caller

    async def answer(self) -> None:
        """Respond to the request. Raises Rejected to refuse it."""
        by_method = {"POST": self._post, "GET": self._get, "DELETE": self._delete}
        try:
            await by_method.get(self._scope["method"], self._reject_method)()
        except Rejected as rejected:
            raise Rejected(rejected.status, rejected.reason, *rejected.headers, *self._shared()) from None

    async def _reject_method(self) -> None:
        raise Rejected(405, f"the methods are {_METHODS}", (b"allow", _METHODS.encode()))

    async def preflight(self) -> None:
        """Respond to the preflight request of a browser."""
        origin = _header(self._scope, b"origin")
        if origin is None or not self._endpoint.access.knows(origin):
            raise Rejected(403, "web pages of this origin may not connect: list it in `origins`")
        asked = _header(self._scope, b"access-control-request-headers") or ""
        headers = {
            "access-control-allow-origin": origin,
            "access-control-allow-methods": _METHODS,
            "access-control-allow-headers": asked if asked.isprintable() else "",
            **({"access-control-allow-credentials": "true"} if self._endpoint.access.lists(origin) else {}),
            "access-control-max-age": "600",
            "vary": "origin",
        }
        await respond(
            self._send, 204, b"", *((name.encode(), value.encode("latin-1")) for name, value in headers.items())
        )

    # By method

    async def _post(self) -> None:
        kind = self._caller.headers.get("content-type", "")
        if kind.partition(";")[0].strip().lower() != _JSON:
            raise Rejected(415, f"a message is {_JSON}")
        id = self._named(self._remote.connection)
        opened = None if id is None else self._endpoint.manager.find(id, self._caller)
        frame = await self._body(opened)
        if frame.lstrip()[:1] == b"[":
            raise Rejected(501, "batches are not supported: post each message separately")
        if opened is None:
            await self._open(frame)
            return
        transport = _transport(opened)
        session = self._acknowledged(transport)
        number, box = self._numbered(transport, session)
        if transport.numbered and (not frame or number <= box.posted):  # an acknowledgement, or it has come before
            await respond(self._send, 202, b"", *self._shared())
            return
        routes = transport.routes
        if len(routes.served) > _MAX_OPEN:
            raise Rejected(503, "too many requests are pending", (b"retry-after", b"1"))
        route = routes.came(frame)
        if route is not None:
            self._check(route, routes)
        elif await self._fault(frame):
            return
        box.posted = number
        with contextlib.suppress(self._runtime.connection_closed):
            await transport.post(frame, route)
            await respond(self._send, 202, b"", *self._shared())
            return
        raise Rejected(404, "the connection has ended: open a new one")

    async def _open(self, frame: bytes) -> None:
        """Open a connection."""
        looked = Routes(self._runtime)
        route = looked.came(frame)
        if route is None and await self._fault(frame):
            return
        if route is None or route.answers or route.method != looked.opening or route.id is msgspec.UNSET:
            raise Rejected(
                400, f"{self._remote.connection} is missing: the request {looked.opening} opens a connection"
            )
        frame, numbered = take_offer(frame, "params")
        opened = self._endpoint.manager.open_http(self._caller, numbered=numbered)
        transport = _transport(opened)
        transport.routes.came(frame)
        await transport.post(frame, route)
        try:
            async with asyncio.timeout(self._options["opening_timeout"]):
                answer = await asyncio.shield(transport.opening)
        except TimeoutError:
            transport.close()
            raise Rejected(504, f"no response to {route.method} in time") from None
        except asyncio.CancelledError:
            if not transport.opening.cancelled():  # it is this request that is given up
                transport.close()
                raise
            raise Rejected(502, f"the connection ended before {route.method} was answered") from None
        named = self._remote.connection.lower().encode()
        if numbered:
            answer = offer(answer, "result")
        await respond(self._send, 200, self._with_id(answer, opened.id), (named, opened.id.encode()), *self._shared())

    async def _get(self) -> None:
        accepted = [
            part.partition(";")[0].strip().lower() for part in self._caller.headers.get("accept", "").split(",")
        ]
        if _EVENTS not in accepted:
            raise Rejected(406, f"Accept must have {_EVENTS}")
        id = self._named(self._remote.connection)
        if id is None:
            raise Rejected(400, f"{self._remote.connection} is missing")
        opened = self._endpoint.manager.find(id, self._caller)
        transport = _transport(opened)
        session = self._acknowledged(transport)
        if session is None:
            await self._stream(opened, transport.connection)
            return
        box = self._box(transport, session)
        try:
            await self._stream(opened, box)
        finally:
            transport.forget(session)

    async def _delete(self) -> None:
        id = self._named(self._remote.connection)
        if id is None:
            raise Rejected(400, f"{self._remote.connection} is missing")
        opened = self._endpoint.manager.find(id, self._caller)
        opened.transport.finish()
        await respond(self._send, 202, b"", *self._shared())

    # Parts of them

    def _acknowledged(self, transport: HttpServerTransport) -> str | None:
        """The session that a request names, after processing its acknowledgement for the session's stream."""
        session = self._named(self._remote.session)
        last = number_in(self._caller.headers.get(ACKNOWLEDGED.lower(), ""))
        if last is not None:
            transport.acknowledge(session, last)
        return session

    def _box(self, transport: HttpServerTransport, session: str) -> EventQueue:
        """The event queue of a session, which may not be open yet."""
        box = transport.stream(session)
        if box is None:
            if not self._may_open(transport):
                raise Rejected(404, "unknown session: this connection has not opened it")
            if len(transport.sessions) >= self._options["sessions"]:
                raise Rejected(429, "the connection has too many sessions")
            box = transport.expect(session)
        return box

    def _numbered(self, transport: HttpServerTransport, session: str | None) -> tuple[int, EventQueue]:
        """The number of a POST, and the event queue of its session, which stores the last number."""
        number = number_in(self._caller.headers.get(KEY.lower(), "")) if transport.numbered else None
        if number is None or session is None:
            return number or transport.connection.posted + 1, transport.connection
        return number, self._box(transport, session)

    async def _stream(self, opened: ServerConnection, box: EventQueue) -> None:
        """Send queued frames as events until the stream ends or its reader disconnects."""
        ping = self._options["ping"]
        reader = box.attach()
        watcher = self._runtime.start(self._watch(box, reader))
        headers = [(b"content-type", _EVENTS.encode()), (b"cache-control", b"no-cache"), (b"x-accel-buffering", b"no")]
        try:
            headers += self._shared(last=True)
            await self._send({"type": "http.response.start", "status": 200, "headers": headers})
            # A first comment: some servers and proxies send the headers with the first bytes of the body alone.
            await self._send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
            while (events := await box.take(reader, ping)) is not None:
                await self._send({"type": "http.response.body", "body": events, "more_body": True})
            await self._send({"type": "http.response.body", "body": b""})
        except OSError:  # some servers raise this when the client has left
            pass
        finally:
            box.detach(reader)
            opened.seen = asyncio.get_running_loop().time()
            watcher.cancel()

    async def _watch(self, box: EventQueue, reader: object) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        box.detach(reader)

    async def _body(self, opened: ServerConnection | None) -> bytes:
        """The body of a message. Unknown callers may only send the size of an opening request."""
        limit = self._endpoint.frame_limit if opened is not None else min(self._endpoint.frame_limit, _OPENING)
        length = self._caller.headers.get("content-length", "")
        if length.isdecimal() and len(length) < 20 and int(length) > limit:
            raise Rejected(413, f"the message is longer than {limit} bytes")
        manager = self._endpoint.manager
        parts: list[bytes] = []
        size = 0
        try:
            with self._runtime.deadline(self._options["body_timeout"]):
                more = True
                while more:
                    event = await self._receive()
                    if event["type"] == "http.disconnect":
                        raise Rejected(400, "the body is incomplete")
                    part: bytes = event.get("body", b"")
                    size += len(part)
                    manager.arriving += len(part)
                    if manager.arriving > manager.memory:
                        raise Rejected(503, "the server has no free memory for requests", (b"retry-after", b"1"))
                    if opened is not None:
                        opened.arriving += len(part)
                        if opened.arriving > 2 * limit:
                            raise Rejected(
                                429, "too much data is being received at the same time", (b"retry-after", b"1")
                            )
                    if size > limit:
                        raise Rejected(413, f"the message is longer than {limit} bytes")
                    parts.append(part)
                    more = event.get("more_body", False)
        except TimeoutError:
            raise Rejected(408, "the body took too long to arrive") from None
        finally:
            manager.arriving -= size
            if opened is not None:
                opened.arriving -= size
        return b"".join(parts)

    async def _fault(self, frame: bytes) -> bool:
        """Respond to a body that is not a message. Returns False if the connection must process it, because it ends a
        request.
        """
        error = self._runtime.malformed_frame(frame)
        if error is not None:
            await respond(self._send, 400, error, *self._shared())
        return error is not None

    def _check(self, route: Route, routes: Routes) -> None:
        """Raise Rejected for a message that is not allowed on the connection."""
        if route.method == routes.opening and not route.answers:
            routes.served.pop(route.id if route.id is not msgspec.UNSET else None, None)
            raise Rejected(
                400, f"the connection is already open: send {route.method} once, without {self._remote.connection}"
            )
        self._check_session(route)
        if self._endpoint.manager.draining and route.id is not msgspec.UNSET and not route.answers:
            routes.served.pop(route.id, None)
            raise Rejected(503, "the server is shutting down", (b"retry-after", b"1"))

    def _check_session(self, route: Route) -> None:
        """Check that the session header matches the message."""
        given = self._named(self._remote.session)
        if given is None and self._endpoint.routes.needs_session(route):
            raise Rejected(400, f"{self._remote.session} is missing: {route.method} belongs to a session")
        if given is not None and route.session is not None and given != route.session and not route.answers:
            raise Rejected(400, f"{self._remote.session} does not match the session in the message")

    def _may_open(self, transport: HttpServerTransport) -> bool:
        """Return whether an unknown session may still be opened by its name."""
        table, side = self._runtime.table, self._endpoint.side
        handshake = table.handshake
        if handshake is None or not transport.opening.done() or transport.opening.cancelled():
            return False
        answer: Any = msgspec.json.decode(transport.opening.result())
        result: Any = answer.get("result") or {}
        terms = self._runtime.negotiated_terms(side)
        terms.learn(side, result.get(handshake.capabilities.get(side, "")))
        opens = table.sessions.open if table.sessions is not None else ()
        return any(
            row.side == side
            and row.method in opens
            and self._endpoint.routes.names_session(row.method)
            and not terms.wholly_closed(row)
            for row in table.methods.values()
        )

    def _with_id(self, answer: bytes, id: str) -> bytes:
        """Add the id of the connection to the result of the opening response."""
        name = self._remote.property
        if name is None:
            return answer
        whole = msgspec.json.decode(answer, type=dict[str, msgspec.Raw])
        result = bytes(whole.get("result", b""))
        if not result.startswith(b"{"):
            return answer
        member = b"%b:%b" % (msgspec.json.encode(name), msgspec.json.encode(id))
        rest = result[1:].lstrip()
        whole["result"] = msgspec.Raw(b"{%b%b%b" % (member, b"" if rest.startswith(b"}") else b",", rest))
        return msgspec.json.encode(whole)

    def _named(self, header: str) -> str | None:
        """The value of a header. Raises Rejected if it is repeated or not a valid id."""
        value: str | None = self._caller.headers.get(header.lower())
        if value is None:
            return None
        if not value or len(value) > MAX_NAME or not value.isprintable():
            raise Rejected(400, f"{header} is not a valid id")
        return value

    def _shared(self, *, last: bool = False) -> list[tuple[bytes, bytes]]:
        """The headers of every response, which allow pages of a listed origin to read it. `last`: the network
        connection ends after this response, because the server is draining. Otherwise a client might send its next
        request on a connection that is about to close.
        """
        last = last or self._endpoint.manager.draining
        ends = [(b"connection", b"close")] if last and self._scope.get("http_version", "1.1") < "2" else []
        origin = self._caller.headers.get("origin")
        if origin is None:
            return ends
        shown = self._remote.connection
        return [
            *ends,
            (b"access-control-allow-origin", origin.encode("latin-1")),
            *([(b"access-control-allow-credentials", b"true")] if self._endpoint.access.lists(origin) else []),
            (b"access-control-expose-headers", shown.encode()),
            (b"vary", b"origin"),
        ]


def _transport(opened: ServerConnection) -> HttpServerTransport:
    assert isinstance(opened.transport, HttpServerTransport)
    return opened.transport


def _header(scope: Scope, name: bytes) -> str | None:
    found: list[bytes] = [value for key, value in scope["headers"] if key.lower() == name]
    return found[0].decode("latin-1") if found else None
