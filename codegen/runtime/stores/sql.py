"""A store in a database, in SQL that works on SQLite and PostgreSQL.

The tables have a row for each session with the state of its latest turn, for each batch of updates, and for each
lease. Each write to a turn checks in the same statement that the turn is still running and belongs to the writer.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from .base import (
    INTERRUPTED,
    REMEMBERED,
    TURNS_REMEMBERED,
    Busy,
    Entry,
    Fenced,
    Keyed,
    KeyReused,
    Position,
    Repeated,
    Settle,
    StoredSession,
    StoreFailed,
    TurnKey,
    UnknownSession,
    Unreadable,
)
from .engine import Lanes, operation
from .leases import THIS, SQLLeases

logger = logging.getLogger(__name__)

_FIELDS: Final = StoredSession.__struct_fields__
_OBJECT: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_YEAR_10000: Final = 253_402_300_800_000_000
"""Microseconds from 1970 to the end of the year 9999, the limit of dates."""
_COLUMNS: Final = ", ".join(_FIELDS)
_GIVEN: Final = _FIELDS[: _FIELDS.index("changed_at") + 1]
_INSERT: Final = (
    f"INSERT INTO sessions ({', '.join(_GIVEN)}) VALUES ({', '.join('?' * len(_GIVEN))}) "
    "ON CONFLICT (session_key) DO NOTHING"
)


class SQLStore(SQLLeases):
    """A store in a database."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes

    @property
    def owner(self) -> str:
        return self.lanes.engine.owner

    async def open(self) -> None:
        await self.lanes.open()

    async def close(self) -> None:
        with contextlib.suppress(StoreFailed):
            if self.lanes.is_open:
                await self._release_all()
        await self.lanes.close()

    @operation
    def secret(self) -> bytes:
        statement = "INSERT INTO secrets (name, value) VALUES ('cursors', ?) ON CONFLICT DO NOTHING"
        self._db.execute(statement, (secrets.token_bytes(32),))
        return bytes(self._db.execute("SELECT value FROM secrets WHERE name = 'cursors'").fetchone()[0])

    # Sessions

    @operation
    def create(self, session: StoredSession) -> None:
        self._db.execute(_INSERT, _inserted(session))

    @operation
    def find(self, identity: str, session_key: str) -> StoredSession:
        return self._session(identity, session_key)

    @operation
    def page(
        self, identity: str, place: str | None, after: Position | None, size: int
    ) -> tuple[list[StoredSession], Position | None]:
        where = "identity = ? AND deleted_at IS NULL AND listed = 1"
        more: list[str | int] = [identity]
        if place is not None:
            where += " AND place = ?"
            more.append(place)
        if after is not None:
            where += " AND (changed_at, session_key) < (?, ?)"
            more += [after.changed_at, after.session_key]
        found = self._db.newest(_COLUMNS, where, more, size + 1)
        shown = [session for row in found[:size] if (session := _readable(row)) is not None]
        if len(found) <= size:
            return shown, None
        last = dict(zip(_FIELDS, found[size - 1], strict=True))
        return shown, Position(last["changed_at"], last["session_key"])

    @operation
    def reopen(self, identity: str, session_key: str, place: str, fields: str, settle: Settle) -> StoredSession:
        with self._db.transaction():
            found = self._session(identity, session_key, self._db.held)
            if found.outcome is None:
                self._settle(session_key, found.turn, settle)
            self._db.execute(
                "UPDATE sessions SET place = ?, fields = ? WHERE session_key = ?", (place, fields, session_key)
            )
            return self._session(identity, session_key)

    @operation
    def fork(self, identity: str, session_key: str, copy: StoredSession, settle: Settle) -> StoredSession:
        with self._db.transaction():
            source = self._session(identity, session_key, self._db.held)
            made = msgspec.structs.replace(
                copy,
                title=source.title if copy.title is None else copy.title,
                data=source.data if copy.data == "{}" else copy.data,
            )
            if self._db.execute(_INSERT, _inserted(made)).rowcount:
                self._db.execute(
                    "UPDATE sessions SET turn = ?, outcome = ? WHERE session_key = ?",
                    (source.turn, INTERRUPTED if source.outcome is None else source.outcome, made.session_key),
                )
                self._db.execute(
                    "INSERT INTO entries (session_key, turn, number, payloads) "
                    "SELECT CAST(? AS TEXT), turn, number, payloads FROM entries WHERE session_key = ?",
                    (made.session_key, session_key),
                )
                if source.outcome is None:
                    self._end_entries(made.session_key, source.turn, settle)
            return self._session(identity, made.session_key)

    @operation
    def save(self, identity: str, session_key: str, data: str) -> None:
        self._changed(identity, session_key, "data = ?", data)

    @operation
    def end(self, identity: str, session_key: str, ended: str | None) -> None:
        self._changed(identity, session_key, "ended = ?", ended)

    @operation
    def ended(self, identity: str, session_key: str) -> StoredSession:
        return _found(
            session_key,
            self._db.execute(
                f"SELECT {_COLUMNS} FROM sessions WHERE session_key = ? AND identity = ?", (session_key, identity)
            ).fetchone(),
        )

    @operation
    def delete(self, identity: str, session_key: str, now: int) -> None:
        self._db.execute(f"UPDATE sessions SET deleted_at = ? WHERE {THIS}", (now, session_key, identity))

    @operation
    def remove(self, identity: str, session_key: str) -> None:
        self._db.execute("DELETE FROM sessions WHERE session_key = ? AND identity = ?", (session_key, identity))

    # Turns

    @operation
    def begin_turn(
        self,
        identity: str,
        session_key: str,
        token: str,
        title: str | None,
        message: Sequence[bytes],
        now: int,
        settle: Settle,
        keyed: Keyed | None = None,
    ) -> tuple[StoredSession, TurnKey]:
        with self._db.transaction():
            begun = self._begin(identity, session_key, token, title, now)
            if begun is None:
                found = self._session(identity, session_key, self._db.held)
                owner = self._turn_owner(session_key)
                if found.outcome is None and owner == token:  # repeated: the first attempt went well
                    return found, TurnKey(found.turn, token)
                if keyed is not None:
                    self._recall(session_key, keyed)
                if not self._is_ours(owner) and self._db.is_alive(_process(owner)):
                    raise Busy(session_key)
                self._interrupt(session_key, found.turn, settle)
                begun = self._begin(identity, session_key, token, title, now)
                assert begun is not None
            if keyed is not None:
                self._remember(session_key, begun.turn, keyed, now)
            self._add(session_key, begun.turn, 0, message)
            return begun, TurnKey(begun.turn, token)

    @operation
    def append(self, identity: str, session_key: str, turn: TurnKey, first: int, payloads: Sequence[bytes]) -> None:
        added = self._db.execute(
            "INSERT INTO entries (session_key, turn, number, payloads) SELECT session_key, turn, ?, ? FROM sessions "
            f"WHERE {THIS} AND turn = ? AND turn_owner = ? AND outcome IS NULL{self._db.shared} "
            "ON CONFLICT DO NOTHING",
            (first, b"\n".join(payloads), session_key, identity, turn.number, turn.token),
        ).rowcount
        if not added:  # repeated, or the turn is not ours any more
            found = self._session(identity, session_key)
            if found.turn != turn.number or found.outcome is not None or self._turn_owner(session_key) != turn.token:
                raise Fenced(session_key)

    @operation
    def finish_turn(
        self,
        identity: str,
        session_key: str,
        turn: TurnKey,
        first: int,
        payloads: Sequence[bytes],
        outcome: str,
        now: int,
        answer: bytes = b"",
    ) -> None:
        with self._db.transaction():
            ended = self._db.execute(
                "UPDATE sessions SET outcome = ?, changed_at = greatest(?, changed_at) "
                f"WHERE {THIS} AND turn = ? AND turn_owner = ? AND coalesce(outcome, ?) <> ?",
                (outcome, now, session_key, identity, turn.number, turn.token, outcome, INTERRUPTED),
            ).rowcount
            if ended:
                self._add(session_key, turn.number, first, payloads)
                if answer:
                    self._db.execute(
                        "UPDATE keys SET answer = ? WHERE session_key = ? AND turn = ?",
                        (answer, session_key, turn.number),
                    )
                return
            if self._exists(identity, session_key):
                raise Fenced(session_key)

    @operation
    def history(
        self, identity: str, session_key: str, after: tuple[int, int] = (-1, 0), limit: int = 32
    ) -> list[Entry]:
        rows = self._db.execute(
            "SELECT entries.turn, number, payloads FROM entries JOIN sessions ON sessions.session_key = entries.session_key "
            "WHERE entries.session_key = ? AND identity = ? AND deleted_at IS NULL AND (entries.turn, number) > (?, ?) "
            "ORDER BY entries.turn, number LIMIT ?",
            (session_key, identity, *after, limit),
        )
        return [Entry(turn, number, tuple(bytes(payloads).split(b"\n"))) for turn, number, payloads in rows]

    # In a thread

    def _session(self, identity: str, session_key: str, lock: str = "") -> StoredSession:
        found = self._db.execute(f"SELECT {_COLUMNS} FROM sessions WHERE {THIS}{lock}", (session_key, identity))
        return _found(session_key, found.fetchone())

    def _exists(self, identity: str, session_key: str) -> bool:
        return self._db.execute(f"SELECT 1 FROM sessions WHERE {THIS}", (session_key, identity)).fetchone() is not None

    def _changed(self, identity: str, session_key: str, change: str, value: object) -> None:
        if not self._db.execute(f"UPDATE sessions SET {change} WHERE {THIS}", (value, session_key, identity)).rowcount:
            raise UnknownSession(session_key)

    def _begin(self, identity: str, session_key: str, token: str, title: str | None, now: int) -> StoredSession | None:
        """Begin a turn unless one is running; None if one is."""
        row = self._db.execute(
            "UPDATE sessions SET turn = turn + 1, turn_owner = ?, outcome = NULL, ended = NULL, "
            "title = coalesce(title, ?), changed_at = greatest(?, changed_at) "
            f"WHERE {THIS} AND outcome IS NOT NULL RETURNING {_COLUMNS}",
            (token, title, now, session_key, identity),
        ).fetchone()
        return None if row is None else _found(session_key, row)

    def _remember(self, session_key: str, turn: int, keyed: Keyed, now: int) -> None:
        self._db.execute(
            "DELETE FROM keys WHERE session_key = ? AND (turn < ? OR begun_at < ?)",
            (session_key, turn - TURNS_REMEMBERED, now - REMEMBERED),
        )
        if not self._db.execute(
            "INSERT INTO keys (session_key, key, turn, digest, begun_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (session_key, keyed.key, turn, keyed.digest, now),
        ).rowcount:
            self._recall(session_key, keyed)

    def _recall(self, session_key: str, keyed: Keyed) -> None:
        """Raise Repeated, or KeyReused, if the key has begun a turn before."""
        found = self._db.execute(
            "SELECT digest, keys.turn, answer, sessions.turn = keys.turn AND outcome IS NULL, turn_owner FROM keys "
            "JOIN sessions ON sessions.session_key = keys.session_key WHERE keys.session_key = ? AND key = ?",
            (session_key, keyed.key),
        ).fetchone()
        if found is not None:
            digest, turn, answer, runs, owner = found
            if digest != keyed.digest:
                raise KeyReused(keyed.key)
            runs = runs and not self._is_ours(owner) and self._db.is_alive(_process(owner))
            raise Repeated(turn, None if answer is None else bytes(answer), runs)

    def _turn_owner(self, session_key: str) -> str:
        row = self._db.execute("SELECT turn_owner FROM sessions WHERE session_key = ?", (session_key,)).fetchone()
        return str(row[0]) if row else ""

    def _is_ours(self, token: str) -> bool:
        return _process(token) == self._db.owner

    def _settle(self, session_key: str, turn: int, settle: Settle) -> None:
        """End the turn of a dead process."""
        owner = self._turn_owner(session_key)
        if not self._is_ours(owner) and not self._db.is_alive(_process(owner)):
            self._interrupt(session_key, turn, settle)

    def _interrupt(self, session_key: str, turn: int, settle: Settle) -> None:
        self._end_entries(session_key, turn, settle)
        self._db.execute("UPDATE sessions SET outcome = ? WHERE session_key = ?", (INTERRUPTED, session_key))

    def _end_entries(self, session_key: str, turn: int, settle: Settle) -> None:
        rows = self._db.execute(
            "SELECT number, payloads FROM entries WHERE session_key = ? AND turn = ? ORDER BY number",
            (session_key, turn),
        ).fetchall()
        payloads = [payload for _, batch in rows for payload in bytes(batch).split(b"\n")]
        first = rows[-1][0] + bytes(rows[-1][1]).count(b"\n") + 1 if rows else 0
        self._add(session_key, turn, first, [*settle(payloads)])

    def _add(self, session_key: str, turn: int, first: int, payloads: Sequence[bytes]) -> None:
        if payloads:
            self._db.execute(
                "INSERT INTO entries (session_key, turn, number, payloads) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (session_key, turn, first, b"\n".join(payloads)),
            )


def _process(token: str) -> str:
    return token.partition("/")[0]


def _inserted(session: StoredSession) -> tuple[object, ...]:
    """The values of `_GIVEN`, with a number for a truth value."""
    values = msgspec.structs.astuple(session)[: len(_GIVEN)]
    return tuple(int(value) if isinstance(value, bool) else value for value in values)


def _found(session_key: str, row: Sequence[object] | None) -> StoredSession:
    if row is None:
        raise UnknownSession(session_key)
    values = dict(zip(_FIELDS, row, strict=True))
    values["listed"] = bool(values["listed"])
    try:
        found = msgspec.convert(values, StoredSession)
        _OBJECT.decode(found.fields)
        _OBJECT.decode(found.data)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise Unreadable(f"the stored session cannot be read: {error}") from None
    if not 0 <= found.changed_at < _YEAR_10000:
        raise Unreadable(f"the stored session cannot be read: no date can express its time, {found.changed_at} µs")
    return found


def _readable(row: Sequence[object]) -> StoredSession | None:
    session_key = str(row[_FIELDS.index("session_key")])
    try:
        return _found(session_key, row)
    except Unreadable as error:
        logger.warning("session %s is missing from a list: %s", session_key, error)
        return None
