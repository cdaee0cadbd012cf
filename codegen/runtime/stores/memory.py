"""A session store in memory, the shortest implementation. Its sessions end with the process."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from .base import (
    INTERRUPTED,
    REMEMBERED,
    TURNS_REMEMBERED,
    Entry,
    Fenced,
    Keyed,
    KeyReused,
    Position,
    Repeated,
    Settle,
    StoredSession,
    TurnKey,
    UnknownSession,
    Wish,
)

__all__ = ["MemoryStore"]


@dataclass(slots=True)
class _Kept:
    session: StoredSession
    entries: list[Entry] = field(default_factory=list[Entry])
    token: str = ""
    """Token of the latest turn."""
    deleted_at: int | None = None
    keys: dict[str, _Remembered] = field(default_factory=dict[str, "_Remembered"])

    def remember(self, keyed: Keyed, now: int) -> None:
        """Remember the key of a turn that is about to begin."""
        turn = self.session.turn + 1
        if (found := self.keys.get(keyed.key)) is not None:
            if found.digest != keyed.digest:
                raise KeyReused(keyed.key)
            raise Repeated(found.turn, found.answer, False)
        self.keys = {
            key: each
            for key, each in self.keys.items()
            if each.turn >= turn - TURNS_REMEMBERED and each.begun_at >= now - REMEMBERED
        }
        self.keys[keyed.key] = _Remembered(turn, keyed.digest, now)

    def add(self, turn: int, first: int, payloads: Sequence[bytes]) -> None:
        """Add updates, unless an earlier attempt has added them."""
        if payloads and (turn, first) not in {entry[:2] for entry in self.entries}:
            self.entries.append(Entry(turn, first, tuple(payloads)))

    def interrupt(self, settle: Settle) -> None:
        """End the latest turn as interrupted."""
        turn = self.session.turn
        said = [payload for entry in self.entries if entry.turn == turn for payload in entry.payloads]
        self.add(turn, len(said), [*settle(said)])
        self.session = replace(self.session, outcome=INTERRUPTED)


@dataclass(slots=True)
class _Remembered:
    turn: int
    digest: str
    begun_at: int
    answer: bytes | None = None


class MemoryStore:
    """Sessions in memory. They belong to one process, so ownership is never shared."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Kept] = {}
        self._held: set[str] = set()
        self._secret = secrets.token_bytes(32)
        self._owner = f"{os.getpid()}#{secrets.token_hex(4)}"

    @property
    def owner(self) -> str:
        return self._owner

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def secret(self) -> bytes:
        return self._secret

    # Sessions

    async def create(self, session: StoredSession) -> None:
        self._sessions.setdefault(session.session_key, _Kept(session))

    async def find(self, identity: str, session_key: str) -> StoredSession:
        return self._kept(identity, session_key).session

    async def page(
        self, identity: str, place: str | None, after: Position | None, size: int
    ) -> tuple[list[StoredSession], Position | None]:
        found = sorted(
            (
                (kept.session.changed_at, session_key, kept.session)
                for session_key, kept in self._sessions.items()
                if kept.deleted_at is None and kept.session.listed and kept.session.identity == identity
                if place is None or kept.session.place == place
                if after is None or (kept.session.changed_at, session_key) < after
            ),
            key=lambda row: row[:2],
            reverse=True,
        )
        shown = [session for _, _, session in found[:size]]
        return shown, Position(*found[size - 1][:2]) if len(found) > size else None

    async def reopen(self, identity: str, session_key: str, place: str, fields: str, settle: Settle) -> StoredSession:
        kept = self._kept(identity, session_key)
        if kept.session.outcome is None and kept.token.partition("/")[0] != self._owner:
            kept.interrupt(settle)
        kept.session = replace(kept.session, place=place, fields=fields)
        return kept.session

    async def fork(self, identity: str, session_key: str, copy: StoredSession, settle: Settle) -> StoredSession:
        source = self._kept(identity, session_key)
        if copy.session_key not in self._sessions:
            made = replace(
                copy,
                title=source.session.title if copy.title is None else copy.title,
                data=source.session.data if copy.data == "{}" else copy.data,
                turn=source.session.turn,
                outcome=source.session.outcome,
            )
            forked = self._sessions[copy.session_key] = _Kept(made, [*source.entries])
            if made.outcome is None:
                forked.interrupt(settle)
        return self._kept(identity, copy.session_key).session

    async def save(self, identity: str, session_key: str, data: str) -> None:
        kept = self._kept(identity, session_key)
        kept.session = replace(kept.session, data=data)

    async def end(self, identity: str, session_key: str, ended: str | None) -> None:
        kept = self._kept(identity, session_key)
        kept.session = replace(kept.session, ended=ended)

    async def ended(self, identity: str, session_key: str) -> StoredSession:
        kept = self._sessions.get(session_key)
        if kept is None or kept.session.identity != identity:
            raise UnknownSession(session_key)
        return kept.session

    async def delete(self, identity: str, session_key: str, now: int) -> None:
        kept = self._sessions.get(session_key)
        if kept is not None and kept.session.identity == identity and kept.deleted_at is None:
            kept.deleted_at = now

    async def remove(self, identity: str, session_key: str) -> None:
        kept = self._sessions.get(session_key)
        if kept is not None and kept.session.identity == identity:
            del self._sessions[session_key]

    # Turns

    async def begin_turn(
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
        kept = self._kept(identity, session_key)
        if kept.session.outcome is None and kept.token == token:
            return kept.session, TurnKey(kept.session.turn, token)
        if keyed is not None:
            kept.remember(keyed, now)
        if kept.session.outcome is None:
            kept.interrupt(settle)
        kept.token = token
        kept.session = replace(
            kept.session,
            turn=kept.session.turn + 1,
            outcome=None,
            ended=None,
            title=kept.session.title or title,
            changed_at=max(now, kept.session.changed_at),
        )
        kept.add(kept.session.turn, 0, message)
        return kept.session, TurnKey(kept.session.turn, token)

    async def append(
        self, identity: str, session_key: str, turn: TurnKey, first: int, payloads: Sequence[bytes]
    ) -> None:
        kept = self._kept(identity, session_key)
        if kept.session.outcome is not None or turn != (kept.session.turn, kept.token):
            raise Fenced(session_key)
        kept.add(turn.number, first, payloads)

    async def finish_turn(
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
        kept = self._sessions.get(session_key)
        if kept is None or kept.deleted_at is not None or kept.session.identity != identity:
            return
        if turn != (kept.session.turn, kept.token) or kept.session.outcome not in {None, outcome}:
            raise Fenced(session_key)
        kept.add(turn.number, first, payloads)
        kept.session = replace(kept.session, outcome=outcome, changed_at=max(now, kept.session.changed_at))
        for each in kept.keys.values():
            if answer and each.turn == turn.number:
                each.answer = answer

    async def history(
        self, identity: str, session_key: str, after: tuple[int, int] = (-1, 0), limit: int = 32
    ) -> list[Entry]:
        kept = self._sessions.get(session_key)
        if kept is None or kept.deleted_at is not None or kept.session.identity != identity:
            return []
        return [entry for entry in kept.entries if entry[:2] > after][:limit]

    # Ownership

    async def hold(self, identity: str, session_key: str) -> None:
        self._kept(identity, session_key)
        self._held.add(session_key)

    async def release(self, identity: str, session_key: str) -> None:
        self._held.discard(session_key)

    async def held(self, keys: Sequence[tuple[str, str]]) -> None: ...

    async def ask_others(self, identity: str, session_key: str, wish: Wish) -> bool:
        return False

    async def wishes(self) -> Mapping[tuple[str, str], Wish]:
        return {}

    # Cleaning up

    async def expire(self, before: int, now: int, limit: int = 500) -> int:
        idle = [kept for session_key, kept in self._sessions.items() if session_key not in self._held]
        found = [kept for kept in idle if kept.deleted_at is None and kept.session.changed_at < before][:limit]
        for kept in found:
            kept.deleted_at = now
        return len(found)

    async def purge(self, before: int, limit: int = 500) -> int:
        found = [id for id, k in self._sessions.items() if k.deleted_at is not None and k.deleted_at < before][:limit]
        for session_key in found:
            del self._sessions[session_key]
        return len(found)

    def _kept(self, identity: str, session_key: str) -> _Kept:
        kept = self._sessions.get(session_key)
        if kept is None or kept.deleted_at is not None or kept.session.identity != identity:
            raise UnknownSession(session_key)
        return kept
