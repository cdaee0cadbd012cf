# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Start and end of a connection. Either side can end it, and it ends once.

the peer disconnects, or reading fails   pending calls fail immediately; handlers may run on for the linger time
too much is queued (QueueOverflow)       the same, without the linger time
this side closes                         handlers are cancelled; handlers and unsent frames get two seconds
"""

from __future__ import annotations

import asyncio
import contextvars
import logging

from ..errors import ConnectionClosed, QueueOverflow
from ..tasks import Once, start
from ..transport.channel import Channel
from .inbound import Inbound
from .open_sessions import OpenSessions
from .ordering import current_turn
from .outbound import Outbound
from .session_requests import ServedSessions

logger = logging.getLogger(__name__)
_LAST_FRAMES = 2.0
"""Seconds for handlers and the last frames to finish when this side closes."""


class Lifecycle:
    """Starts and ends a connection. `linger`: seconds that handlers may continue after the peer has disconnected."""

    def __init__(
        self,
        peer_side: str,
        channel: Channel,
        inbound: Inbound,
        outbound: Outbound,
        served: ServedSessions,
        sessions: OpenSessions,
        linger: float,
    ) -> None:
        self.finished = Once()
        """Set when the last handler is done or no longer awaited."""
        self._peer_side = peer_side
        self._channel = channel
        self._workers = inbound.workers
        self._inbound = inbound
        self._outbound = outbound
        self._served = served
        self._sessions = sessions
        self._linger = linger
        self._runner: asyncio.Task[None] | None = None
        self._closers: set[asyncio.Task[None]] = set()
        self._finishing = False

    def begin(self) -> None:
        """Start a task that reads and dispatches messages."""
        # A connection that is opened inside a handler of another one does not run on that one's turn.
        context = contextvars.copy_context()
        context.run(current_turn.set, None)
        self._runner = start(self._run(), context)
        self._outbound.begun = True

    async def close(self) -> None:
        """Close the connection. A handler that calls this is not cancelled, and does not wait for other handlers."""
        self.abort(ConnectionClosed("the connection was closed on this side"))
        if self._runner is not None:
            if self._served.runs_current():
                return
            if self._workers.runs_current():
                self._closers.add(self._workers.occupied())
            else:
                await asyncio.wait([self._runner])

    def abort(self, reason: ConnectionClosed) -> None:
        """Start to close the connection for a reason, without waiting."""
        self.end(reason)
        if self._runner is not None:
            # Not before its first step, or nothing would be closed.
            asyncio.get_running_loop().call_soon(self._stop)

    def _stop(self) -> None:
        """Stop reading and lingering."""
        if self._runner is not None and not self._finishing:
            self._runner.cancel()

    async def _run(self) -> None:
        reason = ConnectionClosed(f"the {self._peer_side} closed the connection")
        try:
            try:
                await self._workers.run(self._inbound.take)
            except ConnectionClosed as error:
                reason = error
            except Exception as error:
                logger.exception("%s: reading failed", self._channel.incoming)
                reason = ConnectionClosed(f"the connection failed: {error}")
            self.end(reason)
            if not isinstance(reason, QueueOverflow):
                await self._workers.wait(self._linger)
            patience = self._linger / 2
        except asyncio.CancelledError:
            self.end(reason)
            patience = _LAST_FRAMES
        self._finishing = True
        await self._finish(self._outbound.lost or reason, patience)

    def end(self, reason: ConnectionClosed) -> None:
        """Fail the pending requests. A response that has arrived, and is held for its order, still completes its
        request.
        """
        if self._outbound.lost is None:
            self._inbound.dispatcher.lost = True
            logger.debug("%s: %s", self._channel.outgoing, reason)
            self._outbound.end(reason)
            self._channel.release()

    async def _finish(self, reason: ConnectionClosed, patience: float) -> None:
        self._channel.closed = reason
        stubborn = await self._workers.end(self._closers, patience)
        if stubborn:
            logger.warning("%s: %d handlers do not end", self._channel.incoming, stubborn)
        await self._served.settle(patience)
        self._sessions.lose(reason)
        self._inbound.order.abandon()
        self._outbound.stop_timer()
        self._inbound.stop()
        await self._channel.close(patience)
        self.finished.set()
