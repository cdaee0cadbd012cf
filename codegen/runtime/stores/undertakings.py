"""What must not be left half done: once begun, it is brought to its end, even if whoever waits for it is cancelled.

Requests are cancelled by clients, by timeouts and by the end of their connection, at any await. A process that was told
to end has to be waited for all the same, and a lock must be held for as long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, TypeVar

__all__ = ["Undertakings", "to_the_end"]

logger = logging.getLogger(__name__)

T = TypeVar("T")


async def to_the_end(work: Coroutine[Any, Any, T], on_cancel: Callable[[], object] = lambda: None) -> T:
    """Do something and wait for its end; a cancellation meanwhile is passed on then."""
    task = asyncio.create_task(work)
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
    """Work that goes on in the background when whoever asked for it is cancelled."""

    def __init__(self, expected: tuple[type[Exception], ...] = ()) -> None:
        self._expected = expected
        """What may be wrong without being a fault of ours: it is no news if nobody waits for it any more."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._given_up: set[asyncio.Task[Any]] = set()

    async def begin(self, work: Coroutine[Any, Any, T], locks: AsyncExitStack | None = None) -> T:
        """Do something, and keep these locks until it is done: its result, unless the caller is cancelled before."""

        async def locked() -> T:
            async with locks or AsyncExitStack():
                return await work

        task = asyncio.create_task(locked())
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.done():
                self._given_up.add(task)
            raise

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None and task in self._given_up and not isinstance(failure, self._expected):
            logger.error("what nobody waits for any more has failed", exc_info=failure)
        self._given_up.discard(task)

    async def wait(self) -> None:
        """Wait until all of it is done, what is begun meanwhile included."""
        while self._tasks:
            await asyncio.wait(self._tasks)
