"""A connection: both roles on one transport, from its beginning to its end.

This module combines ``inbound`` (messages of the peer), ``outbound`` (requests to the peer) and ``lifecycle`` (start
and end) on asyncio. Each handler runs like a task of its own.

    too many notifications are queued   reading pauses, unless a handler awaits the peer; above the hard limit, the
                                        connection closes with QueueOverflow
    the caller cancels a call           the connection sends a cancellation to the peer
    the peer cancels its call           the connection cancels the handler
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

from msgspec import UNSET, Raw

from ..codec.codec import encode
from ..codec.payloads import checks_by_default, decode_plain
from ..codec.values import Reading
from ..errors import CapabilityError, ConnectionClosed, QueueOverflow, SessionEnded, VersionError
from ..jsonrpc.encoder import write_notification
from ..jsonrpc.parser import FRAME_LIMIT, peek
from ..schema.definitions import Method, Protocol
from ..tasks import AT_ONCE, outcome_of
from ..transport.base import Caller, Input, Output, Transport, source_of
from ..transport.channel import HIGH_WATER, Channel
from ..transport.limits import Limits
from .handlers import Peer, refuse_misfits
from .inbound import Inbound
from .lifecycle import Lifecycle
from .open_sessions import OpenSessions
from .options import Options, check_options, part, protocol_with
from .outbound import Outbound
from .router import Router
from .session_requests import ServedSessions, SessionCalls
from .subscriptions import Hear

if TYPE_CHECKING:  # what starts processes takes long to import, and an agent may never need it
    from ..transport.child import Child

    Ask = Callable[..., Coroutine[Any, Any, Raw]]
    Frame = Callable[[Method, Any], bytes]

__all__ = ["Connection", "Options"]

logger = logging.getLogger(__name__)


class Connection:
    """One side of a connection, on two byte streams or a transport. Subclasses add a typed call for each method.

    The connection runs during ``async with connection``, or during ``await connection.serve()``. Calls raise:

    - ``RequestError``: the peer answered with an error.
    - ``CapabilityError``, ``InvalidMessage``, ``FrameTooLong``: nothing was sent.
    - ``ConnectionClosed``: the peer disconnected.
    - ``TimeoutError``: no response within ``call_timeout`` or ``silence_timeout``.
    - ``InvalidResponse``: the response cannot be read, or its result has the wrong type.
    """

    _protocol: Protocol
    _side: ClassVar[str]
    _peer_side: ClassVar[str]

    outlived: bool = False
    """True if handlers may continue after the connection ends, because their notifications are stored elsewhere.
    """
    process: Child | None = None
    """The peer's process, if it was spawned for this connection."""
    caller: Caller | None = None
    """The client that opened the connection over HTTP or WebSocket."""

    def __init__(
        self,
        handler: Peer | Callable[[], Peer],
        reader: Input | Transport,
        writer: Output | None = None,
        **options: Unpack[Options],
    ) -> None:
        if not isinstance(handler, Peer) and callable(handler):
            handler = handler()
        if not isinstance(handler, Peer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{type(handler).__name__} is not a Peer: derive it from the emitted base of its side")
        check_options(options, Options.__annotations__)
        self._protocol = protocol_with(self._protocol, options)
        refuse_misfits(self._protocol, self._side, handler)
        _claim(handler, self._peer_side)
        gates = options.get("check_capabilities", True)
        verifies = options.get("check_messages", checks_by_default())
        limits, hook = options.get("limits", Limits()), options.get("on_frame")
        source = source_of(reader, writer, limits.frame, hook is not None)
        self._channel = Channel(self._side, self._peer_side, source, limits.frame, hook)
        reading = Reading(
            keep_undeclared=options.get("keep_undeclared", False), lenient_enums=options.get("lenient_enums", False)
        )
        self._router = Router(
            self._protocol,
            self._side,
            self._peer_side,
            handler,
            verifies=verifies,
            how=reading,
            gates=gates,
            any_name=options.get("any_name", False),
            direction=self._channel.incoming,
        )
        self._router.frame_limit = None if limits.frame == FRAME_LIMIT else limits.frame
        self._router.on_frame_limit = self._channel.limit
        self._lane_of = peek(self._protocol.ordering)
        self._opening: Any = None
        """The response to the opening request, if that was sent before this connection existed."""
        self._leavers: list[Callable[[], None]] = []
        """Functions to call before the next request is sent."""
        self._open_sessions = sessions = OpenSessions()
        self._inbound = inbound = Inbound(limits, self._channel, self._router, self._protocol, sessions)
        work = inbound.dispatcher.work
        self._served = ServedSessions(self._protocol, sessions, self._router, self._channel, work)
        self._session_calls = calls = SessionCalls(
            self._protocol, self._side, sessions, self._router, inbound.dispatcher.early, work, verifies=verifies
        )
        inbound.dispatcher.unread = calls.unread
        self._outbound = Outbound(
            options,
            self._channel,
            inbound.pending,
            self._protocol,
            self._router.terms,
            gates=gates,
            verifies=verifies,
        )
        self._channel.on_break = self._outbound.unheard
        self._ask: Ask = self._outbound.call
        self._frame: Frame = self._outbound.notification
        self._tracing: Any = None
        if provider := options.get("tracing"):
            self._trace(provider)
        work.give_up = self._outbound.tell_given_up
        if (seconds := options.get("silence_timeout")) is not None:
            self._watch_silence(seconds)
        self._lifecycle = Lifecycle(
            self._peer_side,
            self._channel,
            inbound,
            self._outbound,
            self._served,
            sessions,
            options.get("linger", 0.4),
        )
        self._keepalive: float | None = options.get("keepalive")
        setattr(handler, self._peer_side, self)

    def _watch_silence(self, seconds: float) -> None:
        """Time out calls in sessions without messages for this many seconds."""
        from .silence import SilenceWatch  # noqa: PLC0415  # for those who set a limit

        dispatcher, outbound = self._inbound.dispatcher, self._outbound
        watch = SilenceWatch(seconds, self._inbound.pending, self._router.session_in, outbound.tell_given_up)
        outbound.on_call = watch.watch
        dispatcher.taking = watch.taking(dispatcher.taking)
        dispatcher.answering = watch.answering(dispatcher.answering)

    def on_notification(self, framed: Callable[[Frame, Method, Any], bytes]) -> None:
        """Wrap the function that encodes each typed notification of this side."""
        self._frame = partial(framed, self._frame)

    @property
    def keyed(self) -> bool:
        """True if both sides agreed that the served side remembers idempotency keys."""
        return self._router.remembered is not None

    def _trace(self, provider: Any) -> None:
        """Trace requests, handlers and notifications."""
        tracing = self._tracing = part("connection.telemetry", "tracing").Tracing(self._protocol, provider)
        self._ask = tracing.asking(self._ask)
        self._frame = tracing.framing(self._frame, write_notification)
        dispatcher = self._inbound.dispatcher
        dispatcher.answering = tracing.answering(dispatcher.answering)
        dispatcher.taking = tracing.taking(dispatcher.taking)

    @property
    def protocol_version(self) -> int | None:
        """The version of the protocol that both sides agreed on; None before the handshake."""
        return self._router.protocol_version

    @property
    def capabilities(self) -> Any:
        """The capabilities that the peer advertised; None before the handshake."""
        return self._router.capabilities

    def offers(self, call: Method | str, **parameters: Any) -> bool:
        """Return whether the peer advertised the capability for a call, given as its row or its Python name.

        With parameters, return whether a call with these parameters may be sent. True means any value, as in
        ``offers("open", mode=True)``. Before the handshake, only calls without a gate are offered.
        """
        return self.objection(call, **parameters) is None

    def objection(self, call: Method | str, **parameters: Any) -> CapabilityError | None:
        """The reason why a call cannot be sent, with the missing ``capability``; None if it can be sent.

        If params are a union, one variant that may be sent is sufficient.
        """
        return self._router.terms.objection(self._row(call) if isinstance(call, str) else call, parameters)

    def _row(self, name: str) -> Method:
        for row in self._protocol.methods.values():
            if row.python_name == name and row.side == self._peer_side:
                return row
        raise ValueError(f"no call to the {self._peer_side} has the name {name!r}")

    @property
    def open_sessions(self) -> OpenSessions:
        """The open and ended sessions of this connection."""
        return self._open_sessions

    @property
    def history_complete(self) -> bool:
        """True if a call that loads a session returns only after the whole history was handled.

        False means unknown: the peer does not number the frames of its event streams, so they have no order.
        """
        return self._channel.ordered

    @property
    def unending(self) -> bool:
        """True if cancelled handlers still run although the connection is closed."""
        return self.finished and bool(self._inbound.workers.tasks)

    @property
    def busy(self) -> bool:
        """True if a request of the peer is pending, or data waits for the transport."""
        return len(self._inbound.dispatcher) > 0 or self._channel.backlog > 0

    @property
    def finished(self) -> bool:
        """True if the connection is closed permanently, and no handler is awaited any more."""
        return self._lifecycle.finished.is_set()

    @property
    def closed(self) -> ConnectionClosed | None:
        """The reason why calls are no longer possible; None while the connection is open."""
        return self._outbound.lost

    # Life and death

    async def __aenter__(self) -> Self:
        self._lifecycle.begin()
        if self._keepalive is not None:
            from .silence import PING, Keepalive  # noqa: PLC0415  # for those who set it

            ping = partial(self._outbound.call, PING, None)
            Keepalive(self._keepalive, self._channel, ping, self._lifecycle.abort, self._peer_side)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def serve(self) -> None:
        """Run until the connection is closed. Raises QueueOverflow if that closed it."""
        async with self:
            await self.wait_closed()
        if isinstance(self._outbound.lost, QueueOverflow):
            raise self._outbound.lost

    async def wait_closed(self) -> None:
        """Wait until the connection is closed and its last handler is done."""
        await self._lifecycle.finished.wait()

    async def close(self) -> None:
        """Close the connection: pending calls fail, and handlers are cancelled. Repeated calls are allowed.

        A handler that calls this is not cancelled, and does not wait for other handlers.
        """
        await self._lifecycle.close()

    # What is sent

    async def ext_request(self, method: str, params: Any = UNSET, *, any_name: bool = False) -> Any:
        """Call an extension method. Params and result are plain JSON, and no capability is checked.

        The name starts with ``_``. `any_name` allows any name.
        """
        method, text = _extension(method, any_name=any_name), _encoded(params)
        return decode_plain(method, await self._ask(method, text, self._lane_of(text)))

    async def ext_notify(self, method: str, params: Any = UNSET, *, any_name: bool = False) -> None:
        """Send an extension notification. The rules for names are the same as for ``ext_request``."""
        text = _encoded(params)
        if self._tracing is not None:
            text = self._tracing.carry(text)
        await self._channel.send(write_notification(_extension(method, any_name=any_name), text))

    async def _request(self, method: Method, params: Any) -> Any:
        """Make a typed call."""
        while self._leavers:
            self._leavers.pop()()
        if self._open_sessions.quiet and self._drops(method, params):
            raise SessionEnded(self._router.session_of(params), "it was closed")
        asked: Any = self._outbound.request(method, params)
        way = self._session_calls.ways.get(method.method)
        begun = None if way is None else way[0](self._session_calls, method, params)
        result: Any = UNSET
        asked = self._ask(method.method, *asked)  # nobody holds the text while the answer is awaited
        try:
            result = self._router.result(method, await asked)
            return result
        finally:
            if way is not None:
                way[1](self._session_calls, method, params, begun, result)

    def _before_next(self, call: Callable[[], None]) -> None:
        """Call a function before the next request is sent."""
        self._leavers.append(call)

    def _busy(self) -> bool:
        """Return whether this side waits for responses of the peer, not counting streams."""
        return len(self._inbound.pending) + self._inbound.order.held > self._router.notes.awaiting

    def _listen(self, note: Method, session: Any, part: str, hear: Hear, *, awaits: bool = False) -> Callable[[], None]:
        """Call a function with each update of a session, after the handler. The returned function removes it. `awaits`:
        as for a stream.
        """
        return self._router.notes.listen(note, session, part, hear, awaits=awaits)

    def _overhear(self, wanted: Callable[[type], bool], hear: Callable[[Any], object]) -> Callable[[], None]:
        """Call a function with the params of each request of a wanted type. The returned function removes it."""
        return self._router.overhear(wanted, hear)

    def _provide(self, method: Method, handler: Callable[[Any, Any], Any]) -> None:
        """Handle a request from now on. The handler gets the params and the peer's own handler, or None."""
        self._router.provide(method, handler)

    def _session_of(self, message: Any) -> Any:
        """The session id in typed params or in a result; None if there is none."""
        return self._router.session_of(message)

    def _kept_state(self, session: Any) -> Any:  # noqa: ARG002  # for connections that keep states
        """The state of a session if the connection itself tracks it, otherwise None."""
        return None

    def _interrupted(self, method: Method, session: Any) -> Awaitable[bool]:
        """Interrupt the requests of a session as the protocol defines it, immediately; False if the protocol has no
        means.
        """
        interrupt, sessions = self._protocol.interrupt, self._protocol.sessions
        is_turn = sessions is not None and method.method in sessions.turns
        if interrupt is None or not (is_turn or method.method in interrupt.requests):
            return outcome_of(False)
        row = self._protocol.methods[self._peer_side, interrupt.method, "notification"]
        return _then_true(self._notify(row, self._router.notes.about(row, session)))

    def _notify(self, method: Method, params: Any) -> Awaitable[None]:
        """Send a typed notification. The returned awaitable waits for buffer space."""
        channel = self._channel
        if self._open_sessions.quiet and self._drops(method, params):
            return AT_ONCE
        frame = self._frame(method, params)
        if self.outlived and self.closed is not None:  # who makes the frames has kept it
            return AT_ONCE
        channel.write(frame)
        if (told := self._session_calls.told.get(method.method)) is not None:
            told(self._session_calls, method, params)
        if channel.crowded and (session := self._router.session_of(params)) in channel.crowded:
            return channel.session_room(session)
        return channel.room() if channel.sent > HIGH_WATER else AT_ONCE

    def _drops(self, method: Method, params: Any) -> bool:
        """Return whether a message is dropped because its session was closed on this side."""
        session = self._router.session_of(params)
        if session not in self._open_sessions.quiet or not self._served.drops(session):
            return False
        if self._protocol.sessions is not None and method.method in self._protocol.sessions.end:
            return False
        logger.debug("%s: %s of session %r is dropped: it was closed", self._channel.outgoing, method.method, session)
        return True

    async def _open(self, method: Method, given: Mapping[str, Any]) -> Any:
        """The typed call that opens the connection. It fills in omitted params and checks the version of the response.
        If the version was already negotiated, it returns the earlier response.
        """
        if self._opening is not None:
            if any(value is not UNSET for value in given.values()):
                raise ValueError(
                    "the connection is open: the option `versions` sends the opening request, without parameters"
                )
            return self._opening
        result = await self._request(method, self._router.greet(method, given))
        try:
            self._router.agree(result)
        except VersionError as error:
            self._lifecycle.end(error)
            await self.close()
            raise
        return result

    def _opened(self, method: Method, raw: Raw) -> None:
        """Record the response to an opening request that was sent before the version was known."""
        self._opening = self._router.result(method, raw)
        self._router.agree(self._opening)


def _claim(handler: Peer, name: str) -> None:
    """Attach a handler object to this connection. An object with two connections would send messages to the wrong
    peer.
    """
    held = getattr(handler, name, None)
    if held is not None and not getattr(held, "finished", True):
        kind = type(handler).__name__
        raise RuntimeError(
            f"this {kind} already serves another connection (`{name}`): "
            f"create one per connection with {kind}(), or pass a factory function"
        )


def _extension(method: str, *, any_name: bool) -> str:
    if not (any_name or method.startswith("_")):
        raise ValueError(
            f"the name of an extension method starts with an underscore: {method!r}. A method that the peer offers "
            "without one is called with any_name=True"
        )
    return method


def _encoded(params: Any) -> bytes | None:
    return None if params is UNSET else encode(params)


async def _then_true(told: Awaitable[None]) -> bool:
    await told
    return True
