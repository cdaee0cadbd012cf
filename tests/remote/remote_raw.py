"""A client of the endpoint that says what it wants, right or wrong: raw requests, raw events."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncGenerator
from typing import Any

import httpx

from acp_remote.manager import ConnectionManager
from tests.support.waiting import until

CONNECTION = "Acp-Connection-Id"
SESSION = "Acp-Session-Id"
JSON = {"Content-Type": "application/json"}
EVENTS = {"Accept": "text/event-stream"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": 1, "clientCapabilities": {}},
}


def request(id: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


async def post(
    client: httpx.AsyncClient, message: Any, connection: str | None = None, **headers: Any
) -> httpx.Response:
    """Post a message, or bytes as they are; `session` names the session in the header."""
    named = {} if connection is None else {CONNECTION: connection}
    if session := headers.pop("session", None):
        named[SESSION] = session
    content = message if isinstance(message, bytes) else json.dumps(message).encode()
    return await client.post("/acp", content=content, headers={**JSON, **named, **headers})


async def opened(client: httpx.AsyncClient, **headers: str) -> str:
    """A new connection."""
    answer = await post(client, INITIALIZE, **headers)
    assert answer.status_code == 200, answer.text
    return answer.headers[CONNECTION]


class Stream:
    """An event stream that is open."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def next(self) -> Any:
        """The message of the next event; None at the end."""
        async with asyncio.timeout(60):
            async for line in self._lines:
                if line.startswith("data:"):
                    return json.loads(line[5:])
        return None

    async def aclose(self) -> None:
        """Leave its lines."""
        await self._lines.aclose()  # type: ignore[attr-defined]  # an async generator


@contextlib.asynccontextmanager
async def streaming(
    client: httpx.AsyncClient, connection: str, session: str | None = None, **headers: str
) -> AsyncGenerator[Stream]:
    """The event stream of a connection, or of a session."""
    named = {CONNECTION: connection} if session is None else {CONNECTION: connection, SESSION: session}
    # On a network connection of its own: httpcore may leave an answer unread behind two streams that are silent.
    async with (
        httpx.AsyncClient(http1=False, http2=True, base_url=client.base_url, timeout=60) as own,
        own.stream("GET", "/acp", headers={**EVENTS, **named, **headers}) as response,
        contextlib.aclosing(Stream(response)) as stream,
    ):
        yield stream


@contextlib.asynccontextmanager
async def socketed(url: str, **headers: str) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A WebSocket in bytes: its opening was answered, nothing else is read unless the test does."""
    place = httpx.URL(url)
    reader, writer = await asyncio.open_connection(place.host, place.port)
    lines = {"Host": f"{place.host}:{place.port}", "Upgrade": "websocket", "Connection": "Upgrade", **headers}
    fixed = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"}
    text = "".join(f"{name}: {value}\r\n" for name, value in {**lines, **fixed}.items())
    writer.write(f"GET {place.path} HTTP/1.1\r\n{text}\r\n".encode())
    try:
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        yield reader, writer
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def text_frame(message: Any, kind: int = 1) -> bytes:
    """A frame of a WebSocket client, whole and masked (by nothing)."""
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    size = len(data)
    length = (
        bytes([0x80 | size])
        if size < 126
        else b"\xfe" + size.to_bytes(2, "big")
        if size < 1 << 16
        else b"\xff" + size.to_bytes(8, "big")
    )
    return bytes([0x80 | kind]) + length + b"\0\0\0\0" + data


async def connections(count: int, client: httpx.AsyncClient | None = None) -> None:
    """Wait until so many connections are open at the endpoint that was made last.

    Where time was advanced, the server has closed what a client reached it by, and the client given learns of it.
    """
    await until(lambda: len(manager().connections) == count)
    if client is not None:
        with contextlib.suppress(httpx.TransportError):
            await client.get("/health")


def manager() -> ConnectionManager:
    """The connections of the endpoint that was made last."""
    return _managers[-1]


_managers: deque[Any] = deque(maxlen=1)


def _remember(made: ConnectionManager, *arguments: Any) -> None:
    _made(made, *arguments)
    _managers.append(made)


_made = ConnectionManager.__init__
ConnectionManager.__init__ = _remember  # type: ignore[method-assign]
