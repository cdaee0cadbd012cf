"""Inbound messages: the connection handles each on arrival, and stops reading while too much is queued.

Flow control limits the memory that a peer can occupy (``Limits``):

    limited quantity                    reading pauses at     unless                     at the hard limit
    --------------------------------    ------------------    -----------------------    ------------------------
    queued notifications                ``queue``             a handler of one of        ``hard_queue``: the
                                                              them awaits the peer       connection closes
    bytes that the peer does not read   ``backlog``           a call is pending          eight times as much:
                                                                                         the connection closes
    requests in progress                ``requests``,         a call is pending, or      the same limit: further
                                        briefly               none has ended for long    requests get an error
    memory of all three (``memory``)    a quarter for         as above                   half: requests get an
                                        notifications, an                                error; all of it: the
                                        eighth for unread                                connection closes
                                        bytes

Reading never stops for requests alone, because a later message may end a request. After the peer has disconnected,
only data in transit can arrive, so the connection reads to the end, unless the peer left its responses unread.

Messages are processed in order of arrival:

    request        its handler starts after all messages of the same read; the response is its result or error. Before
                   the handshake it is rejected. If its method was not advertised, the error is "method not found"
    notification   queued in the lane of its session (``ordering``); ignored without a handler
    response       completes its call after the notifications that arrived before it (``ordering``). An error -32700 or
                   -32600 without an id fails the only pending call, because the peer could not read it
    fault          fails the call whose id it contains; otherwise it gets one error response, unless it is a response
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sized
from typing import Any

from msgspec.structs import replace

from ..errors import ConnectionClosed, QueueOverflow
from ..jsonrpc.parser import REQUEST, Fault, Notification, Request, Response, peek, weight
from ..schema.definitions import Kind, Protocol
from ..tasks import Workers
from ..transport.channel import Channel
from ..transport.limits import Limits
from .dispatcher import Dispatcher
from .open_sessions import OpenSessions
from .ordering import Order, current_turn
from .outbound import PendingRequest, PendingRequests
from .router import Router
from .session_work import SessionWork

_PATIENCE = 0.1
"""Seconds between checks during a pause."""
_HARD_BACKLOG = 8
_FAULTS = 256
"""Number of malformed frames that are processed before other tasks of the event loop get a turn."""

logger = logging.getLogger(__name__)
_STALL = 10.0
"""Seconds that a response may be held for its order before this is logged."""


class FlowControl:
    """Limits on the messages that wait on a connection."""

    def __init__(
        self, limits: Limits, channel: Channel, order: Order, serving: Dispatcher, workers: Workers, calls: Sized
    ) -> None:
        self._limits = limits
        self.queue_limit = limits.queue
        self.backlog_limit = min(limits.backlog, limits.memory // 8)
        self.weight_limit = limits.memory // 4
        """Thresholds at which reading pauses: queued notifications, their estimated bytes, and unsent bytes."""
        self._channel = channel
        self._order = order
        self._dispatcher = serving
        self._workers = workers
        self._pending = calls
        self._refusing = False

    async def pause(self) -> None:
        """Wait until there is capacity, or until further waiting cannot free any.

        Raises QueueOverflow beyond the hard limits, and ConnectionClosed if the peer has disconnected without reading
        its responses.
        """
        if self._channel.hung_up():
            self._leave_unread()
            return
        if self._order.queued > self._limits.hard_queue:
            raise QueueOverflow(f"more than {self._limits.hard_queue} notifications wait for their handlers")
        if reason := self.unread():
            raise reason
        if self._order.weight + self._dispatcher.weight + self._channel.backlog > self._limits.memory:
            raise QueueOverflow(f"more than {self._limits.memory} bytes of memory are held for the peer")
        while not self._has_room() and not self._channel.hung_up():
            await self._change(self._has_room)

    def unread(self) -> QueueOverflow | None:
        """The error that closes the connection because the peer leaves too much unread; None if it does not."""
        if self._channel.backlog <= (hard_limit := _HARD_BACKLOG * self.backlog_limit):
            return None
        return QueueOverflow(f"more than {hard_limit} bytes wait for a peer that does not read")

    def _leave_unread(self) -> None:
        if self._channel.backlog >= self.backlog_limit:
            raise ConnectionClosed("the peer disconnected without reading the messages sent to it")

    def full(self, cost: int) -> bool:
        """Return whether a request with this estimated cost exceeds the limits."""
        held = self._order.weight + self._dispatcher.weight + self._channel.backlog
        limits = self._limits
        if held < limits.memory // 2 and held + cost <= limits.memory and self._workers.unfinished < limits.requests:
            self._refusing = False
            return False
        return True

    async def admits(self, cost: int) -> bool:
        """Return whether one more request is accepted. Waits briefly for another to end, once per flood."""
        if not self._refusing and not self._pending:
            await self._change(lambda: not self.full(cost))
        self._refusing = self.full(cost)
        return not self._refusing

    async def _change(self, awaited: Callable[[], bool]) -> None:
        """Wait briefly for a condition."""
        room = asyncio.Event()

        def changed() -> None:
            if awaited():
                room.set()

        self._order.changed = self._workers.ended = self._channel.on_room = changed
        self._workers.delegate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await room.wait()
        self._order.changed = self._workers.ended = None

    def _has_room(self) -> bool:
        few = self._order.queued <= self.queue_limit // 2 and self._order.weight <= self._limits.memory // 8
        queue = self._order.awaiting > 0 or few
        return queue and (bool(self._pending) or self._channel.backlog <= self.backlog_limit // 2)


class Inbound:
    """The inbound half of a connection: it reads messages and applies flow control."""

    def __init__(
        self, limits: Limits, channel: Channel, router: Router, protocol: Protocol, sessions: OpenSessions
    ) -> None:
        self._channel = channel
        self.workers = Workers()
        self.order = Order()
        self.pending = PendingRequests(self.order, peek(protocol.ordering))
        """The pending requests of this side, which responses complete."""
        sessions.link.when_drained = lambda session, end: self.order.hold(session, current_turn.get(), end)
        work = SessionWork(protocol, router, sessions, self.pending)
        self.dispatcher = Dispatcher(
            router, channel, self.order, self.workers, self.pending, protocol.cancel, limits, sessions, work
        )
        self.flow = FlowControl(limits, channel, self.order, self.dispatcher, self.workers, self.pending)
        self._former = router.former
        self._watched: asyncio.TimerHandle | None = None

    async def take(self) -> bool:
        """Process the next messages of the peer; False at the end."""
        channel, flow, order, serving = self._channel, self.flow, self.order, self.dispatcher
        messages: list[tuple[bytes, Any]] | None = await channel.read()
        if messages is None:
            return False
        faults = 0
        for frame, message in messages:
            if frame:
                channel.received(frame)
            if self._former and isinstance(message, Notification | Request):
                message = self._by_present_name(message)  # noqa: PLW2901
            # To ask whether it is an instance of a class takes as long as all else that is done here.
            kind = message.__class__
            if kind is Notification:
                serving.take(message)
            elif kind is Response:
                self._take_answer(message)
            elif kind is Request:
                cost = REQUEST + weight(message.params)
                if flow.full(cost) and not await flow.admits(cost):
                    serving.refuse(message)
                else:
                    serving.serve(message, cost)
            elif kind is Fault:
                self._take_fault(message)
                faults += 1
                if not faults % _FAULTS:  # each may be two bytes long, and costs as much as a small request
                    await asyncio.sleep(0)
            if (
                order.queued >= flow.queue_limit
                or order.weight >= flow.weight_limit
                or channel.backlog >= flow.backlog_limit
            ):
                await flow.pause()
        return True

    def _by_present_name(self, message: Any) -> Any:
        """A message with the current name of its method."""
        kind: Kind = "request" if type(message) is Request else "notification"
        present = self._former.get((kind, message.method))
        return message if present is None else replace(message, method=present)

    def stop(self) -> None:
        """Stop holding responses back."""
        if self._watched is not None:
            self._watched.cancel()

    def _take_answer(self, response: Response) -> None:
        call = self.pending.answer(response)
        if call is None:
            if response.id is None and response.error is not None:
                self.dispatcher.complain("the peer could not read a frame: %s", response.error)
                self.pending.answer_unnamed(response.error)
            else:
                logger.debug("%s: a response matches no pending request, id %r", self._channel.incoming, response.id)
            return
        if response.flaw:
            self.dispatcher.complain("the response to %s violates JSON-RPC 2.0: %s", call.method, response.flaw)
        if call.id != response.id:
            self.dispatcher.complain("a response with the id %r was matched to the request %r", response.id, call.id)
        if response.error is not None:
            self._channel.learn(response.error)
        if not call.future.done() and self._watched is None:
            self._watched = asyncio.get_running_loop().call_later(_STALL, self._stalled, call)

    def _take_fault(self, fault: Fault) -> None:
        """Process a malformed frame: end the call that it names, or send an error response. Malformed responses are
        never answered.
        """
        call = self.pending.answer_unreadable(fault)
        if call is not None or fault.outline.answers:
            whose = "a response" if call is None else f"the response to {call.method}"
            self.dispatcher.complain("%s cannot be read: %s in %s", whose, fault.error, fault.quote)
        else:
            self.dispatcher.reject(fault)

    def _stalled(self, call: PendingRequest) -> None:
        """Log that a response has been held for long, most likely because of its order."""
        self._watched = None
        if not call.future.done():
            logger.warning(
                "%s: a response in session %r has waited %d seconds for the handlers of earlier notifications. If "
                "such a handler waits for a task that awaits this response, both are deadlocked: do not wait in the "
                "handler",
                self._channel.incoming,
                call.lane,
                _STALL,
            )
