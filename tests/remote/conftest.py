"""Agents served in the event loop of the test, and clients that reach them by every way."""

from __future__ import annotations

import gc
import inspect
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "runtime" / "interop")]


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """No coroutine leaves a file descriptor behind."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj) or sys.platform != "linux":
        return (yield)
    before = len(os.listdir("/proc/self/fd"))
    gc.freeze()
    try:
        done = yield
        gc.collect()
    finally:
        gc.unfreeze()
    for _ in range(200):  # a thread may be about to close one
        if len(os.listdir("/proc/self/fd")) <= before:
            break
        time.sleep(0.05)
    assert len(os.listdir("/proc/self/fd")) <= before, "a file descriptor was left open"
    return done


from remote_hosts import WAYS  # noqa: E402


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Options of a client that reaches an HTTP server: each profile, over each version of HTTP that it may have."""
    return WAYS[request.param]


PROFILES = {"streams": WAYS["http/2"], "plain": WAYS["http/1.1"], "socket": WAYS["websocket"]}


@pytest.fixture(params=PROFILES)
def profile(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Options of a client that speaks each profile, that of event streams by each of our two ways to speak HTTP."""
    return PROFILES[request.param]
