"""The time limit of read-only commands: a fixed amount of processor time, then one line that names the slow part.

Limits count the parts of documents, each by itself. The time limit covers their combined effect. Commands under it write nothing, so
it may stop them anywhere. It needs a system timer; without one (Windows) it does nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Generator
from types import FrameType

from .errors import InputError
from .limits import SECONDS

_AGAIN = 0.5
_RINGS = 2

_place = ("", 0)
_running = False


class OutOfTime(InputError):
    """The time is up."""

    def __init__(self) -> None:
        name, line = _place
        super().__init__(f"{name}:{line}" if line else name or "this command", f"{SECONDS.problem}; {SECONDS.instead}")


def is_running() -> bool:
    """Whether the time of this process counts. What other processes do for it is not counted."""
    return _running


def working_at(name: str, line: int = 0) -> None:
    """Say what is being worked on: a file, and a line of it where it is read by lines."""
    global _place  # noqa: PLW0603  # there is one clock in a process
    _place = (name, line)


@contextlib.contextmanager
def within_time() -> Generator[None, None, None]:
    """Raise OutOfTime where the block has taken all the time that there is."""
    global _running  # noqa: PLW0603  # there is one clock in a process
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    rings = 0

    def ring(_signal: int, _frame: FrameType | None) -> None:
        nonlocal rings
        rings += 1
        if rings > _RINGS:  # somebody catches all that is raised
            os.write(2, f"{OutOfTime()}\n".encode())
            os._exit(2)
        raise OutOfTime

    _running = True
    working_at("")
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS.most, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _running = False
        signal.signal(signal.SIGPROF, before)
