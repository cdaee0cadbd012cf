# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""SQLite: sessions in a file that the processes of one machine share, or in the memory of one process.

In the file, a process is named by its id and, on Linux, its start time, because ids are reused. The processes must
see each other: processes in different containers presume each other dead.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import sys
import weakref
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from .engine import Lanes
from .sql import SQLStore
from .sqlite_file import MEMORY, complaint, is_busy, is_damaged, open_database, salvaged

T = TypeVar("T")


def new_owner() -> str:
    """Create a new name for this process, such as `4711@8650330#5f0c2a19`."""
    return f"{_name(os.getpid())}#{secrets.token_hex(4)}"


def is_alive(owner: str) -> bool:
    """Return whether the process of an owner runs."""
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


class SQLiteStore(SQLStore):
    """Sessions in an SQLite file, which is created if necessary. Only this user may read it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(Lanes(lambda: _SQLite(os.fspath(path))))


class MemoryStore(SQLStore):
    """Sessions in memory. They end with this object, not when it is closed."""

    def __init__(self) -> None:
        super().__init__(_Inline(lambda: _SQLite(MEMORY)))


class _Inline(Lanes):
    """Runs operations immediately in the calling thread, because memory needs no disk or lock.

    The engine stays open.
    """

    async def _open(self) -> None:
        await super()._open()
        weakref.finalize(self, self.engine.close)

    async def close(self) -> None: ...

    async def _run(self, executor: Executor, call: Callable[[], T]) -> T:
        return call()


class _SQLite:
    """One connection in one lane. A transaction locks the whole file, so rows need no locks."""

    lanes = 1
    error: type[Exception] = sqlite3.Error
    held = ""
    shared = ""

    def __init__(self, path: str) -> None:
        self.owner = new_owner()
        self._connection = open_database(path)

    def execute(self, statement: str, arguments: Sequence[object] = (), /) -> sqlite3.Cursor:
        return self._connection.execute(statement, arguments)

    @contextmanager
    def transaction(self) -> Generator[None, None, None]:
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self.execute("ROLLBACK")
            raise

    def newest(self, columns: str, where: str, arguments: Sequence[object], limit: int) -> list[Any]:
        # A time that is not a number has no place in the order.
        where = f"{where} AND typeof(changed_at) = 'integer'"
        order = "ORDER BY changed_at DESC, session_key DESC"
        try:
            return self.execute(
                f"SELECT {columns} FROM sessions WHERE {where} {order} LIMIT ?", (*arguments, limit)
            ).fetchall()
        except sqlite3.DatabaseError as error:
            if not is_damaged(error):
                raise
            found = salvaged(self._connection, f"changed_at, session_key, {columns}", where, arguments)
            return [row[2:] for row in sorted(found, key=lambda row: row[:2], reverse=True)[:limit]]

    def is_alive(self, owner: str) -> bool:
        return is_alive(owner)

    def forget(self, owner: str) -> None:
        """Do nothing: a dead process cannot return."""

    def lapsed(self) -> bool:
        return False

    def is_passing(self, error: Exception) -> bool:
        return isinstance(error, sqlite3.OperationalError) and is_busy(error)

    def complaint(self, error: Exception) -> str:
        return complaint(error)

    def close(self) -> None:
        self._connection.close()
