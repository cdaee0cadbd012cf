"""Cancels an operation at its k-th await, for every k.

All awaits count, those of the tasks that the operation starts included: what goes on behind a shield is cut short at
each of its stages, too, as far as whoever asked for it is concerned.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine, Generator
from typing import Any

__all__ = ["cancelled_at"]


class _Probe:
    """Counts the awaits of an operation, cancels its first task at one of them."""

    def __init__(self, at: int) -> None:
        self.left = at
        self.task: asyncio.Task[Any] | None = None
        self.hit = False
        """Whether the operation was still under way then."""

    def count(self) -> None:
        self.left -= 1
        if self.left == 0 and self.task is not None:
            self.hit = self.task.cancel()


_probe: contextvars.ContextVar[_Probe | None] = contextvars.ContextVar("probe", default=None)


class _Counted(Coroutine[Any, Any, Any]):
    """A coroutine whose awaits count."""

    def __init__(self, work: Coroutine[Any, Any, Any], probe: _Probe) -> None:
        self.work, self.probe = work, probe

    def send(self, value: Any) -> Any:
        awaited = self.work.send(value)
        self.probe.count()
        return awaited

    def throw(self, *error: Any) -> Any:
        awaited = self.work.throw(*error)
        self.probe.count()
        return awaited

    def close(self) -> None:
        self.work.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self.work.__await__()


def _factory(loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
    probe = more["context"].get(_probe) if more.get("context") is not None else _probe.get()
    return asyncio.Task(work if probe is None else _Counted(work, probe), loop=loop, **more)


async def cancelled_at(at: int, work: Coroutine[Any, Any, Any]) -> bool:
    """Run an operation, cancel it at that await (from 1); whether it came so far. What it raises otherwise is its own affair."""
    loop = asyncio.get_running_loop()
    before = loop.get_task_factory()
    loop.set_task_factory(_factory)
    probe = _Probe(at)
    context = contextvars.copy_context()
    context.run(_probe.set, probe)
    try:
        probe.task = loop.create_task(work, context=context)
        await asyncio.wait([probe.task])
        if not probe.task.cancelled():
            probe.task.exception()
    finally:
        loop.set_task_factory(before)
    assert probe.task.cancelled() or not probe.hit, "the cancellation was lost"
    return probe.hit
