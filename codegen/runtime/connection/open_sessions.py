"""The open sessions of a connection: their states, turns, resources and ends.

    state       reached when
    --------    ----------------------------------------------------------------------------------------
    (none)      no message has named the session, or it ended long ago
    open        a response to a request of `open` named it, or a callback for its end was registered
    closing     a request of `close` is in progress
    ended       that request was answered, or a notification of `end` was sent or received

Reopening a session makes it open again. Each side has its own registry, which follows the messages that it sends and
receives. The slow operations are in ``session_work`` and ``session_requests``. If the protocol has no sessions, the
registry is empty.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Generator, Iterator
from typing import Any, Literal

from msgspec import Struct

from ..errors import ConnectionClosed
from ..jsonrpc.parser import Id
from ..tasks import Waiters

logger = logging.getLogger(__name__)
SessionPhase = Literal["open", "closing", "ended"]
Callback = Callable[["Ending"], object]
REMEMBERED = 4_096
"""Number of ended sessions that are remembered. The oldest are forgotten first."""


class Ending(Struct, frozen=True):
    """The reason for a session's end."""

    session: Id
    cause: Literal["closed", "ended", "lost"]
    """`closed` by a request, `ended` by a notification, or `lost` with the connection."""
    method: str | None = None
    """The method of the request or notification; None if the connection was lost."""
    params: Any = None
    """Its typed params; None if they could not be read."""


class OpenSession(Struct, eq=False, gc=False):
    """The work in progress in a session that has not ended.

    Without reference cycles, so that it is freed immediately.
    """

    id: Id
    begun: bool
    """True once a response has named the session."""
    turns: int = 0
    """Number of pending exclusive requests."""
    closing: int = 0
    """Number of pending requests to close the session."""


class Link:
    """A registry's interface to its connection."""

    __slots__ = ("outlive", "when_drained")

    def __init__(self) -> None:
        self.when_drained: Callable[[Id, Callable[[], None]], None] = lambda _, end: end()
        """Calls a function when all received notifications of a session have been handled."""
        self.outlive = False
        """True if the sessions survive the loss of the connection because another connection takes them over."""


class OpenSessions:
    """The sessions of one connection, by id."""

    def __init__(self) -> None:
        self.quiet: set[Id] = set()
        """Sessions for which this side sends no notifications, or only those of some handlers."""
        self.link = Link()
        self._changes = Waiters()
        self._open: dict[Id, OpenSession | None] = {}
        """The work in each session. None for an idle session that a response has named, which saves memory."""
        self._held: dict[Id, dict[object, Callable[[], Any]]] = {}
        """Resources that this side holds in each session, with the functions that release them."""
        self._callbacks: dict[Id, dict[object, Callback]] = {}
        """Callbacks for the end of each session."""
        self._ended: dict[Id, Ending] = {}
        self._begun: dict[object, Callable[[Id], object]] = {}
        self._reopening: dict[Id, int] = {}
        self._silenced: set[Id] = set()
        """Quiet sessions, except while they are being reopened."""
        self._detached: dict[Id, int] = {}
        """Sessions with handlers that still run although their requests were answered."""

    def __contains__(self, session: Id) -> bool:
        """Return whether a session is open or closing."""
        return session in self._open

    def __iter__(self) -> Iterator[Id]:
        """The ids of the sessions that have not ended."""
        return iter([*self._open])

    def __len__(self) -> int:
        return len(self._open)

    def held(self, session: Id) -> dict[object, Callable[[], Any]]:
        """The resources that this side holds in a session, each with the function that releases it."""
        return self._held.get(session, {})

    def phase(self, session: Id) -> SessionPhase | None:
        """The state of a session; None if the session is unknown."""
        if session in self._open:
            found = self._open[session]
            return "closing" if found is not None and found.closing else "open"
        return "ended" if session in self._ended else None

    def ending(self, session: Id) -> Ending | None:
        """The end of a session; None if it has not ended or is unknown."""
        return self._ended.get(session)

    def knows(self, session: Id) -> bool:
        """Return whether a session is known: open, being reopened, or ended."""
        return session in self._open or session in self._ended or session in self._reopening

    def turns(self, session: Id) -> int:
        """The number of pending exclusive requests of a session."""
        found = self._open.get(session)
        return 0 if found is None else found.turns

    def is_silent(self, session: Id) -> bool:
        """Return whether notifications for a session must not be sent, because this side has closed it and is not
        reopening it.
        """
        return session in self._silenced and session not in self._reopening

    # Callbacks

    def on_begin(self, callback: Callable[[Id], object]) -> Callable[[], None]:
        """Call a function with the id of each session that is opened or reopened. The returned function removes it."""
        return _kept(self._begun, callback)

    def on_end(self, session: Id, callback: Callback) -> Callable[[], None]:
        """Call a function once when the session ends. The returned function removes it.

        If the session has ended, the function is called immediately. An unknown session counts as open. Errors of the
        function are logged.
        """
        if (ending := self._ended.get(session)) is not None:
            _call(callback, ending)
            return _nothing
        self._entry(session)
        return _kept(self._callbacks.setdefault(session, {}), callback)

    def hold(self, session: Id, release: Callable[[], Any]) -> Callable[[], None]:
        """Release a resource before a request that closes the session is answered. The returned function undoes this.

        `release` may be `async def`. In an ended session nothing is released; see ``phase``.
        """
        if session in self._ended:
            return _nothing
        self._entry(session)
        return _kept(self._held.setdefault(session, {}), release)

    # Waiting

    async def drained(self, session: Id) -> None:
        """Wait until all notifications of a session received so far have been handled."""
        handled = asyncio.get_running_loop().create_future()

        def end() -> None:
            if not handled.done():
                handled.set_result(None)

        self.link.when_drained(session, end)
        await handled

    async def idle(self, session: Id) -> None:
        """Wait until a session has no running turn and no unhandled notification, or has ended."""
        while self.turns(session):
            await self._changes.wait()
        await self.drained(session)

    # What messages say

    def begin(self, session: Id) -> None:
        """Record that a session was opened or reopened."""
        if session is None:
            return
        if session in self._ended:
            del self._ended[session]
            self._silenced.discard(session)
            self._update_quiet(session)
        found = self._open.setdefault(session)
        if found is not None:
            found.begun = True
        if self._begun:
            for callback in [*self._begun.values()]:
                _call(callback, session)

    def end(self, ending: Ending, *, quiet: bool = False) -> None:
        """Record the end of a session. `quiet`: this side sends no further notifications of the session."""
        session = ending.session
        if session is None:
            return
        was_open = session in self._open
        self._open.pop(session, None)
        self._held.pop(session, None)
        self._ended.pop(session, None)
        self._ended[session] = ending
        if quiet:
            self._silenced.add(session)
            self._update_quiet(session)
        if len(self._ended) > REMEMBERED:
            oldest = next(iter(self._ended))
            del self._ended[oldest]
            self._silenced.discard(oldest)
            self._update_quiet(oldest)
        for callback in [*self._callbacks.pop(session, {}).values()]:
            _call(callback, ending)
        if was_open:
            self._changes.wake()

    def lose(self, reason: ConnectionClosed) -> None:
        """Record that the connection was lost. All open sessions are lost, unless they survive the connection."""
        if self.link.outlive:
            return
        logger.debug("%d sessions were open: %s", len(self._open), reason)
        for session in self:
            self.end(Ending(session, "lost"))
        self._begun.clear()

    def take_over(self, before: OpenSessions) -> None:
        """Take over the sessions of a lost connection. Both objects share their state from now on, because programs
        may hold either.
        """
        before.link.when_drained = self.link.when_drained
        # Every attribute is an object that is changed and never replaced, so both registries keep seeing the same ones.
        vars(self).update(vars(before))

    def begin_turn(self, session: Id) -> OpenSession | None:
        """Begin an exclusive request of a session. Pass the result to ``finish_turn`` after the response."""
        if session in self._ended:
            return None
        found = self._entry(session)
        found.turns += 1
        return found

    def finish_turn(self, found: OpenSession | None) -> None:
        """End an exclusive request."""
        if found is not None:
            found.turns -= 1
            self._settle(found)
            self._changes.wake()

    @contextlib.contextmanager
    def closing(self, session: Id) -> Generator[None]:
        """Mark a session as closing while the block handles a request that closes it."""
        if session not in self._open:
            yield
            return
        found = self._entry(session)
        found.closing += 1
        try:
            yield
        finally:
            found.closing -= 1
            self._settle(found)

    @contextlib.contextmanager
    def reopening(self, session: Id) -> Generator[None]:
        """Allow notifications of a session while the block handles a request that reopens it, and afterwards if it
        succeeds.
        """
        _count(self._reopening, session, 1)
        self._update_quiet(session)
        try:
            yield
        finally:
            _count(self._reopening, session, -1)
            self._update_quiet(session)

    def count_detached(self, session: Id, by: int) -> None:
        """Count handlers that still run although their requests were answered."""
        _count(self._detached, session, by)
        self._update_quiet(session)

    def _update_quiet(self, session: Id) -> None:
        """Update whether a session is quiet."""
        (self.quiet.add if session in self._detached or self.is_silent(session) else self.quiet.discard)(session)

    def _entry(self, session: Id) -> OpenSession:
        found = self._open.get(session)
        if found is None:
            found = self._open[session] = OpenSession(session, session in self._open)
        return found

    def _settle(self, found: OpenSession) -> None:
        """Remove the data of an idle session. An unknown session leaves no entry, because a peer may invent many ids."""
        if found.turns or found.closing or self._open.get(found.id) is not found:
            return
        if self._held.get(found.id) or self._callbacks.get(found.id):
            return
        self._held.pop(found.id, None)
        self._callbacks.pop(found.id, None)
        if found.begun:
            self._open[found.id] = None
        else:
            del self._open[found.id]


def _kept(table: dict[object, Any], value: Any) -> Callable[[], None]:
    """Put a value into a table. The returned function removes it and may be called repeatedly."""
    key = object()
    table[key] = value

    def remove() -> None:
        table.pop(key, None)

    return remove


def _count(table: dict[Id, int], session: Id, by: int) -> None:
    """Add to a counter, and remove it at 0."""
    table[session] = table.get(session, 0) + by
    if not table[session]:
        del table[session]


def _nothing() -> None:
    pass


def _call(callback: Callable[[Any], object], argument: Any) -> None:
    try:
        callback(argument)
    except Exception:
        logger.exception("a callback of a session failed: %r", argument)
