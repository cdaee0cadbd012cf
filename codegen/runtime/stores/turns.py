"""One running prompt: its cancellation, and its updates, which are written in batches.

A cancelled turn ends as cancelled, however late the cancellation arrived. Only its steps are interrupted (waiting, the
author's handler), never writes before and after them.

Clients get an update immediately; it is written shortly afterwards. The response to the prompt waits until all updates
are written. Therefore, answered turns are never lost, and a crash loses at most the most recent updates.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from ..tasks import start
from .base import Keyed, Store, TurnKey
from .open_session import Watcher

BATCH: Final = 64
"""Number of updates that are written without waiting for more."""
BATCH_BYTES: Final = 1 << 20
"""Bytes of updates that are written without waiting for more."""


class Journal:
    """The updates of one turn. `failed` is called when they cannot be written; an update waits `delay` seconds for
    others.
    """

    def __init__(
        self,
        store: Store,
        session: tuple[str, str],
        turn: TurnKey,
        first: int,
        failed: Callable[[Exception], None],
        delay: float,
    ) -> None:
        self.count = first
        """Number of updates in the turn so far, including the user's message."""
        self._store = store
        self._session = session
        self._turn = turn
        self._failed = failed
        self._delay = delay
        self._first = first
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._broken = False
        self._timer: asyncio.TimerHandle | None = None
        self._writer: asyncio.Task[None] | None = None

    def add(self, payload: bytes) -> None:
        """Add an update."""
        self.count += 1
        self._waiting.append(payload)
        self._bytes += len(payload)
        if self._writer is not None or self._broken:
            return
        if len(self._waiting) >= BATCH or self._bytes >= BATCH_BYTES:
            self._begin()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._delay, self._begin)

    async def flush(self) -> None:
        """Write all updates that were added so far."""
        goal = self.count
        while self._first < goal and not self._broken:
            if self._writer is None:
                self._begin()
            assert self._writer is not None
            await asyncio.wait([self._writer])

    async def rest(self) -> tuple[int, list[bytes]]:
        """Wait for the current write. Returns the number of the first unwritten update, and the unwritten updates."""
        while self._writer is not None:
            await asyncio.wait([self._writer])
        self._stop()
        return self._first, self._waiting

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self) -> None:
        self._stop()
        self._writer = start(self._write())

    async def _write(self) -> None:
        batch = self._waiting[:]
        try:
            await self._store.append(*self._session, self._turn, self._first, batch)
        except Exception as error:  # noqa: BLE001  # whatever a store raises ends the turn
            self._broken = True
            self._failed(error)  # the updates stay here, for the end of the turn
            return
        finally:
            self._writer = None
        self._first += len(batch)
        del self._waiting[: len(batch)]
        self._bytes = sum(map(len, self._waiting))
        if len(self._waiting) >= BATCH:
            self._begin()
        elif self._waiting:
            self._timer = asyncio.get_running_loop().call_later(self._delay, self._begin)


T = TypeVar("T")


class TurnCancelled(Exception):
    """The turn was cancelled. Completed effects of the step remain."""


class Turn:
    """A turn, from the arrival of its prompt to its response. `asked_by`: the client that sent the prompt.

    If its client disconnects, a turn with a key continues for a while. A client that sends the same key takes it over.
    """

    def __init__(self, asked_by: Watcher, keyed: Keyed | None = None) -> None:
        self.asked_by = asked_by
        self.keyed = keyed
        self.cancelled = False
        self.failure: Exception | None = None
        """The reason why the turn cannot continue: its updates cannot be written."""
        self.over = asyncio.Event()
        """Set when everything except the response is done."""
        self.journal: Journal | None = None
        self.number = 0
        self.entries: list[bytes] = []
        """Updates about entries with a beginning and an end, such as tool calls."""
        self._step: asyncio.Task[Any] | None = None

    def cancel(self) -> None:
        """Cancel the current step and skip later ones."""
        self.cancelled = True
        self._cut()

    def fail(self, error: Exception) -> None:
        """Cancel the current step and end the turn with an error."""
        if self.failure is None:
            self.failure = error
        self._cut()

    def _cut(self) -> None:
        if self._step is not None:
            self._step.cancel()

    async def step(self, work: Coroutine[Any, Any, T]) -> T:
        """Run an interruptible part of the turn and return its result. Raises its errors, or TurnCancelled."""
        if self.cancelled:
            work.close()
            raise TurnCancelled
        step = self._step = start(work)
        try:
            await asyncio.wait([step])
        finally:
            self._step = None
            step.cancel()
        error = None if step.cancelled() else step.exception()
        if self.failure is not None:
            raise self.failure
        if self.cancelled or step.cancelled():
            raise TurnCancelled from error
        result: T = step.result()
        return result
