# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""A connection that reopens when its peer dies: one object for the program.

    a call in flight when the peer dies       fails with CallLost, which states whether it may be repeated
    a call that the peer did not read         is sent to the next peer
    a call whose key the peer remembers       is sent to the next peer, which executes it at most once
    a call while the peer is disconnected     waits until a peer is connected and its session is open
    a session that cannot be reopened         its calls fail with SessionLost; other sessions continue
    a peer that cannot be reached             after `attempts` failures in a row, with growing delays, all calls fail

The program passes a function that opens a connection to a process or a URL. `supervisor` opens one connection after the
other. On each, the handshake of the program is repeated and the sessions are reopened (`sessions`). Then calls proceed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from types import ModuleType, TracebackType
from typing import Any, ClassVar, Self

from msgspec import UNSET, Struct

from ..connection.connection import Connection
from ..connection.idempotency import KEY, with_meta
from ..connection.open_sessions import Ending, OpenSessions
from ..connection.options import protocol_with
from ..connection.subscriptions import Hear
from ..errors import (
    CallLost,
    CapabilityError,
    ConnectionClosed,
    RequestError,
    SessionLost,
    VersionError,
)
from ..schema.definitions import Method
from ..session.state import State
from ..tasks import outcome_of
from .sessions import SessionRestorer
from .supervisor import Opener, Supervisor

_TRIES = 5
"""Maximum number of times that an unread request is sent again."""
logger = logging.getLogger(__name__)


class Reconnected(Struct, frozen=True):
    """The reason of the lost connection, the reopened sessions, and the lost sessions."""

    reason: str
    sessions: tuple[Any, ...]
    lost: Mapping[Any, SessionLost]


Hook = Callable[[Any], Awaitable[object] | object]


class Follower:
    """Work that is repeated on each connection. `attach` starts it and returns the function that ends it."""

    def __init__(self, attach: Callable[[Connection], Callable[[], None]]) -> None:
        self._attach = attach
        self._end: Callable[[], None] | None = None

    def attach(self, connection: Connection) -> None:
        self.detach()
        self._end = self._attach(connection)

    def detach(self) -> None:
        end, self._end = self._end, None
        if end is not None:
            end()


class Reconnecting(Connection):
    """A connection that reopens when its peer is lost. Emitted subclasses add the typed calls.

    `opener` is called for each connection and returns its context manager. If the first connection cannot be opened,
    its error is raised. `states` contains the current states of the sessions that were opened here. `extensions` are
    the extension packages of the connections.
    """

    _keeps: ClassVar[tuple[type[State], Method | None, str]] = (State, None, "")
    """The class of states, the notification with updates, and the attribute of the update in its params."""

    def __init__(
        self,
        opener: Opener,
        *,
        attempts: int = 5,
        delay: float = 0.1,
        longest_delay: float = 10.0,
        patience: float = 60.0,
        replay: bool = True,
        on_open: Hook | None = None,
        on_reconnect: Hook | None = None,
        extensions: Sequence[ModuleType] = (),
    ) -> None:
        self._protocol = protocol_with(self._protocol, {"extensions": extensions})
        self._opener = opener
        self._supervisor = Supervisor(
            self._peer_side,
            self._open_next,
            self._prepare,
            self._begin,
            self._end,
            attempts=attempts,
            delay=delay,
            longest_delay=longest_delay,
            patience=patience,
        )
        self._replay = replay
        self._on_open = on_open
        self._on_reconnect = on_reconnect
        self._kept = SessionRestorer(self._protocol, self._peer_side, *self._keeps)
        self._followers: list[Follower] = []
        self._left: Connection | None = None
        """A connection whose peer accepts no more calls, while earlier calls are pending there."""
        self._greeting: tuple[Method, Mapping[str, Any]] | None = None
        self.reconnections = 0
        """Number of times that the connection was reopened."""

    # Life and death

    async def __aenter__(self) -> Self:
        self._supervisor.start()
        try:
            await self._living()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection permanently. May be called repeatedly, and from a handler."""
        current = self._current
        await self._supervisor.close(inside=current is not None and current._inbound.workers.runs_current())

    async def wait_closed(self) -> None:
        """Wait until it is closed permanently, or the peer could not be reached again."""
        await self._supervisor.wait_closed()

    async def serve(self) -> None:
        """Run until it is closed permanently. Raises the error if the peer could not be reached again."""
        async with self:
            await self.wait_closed()
            if self._supervisor.over is not None and not self._supervisor.closing:
                raise self._supervisor.over

    def _open_next(self) -> AbstractAsyncContextManager[Connection]:
        if self._current is not None:  # the handler finds this object on itself; the next connection wants its place
            setattr(self._current._router.peer, self._peer_side, self._current)
        return self._opener()

    @property
    def _current(self) -> Connection | None:
        return self._supervisor.current

    async def _prepare(self, connection: Connection, before: Connection | None) -> Reconnected | None:
        """Repeat the handshake of the program, then reopen its sessions."""
        sessions = connection.open_sessions
        sessions.link.outlive = True
        if before is not None:
            sessions.take_over(before.open_sessions)
        if self._kept.note is not None:
            connection._router.notes.wrap(self._kept.note, self._kept.hearing)
        connection._overhear(self._kept.reads_type, self._kept.asked)
        for follower in self._followers:
            follower.attach(connection)
        if self._greeting is not None:
            connection._router.offers_keys = True
            await connection._open(*self._greeting)
            if self._on_open is not None:
                await outcome_of(self._on_open(connection))
            self._kept.ordered = connection.history_complete
            await self._kept.reopen_all(connection.offers, connection._request, replay=self._replay)
        if before is None:
            return None
        lost = dict(self._kept.lost)
        for session in lost:
            sessions.end(Ending(session, "lost"))
        return Reconnected(str(before.closed), tuple(key for key in self._kept.opened if key not in lost), lost)

    def _end(self, reason: ConnectionClosed) -> None:
        """Record that no further connection is opened: the sessions are lost."""
        if self._current is not None:
            self._current.open_sessions.link.outlive = False
            self._current.open_sessions.lose(reason)

    def _begin(self, connection: Connection, news: Reconnected | None) -> None:
        self.process = connection.process
        setattr(connection._router.peer, self._peer_side, self)
        if news is not None:
            self.reconnections += 1
            if self._on_reconnect is not None:
                self._supervisor.attend(self._report(self._on_reconnect, news))

    async def _report(self, hook: Hook, news: Reconnected) -> None:
        try:
            await outcome_of(hook(news))
        except Exception:
            logger.exception("on_reconnect failed")

    # Calls

    async def _living(self, session: Any = None) -> Connection:
        """Wait for a connection. Raises SessionLost for a lost session."""
        current = await self._supervisor.living()
        if session in self._kept.lost:
            raise self._kept.lost[session].again()
        return current

    async def _request(self, method: Method, params: Any) -> Any:
        session = self._kept.session_of(params)
        reopens = method.method in {row.method for row in self._kept.methods(replay=True)}
        sessions = self._protocol.sessions
        exclusive = sessions is not None and method.method in sessions.exclusive
        keyed = with_meta(params, KEY, secrets.token_hex(16)) if exclusive else params
        clock = asyncio.get_running_loop().time
        began, after, lost = clock(), self._kept.turn_of(session), None
        for last in [False] * _TRIES + [True]:
            try:
                current = await self._living(None if reopens else session)
            except ConnectionClosed as error:
                raise error if lost is None else lost from error
            remembered = current._router.remembered
            if lost is not None and lost.__cause__ is not None and (not remembered or clock() - began > remembered):
                raise lost
            sent = keyed if remembered else params
            try:
                return await self._asked(current, method, sent, None if lost is None else after)
            except CallLost as error:
                read = error.__cause__ is not None
                if last or self._supervisor.over is not None or (read and (sent is params or not remembered)):
                    raise
                lost = error
                if not read:
                    await self._leave(current)
        raise AssertionError

    async def _leave(self, connection: Connection) -> None:
        """Disconnect from a peer that accepts no more calls, after its pending calls have ended."""
        self._left = connection
        self._close_left()
        await connection.wait_closed()

    def _close_left(self) -> None:
        left = self._left
        if left is not None and not len(left._inbound.pending) and left.closed is None:
            self._left = None
            self._supervisor.attend(left.close())

    async def _asked(self, current: Connection, method: Method, params: Any, after: int | None) -> Any:
        self._kept.begin(method, params, after)
        result = None
        try:
            result = await current._request(method, params)
        except CallLost:
            raise
        except ConnectionClosed as error:
            if error.unread:
                raise CallLost(method.method, str(error), may_repeat=True) from None
            raise self._lost(method.method, error, method.idempotent) from error
        except RequestError:
            self._supervisor.answered = True
            raise
        finally:
            self._kept.end(method, params, result)
            self._close_left()
        self._supervisor.answered = True
        return result

    def _lost(self, method: str, error: ConnectionClosed, repeatable: bool) -> ConnectionClosed:
        return error if self._supervisor.over is not None else CallLost(method, str(error), repeatable)

    async def _notify(self, method: Method, params: Any) -> None:
        interrupt = self._protocol.interrupt
        if (self._current is None or self._current.closed) and interrupt and method.method == interrupt.method:
            return  # what it would end has ended
        current = await self._living(self._kept.session_of(params))
        await current._notify(method, params)

    async def ext_request(self, method: str, params: Any = UNSET, *, any_name: bool = False) -> Any:
        """Send an extension request, as on any connection. A lost extension call may not be repeated."""
        current = await self._living()
        try:
            result = await current.ext_request(method, params, any_name=any_name)
        except ConnectionClosed as error:
            raise self._lost(method, error, repeatable=False) from error
        self._supervisor.answered = True
        return result

    async def ext_notify(self, method: str, params: Any = UNSET, *, any_name: bool = False) -> None:
        """Send an extension notification, as on any connection."""
        await (await self._living()).ext_notify(method, params, any_name=any_name)

    async def _open(self, method: Method, given: Mapping[str, Any]) -> Any:
        current = await self._living()
        current._router.offers_keys = True
        try:
            result = await current._open(method, given)
        except VersionError:
            raise
        except ConnectionClosed as error:
            raise self._lost(method.method, error, repeatable=True) from error
        self._greeting = (method, given)
        self._supervisor.answered = True
        if self._on_open is not None:
            await outcome_of(self._on_open(current))
        return result

    def _interrupted(self, method: Method, session: Any) -> Awaitable[bool]:
        current = self._current
        if current is None or current.closed is not None:
            return outcome_of(False)
        return current._interrupted(method, session)

    def _before_next(self, call: Callable[[], None]) -> None:
        if self._current is not None:
            self._current._before_next(call)

    def _busy(self) -> bool:
        return self._current is not None and self._current._busy()

    # Sessions as objects

    def _listen(self, note: Method, session: Any, part: str, hear: Hear, *, awaits: bool = False) -> Callable[[], None]:
        async def heard(update: Any) -> None:
            if session not in self._kept.repeats:
                await hear(update)

        return self._follow(lambda connection: connection._listen(note, session, part, heard, awaits=awaits))

    def _follow(self, attach: Callable[[Connection], Callable[[], None]]) -> Callable[[], None]:
        """Start work on the current connection and each later one. The returned function stops it."""
        follower = Follower(attach)
        self._followers.append(follower)
        if self._current is not None and self._current.closed is None:
            follower.attach(self._current)

        def end() -> None:
            if follower in self._followers:
                self._followers.remove(follower)
            follower.detach()

        return end

    def _session_of(self, message: Any) -> Any:
        return self._kept.session_of(message)

    def _kept_state(self, session: Any) -> Any:
        return self._kept.state_of(session)

    # What is known of the peer

    def _kept_states(self) -> Any:
        return self._kept.states

    @property
    def states(self) -> Mapping[Any, Any]:
        """The states of the sessions that were opened on this connection, by session."""
        return self._kept.states

    @property
    def lost_sessions(self) -> Mapping[Any, SessionLost]:
        """The sessions that could not be reopened, with the reasons."""
        return self._kept.lost

    @property
    def protocol_version(self) -> int | None:
        """The version of the protocol that both sides agreed on; None before the handshake."""
        return None if self._current is None else self._current.protocol_version

    @property
    def capabilities(self) -> Any:
        """The capabilities that the peer last advertised; None before the handshake."""
        return None if self._current is None else self._current.capabilities

    def objection(self, call: Method | str, **parameters: Any) -> CapabilityError | None:
        """The reason why a call cannot be sent, as on any connection. Between connections, the last connection decides."""
        if self._current is None:
            raise RuntimeError("the connection is not open: enter it with `async with`")
        return self._current.objection(call, **parameters)

    @property
    def open_sessions(self) -> OpenSessions:
        """The open sessions. They survive a lost connection, unless they cannot be reopened."""
        if self._current is None:
            raise RuntimeError("the connection is not open: enter it with `async with`")
        return self._current.open_sessions

    @property
    def closed(self) -> ConnectionClosed | None:
        """The reason why calls are no longer possible; None while the connection is open or being reopened."""
        if self._supervisor.over is None or isinstance(self._supervisor.over, ConnectionClosed):
            return self._supervisor.over
        return ConnectionClosed(str(self._supervisor.over))

    @property
    def finished(self) -> bool:
        """True if it is closed permanently."""
        return self._supervisor.finished

    @property
    def history_complete(self) -> bool:
        """True if a load returns after its complete history was handled. Between connections, the last connection
        decides.
        """
        return self._current is None or self._current.history_complete

    @property
    def unending(self) -> bool:
        """True if cancelled handlers still run although the connection is closed."""
        return self._current is not None and self._current.unending
