"""Which process a turn belongs to, and whether it still lives.

A process is named by its number and, where the system tells, by the moment it started: numbers are used again. Agents
that share a file run on one machine (so does SQLite's log), but they must also see each other's processes: those in
different containers take each other for dead.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

__all__ = ["is_alive", "new_owner"]


def new_owner() -> str:
    """A name for someone in this process: `4711@8650330#5f0c2a19`."""
    return f"{_name(os.getpid())}#{secrets.token_hex(4)}"


def is_alive(owner: str) -> bool:
    """Whether the process of that owner still runs."""
    process = owner.partition("#")[0]
    number = process.partition("@")[0]
    if not number.isdecimal():
        return False  # something else has written to the store
    pid = int(number)
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
