"""A hook for the conftest of tests that open files, pipes and sockets: no coroutine leaves a descriptor behind."""

from __future__ import annotations

import gc
import inspect
import os
import sys
import time
from collections.abc import Generator

import pytest

__all__ = ["pytest_pyfunc_call"]


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """No coroutine leaves a file descriptor behind."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return (yield)
    before = _descriptors()
    gc.freeze()  # what other tests left in memory is not gone through after each of these
    done = yield
    gc.collect()
    for _ in range(200):  # a thread may be about to close one
        if _descriptors() <= before:
            break
        time.sleep(0.05)
    assert _descriptors() <= before, "a file descriptor was left open"
    return done


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
