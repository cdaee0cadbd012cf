# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The tables of a store, in the SQL of both databases.

sessions   one row each, with the state of the last turn; its indexes serve lists
entries    updates that were written together, one payload a line
leases     which processes have a session open
secrets    the key that signs cursors
keys       the idempotency keys of turns, with the answers

An identity, a key or a place is `{text}`, which both databases compare byte by byte.
"""

from __future__ import annotations

from typing import Final

_STEPS: Final = (
    (
        "CREATE TABLE secrets (name TEXT PRIMARY KEY, value {bytes} NOT NULL){keyed}",
        """CREATE TABLE sessions (
            session_key {text} PRIMARY KEY NOT NULL,
            identity {text} NOT NULL,
            place {text} NOT NULL,
            fields TEXT NOT NULL,
            data TEXT NOT NULL,
            title TEXT,
            listed {flag} NOT NULL,
            changed_at {time} NOT NULL,
            deleted_at {time},
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
            session_key {text} NOT NULL REFERENCES sessions (session_key) ON DELETE CASCADE,
            turn INTEGER NOT NULL,
            number INTEGER NOT NULL,
            payloads {bytes} NOT NULL,
            PRIMARY KEY (session_key, turn, number)
        ){keyed}""",
        """CREATE TABLE leases (
            session_key {text} NOT NULL,
            owner {text} NOT NULL,
            identity {text} NOT NULL,
            wish TEXT,
            PRIMARY KEY (session_key, owner)
        ){keyed}""",
        "CREATE INDEX leases_by_owner ON leases (owner)",
    ),
    (
        """CREATE TABLE keys (
            session_key {text} NOT NULL REFERENCES sessions (session_key) ON DELETE CASCADE,
            key {text} NOT NULL,
            turn INTEGER NOT NULL,
            digest TEXT NOT NULL,
            begun_at {time} NOT NULL,
            answer {bytes},
            PRIMARY KEY (session_key, key)
        ){keyed}""",
    ),
)
"""The statements that lead from each version to the next. Append new ones; released ones never change."""


def tables(**dialect: str) -> tuple[tuple[str, ...], ...]:
    """The statements of all versions. `dialect`: the database's words for types and for the end of a table."""
    return tuple(tuple(statement.format_map(dialect) for statement in step) for step in _STEPS)
