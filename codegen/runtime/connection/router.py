"""Routing: from a method to its handler.

A peer handles exactly the methods that it advertised, and sends only what the other side advertised:

    a request before the handshake                -32600; during the handshake, it waits
    an unknown, unimplemented or unadvertised     -32601
    method
    a variant of params that was not advertised   -32602
    invalid params                                -32602, with the path of the error
    a method outside the table with a leading     goes to the peer's hook, even before the handshake
    ``_``
    any other method outside the table            with ``any_name``, goes to the peer's hook after the handshake;
                                                  otherwise -32601

Params are decoded once, directly from the bytes of the frame. This module does not handle frames, ids or tasks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from types import CoroutineType
from typing import Any

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from ..codec.codec import DECODERS, REFUSALS, decoders, encode
from ..codec.payloads import (
    attribute_of,
    empty_result,
    params_of,
    result_read_again,
    session_attribute_of_variants,
    verify,
)
from ..codec.values import LENIENT, Reading
from ..errors import RequestError, VersionError
from ..jsonrpc.parser import LIMIT, Id, Notification, peek
from ..schema.capabilities import derive, gate_of, speaks, states, version_of
from ..schema.definitions import Handshake, Interrupt, Kind, Method, Protocol
from ..tasks import outcome_of, waits
from .handlers import CurrentSession, InSession, Peer, about, current_session, is_overridden
from .idempotency import OFFER, value_in
from .leniency import DroppedValues
from .negotiation import NegotiatedTerms, announce, announced, capabilities_in, fill, plain, version_in, wire_names
from .open_sessions import OpenSession
from .subscriptions import Handler, Subscriptions

logger = logging.getLogger(__name__)
Run = Callable[[], Awaitable[bytes]]
Around = Callable[[Method, Any, Run], Awaitable[bytes]]
"""A wrapper of the handler of a request. It gets the row, the typed params, and a function that returns the encoded
result.
"""
Follow = Callable[[Any, Any, bytes], None]
"""A function that runs after the handler of a request. It gets the typed params, the typed result if there is one, and
the encoded result.
"""
Work = tuple[Handler, Any, str]
"""A handler, its params, and the method's wire name."""


class _Route(Struct):
    """A request that the peer has a handler for."""

    row: Method
    handler: Handler
    begin: Callable[[Id], OpenSession | None] | None = None
    """Begins a turn of its session; None if the request is not exclusive."""
    around: Around | None = None
    follow: Follow | None = None


class Router:
    """One side of a connection: its handlers, its negotiated capabilities, and the gates on both sides."""

    _opening: asyncio.Event | None = None

    def __init__(
        self,
        protocol: Protocol,
        side: str,
        peer_side: str,
        peer: Peer,
        *,
        verifies: bool = False,
        how: Reading = LENIENT,
        gates: bool = True,
        any_name: bool = False,
        direction: str = "",
    ) -> None:
        self.protocol_version: int | None = None
        self.capabilities: Any = None
        self.frame_limit: int | None = None
        """The frame limit that is announced to the peer; None if it is the default."""
        self.on_frame_limit: Callable[[int], None] = lambda _: None
        """Called with the frame limit that the peer announces."""
        self.offers_keys = False
        """True if requests of this side may carry idempotency keys."""
        self.remembered: int | None = None
        """Seconds for which the served side remembers keys; None if this was not negotiated."""
        self._protocol = protocol
        self._side = side
        self._peer_side = peer_side
        self.peer = peer
        self._verifies = verifies
        self._dropped = DroppedValues(direction)
        self.how = replace(how, dropped=self._dropped.faults)
        self._gates = gates
        self._any_name = any_name
        self._decoders = decoders(how)
        self._derived = derive(protocol, side, lambda method: is_overridden(peer, method))
        self.notes = Subscriptions(protocol.ordering)
        rows = [row for row in protocol.methods.values() if row.side == side and is_overridden(peer, row)]
        handlers = {row.key: self._called(getattr(peer, row.python_name), row.params) for row in rows}
        self._requests = {row.method: _Route(row, handlers[row.key]) for row in rows if row.kind == "request"}
        self._notes = {row.method: (row, handlers[row.key]) for row in rows if row.kind == "notification"}
        self.former = {
            (row.kind, row.former): row.method
            for row in rows
            if row.former is not None and (side, row.former, row.kind) not in protocol.methods
        }
        """The methods that are also served under another name, by kind and that name."""
        self.session_in = peek(protocol.ordering)
        """Reads the session that the params of a message name."""
        interrupt = protocol.interrupt
        implemented = interrupt is None or interrupt.method in self._notes
        self.interrupt = None if implemented else interrupt
        """Interrupts requests; None if the peer has its own handler for that."""
        for name, (row, handler) in self._notes.items():
            if not self.is_meta(name):
                self.notes.handle(row, handler)
        opening = self._opening_row(side)
        unhandled = None if opening is None else _Route(opening, lambda _: None)
        self._answered = unhandled and self._requests.pop(unhandled.row.method, unhandled)
        """The opening request, if this side answers it."""
        self._open = self._answered is None and self._opening_row(peer_side) is None
        self.terms = NegotiatedTerms(protocol, (side, peer_side), negotiated=not self._open)
        self.terms.learn(side, self._derived)
        self._finish_turn: Callable[[OpenSession | None], None] = lambda _: None
        self._ears: dict[str, list[Callable[[Any], object]]] = {}

    # What is served

    def surround(self, methods: Iterable[str], around: Around) -> None:
        """Register a function that runs around the handlers of some requests."""
        for route in self._routes_of(methods):
            route.around = around

    def follow(self, methods: Iterable[str], follow: Follow) -> None:
        """Register a function that runs after successful handlers of some requests."""
        for route in self._routes_of(methods):
            route.follow = follow

    def exclude(
        self,
        methods: Iterable[str],
        begin: Callable[[Id], OpenSession | None],
        finish: Callable[[OpenSession | None], None],
    ) -> None:
        """Begin and end the turn of a session around the handlers of some requests."""
        self._finish_turn = finish
        for route in self._routes_of(methods):
            route.begin = begin

    def _routes_of(self, methods: Iterable[str]) -> list[_Route]:
        return [self._requests[method] for method in methods if method in self._requests]

    def provide(self, row: Method, handler: Callable[[Any, Handler | None], Any]) -> None:
        """Add the handler of a request while the connection is open. It also gets the peer's own handler, or None."""
        route = self._requests.get(row.method)
        own = None if route is None else route.handler

        def handled(params: Any) -> Any:
            return handler(params, own)

        self._requests[row.method] = _Route(row, handled) if route is None else replace(route, handler=handled)

    def overhear(self, wanted: Callable[[type], bool], hear: Callable[[Any], object]) -> Callable[[], None]:
        """Call a function with the params of requests, before their handlers. `wanted` selects types. The returned
        function removes it.
        """
        found: list[list[Callable[[Any], object]]] = []
        for path, route in self._requests.items():
            if not wanted(route.row.params):
                continue
            if path not in self._ears:
                route.around = partial(self._overheard, route.around)
            found.append(self._ears.setdefault(path, []))
            found[-1].append(hear)

        def end() -> None:
            while found:
                found.pop().remove(hear)

        return end

    async def _overheard(self, around: Around | None, method: Method, params: Any, run: Run) -> bytes:
        for hear in [*self._ears[method.method]]:
            hear(params)
        return await (run() if around is None else around(method, params, run))

    def _called(self, handler: Callable[..., Any], params: Any) -> Callable[..., Any]:
        """The handler as it is called: in a thread if its peer requires that, and inside the session that its params
        name.
        """
        if self.peer.threads:
            from ..tasks import off_loop  # noqa: PLC0415  # most programs never need it

            handler = off_loop(handler)
        in_session = isinstance(getattr(type(self.peer), "session", None), CurrentSession)
        name = self._protocol.ordering if in_session else None
        key = name and (attribute_of(params, name) or session_attribute_of_variants(params, name))
        return handler if key is None else _inside(self.peer, handler, key)

    def session_of(self, message: Any) -> Any:
        """The session that typed params or a result name; None if they name none."""
        name = attribute_of(message.__class__, self._protocol.ordering)
        return None if name is None else getattr(message, name)

    def is_meta(self, method: str) -> bool:
        """Return whether a notification is about the connection itself."""
        return method.startswith("$/") or (self._protocol.cancel is not None and method == self._protocol.cancel.method)

    async def answer(self, name: str, raw: Raw | UnsetType) -> bytes:
        """The encoded result of a request. Raises RequestError for an error response."""
        route = self._requests.get(name)
        if route is None or not self._open:
            return await self._answer_unusual("request", name, raw)
        params = self._accepted(route.row, raw)
        del raw
        turn = None if route.begin is None else route.begin(self.session_of(params))
        result: Any = None
        try:
            if route.around is not None:
                data = await self._surrounded(route, route.around, params)
            else:
                result = route.handler(params)
                if route.follow is None:
                    params = None  # the handler has it, and may let go of it
                if result.__class__ is CoroutineType or waits(result):
                    result = await result
                data = self._written(route.row, result)
            if route.follow is not None:
                route.follow(params, result, data)
            return data
        finally:
            if turn is not None:
                self._finish_turn(turn)

    def take(self, note: Notification) -> tuple[Id, Work] | None:
        """The session in whose lane a notification runs, and its work; None if no row of the table describes it.

        Raises RequestError for invalid params.
        """
        route = self.notes.routes.get(note.method)
        if route is None or not self._open:
            return None
        method, handler, session = route
        params = self._accepted(method, note.params)
        if session is None:
            return self.session_in(note.params), (handler, params, note.method)
        key = getattr(params, session)
        return key if type(key) is str or type(key) is int else None, (handler, params, note.method)

    def take_unusual(self, note: Notification) -> tuple[Id, Work]:
        """The same as ``take`` for notifications before the handshake and for untyped ones."""
        return self.session_in(note.params), (self._answer_note, note, note.method)

    def interrupt_handler(self) -> Handler | None:
        """The function that notifies the peer's own handler of an interruption; None if it has none."""
        interrupt = self._protocol.interrupt
        if interrupt is None or self.interrupt is not None:
            return None
        row, handler = self._notes[interrupt.method]
        return lambda session: handler(self.notes.about(row, session))

    def asked(self) -> Mapping[str, Any]:
        """The responses of this side to pending requests when it interrupts their session."""
        interrupt = self._protocol.interrupt
        if interrupt is None or self._side == self._ended_by(interrupt):
            return {}
        return interrupt.asked

    def _ended_by(self, interrupt: Interrupt) -> str:
        """The side that receives the interruption."""
        rows = self._protocol.methods.values()
        return next((row.side for row in rows if (row.method, row.kind) == (interrupt.method, "notification")), "")

    async def _answer_note(self, note: Notification) -> None:
        await self._answer_unusual("notification", note.method, note.params)

    def _accepted(self, method: Method, raw: Raw | UnsetType) -> Any:
        """Decode the params of a message."""
        if method.capability is not None or method.variants:
            return self._permitted(method, raw)
        try:
            return self._decoders[method.params](b"{}" if raw is UNSET else raw)
        except REFUSALS:
            return self._params_read_again(method, raw)

    async def _answer_unusual(self, kind: Kind, name: str, raw: Raw | UnsetType) -> bytes:
        """Answer the opening request, requests before it, and untyped requests."""
        if self._answered is not None and (kind, name) == (self._answered.row.kind, self._answered.row.method):
            return await self._answer_handshake(self._answered, raw)
        known = name in (self._requests if kind == "request" else self._notes)
        if known or not name.startswith(("_", "$/")):
            await self._opened()
        if known:
            if kind == "request":
                return await self.answer(name, raw)
            method, handler = self._notes[name]
            return await self._run(method, handler, self._permitted(method, raw))
        if name.startswith("_") or (self._any_name and self._is_unknown(kind, name)):
            hook = self.peer.ext_method if kind == "request" else self.peer.ext_notification
            return encode(await outcome_of(self._called(hook, None)(name, params_of(Any, raw))))
        raise RequestError.method_not_found(name)

    def _surrounded(self, route: _Route, around: Around, params: Any) -> Awaitable[bytes]:
        return around(route.row, params, partial(self._run, route.row, route.handler, params))

    async def _run(self, method: Method, handler: Handler, params: Any) -> bytes:
        result = await outcome_of(handler(params))
        return b"" if method.kind == "notification" else self._written(method, result)

    def _is_unknown(self, kind: Kind, name: str) -> bool:
        """Return whether a name is in no table of this side and is not a method of the connection itself."""
        return not name.startswith("$/") and (self._side, name, kind) not in self._protocol.methods

    def _permitted(self, method: Method, raw: Raw | UnsetType) -> Any:
        """Decode the params of a message and check that their required capabilities were advertised."""
        if self.terms.wholly_closed(method):
            raise RequestError.method_not_found(method.method)
        params = self._params_read_again(method, raw)
        if closed := self.terms.closed_for(method, gate_of(method, params)):
            raise RequestError.invalid_params({"path": "$", "reason": f"{closed[1]} was not advertised"})
        return params

    def _params_read_again(self, method: Method, raw: Raw | UnsetType) -> Any:
        """Decode params that were rejected or skipped at first. Params of an ended session need no exact error."""
        table = self._protocol.sessions
        how = self.how if table is None or method.method not in table.end else replace(self.how, lenient_enums=True)
        params = params_of(method.params, raw, how)
        self._dropped.log(method.method)
        return params

    def _written(self, method: Method, result: Any) -> bytes:
        """Encode a result after checking its type and the capabilities that it requires. None means an empty result if
        the result has no required properties.
        """
        if result is None:
            return empty_result(method)
        data = encode(result)
        if self._gates and method.gated:
            # The tables take as long to import as all else that an agent does until it has answered its first request.
            for name in method.gated:
                if name.encode() in data:
                    self.terms.permit_result(method, result)
                    break
        if self._verifies:
            try:
                DECODERS[method.result](data)
            except REFUSALS:
                verify(method, result, data, answer=True, lenient_enums=self.how.lenient_enums)
        return data

    async def _opened(self) -> None:
        if not self._open and self._opening is not None:
            await self._opening.wait()
        if not self._open:
            raise RequestError.invalid_request("the connection is not open: the handshake comes first")

    # What is sent

    def result(self, method: Method, raw: Raw) -> Any:
        """Decode the result of a call. Null means an empty result, because some peers send it."""
        try:
            return self._decoders[method.result](raw)
        except REFUSALS:
            result = result_read_again(method, raw, self.how)
            self._dropped.log(method.method)
            return result

    # The handshake

    def _opening_row(self, side: str) -> Method | None:
        handshake = self._protocol.handshake
        return None if handshake is None else self._protocol.methods.get((side, handshake.method, "request"))

    async def _answer_handshake(self, route: _Route, raw: Raw | UnsetType) -> bytes:
        opening = self._opening = asyncio.Event()
        try:
            return await self._accept(_handshake(self._protocol), route.row, route.handler, raw)
        finally:
            opening.set()
            self._opening = None

    async def _accept(self, handshake: Handshake, method: Method, handler: Handler, raw: Raw | UnsetType) -> bytes:
        params = self._params_read_again(method, raw)
        self._learn(handshake, params)
        stated: dict[str, Any] = plain(await outcome_of(handler(params))) or {}
        answer = fill(stated, handshake, self._side, self._derived, about(self.peer))
        self.remembered = self.peer.remembers if value_in(params, OFFER) is True else None
        announce(answer, method.result, {LIMIT: self.frame_limit, OFFER: self.remembered})
        # Whatever was asked for, and even if the handler echoed it: a version that nobody here speaks is not an answer.
        if type(version := version_of(answer, handshake)) is int:
            answer[handshake.version] = min(version, handshake.version_number)
        data = self._written(method, answer)
        self.protocol_version = version_of(answer, handshake)
        self._advertise(handshake, answer)
        return data

    def greet(self, method: Method, given: Mapping[str, Any]) -> dict[str, Any]:
        """The params of the opening request as plain JSON, with defaults filled in."""
        handshake = _handshake(self._protocol)
        stated = fill(wire_names(method.params, given), handshake, self._side, self._derived, about(self.peer))
        announce(stated, method.params, {LIMIT: self.frame_limit, OFFER: self.offers_keys or None})
        self._advertise(handshake, stated)
        return stated

    def agree(self, result: Any) -> None:
        """Record the peer's response to the opening request. Raises VersionError for an unsupported version."""
        handshake = _handshake(self._protocol)
        version = version_in(result, handshake)
        if not speaks(version, handshake):
            raise VersionError(
                f"the peer speaks version {version} of the protocol, this side speaks {handshake.version_number}"
            )
        self.protocol_version = version
        self._learn(handshake, result)

    def _learn(self, handshake: Handshake, half: Any) -> None:
        self.capabilities = capabilities_in(half, handshake, self._peer_side)
        if self.offers_keys and type(seconds := value_in(half, OFFER)) is int:
            self.remembered = seconds
        self.terms.learn(self._peer_side, plain(self.capabilities))
        if limit := announced(half):
            self.on_frame_limit(limit)

    def _advertise(self, handshake: Handshake, half: Mapping[str, Any]) -> None:
        self.terms.learn(self._side, states(half, handshake, self._side))
        self._open = True


def _inside(peer: Peer, handler: Handler, key: str) -> Handler:
    """Wrap a handler so that it runs inside the session that its params name. `key` is the attribute with the id."""

    def run(params: Any) -> Any:
        session = getattr(params, key, None)  # a variant of a union may name none
        current_session.set(None if session is None else InSession(peer, session))
        return handler(params)

    return run


def _handshake(protocol: Protocol) -> Handshake:
    if protocol.handshake is None:
        raise RuntimeError("this protocol has no handshake")
    return protocol.handshake
