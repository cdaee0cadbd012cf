"""Admission: requests are reported to the listening socket of a server, queued bytes to the table of connections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from .responses import Receive, Scope, Send

__all__ = ["counted", "uncounted"]

Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def counted(application: Application, of: Callable[[Any], Any]) -> Application:
    """The application, whose requests and WebSockets keep their network connection from being idle. `of` finds it by its peer."""

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
    """Bytes were queued on a connection that no memory budget covers."""
    del size
