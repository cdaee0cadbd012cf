"""SQLite: sessions in a file that the agents of one machine share, or in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from . import owners
from .database import complaint, is_busy, is_damaged, open_database
from .salvage import salvaged

__all__ = ["SQLite"]


class SQLite:
    """One connection. A transaction locks the file, so that rows need no locks of their own."""

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
    def transaction(self, durable: bool = False) -> Generator[None, None, None]:
        if durable:
            self.execute("PRAGMA synchronous = FULL")
        try:
            self.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self.execute("ROLLBACK")
                raise
        finally:
            if durable:
                self.execute("PRAGMA synchronous = NORMAL")

    def newest(self, columns: str, where: str, arguments: Sequence[object], limit: int) -> list[Any]:
        columns = f"updated_at, id, {columns}"
        # A time that is not a number has no place in the order.
        where = f"{where} AND typeof(updated_at) = 'integer'"
        try:
            return self.execute(
                f"SELECT {columns} FROM sessions WHERE {where} ORDER BY updated_at DESC, id DESC LIMIT ?",
                (*arguments, limit),
            ).fetchall()
        except sqlite3.DatabaseError as error:
            if not is_damaged(error):
                raise
            found = salvaged(self._connection, columns, where, arguments)
            return sorted(found, key=lambda row: row[:2], reverse=True)[:limit]

    def is_alive(self, owner: str) -> bool:
        return owners.is_alive(owner)

    def forget(self, owner: str) -> None:
        """A process that is gone does not come back."""

    def lapsed(self) -> bool:
        return False

    def is_passing(self, error: Exception) -> bool:
        return isinstance(error, sqlite3.OperationalError) and is_busy(error)

    def complaint(self, error: Exception) -> str:
        return complaint(error)

    def close(self) -> None:
        self._connection.close()
