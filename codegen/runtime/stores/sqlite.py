"""SQLite: sessions in a file that the processes of one machine share."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from . import owners
from .salvage import salvaged
from .sql import SQLStore
from .sqlite_file import complaint, is_busy, is_damaged, open_database

__all__ = ["SQLiteStore"]


class SQLiteStore(SQLStore):
    """Sessions in an SQLite file, which is created if it does not exist. Only this user may read it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(lambda: _SQLite(os.fspath(path)))


class _SQLite:
    """One connection in one lane. A transaction locks the file, so that rows need no locks."""

    lanes = 1
    error: type[Exception] = sqlite3.Error
    held = ""
    shared = ""

    def __init__(self, path: str) -> None:
        self.owner = owners.new_owner()
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
        return owners.is_alive(owner)

    def forget(self, owner: str) -> None:
        """A dead process does not come back."""

    def lapsed(self) -> bool:
        return False

    def is_passing(self, error: Exception) -> bool:
        return isinstance(error, sqlite3.OperationalError) and is_busy(error)

    def complaint(self, error: Exception) -> str:
        return complaint(error)

    def close(self) -> None:
        self._connection.close()
