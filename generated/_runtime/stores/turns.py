# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""One running prompt, and how it is cut short.

A turn that was cancelled ends as cancelled, however late the cancellation came. Only its steps are cut short (waiting, the
author's handler), never what is written before and after them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from ..tasks import start
from .journal import Journal
from .open_session import Watcher

__all__ = ["Turn", "TurnCancelled"]

T = TypeVar("T")


class TurnCancelled(Exception):
    """The turn was cancelled. What the step did until then stays done."""


class Turn:
    """A turn from the arrival of its prompt to its answer. `asked_by`: whose prompt it is."""

    def __init__(self, asked_by: Watcher) -> None:
        self.asked_by = asked_by
        self.cancelled = False
        self.failure: Exception | None = None
        """Why the turn cannot go on: its updates cannot be written."""
        self.over = asyncio.Event()
        """Set when all of the turn is done but its answer."""
        self.journal: Journal | None = None
        self.number = 0
        self.entries: list[bytes] = []
        """Its updates about entries that begin and end, such as tool calls."""
        self._step: asyncio.Task[Any] | None = None

    def cancel(self) -> None:
        """Cut the present step short, and skip those to come."""
        self.cancelled = True
        self._cut()

    def fail(self, error: Exception) -> None:
        """Cut the present step short: the turn ends with this error."""
        if self.failure is None:
            self.failure = error
        self._cut()

    def _cut(self) -> None:
        if self._step is not None:
            self._step.cancel()

    async def step(self, work: Coroutine[Any, Any, T]) -> T:
        """Do a part of the turn that may be cut short: its result, what it raises, or TurnCancelled."""
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
