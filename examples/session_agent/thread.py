"""The threads in which the store runs, so that the event loop never waits for a disk or for another agent's lock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, Final, ParamSpec, Self, TypeVar

from .engine import StoreFailed, Undecided
from .store import Store

__all__ = ["StoreThread"]

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE: Final = 10.0
"""Seconds for which an operation is tried again: other agents hold a lock, the database's server is away."""
FIRST_PAUSE: Final = 0.01
LONGEST_PAUSE: Final = 0.2
"""Seconds between one attempt and the next."""


class StoreThread:
    """A store and its threads: `row = await store(Store.find, identity, session_id)`.

    As many operations are under way at once as the engine has lanes. Those of one session run one after the other, in
    the order of the calls. An operation that was begun is carried out, even if whoever called it is cancelled.
    """

    def __init__(self, address: str, connections: int = 4) -> None:
        self._address = address
        self._connections = connections
        self._executors = [_executor()]
        self._store: Store | None = None
        self._hurried = False

    @property
    def owner(self) -> str:
        """Our name in the store."""
        return self._opened().engine.owner

    def lapsed(self) -> bool:
        """Whether other agents took us for dead since this was last asked."""
        return self._opened().engine.lapsed()

    def hurry(self) -> None:
        """From now on, wait for no lock of another agent's: ours is about to end."""
        self._hurried = True

    async def __aenter__(self) -> Self:
        store = await self._run(self._executors[0], lambda: Store(self._address, self._connections))
        self._executors += [_executor() for _ in range(1, store.engine.lanes)]
        self._store = store
        return self

    async def __aexit__(self, *_: object) -> None:
        store, self._store = self._store, None
        if store is not None:
            await self._run(self._executors[0], store.close)
        for executor in self._executors:
            executor.shutdown(wait=False)

    async def __call__(self, operation: Callable[Concatenate[Store, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the operation returns or raises; StoreFailed where the store cannot carry it out.

        An operation that failed has changed nothing, and may be tried again. One on a session has identity and id as
        its first arguments.
        """
        store = self._opened()
        executor = self._executors[hash(args[:2]) % len(self._executors)]
        deadline = time.monotonic() + PATIENCE
        pause = FIRST_PAUSE
        while True:
            try:
                return await self._run(executor, lambda: operation(store, *args, **kwargs))
            except (Undecided, store.engine.error) as error:
                is_passing = isinstance(error, Undecided) or store.engine.is_passing(error)
                if not is_passing or time.monotonic() > deadline or self._hurried:
                    raise StoreFailed(store.engine.complaint(error)) from error
            await asyncio.sleep(pause)
            pause = min(pause * 1.2, LONGEST_PAUSE)

    def _opened(self) -> Store:
        assert self._store is not None, "the store is not open"
        return self._store

    def _run(self, executor: ThreadPoolExecutor, call: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(executor, call)


def _executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="store")
