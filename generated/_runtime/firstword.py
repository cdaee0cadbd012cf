# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""What a client says first to a server on a socket. Whoever begins with anything but a message is not a client of ours.

The law: a browser's page can have its browser connect to any port and send text of its own behind a line of HTTP, or within TLS.
So the first byte that is not white space opens an object or an array, or the connection ends, without an answer.
"""

from __future__ import annotations

import asyncio

__all__ = ["FirstWord"]


class FirstWord:
    """A reader that ends its connection when that begins with anything but a message."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._begun = False

    async def read(self, n: int, /) -> bytes:
        data = await self._reader.read(n)
        if self._begun:
            return data
        said = data.lstrip(b" \t\r\n")
        if not said:
            return data
        if said[:1] not in (b"{", b"["):
            self._writer.transport.abort()
            return b""
        self._begun = True
        return data
