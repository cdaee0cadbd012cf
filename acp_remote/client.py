"""Client side: opening an address, and an HTTP transport that posts frames and receives them on event streams.

Messages of one session are sent in order, one POST after the other; sessions do not wait for each other. The opening
request is sent first, and its response names the connection. If the server rejects a request, the request gets an
error response.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec

from .address import Address, reason
from .backend import HttpBackend, Response
from .event_streams import EventStreams
from .interface import Runtime, Transport, check_interface
from .numbering import ACKNOWLEDGED, KEY, offer, take_offer
from .routing import Route, Routes, agreed_version, is_answer

_INVALID_REQUEST = -32600
_INTERNAL_ERROR = -32603

_ROOM = 1 << 16
_UNREAD = 1 << 20
"""Bytes that are buffered before reading pauses."""
_JSON = "application/json"
_UNREAD_BY = (404, 410, 503)
"""Status codes of unread messages: the connection is unknown, or the server is shutting down."""
_GONE = (404, 410)
"""Status codes of a server that no longer knows the connection."""
_OVER = (401, 403)
"""Status codes of a server that denies access to the connection."""
_OPENING = 75.0
"""Timeout in seconds of the opening request, whose response waits for the agent. `open_timeout` overrides it."""


@contextlib.asynccontextmanager
async def dial(runtime: Runtime, url: str, **options: Any) -> AsyncGenerator[Transport, None]:
    """A transport to ``http``, ``https``, ``ws`` or ``wss``; it ends with the block. Options: see `ConnectOptions` of
    the package. `runtime`: the interface of the generated package. Raises that package's ConnectionClosed if the server
    cannot be reached.
    """
    check_interface(runtime)
    runtime.check_options(options, runtime.dial_options)
    address = Address(runtime, url, options)
    if address.scheme in ("http", "https"):
        opened: AbstractAsyncContextManager[Transport] = _dial_http(address)
    else:
        try:
            from .client_websocket import dial_websocket  # noqa: PLC0415  # its library is imported when it is used
        except ImportError as error:
            raise ImportError("to connect by WebSocket, install websockets: pip install acp-remote") from error
        opened = dial_websocket(address)
    async with opened as transport:
        yield transport


@contextlib.asynccontextmanager
async def _dial_http(address: Address) -> AsyncGenerator[Transport, None]:
    """Open an HTTP transport. Nothing is sent before its first frame, which must be the opening request."""
    transport = HttpClientTransport(_opener(address), address)
    try:
        yield transport
    finally:
        await transport.leave()


def _opener(address: Address) -> Callable[[], HttpBackend]:
    """The function that creates HTTP backends for an address: the lightest that supports it."""
    try:
        from .backend_httptools import opener, suits  # noqa: PLC0415  # each library is imported when it is used

        if not suits(address):
            from .backend_httpx import opener  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to connect over HTTP, install httptools and httpx[http2]: pip install acp-remote") from error
    return opener(address)


class HttpClientTransport(Transport):
    """A transport that posts frames and reads the event streams of its connection."""

    def __init__(self, make: Callable[[], HttpBackend], address: Address) -> None:
        table = address.runtime.table
        assert table.remote is not None
        self._runtime = address.runtime
        self._make = make
        self._backends: dict[str | None, HttpBackend] = {}
        """The backend of each session, and of the connection. With two idle streams on one HTTP/2 connection,
        httpcore may leave a response unread.
        """
        self._address = address
        self._remote = table.remote
        self._routes = Routes(address.runtime)
        self._handshake = table.handshake
        self.headers: Mapping[str, str] = {}
        """The headers that name the connection, once it is open."""
        self.numbered = False
        """True if both ends number frames."""
        self._posts = itertools.count(1)
        self._patience: float = address.options["answer_timeout"]
        self._asked = False
        """True if the opening request was sent."""
        self._open = asyncio.Event()
        self._lanes: dict[str | None, deque[tuple[bytes, Route | None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._streams = EventStreams(self, self._remote.session, address.options, address.frame_limit)
        self._inbox: list[bytes] = []
        self._arrived = address.runtime.waiters()
        """Tasks that wait for the next frame or the end of the connection."""
        self._unread = 0
        self._held = 0
        self._changed = address.runtime.waiters()
        """Tasks that wait until a frame is sent or taken, or the connection ends."""
        self._over: ConnectionError | None = None
        self._ended = False

    # Frames in

    async def receive(self) -> Sequence[bytes]:
        while not self._inbox:
            if self._over is not None:
                raise self._over
            if self._ended:
                return ()
            await self._arrived.wait()
        frames, self._inbox = self._inbox, []
        self._unread = 0
        self._changed.wake()
        return frames

    @property
    def ordered(self) -> bool:
        """True if a response always arrives after everything that was sent before it."""
        return self.numbered

    def take(self, frame: bytes, session: str | None, before: int = 0) -> None:
        """Take a frame from the stream of a session, or of the connection."""
        route = self._routes.came(frame)
        if route is not None:
            if route.answers and route.closes and not route.failed and route.about is not None:
                self._streams.leave(route.about)
            if not route.answers and route.id is not msgspec.UNSET and route.session is None and session is not None:
                self._routes.served[route.id] = (route.method, session)
            if route.answers and route.opens and not route.failed and route.named is not None:
                self._streams.answer(route.named, frame, before)
                return
        self.deliver(frame)

    def deliver(self, frame: bytes) -> None:
        """Deliver the next frame."""
        self._inbox.append(frame)
        self._unread += len(frame)
        self._arrived.wake()

    # Frames out

    def write(self, frame: bytes) -> None:
        if self._ended:
            return
        route = self._routes.sent(frame)
        if self._over is not None:
            self._answer_unsent(route, str(self._over))
            return
        if not self._asked:
            if route is None or route.method != self._routes.opening or route.answers:
                self._reject(route)
                return
            self._asked = True
        lane = None if route is None else route.session
        self._held += len(frame)
        if lane in self._lanes:
            self._lanes[lane].append((frame, route))
        else:
            self._lanes[lane] = deque([(frame, route)])
            self.run(self._post_all(lane))

    def _reject(self, route: Route | None) -> None:
        """Reject a frame before the `initialize` request: it belongs to no connection."""
        if route is not None and not route.answers and route.id is not msgspec.UNSET:
            why = msgspec.json.encode({"reason": "the connection is not open: the handshake comes first"})
            self.take(self._runtime.error_frame(route.id, _INVALID_REQUEST, "Invalid request", why), None)

    def _answer_unsent(self, route: Route | None, why: str, **data: Any) -> None:
        """Respond to a request that the server has not read. It may be sent again."""
        if route is not None and not route.answers and route.id is not msgspec.UNSET:
            text = msgspec.json.encode({"reason": why, **data, "mayRepeat": True})
            self.take(
                self._runtime.error_frame(route.id, _INTERNAL_ERROR, "The server did not read the request", text), None
            )

    def full(self) -> bool:
        return self._held > _ROOM

    async def drain(self) -> None:
        while self._held > _ROOM and self._over is None:
            await self._changed.wait()
        if self._over is not None:
            raise self._over

    async def _post_all(self, lane: str | None) -> None:
        """Post the messages of a session in order."""
        waiting = self._lanes[lane]
        try:
            while waiting:
                frame, route = waiting[0]
                if self._over is not None:
                    self._answer_unsent(route, str(self._over))
                elif self._open.is_set():
                    await self._post(frame, route)
                else:
                    await self._post_first(frame, route)
                waiting.popleft()
                self._left(len(frame))
        finally:
            for frame, _ in waiting:
                self._left(len(frame))
            del self._lanes[lane]

    async def _post_first(self, frame: bytes, route: Route | None) -> None:
        """Post the opening request. Other frames wait for it."""
        if route is None or route.method != self._routes.opening or route.answers:
            await self._open.wait()
            await self._post(frame, route)
            return
        patience = self._address.given.get("open_timeout", _OPENING)
        opening = offer(frame, "params")
        response = await self._send("POST", None, {"Content-Type": _JSON}, opening, route.method, patience)
        if response is None:
            return
        id = response.headers.get(self._remote.connection.lower())
        if response.status != 200 or not id:
            self.end(response.refusal if response.status != 200 else f"the response has no {self._remote.connection}")
            return
        if not is_answer(response.content, route.id):
            self.end(f"unexpected response to {route.method}: {response.shown!r}")
            return
        headers = {self._remote.connection: id}
        version = agreed_version(response.content, self._handshake.version) if self._handshake else None
        if self._remote.version is not None and version:
            headers[self._remote.version] = version
        self.headers = headers
        answer, self.numbered = take_offer(response.content, "result")
        self.take(answer, None)
        self._streams.follow(None)
        self._open.set()

    async def _post(self, frame: bytes, route: Route | None) -> None:
        session = None if route is None else route.session
        opens = route is not None and route.opens and not route.answers
        first = 200 if session is None else await self._streams.follow(session)
        if session is not None and first != 200 and not opens:
            self._streams.forget(session)
        headers = {"Content-Type": _JSON, **self.headers}
        named = self._names(session)
        what = "a message" if route is None else route.method or "an answer"
        numbered = self.numbered and first == 200
        numbers = self._numbers(self._streams.came_on(session)) if numbered else {}
        response = await self._send(
            "POST", session, {**headers, **named, **numbers}, frame, what, self._patience, route
        )
        if response is not None and named and response.status == 404:
            # There are servers that know no session before it is open, or after it is closed.
            response = await self._send("POST", session, headers, frame, what, self._patience)
        if response is None:
            return
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status == 200 and kind == _JSON and self._routes.is_message(response.content):
            self.take(response.content, None)
        elif response.status >= 300 or (response.status == 200 and response.content):
            self._take_rejection(response, route)

    def _take_rejection(self, response: Response, route: Route | None) -> None:
        """Process the rejection of a frame. A request gets it as its response; for any other message, the connection
        ends.
        """
        why = (
            response.refusal
            if response.status >= 300
            else f"the response is not a JSON-RPC message: {response.shown!r}"
        )
        asks = route is not None and not route.answers and route.id is not msgspec.UNSET
        if response.status in _UNREAD_BY:
            self._answer_unsent(route, why, status=response.status)
        if response.status in _GONE:
            self.gone(why)
        elif response.status in _OVER or not asks:
            self.end(why)
        if response.status in (*_OVER, *_UNREAD_BY) or not asks:
            return
        assert route is not None and route.id is not msgspec.UNSET
        data = msgspec.json.encode({"reason": why, "status": response.status})
        self.take(self._runtime.error_frame(route.id, _INTERNAL_ERROR, "The server rejected the request", data), None)

    # What streams need

    async def acknowledge(self, session: str | None, number: int) -> None:
        headers = {"Content-Type": _JSON, **self.headers, **self._names(session), **self._numbers(number)}
        await self._send("POST", session, headers, b"", "an acknowledgement", self._patience)

    def _names(self, session: str | None) -> dict[str, str]:
        """The header that names a session."""
        return {} if session is None else {self._remote.session: session}

    def _numbers(self, last: int) -> dict[str, str]:
        """The headers with the numbers of the next POST and of the last frame received on its stream."""
        return {KEY: str(next(self._posts)), ACKNOWLEDGED: str(last)}

    def backend(self, session: str | None) -> HttpBackend:
        if session not in self._backends:
            self._backends[session] = self._make()
        return self._backends[session]

    async def room(self) -> None:
        while self._unread > _UNREAD:
            await self._changed.wait()

    def unheard(self, session: str, response: Response) -> None:
        for id, (method, about) in list(self._routes.asked.items()):
            if about == session and response.status != 404:
                why = msgspec.json.encode({"reason": response.refusal})
                error = self._runtime.error_frame(id, _INTERNAL_ERROR, f"{method} cannot be answered", why)
                self.take(error, None)
        self._streams.forget(session)

    # The end

    def close(self) -> None:
        self._ended = True
        self._arrived.wake()

    async def wait_closed(self) -> None:
        while self._lanes and self._over is None and self._open.is_set():
            await self._changed.wait()

    def hung_up(self) -> bool:
        return self._over is not None

    async def leave(self) -> None:
        """Tell the server that the connection has ended."""
        self.close()
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(list(self._tasks))
        if self.headers and self._over is None:
            await self._send("DELETE", None, self.headers, b"", "DELETE", self._address.options["close_timeout"])
        for backend in self._backends.values():
            await backend.close()

    def end(self, why: str) -> None:
        if self._over is None:
            self._over = self._runtime.connection_closed(f"{self._address.shown}: {why}")
            self._left(0)
            self._arrived.wake()

    def gone(self, why: str) -> None:
        self.run(self._end_when_answered(why))

    async def _end_when_answered(self, why: str) -> None:
        """End after the pending POSTs have failed. Their responses state that the server has read none of them."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._address.options["close_timeout"]):
                await self.wait_closed()
        self.end(why)

    # Parts

    async def _send(
        self,
        method: str,
        lane: str | None,
        headers: Mapping[str, str],
        content: bytes,
        what: str,
        patience: float,
        route: Route | None = None,
    ) -> Response | None:
        """Send a request and return its response; None if there is none, which ends the connection. `patience`:
        seconds for the complete response.
        """
        try:
            with self._runtime.deadline(patience):
                try:
                    return await self.backend(lane).request(method, headers, content)
                except (TimeoutError, ConnectionRefusedError):
                    raise
                except OSError:
                    if KEY not in headers:
                        raise
                return await self._send_again(lane, headers, content)
        except TimeoutError as error:
            self.end(str(error) or f"no response to {what} within {patience:g} s")
        except ConnectionRefusedError as error:
            self._answer_unsent(route, str(error))
            self.end(str(error))
        except OSError as error:
            self.end(f"the connection broke: {error}" if self.headers else str(error))
        return None

    async def _send_again(self, lane: str | None, headers: Mapping[str, str], content: bytes) -> Response:
        """Repeat a numbered POST that got no response. The server may have read it, so a rejection now is not
        conclusive.
        """
        try:
            response = await self.backend(lane).request("POST", headers, content)
        except ConnectionRefusedError as error:
            raise ConnectionResetError(str(error)) from None
        if response.status >= 300:
            raise ConnectionResetError(response.refusal)
        return response

    def _left(self, size: int) -> None:
        self._held -= size
        self._changed.wake()

    def run(self, coroutine: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = self._runtime.start(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        """Handle the end of a task. An unexpected error ends the connection, because other tasks would wait forever."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.end(reason(error))
