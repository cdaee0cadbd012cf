# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Requests that were sent and have no answer yet: their ids, and what becomes of them.

The law: a call ends exactly once, with its result, with the peer's error, with the error that its answer cannot be read,
or with the end of the connection. An answer resolves it in order, behind the notifications that came before it; the end
of the connection does not wait.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import UNSET, Raw, Struct, UnsetType

from .errors import ConnectionClosed, InvalidResponse, RequestError
from .jsonrpc import Fault, Id, Response
from .order import Order, Turn, current_turn

__all__ = ["Call", "Calls"]

_DIGITS = 20
"""Longer numbers are not ids of ours, and may be more than Python reads."""


class Call(Struct, eq=False):
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


class Calls:
    """The open calls of a connection."""

    def __init__(self, order: Order, lane_of: Callable[[bytes | Raw | None], Id]) -> None:
        self._order = order
        self._lane_of = lane_of
        self._ids = itertools.count(1)
        self._open: dict[Id, Call] = {}

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, call: Call) -> bool:
        return call.id in self._open

    def __iter__(self) -> Iterator[Call]:
        return iter(self._open.values())

    def open(self, method: str, session: Id) -> Call:
        """A new call, in the turn of whoever makes it."""
        loop = asyncio.get_running_loop()
        turn = current_turn.get()
        call = Call(next(self._ids), method, session, turn, loop.time(), loop.create_future())
        self._open[call.id] = call
        if turn is not None:
            self._order.called(turn)
        return call

    def brought(self, error: RequestError) -> bool:
        """Whether an error is the answer to a call of this connection."""
        return error.origin is self

    def drop(self, call: Call) -> None:
        """Nobody waits for a call any more; nothing, if it has its answer."""
        if self._open.pop(call.id, None) and call.caller is not None:
            self._order.answered(call.caller)

    def answer(self, response: Response) -> Call | None:
        """End the call that a response answers; the call, if there is one."""
        call = self._answered(response.id)
        if call is not None:
            error, result = response.error, response.result
            if error is not None:
                error.origin = self
            elif self._order.at_rest:  # nothing to wait for: most answers
                self.drop(call)
                call.succeed(result)
                return call
            end = partial(call.succeed, result) if error is None else partial(call.fail, error)
            self._end(call, self._lane_of(result) if call.lane is None else call.lane, end)
        return call

    def answer_unreadable(self, fault: Fault) -> Call | None:
        """End the call that a frame names which is not a message; the call, if there is one."""
        call = self._answered(fault.outline.ends)
        if call is not None:
            error = InvalidResponse(call.method, fault.reason, fault.frame)
            self._end(call, call.lane, partial(call.fail, error))
        return call

    def _end(self, call: Call, lane: Id, end: Callable[[], None]) -> None:
        self.drop(call)
        if self._order.at_rest:
            end()
        else:
            self._order.hold(lane, call.caller, end)

    def _answered(self, id: Id | UnsetType) -> Call | None:
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
