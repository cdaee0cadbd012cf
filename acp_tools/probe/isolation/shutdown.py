"""Cleanup after SIGTERM, SIGHUP and Ctrl+C: all processes and folders of the peer are removed."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
_SIGNALS = ("SIGTERM", "SIGHUP")


def finished(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine. Raises KeyboardInterrupt if a signal ended it."""
    return asyncio.run(_watched(work))


async def _watched(work: Coroutine[Any, Any, Result]) -> Result:
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    told: list[int] = []

    def stop(number: int) -> None:
        told.append(number)
        task.cancel()

    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    numbers = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]  # nohup ignores one
    try:
        for number in numbers:
            loop.add_signal_handler(number, stop, number)
    except (NotImplementedError, RuntimeError):  # Windows, or not the main thread
        numbers = []
    try:
        return await task
    except asyncio.CancelledError:
        if told:
            raise KeyboardInterrupt from None
        task.cancel()
        await asyncio.wait([task])
        raise
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
