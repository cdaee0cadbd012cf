# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Requests that open, close or occupy a session, as the side that serves them sees it.

    open        the answer begins the session
    open again  as above; waits while the session is being closed, and what is sent meanwhile passes
    close       first what is under way in the session ends, then the handler runs; the answer ends the session: no notification
                of it follows. If the handler fails, the session stays open. Of several, one runs at a time
    turn        refused while the session is being closed, and once it has ended

A close that has begun is carried out, whether its request is cancelled or the connection is lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from ..errors import SessionEnded
from ..jsonrpc.parser import Id
from ..schema.definitions import Method, Protocol
from ..tasks import background
from ..transport.channel import Channel
from .open_sessions import Ending, OpenSession, OpenSessions
from .router import Around, Router, Run
from .session_work import SessionWork, current_request

__all__ = ["ServedSessions"]

logger = logging.getLogger(__name__)


class ServedSessions:
    """The sessions that one side serves."""

    def __init__(
        self,
        protocol: Protocol,
        sessions: OpenSessions,
        router: Router,
        channel: Channel,
        work: SessionWork,
    ) -> None:
        self._last: dict[Id, asyncio.Task[bytes]] = {}
        """The last request to close a session; each waits for the one before."""
        self._sessions = sessions
        self._channel = channel
        self._work = work
        self._session_of: Callable[[Any], Id] = router.notes.session_of
        self._session_in = router.session_in
        if (table := protocol.sessions) is not None:
            arounds: dict[str, Around] = dict.fromkeys(table.open, self._open)
            arounds |= dict.fromkeys((*table.load, *table.resume), self._open_again)
            arounds |= dict.fromkeys(table.close, self._close)
            router.surround(arounds)
            router.exclude(table.exclusive, (self._begin_turn, sessions.finish_turn))

    def drops(self, session: Id) -> bool:
        """Whether nothing is sent of a session, which is one of those that are `quiet`."""
        request = current_request.get()
        return self._sessions.is_silent(session) or (request is not None and request.detached)

    def runs_current(self) -> bool:
        """Whether the current task closes a session."""
        return asyncio.current_task() in self._last.values()

    async def settle(self, patience: float) -> None:
        """Wait until no session is being closed, but not for long."""
        if waiting := {*self._last.values()} - {asyncio.current_task()}:
            await asyncio.wait(waiting, timeout=patience)

    # What is done around the handlers of requests

    async def _open(self, _: Method, params: Any, run: Run) -> bytes:
        """Serve a request that opens a session which its answer names."""
        data = await run()
        named = self._session_in(data)
        self._sessions.begin(self._session_of(params) if named is None else named)
        return data

    async def _open_again(self, _: Method, params: Any, run: Run) -> bytes:
        """Serve a request that opens a session which it names."""
        session = self._session_of(params)
        if (closing := self._last.get(session)) is not None:
            await asyncio.wait([closing])
        with self._sessions.reopening(session):
            data = await run()
            request = current_request.get()
            if request is None or not request.detached:
                self._sessions.begin(session)
        return data

    def _begin_turn(self, session: Id) -> OpenSession | None:
        """Begin a request of which a session takes one at a time."""
        closing = session in self._last
        if closing or self._sessions.is_silent(session):
            raise self._work.refusal(session, "is being closed" if closing else "was closed")
        return self._sessions.begin_turn(session)

    async def _close(self, method: Method, params: Any, run: Run) -> bytes:
        """Serve a request that closes a session, whatever becomes of the request."""
        session = self._session_of(params)
        if session is None:
            return await run()
        # The session counts as being closed from here on, before another request is served.
        task = self._last[session] = background(self._carry_out(self._last.get(session), method, params, run))
        task.add_done_callback(partial(self._carried_out, session))
        with self._sessions.closing(session):
            while not task.done():
                try:
                    await asyncio.wait([task])
                except asyncio.CancelledError:
                    if self._channel.closed is not None:
                        raise
                    logger.debug("closing the session %r goes on, though its request was cancelled", session)
                    asyncio.current_task().uncancel()  # type: ignore[union-attr]
        return task.result()

    async def _carry_out(self, before: asyncio.Task[bytes] | None, method: Method, params: Any, run: Run) -> bytes:
        session = self._session_of(params)
        if before is not None:
            await asyncio.wait([before])
        await self._work.end(session)
        data = await run()
        self._sessions.end(Ending(session, "closed", method.method, params), quiet=True)
        self._work.fail_calls(session, SessionEnded(session, f"{method.method} closed it"))
        return data

    def _carried_out(self, session: Id, task: asyncio.Task[bytes]) -> None:
        if self._last.get(session) is task:
            del self._last[session]
        error = None if task.cancelled() else task.exception()
        if error is not None and self._channel.closed is not None:
            logger.error("closing the session %r failed after the connection was lost", session, exc_info=error)
