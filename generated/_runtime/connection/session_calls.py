# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Calls and notifications that open, close or occupy a session, as the side sees it that does not serve the session.

A session of ours begins with the answer that names it. It ends with the answer to the call that closes it, or with the notification
that says so. A turn that has no answer by then has a moment left: the answer may be on its way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from msgspec import Struct

from ..errors import InvalidMessage, SessionEnded
from ..jsonrpc.parser import Id, Notification
from ..schema.definitions import Method, Protocol
from ..tasks import outcome_of
from .early_notes import EarlyNotes
from .open_sessions import Ending, OpenSessions
from .router import Router
from .session_work import SessionWork
from .subscriptions import Handler

__all__ = ["SessionCalls"]

Call = Callable[[], Awaitable[Any]]
LAST_ANSWERS = 1.0
"""Seconds that the turns of a session have to be answered when the peer has said that it has ended."""


class SessionCalls:
    """The calls and notifications that matter to the sessions of a connection, by method."""

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
        self.ways: dict[str, Callable[[Method, Any, Call], Awaitable[Any]]] = {}
        """What follows a call, by method."""
        self.told: dict[str, Callable[[Method, Any], None]] = {}
        """What follows a notification that was sent, by method."""
        self.exclusive: tuple[str, ...] = ()
        """Calls of which a session takes one at a time."""
        self._ends: tuple[str, ...] = ()
        self._absolute: tuple[str, ...] = ()
        if (table := protocol.sessions) is not None:
            self.exclusive = table.exclusive
            self.ways |= dict.fromkeys(table.open, self._open)
            self.ways |= dict.fromkeys((*table.load, *table.resume), self._open_again)
            self.ways |= dict.fromkeys(table.close, self._close)
            self.told |= dict.fromkeys(table.end, self._tell_end)
            self._ends = table.end
            self._absolute = table.absolute if verifies else ()
        if protocol.interrupt is not None:
            self.told[protocol.interrupt.method] = self._interrupt
        self._paths: dict[type, tuple[str, ...]] = {}
        self._sessions = sessions
        self._session_of: Callable[[Any], Id] = router.notes.session_of
        self._session_in = router.session_in
        self._early = early
        self._work = work
        for path in self._ends:
            if (row := protocol.methods.get((side, path, "notification"))) is not None:
                router.notes.wrap(row, partial(self._hearing_end, row))

    # Calls

    async def _open(self, method: Method, params: Any, call: Call) -> Any:
        """A call that opens a session which its answer names."""
        self._check_paths(method, params)
        self._early.expected += 1
        named: Id = None
        try:
            result = await call()
            named = self._session_of(result)
            named = self._session_of(params) if named is None else named
            self._sessions.begin(named)
        finally:
            self._early.expected -= 1
            if self._early.held:
                # The caller goes on before the notifications that were held are handled.
                asyncio.get_running_loop().call_soon(self._early.release, named if self._early.expected else None)
        return result

    async def _open_again(self, method: Method, params: Any, call: Call) -> Any:
        """A call that opens a session which it names itself."""
        self._check_paths(method, params)
        session = self._session_of(params)
        with self._sessions.reopening(session):
            result = await call()
        self._sessions.begin(session)
        return result

    async def _close(self, method: Method, params: Any, call: Call) -> Any:
        """A call that closes a session: what the peer asks in it meanwhile is settled."""
        session = self._session_of(params)
        self._work.withdraw(session)
        with self._sessions.closing(session):
            result = await call()
        self._end(Ending(session, "closed", method.method, params), partial(self._work.settle_turns, session))
        return result

    def _check_paths(self, method: Method, params: Any) -> None:
        """InvalidMessage for a relative path where the schema wants an absolute one."""
        for name in self._paths_of(params.__class__):
            value = getattr(params, name)
            for index, path in enumerate(value if isinstance(value, list) else [value]):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
                if isinstance(path, str) and not _is_absolute(path):
                    place = f"{name}[{index}]" if isinstance(value, list) else name
                    raise InvalidMessage(method.method, place, f"{path!r} is a relative path; expected an absolute one")

    def _paths_of(self, kind: type) -> tuple[str, ...]:
        """The attributes of params that have absolute paths."""
        found = self._paths.get(kind)
        if found is None:
            names = (
                zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
                if issubclass(kind, Struct)
                else ()
            )
            found = self._paths[kind] = tuple(name for name, wire in names if wire in self._absolute)
        return found

    # Notifications

    def _interrupt(self, _: Method, params: Any) -> None:
        """A session was interrupted from this side."""
        self._work.withdraw(self._session_of(params))

    def _tell_end(self, method: Method, params: Any) -> None:
        """The peer was told that a session has ended: no notification of it follows."""
        self._sessions.end(Ending(self._session_of(params), "ended", method.method, params), quiet=True)

    def _hearing_end(self, method: Method, handler: Handler | None) -> Handler:
        """The handler of a notification that says that a session has ended, which then has."""

        async def handled(params: Any) -> None:
            try:
                if handler is not None:
                    await outcome_of(handler(params))
            finally:
                self._heard_end(Ending(self._session_of(params), "ended", method.method, params))

        return handled

    def unread(self, note: Notification) -> None:
        """A notification could not be read; that its session has ended counts all the same."""
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
    """Whether a path is absolute, on whatever system the peer may run."""
    if path.startswith("/"):
        return True
    from pathlib import PureWindowsPath  # noqa: PLC0415  # takes long to import

    return PureWindowsPath(path).is_absolute()
