"""SQLite's file: its tables, how an older one is brought up to date, how it is opened.

    sessions   one row each; the indexes are what makes the last page of a list cost what the first costs
    turns      a prompt and what became of it; without a stop reason it is under way, or its agent died
    leases     which agents have a session open (`leases.py`)
    entries    what the client was shown in a turn, one `session/update` payload a row, in order
    secrets    the key that signs cursors

`PRAGMA user_version` counts the migrations that a file has seen. Several agents may use one file: the journal is a
write-ahead log, so that readers never wait, and whoever finds the file locked tries again (`thread.py`).
"""

from __future__ import annotations

import os
import sqlite3
import time
from typing import Final

from .engine import MEMORY, StoreError
from .places import place_of

__all__ = ["MIGRATIONS", "complaint", "is_busy", "is_damaged", "open_database"]

APPLICATION_ID: Final = 0x41435053
"""Marks the file as ours: another program's database is not written to by mistake."""

BUSY_MS: Final = 200
"""How long one attempt waits for another agent's transaction; short, so that the end of ours never waits for it."""

_PATIENCE: Final = 5.0
"""Seconds to try for, while another agent creates or migrates the file."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
        """CREATE TABLE sessions (
            id INTEGER PRIMARY KEY,
            session_id TEXT NOT NULL UNIQUE,
            identity TEXT NOT NULL,
            cwd TEXT NOT NULL,
            directories TEXT NOT NULL,
            settings TEXT NOT NULL,
            title TEXT,
            root INTEGER,
            updated_at INTEGER NOT NULL,
            deleted_at INTEGER,
            ended TEXT
        )""",
        "CREATE INDEX sessions_listed ON sessions (identity, updated_at, id) WHERE deleted_at IS NULL",
        "CREATE INDEX sessions_listed_by_cwd ON sessions (identity, cwd, updated_at, id) WHERE deleted_at IS NULL",
        "CREATE INDEX sessions_untouched ON sessions (updated_at) WHERE deleted_at IS NULL",
        "CREATE INDEX sessions_deleted ON sessions (deleted_at) WHERE deleted_at IS NOT NULL",
        "CREATE INDEX sessions_forked ON sessions (root) WHERE root IS NOT NULL",
        """CREATE TABLE turns (
            session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            stop_reason TEXT,
            owner TEXT NOT NULL,
            PRIMARY KEY (session, number)
        ) WITHOUT ROWID""",
        """CREATE TABLE entries (
            session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            turn INTEGER NOT NULL,
            number INTEGER NOT NULL,
            payload BLOB NOT NULL,
            PRIMARY KEY (session, turn, number)
        ) WITHOUT ROWID""",
    ),
    (
        """CREATE TABLE leases (
            session_id TEXT NOT NULL,
            owner TEXT NOT NULL,
            identity TEXT NOT NULL,
            wish TEXT,
            PRIMARY KEY (session_id, owner)
        ) WITHOUT ROWID""",
        "CREATE INDEX leases_by_owner ON leases (owner)",
        # `cwd` is what a list is filtered by; as the client wrote it where that is something else.
        "ALTER TABLE sessions ADD COLUMN given TEXT",
        "UPDATE sessions SET given = cwd, cwd = place_of(cwd) WHERE cwd <> place_of(cwd)",
    ),
)
"""Statements that lead from one version to the next. Append to it; what has been released never changes."""


def open_database(path: str) -> sqlite3.Connection:
    """The database at a path, created or brought up to date. StoreError where it is not ours or newer than we are."""
    try:
        if path != MEMORY:
            # What people said to an agent is nobody else's to read.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_MS / 1000)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        _patiently(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


_COMPLAINTS: Final = {
    sqlite3.SQLITE_BUSY: "other programs keep the session store locked: try again later",
    sqlite3.SQLITE_CANTOPEN: "the session store cannot be opened: see to it that it and its directory are still there",
    sqlite3.SQLITE_CORRUPT: "the session store is damaged: restore it, or save what is left with `sqlite3 FILE .recover`",
    sqlite3.SQLITE_FULL: "the session store cannot grow, since the disk is full: make room and try again",
    sqlite3.SQLITE_IOERR: "the session store cannot be read or written: see to its disk and try again",
    sqlite3.SQLITE_NOTADB: "the session store is damaged: restore it from a copy",
    sqlite3.SQLITE_READONLY: "the session store cannot be written: see to its permissions and try again",
}


def complaint(error: Exception) -> str:
    """What is wrong with the store, and what to do about it, in a line."""
    known = _COMPLAINTS.get(_kind(error))
    return f"{known} ({error})" if known else f"the session store: {error}"


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another agent holds a lock, for whatever reason."""
    return _kind(error) == sqlite3.SQLITE_BUSY


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether a part of the file is not what it should be."""
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
    connection.create_function("place_of", 1, place_of, deterministic=True)
    connection.create_function("greatest", 2, max, deterministic=True)
    # In this order: another agent may be about to create the file.
    used = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if used and _number(connection, "application_id") != APPLICATION_ID:
        raise StoreError(f"{path}: a database of another program")
    connection.execute("PRAGMA journal_mode = WAL")
    # A commit survives the death of the process. `Store.finish_turn` sees to the death of the machine.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    version = _number(connection, "user_version")
    if version > len(MIGRATIONS):
        raise StoreError(f"{path}: written by a newer version of this agent (store version {version})")
    if version < len(MIGRATIONS):
        _migrate(connection)


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another agent may have been faster.
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
    """Text as it is stored; one byte that is not an UTF-8 must not hide all rows."""
    return stored.decode("utf-8", "replace")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    value: int = connection.execute(f"PRAGMA {pragma}").fetchone()[0]
    return value
