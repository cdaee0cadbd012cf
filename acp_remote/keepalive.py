"""Keepalive of a WebSocket on the server: detects clients that have disconnected.

A client that answers no ping has disconnected. uvicorn checks this itself. hypercorn can send pings but drops the
answers, so this module watches the object that receives a socket's bytes. `serve` sends its own pings, because
hypercorn's continue for one interval after their socket has closed.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from .interface import Runtime

_MISSED = 3
"""Number of unanswered pings after which a client counts as disconnected."""


class KeepaliveMonitor:
    """Monitors the activity of a socket. `every`: seconds between pings that this module sends with ``send``."""

    def __init__(self, runtime: Runtime, send: Any, every: float | None = None) -> None:
        self._runtime = runtime
        self._clock = asyncio.get_running_loop().time
        self._heard = self._clock()
        self._hearing = 0
        self._doubted = False
        stream = getattr(send, "__self__", None)
        self._ping: Any = getattr(stream, "_send_wsproto_event", None) if every is not None else None
        self._task: asyncio.Task[None] | None = None
        self._every = every or 0.0
        theirs = getattr(getattr(stream, "config", None), "websocket_ping_interval", None)
        interval = theirs if self._ping is None else every
        handle = getattr(stream, "handle", None)
        self._patience: float | None = None
        if isinstance(interval, int | float) and callable(handle):
            self._patience = _MISSED * interval
            self._handle: Any = handle
            setattr(stream, "handle", self._overhear)  # noqa: B010  # its type is nothing that is known here

    def begin(self) -> None:
        """Record that the socket is open."""
        if self._ping is not None:
            self._task = self._runtime.start(self._send())

    def end(self) -> None:
        """Record that the socket is closed."""
        if self._task is not None:
            self._task.cancel()

    async def _send(self) -> None:
        from hypercorn.protocol.ws_stream import Ping  # type: ignore[attr-defined]  # noqa: PLC0415

        with contextlib.suppress(Exception):  # a socket that is gone is known elsewhere
            while True:
                await self._ping(Ping())
                await asyncio.sleep(self._every)

    async def _overhear(self, event: Any) -> None:
        self._hearing += 1
        self._heard = self._clock()
        try:
            await self._handle(event)
        finally:
            self._hearing -= 1
            self._heard = self._clock()

    @property
    def missing(self) -> bool:
        """Return whether the client has disconnected. It checks twice, because a delayed event loop may have
        unprocessed data.
        """
        silent = self._patience is not None and not self._hearing and self._clock() - self._heard > self._patience
        doubted, self._doubted = self._doubted, silent
        return silent and doubted
