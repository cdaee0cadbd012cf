"""Agents at an address: every transport of the package, as streams of newline-delimited JSON."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import acp_generated as acp
from acp_generated import transports

from .isolation.home import Home

SCHEMES = ("http://", "https://", "ws://", "wss://", "tcp://", "unix:")


class Served:
    """The probe's end of a transport. A frame is a line, as on stdio. Transports without partial frames send it
    whole.
    """

    def __init__(self, wire: Any) -> None:
        self._wire = wire
        self._text = b""
        self._how = ""

    async def read(self, n: int, /) -> bytes:
        """All received frames, each as a line."""
        del n  # a wire gives whole frames
        try:
            frames = await self._wire.receive()
        except acp.ConnectionClosed as error:
            self._how = str(error)
            return b""
        # A line break in a frame can only be white space between its parts.
        return b"".join(frame.replace(b"\n", b" ") + b"\n" for frame in frames)

    def write(self, data: bytes, /) -> None:
        *lines, self._text = (self._text + data).split(b"\n")
        for line in lines:
            self._wire.write(line)

    async def drain(self) -> None:
        await self._wire.drain()

    def close(self) -> None:
        self._wire.close()

    def said(self) -> str:
        return ""

    def ended(self) -> str:
        return f"disconnected: {self._how}" if self._how else ""


class Address:
    """Connects to an address, repeatedly if needed. `cwd` is a new local folder."""

    def __init__(self, url: str, home: Home, **options: Any) -> None:
        self._url, self._options = url, options
        self.cwd = str(home.work)

    @asynccontextmanager
    async def start(self) -> AsyncGenerator[Served]:
        """Connect. Raises OSError if the connection fails or is refused."""
        async with contextlib.AsyncExitStack() as stack:
            try:
                wire = await stack.enter_async_context(
                    transports.dial(acp.methods.PROTOCOL, self._url, **self._options)
                )
            except acp.ConnectionClosed as error:
                raise ConnectionRefusedError(str(error)) from None
            yield Served(wire)


def is_address(text: str) -> bool:
    """Return whether an argument is an address instead of a command."""
    return text.startswith(SCHEMES)
