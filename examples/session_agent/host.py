"""What the process holds: which sessions are open, who watches them, which turns are under way.

One host serves every connection of the process. The law, for each session of an identity:

    opening, closing, deleting, terminating   one after the other (a lock for each session); what one client asks for in
                                              the order in which it asks (a lock for each client of a session, taken first)
    showing a client what was said before     holds up that client alone, which may never read it
    a prompt                                  is admitted when the session is open; one at a time, here and in any other
                                              agent that shares the store
    closing                                   cancels the turn, waits until its prompt is answered, then frees all
    a client that leaves                      closes what nobody else watches
    what ends or frees something              is brought to its end, whoever is cancelled meanwhile (`undertakings.py`)
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from .. import acp
from . import leases
from . import settings as options
from .brain import COMPLETED, Brain, Ending
from .engine import StoreFailed
from .errors import Died, NotOpen, OpenElsewhere
from .journal import JournalStage, settle
from .news import NEWS_WITHIN, announce, announce_title, tell_ending
from .rows import Unreadable
from .session import Key, Session, Watcher
from .settings import Settings
from .stage import Task
from .store import Busy, Fenced, SessionRow, Store, UnknownSession
from .thread import StoreThread
from .titles import Clock, first_line, iso
from .turns import Turn, TurnCancelled
from .undertakings import Undertakings, to_the_end
from .workspace import text_of

__all__ = ["Host"]

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Host:
    """The sessions of this process. `brain_for` takes id and directory of a session, gives what answers its prompts."""

    def __init__(
        self,
        store: StoreThread,
        brain_for: Callable[[str, str], Awaitable[Brain]],
        clock: Clock,
        pace: float = 0.0,
    ) -> None:
        self.store = store
        self.clock = clock
        self.sessions: dict[Key, Session] = {}
        self.turns: dict[Key, Turn] = {}
        self.undertakings = Undertakings((UnknownSession, NotOpen, OpenElsewhere, Unreadable))
        self._brain_for = brain_for
        self._pace = pace
        self.owner = store.owner
        """Our name in the store."""
        self._gates: weakref.WeakValueDictionary[Key, asyncio.Lock] = weakref.WeakValueDictionary()
        self._queues: weakref.WeakValueDictionary[tuple[Watcher, Key], asyncio.Lock] = weakref.WeakValueDictionary()
        self._mourners: set[asyncio.Task[None]] = set()
        self._ending: set[Session] = set()
        """Not open any more, not ended yet."""
        self.over = False
        """Whether all of it is being ended."""

    def gate(self, key: Key) -> asyncio.Lock:
        """The lock of a session; it is gone when nobody holds or awaits it."""
        return self._gates.setdefault(key, asyncio.Lock())

    def queue(self, watcher: Watcher, key: Key) -> asyncio.Lock:
        """The lock of one client of a session, to be taken before that of the session."""
        return self._queues.setdefault((watcher, key), asyncio.Lock())

    async def alone(self, watcher: Watcher, key: Key, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do something to a session when it is this client's turn. Once begun it is brought to its end."""
        async with contextlib.AsyncExitStack() as locks:
            await locks.enter_async_context(self.queue(watcher, key))
            await locks.enter_async_context(self.gate(key))
            return await self.undertakings.begin(work(), locks.pop_all())

    def opened(self, watcher: Watcher, key: Key) -> Session:
        """A session that this client has open; NotOpen otherwise."""
        session = self.sessions.get(key)
        if session is None or watcher not in session.watchers:
            raise NotOpen
        return session

    async def find_open(self, watcher: Watcher, key: Key) -> Session:
        """The same; UnknownSession for one that is not even stored, or not any more."""
        row = await self.store(Store.find, *key)
        session = self.opened(watcher, key)
        session.settings = options.read(row.settings)  # another agent may have changed them
        return session

    def not_speaking(self, watcher: Watcher, key: Key) -> None:
        """Busy while a turn is being shown to this client: what is replayed to it must not mix with what is new."""
        session = self.sessions.get(key)
        if key in self.turns and session is not None and watcher in session.watchers:
            raise Busy(key[1])

    # Opening and closing

    async def open(self, watcher: Watcher, key: Key, row: SessionRow, fresh: bool = False) -> Session:
        """Hold a stored session for a client. Call it with the gate locked."""
        session = self.sessions.get(key)
        if session is None:
            try:
                await self.store(leases.hold, *key, self.owner)
                brain = await self._brain_for(row.session_id, row.cwd)
            except BaseException:
                await self.undertakings.begin(self.let_go(key))
                raise
            if self.over:
                await self.undertakings.begin(brain.terminate(0.0))
                raise NotOpen
            session = Session(key, row.cwd, options.read(row.settings), brain, fresh)
            self.sessions[key] = session
            self._attend(session)
        session.cwd = row.cwd
        session.watchers.add(watcher)
        return session

    async def close(self, key: Key, by: Watcher | None = None) -> bool:
        """Cancel the turn, wait for its answer, free everything; whether the session was open. With the gate locked."""
        session = self.sessions.pop(key, None)
        turn = self.turns.get(key)
        if turn is not None:
            turn.cancel()
        if session is None:
            if turn is not None:
                await turn.over.wait()
            return False
        async with self._leaving(session):
            if turn is not None:
                await turn.over.wait()
            ending = await session.brain.close()
            if ending != COMPLETED:
                await self._keep(session, ending)
            await tell_ending(session.watchers - ({by} if by else set()), session, ending)
        return True

    async def terminate(self, key: Key) -> Ending | None:
        """End a session: how it ended; None if it was not open. With the gate locked."""
        session = self.sessions.pop(key, None)
        if session is None:
            return None
        session.ending = True
        turn = self.turns.get(key)
        async with self._leaving(session, told=False):
            if turn is not None:
                turn.cancel()
            ending = await session.brain.terminate()
            await self._note(session, ending)
        if turn is not None:
            await turn.over.wait()
        return ending

    @contextlib.asynccontextmanager
    async def _leaving(self, session: Session, told: bool = True) -> AsyncGenerator[None, None]:
        """A session is being ended; `told`: the watchers are not told before the answer of its last prompt."""
        self._ending.add(session)
        if told:
            session.told.set()
        try:
            yield
        finally:
            session.told.set()
            self._ending.discard(session)
            await self.let_go(session.key)

    async def let_go(self, key: Key) -> None:
        """Note that a session is not open here any more."""
        try:
            await self.store(leases.release, *key, self.owner)
        except StoreFailed as error:
            logger.warning("%s: that it is not open any more is not noted: %s", key[1], error)

    async def release(self, watcher: Watcher, key: Key) -> None:
        """A client is done with a session: close it if nobody else watches it."""
        session = self.sessions.get(key)
        if session is None:
            return
        session.watchers.discard(watcher)
        if not session.watchers:
            async with self.gate(key):
                if not session.watchers and self.sessions.get(key) is session:
                    await self.close(key)

    async def leave(self, watcher: Watcher) -> None:
        """A client is gone: end its turns, close what nobody else watches."""
        await self.undertakings.begin(self._leave(watcher))

    async def _leave(self, watcher: Watcher) -> None:
        for turn in [turn for turn in self.turns.values() if turn.asked_by is watcher]:
            turn.cancel()
            await turn.over.wait()
        for key in list(self.sessions):
            await self.release(watcher, key)

    async def shut_down(self, grace: float = 0.0) -> None:
        """End everything: processes have this many seconds, whatever they do."""
        self.over = True
        self.store.hurry()
        sessions, self.sessions = {*self.sessions.values(), *self._ending}, {}
        for session in sessions:
            session.told.set()
        for turn in self.turns.values():
            turn.cancel()
        await asyncio.gather(*(session.brain.terminate(grace) for session in sessions))
        await asyncio.gather(*(turn.over.wait() for turn in self.turns.values()), *self._mourners)
        await self.undertakings.wait()
        with contextlib.suppress(StoreFailed):
            await self.store(leases.release_all, self.owner)

    # Prompts

    async def prompt(self, watcher: Watcher, key: Key, content: Sequence[acp.ContentBlock]) -> acp.StopReason:
        """One turn, from admission to the reason why it stopped, which is on the disk when this returns."""
        if key in self.turns:
            raise Busy(key[1])
        # Before anything is awaited: a cancellation may be the very next message.
        turn = self.turns[key] = Turn(watcher)
        try:
            stopped = await to_the_end(self._converse(turn, watcher, key, content), turn.cancel)
        finally:
            del self.turns[key]
            turn.over.set()
        return "cancelled" if turn.cancelled else stopped

    def cancel(self, key: Key) -> None:
        """Cancel the turn of a session, if there is one."""
        if (turn := self.turns.get(key)) is not None:
            turn.cancel()

    async def _converse(
        self, turn: Turn, watcher: Watcher, key: Key, content: Sequence[acp.ContentBlock]
    ) -> acp.StopReason:
        try:
            session = await turn.step(self._admitted(watcher, key))
            return await self._take_turn(turn, session, watcher, content)
        except TurnCancelled:
            return "cancelled"
        except UnknownSession:
            await self._forget(key)
            raise
        except Fenced:
            # The session goes on in another agent, which has closed this turn.
            await self._forget(key)
            if turn.cancelled:
                return "cancelled"
            raise

    async def _take_turn(
        self, turn: Turn, session: Session, watcher: Watcher, content: Sequence[acp.ContentBlock]
    ) -> acp.StopReason:
        key, text = session.key, text_of(content)
        message = [acp.encode(acp.UserMessageChunk(content=block)) for block in content]
        row, number = await self.store(
            Store.begin_turn, *key, first_line(text), message, self.owner, self.clock(), settle
        )
        # Another agent that has the session open may have changed them.
        session.cwd, session.settings = row.cwd, options.read(row.settings)
        task = Task(
            text=text,
            turn=number,
            cwd=session.cwd,
            pace=self._pace,
            terminal=_has_terminal(watcher.client.capabilities),
            **{name: getattr(session.settings, name) for name in Settings.__struct_fields__},
        )
        stage = JournalStage(watcher.client, self.store, key, number, len(message))
        try:
            reason = await turn.step(self._answer(session, watcher, stage, task, row))
        except (TurnCancelled, acp.ConnectionClosed):
            reason = "cancelled"
        except UnknownSession:
            reason = "cancelled"
            await self._forget(key)
        except Fenced:
            raise
        except BaseException as failure:
            session.ending |= isinstance(failure, Died)
            with contextlib.suppress(StoreFailed, Fenced):  # which is most likely the failure
                await self._wind_up(turn, session, stage, number, "failed")
            raise
        await self._wind_up(turn, session, stage, number, reason)
        return reason

    async def _forget(self, key: Key) -> None:
        """Free a session that another agent has deleted."""
        if (session := self.sessions.pop(key, None)) is not None:
            async with self._leaving(session):
                await session.brain.close()

    async def _admitted(self, watcher: Watcher, key: Key) -> Session:
        async with self.queue(watcher, key), self.gate(key):
            return await self.find_open(watcher, key)

    async def _answer(
        self, session: Session, watcher: Watcher, stage: JournalStage, task: Task, row: SessionRow
    ) -> acp.StopReason:
        if session.fresh:
            session.fresh = False
            await announce(watcher, session, row)
        elif task.turn == 1:
            await announce_title(watcher, session, row)
        return await session.brain.reply(stage, task)

    async def _wind_up(self, turn: Turn, session: Session, stage: JournalStage, number: int, reason: str) -> None:
        """Bring to an end what the model left open, tell the last news, commit."""
        now = self.clock()
        # What was sent is on its way; whoever waits for the end of the turn does not wait for the client to read it.
        with contextlib.suppress(UnknownSession):
            await stage.settle()
        with contextlib.suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(NEWS_WITHIN):
                await stage.show_settled()
                info = acp.SessionInfoUpdate(updated_at=iso(now))
                await stage.client.session_update(session_id=session.key[1], update=info)
        await self._commit(turn, session.key, stage, number, reason, now)
        if session.ending:
            await session.told.wait()

    async def _commit(self, turn: Turn, key: Key, stage: JournalStage, number: int, reason: str, now: int) -> None:
        kept = "cancelled" if turn.cancelled else reason

        async def finish(reason: str) -> None:
            await self.store(Store.finish_turn, *key, number, self.owner, stage.entries, reason, now)

        await finish(kept)
        if turn.cancelled and kept != "cancelled":
            await finish("cancelled")

    # Ends

    def _attend(self, session: Session) -> None:
        """See to it that the watchers hear of a process that dies by itself."""

        async def mourn() -> None:
            if (ending := await session.brain.died()) is None:
                return
            try:
                async with self.gate(session.key):
                    if self.sessions.get(session.key) is session:
                        del self.sessions[session.key]
                        async with self._leaving(session, told=False):
                            await self._note(session, ending)
            finally:
                session.told.set()

        task = asyncio.create_task(mourn())
        self._mourners.add(task)
        task.add_done_callback(self._mourners.discard)

    async def _note(self, session: Session, ending: Ending) -> None:
        await self._keep(session, ending)
        await tell_ending(session.watchers, session, ending)

    async def _keep(self, session: Session, ending: Ending) -> None:
        try:
            await self.store(Store.end, *session.key, ending.kept())
        except UnknownSession:
            pass
        except StoreFailed as error:
            logger.warning("%s: how it ended is not kept: %s", session.key[1], error)


def _has_terminal(capabilities: acp.ClientCapabilities | None) -> bool:
    return capabilities is not None and capabilities.terminal is True
