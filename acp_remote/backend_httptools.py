"""The HTTP backend on httptools and asyncio's transports: HTTP/1.1 without TLS and proxies, much faster than httpx.

A network connection carries one request at a time. It is reused after the response is complete and the whole request
was sent; otherwise it is closed. A POST is never repeated automatically, because the server may have processed it.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import select
import urllib.request
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import httptools

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

_AGENT = "acp-remote"
_ROOM = 1 << 18
"""Buffered bytes of a response at which reading pauses."""
_HEAD = 100 << 10
"""Maximum bytes of headers, and of any other data without a part of the body."""
_FIELDS = re.compile(r"(?:[!#-'*+\-.^-z|~0-9A-Z]+: [ -~\t]*\r\n)+")
"""The headers of a request: names are tokens (RFC 9110, 5.6.2), values are printable."""


def suits(address: Address) -> bool:
    """True if this backend supports an address: no TLS, proxy, HTTP/2 or password, and no characters to encode in its
    name.
    """
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
    """The factory of backends for an address. It returns the same backend each time, because each of its network
    connections carries one request at a time.
    """
    backend = _Backend(address)
    return lambda: backend


class _Backend(HttpBackend):
    def __init__(self, address: Address) -> None:
        self._address = address
        self._host = address.host or ""
        self._patience = address.options["open_timeout"]
        parts = urlsplit(address.url)
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = {"Host": parts.netloc, "User-Agent": _AGENT, **PLAIN, **address.headers}
        self._idle: list[_Connection] = []
        self._connections: set[_Connection] = set()

    async def request(self, method: str, headers: Mapping[str, str], content: bytes = b"") -> Response:
        connection = await self._connection()
        try:
            await connection.send(self._request(method, headers, content), self._patience)
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
                    await connection.send(self._request("GET", headers, b""), self._patience)
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

    def _request(self, method: str, headers: Mapping[str, str], content: bytes) -> bytes:
        whole = {**self._headers, **headers}
        if len(self._address.jar) and (cookies := cookies_for(self._address.jar, self._address.url)):
            whole["Cookie"] = cookies
        if content or method == "POST":
            whole["Content-Length"] = str(len(content))
        fields = "".join([f"{name}: {value}\r\n" for name, value in whole.items()])
        if _FIELDS.fullmatch(fields) is None or fields.count("\n") != len(whole):
            raise ConnectionError("invalid header: names must be tokens, and values printable ASCII")
        return f"{method} {self._target} HTTP/1.1\r\n{fields}\r\n".encode("ascii") + content

    def _keep(self, connection: _Connection) -> None:
        check_encoding(connection.headers)
        if "set-cookie" in connection.headers:
            keep_cookies(self._address.jar, self._address.url, connection.fields)

    async def _connection(self) -> _Connection:
        """An idle network connection."""
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
    """One network connection, and the response that is arriving on it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._parser: Any = httptools.HttpResponseParser(self)
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._problem: OSError | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._heard = 0.0
        self._poll: select.poll | None = None
        self.gone: asyncio.Future[None] = self._loop.create_future()
        """Completes when the network connection is closed."""
        self.ended = False
        """True if it accepts no more requests."""
        self._reset()

    def _reset(self) -> None:
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self.fields: list[tuple[str, str]] = []
        """The headers. A repeated header occurs several times."""
        self._fields: list[tuple[str, str]] = []
        self._parts: list[bytes] = []
        self._held = 0
        self._dry = 0
        """Bytes received since the last part of the body."""
        self._asked = self._complete = self._lasts = False

    # What its transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's does not derive from it

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        self._feed(data)

    def eof_received(self) -> None:
        self.ended = True
        if self.status and not self._complete and {"content-length", "transfer-encoding"}.isdisjoint(self.headers):
            self._complete = True
        else:
            self._break(ConnectionResetError("the server closed the connection"))
        self._stir()

    def connection_lost(self, exc: Exception | None) -> None:
        self._break(exc if isinstance(exc, OSError) else ConnectionResetError("the server closed the connection"))
        if self._watch is not None:
            self._watch.cancel()
        self._parser = None  # it leads back to here
        if not self.gone.done():
            self.gone.set_result(None)

    def _feed(self, data: bytes) -> None:
        if self._problem is not None:
            return
        self._dry += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._break(ConnectionResetError(f"the server's response is not HTTP: {error}"))
        except httptools.HttpParserUpgrade:
            self._break(ConnectionResetError("the server switched to a protocol that the request does not offer"))
        if self._dry > _HEAD:
            self._break(ConnectionResetError(f"the headers of the response have more than {_HEAD} bytes"))
        self._stir()

    # What its parser calls

    def on_message_begin(self) -> None:
        if self._complete or not self._asked:  # nobody asked for it
            self.ended = True
        self._fields = []

    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields.append((name.lower().decode("latin-1"), value.decode("latin-1")))

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status >= 200 and not self.ended:
            self.status, self.fields, self.headers = status, self._fields, dict(self._fields)

    def on_body(self, data: bytes) -> None:
        self._dry = 0
        if self.ended:
            return
        self._parts.append(data)
        self._held += len(data)
        if self._held > _ROOM and self._transport is not None:
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        if self.status:
            self._complete = True
            self._lasts = self._parser.should_keep_alive()

    def _break(self, problem: OSError) -> None:
        self.ended = True
        self._problem = self._problem or problem
        self._stir()

    # A request

    async def send(self, request: bytes, patience: float) -> None:
        """Send a request and wait for the headers of its response. Raises TimeoutError if sending makes no progress for
        too long.
        """
        assert self._transport is not None
        self._asked = True
        self._transport.write(request)
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
                raise TimeoutError(f"the server read no part of the request for {patience:g} s")

    def readable(self) -> bool:
        """True if data, or the end, has arrived but the event loop has not read it yet."""
        assert self._transport is not None
        descriptor: int = self._transport.get_extra_info("socket").fileno()
        if not hasattr(select, "poll"):
            return bool(select.select([descriptor], [], [], 0)[0])
        if self._poll is None:
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLIN)
        return bool(self._poll.poll(0))

    def listen(self, silence: float) -> None:
        """Break the connection after this many seconds without a byte. A periodic check costs less than a timer per
        byte.
        """
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
        """Prepare for another request. Returns False if the connection cannot be reused."""
        assert self._transport is not None
        if not self._complete or not self._lasts or self._problem is not None or self.ended:
            return False
        if self._transport.get_write_buffer_size():
            return False
        if self._watch is not None:
            self._watch.cancel()
        self._reset()
        return True

    def close(self) -> None:
        """Close it and drop unsent data."""
        self.ended = True
        if self._transport is not None:
            self._transport.abort()
