"""What these tests hold to besides: no file descriptor is left behind."""

from __future__ import annotations

import gc
import inspect
import os
import sys
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """No coroutine leaves a file descriptor behind."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return (yield)
    before = _descriptors()
    done = yield
    if _descriptors() != before:
        gc.collect()
    assert _descriptors() <= before, "a file descriptor was left open"
    return done


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
