# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Dispatch of inbound messages: it answers requests, queues notifications in their lanes, and rejects malformed frames.

Every request gets exactly one response, whatever its handler does; a notification gets none. A request that reuses the
id of a pending request is rejected, because the responses could not be distinguished. Errors of the peer are logged up
to a limit, because stderr may be a pipe that nobody reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Coroutine
from types import CoroutineType
from typing import Any

from msgspec import UNSET, Raw, UnsetType

from ..codec.codec import encode
from ..errors import METHOD_NOT_FOUND, ConnectionClosed, FrameTooLong, RequestError
from ..jsonrpc.encoder import write_error, write_result
from ..jsonrpc.parser import FLAT, SMALL, Fault, Id, Notification, Request, peek, weight
from ..schema.definitions import Cancel
from ..tasks import Workers, waits
from ..transport.channel import Channel
from ..transport.limits import Limits
from .open_sessions import OpenSessions
from .ordering import EarlyNotes, Lane, Order, current_turn
from .outbound import PendingRequests
from .router import Router
from .session_work import Served, SessionWork, current_request

Answer = Callable[[str, Raw | UnsetType], Coroutine[Any, Any, bytes]]
Take = Callable[[Notification], tuple[Id, tuple[Callable[[Any], Any], Any, str]] | None]

logger = logging.getLogger(__name__)

ENDINGS = (SystemExit, KeyboardInterrupt, GeneratorExit)
"""Exceptions of a handler that end the program or its event loop."""
ERROR_ID = "errorId"
"""The field in the data of an internal error that the log repeats."""
_COMPLAINTS = 20
"""Number of peer errors that are logged as warnings. Further ones are logged at level debug."""


class Dispatcher:
    """The running handlers of a connection."""

    def __init__(
        self,
        service: Router,
        channel: Channel,
        order: Order,
        workers: Workers,
        calls: PendingRequests,
        cancel: Cancel | None,
        limits: Limits,
        sessions: OpenSessions,
        work: SessionWork,
    ) -> None:
        self.early = EarlyNotes(limits, sessions, self._enter)
        self.unread: Callable[[Notification], None] = lambda _: None
        """Called with a notification whose params are invalid."""
        self.lost = False
        """True if the peer has disconnected."""
        self.weight = 0
        """Estimated bytes of the requests in progress."""
        self._router = service
        self.answering: Answer = service.answer
        self.taking: Take = service.take
        self._channel = channel
        self._order = order
        self._workers = workers
        self._pending = calls
        self._cancel = cancel
        self._cancel_method = cancel.method if cancel else None
        self._cancelled_id = peek(cancel.property if cancel else None)
        self._interrupt = service.interrupt
        self._session_in = service.session_in
        self.work = work
        work.detach = self._detach
        self._requests = work.requests
        self._complaints = 0

    def __len__(self) -> int:
        """The number of pending requests of the peer."""
        return len(self._requests)

    def reject(self, fault: Fault) -> None:
        """Answer a malformed frame. The response has the id of the request, if the frame has one."""
        self.complain("%s%s", fault.error, f" in {fault.quote}" if fault.quote else "")
        self._refuse(fault.asker, fault.error)

    def refuse(self, request: Request) -> None:
        """Reject a request because too many are in progress."""
        error = RequestError.internal_error({"reason": "too many requests are in progress"})
        self.complain("%s refused: %s", request.method, error)
        self._refuse(request.id, error)

    def serve(self, request: Request, cost: int) -> None:
        """Start to handle a request; `cost` is its estimated memory."""
        if request.id in self._requests:
            error = RequestError.invalid_request(f"a request with the id {request.id!r} is still pending")
            self.complain("%s refused: %s", request.method, error)
            self._refuse(request.id, error)
            return
        self.weight += cost
        served = Served(request.id, request.method, cost)
        if request.method in self.work.named:
            served.session = self._session_in(request.params)
            if request.method in self.work.asked and self.work.is_withdrawn(served.session):
                self._answer(request.id, write_result(request.id, encode(self.work.asked[request.method])))
                self.weight -= cost
                return
        self._requests[request.id] = served
        served.job = self._workers.start(self._answer_request(served, request.params))

    async def _answer_request(self, served: Served, params: Raw | UnsetType) -> None:
        """Send the response to a request, whatever its handler does."""
        if served.session is not None:
            current_request.set(served)
        try:
            answering = self.answering(served.method, params)
            del params  # what the handler has is the decoded object: nobody holds the text meanwhile
            frame = write_result(served.id, await answering)
        except RequestError as error:
            if self._pending.brought(error):
                error = self._report(served.method, error)
            frame = self._unsuccessful(served, error)
        except asyncio.CancelledError:
            if self._channel.closed is not None:
                raise
            frame = self._unsuccessful(served, served.refusal or self._cancelled())
        except ENDINGS:
            raise
        except BaseException as error:  # those of some test frameworks are no Exception
            frame = self._unsuccessful(served, self._report(served.method, error))
        finally:
            if not served.detached:
                self._leave(served)
        if served.detached:
            self.work.left(served)
            logger.debug("%s: the late response to %s was dropped", self._channel.outgoing, served.method)
            return
        self._answer(served.id, frame)

    def _leave(self, served: Served) -> None:
        """Remove a request from the requests in progress."""
        self.weight -= served.cost
        # Its context leads back here: a circle for each request would be left to the garbage collector.
        served.job = None
        del self._requests[served.id]
        if served.done is not None and not served.done.done():
            served.done.set_result(None)

    def _detach(self, served: Served) -> None:
        """Answer a request without waiting for its handler, which continues."""
        served.detached = True
        self._leave(served)
        self._answer(served.id, self._unsuccessful(served, served.refusal or self._cancelled()))

    def _refuse(self, id: Id, error: RequestError) -> None:
        self._answer(id, self._failed(id, error))

    def _unsuccessful(self, served: Served, error: RequestError) -> bytes:
        """Encode the response to a request whose handler failed or was cancelled: an error, unless the request was
        interrupted.
        """
        if served.interrupted is None:
            return self._failed(served.id, error)
        return write_result(served.id, encode(served.interrupted))

    def _cancelled(self) -> RequestError:
        """The error response to a request whose handler was cancelled."""
        if self._cancel is None:
            return RequestError.internal_error({"reason": "the request was cancelled"})
        return RequestError(self._cancel.error_code, self._cancel.message)

    def _answer(self, id: Id, frame: bytes) -> None:
        try:
            self._channel.write(frame)
        except ConnectionClosed as error:
            logger.debug("%s: an answer was lost: %s", self._channel.outgoing, error)
        except FrameTooLong as error:
            logger.warning("%s: the response to request %r: %s", self._channel.outgoing, id, error)
            with contextlib.suppress(ConnectionClosed, FrameTooLong):
                self._channel.write(self._failed(id, RequestError.internal_error({"reason": str(error)})))

    def _failed(self, id: Id, error: RequestError) -> bytes:
        try:
            return write_error(id, error.code, error.message, None if error.data is None else encode(error.data))
        except Exception as failure:
            return self._failed(id, self._report(f"the error of request {id!r} is not valid JSON: it", failure))

    def take(self, note: Notification) -> None:
        """Queue a notification in its lane."""
        try:
            taken = self.taking(note)
        except RequestError as error:
            self.complain("%s ignored: %s", note.method, error)
            self.unread(note)
            return
        if taken is None:
            if self._interrupt is not None and note.method == self._interrupt.method:
                self.work.interrupt(self._session_in(note.params))
                return
            if self._router.is_meta(note.method):
                self._take_meta_note(note)
                return
            taken = self._router.take_unusual(note)
        # Most are short, and a call to be told so costs a hundredth of all that is done for one.
        params = note.params
        cost = FLAT if params is UNSET or len(params) <= SMALL else weight(params)
        if self.early.expected and self.early.keep(taken[0], note, cost):
            return
        if lane := self._order.enter(taken[0], taken[1], cost):
            self._workers.start(self._work(lane))

    def _enter(self, session: Id, note: Notification, cost: int) -> None:
        """Queue a notification that was held back, while reading is paused. Listeners that were added meanwhile
        receive it.
        """
        try:
            _, work = self.taking(note) or self._router.take_unusual(note)
        except RequestError as error:
            self.complain("%s ignored: %s", note.method, error)
            return
        if self._channel.closed is None and (lane := self._order.enter(session, work, cost)):
            self._workers.start(self._work(lane))
            self._workers.delegate()

    def _take_meta_note(self, note: Notification) -> None:
        """Handle a notification about the connection itself: cancel a request, or ignore an unknown notification."""
        if note.method != self._cancel_method:
            logger.debug("%s: %s ignored", self._channel.incoming, note.method)
        elif found := self._requests.get(self._cancelled_id(note.params)):
            found.cancel()

    async def _work(self, lane: Lane) -> None:
        """Handle the entries of a lane one after the other until it is empty."""
        order = self._order
        while turn := order.begin(lane):
            current_turn.set(turn)
            handler, params, method = turn.notification
            try:
                outcome = handler(params)
                if type(outcome) is CoroutineType or waits(outcome):
                    await outcome
            except RequestError as error:
                if self._pending.brought(error):
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
        """Log why a handler failed. The response has an id that refers to the log entry. Disconnections are not
        logged.
        """
        gone = isinstance(failure, ConnectionClosed) and (self.lost or self._channel.broken is not None)
        level = logging.DEBUG if gone else logging.ERROR
        id = os.urandom(4).hex()
        text = "%s: the handler of %s failed, error %s"
        logger.log(level, text, self._channel.incoming, method, id, exc_info=failure)
        return RequestError.internal_error({ERROR_ID: id})

    def complain(self, text: str, *arguments: object) -> None:
        """Log an error of the peer, up to a limit, because stderr may be a pipe that fills up."""
        level = logging.WARNING if self._complaints < _COMPLAINTS else logging.DEBUG
        self._complaints += 1
        if logger.isEnabledFor(level):
            logger.log(level, "%s: %.1000s", self._channel.incoming, text % arguments)
