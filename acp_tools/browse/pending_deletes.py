"""Deletions that can be undone: the request is sent after a delay.

The protocol has no undelete, so the client delays the request. Until then, undo needs no request. When the user quits,
pending deletions are sent.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

Send = Callable[[str], Awaitable[None]]


class Deletes:
    """The pending deletions, oldest first."""

    def __init__(self, seconds: float, send: Send) -> None:
        self.seconds = seconds
        self._send = send
        self.sending: set[str] = set()
        """Sent deletions without a response."""
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def __contains__(self, session_id: str) -> bool:
        return session_id in self._waiting

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, session_id: str) -> None:
        """Schedule a deletion."""
        if session_id not in self._waiting and session_id not in self.sending:
            loop = asyncio.get_running_loop()
            self._waiting[session_id] = loop.call_later(self.seconds, self._fire, session_id)

    def waiting(self) -> list[str]:
        """The sessions whose deletion can be undone."""
        return list(self._waiting)

    def next(self) -> tuple[str, int] | None:
        """The next session to delete, with the remaining seconds."""
        if not self._waiting:
            return None
        session_id, timer = min(self._waiting.items(), key=lambda item: item[1].when())
        return session_id, max(math.ceil(timer.when() - asyncio.get_running_loop().time()), 0)

    def undo(self) -> str | None:
        """Undo the latest pending deletion; None if there is none."""
        if not self._waiting:
            return None
        session_id, timer = self._waiting.popitem()
        timer.cancel()
        return session_id

    async def flush(self) -> None:
        """Send the pending deletions and wait for all responses."""
        for session_id, timer in list(self._waiting.items()):
            timer.cancel()
            self._fire(session_id)
        while self._tasks:
            await asyncio.wait(self._tasks)

    def abandon(self) -> list[str]:
        """Cancel the pending deletions and return their sessions."""
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
