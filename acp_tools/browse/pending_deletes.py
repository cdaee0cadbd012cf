"""Deletions that can be undone: the request is sent only after a delay.

The protocol has no undelete, and no agent can advertise one. So the client waits: until the request is sent nothing
has happened, and undoing it needs no request. Deletions that still wait when the program ends are sent then.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

__all__ = ["Deletes"]

Send = Callable[[str], Awaitable[None]]


class Deletes:
    """The deletions that wait, oldest first."""

    def __init__(self, seconds: float, send: Send) -> None:
        self.seconds = seconds
        self._send = send
        self.sending: set[str] = set()
        """Too late to undo, not answered yet."""
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def __contains__(self, session_id: str) -> bool:
        return session_id in self._waiting

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, session_id: str) -> None:
        """Delete a session when the time is over."""
        if session_id not in self._waiting and session_id not in self.sending:
            loop = asyncio.get_running_loop()
            self._waiting[session_id] = loop.call_later(self.seconds, self._fire, session_id)

    def waiting(self) -> list[str]:
        """The sessions that are to be deleted, and can be kept."""
        return list(self._waiting)

    def next(self) -> tuple[str, int] | None:
        """The session whose time is over first, and the seconds that it still has."""
        if not self._waiting:
            return None
        session_id, timer = min(self._waiting.items(), key=lambda item: item[1].when())
        return session_id, max(math.ceil(timer.when() - asyncio.get_running_loop().time()), 0)

    def undo(self) -> str | None:
        """Take back the latest deletion that waits; None: there is none."""
        if not self._waiting:
            return None
        session_id, timer = self._waiting.popitem()
        timer.cancel()
        return session_id

    async def flush(self) -> None:
        """Send what waits, and wait for what was sent."""
        for session_id, timer in list(self._waiting.items()):
            timer.cancel()
            self._fire(session_id)
        while self._tasks:
            await asyncio.wait(self._tasks)

    def abandon(self) -> list[str]:
        """Send nothing any more; the sessions that were to be deleted."""
        left = list(self._waiting)
        for timer in self._waiting.values():
            timer.cancel()
        self._waiting.clear()
        return left

    def _fire(self, session_id: str) -> None:
        del self._waiting[session_id]
        task = asyncio.get_running_loop().create_task(self._run(session_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, session_id: str) -> None:
        self.sending.add(session_id)
        try:
            await self._send(session_id)
        finally:
            self.sending.discard(session_id)
