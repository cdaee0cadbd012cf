"""The wire of a connection over HTTP, on the client: frames leave as POSTs and come on event streams.

The law: what belongs to one session leaves in order, a POST after the other; sessions do not wait for each other. The opening request is
the first, its answer names the connection. A stream that breaks is opened anew, for the server keeps what waits; when it does not know
the connection any more, the connection is over. A request that is refused has an error for an answer.
"""

# Its library is an extra: where it is not installed, type checkers know nothing of its types.
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

import asyncio
import contextlib
import random
import ssl
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from .dial import Address, reason
from .errors import INTERNAL_ERROR, INVALID_REQUEST, ConnectionClosed
from .outbox import Events
from .routes import Route, Routes
from .tasks import start
from .wire import Wire
from .writing import write_error

if TYPE_CHECKING:
    import httpx  # type: ignore[import-not-found,unused-ignore]

__all__ = ["dial_http"]

_ROOM = 1 << 16
_UNREAD = 1 << 20
"""Bytes that may wait to be taken before no more are read."""
_JSON = "application/json"
_EVENTS = "text/event-stream"
_OVER = (401, 403, 404, 410)
"""Answers that say that there is no such connection, or not for us."""
_BUSY = 409
"""The answer of servers that have not noticed yet that the reader of a stream has left."""
_TRIES = 5
"""Times that a stream is opened in vain until the connection is given up."""
_QUIET = 0.02
"""Seconds without an event after which a session's stream has nothing more that was sent before an answer on another stream."""
_LAST = 2.0


@contextlib.asynccontextmanager
async def dial_http(address: Address) -> AsyncGenerator[Wire, None]:
    """A wire to an address; nothing is sent before its first frame, which has to be the opening request."""
    try:
        import httpx  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to connect over HTTP, install httpx[http2]: the extra `remote`") from error
    timeout = httpx.Timeout(address.options.get("open_timeout", 20.0), read=None, pool=None)
    # Made once: what the system trusts takes longer to read than all else.
    tls: ssl.SSLContext | bool = address.scheme == "https" and (
        address.options.get("tls") or ssl.create_default_context()
    )

    def make() -> httpx.AsyncClient:
        try:
            return httpx.AsyncClient(
                http1=not address.options.get("http2", False),
                http2=True,
                cookies=address.jar,
                headers=address.headers,
                verify=tls,
                timeout=timeout,
                follow_redirects=False,
            )
        except ImportError as error:
            raise ImportError("to connect over HTTP/2, install httpx[http2]: the extra `remote`") from error

    wire = _ClientWire(make, address)
    try:
        yield wire
    finally:
        await wire.leave()


class _ClientWire(Wire):
    """A wire that posts what it takes, and follows the streams of its connection."""

    def __init__(self, make: Callable[[], httpx.AsyncClient], address: Address) -> None:
        assert address.protocol.remote is not None
        self._make = make
        self._clients: dict[str | None, httpx.AsyncClient] = {}
        """One for each session, and one for the connection: on one network connection of HTTP/2, httpcore may leave an answer unread
        as long as there are two streams besides on which nothing comes."""
        self._address = address
        self._remote = address.protocol.remote
        self._routes = Routes(address.protocol)
        self._handshake = address.protocol.handshake
        self._headers: dict[str, str] = {}
        """Those that name the connection, once it is open."""
        self._asked = False
        """Whether the opening request is on its way."""
        self._open = asyncio.Event()
        self._lanes: dict[str | None, deque[tuple[bytes, Route | None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._streams: dict[str, asyncio.Future[int]] = {}
        """The sessions whose streams are followed, each with the status of its first answer."""
        self._followers: dict[str, asyncio.Task[None]] = {}
        self._heard: dict[str, float] = {}
        """When a session's stream brought something last."""
        self._inbox: list[bytes] = []
        self._came: asyncio.Future[None] | None = None
        self._unread = 0
        self._held = 0
        self._room: set[asyncio.Future[None]] = set()
        self._over: ConnectionClosed | None = None
        self._ended = False

    # Frames in

    async def receive(self) -> Sequence[bytes]:
        while not self._inbox:
            if self._over is not None:
                raise self._over
            if self._ended:
                return ()
            self._came = asyncio.get_running_loop().create_future()
            await self._came
        frames, self._inbox = self._inbox, []
        self._unread = 0
        self._wake()
        return frames

    def _take(self, frame: bytes, stream: str | None) -> None:
        """A frame has come on the stream of a session, or of the connection."""
        route = self._routes.came(frame)
        if route is not None:
            if route.answers and route.closes and not route.failed and route.about is not None:
                self._leave_session(route.about)
            if not route.answers and route.id is not msgspec.UNSET and route.session is None and stream is not None:
                self._routes.served[route.id] = (route.method, stream)
            if route.answers and route.opens and not route.failed and route.named is not None:
                followed = route.named in self._streams and route.named in self._heard
                self._follow_session(route.named)
                if followed:
                    self._run(self._settled(route.named, frame))
                    return
        self._deliver(frame)

    async def _settled(self, session: str, frame: bytes) -> None:
        """Deliver an answer behind what was sent before it on the stream of its session."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _LAST
        while (quiet := loop.time() - self._heard.get(session, 0.0)) < _QUIET and loop.time() < until:  # noqa: ASYNC110
            await asyncio.sleep(_QUIET - quiet)
        await asyncio.sleep(_QUIET)
        self._deliver(frame)

    def _deliver(self, frame: bytes) -> None:
        self._inbox.append(frame)
        self._unread += len(frame)
        if self._came is not None and not self._came.done():
            self._came.set_result(None)

    # Frames out

    def write(self, frame: bytes) -> None:
        if self._over is not None or self._ended:
            return
        route = self._routes.sent(frame)
        if not self._asked:
            if route is None or route.method != self._routes.opening or route.answers:
                self._refuse(route)
                return
            self._asked = True
        lane = None if route is None else route.session
        self._held += len(frame)
        if lane in self._lanes:
            self._lanes[lane].append((frame, route))
        else:
            self._lanes[lane] = deque([(frame, route)])
            self._run(self._post_all(lane))

    def _refuse(self, route: Route | None) -> None:
        """What comes before the opening request has no connection to go to."""
        if route is not None and not route.answers and route.id is not msgspec.UNSET:
            why = msgspec.json.encode({"reason": "the connection is not open: the handshake comes first"})
            self._take(write_error(route.id, INVALID_REQUEST, "Invalid request", why)[:-1], None)

    def full(self) -> bool:
        return self._held > _ROOM

    async def drain(self) -> None:
        while self._held > _ROOM and self._over is None:
            await self._change()
        if self._over is not None:
            raise self._over

    async def _post_all(self, lane: str | None) -> None:
        """Post what belongs to a session, in order."""
        waiting = self._lanes[lane]
        try:
            while waiting:
                frame, route = waiting[0]
                if self._open.is_set():
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
        """Post the request that opens the connection; what is not that waits for it."""
        if route is None or route.method != self._routes.opening or route.answers:
            await self._open.wait()
            await self._post(frame, route)
            return
        response = await self._send("POST", None, content=frame, headers={"Content-Type": _JSON}, opens=True)
        if response is None:
            return
        id = response.headers.get(self._remote.connection)
        if response.status_code != 200 or not id:
            self._break(
                self._refused(response)
                if response.status_code != 200
                else f"no {self._remote.connection} in the answer"
            )
            return
        self._headers = {self._remote.connection: id}
        if self._remote.version is not None and (version := self._agreed(response.content)) is not None:
            self._headers[self._remote.version] = version
        self._take(response.content, None)
        self._run(self._follow(None))
        self._open.set()

    def _agreed(self, answer: bytes) -> str | None:
        with contextlib.suppress(msgspec.DecodeError, AttributeError):
            result = msgspec.json.decode(answer).get("result")
            value = result.get(self._handshake.version) if self._handshake is not None else None
            return str(value) if isinstance(value, int | str) else None
        return None

    async def _post(self, frame: bytes, route: Route | None) -> None:
        session = None if route is None else route.session
        opens = route is not None and route.opens and not route.answers
        if session is not None and route is not None:
            first = await self._follow_session(session)
            if first != 200 and not opens:
                self._streams.pop(session, None)
        headers = {"Content-Type": _JSON, **self._headers}
        named = {} if session is None else {self._remote.session: session}
        response = await self._send("POST", session, content=frame, headers={**headers, **named})
        if response is not None and named and response.status_code == 404:
            # There are servers that know no session before it is open, or after it is closed.
            response = await self._send("POST", session, content=frame, headers=headers)
        if response is None:
            return
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status_code == 200 and kind == _JSON:
            self._take(response.content, None)
        elif response.status_code >= 300 or (response.status_code == 200 and response.content):
            self._take_refusal(response, route)

    def _take_refusal(self, response: httpx.Response, route: Route | None) -> None:
        """A frame was not taken: a request has that for an answer; without any other message the connection cannot go on."""
        why = self._refused(response)
        asks = route is not None and not route.answers and route.id is not msgspec.UNSET
        if response.status_code in _OVER or not asks:
            self._break(why)
            return
        assert route is not None and route.id is not msgspec.UNSET
        data = msgspec.json.encode({"reason": why, "status": response.status_code})
        self._take(write_error(route.id, INTERNAL_ERROR, "The server refused the request", data)[:-1], None)

    # Streams

    def _follow_session(self, session: str) -> asyncio.Future[int]:
        """Follow the stream of a session; the status of its first answer."""
        if session not in self._streams:
            self._streams[session] = asyncio.get_running_loop().create_future()
            self._followers[session] = self._run(self._follow(session))
        return self._streams[session]

    def _leave_session(self, session: str) -> None:
        """Follow the stream of a session no more: it is closed."""
        if (follower := self._followers.pop(session, None)) is not None:
            follower.cancel()
        self._streams.pop(session, None)

    async def _follow(self, session: str | None) -> None:
        first = None if session is None else self._streams[session]
        headers = {"Accept": _EVENTS, **self._headers}
        if session is not None:
            headers[self._remote.session] = session
        import httpx  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

        tries, problem = 0, ""
        try:
            while tries < _TRIES:
                problem = "the server ended it"
                try:
                    silence = self._address.options.get("silence", 90.0)
                    timeout = httpx.Timeout(self._address.options.get("open_timeout", 20.0), read=silence, pool=None)
                    async with self._client(session).stream(
                        "GET", self._address.url, headers=headers, timeout=timeout
                    ) as response:
                        busy = response.status_code == _BUSY
                        if first is not None and not first.done() and not busy:
                            first.set_result(response.status_code)
                        if response.status_code != 200:
                            await response.aread()
                            if response.status_code < 500 and not busy:
                                self._stream_refused(session, response)
                                return
                            problem = self._refused(response)
                        elif session is not None:
                            self._heard.setdefault(session, 0.0)
                        events = Events(self._address.frame_limit)
                        if response.status_code == 200:
                            async for chunk in response.aiter_bytes():
                                for frame in events.feed(chunk):
                                    tries = 0
                                    if session is not None:
                                        self._heard[session] = asyncio.get_running_loop().time()
                                    self._take(frame, session)
                                while self._unread > _UNREAD:
                                    await self._change()
                except httpx.ReadTimeout:
                    problem = "it was silent for long"
                except httpx.HTTPError as error:
                    problem = reason(error)
                except ValueError as error:
                    self._break(str(error))
                    return
                tries += 1
                await asyncio.sleep(random.uniform(0, min(0.05 * 2**tries, 5)))  # noqa: S311  # spreads clients, keeps no secret
            self._break(f"its event stream cannot be opened: {problem}")
        finally:
            if first is not None and not first.done():
                first.set_result(0)
            if session is not None:
                self._heard.pop(session, None)

    def _stream_refused(self, session: str | None, response: httpx.Response) -> None:
        if session is None or response.status_code in (401, 403):
            self._break("the connection has ended" if response.status_code == 404 else self._refused(response))
            return
        for id, (method, about) in list(self._routes.asked.items()):
            if about == session and response.status_code != 404:
                why = msgspec.json.encode({"reason": self._refused(response)})
                self._take(write_error(id, INTERNAL_ERROR, f"{method} cannot be answered", why)[:-1], None)
        self._streams.pop(session, None)

    # The end

    def close(self) -> None:
        self._ended = True
        if self._came is not None and not self._came.done():
            self._came.set_result(None)

    async def wait_closed(self) -> None:
        while self._lanes and self._over is None and self._open.is_set():
            await self._change()

    def hung_up(self) -> bool:
        return self._over is not None

    async def leave(self) -> None:
        """Tell the server that the connection is over."""
        self.close()
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(list(self._tasks))
        if self._headers and self._over is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LAST):
                    await self._send("DELETE", None, headers=self._headers)
        for client in self._clients.values():
            await client.aclose()

    def _break(self, why: str) -> None:
        if self._over is None:
            self._over = ConnectionClosed(f"{self._address.shown}: {why}")
            self._left(0)
            if self._came is not None and not self._came.done():
                self._came.set_result(None)

    # Parts

    def _client(self, lane: str | None) -> httpx.AsyncClient:
        if lane not in self._clients:
            self._clients[lane] = self._make()
        return self._clients[lane]

    async def _send(
        self, method: str, lane: str | None, *, opens: bool = False, **request: Any
    ) -> httpx.Response | None:
        """A request; None where there is no getting through, which ends the connection."""
        import httpx  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

        try:
            return await self._client(lane).request(method, self._address.url, **request)
        except httpx.TimeoutException:
            self._break("nobody answers")
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            self._break(reason(error) if opens else f"the connection broke: {reason(error)}")
        return None

    def _refused(self, response: httpx.Response) -> str:
        said = " ".join(response.text[:200].split())
        return f"the server refused with {response.status_code} {said}".rstrip()

    async def _change(self) -> None:
        """Wait until something has left, or was taken, or all is over."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._room.add(waiter)
        try:
            await waiter
        finally:
            self._room.discard(waiter)

    def _left(self, size: int) -> None:
        self._held -= size
        self._wake()

    def _wake(self) -> None:
        for waiter in self._room:
            if not waiter.done():
                waiter.set_result(None)

    def _run(self, coroutine: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = start(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        """A task has ended. An error that nobody thought of ends the connection, or those who wait would do so for ever."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._break(reason(error))
