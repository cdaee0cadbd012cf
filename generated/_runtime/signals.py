# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Signals that end a program which serves: in order, with its handlers' ``finally`` blocks, and its children with it.

The law: the first SIGTERM, SIGINT or SIGHUP closes, the second kills. Where the program has a handler of its own for one, or
ignores it (as `nohup` has it ignore the last), that stays.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable
from types import FrameType
from typing import Any

__all__ = ["end_children", "end_soon", "signalled"]

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))
_GRACE = 0.3
"""Seconds that children have to end after they were terminated."""
_PATIENCE = 2.0
"""Seconds that a program has to end when something in it will not be cancelled."""


@contextlib.contextmanager
def signalled(close: Callable[[], object]) -> Generator[list[int], None, None]:
    """Call ``close``, on the running event loop, at the first signal; the list is that signal's number, once it came."""
    loop = asyncio.get_running_loop()
    came: list[int] = []
    usual: dict[int, Any] = {}

    def take_signal(number: int, _: FrameType | None) -> None:
        came.append(number)
        for each in usual:
            signal.signal(each, signal.SIG_DFL)
        loop.call_soon_threadsafe(close)

    try:
        for number in _ENDING:
            if _is_free(number):
                with contextlib.suppress(ValueError):  # not the main thread: signals are another's business
                    usual[number] = signal.signal(number, take_signal)
        yield came
    finally:
        if not came:
            for each, handler in usual.items():
                if signal.getsignal(each) is take_signal:  # the program may have set another since
                    signal.signal(each, handler)


def _is_free(number: int) -> bool:
    """Whether nobody but Python itself handles a signal; `asyncio.run` handles SIGINT with a partial of its own."""
    handler = signal.getsignal(number)
    return handler in (signal.SIG_DFL, signal.default_int_handler) or isinstance(handler, functools.partial)


def end_children() -> None:
    """End the processes that were started here and left behind: all of our session, if it is ours, else our children."""
    if os.name != "posix":
        return
    if os.getsid(0) == os.getpid():
        usual = signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(0, signal.SIGTERM)
        signal.signal(signal.SIGTERM, usual)
    else:
        _send(signal.SIGTERM, _children())
    deadline = time.monotonic() + _GRACE
    while (left := list(_children())) and time.monotonic() < deadline:
        time.sleep(0.01)
    _send(signal.SIGKILL, left)


def _send(number: int, processes: Iterable[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _children() -> Generator[int, None, None]:
    """Our children that run, in our process group: one that was given its own is meant to live on. Linux tells."""
    with contextlib.suppress(OSError):
        for task in os.listdir("/proc/self/task"):
            for child in map(int, _read(f"/proc/self/task/{task}/children").split()):
                with contextlib.suppress(OSError):
                    runs = _read(f"/proc/{child}/stat").rpartition(")")[2].split()[0] != "Z"
                    if runs and os.getpgid(child) == os.getpgrp():
                        yield child


def _read(file: str) -> str:
    # Not by pathlib, which takes longer to import than half of this package.
    with open(file, encoding="utf-8", errors="replace") as text:
        return text.read()


def end_soon(code: int) -> None:
    """See to it that the program ends though something in it will not be cancelled, for which asyncio waits for ever."""
    timer = threading.Timer(_PATIENCE, os._exit, (code,))
    timer.daemon = True
    timer.start()
