# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The tables in a database server: those of `tables`, in a schema of their own, and the processes that use them.

    agents    a row per process: its last heartbeat, and the connection that sent it (`pulse`)
    version   the number of applied migrations

A compatible migration (a new table, an index, a column with a default) runs while older processes work. Any other
migration is marked as breaking, and is rejected while an older process runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import psycopg  # type: ignore[import-not-found, unused-ignore]

from .base import StoreError
from .tables import tables

SCHEMA: Final = "session_store"
_LOCK: Final = 0x41435354
"""The id of the lock for creating and migrating the schema."""


@dataclass(frozen=True, slots=True)
class Migration:
    """Statements that lead from one version to the next."""

    statements: tuple[str, ...]
    breaking: bool = False
    """True if processes of the previous version cannot continue."""


_FIRST, *_LATER = tables(text='TEXT COLLATE "C"', bytes="BYTEA", time="BIGINT", flag="SMALLINT", keyed="")
_AGENTS: Final = """CREATE TABLE agents (
    owner TEXT COLLATE "C" PRIMARY KEY,
    version INTEGER NOT NULL,
    backend INTEGER NOT NULL,
    backend_since TIMESTAMPTZ NOT NULL,
    seen_at TIMESTAMPTZ NOT NULL
)"""
MIGRATIONS: tuple[Migration, ...] = (Migration((*_FIRST, _AGENTS)), *map(Migration, _LATER))
"""All migrations, in order."""


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
        raise StoreError(f"the schema {SCHEMA} belongs to another program")
    found = connection.execute("SELECT version FROM version").fetchone()
    return found[0] if found else None


def _refuse_beside_older(connection: psycopg.Connection[Any]) -> None:
    # No process can register while this lock is held.
    connection.execute("LOCK TABLE agents IN SHARE MODE")
    alive = connection.execute("SELECT count(*) FROM agents WHERE seen_at > clock_timestamp() - interval '10s'")
    (count,) = alive.fetchone() or (0,)
    if count:
        raise StoreError(f"{count} processes of an older, incompatible version use it: end them first")
