"""The database of an `SQLStore`: its threads, and the interface that hides differences between SQLite and PostgreSQL.

The event loop never waits for a disk or a lock: operations run in lanes, each of which is one thread.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager
from types import CoroutineType
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from ..tasks import start
from .base import StoreError, StoreFailed


class Undecided(Exception):
    """Raised while it is unknown whether a process runs. Try again."""


class Rows(Protocol):
    """The rows that a statement found, or the number that it changed."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Engine(Protocol):
    """An open database. Each lane is one thread."""

    owner: str
    """The name of this process in leases and turns."""
    lanes: int
    """Maximum number of concurrent operations."""
    error: type[Exception]
    """The exception that statements raise."""
    held: str
    """The end of a SELECT that locks its row until the transaction ends."""
    shared: str
    """The end of a SELECT that takes a shared lock on a row of `sessions`."""

    def execute(self, statement: str, arguments: Sequence[object] = (), /) -> Rows:
        """Run a statement with `?` for each argument, in the transaction of this thread or outside of transactions."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """A transaction: all changes inside are durable when it ends, or none is."""
        ...

    def newest(self, columns: str, where: str, arguments: Sequence[object], limit: int) -> list[Any]:
        """Columns of sessions, newest first. Unreadable rows are skipped if possible."""
        ...

    def is_alive(self, owner: str) -> bool:
        """Return whether a process runs. Raises Undecided if that is not known yet."""
        ...

    def forget(self, owner: str) -> None:
        """Record that a process has died. If it still runs, its `lapsed` returns True."""
        ...

    def lapsed(self) -> bool:
        """Return whether another process presumed this one dead since the last call, so its leases are lost."""
        ...

    def is_passing(self, error: Exception) -> bool:
        """Return whether a retry of the operation may succeed."""
        ...

    def complaint(self, error: Exception) -> str:
        """The problem and the remedy, in one line."""
        ...

    def close(self) -> None: ...


P = ParamSpec("P")
T = TypeVar("T")

PATIENCE: Final = 10.0
"""Seconds for which an operation is repeated while a lock is held or the server is unavailable."""
FIRST_PAUSE: Final = 0.01
LONGEST_PAUSE: Final = 0.2
"""Maximum seconds between two attempts."""


class Lanes:
    """An engine and its threads.

    Operations of one session run one after the other, in the order of the calls. An operation that has begun is carried
    out, even if its caller is cancelled.
    """

    def __init__(self, open_engine: Callable[[], Engine], patience: float = PATIENCE) -> None:
        self._open_engine = open_engine
        self._patience = patience
        self._executors: list[Executor] = []
        self._engine: Engine | None = None
        self._opening: asyncio.Task[None] | None = None

    @property
    def engine(self) -> Engine:
        """The open engine. Raises StoreError if there is none."""
        if self._engine is None:
            raise StoreError("the store is not open: await store.open() first")
        return self._engine

    @property
    def is_open(self) -> bool:
        """True if the engine is open."""
        return self._engine is not None

    async def open(self) -> None:
        """Open the engine, once. Raises StoreError if it cannot be used."""
        if self._engine is None:
            if self._opening is None or self._opening.done():
                self._opening = start(self._open())
            await asyncio.shield(self._opening)

    async def _open(self) -> None:
        executor = _executor()
        try:
            engine = await self._run(executor, self._open_engine)
        except BaseException:
            executor.shutdown(wait=False)
            raise
        self._executors = [executor, *(_executor() for _ in range(1, engine.lanes))]
        self._engine = engine

    async def close(self) -> None:
        """Close the engine after all operations in progress."""
        engine, self._engine = self._engine, None
        if engine is None:
            return
        executors, self._executors = self._executors, []
        for executor in executors[1:]:
            await self._run(executor, lambda: None)
        await self._run(executors[0], engine.close)
        for executor in executors:
            executor.shutdown(wait=False)

    async def run(self, key: object, work: Callable[[], T]) -> T:
        """Run work in a lane and return its result. Raises StoreFailed if the database cannot execute it. `key`: the
        session.
        """
        engine = self.engine
        executor = self._executors[hash(key) % len(self._executors)]
        deadline = time.monotonic() + self._patience
        pause = FIRST_PAUSE
        while True:
            try:
                return await self._run(executor, work)
            except (Undecided, engine.error) as error:
                is_passing = isinstance(error, Undecided) or engine.is_passing(error)
                if not is_passing or time.monotonic() > deadline:
                    raise StoreFailed(engine.complaint(error)) from error
            await asyncio.sleep(pause)
            pause = min(pause * 1.2, LONGEST_PAUSE)

    async def _run(self, executor: Executor, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(executor, call)


def operation(work: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], CoroutineType[Any, Any, T]]:
    """Make a method run in a lane instead of the calling thread. Its first two arguments identify the session."""

    async def run(self: Any, /, *arguments: P.args, **named: P.kwargs) -> T:
        lanes: Lanes = self.lanes
        key = tuple(each for each in arguments[:2] if isinstance(each, str))
        return await lanes.run(key, lambda: work(self, *arguments, **named))

    functools.update_wrapper(run, work)
    made: Any = run  # mypy takes what it returns for a Coroutine, pyright for a CoroutineType
    return made  # type: ignore[no-any-return]


def _executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="store")
