"""What must not be left half done: once begun, it is brought to its end, even if whoever waits for it is cancelled.

Requests are cancelled by clients, by timeouts and by the end of their connection, at any await. A process that was told
to end has to be waited for all the same, and a lock must be held for as long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, TypeVar

__all__ = ["Undertakings", "to_the_end"]

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

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    async def begin(self, work: Coroutine[Any, Any, T], locks: AsyncExitStack | None = None) -> T:
        """Do something, and keep these locks until it is done: its result, unless the caller is cancelled before."""

        async def locked() -> T:
            async with locks or AsyncExitStack():
                return await work

        task = asyncio.create_task(locked())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def wait(self) -> None:
        """Wait until all of it is done, what is begun meanwhile included."""
        while self._tasks:
            await asyncio.wait(self._tasks)
