# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Test helpers: two peers in one process, and scripted peers. They use the real runtime, without sockets or processes.

Sent messages are always validated, regardless of the environment, so that a test detects messages that a peer would
reject.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from .codec.codec import to_dict
from .connection.connection import Connection
from .connection.handlers import Peer

Here = TypeVar("Here", bound=Connection)
There = TypeVar("There", bound=Connection)

_ROOM = 1 << 16
"""Bytes that a stream buffers before its writer has to wait, as a pipe does."""


_PLAIN = (dict, list, str, int, float, bool)


class _Way:
    """Buffered bytes in one direction. The writer and the reader can each close their end."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.changed = asyncio.Event()
        self.closed = False

    async def until(self, done: Callable[[], bool]) -> None:
        while not (self.closed or done()):
            self.changed.clear()
            await self.changed.wait()

    def close(self) -> None:
        self.closed = True
        self.changed.set()


class MemoryStream:
    """One end of a pair of streams in memory. Closing either end closes both, as with sockets."""

    def __init__(self, incoming: _Way, outgoing: _Way) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    async def read(self, n: int, /) -> bytes:
        """Return up to n bytes as soon as there are any; none at the end."""
        way = self._incoming
        await way.until(lambda: bool(way.data))
        taken = bytes(way.data[:n])
        del way.data[:n]
        way.changed.set()
        return taken

    def hung_up(self) -> bool:
        """Return whether the other end is closed."""
        return self._incoming.closed

    def write(self, data: bytes, /) -> None:
        """Send bytes. If the other end is closed, they are lost."""
        if not self._outgoing.closed:
            self._outgoing.data += data
            self._outgoing.changed.set()

    async def drain(self) -> None:
        """Wait until the other end has read enough. Raises ConnectionResetError once it is closed."""
        way = self._outgoing
        await way.until(lambda: len(way.data) <= _ROOM)
        if way.closed:
            raise ConnectionResetError("the other end is closed")

    def close(self) -> None:
        """Close the stream. The other end reads the sent bytes, then the end."""
        self._outgoing.close()
        self._incoming.close()

    async def wait_closed(self) -> None:
        """Do nothing, because closing is immediate."""


def memory() -> tuple[MemoryStream, MemoryStream]:
    """Both ends of a connection in memory."""
    there, back = _Way(), _Way()
    return MemoryStream(back, there), MemoryStream(there, back)


@asynccontextmanager
async def pair(
    here: Callable[..., Here],
    peer: Peer | Callable[[], Peer],
    there: Callable[..., There],
    other: Peer | Callable[[], Peer],
    options: Mapping[str, Any],
    other_options: Mapping[str, Any],
) -> AsyncGenerator[tuple[Here, There], None]:
    """Both sides of a connection, each with its peer. The block closes them at its end."""
    one, two = memory()
    async with (
        here(peer, one, one, **{"check_messages": True, **options}) as first,
        there(other, two, two, **{"check_messages": True, **other_options}) as second,
    ):
        yield first, second


class Scripted:
    """A peer that a test controls with plain JSON: it expects, answers, sends and disconnects. Every wait ends after
    ``patience`` seconds.
    """

    def __init__(self, stream: MemoryStream, patience: float = 5.0) -> None:
        self._stream = stream
        self._patience = patience
        self._text = b""
        self._kept: list[dict[str, Any]] = []
        self._next_id = 0

    async def receive(self) -> dict[str, Any]:
        """The next message of any kind. Raises EOFError if the other side closed, and TimeoutError if no message
        arrives.
        """
        try:
            async with asyncio.timeout(self._patience):
                while b"\n" not in self._text:
                    more = await self._stream.read(_ROOM)
                    if not more:
                        raise EOFError("the other side closed the connection")
                    self._text += more
        except TimeoutError:
            raise TimeoutError(f"no message within {self._patience:g} seconds") from None
        line, _, self._text = self._text.partition(b"\n")
        message: dict[str, Any] = msgspec.json.decode(line)
        return message

    async def expect(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the next request or notification, which must have this method and the given params (wire names).
        Raises AssertionError for any other, even under ``python -O``.
        """
        try:
            message = self._kept.pop(0) if self._kept else await self.receive()
        except (EOFError, TimeoutError) as error:
            raise type(error)(f"expected {method}: {error}") from None
        found: dict[str, Any] = message.get("params") or {}
        if message.get("method") != method:
            raise AssertionError(f"expected {method}, got {_shown(message)}")
        for name, value in params.items():
            if found.get(name) != value:
                raise AssertionError(f"{method}: expected {name}={value!r}, got {found.get(name)!r}")
        return message

    async def answer(self, request: Mapping[str, Any], result: Any = UNSET) -> None:
        """Answer a request with a result: plain JSON or a model. Default: `{}`."""
        await self.send({"jsonrpc": "2.0", "id": request["id"], "result": {} if result is UNSET else _plain(result)})

    async def fail(self, request: Mapping[str, Any], code: int, message: str, data: Any = UNSET) -> None:
        """Answer a request with an error."""
        error = {"code": code, "message": message} | ({} if data is UNSET else {"data": _plain(data)})
        await self.send({"jsonrpc": "2.0", "id": request["id"], "error": error})

    async def notify(self, method: str, params: Any = UNSET) -> None:
        """Send a notification; params are plain JSON or a model."""
        await self.send({"jsonrpc": "2.0", "method": method} | _params(params))

    async def call(self, method: str, params: Any = UNSET) -> Any:
        """Send a request and return its result or its ``error``. Messages before the response are kept for ``expect``."""
        self._next_id += 1
        asked = f"scripted-{self._next_id}"
        await self.send({"jsonrpc": "2.0", "id": asked, "method": method} | _params(params))
        while (message := await self.receive()).get("id") != asked or "method" in message:
            self._kept.append(message)
        return message["error"] if "error" in message else message.get("result")

    async def send(self, frame: Any) -> None:
        """Send any frame: JSON, or raw bytes, followed by a line end."""
        self._stream.write((frame if isinstance(frame, bytes) else msgspec.json.encode(frame)) + b"\n")
        await self._stream.drain()

    def die(self) -> None:
        """Disconnect abruptly, like a killed process."""
        self._stream.close()


@asynccontextmanager
async def scripted(
    here: Callable[..., Here], peer: Peer | Callable[[], Peer], *, patience: float = 5.0, **options: Any
) -> AsyncGenerator[tuple[Scripted, Here], None]:
    """Open a connection with a scripted peer at its other end."""
    one, other = memory()
    async with here(peer, one, one, **{"check_messages": True, **options}) as connection:
        try:
            yield Scripted(other, patience), connection
        finally:
            other.close()


def _plain(value: Any) -> Any:
    return value if value is None or type(value) in _PLAIN else to_dict(value)


def _params(params: Any) -> dict[str, Any]:
    return {} if params is UNSET else {"params": _plain(params)}


def _shown(message: Mapping[str, Any]) -> str:
    text = msgspec.json.encode(message).decode()
    return text if len(text) < 200 else f"{text[:200]}…"
