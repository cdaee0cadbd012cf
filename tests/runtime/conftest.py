"""What the tests of the runtime hold to besides: no file descriptor is left behind."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support.fd_leaks import pytest_pyfunc_call

__all__ = ["pytest_pyfunc_call"]

HERE = Path(__file__).parent
# The peers of the tests; those of the interop tests, which other interpreters run as scripts.
sys.path[:0] = [str(HERE), str(HERE / "interop")]
