# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Requests and notifications that open, close or occupy a session, for the side that serves it and the side that calls.

The serving side (``ServedSessions``):

    open     the response begins the session
    reopen   the same, after a pending close; notifications of the session may be sent during the request
    close    first the work in progress in the session ends, then the handler runs. The response ends the session, and
             no notification of it follows. If the handler fails, the session stays open. Only one close runs at a time
    turn     rejected while the session is being closed, and after its end

Once begun, a close completes, even if its request is cancelled or the connection is lost.

On the calling side (``SessionCalls``), a session begins with the response that names it. It ends with the response to
the call that closes it, or with a notification. A turn without a response then gets a short time to complete, because
its response may be in transit.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from msgspec import UNSET, Struct

from ..errors import InvalidMessage, SessionEnded
from ..jsonrpc.parser import Id, Notification
from ..schema.definitions import Method, Protocol
from ..tasks import background, outcome_of
from ..transport.channel import Channel
from .open_sessions import Ending, OpenSession, OpenSessions
from .ordering import EarlyNotes
from .router import Router, Run
from .session_work import SessionWork, current_request
from .subscriptions import Handler

logger = logging.getLogger(__name__)
Way = tuple[Callable[[Any, Method, Any], Any], Callable[[Any, Method, Any, Any, Any], None]]
"""Methods of ``SessionCalls`` that run before and after a call. The second gets the result of the first, and the result
of the call (UNSET if it failed).
"""
LAST_ANSWERS = 1.0
"""Seconds for the turns of a session to complete after the peer reported its end."""


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
        """The latest request to close each session. A later one waits for it."""
        self._sessions = sessions
        self._channel = channel
        self._work = work
        self._session_of: Callable[[Any], Id] = router.session_of
        self._session_in = router.session_in
        if (table := protocol.sessions) is not None:
            router.surround((*table.load, *table.resume), self._open_again)
            router.surround(table.close, self._close)
            router.follow(table.open, self._opened)
            router.exclude(table.exclusive, self._begin_turn, sessions.finish_turn)

    def drops(self, session: Id) -> bool:
        """Return whether notifications of a quiet session are dropped."""
        request = current_request.get()
        return self._sessions.is_silent(session) or (request is not None and request.detached)

    def runs_current(self) -> bool:
        """Return whether the current task closes a session."""
        return asyncio.current_task() in self._last.values()

    async def settle(self, patience: float) -> None:
        """Wait up to `patience` seconds until no session is being closed."""
        if waiting := {*self._last.values()} - {asyncio.current_task()}:
            await asyncio.wait(waiting, timeout=patience)

    # What is done around the handlers of requests

    def _opened(self, params: Any, result: Any, data: bytes) -> None:
        """Record that a request with a new session in its response was served."""
        named = self._session_of(result)
        named = self._session_in(data) if named is None else named
        self._sessions.begin(self._session_of(params) if named is None else named)

    async def _open_again(self, _: Method, params: Any, run: Run) -> bytes:
        """Handle a request that names the session that it opens."""
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
        """Begin a request of which a session handles one at a time."""
        closing = session in self._last
        if closing or self._sessions.is_silent(session):
            raise self._work.refusal(session, "is being closed" if closing else "was closed")
        return self._sessions.begin_turn(session)

    async def _close(self, method: Method, params: Any, run: Run) -> bytes:
        """Handle a request that closes a session. It continues even if the request is cancelled."""
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
                    logger.debug("closing the session %r continues, although its request was cancelled", session)
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


class SessionCalls:
    """The calls and notifications of a connection that affect sessions, by method."""

    def __init__(
        self,
        protocol: Protocol,
        side: str,
        sessions: OpenSessions,
        router: Router,
        early: EarlyNotes,
        work: SessionWork,
        *,
        verifies: bool,
    ) -> None:
        table, interrupt = protocol.sessions, protocol.interrupt
        again = () if table is None else (*table.load, *table.resume)
        self.ways: Mapping[str, Way] = (
            {} if table is None else self._ways(table.exclusive, table.open, again, table.close)
        )
        """The work before and after a call, by method."""
        self._ends = () if table is None else table.end
        self.told = self._told(self._ends, None if interrupt is None else interrupt.method)
        """The work after a notification was sent, by method."""
        self._absolute = table.absolute if table is not None and verifies else ()
        self._paths: dict[type, tuple[str, ...]] = {}
        self._sessions = sessions
        self._session_of: Callable[[Any], Id] = router.session_of
        self._session_in = router.session_in
        self._early = early
        self._work = work
        for path in self._ends:
            if (row := protocol.methods.get((side, path, "notification"))) is not None:
                router.notes.wrap(row, partial(self._hearing_end, row))

    @classmethod
    @functools.cache  # one for all connections
    def _ways(cls, *methods: tuple[str, ...]) -> Mapping[str, Way]:
        turn, opening = (cls._begin_turn, cls._finish_turn), (cls._open, cls._opened)
        ways: tuple[Way, ...] = (turn, opening, (cls._open_again, cls._opened_again), (cls._close, cls._closed))
        return {name: way for names, way in zip(methods, ways, strict=True) for name in names}

    @classmethod
    @functools.cache
    def _told(cls, ends: tuple[str, ...], interrupt: str | None) -> Mapping[str, Callable[[Any, Method, Any], None]]:
        found = dict.fromkeys(ends, cls._tell_end)
        return found if interrupt is None else {**found, interrupt: cls._interrupt}

    # Calls

    def _open(self, method: Method, params: Any) -> None:
        """Make a call whose response names the session that it opens."""
        self._check_paths(method, params)
        self._early.expected += 1

    def _opened(self, _: Method, params: Any, __: None, result: Any) -> None:
        named: Id = None
        if result is not UNSET:
            named = self._session_of(result)
            if named is None:
                named = self._session_of(params)
            self._sessions.begin(named)
        early = self._early
        early.expected -= 1
        if early.held:
            # The caller goes on before the notifications that were held are handled.
            asyncio.get_running_loop().call_soon(early.release, named if early.expected else None)

    def _open_again(self, method: Method, params: Any) -> AbstractContextManager[None]:
        """Make a call that names the session that it opens."""
        self._check_paths(method, params)
        reopening = self._sessions.reopening(self._session_of(params))
        reopening.__enter__()
        return reopening

    def _opened_again(self, _: Method, params: Any, reopening: AbstractContextManager[None], result: Any) -> None:
        reopening.__exit__(None, None, None)
        if result is not UNSET:
            self._sessions.begin(self._session_of(params))

    def _close(self, _: Method, params: Any) -> AbstractContextManager[None]:
        """Make a call that closes a session. Requests of the peer in the session are answered meanwhile."""
        session = self._session_of(params)
        self._work.withdraw(session)
        closing = self._sessions.closing(session)
        closing.__enter__()
        return closing

    def _closed(self, method: Method, params: Any, closing: AbstractContextManager[None], result: Any) -> None:
        closing.__exit__(None, None, None)
        if result is not UNSET:
            session = self._session_of(params)
            ending = Ending(session, "closed", method.method, params)
            self._end(ending, partial(self._work.settle_turns, session))

    def _begin_turn(self, _: Method, params: Any) -> OpenSession | None:
        """Make a call that a session handles one at a time."""
        return self._sessions.begin_turn(self._session_of(params))

    def _finish_turn(self, _: Method, __: Any, turn: OpenSession | None, ___: Any) -> None:
        self._sessions.finish_turn(turn)

    def _check_paths(self, method: Method, params: Any) -> None:
        """Raise InvalidMessage for a relative path if the schema requires an absolute one."""
        kind: type = params.__class__
        names = self._paths.get(kind)
        for name in self._paths_of(kind) if names is None else names:
            value = getattr(params, name)
            if value is UNSET or (value.__class__ is str and value.startswith("/")):
                continue
            for index, path in enumerate(value if isinstance(value, list) else [value]):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
                if isinstance(path, str) and not _is_absolute(path):
                    place = f"{name}[{index}]" if isinstance(value, list) else name
                    raise InvalidMessage(method.method, place, f"{path!r} is a relative path; expected an absolute one")

    def _paths_of(self, kind: type) -> tuple[str, ...]:
        """The attributes of params that contain absolute paths."""
        names = (
            zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True) if issubclass(kind, Struct) else ()
        )
        found = self._paths[kind] = tuple(name for name, wire in names if wire in self._absolute)
        return found

    # Notifications

    def _interrupt(self, _: Method, params: Any) -> None:
        """Update the session after this side has interrupted it."""
        self._work.withdraw(self._session_of(params))

    def _tell_end(self, method: Method, params: Any) -> None:
        """Update the session after this side has sent a notification of its end.

        No notification of the session follows.
        """
        self._sessions.end(Ending(self._session_of(params), "ended", method.method, params), quiet=True)

    def _hearing_end(self, method: Method, handler: Handler | None) -> Handler:
        """Wrap the handler of the notification that a session has ended."""

        async def handled(params: Any) -> None:
            try:
                if handler is not None:
                    await outcome_of(handler(params))
            finally:
                self._heard_end(Ending(self._session_of(params), "ended", method.method, params))

        return handled

    def unread(self, note: Notification) -> None:
        """End a session even if the notification of its end could not be read."""
        if note.method in self._ends and (session := self._session_in(note.params)) is not None:
            self._heard_end(Ending(session, "ended", note.method))

    def _heard_end(self, ending: Ending) -> None:
        reason = SessionEnded(ending.session, f"the peer sent {ending.method}")
        self._end(ending, partial(self._work.fail_calls, ending.session, reason))

    def _end(self, ending: Ending, settle: Callable[[], None]) -> None:
        self._sessions.end(ending)
        if self._work.has_calls(ending.session):

            def settle_unless_open() -> None:
                if ending.session not in self._sessions:
                    settle()

            asyncio.get_running_loop().call_later(LAST_ANSWERS, settle_unless_open)


def _is_absolute(path: str) -> bool:
    """Return whether a path is absolute on POSIX or Windows."""
    if path.startswith("/"):
        return True
    from pathlib import PureWindowsPath  # noqa: PLC0415  # takes long to import

    return PureWindowsPath(path).is_absolute()
