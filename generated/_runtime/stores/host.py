# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The running turns of a process's sessions, and the updates of those sessions.

A prompt begins when its session is open. All processes that share the store run one prompt per session at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from ..tasks import start
from .base import (
    Busy,
    Fenced,
    Keyed,
    Repeated,
    Store,
    StoredSession,
    StoreFailed,
    TurnKey,
    UnknownSession,
)
from .open_session import NOWHERE, Key, NotOpen, OpenSession, Place, Watcher
from .registry import LOOK_EVERY, TOLD_WITHIN, SessionRegistry
from .turns import Journal, Turn, TurnCancelled
from .undertakings import to_the_end

S = TypeVar("S", bound=Store)


class Prompt(Struct, frozen=True, kw_only=True):
    """The prompt of a turn. `message`: the payloads and updates of the user's message."""

    key: Key
    title: str | None
    message: Sequence[tuple[bytes, Any]]
    answer: Callable[[OpenSession], Coroutine[Any, Any, tuple[str, Any]]]
    """Answers the prompt: the stop reason, and the result."""
    keyed: Keyed | None = None
    record: Callable[[Any], bytes] = lambda _: b""
    """The form in which a key remembers a result, or the error that took its place."""


class SessionHost(SessionRegistry):
    """The open sessions of one store in this process, and their turns."""

    # Turns

    async def prompt(self, watcher: Watcher, asked: Prompt) -> Any:
        """Run one turn, from the user's message to its response.

        Returns the result of `answer` for the stop reason, after it is stored; None if the turn was cancelled. If the
        key has already begun a turn, waits for its end and raises Repeated with the result of `record`.
        """
        key = asked.key
        if (running := self.turns.get(key)) is not None:
            await self._join(running, watcher, key, asked.keyed)
        # Before anything is awaited, since a cancellation may be the next message.
        turn = self.turns[key] = Turn(watcher, asked.keyed)

        async def converse() -> Any:
            try:
                return await self._converse(turn, asked)
            finally:
                del self.turns[key]
                turn.over.set()

        if asked.keyed is None:
            return await to_the_end(converse(), turn.cancel)
        try:
            return await self.undertakings.begin(converse())
        except asyncio.CancelledError:
            if not watcher.gone:
                turn.cancel()
                await to_the_end(turn.over.wait())
            raise

    async def _join(self, running: Turn, watcher: Watcher, key: Key, keyed: Keyed | None) -> None:
        """Wait for the end of a turn with the same key, for a client that replaces the one that sent the prompt."""
        if keyed is None or running.keyed is None or running.keyed.key != keyed.key:
            raise Busy(key[1])
        self.opened(watcher, key)
        if running.keyed == keyed:
            watcher.take_over(running.asked_by)
            running.asked_by = watcher
            try:
                await running.over.wait()
            except asyncio.CancelledError:
                if not watcher.gone:
                    running.cancel()
                raise
            if key in self.turns:
                raise Busy(key[1])

    async def _begun(self, turn: Turn, asked: Prompt) -> tuple[StoredSession, TurnKey]:
        """Begin a turn in the store. If it has already begun, send the client its updates until it ends. The client
        counts updates and skips those that it has already received.
        """
        key, message = asked.key, [payload for payload, _ in asked.message]
        keyed = [] if turn.keyed is None else [turn.keyed]
        shown: Place | None = None
        while True:
            token = f"{self.store.owner}/{next(self._tokens)}"
            try:
                return await self.store.begin_turn(*key, token, asked.title, message, self.clock(), self.settle, *keyed)
            except Repeated as known:
                if turn.asked_by.gone:
                    raise
                shown = shown or (known.turn, -1)
                while entries := await self.store.history(*key, shown):
                    for entry in entries:
                        await turn.asked_by.show_payloads(key[1], entry.payloads, entry[:2])
                    shown = entries[-1][:2]
                if not known.runs:
                    raise
                if turn.cancelled:
                    await self.store.ask_others(*key, "close")
            await asyncio.sleep(LOOK_EVERY)

    def cancel(self, key: Key) -> None:
        """Cancel the running turn of a session, if any."""
        if (turn := self.turns.get(key)) is not None:
            turn.cancel()

    async def _converse(self, turn: Turn, asked: Prompt) -> Any:
        key = asked.key
        try:
            session = await turn.step(self._admitted(turn.asked_by, key))
            stored, began = await self._begun(turn, asked)
            # Another process may have changed the session.
            session.stored, session.data = stored, json.loads(stored.data)
            return await self._take_turn(turn, began, session, asked)
        except TurnCancelled:
            return None
        except (UnknownSession, Fenced):
            # Deleted, or taken over, by another process.
            if (lost := self.sessions.pop(key, None)) is not None:
                for each in [*lost.watchers][:1]:
                    await each.on_close(lost)
                await self._tried(self.store.release(*key))
            if turn.cancelled:
                return None
            raise

    async def _admitted(self, watcher: Watcher, key: Key) -> OpenSession:
        async with self.queue(watcher, key), self.gate(key):
            try:
                return self.opened(watcher, key)
            except NotOpen:
                await self.store.find(*key)  # UnknownSession is the better answer
                raise

    async def _take_turn(self, turn: Turn, began: TurnKey, session: OpenSession, asked: Prompt) -> Any:
        turn.number = began.number
        turn.journal = journal = Journal(
            self.store, session.key, began, len(asked.message), turn.fail, turn.asked_by.write_delay
        )
        for number, (_, update) in enumerate(asked.message):
            self._spread(turn.asked_by, session, (began.number, number), update)
        result: Any = None
        try:
            reason, result = await turn.step(asked.answer(session))
        except TurnCancelled:
            reason = "cancelled"
        except BaseException as error:
            with contextlib.suppress(StoreFailed, Fenced, UnknownSession):  # which is most likely the failure
                await self._finish(turn, session, began, journal, "failed", asked.record(error))
            raise
        await self._finish(turn, session, began, journal, reason, asked.record(None if turn.cancelled else result))
        return None if turn.cancelled else result

    async def _finish(
        self, turn: Turn, session: OpenSession, began: TurnKey, journal: Journal, reason: str, answer: bytes
    ) -> None:
        """Store the last updates of a turn and its stop reason. Entries that the author left open are completed."""
        first, rest = await journal.rest()
        settled = [*self.settle(turn.entries)]
        remembered = [] if turn.keyed is None else [answer]
        await self.store.finish_turn(*session.key, began, first, [*rest, *settled], reason, self.clock(), *remembered)
        if settled:
            place = (began.number, first + len(rest))
            shown = [start(w.show_payloads(session.id, settled, place)) for w in session.watchers]
            if shown:
                done, slow = await asyncio.wait(shown, timeout=TOLD_WITHIN)
                for task in slow:
                    task.cancel()
                for task in done:
                    task.exception()  # a client that has gone

    # Updates

    def place(self, key: Key) -> Place:
        """The position of the next update of a session."""
        turn = self.turns.get(key)
        return NOWHERE if turn is None or turn.journal is None else (turn.number, turn.journal.count)

    def sent(self, by: Watcher, key: Key, payload: bytes, update: Any, *, of_entry: bool) -> None:
        """Store an update that was sent to a client, if it belongs to a turn, and send it to the other clients.

        `of_entry`: the update is about an entry with a beginning and an end.
        """
        session = self.sessions.get(key)
        if session is None:
            return
        turn = self.turns.get(key)
        place = self.place(key)
        if turn is not None and turn.journal is not None:
            turn.journal.add(payload)
            if of_entry:
                turn.entries.append(payload)
        self._spread(by, session, place, update)

    def _spread(self, by: object, session: OpenSession, place: Place, update: Any) -> None:
        """Show the other clients an update, immediately or after their replay."""
        for watcher, waiting in list(session.watchers.items()):
            if watcher is by:
                continue
            if waiting is None:
                watcher.show(update, place)
            else:
                waiting.append((place, update))


@contextlib.asynccontextmanager
async def using(store: S) -> AsyncGenerator[S, None]:
    """Open a store for the duration of a block, and end its open sessions at the end.

    `async with using(SQLiteStore("sessions.db")) as store: await run_agent(MyAgent(store))`. Raises StoreError if the
    store cannot be used.
    """
    await store.open()
    try:
        yield store
    finally:
        await to_the_end(SessionHost.stop_of(store))
