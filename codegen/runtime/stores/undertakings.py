"""Work that is completed even if its caller is cancelled.

Clients, timeouts and the end of a connection cancel requests, at any `await`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from ..tasks import start

logger = logging.getLogger(__name__)

T = TypeVar("T")


async def to_the_end(work: Coroutine[Any, Any, T], on_cancel: Callable[[], object] = lambda: None) -> T:
    """Do work and wait for its end. A cancellation meanwhile is raised afterwards."""
    task = start(work)
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            cancelled = True
            on_cancel()
    if cancelled:
        raise asyncio.CancelledError from (None if task.cancelled() else task.exception())
    return task.result()


class Undertakings:
    """Work that continues in the background if its caller is cancelled."""

    def __init__(self, expected: tuple[type[Exception], ...] = ()) -> None:
        self._expected = expected
        """Errors that are not logged when nobody waits for the work."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._left: set[asyncio.Task[Any]] = set()

    async def begin(self, work: Coroutine[Any, Any, T], locks: AsyncExitStack | None = None) -> T:
        """Do work while holding locks, and return its result. If the caller is cancelled, the work continues."""

        async def locked() -> T:
            async with locks or AsyncExitStack():
                return await work

        task = start(locked())
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.done():
                self._left.add(task)
            raise

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None and task in self._left and not isinstance(failure, self._expected):
            logger.error("background work has failed", exc_info=failure)
        self._left.discard(task)

    async def wait(self) -> None:
        """Wait until all work is done, including work that begins meanwhile."""
        while self._tasks:
            await asyncio.wait(self._tasks)
