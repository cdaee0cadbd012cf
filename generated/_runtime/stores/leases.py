# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Session ownership in a database: the processes that have a session open, and their requests to each other.

A lease is void once its process has died. A request about a session that another process has open is written into its
lease, which the other process polls.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping, Sequence
from typing import Final

from .base import UnknownSession, Wish
from .engine import Engine, Lanes, Undecided, operation

logger = logging.getLogger(__name__)

THIS: Final = "session_key = ? AND identity = ? AND deleted_at IS NULL"
"""The SQL condition for one session of an identity."""


class SQLLeases:
    """The part of a database store that several processes share."""

    lanes: Lanes

    @operation
    def hold(self, identity: str, session_key: str) -> None:
        self._hold(identity, session_key)

    @operation
    def release(self, identity: str, session_key: str) -> None:
        self._db.execute(
            "DELETE FROM leases WHERE session_key = ? AND identity = ? AND owner = ?",
            (session_key, identity, self._db.owner),
        )

    @operation
    def held(self, keys: Sequence[tuple[str, str]]) -> None:
        if self._db.lapsed():
            logger.warning("another process presumed this one dead; it continues with %d sessions", len(keys))
            for identity, session_key in keys:
                with contextlib.suppress(UnknownSession):
                    self._hold(identity, session_key)

    @operation
    def ask_others(self, identity: str, session_key: str, wish: Wish) -> bool:
        others = "FROM leases WHERE session_key = ? AND identity = ? AND owner <> ?"
        arguments = (session_key, identity, self._db.owner)
        found = self._db.execute(f"SELECT owner {others}", arguments).fetchall()
        if not found:
            return False
        with self._db.transaction():
            for (other,) in found:
                if not self._db.is_alive(other):
                    self._forget(other)
                else:
                    # To be terminated is more than to be closed.
                    self._db.execute(
                        "UPDATE leases SET wish = CASE wish WHEN 'terminate' THEN wish ELSE ? END "
                        "WHERE session_key = ? AND owner = ?",
                        (wish, session_key, other),
                    )
            return bool(self._db.execute(f"SELECT count(*) {others}", arguments).fetchone()[0])

    @operation
    def wishes(self) -> Mapping[tuple[str, str], Wish]:
        rows = self._db.execute(
            "SELECT leases.identity, leases.session_key, coalesce(wish, 'close') FROM leases "
            "LEFT JOIN sessions ON sessions.session_key = leases.session_key AND deleted_at IS NULL "
            "WHERE owner = ? AND (wish IS NOT NULL OR sessions.session_key IS NULL)",
            (self._db.owner,),
        )
        return {(identity, session_key): wish for identity, session_key, wish in rows}

    # Cleaning up

    @operation
    def expire(self, before: int, now: int, limit: int = 500) -> int:
        with self._db.transaction():
            for (owner,) in self._db.execute("SELECT DISTINCT owner FROM leases").fetchall():
                with contextlib.suppress(Undecided):  # the next call knows
                    if owner != self._db.owner and not self._db.is_alive(owner):
                        self._forget(owner)
            return self._db.execute(
                "UPDATE sessions SET deleted_at = ? WHERE session_key IN (SELECT session_key FROM sessions "
                "WHERE deleted_at IS NULL AND changed_at < ? AND NOT EXISTS "
                "(SELECT 1 FROM leases WHERE leases.session_key = sessions.session_key) LIMIT ?)",
                (now, before, limit),
            ).rowcount

    @operation
    def purge(self, before: int, limit: int = 500) -> int:
        return self._db.execute(
            "DELETE FROM sessions WHERE session_key IN (SELECT session_key FROM sessions WHERE deleted_at < ? LIMIT ?)",
            (before, limit),
        ).rowcount

    @operation
    def _release_all(self) -> None:
        self._db.execute("DELETE FROM leases WHERE owner = ?", (self._db.owner,))

    @property
    def _db(self) -> Engine:
        return self.lanes.engine

    def _hold(self, identity: str, session_key: str) -> None:
        held = self._db.execute(
            f"INSERT INTO leases (session_key, identity, owner) SELECT session_key, identity, ? FROM sessions WHERE {THIS} "
            "ON CONFLICT (session_key, owner) DO UPDATE SET wish = NULL",
            (self._db.owner, session_key, identity),
        ).rowcount
        if not held:
            raise UnknownSession(session_key)

    def _forget(self, owner: str) -> None:
        self._db.forget(owner)
        self._db.execute("DELETE FROM leases WHERE owner = ?", (owner,))
