# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Requests to the peer: sent, awaited, given up.

The law: a call ends, with its answer or an error; the peer is told of one that nobody waits for any more.
"""

from __future__ import annotations

import asyncio
import contextlib

import msgspec
from msgspec import Raw

from ._base import Cancel
from .calls import Call, Calls
from .channel import Channel
from .errors import ConnectionClosed, FrameTooLong
from .flow import Flow
from .jsonrpc import Id
from .longcalls import LongCalls
from .writing import write_notification, write_request

__all__ = ["Asking"]

_LAST_ANSWERS = 1.0
"""Seconds without a byte after which a peer that does not read any more has answered what it will answer."""


class Asking:
    """The calls that one side makes. `cancel`: how the peer is told that one was given up."""

    def __init__(self, channel: Channel, calls: Calls, patience: LongCalls, flow: Flow, cancel: Cancel | None) -> None:
        self.begun = False
        self.lost: ConnectionClosed | None = None
        """Why no call can be made any more; None while the peer is there."""
        self._channel = channel
        self._calls = calls
        self._patience = patience
        self._flow = flow
        self._cancel = cancel

    async def call(self, method: str, params: bytes | None, session: Id = None) -> Raw:
        """The result of a request, as raw JSON. The session is the one that its params name, if any."""
        if not self.begun:
            raise RuntimeError("the connection does not run: enter it with `async with`, or serve() it")
        if self.lost is not None:
            raise self.lost.again()
        call = self._calls.open(method, session)
        self._flow.changed()
        seconds = self._patience.watch(method)
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
            self._give_up(call)
            raise TimeoutError(f"{method} was given up: it has no answer after {seconds:g} seconds") from None
        except Exception:
            self._calls.drop(call)
            raise

    def _give_up(self, call: Call) -> None:
        """Nobody waits for the answer any more: tell the peer, unless the answer is here or the peer is gone."""
        if self._cancel is not None and call in self._calls:
            params = msgspec.json.encode({self._cancel.property: call.id})
            with contextlib.suppress(ConnectionClosed, FrameTooLong):
                self._channel.write(write_notification(self._cancel.method, params))
        self._calls.drop(call)

    def end(self, reason: ConnectionClosed) -> None:
        """No answer will come any more. One that has come, and is held for its order, still resolves its call."""
        self.lost = reason
        self._calls.fail(reason)

    def unheard(self, steps: int = 0) -> None:
        """The peer reads no more: calls end, but for those whose answer is among what it has sent, or sends for a while yet."""
        if self.lost is not None:
            return
        if steps % 2 and steps == self._channel.steps:
            self._calls.fail(self._channel.break_off())
        elif len(self._calls):
            asyncio.get_running_loop().call_later(_LAST_ANSWERS, self.unheard, self._channel.steps)
