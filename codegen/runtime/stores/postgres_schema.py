"""The tables in a database server: those of `database.py`, in a schema of their own, and the agents that use them.

    agents    one row for each agent that runs: when the database last heard of it, over which connection (`pulse.py`)
    version   how many migrations the schema has seen

A migration that leaves what older agents do as it was (a table, an index, a column with a default) runs while they
work. One that does not is marked as breaking: it waits for no one, and is refused while an agent of an older version
lives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import psycopg

from .engine import StoreError

__all__ = ["MIGRATIONS", "SCHEMA", "Migration", "prepare"]

SCHEMA: Final = "session_agent"
_LOCK: Final = 0x41435053
"""Held by whoever creates or migrates the schema."""


@dataclass(frozen=True, slots=True)
class Migration:
    """Statements that lead from one version to the next."""

    statements: tuple[str, ...]
    breaking: bool = False
    """Whether agents of the version before cannot work on."""


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        (
            "CREATE TABLE secrets (name TEXT PRIMARY KEY, value BYTEA NOT NULL)",
            # Text that the store orders or compares is compared byte by byte, as SQLite does.
            """CREATE TABLE sessions (
                id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                session_id TEXT COLLATE "C" NOT NULL UNIQUE,
                identity TEXT COLLATE "C" NOT NULL,
                cwd TEXT COLLATE "C" NOT NULL,
                given TEXT,
                directories TEXT NOT NULL,
                settings TEXT NOT NULL,
                title TEXT,
                root BIGINT,
                updated_at BIGINT NOT NULL,
                deleted_at BIGINT,
                ended TEXT
            )""",
            "CREATE INDEX sessions_listed ON sessions (identity, updated_at, id) WHERE deleted_at IS NULL",
            "CREATE INDEX sessions_listed_by_cwd ON sessions (identity, cwd, updated_at, id) WHERE deleted_at IS NULL",
            "CREATE INDEX sessions_untouched ON sessions (updated_at) WHERE deleted_at IS NULL",
            "CREATE INDEX sessions_deleted ON sessions (deleted_at) WHERE deleted_at IS NOT NULL",
            "CREATE INDEX sessions_forked ON sessions (root) WHERE root IS NOT NULL",
            """CREATE TABLE turns (
                session BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                number INTEGER NOT NULL,
                stop_reason TEXT,
                owner TEXT NOT NULL,
                PRIMARY KEY (session, number)
            )""",
            """CREATE TABLE entries (
                session BIGINT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                turn INTEGER NOT NULL,
                number INTEGER NOT NULL,
                payload BYTEA NOT NULL,
                PRIMARY KEY (session, turn, number)
            )""",
            """CREATE TABLE leases (
                session_id TEXT COLLATE "C" NOT NULL,
                owner TEXT COLLATE "C" NOT NULL,
                identity TEXT COLLATE "C" NOT NULL,
                wish TEXT,
                PRIMARY KEY (session_id, owner)
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
)
"""Append to it; what has been released never changes."""


def prepare(connection: psycopg.Connection[Any]) -> None:
    """Create the schema, or bring it up to date. StoreError where that cannot be done.

    The usual case, a schema that is up to date, takes no lock, so that a thousand agents start at once.
    """
    if _version(connection) == len(MIGRATIONS):
        return
    with connection.transaction():
        # Another agent may be faster: it is waited for, and then looked again.
        connection.execute("SET LOCAL lock_timeout = '60s'")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = _version(connection)
        if version is None:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            connection.execute("CREATE TABLE version (version INTEGER NOT NULL)")
            connection.execute("INSERT INTO version VALUES (0)")
            version = 0
        if version > len(MIGRATIONS):
            raise StoreError(f"written by a newer version of this agent (store version {version})")
        if any(migration.breaking for migration in MIGRATIONS[version:]):
            _refuse_beside_older(connection)
        for migration in MIGRATIONS[version:]:
            for statement in migration.statements:
                connection.execute(statement.encode())
        connection.execute("UPDATE version SET version = %s", (len(MIGRATIONS),))


def _version(connection: psycopg.Connection[Any]) -> int | None:
    """The version of the schema; None where there is none. StoreError where the schema is another program's."""
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
    # Nobody can register while this is held, so that none comes in between.
    connection.execute("LOCK TABLE agents IN SHARE MODE")
    alive = connection.execute("SELECT count(*) FROM agents WHERE seen_at > clock_timestamp() - interval '10s'")
    (count,) = alive.fetchone() or (0,)
    if count:
        raise StoreError(f"{count} agents of an older version use it, which the new one breaks: end them first")
