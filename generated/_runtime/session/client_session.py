# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""A session on the client's side: the base of the emitted class, and its beginning and end.

opening   a call whose response names the session, or a call that reopens a known session
state     follows the updates, the peer's requests about the session, and the calls through the object
end       a call closes the session, a notification reports its end, or the connection is lost
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Generator
from functools import partial
from types import TracebackType
from typing import Any, ClassVar, Generic, TypeVar

from ..connection.open_sessions import Ending
from ..connection.update_stream import source_of
from ..errors import CapabilityError, ConnectionClosed, RequestError, SessionEnded
from ..schema.definitions import Method
from ..tasks import background
from .subscription import Subscription, Turn

S = TypeVar("S", bound="ClientSessionBase")
S_co = TypeVar("S_co", bound="ClientSessionBase", covariant=True)
Classes = tuple[type[Any], ...]
logger = logging.getLogger(__name__)


class Opening(Generic[S_co]):
    """A session that is about to be opened. ``async with`` opens it and closes it at the end; ``await`` only opens
    it.
    """

    def __init__(self, open: Callable[[], Coroutine[Any, Any, S_co]]) -> None:
        self._open = open
        self._session: S_co | None = None

    def __await__(self) -> Generator[Any, Any, S_co]:
        return self._open().__await__()

    async def __aenter__(self) -> S_co:
        self._session = await self._open()
        return self._session

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._session is not None
        await self._session.leave(failed=kind is not None)


class ClientSessionBase:
    """A session on one connection, by id, with its state."""

    _key: ClassVar[str] = ""
    """The attribute of params and results with the id."""
    _note: ClassVar[Method]
    """The notification with the updates."""
    _part: ClassVar[str] = ""
    """The attribute of its params with the update."""
    _state: ClassVar[type[Any]]
    _closing: ClassVar[tuple[Method, ...]] = ()
    """The calls that close a session, in order of preference."""

    def __init__(self, agent: Any, id: Any) -> None:
        self._connection = agent
        self.id = id
        """The id of the session."""
        kept = agent._kept_state(id)
        self._follows = kept is None  # else the connection lets the state follow
        self.state = self._state() if kept is None else kept
        self.opened_by: str | None = None
        """The method that opened the session."""
        self.opened_because = ""
        """The reason why that method was chosen, if there was a choice."""
        self.history_complete = True
        """True if the load returned after its complete history was handled. False means unknown: updates before the
        next call then count as replayed, and reach only the state.
        """
        self.replaying = False
        """True while updates count as replayed."""
        self.ending: Ending | None = None
        """The end of the session; None while it is open."""
        self._stopped: Callable[[], Awaitable[object]] | None = None
        self._works = 0
        """Number of running turns that end with an update."""
        self._subscriptions: list[Subscription[Any]] = []
        self._leave: list[Callable[[], None]] = [agent._listen(self._note, id, self._part, self._hear)]
        if self._follows:
            self._leave.append(agent._overhear(self.state.reads_type, self._asked))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"

    @property
    def idle(self) -> bool:
        """True if no turn of the session is running."""
        return not self._works and not self._connection.open_sessions.turns(self.id)

    # What is asked

    async def request(self, method: Method, params: Any) -> Any:
        """Make a call about the session. The state follows the call's params and result."""
        self.replaying = False
        if not self._follows:
            return await self._connection._request(method, params)
        before = self.state.adds(params)
        if before:
            self._take(params)
        result = await self._connection._request(method, params)
        if not before:
            self._take(params)
        self._take(result)
        return result

    def _asked(self, params: Any) -> None:
        if self._connection._session_of(params) == self.id:
            self._take(params)

    def _take(self, message: Any) -> None:
        if self.state.reads(message):
            self.state.apply(message)

    def _option(self, part: str, attribute: str, category: str) -> Any:
        """The option of a category; None if the session has none."""
        options: Any = getattr(self.state, part, None) or ()
        return next((it for it in options if getattr(it, attribute, None) == category), None)

    def _no_option(self, part: str, attribute: str, category: str) -> LookupError:
        options: Any = getattr(self.state, part, None) or ()
        known = ", ".join(repr(found) for it in options if isinstance(found := getattr(it, attribute, None), str))
        return LookupError(f"the session has no option of the category {category!r}. Its categories: {known or 'none'}")

    def _turn(self, method: Method, params: Any, ends: Classes = (), works: Classes = ()) -> Turn[Any, Any]:
        """A turn that ends with the response or, after the response, with an update of `ends`. Updates of `works`
        show progress.
        """
        ask = partial(self._until if ends else self.request, method, params, *([ends, works] if ends else []))
        return Turn(source_of(self._connection, method, params, self._note, self._part, ask))

    async def _until(self, method: Method, params: Any, ends: Classes, works: Classes) -> Any:
        """Wait for the update that ends the turn of a request. Raises SessionEnded if the session ends first.

        An agent may answer when the turn begins, or when it has ended. Earlier updates of `ends` do not count.
        """
        ended: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        begun = answered = False

        async def hear(update: Any) -> None:
            nonlocal begun
            begun = begun or isinstance(update, works)
            if isinstance(update, ends) and (begun or answered) and not ended.done():
                ended.set_result(update)

        def lost(ending: Ending) -> None:
            if not ended.done():
                ended.set_exception(SessionEnded(self.id, ending.method or "the connection was lost"))

        leave = [self._connection._listen(self._note, self.id, self._part, hear)]
        self._works += 1
        try:
            leave.append(self._connection.open_sessions.on_end(self.id, lost))
            await self.request(method, params)
            answered = True
            return await ended
        finally:
            self._works -= 1
            ended.cancel()
            for stop in leave:
                stop()

    def _subscribe(self, *, turns: bool) -> Subscription[Any]:
        subscription = Subscription[Any](self._connection._busy, self._unsubscribe, turns=turns)
        if self.ending is not None:
            subscription.end(self.ending)
        else:
            self._subscriptions.append(subscription)
        return subscription

    def _unsubscribe(self, subscription: Subscription[Any]) -> None:
        if subscription in self._subscriptions:
            self._subscriptions.remove(subscription)

    async def _hear(self, update: Any) -> None:
        if self._follows:
            self.state.apply(update)
        if self.replaying:
            return
        idle = not self._subscriptions or self.idle
        for subscription in [*self._subscriptions]:
            if idle or subscription.turns:
                await subscription.hear(update)

    # How it ends

    def begin(self, *messages: Any) -> None:
        """Follow the session from the response that opens it to its end. `messages`: the params and result of the
        call.
        """
        for message in messages if self._follows else ():
            self._take(message)
        self._leave.append(self._connection.open_sessions.on_end(self.id, self._end))

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        self.detach()

    def on_leave(self, stop: Callable[[], None], stopped: Callable[[], Awaitable[object]]) -> None:
        """Call `stop` when this object stops following the session; immediately if it already has. `leave` also awaits
        `stopped`.
        """
        if self.ending is not None:
            stop()
        else:
            self._leave.append(stop)
        self._stopped = stopped

    def detach(self) -> None:
        """Stop following the session. It stays open at the agent."""
        while self._leave:
            self._leave.pop()()
        for subscription in self._subscriptions:
            subscription.end(self.ending)
        self._subscriptions.clear()

    async def leave(self, *, failed: bool = False) -> None:
        """Stop following the session. Close it first, if it is open and the agent supports that.

        `failed`: an exception is propagating, so an error of the agent is only logged.
        """
        try:
            method = next((row for row in self._closing if self._connection.objection(row) is None), None)
            if self.ending is None and self._connection.closed is None and method is not None:
                await asyncio.shield(background(self.request(method, method.params(**{self._key: self.id}))))
        except (RequestError, ConnectionClosed) as error:
            if not failed and not isinstance(error, ConnectionClosed):
                raise
            logger.debug("cannot close the session %r: %s", self.id, error)
        finally:
            self.detach()
            if self._stopped is not None:
                await self._stopped()


def opened(kind: type[S], agent: Any, method: Method, params: Any) -> Opening[S]:
    """Open a session that the response to a call names."""

    async def open() -> S:
        result = await agent._request(method, params)
        session = kind(agent, agent._session_of(result))
        session.begin(params, result)
        session.opened_by = method.method
        return session

    return Opening(open)


def reopened(kind: type[S], agent: Any, id: Any, ways: tuple[tuple[Method, Any], ...]) -> Opening[S]:
    """Open a known session by the first of several calls that the agent supports."""

    async def open() -> S:
        missing: list[CapabilityError] = []
        for method, params in ways:
            if (objection := agent.objection(method)) is None:
                return await _by(method, params, "; ".join(map(str, missing)))
            missing.append(objection)
        methods, gates = (" or ".join(getattr(it, name) for it in missing) for name in ("method", "capability"))
        raise CapabilityError(methods, gates, missing[0].side)

    async def _by(method: Method, params: Any, reason: str) -> S:
        session = kind(agent, id)  # what is replayed comes before the answer
        session.opened_by = method.method
        session.opened_because = reason or f"the agent offers {method.method}"
        try:
            await session.request(method, params)
            table = agent._protocol.sessions
            session.history_complete = agent.history_complete or method.method not in table.load
        except BaseException:
            session.detach()
            raise
        session.begin()
        session.replaying = not session.history_complete
        return session

    return Opening(open)
