"""The tables in a database server: those of `sqlite_file`, in a schema of their own, and the processes that use them.

    agents    one row for each process: when the database last heard of it, over which connection (`pulse`)
    version   how many migrations the schema has seen

A migration that leaves everything as older processes know it (a table, an index, a column with a default) runs while
they work. Any other is marked as breaking, and is refused while a process of an older version runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import psycopg  # type: ignore[import-not-found, unused-ignore]

from .base import StoreError

SCHEMA: Final = "session_store"
_LOCK: Final = 0x41435354
"""The id of the lock for creating and migrating the schema."""


@dataclass(frozen=True, slots=True)
class Migration:
    """Statements that lead from one version to the next."""

    statements: tuple[str, ...]
    breaking: bool = False
    """True if processes of the previous version cannot continue."""


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        (
            "CREATE TABLE secrets (name TEXT PRIMARY KEY, value BYTEA NOT NULL)",
            # Text is compared byte by byte, as SQLite does.
            """CREATE TABLE sessions (
                session_key TEXT COLLATE "C" PRIMARY KEY,
                identity TEXT COLLATE "C" NOT NULL,
                place TEXT COLLATE "C" NOT NULL,
                fields TEXT NOT NULL,
                data TEXT NOT NULL,
                title TEXT,
                listed SMALLINT NOT NULL,
                changed_at BIGINT NOT NULL,
                deleted_at BIGINT,
                ended TEXT,
                turn INTEGER NOT NULL DEFAULT 0,
                turn_owner TEXT NOT NULL DEFAULT '',
                outcome TEXT DEFAULT ''
            )""",
            "CREATE INDEX sessions_listed ON sessions (identity, changed_at, session_key) "
            "WHERE deleted_at IS NULL AND listed = 1",
            "CREATE INDEX sessions_listed_by_place ON sessions (identity, place, changed_at, session_key) "
            "WHERE deleted_at IS NULL AND listed = 1",
            "CREATE INDEX sessions_untouched ON sessions (changed_at) WHERE deleted_at IS NULL",
            "CREATE INDEX sessions_deleted ON sessions (deleted_at) WHERE deleted_at IS NOT NULL",
            """CREATE TABLE entries (
                session_key TEXT COLLATE "C" NOT NULL REFERENCES sessions (session_key) ON DELETE CASCADE,
                turn INTEGER NOT NULL,
                number INTEGER NOT NULL,
                payloads BYTEA NOT NULL,
                PRIMARY KEY (session_key, turn, number)
            )""",
            """CREATE TABLE leases (
                session_key TEXT COLLATE "C" NOT NULL,
                owner TEXT COLLATE "C" NOT NULL,
                identity TEXT COLLATE "C" NOT NULL,
                wish TEXT,
                PRIMARY KEY (session_key, owner)
            )""",
            "CREATE INDEX leases_by_owner ON leases (owner)",
            """CREATE TABLE agents (
                owner TEXT COLLATE "C" PRIMARY KEY,
                version INTEGER NOT NULL,
                backend INTEGER NOT NULL,
                backend_since TIMESTAMPTZ NOT NULL,
                seen_at TIMESTAMPTZ NOT NULL
            )""",
        )
    ),
    Migration(
        (
            """CREATE TABLE keys (
                session_key TEXT COLLATE "C" NOT NULL REFERENCES sessions (session_key) ON DELETE CASCADE,
                key TEXT COLLATE "C" NOT NULL,
                turn INTEGER NOT NULL,
                digest TEXT NOT NULL,
                begun_at BIGINT NOT NULL,
                answer BYTEA,
                PRIMARY KEY (session_key, key)
            )""",
        )
    ),
)
"""All migrations. Append new ones; released ones never change."""


def prepare(connection: psycopg.Connection[Any]) -> None:
    """Create or migrate the schema. Raises StoreError if that fails.

    A schema that is up to date takes no lock, so that many processes start at once.
    """
    if _version(connection) == len(MIGRATIONS):
        return
    with connection.transaction():
        # Another process may be faster, so the version is read again once it is done.
        connection.execute("SET LOCAL lock_timeout = '60s'")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = _version(connection)
        if version is None:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            connection.execute("CREATE TABLE version (version INTEGER NOT NULL)")
            connection.execute("INSERT INTO version VALUES (0)")
            version = 0
        if version > len(MIGRATIONS):
            raise StoreError(f"written by a newer version (store version {version})")
        if any(migration.breaking for migration in MIGRATIONS[version:]):
            _refuse_beside_older(connection)
        for migration in MIGRATIONS[version:]:
            for statement in migration.statements:
                connection.execute(statement.encode())
        connection.execute("UPDATE version SET version = %s", (len(MIGRATIONS),))


def _version(connection: psycopg.Connection[Any]) -> int | None:
    """The version of the schema; None if it does not exist. Raises StoreError if it belongs to another program."""
    tables = {
        name
        for (name,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (SCHEMA,)).fetchall()
    }
    if not tables:
        return None
    if "version" not in tables:
        raise StoreError(f"the schema {SCHEMA} is another program's")
    found = connection.execute("SELECT version FROM version").fetchone()
    return found[0] if found else None


def _refuse_beside_older(connection: psycopg.Connection[Any]) -> None:
    # No process can register while this lock is held.
    connection.execute("LOCK TABLE agents IN SHARE MODE")
    alive = connection.execute("SELECT count(*) FROM agents WHERE seen_at > clock_timestamp() - interval '10s'")
    (count,) = alive.fetchone() or (0,)
    if count:
        raise StoreError(f"{count} processes of an older version use it, which the new version breaks: end them first")
