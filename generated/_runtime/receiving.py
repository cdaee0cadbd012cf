# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""What the peer sends, taken in the order of the wire: its messages to whom they concern.

The law, by what it is:

    a request        runs as soon as what came with it was taken; its answer is the handler's result or error. Before the
                     handshake it is refused, what was not advertised is not found
    a notification   takes a turn in the lane of its session (``order``), unhandled ones are ignored
    a response       resolves its call, behind the notifications that came before it (``order``)
    a fault          ends the call whose id can be read in it; else it is answered once, unless it is an answer itself
"""

from __future__ import annotations

import asyncio
import logging

from .calls import Call, Calls
from .channel import Channel
from .flow import Flow
from .jsonrpc import Fault, Notification, Request, Response
from .order import Order
from .serving import Serving
from .weight import REQUEST, weight

__all__ = ["Receiving"]

logger = logging.getLogger(__name__)

_STALL = 10.0
"""Seconds that an answer may be held for its order before the log asks why."""


class Receiving:
    """The incoming half of a connection."""

    def __init__(self, channel: Channel, flow: Flow, order: Order, serving: Serving, calls: Calls) -> None:
        self._channel = channel
        self._flow = flow
        self._order = order
        self._serving = serving
        self._calls = calls
        self._watched: asyncio.TimerHandle | None = None

    async def take(self) -> bool:
        """Take what the peer sent next; False at the end."""
        channel, flow, order, serving = self._channel, self._flow, self._order, self._serving
        most, heaviest, longest = flow.queue_limit, flow.weight_limit, flow.backlog_limit
        messages = await channel.read()
        if messages is None:
            return False
        for frame, message in messages:
            if frame:
                channel.received(frame)
            # To ask whether it is an instance of a class takes as long as all else that is done here.
            if type(message) is Notification:
                serving.take(message)
            elif type(message) is Response:
                self._take_answer(message)
            elif type(message) is Request:
                cost = REQUEST + weight(message.params)
                if flow.full(cost) and not await flow.admits(cost):
                    serving.refuse(message)
                else:
                    serving.serve(message, cost)
            elif type(message) is Fault:
                self._take_fault(message)
            if order.queued >= most or order.weight >= heaviest or channel.backlog >= longest:
                await flow.pause()
        return True

    def stop(self) -> None:
        """No answer is held any more."""
        if self._watched is not None:
            self._watched.cancel()

    def _take_answer(self, response: Response) -> None:
        call = self._calls.answer(response)
        if call is None:
            if response.id is None and response.error is not None:
                self._serving.complain("the peer could not read a frame: %s", response.error)
            else:
                logger.debug("%s: an answer to no open request, id %r", self._channel.incoming, response.id)
            return
        if response.flaw:
            self._serving.complain("the answer to %s is not as JSON-RPC 2.0 has it: %s", call.method, response.flaw)
        if call.id != response.id:
            self._serving.complain("the id %r of an answer stands for the request %r", response.id, call.id)
        if response.error is not None:
            self._channel.learn(response.error)
        if not call.future.done() and self._watched is None:
            self._watched = asyncio.get_running_loop().call_later(_STALL, self._stalled, call)

    def _take_fault(self, fault: Fault) -> None:
        """A frame that is not a message ends the call that it names; an answer to no call is not answered in turn."""
        call = self._calls.answer_unreadable(fault)
        if call is not None or fault.outline.answers:
            whose = "an answer" if call is None else f"the answer to {call.method}"
            self._serving.complain("%s cannot be read: %s in %s", whose, fault.error, fault.quote)
        else:
            self._serving.reject(fault)

    def _stalled(self, call: Call) -> None:
        """An answer has been held for long: most likely its order is to blame."""
        self._watched = None
        if not call.future.done():
            logger.warning(
                "%s: an answer of session %r waits for the handlers of notifications that came before it for %d seconds. "
                "If such a handler waits for a task that awaits this answer, neither goes on: do not wait in the handler",
                self._channel.incoming,
                call.lane,
                _STALL,
            )
