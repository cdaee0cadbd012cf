"""A thread with an event loop of its own, on which one connection lives, and how other threads wait for what runs there.

The law: whoever waits can be interrupted, and what it has asked for then ends. The loop ends with its block, whatever still runs
on it; nothing waits for a thread that does not end.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import AbstractAsyncContextManager
from typing import Any, ClassVar, TypeVar

from .connection import Connection
from .errors import ConnectionClosed

__all__ = ["PATIENCE", "LoopThread", "wait_for"]

R = TypeVar("R")

PATIENCE = 2.0
"""Seconds that who is interrupted waits for the end of what was asked for."""
_TICK = 0.2 if os.name == "nt" else None
"""Seconds after which a waiting thread looks up: on Windows no signal wakes it."""


class LoopThread:
    """A thread with an event loop, on which one connection lives."""

    _running: ClassVar[dict[asyncio.AbstractEventLoop, LoopThread]] = {}

    def __init__(self, opener: Callable[[], AbstractAsyncContextManager[Connection]]) -> None:
        self._opener = opener
        self._opened: Future[Connection] = Future()
        self._leave: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._ended = False
        self._leaving = False
        self._failure: BaseException | None = None
        self._main: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._work, name="connection", daemon=True)

    @classmethod
    def current(cls) -> LoopThread | None:
        """The one whose loop runs in this thread."""
        try:
            return cls._running.get(asyncio.get_running_loop())
        except RuntimeError:
            return None

    def open(self) -> Connection:
        """Start it, and open the connection. Raises what that raises."""
        try:
            self._thread.start()  # waits for the thread, so it may be interrupted, too
            return wait_for(self._opened)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection and end the loop; raises what closing raised."""
        self._leaving = True
        self.soon(self._stop)
        while self._thread.is_alive():
            self._thread.join(_TICK)
        if self._failure is not None and self._opened.done() and self._opened.exception() is None:
            failure, self._failure = self._failure, None
            raise failure

    def _stop(self) -> None:
        if self._leave is not None:
            self._leave.set()
        if self._main is not None and not self._opened.done():
            self._main.cancel()

    def soon(self, call: Callable[[], object]) -> bool:
        """Have the loop call something; False where it has ended."""
        with self._lock:
            if self._loop is None or self._ended:
                return False
            self._loop.call_soon_threadsafe(call)
            return True

    def run(self, make: Callable[[], Coroutine[Any, Any, R]], stop: Callable[[Future[Any]], None] | None = None) -> R:
        """The result of a coroutine that the loop runs. `stop`: what ends it in order where this thread is interrupted."""
        if threading.current_thread() is self._thread:
            raise RuntimeError(
                "a blocking call would wait for itself here: a handler that is `async def` awaits the connection instead"
            )
        result: Future[R] = Future()
        task: list[asyncio.Task[None]] = []

        async def work() -> None:
            try:
                result.set_result(await make())
            except asyncio.CancelledError:
                result.cancel()
                result.set_running_or_notify_cancel()
                raise
            except BaseException as error:  # noqa: BLE001  # it is raised where it is waited for
                result.set_exception(error)

        try:
            if not self.soon(lambda: task.append(asyncio.ensure_future(work()))):
                result.cancel()
            return wait_for(result)
        except CancelledError:
            raise ConnectionClosed("the connection was closed on this side") from None
        except BaseException:
            if not result.done():
                try:
                    if stop is not None:
                        stop(result)
                finally:
                    self.soon(lambda: [each.cancel() for each in task])
            raise

    # On the thread

    def _work(self) -> None:
        loop = asyncio.new_event_loop()
        self._running[loop] = self
        try:
            asyncio.set_event_loop(loop)
            with self._lock:
                self._loop = loop
            loop.run_until_complete(self._live())
        except BaseException as error:  # noqa: BLE001  # raised where the block is entered or left
            self._failure = error
            if not self._opened.done():
                self._opened.set_exception(error)
        finally:
            with self._lock:
                self._ended = True
            with contextlib.suppress(Exception):
                loop.run_until_complete(_end_tasks())
                loop.run_until_complete(loop.shutdown_asyncgens())
            del self._running[loop]
            loop.close()

    async def _live(self) -> None:
        self._leave = asyncio.Event()
        self._main = asyncio.current_task()
        if self._leaving:  # who wanted the connection was interrupted before there was a loop to tell
            raise asyncio.CancelledError
        async with self._opener() as connection:
            self._opened.set_result(connection)
            await self._leave.wait()


async def _end_tasks() -> None:
    await asyncio.sleep(0)  # what was asked for last begins, to be cancelled
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=PATIENCE)


def wait_for(result: Future[R], seconds: float | None = None) -> R:
    """A future's result; TimeoutError after so many seconds."""
    if seconds is not None or _TICK is None:
        return result.result(seconds)
    while True:
        with contextlib.suppress(TimeoutError):
            return result.result(_TICK)
        if result.done():
            return result.result()
