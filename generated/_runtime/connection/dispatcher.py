# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""What the peer asks of this side, served: requests answered, notifications handled in their lanes, faults rejected.

The law: a request is answered once, whatever its handler does; a notification never is. A request whose id is that of one
that has no answer yet is refused: nothing could tell their answers apart, nor which of them is given up. What the peer does wrong is
logged, but a peer that does wrong without end must not fill our stderr, which may be a pipe that nobody reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Collection
from types import CoroutineType
from typing import TYPE_CHECKING

from msgspec import UNSET, Raw, Struct, UnsetType

from ._base import Cancel, Interrupt
from .calls import Call, Calls
from .channel import Channel
from .codec import encode
from .errors import METHOD_NOT_FOUND, ConnectionClosed, FrameTooLong, RequestError
from .jsonrpc import Fault, Id, Notification, Request, peek
from .order import Lane, Order, current_turn
from .service import Service
from .tasks import waits
from .weight import FLAT, SMALL, weight
from .workers import Job, Workers
from .writing import write_error, write_result

if TYPE_CHECKING:
    from .tracing import Answer, Take

__all__ = ["Serving"]

logger = logging.getLogger(__name__)

ENDINGS = (SystemExit, KeyboardInterrupt, GeneratorExit)
"""What ends the program, or its event loop, where a handler raises it."""
ERROR_ID = "errorId"
"""The member of an internal error's data that the log repeats."""
_COMPLAINTS = 20
"""Mistakes of the peer that are logged as warnings; the rest are for those who debug."""


class _Served(Struct, eq=False):
    """A request that is being served. `interrupted`: the answer it then has, whatever its handler makes of being cancelled."""

    id: Id
    method: str
    cost: int
    session: Id = None
    """The session that its params name, where a notification may interrupt it."""
    job: Job | None = None
    interrupted: object = None

    def cancel(self) -> None:
        if self.job is not None:
            self.job.cancel()


class Serving:
    """The handlers of a connection at work."""

    def __init__(
        self,
        service: Service,
        channel: Channel,
        order: Order,
        workers: Workers,
        calls: Calls,
        cancel: Cancel | None,
    ) -> None:
        self.lost = False
        """Whether the peer is gone."""
        self.weight = 0
        """Bytes of memory that the requests take which are being served."""
        self._service = service
        self.answering: Answer = service.answer
        self.taking: Take = service.take
        self._channel = channel
        self._order = order
        self._workers = workers
        self._calls = calls
        self._cancel = cancel
        self._cancel_method = cancel.method if cancel else None
        self._cancelled_id = peek(cancel.property if cancel else None)
        self._interrupt = service.interrupt
        self._asked = service.asked
        self._interrupted: list[Call] = []
        """Calls whose end this side has asked for: what the peer asks in their sessions meanwhile is answered for them."""
        self._session_in = service.session_in
        self._requests: dict[Id, _Served] = {}
        self._complaints = 0

    def __len__(self) -> int:
        """Requests that have no answer yet."""
        return len(self._requests)

    def reject(self, fault: Fault) -> None:
        """Answer a frame that is not a message, under its id where it is a request that names one."""
        self.complain("%s%s", fault.error, f" in {fault.quote}" if fault.quote else "")
        id = fault.outline.id if fault.outline.asks else None
        self._refuse(None if id is UNSET else id, fault.error)

    def refuse(self, request: Request) -> None:
        """Answer a request that is one too many."""
        error = RequestError.internal_error({"reason": "too many requests are being served"})
        self.complain("%s refused: %s", request.method, error)
        self._refuse(request.id, error)

    def serve(self, request: Request, cost: int) -> None:
        """Start to answer a request that takes so much memory."""
        if request.id in self._requests:
            error = RequestError.invalid_request(f"a request with the id {request.id!r} is not answered yet")
            self.complain("%s refused: %s", request.method, error)
            self._refuse(request.id, error)
            return
        self.weight += cost
        served = _Served(request.id, request.method, cost)
        if self._interrupt is not None and request.method in self._interrupt.requests:
            served.session = self._session_in(request.params)
        elif request.method in self._asked:
            served.session = self._session_in(request.params)
            if self._is_interrupted(served.session):
                self._answer(request.id, write_result(request.id, encode(self._asked[request.method])))
                self.weight -= cost
                return
        self._requests[request.id] = served
        served.job = self._workers.start(self._answer_request(served, request.params))

    async def _answer_request(self, served: _Served, params: Raw | UnsetType) -> None:
        """Answer a request, whatever its handler does."""
        try:
            answering = self.answering(served.method, params)
            del params  # what the handler has is the decoded object: nobody holds the text meanwhile
            frame = write_result(served.id, await answering)
        except RequestError as error:
            if self._calls.brought(error):
                error = self._report(served.method, error)
            frame = self._unsuccessful(served, error)
        except asyncio.CancelledError:
            if self._channel.closed is not None:
                raise
            frame = self._unsuccessful(served, self._cancelled())
        except ENDINGS:
            raise
        except BaseException as error:  # those of some test frameworks are no Exception
            frame = self._unsuccessful(served, self._report(served.method, error))
        finally:
            self.weight -= served.cost
            del self._requests[served.id]
        self._answer(served.id, frame)

    def _refuse(self, id: Id, error: RequestError) -> None:
        self._answer(id, self._failed(id, error))

    def _unsuccessful(self, served: _Served, error: RequestError) -> bytes:
        """The answer to a request whose handler failed or was cancelled: the error, unless the request was interrupted."""
        if served.interrupted is None:
            return self._failed(served.id, error)
        return write_result(served.id, encode(served.interrupted))

    def _cancelled(self) -> RequestError:
        """What a request is answered whose handler was cancelled."""
        if self._cancel is None:
            return RequestError.internal_error({"reason": "the request was cancelled"})
        return RequestError(self._cancel.error_code, self._cancel.message)

    def _answer(self, id: Id, frame: bytes) -> None:
        try:
            self._channel.write(frame)
        except ConnectionClosed as error:
            logger.debug("%s: an answer was lost: %s", self._channel.outgoing, error)
        except FrameTooLong as error:
            logger.warning("%s: the answer to request %r: %s", self._channel.outgoing, id, error)
            with contextlib.suppress(ConnectionClosed, FrameTooLong):
                self._channel.write(self._failed(id, RequestError.internal_error({"reason": str(error)})))

    def _failed(self, id: Id, error: RequestError) -> bytes:
        try:
            return write_error(id, error.code, error.message, None if error.data is None else encode(error.data))
        except Exception as failure:
            return self._failed(id, self._report(f"request {id!r} gave an error that is not valid JSON: it", failure))

    def take(self, note: Notification) -> None:
        """Hand a notification to its lane."""
        try:
            taken = self.taking(note)
        except RequestError as error:
            self.complain("%s ignored: %s", note.method, error)
            return
        if taken is None:
            if self._interrupt is not None and note.method == self._interrupt.method:
                self._end_requests(self._interrupt, note)
                return
            if self._service.is_meta(note.method):
                self._take_meta_note(note)
                return
            taken = self._service.take_unusual(note)
        # Most are short, and a call to be told so costs a hundredth of all that is done for one.
        params = note.params
        cost = FLAT if params is UNSET or len(params) <= SMALL else weight(params)
        if lane := self._order.enter(taken[0], taken[1], cost):
            self._workers.start(self._work(lane))

    def _take_meta_note(self, note: Notification) -> None:
        """A notification about the connection itself: the peer gives a request up, or it is none that we know."""
        if note.method != self._cancel_method:
            logger.debug("%s: %s ignored", self._channel.incoming, note.method)
        elif found := self._requests.get(self._cancelled_id(note.params)):
            found.cancel()

    def _end_requests(self, interrupt: Interrupt, note: Notification) -> None:
        """Cancel the handlers of what the notification ends: requests of the same session."""
        session = self._session_in(note.params)
        for served in list(self._requests.values()):
            answer = interrupt.requests.get(served.method)
            if answer is not None and session is not None and served.session == session:
                served.interrupted = answer
                served.cancel()

    def withdraw(self, session: Id, methods: Collection[str]) -> None:
        """Answer what the peer asks in a session whose calls of some methods this side has interrupted, now and until they have ended."""
        if not self._asked or session is None:
            return
        self._interrupted = [
            call
            for call in self._calls
            if call in self._interrupted or (call.lane == session and call.method in methods)
        ]
        for served in list(self._requests.values()):
            if served.method in self._asked and served.session == session:
                served.interrupted = self._asked[served.method]
                served.cancel()

    def _is_interrupted(self, session: Id) -> bool:
        if self._interrupted:
            self._interrupted = [call for call in self._interrupted if call in self._calls]
        return any(call.lane == session for call in self._interrupted)

    async def _work(self, lane: Lane) -> None:
        """Serve the turns of a lane, one after the other, until none is left."""
        order = self._order
        while turn := order.begin(lane):
            current_turn.set(turn)
            handler, params, method = turn.notification
            try:
                outcome = handler(params)
                if type(outcome) is CoroutineType or waits(outcome):
                    await outcome
            except RequestError as error:
                if self._calls.brought(error):
                    self._report(method, error)
                elif error.code != METHOD_NOT_FOUND:
                    self.complain("%s ignored: %s", method, error)
            except asyncio.CancelledError:
                if self._channel.closed is not None:
                    raise
                logger.warning("the handler of %s was cancelled", method)
            except ENDINGS:
                raise
            except BaseException as failure:
                self._report(method, failure)
            finally:
                order.end(turn)

    def _report(self, method: str, failure: BaseException) -> RequestError:
        """Tell the log why a handler failed; the peer gets an id that finds it there. That the peer left is no news."""
        gone = isinstance(failure, ConnectionClosed) and (self.lost or self._channel.broken is not None)
        level = logging.DEBUG if gone else logging.ERROR
        id = os.urandom(4).hex()
        text = "%s: the handler of %s failed, error %s"
        logger.log(level, text, self._channel.incoming, method, id, exc_info=failure)
        return RequestError.internal_error({ERROR_ID: id})

    def complain(self, text: str, *arguments: object) -> None:
        """Log a mistake of the peer; one that makes them without end must not fill our stderr, which may be a pipe."""
        level = logging.WARNING if self._complaints < _COMPLAINTS else logging.DEBUG
        self._complaints += 1
        if logger.isEnabledFor(level):
            logger.log(level, "%s: %.1000s", self._channel.incoming, text % arguments)
