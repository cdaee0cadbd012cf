"""`--untrusted`: run a command in a confined child process with a time limit."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ..errors import CodegenError, InputError
from ..limits import ELAPSED, SECONDS
from .console import flush, note

_GRACE = 2
"""Seconds that the child has after its own time limits to end with a message."""

_is_child = False


def is_child() -> bool:
    """Return whether this is the confined child. Its program must end in `leave`."""
    return _is_child


def leave(code: int) -> None:
    """End the child with its exit code."""
    if _is_child:
        with contextlib.suppress(OSError):
            flush()
        os._exit(code)


def fork(writable: Path | None, *, is_timed: bool) -> int | None:
    """Continue in a confined child, which returns None. The parent waits and returns the child's exit code.

    The child may write below `writable`, which is created, and in a temporary folder of its own.
    """
    if not hasattr(os, "fork"):
        raise InputError("--untrusted", "requires Linux or macOS; on Windows, use WSL")
    flush()
    made = _make(writable)
    scratch = Path(tempfile.mkdtemp(prefix="acp-untrusted-"))
    ended, held = os.pipe()
    child = os.fork()
    if not child:
        os.close(ended)
        _become_child([scratch, *([writable] if writable else [])], is_timed=is_timed)
        return None
    os.close(held)
    in_time = True
    code = 2
    try:
        # The pipe ends with the child.
        in_time = bool(select.select([ended], [], [], ELAPSED.most + 2 * _GRACE if is_timed else None)[0])
    finally:  # also of an interrupted run
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # a child that has exited keeps its status
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(ended)
        shutil.rmtree(scratch, ignore_errors=True)
        for folder in reversed(made) if code else ():
            with contextlib.suppress(OSError):
                folder.rmdir()  # those that are empty
    if code >= 0:
        return code
    if not in_time:
        raise CodegenError(f"error: {ELAPSED.problem}; {ELAPSED.instead}")
    if -code == signal.SIGXCPU:
        raise CodegenError(f"error: {SECONDS.problem}; {SECONDS.instead}")
    raise CodegenError(f"error: the process that read the documents was killed by {signal.Signals(-code).name}")


def _make(folder: Path | None) -> list[Path]:
    """Create an output folder and return the folders that were missing."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()][::-1] if folder else []
    for each in missing:
        each.mkdir()
    return missing


def _become_child(writable: Iterable[Path], *, is_timed: bool) -> None:
    global _is_child  # noqa: PLW0603  # a process is one or the other
    from ..confine import confine  # noqa: PLC0415  # not on Windows

    _is_child = True
    os.setpgid(0, 0)
    for number in (signal.SIGTTIN, signal.SIGTTOU):  # a terminal stops what is not in front
        signal.signal(number, signal.SIG_IGN)
    folder = str(next(iter(writable)))
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    confinement = confine(writable, seconds=SECONDS.most + _GRACE if is_timed else None)
    limit = f", {ELAPSED.most} s" if is_timed else ""
    note(f"untrusted: {confinement}{limit}")
