"""Work under way in the sessions of a connection, and how it is ended: by a notification, by this side, or by a close.

Requests that the interrupting notification names have an answer for that case. A handler that does not end in time is detached:
its request is answered without it, and what it answers or sends later is dropped.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextvars import ContextVar
from typing import Any

from msgspec import Raw, Struct

from ..codec.codec import encode
from ..errors import RequestError, SessionEnded
from ..jsonrpc.parser import Id
from ..schema.definitions import Protocol
from ..tasks import Job, background, outcome_of
from .open_sessions import OpenSessions
from .outbound import PendingRequest, PendingRequests
from .router import Router

__all__ = ["Served", "SessionWork", "current_request"]

logger = logging.getLogger(__name__)
PATIENCE = 5.0
"""Seconds that a handler has to end when its session is closed; so have all handles that are released then."""


class Served(Struct, eq=False):
    """A request that is being served. `interrupted`: the answer it then has, whatever its handler makes of being cancelled."""

    id: Id
    method: str
    cost: int
    session: Id = None
    """The session that its params name, where that matters."""
    job: Job | None = None
    interrupted: object = None
    refusal: RequestError | None = None
    """The error that it is answered when it is cancelled; None for the one of a request that the peer gave up."""
    done: asyncio.Future[None] | None = None
    """What waits for its answer."""
    detached: bool = False
    """Whether it was answered without its handler, which goes on."""

    def cancel(self) -> None:
        if self.job is not None:
            self.job.cancel()


current_request: ContextVar[Served | None] = ContextVar("current_request", default=None)
"""The request of a session in whose handler the running code was started."""


class SessionWork:
    """The requests of sessions that one side serves, and its own calls in them."""

    def __init__(self, protocol: Protocol, router: Router, sessions: OpenSessions, calls: PendingRequests) -> None:
        self.requests: dict[Id, Served] = {}
        """All requests that are being served, in the order in which they came."""
        self.detach: Callable[[Served], None] = lambda _: None
        """Answers a request without its handler."""
        self.give_up: Callable[[PendingRequest], None] = lambda _: None
        """Tells the peer that a call of this side was given up."""
        interrupt, table = protocol.interrupt, protocol.sessions
        none: Mapping[str, Mapping[str, Any]] = {}
        self._answers = none if interrupt is None else interrupt.requests
        self._asked_there = none if interrupt is None else interrupt.asked
        self.asked = router.asked()
        """What this side answers to requests of the peer when it ends the work of their session."""
        ended = () if table is None else (*self._answers, *table.exclusive, *table.load, *table.resume)
        closes = () if table is None else table.close
        self._refusal = RequestError.INVALID_PARAMS if table is None else table.error_code
        self._property = protocol.ordering or ""
        self._ended_by_close = _shared(ended)
        self.named = _shared((*self._answers, *self.asked, *ended, *closes))
        """The requests whose sessions matter."""
        self._router = router
        self._sessions = sessions
        self._calls = calls
        self._interrupted: list[PendingRequest] = []
        """Calls whose end this side has asked for: what the peer asks in their sessions meanwhile is answered for them."""

    # A notification of the peer

    def interrupt(self, session: Id) -> None:
        """Cancel the handlers of requests of a session, which then have the answer that the schema gives."""
        if session is not None:
            self._cancel([each for each in self._requests_of(session) if each.method in self._answers])

    # A call or notification of this side

    def withdraw(self, session: Id) -> None:
        """Answer what the peer asks in a session whose turns this side has interrupted, now and until they have ended."""
        if not self.asked or session is None:
            return
        self._interrupted = [
            call
            for call in self._calls
            if call in self._interrupted or (call.lane == session and call.method in self._answers)
        ]
        for served in self._requests_of(session):
            if served.method in self.asked:
                served.interrupted = self.asked[served.method]
                served.cancel()

    def is_withdrawn(self, session: Id) -> bool:
        """Whether what the peer asks in a session is answered at once."""
        if self._interrupted:
            self._interrupted = [call for call in self._interrupted if call in self._calls]
        return any(call.lane == session for call in self._interrupted)

    # A request that closes a session

    async def end(self, session: Id) -> None:
        """End all that is under way in a session, and was before the current request; wait until it has ended."""
        found = [*self._before(current_request.get(), session)]
        handler = self._router.interrupt_handler()
        if handler is not None and any(each.method in self._answers for each in found):
            told = background(_logged(handler(session)))
            self._settle(session, self._asked_there)
            await _ended(found, told)
        self._cancel([each for each in found if self.requests.get(each.id) is each])
        self._settle(session, self._asked_there)
        for served in await _ended(found):
            logger.warning(
                "the handler of %s in session %r did not end within %g seconds after the session was closed: it is detached, "
                "and what it sends or answers is dropped. Let the handler end when it is cancelled",
                served.method,
                session,
                PATIENCE,
            )
            self._sessions.count_detached(session, 1)
            self.detach(served)
        if (entry := self._sessions.get(session)) is not None and entry.held:
            await _released(session, entry.held)

    def left(self, served: Served) -> None:
        """The handler of a request that was detached has ended after all."""
        self._sessions.count_detached(served.session, -1)

    def has_calls(self, session: Id) -> bool:
        """Whether a call of this side in a session has no answer yet."""
        return any(call.lane == session for call in self._calls)

    def fail_calls(self, session: Id, reason: SessionEnded) -> None:
        """End the calls of this side in a session that has ended."""
        for call in [*self._calls]:
            if call.lane == session and not call.future.done():
                self.give_up(call)
                self._calls.drop(call)
                call.fail(SessionEnded(*reason.args))

    def settle_turns(self, session: Id) -> None:
        """Give the calls of this side that occupy a session the answers that they have when it is closed."""
        self._settle(session, self._answers)

    def refusal(self, session: Id, state: str) -> RequestError:
        """The error response to a request that needs a closed session."""
        reason = f"the session {session!r} {state}: open it again first"
        return RequestError.of(self._refusal, {self._property: session, "reason": reason})

    def _requests_of(self, session: Id) -> Iterator[Served]:
        return (each for each in [*self.requests.values()] if each.session == session)

    def _before(self, last: Served | None, session: Id) -> Iterator[Served]:
        for served in self._requests_of(session):
            if served is last:
                return
            if served.method in self._ended_by_close:
                yield served

    def _cancel(self, found: Collection[Served]) -> None:
        for served in found:
            served.interrupted = self._answers.get(served.method)
            served.refusal = self.refusal(served.session, "was closed meanwhile")
            served.cancel()

    def _settle(self, session: Id, answers: Mapping[str, object]) -> None:
        """Answer calls of this side in a session as the peer would have to."""
        for call in [*self._calls]:
            if call.lane == session and call.method in answers and not call.future.done():
                self.give_up(call)
                self._calls.drop(call)
                call.succeed(Raw(encode(answers[call.method])))


@functools.cache
def _shared(names: tuple[str, ...]) -> frozenset[str]:
    """Names as a set, one object for all connections of a protocol."""
    return frozenset(names)


async def _ended(found: Collection[Served], *others: asyncio.Future[None]) -> list[Served]:
    """Wait until requests are answered, but not for long; those that are not."""
    waiting: list[asyncio.Future[None]] = [*others]
    for served in found:
        if served.done is None:
            served.done = asyncio.get_running_loop().create_future()
        waiting.append(served.done)
    if waiting:
        await asyncio.wait(waiting, timeout=PATIENCE)
    return [served for served in found if served.done is not None and not served.done.done()]


async def _released(session: Id, held: dict[object, Callable[[], Any]]) -> None:
    """Release what is open in a session, all at once, and wait, but not for long."""
    releasing = [background(_logged(release())) for release in [*held.values()]]
    held.clear()
    left = (await asyncio.wait(releasing, timeout=PATIENCE))[1]
    if left:
        logger.warning("%d handles of session %r are not released after %g seconds", len(left), session, PATIENCE)


async def _logged(outcome: Awaitable[Any] | Any) -> None:
    try:
        await outcome_of(outcome)
    except Exception:
        logger.exception("the work of a session could not be ended in order")
