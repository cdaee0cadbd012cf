"""Work in progress in the sessions of a connection, and its end: by a notification, by this side, or by a close.

The schema defines a response for requests that the interrupting notification names. A handler that does not end in
time is detached: its request is answered without it, and its later messages are dropped.
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

logger = logging.getLogger(__name__)
PATIENCE = 5.0
"""Seconds for a handler to end when its session is closed, and for all handles to be released."""


class Served(Struct, eq=False):
    """A request that is being handled. `interrupted`: its response after an interruption, whatever the cancelled
    handler does.
    """

    id: Id
    method: str
    cost: int
    session: Id = None
    """The session that its params name, if that matters."""
    job: Job | None = None
    interrupted: object = None
    refusal: RequestError | None = None
    """The error response if it is cancelled; None for the usual one."""
    done: asyncio.Future[None] | None = None
    """Completed with its response."""
    detached: bool = False
    """True if it was answered although its handler still runs."""

    def cancel(self) -> None:
        if self.job is not None:
            self.job.cancel()


current_request: ContextVar[Served | None] = ContextVar("current_request", default=None)
"""The session request whose handler the current code belongs to."""


class SessionWork:
    """The session requests that one side handles, and its own calls in those sessions."""

    def __init__(self, protocol: Protocol, router: Router, sessions: OpenSessions, calls: PendingRequests) -> None:
        self.requests: dict[Id, Served] = {}
        """All requests that are being handled, in order of arrival."""
        self.detach: Callable[[Served], None] = lambda _: None
        """Answers a request without its handler."""
        self.give_up: Callable[[PendingRequest], None] = lambda _: None
        """Sends the cancellation of a call of this side."""
        interrupt, table = protocol.interrupt, protocol.sessions
        none: Mapping[str, Mapping[str, Any]] = {}
        self._answers = none if interrupt is None else interrupt.requests
        self._asked_there = none if interrupt is None else interrupt.asked
        self.asked = router.asked()
        """Responses of this side to requests of the peer when it ends the work of their session."""
        ended = () if table is None else (*self._answers, *table.exclusive, *table.load, *table.resume)
        closes = () if table is None else table.close
        self._refusal = RequestError.INVALID_PARAMS if table is None else table.error_code
        self._property = protocol.ordering or ""
        self._ended_by_close = _shared(ended)
        self.named = _shared((*self._answers, *self.asked, *ended, *closes))
        """The methods whose sessions are tracked."""
        self._router = router
        self._sessions = sessions
        self._calls = calls
        self._interrupted: list[PendingRequest] = []
        """Calls that this side has interrupted. Requests of the peer in their sessions are answered automatically."""

    # A notification of the peer

    def interrupt(self, session: Id) -> None:
        """Cancel the handlers of a session's requests. Each request then gets the response that the schema defines."""
        if session is not None:
            self._cancel([each for each in self._requests_of(session) if each.method in self._answers])

    # A call or notification of this side

    def withdraw(self, session: Id) -> None:
        """Answer the peer's requests in a session that this side has interrupted, until its turns have ended."""
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
        """Return whether this side answers the peer's requests in a session without calling handlers."""
        if self._interrupted:
            self._interrupted = [call for call in self._interrupted if call in self._calls]
        return any(call.lane == session for call in self._interrupted)

    # A request that closes a session

    async def end(self, session: Id) -> None:
        """End all work in a session that began before the current request, and wait for it."""
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
                "the handler of %s in session %r still runs %g seconds after the session was closed. Its messages "
                "and its response are dropped. Handlers must end when they are cancelled",
                served.method,
                session,
                PATIENCE,
            )
            self._sessions.count_detached(session, 1)
            self.detach(served)
        if held := self._sessions.held(session):
            await _released(session, held)

    def left(self, served: Served) -> None:
        """Record that a detached handler has ended."""
        self._sessions.count_detached(served.session, -1)

    def has_calls(self, session: Id) -> bool:
        """Return whether a call of this side in a session is pending."""
        return any(call.lane == session for call in self._calls)

    def fail_calls(self, session: Id, reason: SessionEnded) -> None:
        """Fail the calls of this side in an ended session."""
        for call in [*self._calls]:
            if call.lane == session and not call.future.done():
                self.give_up(call)
                self._calls.drop(call)
                call.fail(SessionEnded(*reason.args))

    def settle_turns(self, session: Id) -> None:
        """Complete the calls of this side that occupy a session with their responses for a closed session."""
        self._settle(session, self._answers)

    def refusal(self, session: Id, state: str) -> RequestError:
        """The error response to a request for a closed session."""
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
        """Complete the calls of this side in a session with responses that this side creates."""
        for call in [*self._calls]:
            if call.lane == session and call.method in answers and not call.future.done():
                self.give_up(call)
                self._calls.drop(call)
                call.succeed(Raw(encode(answers[call.method])))


@functools.cache
def _shared(names: tuple[str, ...]) -> frozenset[str]:
    """Names as a set that all connections of a protocol share."""
    return frozenset(names)


async def _ended(found: Collection[Served], *others: asyncio.Future[None]) -> list[Served]:
    """Wait briefly for requests to be answered, and return the unanswered ones."""
    waiting: list[asyncio.Future[None]] = [*others]
    for served in found:
        if served.done is None:
            served.done = asyncio.get_running_loop().create_future()
        waiting.append(served.done)
    if waiting:
        await asyncio.wait(waiting, timeout=PATIENCE)
    return [served for served in found if served.done is not None and not served.done.done()]


async def _released(session: Id, held: dict[object, Callable[[], Any]]) -> None:
    """Release all resources of a session concurrently, and wait briefly."""
    releasing = [background(_logged(release())) for release in [*held.values()]]
    held.clear()
    left = (await asyncio.wait(releasing, timeout=PATIENCE))[1]
    if left:
        logger.warning("%d handles of session %r were not released within %g seconds", len(left), session, PATIENCE)


async def _logged(outcome: Awaitable[Any] | Any) -> None:
    try:
        await outcome_of(outcome)
    except Exception:
        logger.exception("cannot end the work of a session")
