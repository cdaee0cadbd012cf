"""ASGI types, request bodies, and complete responses."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from .security import Rejected

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]
_READING = 60.0
"""Seconds in which a client must read a complete response. Over HTTP/2, it decides how much the server may send."""


def below(scope: Scope) -> str:
    """The path of a request relative to the mount point of the application."""
    path, root = str(scope["path"]), str(scope.get("root_path", "")).rstrip("/")
    return path[len(root) :] if root and (path == root or path.startswith(f"{root}/")) else path


class RequestBody:
    """The receiving end of a request. It is read to its end before a response, because some servers otherwise drop
    the network connection.
    """

    __slots__ = ("_receive", "done")

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.done = False
        """True if the whole body has arrived or the client has disconnected."""

    async def __call__(self) -> Mapping[str, Any]:
        event = await self._receive()
        self.done = not event.get("more_body", False)
        return event

    async def discard(self, limit: int, seconds: float) -> None:
        """Read the rest of the body, up to a limit."""
        size = 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.done and size <= limit:
                    size += len((await self()).get("body", b""))


async def respond(send: Send, status: int, body: bytes, *headers: Header) -> None:
    """Send a complete response, JSON or empty. A client that does not read it in time does not get it."""
    kind = [(b"content-type", b"application/json")] if body else []
    length = (b"content-length", b"%d" % len(body))
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_READING):
            await send({"type": "http.response.start", "status": status, "headers": [*kind, length, *headers]})
            await send({"type": "http.response.body", "body": body})


async def reject(rejected: Rejected, scope: Scope, send: Send, *headers: Header) -> None:
    """Send the response to a rejected request."""
    body = msgspec.json.encode({"error": rejected.reason})
    headers = (*rejected.headers, *headers)
    if scope["type"] == "http":
        await respond(send, rejected.status, body, *headers)
    elif "websocket.http.response" in scope.get("extensions", {}):
        whole = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *headers]
        await send({"type": "websocket.http.response.start", "status": rejected.status, "headers": whole})
        await send({"type": "websocket.http.response.body", "body": body})
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": rejected.reason[:120]})


def counted(application: Application, of: Callable[[Any], Any]) -> Application:
    """Wrap an application to mark network connections with a request as busy. `of` finds a connection by its peer's
    address.
    """

    async def count(scope: Scope, receive: Receive, send: Send) -> None:
        opened = of(scope.get("client"))
        if opened is None:
            await application(scope, receive, send)
            return
        opened.begin()
        try:
            await application(scope, receive, send)
        finally:
            opened.end()

    return count


def uncounted(size: int) -> None:
    """Ignore queued bytes, for a connection without a memory budget."""
    del size
