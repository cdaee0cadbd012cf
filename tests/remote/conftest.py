"""Agents served in the event loop of the test, and clients that reach them by every way."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.fd_leaks import pytest_pyfunc_call

__all__ = ["pytest_pyfunc_call"]

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "runtime" / "interop")]

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
