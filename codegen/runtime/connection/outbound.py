"""Outbound requests: sent, answered, timed, and cancelled when nobody waits any more.

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

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ..errors import (
    INVALID_REQUEST,
    PARSE_ERROR,
    CallLost,
    ConnectionClosed,
    FrameTooLong,
    InvalidResponse,
    RequestError,
)
from ..jsonrpc.encoder import write_notification, write_request
from ..jsonrpc.parser import Fault, Id, Response
from ..schema.definitions import Cancel
from ..transport.channel import Channel
from .options import Options
from .ordering import Order, Turn, current_turn

__all__ = ["REPORT_AFTER", "CallTimer", "Outbound", "PendingRequest", "PendingRequests"]

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
            elif self._order.at_rest:  # nothing to wait for: most answers
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
        if self._order.at_rest:
            end()
        else:
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


class CallTimer:
    """The patience that a connection has with the calls of its side."""

    def __init__(
        self,
        calls: PendingRequests,
        direction: str,
        timeout: float | Mapping[str, float] | None,
        report_after: float | None,
    ) -> None:
        self._pending = calls
        self._direction = direction
        self._timeout = timeout
        self._report_after = report_after
        self._timer: asyncio.TimerHandle | None = None
        self._named = 0
        """The id of the last call that was named: ids grow, and so does the time that calls have been open."""

    def watch(self, method: str) -> float | None:
        """A call was made: seconds that it may take; None where it may take as long as it needs."""
        if self._timer is None and self._report_after is not None:
            self._timer = asyncio.get_running_loop().call_later(self._report_after, self._look, self._report_after)
        if self._timeout is None:
            return None
        return self._timeout.get(method) if isinstance(self._timeout, Mapping) else self._timeout

    def stop(self) -> None:
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
            logger.info("%s: no answer yet to %s", self._direction, _listed(late, now))
        if len(late) < len(waiting):
            oldest = waiting[len(late)]
            self._timer = asyncio.get_running_loop().call_later(oldest.since + after - now, self._look, after)


def _listed(calls: list[PendingRequest], now: float) -> str:
    """Calls with how long they have been open; not all, where there are many."""
    names = [f"{call.method} (id {call.id}, {now - call.since:.0f} s)" for call in calls[:_NAMED]]
    rest = len(calls) - _NAMED
    return ", ".join([*names, f"{rest} more"] if rest > 0 else names)


class Outbound:
    """The calls that one side makes. `changed` is told of each, `cancel` says how the peer is told that one was given up."""

    def __init__(
        self,
        options: Options,
        channel: Channel,
        pending: PendingRequests,
        changed: Callable[[], object],
        cancel: Cancel | None,
    ) -> None:
        self.begun = False
        self.lost: ConnectionClosed | None = None
        """Why no call can be made any more; None while the peer is there."""
        self._channel = channel
        self._pending = pending
        self.timer = CallTimer(
            pending, channel.outgoing, options.get("call_timeout"), options.get("report_after", REPORT_AFTER)
        )
        self._changed = changed
        self._cancel = cancel
        self.on_call: Callable[[PendingRequest], None] | None = None
        """Told of each call."""

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
        seconds = self.timer.watch(method)
        try:
            # Whoever waits for the answer waits for the room that the request takes, too.
            self._channel.write(write_request(call.id, method, params))
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
