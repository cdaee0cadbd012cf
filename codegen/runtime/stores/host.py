"""The turns of the sessions that a process has open, and the updates of those sessions.

A prompt begins when its session is open; one at a time, in all processes that share the store.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from ..tasks import start
from .base import (
    Busy,
    Fenced,
    Store,
    StoreFailed,
    TurnKey,
    UnknownSession,
)
from .open_session import Key, NotOpen, OpenSession, Watcher
from .registry import TOLD_WITHIN, SessionRegistry
from .turns import Journal, Turn, TurnCancelled
from .undertakings import to_the_end

__all__ = ["SessionHost", "using"]

T = TypeVar("T")
S = TypeVar("S", bound=Store)


class SessionHost(SessionRegistry):
    """The open sessions of one store in this process, and their turns."""

    # Turns

    async def prompt(
        self,
        watcher: Watcher,
        key: Key,
        title: str | None,
        message: Sequence[tuple[bytes, Any]],
        answer: Callable[[OpenSession], Coroutine[Any, Any, tuple[str, T]]],
    ) -> T | None:
        """Run one turn, from the user's message (payloads and the updates that they are) to its answer.

        Returns what `answer` gives with the stop reason, once that is written. None if the turn was cancelled.
        """
        if key in self.turns:
            raise Busy(key[1])
        # Before anything is awaited, since a cancellation may be the next message.
        turn = self.turns[key] = Turn(watcher)
        try:
            return await to_the_end(self._converse(turn, watcher, key, title, message, answer), turn.cancel)
        finally:
            del self.turns[key]
            turn.over.set()

    def cancel(self, key: Key) -> None:
        """Cancel the turn of a session, if there is one."""
        if (turn := self.turns.get(key)) is not None:
            turn.cancel()

    async def _converse(
        self,
        turn: Turn,
        watcher: Watcher,
        key: Key,
        title: str | None,
        message: Sequence[tuple[bytes, Any]],
        answer: Callable[[OpenSession], Coroutine[Any, Any, tuple[str, T]]],
    ) -> T | None:
        try:
            session = await turn.step(self._admitted(watcher, key))
            token = f"{self.store.owner}/{next(self._tokens)}"
            stored, began = await self.store.begin_turn(
                *key, token, title, [payload for payload, _ in message], self.clock(), self.settle
            )
            # Another process may have changed the session.
            session.stored, session.data = stored, json.loads(stored.data)
            return await self._take_turn(turn, began, session, [update for _, update in message], answer)
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

    async def _take_turn(
        self,
        turn: Turn,
        began: TurnKey,
        session: OpenSession,
        message: Sequence[Any],
        answer: Callable[[OpenSession], Coroutine[Any, Any, tuple[str, T]]],
    ) -> T | None:
        turn.number = began.number
        turn.journal = journal = Journal(
            self.store, session.key, began, len(message), turn.fail, turn.asked_by.write_delay
        )
        for number, update in enumerate(message):
            self._spread(turn.asked_by, session, (began.number, number), update)
        result: T | None = None
        try:
            reason, result = await turn.step(answer(session))
        except TurnCancelled:
            reason = "cancelled"
        except BaseException:
            with contextlib.suppress(StoreFailed, Fenced, UnknownSession):  # which is most likely the failure
                await self._finish(turn, session, began, journal, "failed")
            raise
        await self._finish(turn, session, began, journal, reason)
        return None if turn.cancelled else result

    async def _finish(self, turn: Turn, session: OpenSession, began: TurnKey, journal: Journal, reason: str) -> None:
        """Write the last updates of a turn and its stop reason. What the author left open ends here."""
        first, rest = await journal.rest()
        settled = [*self.settle(turn.entries)]
        await self.store.finish_turn(*session.key, began, first, [*rest, *settled], reason, self.clock())
        if settled:
            shown = [start(w.show_payloads(session.id, settled)) for w in session.watchers]
            if shown:
                done, slow = await asyncio.wait(shown, timeout=TOLD_WITHIN)
                for task in slow:
                    task.cancel()
                for task in done:
                    task.exception()  # a client that has gone

    # Updates

    def sent(self, by: Watcher, key: Key, payload: bytes, update: Any, *, of_entry: bool) -> None:
        """A client was sent an update: write it if it belongs to a turn, and show it to the other clients.

        `of_entry`: whether it is about an entry that begins and ends.
        """
        session = self.sessions.get(key)
        if session is None:
            return
        turn = self.turns.get(key)
        place = (1 << 62, 0)
        if turn is not None and turn.journal is not None:
            place = (turn.number, turn.journal.count)
            turn.journal.add(payload)
            if of_entry:
                turn.entries.append(payload)
        self._spread(by, session, place, update)

    def _spread(self, by: object, session: OpenSession, place: tuple[int, int], update: Any) -> None:
        """Show the other clients an update: immediately, or after their replay."""
        for watcher, waiting in list(session.watchers.items()):
            if watcher is by:
                continue
            if waiting is None:
                watcher.show(update)
            else:
                waiting.append((place, update))


@contextlib.asynccontextmanager
async def using(store: S) -> AsyncGenerator[S, None]:
    """Open a store for the length of a block, and end the sessions that are open in it.

    `async with using(SQLiteStore("sessions.db")) as store: await run_agent(MyAgent(store))`. StoreError if the store
    cannot be used.
    """
    await store.open()
    try:
        yield store
    finally:
        await to_the_end(SessionHost.stop_of(store))
