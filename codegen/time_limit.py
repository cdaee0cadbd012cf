"""Limits on the processor time and the elapsed time of read-only commands. The error names the slow part.

Other limits count separate parts of documents. The time limits cover their combined effect, and files or programs that
never respond. Commands under time limits write nothing, so they can stop at any point. The limits need system timers,
so they have no effect on Windows.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Generator
from types import FrameType

from .errors import InputError
from .limits import ELAPSED, SECONDS, Limit

_AGAIN = 0.5
_RINGS = 2

_place = ("", 0)
_running = False


class OutOfTime(InputError):
    """A time limit was exceeded."""

    def __init__(self, limit: Limit = SECONDS) -> None:
        self.limit = limit
        name, line = _place
        super().__init__(f"{name}:{line}" if line else name or "this command", f"{limit.problem}; {limit.instead}")


def is_running() -> bool:
    """Return whether the process's time is limited. The time of other processes is not counted."""
    return _running


def working_at(name: str, line: int = 0) -> None:
    """Record the current work: a file, and a line if it is read by lines."""
    global _place  # noqa: PLW0603  # there is one clock in a process
    _place = (name, line)


@contextlib.contextmanager
def within_time() -> Generator[None, None, None]:
    """Raise OutOfTime if the block exceeds a time limit. A nested block has no effect."""
    global _running  # noqa: PLW0603  # there is one clock in a process
    if _running or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    clocks = (
        (signal.SIGPROF, signal.ITIMER_PROF, SECONDS),
        (signal.SIGALRM, signal.ITIMER_REAL, ELAPSED),
    )
    limits = {number: limit for number, _, limit in clocks}
    rings = 0

    def ring(number: int, _frame: FrameType | None) -> None:
        nonlocal rings
        rings += 1
        late = OutOfTime(limits[signal.Signals(number)])
        if rings > _RINGS:  # somebody catches all that is raised
            os.write(2, f"{late}\n".encode())
            os._exit(2)
        raise late

    _running = True
    working_at("")
    handlers = [signal.signal(number, ring) for number, _, _ in clocks]
    timers = [signal.setitimer(timer, limit.most, _AGAIN) for _, timer, limit in clocks]
    try:
        yield
    finally:
        for _, timer, _ in clocks:
            signal.setitimer(timer, 0)
        _running = False
        for (number, timer, _), handler, before in zip(clocks, handlers, timers, strict=True):
            signal.signal(number, handler)
            signal.setitimer(timer, *before)  # a caller's clock, which stood still
