# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Outbound messages: the encoding of calls and notifications, and the pending requests until they complete.

Params are encoded only if their type is correct and the peer advertised all required capabilities. Otherwise an error
is raised and nothing is sent. The data for these checks is computed once per method.

Every call ends exactly once: with its result, the peer's error, InvalidResponse, or the end of the connection. A
response completes its call after the notifications that arrived before it. If the connection ends, calls fail
immediately.

One timer serves all calls. It runs while any call is pending, and logs each slow call once.

If the caller stops waiting, the connection sends a cancellation to the peer.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec import Raw, Struct, UnsetType

from ..codec.codec import DECODERS, REFUSALS, encode
from ..codec.payloads import attribute_of, verify
from ..errors import (
    INVALID_REQUEST,
    PARSE_ERROR,
    CallLost,
    ConnectionClosed,
    FrameTooLong,
    InvalidResponse,
    RequestError,
)
from ..jsonrpc.encoder import LINE_END, notification_head, one_line, write_notification, write_request
from ..jsonrpc.parser import Fault, Id, Response
from ..schema.capabilities import Check
from ..schema.definitions import Method, Protocol
from ..transport.channel import Channel
from .negotiation import NegotiatedTerms
from .options import Options
from .ordering import Order, Turn, current_turn

_DIGITS = 20
"""Maximum number of digits of an id. Longer numbers are not our ids, and may exceed Python's limit."""

logger = logging.getLogger(__name__)
REPORT_AFTER = 60.0
"""Seconds after which a pending call is logged."""
_NAMED = 10

_LAST_ANSWERS = 1.0
"""Seconds of silence after which no more responses are expected from a peer that has stopped reading."""


class PendingRequest(Struct, eq=False):
    """One outbound request."""

    id: int
    method: str
    lane: Id
    """The session that its params name. If they name none, the session of the result is used."""
    caller: Turn | None
    """The turn whose handler made the request."""
    since: float
    """The time of the request, by the clock of the event loop."""
    future: asyncio.Future[Raw]
    """The result, as raw JSON."""

    def succeed(self, result: Raw) -> None:
        """Complete the request with a result, unless its caller has cancelled it."""
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        """Complete the request with an error, unless its caller has cancelled it."""
        if not self.future.done():
            self.future.set_exception(error)


class PendingRequests:
    """The pending requests of a connection."""

    def __init__(self, order: Order, lane_of: Callable[[bytes | Raw | None], Id]) -> None:
        self._order = order
        self._lane_of = lane_of
        self._ids = itertools.count(1)
        self._open: dict[Id | UnsetType, PendingRequest] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, call: PendingRequest) -> bool:
        return call.id in self._open

    def __iter__(self) -> Iterator[PendingRequest]:
        return iter(self._open.values())

    def open(self, method: str, session: Id) -> PendingRequest:
        """Register a new request for the current turn."""
        loop = asyncio.get_running_loop()
        turn = current_turn.get()
        call = PendingRequest(next(self._ids), method, session, turn, loop.time(), loop.create_future())
        self._open[call.id] = call
        if turn is not None:
            self._order.called(turn)
        if self._order.changed is not None:
            self._order.changed()
        return call

    def brought(self, error: RequestError) -> bool:
        """Return whether an error is the response to a request of this connection."""
        return error.origin is self

    def drop(self, call: PendingRequest) -> None:
        """Drop a request whose caller stopped waiting. Does nothing if it was answered."""
        if self._open.pop(call.id, None) and call.caller is not None:
            self._order.answered(call.caller)

    def answer(self, response: Response) -> PendingRequest | None:
        """Complete the request that a response answers, and return it if there is one."""
        call = self._take(response.id)
        if call is not None:
            error, result = response.error, response.result
            failure: Exception | None = error
            if error is not None:
                error.origin = self
                if _unread(error):
                    failure = CallLost(call.method, str(error), may_repeat=True)
            elif not self._order.lanes:  # nothing to wait for: most answers
                call.succeed(result)
                return call
            end = partial(call.succeed, result) if failure is None else partial(call.fail, failure)
            self._order.hold(self._lane_of(result) if call.lane is None else call.lane, call.caller, end)
        return call

    def answer_unreadable(self, fault: Fault) -> PendingRequest | None:
        """Fail the request that a malformed frame names, and return it if there is one."""
        call = self._take(fault.outline.ends)
        if call is not None:
            error = InvalidResponse(call.method, fault.reason, fault.frame)
            self._order.hold(call.lane, call.caller, partial(call.fail, error))
        return call

    def answer_unnamed(self, error: RequestError) -> PendingRequest | None:
        """Fail the only pending request because the peer could not read a request. Does nothing if several are
        pending.
        """
        if error.code not in (PARSE_ERROR, INVALID_REQUEST) or len(self._open) != 1:
            return None
        (call,) = self._open.values()
        self.drop(call)
        error.origin = self
        self._order.hold(call.lane, call.caller, partial(call.fail, error))
        return call

    def _take(self, id: Id | UnsetType) -> PendingRequest | None:
        """Remove and return the pending request with this id. Our ids are integers. Some peers echo them as strings,
        which are accepted.
        """
        call = self._open.pop(id, None)
        if call is None and isinstance(id, str) and len(id) < _DIGITS and id.isascii() and id.isdecimal():
            call = self._open.pop(int(id), None)
        if call is not None and call.caller is not None:
            self._order.answered(call.caller)
        return call

    def fail(self, reason: ConnectionClosed) -> None:
        """Fail all pending requests. A request whose response has arrived, but is held back, is not pending."""
        for call in list(self._open.values()):
            self.drop(call)
            call.fail(reason.again())


def _unread(error: RequestError) -> bool:
    """Return whether an error states that its request was lost in transit and had no effect."""
    return isinstance(error.data, dict) and error.data.get("mayRepeat") is True  # pyright: ignore[reportUnknownMemberType]


class _Plan(Struct, frozen=True):
    """The data shared by all messages of a method."""

    check: Check | None
    """Checks required capabilities; None if the method requires none."""
    reads: Callable[[bytes], Any] | None
    """The receiver's decoder, for verification; None if messages are not verified."""
    head: bytes
    """The start of a notification frame."""
    session: str
    """The attribute of params that names their session; empty if there is none."""


class Outbound:
    """Requests and notifications that one side sends. Raises CapabilityError, InvalidMessage, or ValueError (``encode``).

    `gates`: reject parts that require capabilities which the peer did not advertise according to `terms`.
    """

    def __init__(
        self,
        options: Options,
        channel: Channel,
        pending: PendingRequests,
        protocol: Protocol,
        terms: NegotiatedTerms,
        *,
        gates: bool,
        verifies: bool,
    ) -> None:
        self.begun = False
        self.lost: ConnectionClosed | None = None
        """The reason why no request can be sent any more; None while the peer is connected."""
        self.on_call: Callable[[PendingRequest], None] | None = None
        """Called with each new request."""
        self._channel = channel
        self._pending = pending
        self._cancel = protocol.cancel
        self._ordering = protocol.ordering
        self._terms = terms
        self._gates = gates
        self._verifies = verifies
        self._lenient_enums = options.get("lenient_enums", False)
        self._notifications: dict[str, _Plan] = {}
        self._requests: dict[str, _Plan] = {}
        terms.on_change = self._forget
        timeout = options.get("call_timeout")
        self._times: Mapping[str, float] | None = timeout if isinstance(timeout, Mapping) else None
        self._time: float | None = None if isinstance(timeout, Mapping) else timeout
        """Seconds that a call may take, by method, or of any method; None for no limit."""
        self._report_after = options.get("report_after", REPORT_AFTER)
        self._timer: asyncio.TimerHandle | None = None
        self._named = 0
        """The id of the last call that was logged. Calls with smaller ids are older and were logged before."""

    # The text of messages

    def notification(self, method: Method, params: Any) -> bytes:
        """Encode a notification as a frame."""
        plan = self._notifications.get(method.method)
        if plan is None:
            plan = self._notifications[method.method] = self._plan(method)
        data = self._text(plan, method, params)
        return b"".join((plan.head, data if LINE_END not in data else one_line(data), b"}\n"))

    def request(self, method: Method, params: Any) -> tuple[bytes, Id]:
        """Encode the params of a request as JSON, and return the session that they name."""
        plan = self._requests.get(method.method)
        if plan is None:
            plan = self._requests[method.method] = self._plan(method)
        data = self._text(plan, method, params)
        if not plan.session:
            return data, None
        session = getattr(params, plan.session, None)
        return data, session if type(session) is str or type(session) is int else None

    def _text(self, plan: _Plan, method: Method, params: Any) -> bytes:
        if plan.check is not None and (found := plan.check(params)) is not None:
            raise self._terms.refusal(method, *found)
        data = encode(params)
        if plan.reads is not None:
            try:
                plan.reads(data)
            except REFUSALS:
                verify(method, params, data, lenient_enums=self._lenient_enums)
        return data

    def _plan(self, method: Method) -> _Plan:
        return _Plan(
            self._terms.check(method) if self._gates else None,
            DECODERS[method.params] if self._verifies else None,
            notification_head(self._terms.former.get((method.kind, method.method), method.method)),
            attribute_of(method.params, self._ordering) or "",
        )

    def _forget(self) -> None:
        self._notifications.clear()
        self._requests.clear()

    # Calls

    async def call(self, method: str, params: bytes | None, session: Id = None) -> Raw:
        """Send a request and return its result as raw JSON. `session` is the session that its params name, if any."""
        if not self.begun:
            raise RuntimeError("the connection is not open: enter it with `async with`, or serve() it")
        if self.lost is not None:
            raise self.lost.again()
        call = self._pending.open(method, session)
        if self.on_call is not None:
            self.on_call(call)
        if self._timer is None and self._report_after is not None:
            self._timer = asyncio.get_running_loop().call_later(self._report_after, self._look, self._report_after)
        seconds = self._time if self._times is None else self._times.get(method)
        try:
            # Whoever waits for the answer waits for the room that the request takes, too.
            name = former.get(("request", method), method) if (former := self._terms.former) else method
            self._channel.write(write_request(call.id, name, params))
            del params
            if seconds is None:
                return await call.future
            async with asyncio.timeout(seconds):
                return await call.future
        except asyncio.CancelledError:
            self._give_up(call)
            raise
        except TimeoutError:
            if call.future.done() and not call.future.cancelled():  # it was given up otherwise
                raise
            self._give_up(call)
            raise TimeoutError(f"{method} timed out: no response after {seconds:g} seconds") from None
        except Exception:
            self._pending.drop(call)
            raise

    def _give_up(self, call: PendingRequest) -> None:
        """Cancel a request because its caller stopped waiting."""
        self.tell_given_up(call)
        self._pending.drop(call)

    def tell_given_up(self, call: PendingRequest) -> None:
        """Send a cancellation to the peer, unless the response has arrived or the peer has disconnected."""
        if self._cancel is not None and call in self._pending:
            params = msgspec.json.encode({self._cancel.property: call.id})
            with contextlib.suppress(ConnectionClosed, FrameTooLong):
                self._channel.write(write_notification(self._cancel.method, params))

    def end(self, reason: ConnectionClosed) -> None:
        """Fail all pending requests. A response that is held for its order still completes its request."""
        self.lost = reason
        self._pending.fail(reason)

    def unheard(self, steps: int = 0) -> None:
        """Fail requests after the peer stopped reading, except those whose responses are on the way."""
        if self.lost is not None:
            return
        if steps % 2 and steps == self._channel.steps:
            self._pending.fail(self._channel.break_off())
        elif len(self._pending):
            asyncio.get_running_loop().call_later(_LAST_ANSWERS, self.unheard, self._channel.steps)

    # Time

    def stop_timer(self) -> None:
        """Stop the timer because no request is pending."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self, after: float) -> None:
        now = asyncio.get_running_loop().time()
        self._timer = None
        waiting = [call for call in self._pending if call.id > self._named]
        late = [call for call in waiting if now - call.since >= after]
        if late:
            self._named = late[-1].id
            logger.info("%s: no answer yet to %s", self._channel.outgoing, _listed(late, now))
        if len(late) < len(waiting):
            oldest = waiting[len(late)]
            self._timer = asyncio.get_running_loop().call_later(oldest.since + after - now, self._look, after)


def _listed(calls: list[PendingRequest], now: float) -> str:
    """List requests with their age, up to a limit."""
    names = [f"{call.method} (id {call.id}, {now - call.since:.0f} s)" for call in calls[:_NAMED]]
    rest = len(calls) - _NAMED
    return ", ".join([*names, f"{rest} more"] if rest > 0 else names)
