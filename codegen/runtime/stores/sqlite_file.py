"""Opens and migrates the SQLite file, and recovers rows from a damaged one.

`PRAGMA user_version` is the number of applied migrations. Several processes may use one file: its journal is a
write-ahead log, so readers never wait. If the file is locked, `Lanes` retries the operation.

A damaged row or page does not hide other sessions.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from .base import StoreError
from .tables import tables

APPLICATION_ID: Final = 0x41435354
"""Marks the file as a store, so that databases of other programs are not changed by mistake."""
MEMORY: Final = ":memory:"

BUSY_MS: Final = 200
"""Milliseconds for which one attempt waits for the transaction of another process."""

_PATIENCE: Final = 5.0
"""Seconds to wait while another process creates or migrates the file."""

MIGRATIONS = tables(text="TEXT", bytes="BLOB", time="INTEGER", flag="INTEGER", keyed=" WITHOUT ROWID")
"""The statements that lead from each version of the file to the next."""


def open_database(path: str) -> sqlite3.Connection:
    """Open the database at a path, and create or migrate it. Raises StoreError for a foreign or newer database."""
    try:
        if path != MEMORY:
            # Only this user may read what was said.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(
            path, isolation_level=None, timeout=BUSY_MS / 1000, check_same_thread=path != MEMORY
        )
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        _patiently(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


_COMPLAINTS: Final = {
    sqlite3.SQLITE_BUSY: "the session store is locked by other programs: try again later",
    sqlite3.SQLITE_CANTOPEN: "the session store cannot be opened: check that it and its directory still exist",
    sqlite3.SQLITE_CORRUPT: "the session store is corrupted: restore it from a backup, or recover it with `sqlite3 FILE .recover`",
    sqlite3.SQLITE_FULL: "the disk of the session store is full: free some space and try again",
    sqlite3.SQLITE_IOERR: "the session store cannot be read or written: check its disk and try again",
    sqlite3.SQLITE_NOTADB: "the session store is corrupted: restore it from a backup",
    sqlite3.SQLITE_READONLY: "the session store cannot be written: check its permissions and try again",
}


def complaint(error: Exception) -> str:
    """The problem with the store and the remedy, in one line."""
    known = _COMPLAINTS.get(_kind(error))
    return f"{known} ({error})" if known else f"the session store: {error}"


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether another process holds a lock."""
    return _kind(error) == sqlite3.SQLITE_BUSY


def is_damaged(error: sqlite3.Error) -> bool:
    """Return whether the error reports a damaged file."""
    return _kind(error) == sqlite3.SQLITE_CORRUPT


def _kind(error: Exception) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF  # the rest says more exactly why


def _patiently(connection: sqlite3.Connection, path: str) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return _prepare(connection, path)
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise StoreError(f"{path}: {error}") from error
            time.sleep(0.02)
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path}: {error}") from error


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    connection.text_factory = _text
    connection.create_function("greatest", 2, max, deterministic=True)
    # In this order, since another process may be about to create the file.
    used = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if used and _number(connection, "application_id") != APPLICATION_ID:
        raise StoreError(f"{path} is a database of another program")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # a commit survives the loss of power
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    version = _number(connection, "user_version")
    if version > len(MIGRATIONS):
        raise StoreError(f"{path}: written by a newer version (store version {version})")
    if version < len(MIGRATIONS):
        _migrate(connection)


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been faster.
        for statements in MIGRATIONS[_number(connection, "user_version") :]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _text(stored: bytes) -> str:
    """Decode stored text. Invalid UTF-8 is replaced, so that it does not hide other rows."""
    return stored.decode("utf-8", "replace")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    value: int = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    return value


logger = logging.getLogger(__name__)

_LAST_ID: Final = 1 << 62


def salvaged(database: sqlite3.Connection, columns: str, where: str, arguments: Sequence[object]) -> list[Any]:
    """Matching sessions of a damaged table, without an index, in row order.

    Unreadable rows are skipped. If nothing can be read, the database's error is raised.
    """
    rows = f"SELECT rowid, {columns} FROM sessions NOT INDEXED WHERE rowid > ? AND {where} ORDER BY rowid"
    found: list[Any] = []
    failure: sqlite3.DatabaseError | None = None

    def next_row(place: int) -> tuple[Any, ...] | None:
        """The next row after a place. Python's cursors read ahead and lose a row if the next one is damaged."""
        row: tuple[Any, ...] | None = database.execute(f"{rows} LIMIT 1", (place, *arguments)).fetchone()
        return row

    def is_good(place: int) -> bool:
        try:
            next_row(place)
        except sqlite3.DatabaseError as error:
            if not is_damaged(error):
                raise
            return False
        return True

    last = 0
    while last < _LAST_ID:
        try:
            for number, *values in database.execute(rows, (last, *arguments)):
                found.append(values)
                last = number
            break
        except sqlite3.DatabaseError as error:
            if not is_damaged(error):
                raise
            failure = error
        if not is_good(last):
            last = _behind(last, is_good)
        elif row := next_row(last):
            last, *values = row
            found.append(values)
    if failure is not None:
        if not found:
            raise failure
        logger.warning("%s; %d sessions of a list could be read", complaint(failure), len(found))
    return found


def _behind(bad: int, is_good: Callable[[int], bool]) -> int:
    """The first readable place after an unreadable one, found by growing steps and then by bisection; the end if there
    is none.
    """
    step = 1
    while not is_good(good := bad + step):
        bad, step = good, step * 2
        if bad >= _LAST_ID:
            return bad
    while good - bad > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if is_good(middle) else (good, middle)
    return good
