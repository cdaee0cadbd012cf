# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Detection of silent peers: calls in silent sessions time out, and a lost connection is noticed.

A call times out after a period without messages of its session. The period does not count while a request of the peer
in that session waits for this side, for instance a permission request. A working peer sends updates, so the timeout
distinguishes a hanging agent from a slow one.

A connection is lost if its peer is silent and does not respond to a ping. Every peer responds to a ping, at least
with an error.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

from msgspec import Raw, UnsetType

from ..errors import ConnectionClosed
from ..jsonrpc.parser import Id, Notification
from ..tasks import start
from ..transport.channel import Channel
from .outbound import PendingRequest, PendingRequests

PING = "$/ping"
"""The method of a ping. No handler sees it, and peers that do not know it respond with an error."""
Answer = Callable[[str, Raw | UnsetType], Coroutine[Any, Any, bytes]]


class PeerSilent(TimeoutError):
    """No message of a session arrived in time while a call in it was pending."""


class SilenceWatch:
    """Watches for silence in the sessions of a connection. `give_up` sends the cancellation of a call."""

    def __init__(
        self,
        seconds: float,
        calls: PendingRequests,
        session_in: Callable[[Raw | UnsetType], Id],
        give_up: Callable[[PendingRequest], None],
    ) -> None:
        self._seconds = seconds
        self._calls = calls
        self._session_in = session_in
        self._give_up = give_up
        self._heard: dict[Id, float] = {}
        """The time of the last message of a session with a pending call, by the clock of the event loop."""
        self._asking: dict[Id, int] = {}
        """Number of the peer's requests that wait for this side, by session."""

    def watch(self, call: PendingRequest) -> None:
        """Watch a new call. Calls without a session have no limit."""
        if call.lane is not None:
            self._heard.setdefault(call.lane, call.since)
            self._look_again(call, self._seconds)

    def taking(self, take: Callable[[Notification], Any]) -> Callable[[Notification], Any]:
        """Wrap the function that takes notifications, to record their arrival."""

        def heard(note: Notification) -> Any:
            taken = take(note)
            if taken is not None:
                self._hear(taken[0])
            return taken

        return heard

    def answering(self, answer: Answer) -> Answer:
        """Wrap the function that answers requests, to record their arrival."""

        async def heard(method: str, params: Raw | UnsetType) -> bytes:
            session = self._session_in(params)
            answering = answer(method, params)
            del params
            self._asking[session] = self._asking.get(session, 0) + 1
            try:
                return await answering
            finally:
                self._asking[session] -= 1
                if not self._asking[session]:
                    del self._asking[session]
                self._hear(session)

        return heard

    def _hear(self, session: Id) -> None:
        if session in self._heard:
            self._heard[session] = asyncio.get_running_loop().time()

    def _look_again(self, call: PendingRequest, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._look, call)

    def _look(self, call: PendingRequest) -> None:
        if call not in self._calls:
            if not any(other.lane == call.lane for other in self._calls):
                self._heard.pop(call.lane, None)
            return
        now = asyncio.get_running_loop().time()
        if call.lane in self._asking:
            self._look_again(call, self._seconds)
            return
        left = max(call.since, self._heard.get(call.lane, 0.0)) + self._seconds - now
        if left > 0:
            self._look_again(call, left)
            return
        self._give_up(call)
        self._calls.drop(call)
        text = f"{call.method} timed out: no message of the session {call.lane!r} for {self._seconds:g} seconds"
        call.fail(PeerSilent(text))


class Keepalive:
    """Pings a silent peer. `ping` sends a request and waits for its response, `lose` ends the connection.

    Checks run every `seconds`. After that time without a byte a ping is sent; after the same time again the
    connection is lost.
    """

    def __init__(
        self,
        seconds: float,
        channel: Channel,
        ping: Callable[[], Coroutine[Any, Any, object]],
        lose: Callable[[ConnectionClosed], None],
        peer_side: str,
    ) -> None:
        self._seconds = seconds
        self._channel = channel
        self._ping = ping
        self._lose = lose
        self._peer_side = peer_side
        self._steps = 0
        self._pinging: asyncio.Task[None] | None = None
        self._doubted = False
        """True if the peer was silent at the last check."""
        self._due = 0.0
        self._wait()

    def _wait(self) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time() + self._seconds
        loop.call_at(self._due, self._look)

    def _look(self) -> None:
        steps, before = self._channel.steps, self._steps
        self._steps = steps
        if self._channel.closed is not None:
            return
        held_up = asyncio.get_running_loop().time() > self._due + self._seconds / 2
        # An even number: this side reads nothing now. After a suspension, what came may still have to be read.
        silent = steps == before and steps % 2 == 1 and not held_up
        if silent and self._doubted:
            text = f"the {self._peer_side} sent nothing for {2 * self._seconds:g} seconds and did not respond to a ping"
            self._lose(ConnectionClosed(text))
            return
        self._doubted = silent
        if silent and (self._pinging is None or self._pinging.done()):
            self._pinging = start(self._send())
        self._wait()

    async def _send(self) -> None:
        with contextlib.suppress(Exception):  # any response is a sign of life
            await self._ping()
