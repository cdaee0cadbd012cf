"""A transport that reconnects: it reopens the connection to a lost peer while the client's end stays open.

    a request that the peer did not read        is sent to the next peer, after other requests in flight have ended
    a request whose key the peer remembers      is sent to the next peer, which executes it at most once
    any other request in flight                 gets an error response, which states whether it may be repeated
    a request of the lost peer                  is cancelled; a later response to it is dropped
    messages of the client during the outage    wait until a peer is connected and the client's sessions are open
    a session that cannot be reopened           its requests get an error response; other sessions continue
    a peer that cannot be reached               after ``attempts`` failures in a row, with growing delays, it gives up

It decodes only messages that open the connection and its sessions, and relays all others unchanged. The package's
session restorer reopens the sessions. ``request_ids`` translates ids.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
from msgspec import UNSET, Raw

from .interface import Method, Runtime, Transport, check_interface
from .numbering import number_in, take_member, with_member
from .request_ids import RequestIdMap, members_of
from .routing import Route, Routes, request_id

_INTERNAL_ERROR = -32603

_ROOM = 1 << 20
"""Buffered bytes from the client at which reading pauses."""
_LAST = 5.0
"""Seconds for the peer to finish after the client has disconnected."""


class ReconnectingTransport:
    """Relays frames between a client's transport and the peer of `opener`. It calls `tell` with a line for each event.

    `runtime`: the runtime of the generated package for the protocol.
    """

    def __init__(
        self,
        runtime: Runtime,
        client: Transport,
        opener: Callable[[], AbstractAsyncContextManager[Transport]],
        *,
        side: str = "agent",
        attempts: int = 15,
        delay: float = 0.1,
        longest_delay: float = 10.0,
        patience: float = 60.0,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        check_interface(runtime)
        self._runtime = runtime
        self._table = runtime.table
        self._client = client
        self._opener = opener
        self._side = side
        self._backoff = runtime.backoff(attempts, delay, longest_delay)
        self._patience = patience
        self._tell = tell
        self._sessions = runtime.session_restorer(side)
        self._offer, self._key, self._place = runtime.idempotency
        self._exclusive = () if runtime.table.sessions is None else runtime.table.sessions.exclusive
        self._terms = runtime.negotiated_terms(side)
        self._waiting: deque[bytes] = deque()
        self._held = 0
        self._changed = runtime.waiters()
        """Tasks that wait until a frame of the client arrives or is sent."""
        self._client_left = False
        self._peer: Transport | None = None
        """The peer, once frames of the client can be sent to it."""
        self._greeting: bytes | None = None
        """The params of the handshake, once it was answered."""
        self._agreed: Any = None
        self._losses = 0
        self._answered = False
        self._routes = Routes(runtime)
        self._calls: dict[Any, tuple[Method, Any]] = {}
        """The client's pending requests that open and close the connection and sessions, by id."""
        self._sent: dict[Any, bytes] = {}
        """The client's pending requests, by id."""
        self._unread: list[bytes] = []
        """Frames that the current peer did not read."""
        self._remembered = 0
        """Seconds for which the peer remembers idempotency keys; 0 if it does not."""
        self._doubtful: dict[Any, tuple[str, str]] = {}
        """Requests that a lost peer may have executed and that are repeated to the next one: the method, and why the
        peer was lost.
        """
        self._own: dict[Any, asyncio.Future[Raw]] = {}
        self._ids = RequestIdMap(runtime.table.cancel, 0)

    async def run(self) -> None:
        """Relay frames until the client disconnects. Raises ConnectionClosed if the peer cannot be reached."""
        hearing = self._runtime.start(self._hear_client())
        clock = asyncio.get_running_loop().time
        try:
            while True:
                began, self._answered = clock(), False
                why = await self._until_left(self._live())
                if why is None or (self._client_left and self._greeting is not None):
                    return
                pause = self._backoff.lost(answered=self._answered, lived=clock() - began)
                if self._greeting is None or pause is None or isinstance(why, ValueError):
                    self._lose(str(why))
                    await self._client.drain()
                    raise (
                        why
                        if pause is not None
                        else self._runtime.connection_closed(f"lost {self._backoff.failed} times in a row: {why}")
                    )
                self._lose(str(why), unread=getattr(why, "unread", False))
                self._tell(f"lost, reconnecting: {why}")
                await self._until_left(asyncio.sleep(pause, True))
        finally:
            hearing.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await hearing

    async def _until_left(self, doing: Any) -> Any:
        """Wait for a result. If the client disconnects first, forward its last frames and return None."""
        task = self._runtime.start(doing)
        try:
            while not (task.done() or self._may_leave()):
                stirred = self._runtime.start(self._changed.wait())
                await asyncio.wait([task, stirred], return_when=asyncio.FIRST_COMPLETED)
                stirred.cancel()
            if task.done():
                return task.result()
            if self._peer is not None:
                self._peer.close()
                await asyncio.wait([task], timeout=_LAST)
            return None
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def _may_leave(self) -> bool:
        """Return whether the client has disconnected and its frames were sent. It returns False before the first
        connection, whose error must still be reported.
        """
        passed_on = not self._waiting if self._peer is not None else self._losses > 0
        return self._client_left and passed_on

    # The life of a peer

    async def _live(self) -> Exception:
        """Connect to the peer and relay frames. Returns the reason of the end."""
        try:
            async with self._opener() as peer:
                await self._converse(peer)
            return self._runtime.connection_closed("the peer has ended the connection")
        except (OSError, self._runtime.request_error, ValueError) as error:
            return error

    async def _converse(self, peer: Transport) -> None:
        tasks = [self._runtime.start(self._listen(peer)), self._runtime.start(self._send(peer))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
        finally:
            self._peer = None
            for future in self._own.values():
                future.cancel()
            self._own.clear()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self, peer: Transport) -> None:
        if self._greeting is not None:
            async with asyncio.timeout(self._patience):
                await self._greet(peer, self._greeting)
        self._peer = peer
        while True:
            while self._waiting:
                frame = self._waiting.popleft()
                self._held -= len(frame)
                self._pass_on(frame, peer)
                if peer.full():
                    await peer.drain()
            self._changed.wake()
            if not self._waiting:
                await self._changed.wait()

    async def _greet(self, peer: Transport, params: bytes) -> None:
        """Repeat the handshake, and reopen the sessions."""
        handshake = self._table.handshake
        assert handshake is not None
        offered = with_member(b'{"params":%b}' % params, "params", self._offer, b"true")
        answer, found = take_member(
            b'{"result":%b}' % await self._ask(peer, handshake.method, bytes(members_of(offered)["params"])),
            "result",
            self._offer,
        )
        result, self._remembered = _result_in(answer), _seconds(found)
        if result is None:
            raise ValueError("the peer's response to the handshake is not an object")
        if result.get(handshake.version) != self._agreed:
            raise ValueError("the peer has changed to another version of the protocol")
        self._terms.learn(self._side, result.get(handshake.capabilities[self._side]))

        async def ask(method: Method, params: Any) -> Any:
            answer = await self._ask(peer, method.method, self._runtime.encode(params))
            return self._runtime.decode(method.result, answer)

        self._sessions.ordered = getattr(peer, "ordered", True)
        await self._sessions.reopen_all(
            lambda row: not self._terms.wholly_closed(row), ask, replay=bool(self._remembered)
        )
        if not self._remembered:
            self._give_up_doubtful()
        lost = "".join(f"; {error}" for error in self._sessions.lost.values())
        self._tell(f"reconnected, with {len(self._sessions.opened) - len(self._sessions.lost)} sessions{lost}")

    async def _ask(self, peer: Transport, method: str, params: bytes) -> Raw:
        """Send a request of this transport and return its result."""
        id = f"again-{secrets.token_hex(8)}"
        frame = self._runtime.request_frame(id, method, params)
        self._routes.sent(frame)
        answer: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        self._own[id] = answer
        peer.write(frame)
        return await answer

    def _lose(self, why: str, *, unread: bool = False) -> None:
        """Answer the client's requests and cancel the peer's, which would otherwise never end. Unread frames are kept
        for the next peer.
        """
        for id, frame in self._sent.items():
            keyed = self._remembered and self._routes.asked.get(id, ("",))[0] in self._exclusive
            if self._greeting is not None and (unread or keyed):
                name, _ = self._routes.asked.pop(id)
                self._unread.append(frame)
                if not unread:
                    self._doubtful[id] = name, why
        self._waiting.extendleft(reversed(self._unread))
        self._held += sum(map(len, self._unread))
        self._unread.clear()
        self._sent.clear()
        for id, (name, _) in self._routes.asked.items():
            self._answer_lost(id, name, why)
        cancel = self._table.cancel
        if cancel is not None:
            for id in self._routes.served:
                about = msgspec.json.encode({cancel.property: self._ids.known_as(id)})
                self._client.write(self._runtime.notification_frame(cancel.method, about))
        for row, params in self._calls.values():
            self._sessions.end(row, params, None)
        self._calls.clear()
        self._routes = Routes(self._runtime)
        self._losses += 1
        self._ids = RequestIdMap(cancel, self._losses)

    def _answer_lost(self, id: Any, name: str, why: str) -> None:
        """Send an error response to a request whose peer was lost."""
        row = self._table.methods.get((self._side, name, "request"))
        may_repeat = row is not None and row.idempotent
        error = self._runtime.call_lost(name, why, may_repeat)
        data = msgspec.json.encode({"reason": str(error), "mayRepeat": may_repeat})
        text = f"The connection to the {self._side} was lost"
        self._client.write(self._runtime.error_frame(id, _INTERNAL_ERROR, text, data))

    def _give_up_doubtful(self) -> None:
        """Answer requests that a lost peer may have executed, because the current peer remembers no keys."""
        for frame in [*self._waiting]:
            if (lost := self._doubtful.pop(id := request_id(frame), None)) is not None:
                self._waiting.remove(frame)
                self._held -= len(frame)
                self._answer_lost(id, *lost)

    # What the client says

    async def _hear_client(self) -> None:
        try:
            while frames := await self._client.receive():
                self._waiting.extend(frames)
                self._held += sum(map(len, frames))
                self._changed.wake()
                while self._held > _ROOM:
                    await self._changed.wait()
        finally:
            self._client_left = True
            self._changed.wake()

    def _pass_on(self, frame: bytes, peer: Transport) -> None:
        ours = self._ids.outgoing(frame)
        route = None if ours is None else self._routes.sent(ours)
        if ours is None or (route is not None and self._refused(route)):
            return
        if route is not None and not route.answers and route.id is not UNSET:
            self._sessions.silent.discard(route.session)
            self._note_call(route, ours)
            if self._table.handshake is not None and route.method == self._table.handshake.method:
                ours = with_member(ours, "params", self._offer, b"true")
            elif self._remembered and route.method in self._exclusive:
                frame = ours = with_member(ours, "params", self._key, b'"%b"' % secrets.token_hex(16).encode())
            self._sent[route.id] = frame
        peer.write(ours)

    def _refused(self, route: Route) -> bool:
        """Return whether a message belongs to a lost session. If so, a request gets an error response."""
        lost = self._sessions.lost.get(route.session)
        if lost is None or route.answers or route.opens:
            return False
        if route.id is not UNSET:
            self._routes.asked.pop(route.id, None)
            data = msgspec.json.encode({"reason": str(lost)})
            self._client.write(self._runtime.error_frame(route.id, _INTERNAL_ERROR, "The session was lost", data))
        return True

    def _note_call(self, route: Route, frame: bytes) -> None:
        handshake = self._table.handshake
        row = self._table.methods.get((self._side, route.method, "request"))
        if row is None or not (route.opens or route.closes or (handshake and route.method == handshake.method)):
            return
        with contextlib.suppress(msgspec.MsgspecError, KeyError):
            raw = members_of(frame)["params"]
            params = raw if handshake and route.method == handshake.method else self._runtime.decode(row.params, raw)
            self._sessions.begin(row, params)
            self._calls[route.id] = row, params

    # What the peer says

    async def _listen(self, peer: Transport) -> None:
        while frames := await peer.receive():
            for frame in frames:
                self._hand_over(frame)
            if self._client.full():
                await self._client.drain()

    def _hand_over(self, frame: bytes) -> None:
        route = self._routes.came(frame)
        if route is not None and route.answers:
            if route.id in self._own:
                self._settle(self._own.pop(route.id), frame)
                return
            self._answered = True
            self._doubtful.pop(route.id, None)
            frame = self._note_answer(route, frame)
            sent = self._sent.pop(route.id, None)
            if sent is not None and route.failed and self._greeting is not None and _unread(frame):
                self._unread.append(sent)
            if self._unread and not self._routes.asked and self._peer is not None:
                self._peer.close()
            if sent in self._unread:
                return
        elif route is not None:
            if route.id is UNSET and route.session is not None and self._is_known(route.session, frame):
                return
            frame = self._ids.incoming(route, frame)
        self._client.write(frame)

    def _is_known(self, session: str, frame: bytes) -> bool:
        """Return whether the client has already received an update."""
        place = None
        if self._remembered:
            with contextlib.suppress(msgspec.MsgspecError, KeyError):
                meta = members_of(members_of(members_of(frame)["params"])["_meta"])
                place = msgspec.json.decode(meta[self._place], type=tuple[int, int])
        self._sessions.hear(session, place)
        return session in self._sessions.repeats

    def _settle(self, future: asyncio.Future[Raw], frame: bytes) -> None:
        members = members_of(frame)
        if future.done():
            return
        if "result" in members:
            future.set_result(members["result"])
        else:
            error = _error_in(frame)
            future.set_exception(self._runtime.request_error(error.code, error.message, error.data))

    def _note_answer(self, route: Route, frame: bytes) -> bytes:
        if route.id not in self._calls:
            return frame
        row, params = self._calls.pop(route.id)
        handshake = self._table.handshake
        if handshake is None or route.method != handshake.method:
            result = None
            with contextlib.suppress(msgspec.MsgspecError, KeyError):
                result = None if route.failed else self._runtime.decode(row.result, members_of(frame)["result"])
            self._sessions.end(row, params, result)
        elif not route.failed and (greeted := _result_in(frame)) is not None:
            self._greeting = bytes(params)
            self._agreed = greeted.get(handshake.version)
            frame, found = take_member(frame, "result", self._offer)
            self._remembered = _seconds(found)
        return frame


class _Reason(msgspec.Struct):
    mayRepeat: Any = False  # noqa: N815  # as on the wire


class _Error(msgspec.Struct):
    code: int = _INTERNAL_ERROR
    message: str = ""
    data: Any = None


def _error_in(frame: bytes) -> _Error:
    """The error of a response; without a message if it cannot be read."""
    try:
        return msgspec.json.decode(members_of(frame)["error"], type=_Error)
    except (ValueError, KeyError, RecursionError):
        return _Error()


def _result_in(frame: bytes) -> dict[str, Any] | None:
    """The result of a response; None if it is not an object or cannot be read."""
    try:
        return msgspec.json.decode(members_of(frame)["result"], type=dict[str, Any])
    except (ValueError, KeyError, RecursionError):
        return None


def _seconds(found: bytes) -> int:
    """The seconds for which a peer remembers keys, from the handshake; 0 for an invalid value."""
    return number_in(found.decode("latin-1")) or 0


def _unread(frame: bytes) -> bool:
    """Return whether an error states that its request was not read."""
    try:
        return msgspec.convert(_error_in(frame).data, _Reason).mayRepeat is True
    except msgspec.ValidationError:
        return False
