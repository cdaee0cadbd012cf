"""How much work a call is, counted so that it is the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def work(run: Callable[[], object]) -> int:
    """How many lines of Python a call runs."""
    count = 0

    def trace(frame: Any, event: str, arg: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count
