"""When reading pauses, so that a peer cannot make memory grow here, and when it must go on all the same.

    what grows                          reading pauses at     unless                     beyond the hard limit
    --------------------------------    ------------------    -----------------------    ------------------------
    notifications that wait for         ``queue_limit``       one of their handlers      ``hard_queue_limit``: the
    their handlers                                            awaits the peer            connection closes
    bytes that the peer does not read   ``backlog_limit``     a call is open             eight times: it closes
    requests that are being served      ``request_limit``     a call is open, or for     the same: refused, each with
                                        (for a moment)        long, none has ended       an error
    the memory of all three             a quarter for         as above                   all of it: the connection
    (``memory_limit``)                  notifications,                                   closes; half for requests:
                                        an eighth unread                                 refused

What ends a request may come behind it, so reading never pauses for requests alone. And a peer that has hung up can send
no more than what is on the way: reading goes on to its end, unless the peer left its answers unread.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sized
from typing import Any, TypedDict

from .channel import Channel, FrameHook
from .errors import ConnectionClosed, QueueOverflow
from .order import Order
from .serving import Serving
from .workers import Workers

__all__ = ["Flow", "Options"]

_PATIENCE = 0.1
"""Seconds of a pause until it is looked at again."""
_HARD_BACKLOG = 8


class Options(TypedDict, total=False):
    """What can be set on a connection."""

    check_capabilities: bool
    """Refuse to send what the peer did not advertise. Default: True."""
    check_messages: bool
    """Refuse to send what is not of its method's type. Default: True, unless the environment has CODEGEN_CHECK_MESSAGES=0."""
    keep_undeclared: bool
    """Keep the members of records that the schema does not declare, and write them back: for what passes messages on or
    records them. ``undeclared(record)`` gives them. Reading takes several times as long. Default: False."""
    lenient_enums: bool
    """Let values through that a closed enumeration does not have, instead of refusing the message. Default: False."""
    any_name: bool
    """Hand methods that no table types to ``ext_method`` and ``ext_notification`` whatever their names are, for what passes on the
    methods of others; names that start with ``$/`` aside. Default: False, only those that start with ``_``."""
    on_frame: FrameHook | None
    """Sees every frame in both directions."""
    frame_limit: int
    """Bytes a frame may have: longer ones are skipped, and not sent. The peer is reported in the handshake. Default: 32 MiB."""
    queue_limit: int
    """Notifications that may wait for their handlers before reading pauses. Default: 1,000."""
    hard_queue_limit: int
    """Notifications that may wait while a handler awaits the peer, so that reading must go on. Default: 100,000."""
    request_limit: int
    """Requests that may be served at once; more are refused unless others end soon. Default: 10,000."""
    backlog_limit: int
    """Bytes that may wait for a peer that does not read them before reading pauses; beyond eight times as many, which
    only an awaited answer leads to, the connection closes. Default: 32 MiB."""
    call_timeout: float | Mapping[str, float] | None
    """Seconds after which a call that has no answer is given up: it raises TimeoutError, and the peer is reported. A mapping
    gives them by the method on the wire; what it lacks may take as long as it needs. Default: None, that goes for all."""
    report_after: float | None
    """Seconds after which a call that has no answer is named in the log, once, as information. Default: 60."""
    memory_limit: int
    """Bytes of memory that a peer can have this connection hold, the frame that is being read aside (``frame_limit``):
    requests that are being served, notifications that wait, what it does not read. Default: 256 MiB."""
    tracing: Any
    """A span of OpenTelemetry for each request on this side, and the trace context in `_meta`: a TracerProvider, or
    True for the program's own. Needs `opentelemetry-api`. Default: False, which costs nothing and imports nothing."""
    linger: float
    """Seconds that handlers have to finish after the peer has left. Those that must be cancelled have half as much to
    clean up, and what is left to write half as much to leave. Default: 0.4, so that a program ends within a second."""


class Flow:
    """What waits on a connection, and how much of it may."""

    def __init__(
        self, options: Options, channel: Channel, order: Order, serving: Serving, workers: Workers, calls: Sized
    ) -> None:
        self.queue_limit = options.get("queue_limit", 1_000)
        self._hard_queue_limit = options.get("hard_queue_limit", 100_000)
        self._request_limit = options.get("request_limit", 10_000)
        self._memory_limit = options.get("memory_limit", 1 << 28)
        self.backlog_limit = min(options.get("backlog_limit", 1 << 25), self._memory_limit // 8)
        self.weight_limit = self._memory_limit // 4
        """Where reading pauses: at so many notifications that wait, bytes of memory that they take, bytes that nobody reads."""
        self._channel = channel
        self._order = order
        self._order.watched = False
        self._serving = serving
        self._workers = workers
        self._calls = calls
        self._room: asyncio.Event | None = None
        self._awaited: Callable[[], bool] | None = None
        self._refusing = False

    async def pause(self) -> None:
        """Wait until there is room, or until waiting is of no use.

        Raises QueueOverflow beyond the hard limits, ConnectionClosed where the peer has left with its answers unread.
        """
        if self._channel.hung_up():
            self._leave_unread()
            return
        if self._order.queued > self._hard_queue_limit:
            raise QueueOverflow(f"more than {self._hard_queue_limit} notifications wait for their handlers")
        if self._channel.backlog > (hard_limit := _HARD_BACKLOG * self.backlog_limit):
            raise QueueOverflow(f"more than {hard_limit} bytes wait for a peer that does not read")
        if self._order.weight + self._serving.weight + self._channel.backlog > self._memory_limit:
            raise QueueOverflow(f"more than {self._memory_limit} bytes of memory are held for the peer")
        while not self._has_room() and not self._channel.hung_up():
            await self._change(self._has_room)

    def _leave_unread(self) -> None:
        if self._channel.backlog >= self.backlog_limit:
            raise ConnectionClosed("the peer hung up, and did not read what was sent to it")

    def full(self, cost: int) -> bool:
        """Whether a request that takes so much memory is one too many."""
        held = self._order.weight + self._serving.weight + self._channel.backlog
        some = held < self._memory_limit // 2 and held + cost <= self._memory_limit
        if some and len(self._workers) < self._request_limit:
            self._refusing = False
            return False
        return True

    async def admits(self, cost: int) -> bool:
        """Whether one more request may be served after all: waits a moment for another to end, once in a flood."""
        if not self._refusing and not self._calls:
            await self._change(lambda: not self.full(cost))
        self._refusing = self.full(cost)
        return not self._refusing

    def changed(self) -> None:
        """Less waits than before, or a handler awaits the peer: a pause may be over."""
        if self._room is not None and self._awaited is not None and self._awaited():
            self._room.set()

    async def _change(self, awaited: Callable[[], bool]) -> None:
        """Wait for a condition, but not for long."""
        self._awaited = awaited
        self._order.watched = True
        room = self._room = asyncio.Event()
        self._workers.delegate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await room.wait()
        self._awaited = self._room = None
        self._order.watched = False

    def _has_room(self) -> bool:
        few = self._order.queued <= self.queue_limit // 2 and self._order.weight <= self._memory_limit // 8
        queue = self._order.awaiting > 0 or few
        return queue and (bool(self._calls) or self._channel.backlog <= self.backlog_limit // 2)
