"""A connection that is opened again when its peer dies: one object for the program, for as long as it likes.

The law:

    a call under way when the peer dies     fails with CallLost, which says whether it may be sent again
    a call while there is no peer           waits until there is one again, and its session is open
    a session that cannot be opened again   its calls fail with SessionLost; the others go on
    a peer that does not come back          after ``attempts`` in a row, each later than the one before, every call fails

What is opened is a context that a function gives, for a process or a URL: nothing here knows which. ``supervising`` opens one
connection after the other. On each, the handshake is repeated as the program made it, then the sessions are opened again
(``kept``), then calls go through.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, ClassVar, Self

from msgspec import UNSET, Struct

from ._base import Method
from .connection import Connection
from .errors import (
    CallLost,
    CapabilityError,
    ConnectionClosed,
    RequestError,
    SessionLost,
    VersionError,
)
from .kept import Kept
from .state import State
from .supervising import Opener, Supervisor
from .tasks import outcome_of

__all__ = ["Reconnected", "Reconnecting"]

logger = logging.getLogger(__name__)


class Reconnected(Struct, frozen=True):
    """What has happened: why the connection before was lost, which sessions are open again, and which are not."""

    reason: str
    sessions: tuple[Any, ...]
    lost: Mapping[Any, SessionLost]


Hook = Callable[[Any], Awaitable[object] | object]


class Reconnecting(Connection):
    """The connection to a peer that is started, or reached, again when it is gone. Emitted subclasses add the typed calls.

    `opener` gives a context that opens a connection; it is called for each. The first one that cannot be opened raises
    what it raises. `states` has the states of the sessions that were opened here, kept up to date over all of it.
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
    ) -> None:
        self._opener = opener
        self._supervisor = Supervisor(
            self._peer_side,
            self._open_next,
            self._prepare,
            self._begin,
            attempts=attempts,
            delay=delay,
            longest_delay=longest_delay,
            patience=patience,
        )
        self._replay = replay
        self._on_open = on_open
        self._on_reconnect = on_reconnect
        self._kept = Kept(self._protocol, self._peer_side, *self._keeps)
        self._greeting: tuple[Method, Mapping[str, Any]] | None = None
        self.reconnections = 0
        """How often the connection was opened again."""

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
        """Close the connection for good. May be called twice, and from a handler, which is not waited for."""
        current = self._current
        await self._supervisor.close(inside=current is not None and current._workers.runs_current())

    async def wait_closed(self) -> None:
        """Wait until it is closed for good, or no peer could be had any more."""
        await self._supervisor.wait_closed()

    async def serve(self) -> None:
        """Run until it is closed for good; raises why no peer could be had any more."""
        async with self:
            await self.wait_closed()
            if self._supervisor.over is not None and not self._supervisor.closing:
                raise self._supervisor.over

    def _open_next(self) -> AbstractAsyncContextManager[Connection]:
        if self._current is not None:  # the handler finds this object on itself; the next connection wants its place
            setattr(self._current._service.peer, self._peer_side, self._current)
        return self._opener()

    @property
    def _current(self) -> Connection | None:
        return self._supervisor.current

    async def _prepare(self, connection: Connection, before: Connection | None) -> Reconnected | None:
        """Repeat what the program did before: the handshake, then its sessions."""
        if self._kept.note is not None:
            connection._service.notes.wrap(self._kept.note, self._kept.hearing)
        if self._greeting is not None:
            await connection._open(*self._greeting)
            if self._on_open is not None:
                await outcome_of(self._on_open(connection))
            await self._kept.reopen_all(connection.offers, connection._request, replay=self._replay)
        if before is None:
            return None
        lost = dict(self._kept.lost)
        return Reconnected(str(before.closed), tuple(key for key in self._kept.opened if key not in lost), lost)

    def _begin(self, connection: Connection, news: Reconnected | None) -> None:
        self.process = connection.process
        setattr(connection._service.peer, self._peer_side, self)
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
        """The connection as soon as there is one. SessionLost for a session that is not open any more."""
        current = await self._supervisor.living()
        if session in self._kept.lost:
            raise self._kept.lost[session].again()
        return current

    async def _request(self, method: Method, params: Any) -> Any:
        session = self._kept.session_of(params)
        reopens = method.method in {row.method for row in self._kept.methods(replay=True)}
        current = await self._living(None if reopens else session)
        return await self._asked(current, method, params)

    async def _asked(self, current: Connection, method: Method, params: Any) -> Any:
        self._kept.begin(method, params)
        result = None
        try:
            result = await current._request(method, params)
        except ConnectionClosed as error:
            raise self._lost(method.method, error, method.idempotent) from error
        except RequestError:
            self._supervisor.answered = True
            raise
        finally:
            self._kept.end(method, params, result)
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
        """As on any connection. What an extension does twice is not known here: a lost call may not be repeated."""
        current = await self._living()
        try:
            result = await current.ext_request(method, params, any_name=any_name)
        except ConnectionClosed as error:
            raise self._lost(method, error, repeatable=False) from error
        self._supervisor.answered = True
        return result

    async def ext_notify(self, method: str, params: Any = UNSET, *, any_name: bool = False) -> None:
        """As on any connection."""
        await (await self._living()).ext_notify(method, params, any_name=any_name)

    async def _open(self, method: Method, given: Mapping[str, Any]) -> Any:
        current = await self._living()
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

    def _stream(self, method: Method, params: Any, note: Method, part: str) -> Any:
        from .stream import Source, Stream  # noqa: PLC0415  # most programs never need it

        key = self._kept.session_of(params)
        hears: list[Callable[[Any], Awaitable[None]]] = []
        used: list[Connection] = []  # the one that the request is sent on

        def listen(hear: Callable[[Any], Awaitable[None]]) -> Callable[[], None]:
            hears.append(hear)
            return lambda: None

        async def ask() -> Any:
            current = await self._living(key)
            used.append(current)
            deaf = current._service.notes.listen(note, key, part, hears[0])
            try:
                return await self._asked(current, method, params)
            finally:
                deaf()

        def end() -> Awaitable[bool]:
            return used[0]._interrupted(method, key) if used else outcome_of(False)

        def leave(call: Callable[[], None]) -> None:
            if used:
                used[0]._leavers.append(call)

        def busy() -> bool:
            return bool(used) and used[0]._busy()

        return Stream[Any, Any](Source(ask=ask, listen=listen, end=end, leave=leave, busy=busy))

    # What is known of the peer

    def _kept_states(self) -> Any:
        return self._kept.states

    @property
    def states(self) -> Mapping[Any, Any]:
        """The states of the sessions that were opened on this connection, by session."""
        return self._kept.states

    @property
    def lost_sessions(self) -> Mapping[Any, SessionLost]:
        """The sessions that could not be opened again, and why."""
        return self._kept.lost

    @property
    def protocol_version(self) -> int | None:
        """The version of the protocol that both sides agreed on; None before the handshake."""
        return None if self._current is None else self._current.protocol_version

    @property
    def capabilities(self) -> Any:
        """What the peer advertised last; None before the handshake."""
        return None if self._current is None else self._current.capabilities

    def objection(self, call: Method | str, **parameters: Any) -> CapabilityError | None:
        """As on any connection; while there is no peer, what goes for the last one."""
        if self._current is None:
            raise RuntimeError("the connection does not run: enter it with `async with`")
        return self._current.objection(call, **parameters)

    @property
    def closed(self) -> ConnectionClosed | None:
        """Why no call can be made any more; None while the peer is there, or is being started again."""
        if self._supervisor.over is None or isinstance(self._supervisor.over, ConnectionClosed):
            return self._supervisor.over
        return ConnectionClosed(str(self._supervisor.over))

    @property
    def finished(self) -> bool:
        """Whether it is closed for good."""
        return self._supervisor.finished

    @property
    def unending(self) -> bool:
        """Whether handlers run on though the connection is closed."""
        return self._current is not None and self._current.unending
