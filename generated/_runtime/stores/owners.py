# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Names of processes, and whether they still run.

A name has the number of the process and, on Linux, the time of its start, since numbers are used again. Processes that
share a file run on one machine and must see each other: those in different containers take each other for dead.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import Any

__all__ = ["is_alive", "new_owner"]


def new_owner() -> str:
    """A new name of this process: `4711@8650330#5f0c2a19`."""
    return f"{_name(os.getpid())}#{secrets.token_hex(4)}"


def is_alive(owner: str) -> bool:
    """Whether the process of that owner still runs."""
    process = owner.partition("#")[0]
    number = process.partition("@")[0]
    if not number.isdecimal():
        return False  # something else has written to the store
    pid = int(number)
    if sys.platform == "win32":
        return _runs_on_windows(pid)
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return _name(pid) == process


def _name(pid: int) -> str:
    try:
        # The 22nd field; the second is the program's name in parentheses and may hold anything.
        started = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        started = "?"
    return f"{pid}@{started}"


def _runs_on_windows(pid: int) -> bool:
    import ctypes  # noqa: PLC0415  # for Windows alone, where os.kill(pid, 0) would interrupt the process

    windows: Any = ctypes
    kernel = windows.WinDLL("kernel32")
    handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
    if not handle:
        return False
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == 259  # STILL_ACTIVE
