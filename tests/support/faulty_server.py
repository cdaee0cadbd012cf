"""Servers that accept connections and do not do what they should: raw ones, and applications that leave requests unanswered."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

__all__ = ["Unanswered", "dripping", "raw_server", "silent", "upgraded"]

Behave = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def raw_server(behave: Behave) -> AsyncGenerator[str]:
    """The `host:port` of a server that calls a function with each connection, which stays open until the block ends."""
    tasks: list[asyncio.Task[Any]] = []

    def enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def run() -> None:
            try:
                with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                    await behave(reader, writer)
                await asyncio.Event().wait()
            finally:
                writer.transport.abort()

        tasks.append(asyncio.ensure_future(run()))

    server = await asyncio.start_server(enter, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take everything and say nothing."""
    while await reader.read(1 << 16):
        pass


async def dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send one byte after the other of a header that does not end."""
    for byte in b"HTTP/1.1 200 OK\r\nx: " + bytes([121]) * 100_000:
        writer.write(bytes([byte]))
        await asyncio.sleep(0.01)


async def upgraded(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Open a WebSocket; what comes on it is not read."""
    head = await reader.readuntil(b"\r\n\r\n")
    key = head.lower().partition(b"sec-websocket-key: ")[0]
    sent = head[len(key) :].partition(b": ")[2].partition(b"\r\n")[0]
    digest = hashlib.sha1(sent + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()  # RFC 6455 has it
    accept = b"Sec-WebSocket-Accept: " + base64.b64encode(digest)
    writer.write(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + accept + b"\r\n\r\n"
    )


class Unanswered:
    """An application whose requests of some kind are never answered; `came` is set when there was one."""

    def __init__(self, app: Any, chosen: Callable[[Any], bool]) -> None:
        self.app = app
        self.chosen = chosen
        self.came = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and self.chosen(scope):
            self.came.set()
            while (await receive())["type"] != "http.disconnect":
                pass
            return
        await self.app(scope, receive, send)
