"""A proxy in front of a server that slows down, cuts or loses what passes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from urllib.parse import urlsplit

__all__ = ["Proxy", "proxied"]

SESSION_STREAM = b"acp-session-id"


class Proxy:
    """What is done to the connections that pass; `url` is its address."""

    def __init__(self, url: str) -> None:
        self.url = ""
        self.target = url
        """The server."""
        self._open: set[asyncio.StreamWriter] = set()
        self.slow = False
        """Streams of sessions pass 4 KB every 60 ms."""
        self.lost_after: int | None = None
        """After so many bytes a stream of a session is cut, once; what has come since the last full read is lost."""
        self.unanswered = 0
        """So many POSTs reach the server, and their answers get lost."""
        self.cuts = 0

    def cut_all(self) -> None:
        """Cut every network connection."""
        for writer in self._open:
            writer.transport.abort()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on one network connection."""
        try:
            there, back = await asyncio.open_connection("127.0.0.1", urlsplit(self.target).port)
        except OSError:
            writer.transport.abort()
            return
        self._open.add(writer)
        requests: list[bytes] = [b""]
        ways = [
            asyncio.ensure_future(self._ask(reader, back, requests)),
            asyncio.ensure_future(self._answer(there, writer, requests)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self._open.discard(writer)
            for end in (writer, back):
                end.transport.abort()

    async def _ask(self, reader: asyncio.StreamReader, back: asyncio.StreamWriter, requests: list[bytes]) -> None:
        while data := await reader.read(1 << 16):
            requests[0] = data
            back.write(data)
            await back.drain()

    async def _answer(self, there: asyncio.StreamReader, writer: asyncio.StreamWriter, requests: list[bytes]) -> None:
        passed = 0
        while data := await there.read(4096):
            asked = requests[0].lower()
            if asked.startswith(b"get") and SESSION_STREAM in asked:
                if self.slow:
                    await asyncio.sleep(0.06)
                if self.lost_after is not None and passed + len(data) > self.lost_after:
                    self.lost_after = None
                    self.cuts += 1
                    return
            elif asked.startswith(b"post") and SESSION_STREAM in asked and self.unanswered:
                self.unanswered -= 1
                self.cuts += 1
                return
            passed += len(data)
            writer.write(data)
            await writer.drain()


@contextlib.asynccontextmanager
async def proxied(url: str) -> AsyncGenerator[Proxy]:
    """A proxy in front of a server."""
    proxy = Proxy(url)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{urlsplit(url).path}"
    async with server:
        yield proxy
