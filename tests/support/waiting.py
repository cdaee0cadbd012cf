"""Waiting that no busy machine cuts short: for a condition, until nothing happens any more, and clocks for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

__all__ = ["advance", "settled", "still", "unhurried", "until"]

_TURNS = 200
"""Iterations of the event loop in which everything between tasks, and over sockets of one process, has happened."""


async def until(condition: Callable[[], Any]) -> None:
    """Wait for what another task does."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110  # there is no event for whatever a test waits for
            await asyncio.sleep(0.001)


async def settled() -> None:
    """Let all other tasks of the event loop do whatever they can do without time passing."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)


async def still(count: Callable[[], int]) -> None:
    """Wait until a count, which must rise first, rises no more."""
    before = quiet = 0
    while quiet < 20:
        await asyncio.sleep(0.005)
        await settled()
        now = count()
        quiet = quiet + 1 if before == now > 0 else 0
        before = now


class _Clock:
    """The time of an event loop, and what a test has added to it."""

    def __init__(self, real: Callable[[], float]) -> None:
        self.real = real
        self.added = 0.0

    def __call__(self) -> float:
        return self.real() + self.added


def advance(seconds: float) -> None:
    """Move the clock of the event loop: what was to happen within these seconds is due. The loop ends with the test.

    An object that keeps the loop's `time` sees it move if the clock was advanced before, be it by 0.
    """
    loop = asyncio.get_running_loop()
    if not isinstance(loop, asyncio.BaseEventLoop):
        pytest.skip("the clock of this event loop cannot be moved")
    clock: Any = loop.time
    if not isinstance(clock, _Clock):
        clock = _Clock(clock)
        patch.object(loop, "time", clock).start()
    clock.added += seconds


_TICK = 0.02


class _Unhurried:
    """The time of an event loop in which the process ran: a gap between two looks at the clock counts as two ticks at most."""

    def __init__(self, real: Callable[[], float]) -> None:
        self.real = real
        self.looked = self.now = real()

    def __call__(self) -> float:
        before, self.looked = self.looked, self.real()
        self.now += min(self.looked - before, 2 * _TICK)
        return self.now


def unhurried() -> None:
    """Let time pass for the event loop only while its process runs: on a busy machine, nothing in it is late."""
    loop = asyncio.get_running_loop()
    if isinstance(loop.time, _Unhurried):
        return
    patch.object(loop, "time", _Unhurried(loop.time)).start()

    def tick() -> None:
        loop.call_later(_TICK, tick)

    tick()
