"""The open sessions of a process, for all its connections: opening, closing and ending.

For each session of an identity:

    open, close, delete    run one after the other, under a lock per session. Requests of one client keep their order
                           (a lock per client of a session, taken first)
    a replay               delays only the client that requested it
    a close                cancels the turn, waits until the store contains it, then releases everything
    a disconnected client  its turns end (those with a key after a delay), and sessions that nobody else watches close
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import time
import weakref
from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, Final, Self, TypeVar

from ..tasks import start
from .base import (
    Busy,
    Settle,
    Store,
    StoredSession,
    StoreFailed,
    UnknownSession,
    Unreadable,
    Wish,
)
from .listing import clock
from .open_session import Key, NotOpen, OpenElsewhere, OpenSession, Watcher
from .turns import Turn
from .undertakings import Undertakings

logger = logging.getLogger(__name__)

T = TypeVar("T")

LOOK_EVERY: Final = 0.25
"""Seconds between two checks for requests of other processes."""
PATIENCE: Final = 15.0
"""Seconds to wait for other processes that have a session open."""
REJOIN: Final = 30.0
"""Seconds for which a turn with a key continues after its client has disconnected."""
TOLD_WITHIN: Final = 1.0
"""Maximum seconds that a client that does not read delays the end of a session."""


class SessionRegistry:
    """The open sessions of one store in this process. `settle` completes an interrupted turn (`base.Settle`)."""

    _of: ClassVar[weakref.WeakKeyDictionary[Any, Any]] = weakref.WeakKeyDictionary()

    def __init__(self, store: Store, settle: Settle) -> None:
        self.store = store
        self.settle = settle
        self.clock: Callable[[], int] = clock
        self.sessions: dict[Key, OpenSession] = {}
        self.turns: dict[Key, Turn] = {}
        self.undertakings = Undertakings((UnknownSession, NotOpen, OpenElsewhere, Unreadable, StoreFailed))
        self.secret = b""
        self._gates: weakref.WeakValueDictionary[Key, asyncio.Lock] = weakref.WeakValueDictionary()
        self._queues: weakref.WeakValueDictionary[tuple[int, Key], asyncio.Lock] = weakref.WeakValueDictionary()
        self._tokens = itertools.count(1)
        self._looks: asyncio.Task[None] | None = None
        self._attending: set[asyncio.Task[None]] = set()
        self._started: asyncio.Task[None] | None = None
        self.is_over = False
        """True if everything is being ended."""

    @classmethod
    def of(cls, store: Store, settle: Settle) -> Self:
        """The registry of a store, shared by all connections."""
        host: Self | None = cls._of.get(store)
        if host is None or host.is_over:
            host = cls._of[store] = cls(store, settle)
        return host

    @classmethod
    async def stop_of(cls, store: Store) -> None:
        """End everything that this process has open in a store, and close the store."""
        host = cls._of.pop(store, None)
        if host is None:
            await store.close()
        else:
            await host.stop()

    async def start(self) -> None:
        """Open the store, once."""
        if self._started is None or (self._started.done() and self._started.exception() is not None):
            self._started = start(self._start())
        if not self._started.done():
            await asyncio.shield(self._started)
        elif (failure := self._started.exception()) is not None:
            raise failure

    async def _start(self) -> None:
        await self.store.open()
        self.secret = await self.store.secret()
        self._looks = start(self._look_around())

    def attend(self, watcher: Watcher, gone: Coroutine[Any, Any, None]) -> None:
        """Close a client's sessions when its connection has ended."""

        async def wait() -> None:
            await gone
            await self.leave(watcher)

        task = start(wait())
        self._attending.add(task)
        task.add_done_callback(self._attending.discard)

    async def stop(self) -> None:
        """End everything, and close the store."""
        self.is_over = True
        for task in [*self._attending, *([] if self._looks is None else [self._looks])]:
            task.cancel()
            await asyncio.wait([task])
        for turn in self.turns.values():
            turn.cancel()
        for key in list(self.sessions):
            async with self.gate(key):
                await self.close(key)
        for turn in list(self.turns.values()):
            await turn.over.wait()
        await self.undertakings.wait()
        await self.store.close()

    # Locks

    def gate(self, key: Key) -> asyncio.Lock:
        """The lock of a session."""
        return self._gates.setdefault(key, asyncio.Lock())

    def queue(self, watcher: Watcher, key: Key) -> asyncio.Lock:
        """The lock of one client of a session. Take it before the lock of the session."""
        return self._queues.setdefault((id(watcher), key), asyncio.Lock())

    async def alone(self, watcher: Watcher, key: Key, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do work on a session in the client's order. Once begun, the work is completed."""
        async with contextlib.AsyncExitStack() as locks:
            await locks.enter_async_context(self.queue(watcher, key))
            await locks.enter_async_context(self.gate(key))
            return await self.undertakings.begin(work(), locks.pop_all())

    # Opening

    async def made(self, watcher: Watcher, making: Coroutine[Any, Any, StoredSession]) -> OpenSession:
        """Open a session that is being created. If that fails or is cancelled, the session is removed."""
        task = start(making)
        try:
            stored = await asyncio.shield(task)
            key = (stored.identity, stored.session_key)
            async with self.gate(key):
                return await self._open(watcher, key, stored)
        except BaseException:
            await self.undertakings.begin(self._unmake(watcher, task))
            raise

    async def _unmake(self, watcher: Watcher, making: asyncio.Task[StoredSession]) -> None:
        await asyncio.wait([making])
        if making.cancelled() or making.exception() is not None:
            return
        stored = making.result()
        key = (stored.identity, stored.session_key)
        await self.release(watcher, key)
        async with self.gate(key):
            if key not in self.sessions:
                await self.store.remove(*key)

    async def reopen(
        self,
        watcher: Watcher,
        key: Key,
        place: str,
        fields: str,
        replays: bool,
    ) -> OpenSession:
        """Open a stored session for a client. `replays`: send the client its history."""
        async with self.queue(watcher, key):
            session = self.sessions.get(key)
            is_new = session is None or watcher not in session.watchers
            if replays and not is_new and key in self.turns:
                raise Busy(key[1])
            async with self.gate(key):
                stored = await self.store.reopen(*key, place, fields, self.settle)
                session = await self._open(watcher, key, stored, waits=replays)
            try:
                if replays:
                    await self._replay(watcher, session)
            except BaseException:
                if is_new:
                    await self.undertakings.begin(self.release(watcher, key))
                raise
            finally:
                self._live(watcher, session)
            return session

    async def _open(self, watcher: Watcher, key: Key, stored: StoredSession, waits: bool = False) -> OpenSession:
        """Open a stored session for a client. The caller holds its gate."""
        session = self.sessions.get(key)
        if session is None:
            await self.store.hold(*key)
            if self.is_over:
                raise NotOpen
            session = self.sessions[key] = OpenSession(key, stored)
        session.stored = stored
        if watcher not in session.watchers or waits:
            session.watchers[watcher] = [] if waits else None
        await watcher.on_open(session)
        return session

    async def _replay(self, watcher: Watcher, session: OpenSession) -> None:
        """Send a client the history, including the updates of a running turn."""
        turn = self.turns.get(session.key)
        if turn is not None and turn.journal is not None:
            await turn.journal.flush()
        place, last = (-1, 0), (-1, 0)
        while entries := await self.store.history(*session.key, place):
            for entry in entries:
                await watcher.show_payloads(session.id, entry.payloads, entry[:2])
            place = entries[-1][:2]
            last = (place[0], place[1] + len(entries[-1].payloads) - 1)
        waiting = session.watchers.get(watcher)
        if waiting is not None:  # what came meanwhile and was not in the history yet
            waiting[:] = [(number, update) for number, update in waiting if number > last]

    def _live(self, watcher: Watcher, session: OpenSession) -> None:
        """Send a client updates directly from now on."""
        waiting = session.watchers.get(watcher)
        if waiting is not None:
            session.watchers[watcher] = None
            for place, update in waiting:
                watcher.show(update, place)

    def opened(self, watcher: Watcher, key: Key) -> OpenSession:
        """A session that this client has open. Raises NotOpen otherwise."""
        session = self.sessions.get(key)
        if session is None or watcher not in session.watchers:
            raise NotOpen(key[1])
        return session

    async def save(self, session: OpenSession) -> None:
        """Write `data` of a session to the store."""
        await self.store.save(*session.key, json.dumps(session.data))

    # Closing

    async def close(
        self, key: Key, by: Watcher | None = None, ended: dict[str, Any] | None = None, keep: bool = True
    ) -> bool:
        """End the turn of a session and free its resources. Returns whether it was open. The caller holds its gate.

        `ended`: the reason and the initiator, sent to the other clients. `keep`: record it in the store.
        """
        session = self.sessions.pop(key, None)
        turn = self.turns.get(key)
        if turn is not None:
            turn.cancel()
            await turn.over.wait()
        if session is None:
            return False
        try:
            if ended is not None and keep:
                await self._record(key, ended)
            watchers = [*session.watchers]
            told = [start(w.on_ended(session, ended)) for w in watchers if w is not by]
            if told:
                done, slow = await asyncio.wait(told, timeout=TOLD_WITHIN)
                for task in slow:
                    task.cancel()
                for task in done:
                    _log(task, "on_ended")
            for watcher in watchers[:1]:
                freed = start(watcher.on_close(session))
                await asyncio.wait([freed])
                _log(freed, "on_close")
        finally:
            if not session.stored.listed:
                await self._tried(self.store.remove(*key))
            await self._tried(self.store.release(*key))
        return True

    async def close_everywhere(
        self, key: Key, by: Watcher | None, wish: Wish = "close", ended: dict[str, Any] | None = None
    ) -> bool:
        """Close a session here and in the other processes. Returns whether it was open anywhere. The caller holds its
        gate.
        """
        here = await self.close(key, by, ended)
        return await self._elsewhere(key, wish) or here

    async def _elsewhere(self, key: Key, wish: Wish) -> bool:
        deadline = time.monotonic() + PATIENCE
        pause, asked = 0.01, False
        while await self.store.ask_others(*key, wish):
            if time.monotonic() > deadline or self.is_over:
                raise OpenElsewhere(key[1])
            asked = True
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, LOOK_EVERY)
        return asked

    async def _record(self, key: Key, ended: dict[str, Any]) -> None:
        await self._tried(self.store.end(*key, json.dumps(ended)))

    async def _tried(self, work: Coroutine[Any, Any, None]) -> None:
        """Do work whose failure must not prevent a session from closing."""
        try:
            await work
        except UnknownSession:
            pass
        except StoreFailed as error:
            logger.warning("cannot record the end of a session: %s", error)

    async def release(self, watcher: Watcher, key: Key) -> None:
        """Stop watching a session for a client. Closes it if nobody else watches it."""
        session = self.sessions.get(key)
        if session is None:
            return
        session.watchers.pop(watcher, None)
        if not session.watchers:
            async with self.gate(key):
                if not session.watchers and self.sessions.get(key) is session:
                    session.watchers[watcher] = None  # whose hook frees what the session holds
                    await self.close(key, watcher)

    async def leave(self, watcher: Watcher) -> None:
        """Process the disconnection of a client: end its turns, and close sessions that nobody else watches."""
        await self.undertakings.begin(self._leave(watcher))

    async def _leave(self, watcher: Watcher) -> None:
        for turn in [turn for turn in self.turns.values() if turn.asked_by is watcher]:
            if turn.keyed is not None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(REJOIN):
                        await turn.over.wait()
            if turn.asked_by is watcher:
                turn.cancel()
                await turn.over.wait()
        for key in [key for key, session in self.sessions.items() if watcher in session.watchers]:
            await self.release(watcher, key)

    # Other processes

    async def _look_around(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if self.sessions:
                try:
                    await self._look()
                except StoreFailed as error:
                    logger.warning("cannot read the requests of other processes: %s", error)
                except Exception:
                    logger.exception("reading the requests of other processes failed")

    async def _look(self) -> None:
        await self.store.held([*self.sessions])
        for key, wish in (await self.store.wishes()).items():
            task = start(self.undertakings.begin(self._grant(key, wish)))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _grant(self, key: Key, wish: Wish) -> None:
        async with self.gate(key):
            if not await self.close(key, ended={"wish": wish}, keep=False):
                await self.store.release(*key)


def _log(task: asyncio.Task[None], hook: str) -> None:
    if not task.cancelled() and (failure := task.exception()) is not None:
        logger.error("%s failed", hook, exc_info=failure)
