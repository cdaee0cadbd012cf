"""How the tests of the runtime run: coroutines as tests, in time, and nothing left behind."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
# The peers of the tests; those of the interop tests, which other interpreters run as scripts.
sys.path[:0] = [str(HERE), str(HERE / "interop")]

TIMEOUT = 60


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine as a test: in time, without a task or a file descriptor left behind."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    before = _descriptors()
    gc.freeze()  # what other tests left in memory is not gone through after each of these
    try:
        asyncio.run(_complete(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})))
        gc.collect()
    finally:
        gc.unfreeze()
    assert _descriptors() == before, "a file descriptor was left open"
    return True


async def _complete(test: Coroutine[Any, Any, None]) -> None:
    async with asyncio.timeout(TIMEOUT):
        await test
    await asyncio.sleep(0)
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert not left, f"tasks were left behind: {left}"


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
