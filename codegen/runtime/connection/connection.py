"""asyncio around ``jsonrpc``: one connection, both roles on it, every peer's handlers run as if each were a task.

What the peer sends is taken by ``receiving``, what it is asked by ``asking``; here both are put together, begin and end. By
what goes wrong: the peer's death fails every open call at once, the handlers of what it sent before may finish; reading
pauses while too many notifications wait, unless a handler awaits the peer; beyond the hard limit the connection closes. A
call that is cancelled tells the peer so, and a handler whose caller gave up is cancelled.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

from msgspec import UNSET

from ._base import Method, Protocol
from .asking import Asking
from .calls import Calls
from .channel import HIGH_WATER, Channel
from .codec import encode
from .errors import CapabilityError, ConnectionClosed, QueueOverflow, VersionError
from .flow import Flow, Options
from .handlers import refuse_misfits
from .jsonrpc import peek
from .lifetime import Lifetime
from .limits import FRAME_LIMIT
from .longcalls import REPORT_AFTER, LongCalls
from .options import check_options
from .order import Order
from .outgoing import checks_by_default
from .payloads import decode_plain
from .peer import Peer
from .receiving import Receiving
from .scalars import Reading
from .sending import Sending
from .service import Service
from .serving import Serving
from .streams import Input, Output
from .tasks import AT_ONCE, outcome_of
from .wire import Wire, port_of
from .workers import Workers
from .writing import write_notification

if TYPE_CHECKING:  # what starts processes takes long to import, and an agent may never need it
    from .child import Child
    from .doors import Caller
    from .tracing import Ask, Frame, Tracing

__all__ = ["Connection", "Options"]


class Connection:
    """One end of a connection, on two byte streams or on a wire. The emitted subclasses add a typed call for each method of the
    other side.

    Runs between ``async with connection`` and its end, or for the length of ``await connection.serve()``. A call raises
    ``RequestError`` when the peer answers so, ``CapabilityError`` when it was not sent for want of a capability,
    ``ConnectionClosed`` when the peer is gone, ``TimeoutError`` after the ``call_timeout``, ``FrameTooLong`` when the message is longer than a frame may be, and
    ``InvalidResponse`` when the answer cannot be read or its result does not fit its type.
    """

    _protocol: ClassVar[Protocol]
    _side: ClassVar[str]
    _peer_side: ClassVar[str]

    process: Child | None = None
    """The process at the other end, where it was started for this connection."""
    caller: Caller | None = None
    """Who opened it, over HTTP or WebSocket."""

    def __init__(
        self,
        handler: Peer | Callable[[], Peer],
        reader: Input | Wire,
        writer: Output | None = None,
        **options: Unpack[Options],
    ) -> None:
        if not isinstance(handler, Peer) and callable(handler):
            handler = handler()
        if not isinstance(handler, Peer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{type(handler).__name__} is not a Peer: derive it from the emitted base of its side")
        check_options(options, Options.__annotations__)
        refuse_misfits(self._protocol, self._side, handler)
        _claim(handler, self._peer_side)
        gates = options.get("check_capabilities", True)
        verifies = options.get("check_messages", checks_by_default())
        frame_limit, hook = options.get("frame_limit", FRAME_LIMIT), options.get("on_frame")
        port = port_of(reader, writer, frame_limit, hook is not None)
        self._channel = Channel(self._side, self._peer_side, port, frame_limit, hook)
        reading = Reading(
            keep_undeclared=options.get("keep_undeclared", False), lenient_enums=options.get("lenient_enums", False)
        )
        self._service = Service(
            self._protocol,
            self._side,
            self._peer_side,
            handler,
            verifies=verifies,
            how=reading,
            gates=gates,
            any_name=options.get("any_name", False),
        )
        self._service.frame_limit = options.get("frame_limit")
        self._service.on_frame_limit = self._channel.limit
        self._sending = Sending(
            self._service.terms,
            self._protocol.ordering,
            gates=gates,
            verifies=verifies,
            lenient_enums=reading.lenient_enums,
        )
        self._lane_of = peek(self._protocol.ordering)
        self._ends = None if self._protocol.interrupt is None else self._protocol.interrupt.method
        self._workers = Workers(self._make_room)
        self._order = Order(self._make_room)
        self._calls = Calls(self._order, self._lane_of)
        self._leavers: list[Callable[[], None]] = []
        """What has to be told before the next request is sent."""
        self._serving = Serving(
            self._service, self._channel, self._order, self._workers, self._calls, self._protocol.cancel
        )
        self._long = LongCalls(
            self._calls,
            self._channel.outgoing,
            options.get("call_timeout"),
            options.get("report_after", REPORT_AFTER),
        )
        self._flow = Flow(options, self._channel, self._order, self._serving, self._workers, self._calls)
        self._channel.on_room = self._flow.changed
        self._receiving = Receiving(self._channel, self._flow, self._order, self._serving, self._calls)
        self._asking = Asking(self._channel, self._calls, self._long, self._flow, self._protocol.cancel)
        self._channel.on_break = self._asking.unheard
        self._ask: Ask = self._asking.call
        self._frame: Frame = self._sending.notification
        self._tracing: Tracing | None = None
        if provider := options.get("tracing"):
            self._trace(provider)
        self._lifetime = Lifetime(
            self._peer_side,
            self._channel,
            self._workers,
            self._order,
            self._serving,
            self._receiving,
            self._asking,
            self._long,
            options.get("linger", 0.4),
        )
        setattr(handler, self._peer_side, self)

    def _trace(self, provider: Any) -> None:
        """Have requests, handlers and notifications pass by a tracer."""
        from .tracing import Tracing  # noqa: PLC0415  # for those who trace

        tracing = self._tracing = Tracing(self._protocol, provider)
        self._ask = tracing.asking(self._ask)
        self._frame = tracing.framing(self._frame, write_notification)
        self._serving.answering = tracing.answering(self._serving.answering)
        self._serving.taking = tracing.taking(self._serving.taking)

    @property
    def protocol_version(self) -> int | None:
        """The version of the protocol that both sides agreed on; None before the handshake."""
        return self._service.protocol_version

    @property
    def capabilities(self) -> Any:
        """What the peer advertised; None before the handshake."""
        return self._service.capabilities

    def offers(self, call: Method | str, **parameters: Any) -> bool:
        """Whether the peer advertised what a call needs: a row of the method table, or the call's Python name.

        With parameters: whether a call with these may be sent; True stands for any value of a parameter, as in
        ``offers("open", mode=True)``. Before the handshake that is only what nothing gates.
        """
        return self.objection(call, **parameters) is None

    def objection(self, call: Method | str, **parameters: Any) -> CapabilityError | None:
        """What keeps a call from being sent, None if nothing does; its text and ``capability`` say what is missing.

        Of params that come in variants, one that may be sent is enough.
        """
        return self._service.terms.objection(self._row(call) if isinstance(call, str) else call, parameters)

    def _row(self, name: str) -> Method:
        for row in self._protocol.methods.values():
            if row.python_name == name and row.side == self._peer_side:
                return row
        raise ValueError(f"no call to the {self._peer_side} has the name {name!r}")

    @property
    def unending(self) -> bool:
        """Whether handlers run on though the connection is closed: they were cancelled, and do not end."""
        return self.finished and bool(self._workers.tasks)

    @property
    def busy(self) -> bool:
        """Whether a request of the peer has no answer yet."""
        return len(self._serving) > 0

    @property
    def finished(self) -> bool:
        """Whether it is closed for good: no handler is waited for any more."""
        return self._lifetime.finished.is_set()

    @property
    def closed(self) -> ConnectionClosed | None:
        """Why no call can be made any more; None while the peer is there."""
        return self._asking.lost

    # Life and death

    async def __aenter__(self) -> Self:
        self._lifetime.begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def serve(self) -> None:
        """Run until the peer leaves or the connection is closed; a QueueOverflow that closed it is raised."""
        async with self:
            await self.wait_closed()
        if isinstance(self._asking.lost, QueueOverflow):
            raise self._asking.lost

    async def wait_closed(self) -> None:
        """Wait until the connection is closed and its last handler is done."""
        await self._lifetime.finished.wait()

    async def close(self) -> None:
        """Close the connection: open calls fail, handlers are cancelled. May be called twice, and from a handler.

        A handler that closes is not cancelled, and does not wait for the others.
        """
        await self._lifetime.close()

    # What is sent

    async def ext_request(self, method: str, params: Any = UNSET, *, any_name: bool = False) -> Any:
        """Call a method that no table types. Params and result are plain JSON.

        Its name starts with ``_``, as those of extensions do. `any_name` calls whatever the peer may offer without:
        no table knows the method, so no capability is asked for.
        """
        method, text = _extension(method, any_name=any_name), _encoded(params)
        return decode_plain(method, await self._ask(method, text, self._lane_of(text)))

    async def ext_notify(self, method: str, params: Any = UNSET, *, any_name: bool = False) -> None:
        """Send a notification that no table types; names are those of ``ext_request``."""
        text = _encoded(params)
        if self._tracing is not None:
            text = self._tracing.carry(text)
        await self._channel.send(write_notification(_extension(method, any_name=any_name), text))

    async def _request(self, method: Method, params: Any) -> Any:
        """A typed call."""
        while self._leavers:
            self._leavers.pop()()
        return self._service.result(method, await self._ask(method.method, *self._sending.request(method, params)))

    def _stream(self, method: Method, params: Any, note: Method, part: str) -> Any:
        """A typed call whose updates, a part of what a notification has, are taken one by one."""
        from .stream import Source, Stream  # noqa: PLC0415  # most programs never need it

        notes = self._service.notes
        key = notes.session_of(params)
        return Stream[Any, Any](
            Source(
                ask=partial(self._request, method, params),
                listen=partial(notes.listen, note, key, part),
                end=partial(self._interrupted, method, key),
                leave=self._leavers.append,
                busy=self._busy,
            )
        )

    def _busy(self) -> bool:
        """Whether it waits for more answers of the peer than those that streams wait for."""
        return len(self._calls) + self._order.held > sum(map(len, self._service.notes.ears.values()))

    def _interrupted(self, method: Method, session: Any) -> Awaitable[bool]:
        """End the requests of a session as the protocol has it, told at once; False where it has no word for that."""
        interrupt = self._protocol.interrupt
        if interrupt is None or method.method not in interrupt.requests:
            return outcome_of(False)
        row = self._protocol.methods[self._peer_side, interrupt.method, "notification"]
        return _then_true(self._notify(row, self._service.notes.about(row, session)))

    def _notify(self, method: Method, params: Any) -> Awaitable[None]:
        """Send a typed notification; what it gives waits for room."""
        channel = self._channel
        channel.write(self._frame(method, params))
        if method.method == self._ends:
            self._serving.withdraw(self._service.notes.session_of(params), self._protocol.interrupt.requests)  # type: ignore[union-attr]
        if channel.crowded and (session := self._service.notes.session_of(params)) in channel.crowded:
            return channel.session_room(session)
        return channel.room() if channel.sent > HIGH_WATER else AT_ONCE

    async def _open(self, method: Method, given: Mapping[str, Any]) -> Any:
        """The typed call that opens the connection: fills in what was not given, checks the version of the answer."""
        result = await self._request(method, self._service.greet(method, given))
        try:
            self._service.agree(result)
        except VersionError as error:
            self._lifetime.end(error)
            await self.close()
            raise
        return result

    def _make_room(self) -> None:
        self._flow.changed()


def _claim(handler: Peer, name: str) -> None:
    """An implementer finds its peer on itself: with two of them at once it would send to one what is meant for the other."""
    held = getattr(handler, name, None)
    if held is not None and not getattr(held, "finished", True):
        kind = type(handler).__name__
        raise RuntimeError(
            f"this {kind} is in use on another connection, its `{name}` is that one's: "
            f"give each connection its own, {kind}(), or a function that makes one"
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
