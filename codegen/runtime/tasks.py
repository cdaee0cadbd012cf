"""Tasks, and what handlers return: how both are begun and awaited.

A task begins in a later turn of the event loop, whatever task factory the program has set. An eager one would run a task inside the call that makes it: a handler amid the reading of a frame, before anyone holds
the task. What a handler starts itself is made by the factory of the program.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Coroutine, Generator
from inspect import isawaitable
from types import CoroutineType
from typing import Any, TypeVar, cast

from msgspec import Struct

__all__ = ["AT_ONCE", "Deadline", "Once", "Waiters", "background", "outcome_of", "start", "waits"]

T = TypeVar("T")


class _AtOnce:
    """Waits for nothing: a coroutine that returns at once takes several times as long."""

    def __await__(self) -> Generator[Any, Any, None]:
        return _NOTHING


_NOTHING = cast("Generator[Any, Any, None]", iter(()))
AT_ONCE: Awaitable[None] = _AtOnce()


def start(coroutine: Coroutine[Any, Any, T], context: contextvars.Context | None = None) -> asyncio.Task[T]:
    """A task of the running loop that has not begun; it runs in a copy of the current context unless one is given."""
    return asyncio.Task(coroutine, loop=asyncio.get_running_loop(), context=context)


class Deadline:
    """What `asyncio.timeout` is, for what mostly takes no time, at a third of its cost: TimeoutError out of the block after so many seconds."""

    __slots__ = ("_cancelling", "_over", "_task", "_timer")

    def __init__(self, seconds: float) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._cancelling = task.cancelling()
        self._over = False
        self._timer = asyncio.get_running_loop().call_later(seconds, self._end)

    def _end(self) -> None:
        self._over = True
        self._task.cancel()

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._timer.cancel()
        # Who else cancelled the task meanwhile goes first.
        if self._over and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error


class Waiters:
    """Those who wait for the next change of something, whatever it is: each looks for itself when it is woken."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[None], None] = {}

    def wake(self) -> None:
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self) -> None:
        waiter = asyncio.get_running_loop().create_future()
        self._waiting[waiter] = None
        try:
            await waiter
        finally:
            del self._waiting[waiter]


class Once:
    """Something that happens once, for those who wait for it. An `asyncio.Event` holds 800 bytes for as long as it has not."""

    __slots__ = ("_happened", "_waiters")

    def __init__(self) -> None:
        self._happened = False
        self._waiters = Waiters()

    def is_set(self) -> bool:
        return self._happened

    def set(self) -> None:
        self._happened = True
        self._waiters.wake()

    async def wait(self) -> None:
        if not self._happened:
            await self._waiters.wait()


_held: set[asyncio.Task[Any]] = set()
"""Nobody else holds the tasks that outlive who started them."""


def background(coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task that runs to its end even if nobody waits for it any more."""
    task = start(coroutine)
    _held.add(task)
    task.add_done_callback(_held.discard)
    return task


async def outcome_of(value: Any) -> Any:
    """What a handler returned, plain or ``async def``."""
    return await value if waits(value) else value


def waits(value: Any) -> bool:
    """Whether a handler is to be awaited; most that are return the coroutine that they are."""
    # A record is what most plain handlers return; `isawaitable` takes its time to find that out.
    if type(value) is CoroutineType:
        return True
    return value is not None and not isinstance(value, Struct) and isawaitable(value)
