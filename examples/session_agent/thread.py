"""The thread in which the store runs, so that the event loop never waits for a disk or for another agent's lock."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, Final, ParamSpec, Self, TypeVar

from .database import is_busy
from .store import Store

__all__ = ["StoreThread"]

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE: Final = 10.0
"""Seconds for which an operation is tried again while other agents hold the lock."""


class StoreThread:
    """A store and its thread: `row = await store(Store.find, identity, session_id)`.

    Operations run one after the other, in the order of the calls. An operation that was begun is carried out, even if
    whoever called it is cancelled.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._store: Store | None = None
        self._hurried = False

    def hurry(self) -> None:
        """From now on, wait for no lock of another agent's: ours is about to end."""
        self._hurried = True

    async def __aenter__(self) -> Self:
        self._store = await self._run(lambda: Store(self._path))
        return self

    async def __aexit__(self, *_: object) -> None:
        store, self._store = self._store, None
        if store is not None:
            await self._run(store.close)
        self._executor.shutdown(wait=False)

    async def __call__(self, operation: Callable[Concatenate[Store, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the operation returns or raises; every operation is one transaction and may safely be tried again."""
        store = self._store
        assert store is not None, "the store is not open"
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return await self._run(lambda: operation(store, *args, **kwargs))
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > deadline or self._hurried:
                    raise
                await asyncio.sleep(0.01)

    def _run(self, call: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._executor, call)
