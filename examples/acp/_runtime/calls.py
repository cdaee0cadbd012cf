# Generated: part of every package, the same for every schema. Do not edit.
"""Requests that were sent and have no answer yet: their ids, and what becomes of them.

The law: a call ends exactly once, with its result, with the peer's error, or with the end of the connection. An answer
resolves it in order, behind the notifications that came before it; the end of the connection does not wait.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from functools import partial

from msgspec import Raw

from .errors import ConnectionClosed
from .jsonrpc import Id, Response
from .order import Order, Turn, current_turn

__all__ = ["Call", "Calls"]

_DIGITS = 20
"""Longer numbers are no ids of ours, and may be more than Python reads."""


class Call:
    """One request. ``future`` is its result, as raw JSON."""

    __slots__ = ("caller", "future", "id", "lane")

    def __init__(self, id: int, lane: Id, caller: Turn | None) -> None:
        self.id = id
        self.future: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        self.lane = lane
        """The session of its params; None where they name none, then that of its result counts."""
        self.caller = caller
        """The turn in whose handler it was made."""

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

    def open(self, params: bytes | None) -> Call:
        """A new call, in the turn of whoever makes it."""
        call = Call(next(self._ids), self._lane_of(params), current_turn.get())
        self._open[call.id] = call
        self._order.called(call.caller)
        return call

    def drop(self, call: Call) -> None:
        """Nobody waits for a call any more; nothing, if it has its answer."""
        if self._open.pop(call.id, None):
            self._order.answered(call.caller)

    def answer(self, response: Response) -> Call | None:
        """End the call that a response answers; the call, if there is one."""
        call = self._answered(response.id)
        if call is None:
            return None
        self.drop(call)
        end = partial(call.succeed, response.result) if response.error is None else partial(call.fail, response.error)
        if self._order.at_rest:
            end()
        else:
            self._order.hold(self._lane_of(response.result) if call.lane is None else call.lane, call.caller, end)
        return call

    def _answered(self, id: Id) -> Call | None:
        """The open call of this id. Our ids are integers: some peers echo them as strings, which name no other call."""
        if isinstance(id, str) and len(id) < _DIGITS and id.isascii() and id.isdecimal():
            id = int(id)
        return self._open.get(id)

    def fail(self, reason: ConnectionClosed) -> None:
        """No answer will come any more. A call whose answer has come, and is held for its order, is not open."""
        for call in list(self._open.values()):
            self.drop(call)
            call.fail(reason.again())
