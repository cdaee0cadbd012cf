"""Outbound messages: the text of calls and notifications, and requests until they are answered, timed out or cancelled.

The text is made of params that may be sent and fit their type; else an error says why, and nothing is sent. What the check needs
is found out once for each method.

A call ends exactly once, with its result, with the peer's error, with the error that its answer cannot be read,
or with the end of the connection. An answer resolves it in order, behind the notifications that came before it; the end
of the connection does not wait.

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
from msgspec import UNSET, Raw, Struct, UnsetType

from ..codec.codec import DECODERS, REFUSALS, encode
from ..codec.payloads import session_attribute, verify
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

__all__ = ["REPORT_AFTER", "Outbound", "PendingRequest", "PendingRequests"]

_DIGITS = 20
"""Longer numbers are not ids of ours, and may be more than Python reads."""

logger = logging.getLogger(__name__)
REPORT_AFTER = 60.0
"""Seconds after which a call that has no answer is named in the log."""
_NAMED = 10

_LAST_ANSWERS = 1.0
"""Seconds without a byte after which a peer that does not read any more has answered what it will answer."""


class PendingRequest(Struct, eq=False):
    """One request."""

    id: int
    method: str
    lane: Id
    """The session of its params; None where they name none, then that of its result counts."""
    caller: Turn | None
    """The turn in whose handler it was made."""
    since: float
    """When it was made, by the clock of the event loop."""
    future: asyncio.Future[Raw]
    """Its result, as raw JSON."""

    def succeed(self, result: Raw) -> None:
        """End with a result, unless its caller gave up."""
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        """End with an error, unless its caller gave up."""
        if not self.future.done():
            self.future.set_exception(error)


class PendingRequests:
    """The open calls of a connection."""

    def __init__(self, order: Order, lane_of: Callable[[bytes | Raw | None], Id]) -> None:
        self._order = order
        self._lane_of = lane_of
        self._ids = itertools.count(1)
        self._open: dict[Id, PendingRequest] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, call: PendingRequest) -> bool:
        return call.id in self._open

    def __iter__(self) -> Iterator[PendingRequest]:
        return iter(self._open.values())

    def open(self, method: str, session: Id) -> PendingRequest:
        """A new call, in the turn of whoever makes it."""
        loop = asyncio.get_running_loop()
        turn = current_turn.get()
        call = PendingRequest(next(self._ids), method, session, turn, loop.time(), loop.create_future())
        self._open[call.id] = call
        if turn is not None:
            self._order.called(turn)
        return call

    def brought(self, error: RequestError) -> bool:
        """Whether an error is the answer to a call of this connection."""
        return error.origin is self

    def drop(self, call: PendingRequest) -> None:
        """Nobody waits for a call any more; nothing, if it has its answer."""
        if self._open.pop(call.id, None) and call.caller is not None:
            self._order.answered(call.caller)

    def answer(self, response: Response) -> PendingRequest | None:
        """End the call that a response answers; the call, if there is one."""
        call = self._answered(response.id)
        if call is not None:
            error, result = response.error, response.result
            failure: Exception | None = error
            if error is not None:
                error.origin = self
                if _unread(error):
                    failure = CallLost(call.method, str(error), may_repeat=True)
            elif not self._order.lanes:  # nothing to wait for: most answers
                self.drop(call)
                call.succeed(result)
                return call
            end = partial(call.succeed, result) if failure is None else partial(call.fail, failure)
            self._end(call, self._lane_of(result) if call.lane is None else call.lane, end)
        return call

    def answer_unreadable(self, fault: Fault) -> PendingRequest | None:
        """End the call that a frame names which is not a message; the call, if there is one."""
        call = self._answered(fault.outline.ends)
        if call is not None:
            error = InvalidResponse(call.method, fault.reason, fault.frame)
            self._end(call, call.lane, partial(call.fail, error))
        return call

    def answer_unnamed(self, error: RequestError) -> PendingRequest | None:
        """End the only open call by an error that says that the peer could not read a request; the call, if there is just one."""
        if error.code not in (PARSE_ERROR, INVALID_REQUEST) or len(self._open) != 1:
            return None
        (call,) = self._open.values()
        error.origin = self
        self._end(call, call.lane, partial(call.fail, error))
        return call

    def _end(self, call: PendingRequest, lane: Id, end: Callable[[], None]) -> None:
        self.drop(call)
        self._order.hold(lane, call.caller, end)

    def _answered(self, id: Id | UnsetType) -> PendingRequest | None:
        """The open call of this id. Our ids are integers: some peers echo them as strings, which name no other call."""
        if id is UNSET:
            return None
        if isinstance(id, str) and len(id) < _DIGITS and id.isascii() and id.isdecimal():
            id = int(id)
        return self._open.get(id)

    def fail(self, reason: ConnectionClosed) -> None:
        """No answer will come any more. A call whose answer has come, and is held for its order, is not open."""
        for call in list(self._open.values()):
            self.drop(call)
            call.fail(reason.again())


def _unread(error: RequestError) -> bool:
    """Whether an error says that its request was lost on the way and has had no effect."""
    return isinstance(error.data, dict) and error.data.get("mayRepeat") is True  # pyright: ignore[reportUnknownMemberType]


class _Plan(Struct, frozen=True):
    """What is the same for all messages of a method."""

    check: Check | None
    """Finds what may not be sent; None where anything may."""
    reads: Callable[[bytes], Any] | None
    """The decoder of the receiver; None where nothing is verified."""
    head: bytes
    """How the frame of a notification begins."""
    session: str
    """The attribute of params that names their session; empty where they have none."""


class Outbound:
    """What one side sends. Raises CapabilityError, InvalidMessage, or ValueError (``encode``).

    `changed` is told of each call. `gates`: whether what the peer did not advertise is refused, by `terms`.
    """

    def __init__(
        self,
        options: Options,
        channel: Channel,
        pending: PendingRequests,
        changed: Callable[[], object],
        protocol: Protocol,
        terms: NegotiatedTerms,
        *,
        gates: bool,
        verifies: bool,
    ) -> None:
        self.begun = False
        self.lost: ConnectionClosed | None = None
        """Why no call can be made any more; None while the peer is there."""
        self.on_call: Callable[[PendingRequest], None] | None = None
        """Told of each call."""
        self._channel = channel
        self._pending = pending
        self._changed = changed
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
        """Seconds that a call may take, by method, or of any method; None where it may take as long as it needs."""
        self._report_after = options.get("report_after", REPORT_AFTER)
        self._timer: asyncio.TimerHandle | None = None
        self._named = 0
        """The id of the last call that the log named: ids grow, and so does the time that calls have been open."""

    # The text of messages

    def notification(self, method: Method, params: Any) -> bytes:
        """The frame of a notification."""
        plan = self._notifications.get(method.method)
        if plan is None:
            plan = self._notifications[method.method] = self._plan(method)
        return b"".join((plan.head, self._text(plan, method, params), b"}\n"))

    def request(self, method: Method, params: Any) -> tuple[bytes, Id]:
        """The params of a request as JSON, and the session that they name."""
        plan = self._requests.get(method.method)
        if plan is None:
            plan = self._requests[method.method] = self._plan(method)
        data = self._text(plan, method, params)
        session = getattr(params, plan.session, None) if plan.session else None
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
        return data if LINE_END not in data else one_line(data)

    def _plan(self, method: Method) -> _Plan:
        return _Plan(
            self._terms.check(method) if self._gates else None,
            DECODERS[method.params] if self._verifies else None,
            notification_head(self._terms.former.get((method.kind, method.method), method.method)),
            session_attribute(method.params, self._ordering) or "",
        )

    def _forget(self) -> None:
        self._notifications.clear()
        self._requests.clear()

    # Calls

    async def call(self, method: str, params: bytes | None, session: Id = None) -> Raw:
        """The result of a request, as raw JSON. The session is the one that its params name, if any."""
        if not self.begun:
            raise RuntimeError("the connection does not run: enter it with `async with`, or serve() it")
        if self.lost is not None:
            raise self.lost.again()
        call = self._pending.open(method, session)
        if self.on_call is not None:
            self.on_call(call)
        self._changed()
        if self._timer is None and self._report_after is not None:
            self._timer = asyncio.get_running_loop().call_later(self._report_after, self._look, self._report_after)
        seconds = self._time if self._times is None else self._times.get(method)
        try:
            # Whoever waits for the answer waits for the room that the request takes, too.
            former = self._terms.former
            name = former.get(("request", method), method) if former else method
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
        """Nobody waits for the answer any more."""
        self.tell_given_up(call)
        self._pending.drop(call)

    def tell_given_up(self, call: PendingRequest) -> None:
        """Tell the peer that nobody waits for an answer any more, unless it is here or the peer is gone."""
        if self._cancel is not None and call in self._pending:
            params = msgspec.json.encode({self._cancel.property: call.id})
            with contextlib.suppress(ConnectionClosed, FrameTooLong):
                self._channel.write(write_notification(self._cancel.method, params))

    def end(self, reason: ConnectionClosed) -> None:
        """No answer will come any more. One that has come, and is held for its order, still resolves its call."""
        self.lost = reason
        self._pending.fail(reason)

    def unheard(self, steps: int = 0) -> None:
        """The peer reads no more: calls end, but for those whose answer is among what it has sent, or sends for a while yet."""
        if self.lost is not None:
            return
        if steps % 2 and steps == self._channel.steps:
            self._pending.fail(self._channel.break_off())
        elif len(self._pending):
            asyncio.get_running_loop().call_later(_LAST_ANSWERS, self.unheard, self._channel.steps)

    # Time

    def stop_timer(self) -> None:
        """No call is open any more."""
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
    """Calls with how long they have been open; not all, where there are many."""
    names = [f"{call.method} (id {call.id}, {now - call.since:.0f} s)" for call in calls[:_NAMED]]
    rest = len(calls) - _NAMED
    return ", ".join([*names, f"{rest} more"] if rest > 0 else names)
