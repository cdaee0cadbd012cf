"""One prompt under way, and how it is cut short.

The law: a turn that was cancelled ends as cancelled, however late that came and whatever the model made of it. Only
steps are cut short (waiting, the model); what is done for the record between and after them is not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["Turn", "TurnCancelled"]

T = TypeVar("T")


class TurnCancelled(Exception):
    """The turn was cancelled; what the step did until then stays done."""


class Turn:
    """A turn from the arrival of its prompt to its answer."""

    def __init__(self, asked_by: object = None) -> None:
        self.asked_by = asked_by
        """Whose prompt it is."""
        self.cancelled = False
        self.over = asyncio.Event()
        """Set when its last word is said, its answer aside."""
        self._step: asyncio.Task[Any] | None = None

    def cancel(self) -> None:
        """Cut the present step short, and skip those to come."""
        self.cancelled = True
        if self._step is not None:
            self._step.cancel()

    async def step(self, work: Coroutine[Any, Any, T]) -> T:
        """Do a part of the turn that may be cut short: its result, what it raises, or TurnCancelled."""
        if self.cancelled:
            work.close()
            raise TurnCancelled
        step = self._step = asyncio.create_task(work)
        try:
            await asyncio.wait([step])
        finally:
            self._step = None
            step.cancel()
        failure = None if step.cancelled() else step.exception()
        if self.cancelled or step.cancelled():
            raise TurnCancelled from failure
        result: T = step.result()
        return result
