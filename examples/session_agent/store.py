"""Sessions in a database (`engine.py`). Every public method is one transaction: it has happened, or it has not.

The law:

    who asks           names an identity; another identity's session is as unknown as one that never was
    a deleted session  is unknown from the moment `delete` returns, to every agent that shares the store
    a turn             begins with the user's message, grows by what the client is shown, and is committed by its stop
                       reason, which is on the disk before the prompt is answered
    a turn left over   by an agent that died is closed as `interrupted` by whoever opens the session next
    a turn that was    closed so by another agent takes nothing more from the one that began it, should that live
                       after all: neither an update nor its end (Fenced)

Synchronous, for the threads of `thread.py`. Times are microseconds since 1970, UTC. Payloads are JSON and stay as they
are.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .engine import MEMORY, Engine, StoreFailed, open_engine
from .places import place_of
from .rows import COLUMNS, SessionRow, readable, session_row
from .titles import fork_title

__all__ = ["Busy", "Fenced", "Position", "SessionRow", "Store", "UnknownSession"]

Settle = Callable[[Sequence[bytes]], Iterable[bytes]]
"""From the payloads of a turn that was cut short, those that bring it to an end (tool calls that will not finish)."""


class UnknownSession(Exception):
    """There is no such session, not for this identity."""


class Busy(Exception):
    """A turn of the session is under way, in this agent or in another one."""


class Fenced(Exception):
    """The turn is not this agent's any more: another one took it for dead, and closed it."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the list, newest first: behind the session that was last touched then, `id` deciding among equals."""

    updated_at: int
    id: int


class Store:
    """The sessions at one address: a file, a database server's, or in memory."""

    def __init__(self, address: str = MEMORY, connections: int = 4) -> None:
        self.engine: Engine = open_engine(address, connections)
        self._db = self.engine

    def close(self) -> None:
        self._db.close()

    def secret(self, name: str) -> bytes:
        """A random key of the store's own, made on first use and kept: 32 bytes."""
        with self.transaction():
            self._db.execute(
                "INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (name, secrets.token_bytes(32)),
            )
            value: bytes = self._db.execute("SELECT value FROM secrets WHERE name = ?", (name,)).fetchone()[0]
            return value

    # Sessions

    def create(self, identity: str, cwd: str, directories: Sequence[str], settings: str, now: int) -> SessionRow:
        """A new session, without title and turns."""
        with self.transaction():
            return self._insert(identity, cwd, directories, settings, None, None, now)

    def find(self, identity: str, session_id: str) -> SessionRow:
        """One session."""
        return self._row(identity, session_id)

    def page(
        self, identity: str, cwd: str | None, after: Position | None, size: int
    ) -> tuple[list[SessionRow], Position | None]:
        """Up to `size` sessions behind a position, newest first, and the position behind them if there are more.

        One range of an index. A session that cannot be read is left out.
        """
        conditions = ["identity = ?", "deleted_at IS NULL"]
        arguments: list[str | int] = [identity]
        if cwd is not None:
            conditions.append("cwd = ?")
            arguments.append(place_of(cwd))
        if after is not None:
            conditions.append("(updated_at, id) < (?, ?)")
            arguments += [after.updated_at, after.id]
        found = self._db.newest(COLUMNS, " AND ".join(conditions), arguments, size + 1)
        last = Position(*found[size - 1][:2]) if len(found) > size else None
        return [row for _, _, *values in found[:size] if (row := readable(values)) is not None], last

    def open(self, identity: str, session_id: str, cwd: str, directories: Sequence[str], settle: Settle) -> SessionRow:
        """Take a session up again, in this directory; what a dead agent left of a turn is closed."""
        with self.transaction():
            row = self._held(identity, session_id)
            self._settle_dead(row.id, settle)
            self._db.execute(
                "UPDATE sessions SET cwd = ?, given = ?, directories = ?, ended = NULL WHERE id = ?",
                (*_places(cwd), json.dumps(directories), row.id),
            )
            return self._row(identity, session_id)

    def fork(
        self, identity: str, session_id: str, cwd: str, directories: Sequence[str], now: int, settle: Settle
    ) -> SessionRow:
        """A copy with the history up to now; a turn that is under way ends in the copy where it is."""
        with self.transaction():
            source = self._held(identity, session_id)
            root = self._db.execute("SELECT coalesce(root, id) FROM sessions WHERE id = ?", (source.id,)).fetchone()[0]
            # Forks of one conversation are counted one after the other.
            self._db.execute(f"SELECT id FROM sessions WHERE id = ?{self._db.held}", (root,))
            earlier = self._db.execute("SELECT count(*) FROM sessions WHERE root = ?", (root,)).fetchone()[0]
            title = fork_title(source.title, earlier + 1)
            fork = self._insert(identity, cwd, directories, source.settings, title, root, now)
            self._db.execute(
                "INSERT INTO turns (session, number, stop_reason, owner) "
                "SELECT CAST(? AS BIGINT), number, stop_reason, owner FROM turns WHERE session = ?",
                (fork.id, source.id),
            )
            self._db.execute(
                "INSERT INTO entries (session, turn, number, payload) "
                "SELECT CAST(? AS BIGINT), turn, number, payload FROM entries WHERE session = ?",
                (fork.id, source.id),
            )
            if (running := self._under_way(fork.id)) is not None:
                self._interrupt(fork.id, running, settle)
            return fork

    def configure(self, identity: str, session_id: str, settings: str) -> None:
        """Keep the settings of a session."""
        with self.transaction():
            row = self._held(identity, session_id)
            self._db.execute("UPDATE sessions SET settings = ? WHERE id = ?", (settings, row.id))

    def end(self, identity: str, session_id: str, ended: str) -> None:
        """Note why and by whom a session was ended for good."""
        with self.transaction():
            row = self._held(identity, session_id)
            self._db.execute("UPDATE sessions SET ended = ? WHERE id = ?", (ended, row.id))

    def delete(self, identity: str, session_id: str, now: int) -> None:
        """Take a session out of every list. One that is not there, or not any more, is not an error."""
        with self.transaction():
            self._db.execute(
                "UPDATE sessions SET deleted_at = ? WHERE session_id = ? AND identity = ? AND deleted_at IS NULL",
                (now, session_id, identity),
            )

    def ended(self, identity: str, session_id: str) -> str | None:
        """What was noted of the end of a session; one that was deleted has ended, too, as long as it is kept."""
        found = self._db.execute(
            "SELECT ended FROM sessions WHERE session_id = ? AND identity = ?", (session_id, identity)
        ).fetchone()
        if found is None:
            raise UnknownSession(session_id)
        ended: str | None = found[0]
        return ended

    def remove(self, identity: str, session_id: str) -> None:
        """Take a session back that was made a moment ago: it was never there."""
        with self.transaction():
            self._db.execute("DELETE FROM sessions WHERE session_id = ? AND identity = ?", (session_id, identity))

    # Turns

    def begin_turn(
        self,
        identity: str,
        session_id: str,
        title: str | None,
        message: Iterable[bytes],
        owner: str,
        now: int,
        settle: Settle,
    ) -> tuple[SessionRow, int]:
        """Begin a turn with the user's message: the session as it is now, and the number of the turn, from 1.

        The first message gives the session its title. Busy while another turn is under way.
        """
        with self.transaction():
            row = self._held(identity, session_id)
            running = self._under_way(row.id)
            if running is not None and running.owner != owner and self._db.is_alive(running.owner):
                raise Busy(session_id)
            if running is not None:
                self._interrupt(row.id, running, settle)
            last = self._db.execute("SELECT max(number) FROM turns WHERE session = ?", (row.id,)).fetchone()[0]
            number = (last or 0) + 1
            self._db.execute(
                "INSERT INTO turns (session, number, stop_reason, owner) VALUES (?, ?, NULL, ?)",
                (row.id, number, owner),
            )
            self._append(row.id, number, message)
            # The second and later messages leave the title alone.
            self._db.execute(
                "UPDATE sessions SET updated_at = greatest(?, updated_at), title = coalesce(?, title), ended = NULL "
                "WHERE id = ?",
                (now, title if number == 1 else None, row.id),
            )
            return self._row(identity, session_id), number

    def append(
        self, identity: str, session_id: str, turn: int, owner: str, last: int, payloads: Iterable[bytes]
    ) -> int:
        """Add to a turn what the client is about to be shown, behind its `last` entry: the number of the last one then.

        May be tried again: what is there already is not added twice. UnknownSession once the session is deleted.
        """
        for payload in payloads:
            last = self._add(identity, session_id, turn, owner, last + 1, payload)
        return last

    def finish_turn(
        self, identity: str, session_id: str, turn: int, owner: str, entries: int, stop_reason: str, now: int
    ) -> None:
        """Commit a turn of so many entries, to the disk. That of a session deleted meanwhile goes with it."""
        try:
            with self.transaction(durable=True):
                row = self._held(identity, session_id)
                ours = self._db.execute(
                    "UPDATE turns SET stop_reason = ? WHERE session = ? AND number = ? AND owner = ? "
                    "AND coalesce(stop_reason, '') <> 'interrupted'",
                    (stop_reason, row.id, turn, owner),
                ).rowcount
                if not ours:
                    raise Fenced(session_id)
                kept = self._db.execute(
                    "SELECT count(*) FROM entries WHERE session = ? AND turn = ?", (row.id, turn)
                ).fetchone()[0]
                if kept < entries:  # a server that crashed has lost what it had not written to its disk yet
                    raise StoreFailed(f"the session store lost {entries - kept} updates of this turn: ask again")
                self._db.execute("UPDATE sessions SET updated_at = greatest(?, updated_at) WHERE id = ?", (now, row.id))
        except UnknownSession:
            return

    def history(
        self, identity: str, session_id: str, after: tuple[int, int] = (0, 0), limit: int = 256
    ) -> list[tuple[tuple[int, int], bytes]]:
        """Payloads behind a place, in the order in which the client saw them, each with its place (turn, number)."""
        row = self._row(identity, session_id)
        return [
            ((turn, number), payload)
            for turn, number, payload in self._db.execute(
                "SELECT turn, number, payload FROM entries WHERE session = ? AND (turn, number) > (?, ?) "
                "ORDER BY turn, number LIMIT ?",
                (row.id, *after, limit),
            )
        ]

    # Cleaning up, in steps: a million sessions must not lock the other agents out

    def expire(self, before: int, now: int, limit: int = 500) -> int:
        """Delete (softly) sessions that nobody touched since `before` and nobody has open; how many it were."""
        with self.transaction():
            return self._db.execute(
                "UPDATE sessions SET deleted_at = ? WHERE id IN (SELECT id FROM sessions WHERE deleted_at IS NULL "
                "AND updated_at < ? AND NOT EXISTS "
                "(SELECT 1 FROM leases WHERE leases.session_id = sessions.session_id) LIMIT ?)",
                (now, before, limit),
            ).rowcount

    def purge(self, before: int, limit: int = 500) -> int:
        """Remove for good what was deleted before then, history and all; how many sessions it were."""
        with self.transaction():
            return self._db.execute(
                "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE deleted_at IS NOT NULL "
                "AND deleted_at < ? LIMIT ?)",
                (before, limit),
            ).rowcount

    # For whoever keeps something else in the file

    def rows(self, query: str, arguments: Sequence[object]) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return self._db.execute(query, arguments).fetchall()

    @contextmanager
    def transaction(self, durable: bool = False) -> Generator[Engine, None, None]:
        """All that is done inside has happened in the end, or nothing has."""
        with self._db.transaction(durable):
            yield self._db

    # Inside a transaction

    def _held(self, identity: str, session_id: str) -> SessionRow:
        """The row of a session that nobody else changes until the transaction ends."""
        return self._row(identity, session_id, self._db.held)

    def _row(self, identity: str, session_id: str, lock: str = "") -> SessionRow:
        found = self._db.execute(
            f"SELECT {COLUMNS} FROM sessions WHERE session_id = ? AND identity = ? AND deleted_at IS NULL{lock}",
            (session_id, identity),
        ).fetchone()
        if found is None:
            raise UnknownSession(session_id)
        return session_row(found)

    def _insert(
        self,
        identity: str,
        cwd: str,
        directories: Sequence[str],
        settings: str,
        title: str | None,
        root: int | None,
        now: int,
    ) -> SessionRow:
        while True:
            session_id = f"sess_{secrets.token_hex(16)}"
            made = self._db.execute(
                "INSERT INTO sessions "
                "(session_id, identity, cwd, given, directories, settings, title, root, updated_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session_id) DO NOTHING",
                (session_id, identity, *_places(cwd), json.dumps(directories), settings, title, root, now),
            ).rowcount
            if made:
                return self._row(identity, session_id)

    def _add(self, identity: str, session_id: str, turn: int, owner: str, number: int, payload: bytes) -> int:
        """Add an entry to a turn that is still ours, in one statement: its number."""
        added = self._db.execute(
            "INSERT INTO entries (session, turn, number, payload) "
            "SELECT turns.session, turns.number, ?, ? FROM turns JOIN sessions ON sessions.id = turns.session "
            "WHERE session_id = ? AND identity = ? AND deleted_at IS NULL "
            f"AND turns.number = ? AND owner = ? AND stop_reason IS NULL{self._db.shared} ON CONFLICT DO NOTHING",
            (number, payload, session_id, identity, turn, owner),
        ).rowcount
        if added:
            return number
        with self.transaction():
            row = self._held(identity, session_id)
            running = self._under_way(row.id)
            if running != _Running(turn, owner):
                raise Fenced(session_id)
            # An attempt whose outcome nobody heard of has come so far after all, with this payload or the one before.
            there = self._db.execute(
                "SELECT payload FROM entries WHERE session = ? AND turn = ? AND number = ?", (row.id, turn, number)
            ).fetchone()
            return number if there == (payload,) else self._append(row.id, turn, [payload])

    def _append(self, session: int, turn: int, payloads: Iterable[bytes]) -> int:
        last = self._db.execute(
            "SELECT coalesce(max(number), 0) FROM entries WHERE session = ? AND turn = ?", (session, turn)
        ).fetchone()[0]
        for number, payload in enumerate(payloads, last + 1):
            self._db.execute(
                "INSERT INTO entries (session, turn, number, payload) VALUES (?, ?, ?, ?)",
                (session, turn, number, payload),
            )
            last = number
        return int(last)

    def _under_way(self, session: int) -> _Running | None:
        found = self._db.execute(
            f"SELECT number, owner FROM turns WHERE session = ? AND stop_reason IS NULL{self._db.held}", (session,)
        ).fetchone()
        return None if found is None else _Running(*found)

    def _settle_dead(self, session: int, settle: Settle) -> None:
        """Close the turn that a dead agent left."""
        running = self._under_way(session)
        if running is not None and not self._db.is_alive(running.owner):
            self._interrupt(session, running, settle)

    def _interrupt(self, session: int, running: _Running, settle: Settle) -> None:
        payloads = self._db.execute(
            "SELECT payload FROM entries WHERE session = ? AND turn = ? ORDER BY number", (session, running.number)
        )
        self._append(session, running.number, settle([payload for (payload,) in payloads]))
        self._db.execute(
            "UPDATE turns SET stop_reason = 'interrupted' WHERE session = ? AND number = ?", (session, running.number)
        )


@dataclass(frozen=True, slots=True)
class _Running:
    """A turn without a stop reason."""

    number: int
    owner: str


def _places(cwd: str) -> tuple[str, str | None]:
    """A directory as it is found, and as it was given if that is something else."""
    place = place_of(cwd)
    return place, None if place == cwd else cwd
