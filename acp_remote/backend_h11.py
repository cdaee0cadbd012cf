"""HTTP/1.1 without TLS or a proxy, by h11 on asyncio's transports: what most connections on one machine are, at a fraction of httpx's cost.

A network connection carries one request at a time. It is used again when its answer has come to its end and all that was to
be sent has left; else it is closed. What was posted on it is never posted again by itself: the server may have taken it.
"""

from __future__ import annotations

import asyncio
import contextlib
import select
import urllib.request
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import h11

from .backend import (
    NO_STREAM,
    PLAIN,
    SILENT,
    HttpBackend,
    Response,
    StreamingResponse,
    check_encoding,
    cookies_for,
    keep_cookies,
)

if TYPE_CHECKING:
    from .address import Address

__all__ = ["opener", "suits"]

_AGENT = "python-h11"
_ROOM = 1 << 18
"""Bytes of an answer that may wait before no more are read."""
_HEAD = 100 << 10
"""Bytes that the headers of an answer may have."""


def suits(address: Address) -> bool:
    """Whether an address needs nothing else: no TLS, no proxy, no HTTP/2, no password, nothing to encode in its name."""
    if (
        address.scheme != "http"
        or address.options.get("http2")
        or not address.host
        or "@" in urlsplit(address.url).netloc
    ):
        return False
    proxies = urllib.request.getproxies()
    if ("http" in proxies or "all" in proxies) and not urllib.request.proxy_bypass(address.host):
        return False
    return address.url.isascii() and address.url.isprintable() and " " not in address.url


def opener(address: Address) -> Callable[[], HttpBackend]:
    """The factory of backends for an address: always the same one, since each of its network connections carries one request at a time."""
    backend = _H11Backend(address)
    return lambda: backend


class _H11Backend(HttpBackend):
    def __init__(self, address: Address) -> None:
        self._address = address
        self._host = address.host or ""
        self._patience = address.options.get("open_timeout", 20.0)
        parts = urlsplit(address.url)
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = {"Host": parts.netloc, "User-Agent": _AGENT, **PLAIN, **address.headers}
        self._idle: list[_Connection] = []
        self._connections: set[_Connection] = set()

    async def request(self, method: str, headers: Mapping[str, str], content: bytes = b"") -> Response:
        connection = await self._connection()
        try:
            await connection.send(self._request(method, headers, content), content, self._patience)
            self._keep(connection)
            return await connection.whole(self._address.frame_limit)
        finally:
            self._leave(connection)

    @contextlib.asynccontextmanager
    async def stream(self, headers: Mapping[str, str], silence: float) -> AsyncGenerator[StreamingResponse, None]:
        connection = await self._connection()
        try:
            try:
                async with asyncio.timeout(silence):
                    await connection.send(self._request("GET", headers, b""), b"", self._patience)
            except TimeoutError as error:
                raise TimeoutError(str(error) or NO_STREAM.format(silence)) from None
            self._keep(connection)
            connection.listen(silence)
            yield connection
        finally:
            self._leave(connection)

    async def close(self) -> None:
        for connection in list(self._connections):
            connection.close()
        if self._connections:
            await asyncio.wait([connection.gone for connection in self._connections])

    def _request(self, method: str, headers: Mapping[str, str], content: bytes) -> h11.Request:
        whole = {**self._headers, **headers}
        if len(self._address.jar) and (cookies := cookies_for(self._address.jar, self._address.url)):
            whole["Cookie"] = cookies
        if content or method == "POST":
            whole["Content-Length"] = str(len(content))
        try:
            return h11.Request(method=method, target=self._target, headers=list(whole.items()))
        except (h11.LocalProtocolError, ValueError) as error:
            raise ConnectionError(f"a header cannot be sent: {error}") from None

    def _keep(self, connection: _Connection) -> None:
        check_encoding(connection.headers)
        if "set-cookie" in connection.headers:
            keep_cookies(self._address.jar, self._address.url, connection.fields)

    async def _connection(self) -> _Connection:
        """A network connection on which nothing happens."""
        while self._idle:
            connection = self._idle.pop()
            if not connection.ended and not connection.readable():
                return connection
            connection.close()
        try:
            async with asyncio.timeout(self._patience):
                _, connection = await asyncio.get_running_loop().create_connection(
                    _Connection, self._host, self._address.port or 80
                )
        except TimeoutError:
            raise TimeoutError(f"no TCP connection within {self._patience:g} s") from None
        except UnicodeError as error:  # a host may be too long to be one
            raise ConnectionError(str(error)) from None
        self._connections.add(connection)
        connection.gone.add_done_callback(lambda _: self._connections.discard(connection))
        return connection

    def _leave(self, connection: _Connection) -> None:
        if connection.rewind():
            self._idle.append(connection)
        else:
            connection.close()


class _Connection(asyncio.Protocol, StreamingResponse):
    """One network connection, and the answer that is coming on it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._h11: Any = h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEAD)
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._problem: OSError | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._heard = 0.0
        self._poll: select.poll | None = None
        self.gone: asyncio.Future[None] = self._loop.create_future()
        """Done when the network connection is closed."""
        self.ended = False
        """Whether nothing can be asked on it any more."""
        self._reset()

    def _reset(self) -> None:
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self.fields: list[tuple[str, str]] = []
        """The headers, those that come several times as often."""
        self._parts: list[bytes] = []
        self._held = 0
        self._complete = False

    # What its transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's does not derive from it

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        self._feed(data)

    def eof_received(self) -> None:
        self.ended = True
        self._feed(b"")

    def connection_lost(self, exc: Exception | None) -> None:
        self._break(exc if isinstance(exc, OSError) else ConnectionResetError("the server closed the connection"))
        if self._watch is not None:
            self._watch.cancel()
        if not self.gone.done():
            self.gone.set_result(None)

    def _feed(self, data: bytes) -> None:
        if self._problem is not None:
            return
        try:
            self._h11.receive_data(data)
            while type(event := self._h11.next_event()) in _TAKEN:
                self._take(event)
        except h11.RemoteProtocolError as error:
            self._break(ConnectionResetError(f"the server's response is not HTTP: {error}"))
        self._stir()

    def _take(self, event: Any) -> None:
        if type(event) is h11.Data:
            self._parts.append(bytes(event.data))
            self._held += len(event.data)
            if self._held > _ROOM and self._transport is not None:
                self._transport.pause_reading()
        elif type(event) is h11.EndOfMessage:
            self._complete = True
        elif type(event) is h11.Response:
            self.status = event.status_code
            self.fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in event.headers]
            self.headers = dict(self.fields)

    def _break(self, problem: OSError) -> None:
        self.ended = True
        self._problem = self._problem or problem
        self._stir()

    # A request

    async def send(self, request: h11.Request, content: bytes, patience: float) -> None:
        """Send a request and wait for the headers of its answer; TimeoutError where nothing of it leaves for so long."""
        assert self._transport is not None
        parts = [self._h11.send(request)]
        if content:
            parts.append(self._h11.send(h11.Data(content)))
        parts.append(self._h11.send(h11.EndOfMessage()) or b"")
        self._transport.write(b"".join(parts))
        while not self.status:
            if self._problem is not None:
                raise self._problem
            left = self._transport.get_write_buffer_size()
            if not left:
                await self._stirred()
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience):
                    await self._stirred()
                    continue
            if self._transport.get_write_buffer_size() == left:
                raise TimeoutError(f"the server took nothing of the request for {patience:g} s")

    def readable(self) -> bool:
        """Whether something has come, or its end, that the event loop has not read yet."""
        assert self._transport is not None
        descriptor: int = self._transport.get_extra_info("socket").fileno()
        if not hasattr(select, "poll"):
            return bool(select.select([descriptor], [], [], 0)[0])
        if self._poll is None:
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLIN)
        return bool(self._poll.poll(0))

    def listen(self, silence: float) -> None:
        """Be broken after so many seconds without a byte. A timer that looks now and then costs less than one for each byte."""
        self._heard = self._loop.time()

        def look() -> None:
            left = self._heard + silence - self._loop.time()
            if left > 0 or self._held:  # what waits here is not the server's silence
                self._watch = self._loop.call_later(max(left, silence / 4), look)
            else:
                self._break(TimeoutError(SILENT.format(silence)))

        self._watch = self._loop.call_later(silence, look)

    async def more(self) -> bytes:
        while not self._parts:
            if self._complete:
                return b""
            if self._problem is not None:
                raise self._problem
            await self._stirred()
        found = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        if self._held > _ROOM and self._transport is not None:
            self._transport.resume_reading()
        self._parts, self._held = [], 0
        return found

    async def _stirred(self) -> None:
        self._waiter = self._loop.create_future()
        await self._waiter

    def _stir(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # After it

    def rewind(self) -> bool:
        """Make ready for another request; whether that can be."""
        assert self._transport is not None
        if not self._complete or self._problem is not None or self.ended or self._transport.get_write_buffer_size():
            return False
        try:
            self._h11.start_next_cycle()
        except h11.LocalProtocolError:  # one end wants no other request on it
            return False
        if self._watch is not None:
            self._watch.cancel()
        self._reset()
        return True

    def close(self) -> None:
        """Close it, with what has not left."""
        self.ended = True
        if self._transport is not None:
            self._transport.abort()


_TAKEN = (h11.Response, h11.InformationalResponse, h11.Data, h11.EndOfMessage)
