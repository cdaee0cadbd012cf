"""Frames between a client and a peer that is reached again when it is lost: the client's end stays open meanwhile.

The law:

    a request under way when the peer is lost    has an error for an answer, which says whether it may be sent again
    a request of the lost peer                   is cancelled; an answer to it goes nowhere
    what the client sends meanwhile              waits until the peer is back, and the client's sessions are open again
    a session that cannot be opened again        its requests have an error for an answer; the others go on
    a peer that does not come back               after ``attempts`` in a row, each later than the one before, all is over

Nothing is decoded but what opens the connection and its sessions; all else passes as it came. What is known of sessions, and how they
are opened again, is in ``kept``. Ids: ``aliases``.
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

from ._base import Method, Protocol
from .aliases import Aliases, members_of
from .backoff import Backoff
from .codec import decode, encode
from .errors import INTERNAL_ERROR, CallLost, ConnectionClosed, RequestError
from .kept import Kept
from .routes import Route, Routes
from .state import State
from .tasks import Waiters, start
from .terms import Terms
from .wire import Wire
from .writing import write_error, write_notification, write_request

__all__ = ["Lasting"]

_ROOM = 1 << 20
"""Bytes of the client that wait for the peer before no more are read."""
_LAST = 5.0
"""Seconds that the peer has to finish after the client has left."""

_plain = msgspec.json.decode


class Lasting:
    """Passes frames between a client's wire and whatever `opener` reaches. `tell` is told in a line what happens."""

    def __init__(
        self,
        protocol: Protocol,
        client: Wire,
        opener: Callable[[], AbstractAsyncContextManager[Wire]],
        *,
        side: str = "agent",
        attempts: int = 15,
        delay: float = 0.1,
        longest_delay: float = 10.0,
        patience: float = 60.0,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._protocol = protocol
        self._client = client
        self._opener = opener
        self._side = side
        self._backoff = Backoff(attempts, delay, longest_delay)
        self._patience = patience
        self._tell = tell
        self._kept = Kept(protocol, side, State, None, "")
        self._terms = Terms(protocol, (side, "client" if side == "agent" else "agent"), negotiated=True)
        self._waiting: deque[bytes] = deque()
        self._held = 0
        self._changed = Waiters()
        """Those who wait until something of the client's has come or gone."""
        self._client_left = False
        self._peer: Wire | None = None
        """The peer, once what the client sends goes through to it."""
        self._greeting: bytes | None = None
        """The params of the handshake, once it was answered."""
        self._agreed: Any = None
        self._losses = 0
        self._answered = False
        self._routes = Routes(protocol)
        self._calls: dict[Any, tuple[Method, Any]] = {}
        """The client's requests that open and close connection and sessions, by their ids."""
        self._own: dict[Any, asyncio.Future[Raw]] = {}
        self._aliases = Aliases(protocol.cancel, 0)

    async def run(self) -> None:
        """Pass frames on until the client has left. ConnectionClosed where the peer cannot be reached, or not any more."""
        hearing = start(self._hear_client())
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
                        else ConnectionClosed(f"lost {self._backoff.failed} times in a row: {why}")
                    )
                self._lose(str(why))
                self._tell(f"lost, and opened again: {why}")
                await self._until_left(asyncio.sleep(pause, True))
        finally:
            hearing.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await hearing

    async def _until_left(self, doing: Any) -> Any:
        """What something gives; None as soon as the client has left, who has some time for what it sent last."""
        task = start(doing)
        try:
            while not (task.done() or self._may_leave()):
                stirred = start(self._changed.wait())
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
        """Whether the client has left, and what it sent has, too; who was never reached is waited for, to say so."""
        passed_on = not self._waiting if self._peer is not None else self._losses > 0
        return self._client_left and passed_on

    # The life of a peer

    async def _live(self) -> Exception:
        """Reach the peer and pass frames on; why that ended."""
        try:
            async with self._opener() as peer:
                await self._converse(peer)
            return ConnectionClosed("the peer has ended the connection")
        except (OSError, RequestError, ValueError) as error:
            return error

    async def _converse(self, peer: Wire) -> None:
        tasks = [start(self._listen(peer)), start(self._send(peer))]
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

    async def _send(self, peer: Wire) -> None:
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

    async def _greet(self, peer: Wire, params: bytes) -> None:
        """Repeat the handshake, and open the sessions again."""
        handshake = self._protocol.handshake
        assert handshake is not None
        result = _plain(await self._ask(peer, handshake.method, params))
        if result.get(handshake.version) != self._agreed:
            raise ValueError("the peer has changed to another version of the protocol")
        self._terms.learn(self._side, result.get(handshake.capabilities[self._side]))

        async def ask(method: Method, params: Any) -> Any:
            return decode(method.result, await self._ask(peer, method.method, encode(params)))

        await self._kept.reopen_all(lambda row: not self._terms.wholly_closed(row), ask, replay=False)
        lost = "".join(f"; {error}" for error in self._kept.lost.values())
        self._tell(f"open again, with {len(self._kept.opened) - len(self._kept.lost)} sessions{lost}")

    async def _ask(self, peer: Wire, method: str, params: bytes) -> Raw:
        """A request of our own."""
        id = f"again-{secrets.token_hex(8)}"
        frame = write_request(id, method, params)[:-1]
        self._routes.sent(frame)
        answer: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        self._own[id] = answer
        peer.write(frame)
        return await answer

    def _lose(self, why: str) -> None:
        """Answer the client's requests, cancel those of the peer: neither ends otherwise."""
        for id, (name, _) in self._routes.asked.items():
            row = self._protocol.methods.get((self._side, name, "request"))
            error = CallLost(name, why, row is not None and row.idempotent)
            data = msgspec.json.encode({"reason": str(error), "mayRepeat": error.may_repeat})
            self._client.write(
                write_error(id, INTERNAL_ERROR, f"The connection to the {self._side} was lost", data)[:-1]
            )
        cancel = self._protocol.cancel
        if cancel is not None:
            for id in self._routes.served:
                about = msgspec.json.encode({cancel.property: self._aliases.alias(id)})
                self._client.write(write_notification(cancel.method, about)[:-1])
        for row, params in self._calls.values():
            self._kept.end(row, params, None)
        self._calls.clear()
        self._routes = Routes(self._protocol)
        self._losses += 1
        self._aliases = Aliases(cancel, self._losses)

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

    def _pass_on(self, frame: bytes, peer: Wire) -> None:
        ours = self._aliases.outgoing(frame)
        route = None if ours is None else self._routes.sent(ours)
        if ours is None or (route is not None and self._refused(route)):
            return
        if route is not None and not route.answers and route.id is not UNSET:
            self._note_call(route, ours)
        peer.write(ours)

    def _refused(self, route: Route) -> bool:
        """Whether a message is for a session that could not be opened again; its request is answered."""
        lost = self._kept.lost.get(route.session)
        if lost is None or route.answers or route.opens:
            return False
        if route.id is not UNSET:
            self._routes.asked.pop(route.id, None)
            data = msgspec.json.encode({"reason": str(lost)})
            self._client.write(write_error(route.id, INTERNAL_ERROR, "The session was lost", data)[:-1])
        return True

    def _note_call(self, route: Route, frame: bytes) -> None:
        handshake = self._protocol.handshake
        row = self._protocol.methods.get((self._side, route.method, "request"))
        if row is None or not (route.opens or route.closes or (handshake and route.method == handshake.method)):
            return
        with contextlib.suppress(msgspec.MsgspecError, KeyError):
            raw = members_of(frame)["params"]
            params = raw if handshake and route.method == handshake.method else decode(row.params, raw)
            self._kept.begin(row, params)
            self._calls[route.id] = row, params

    # What the peer says

    async def _listen(self, peer: Wire) -> None:
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
            self._note_answer(route, frame)
        elif route is not None:
            if route.id is UNSET and route.session in self._kept.silent:
                return  # the client has seen it
            frame = self._aliases.incoming(route, frame)
        self._client.write(frame)

    @staticmethod
    def _settle(future: asyncio.Future[Raw], frame: bytes) -> None:
        members = members_of(frame)
        if future.done():
            return
        if "result" in members:
            future.set_result(members["result"])
        else:
            error = _plain(members.get("error", b"{}"))
            future.set_exception(
                RequestError(error.get("code", INTERNAL_ERROR), error.get("message", ""), error.get("data"))
            )

    def _note_answer(self, route: Route, frame: bytes) -> None:
        if route.id not in self._calls:
            return
        row, params = self._calls.pop(route.id)
        handshake = self._protocol.handshake
        if handshake is None or route.method != handshake.method:
            result = None
            with contextlib.suppress(msgspec.MsgspecError, KeyError):
                result = None if route.failed else decode(row.result, members_of(frame)["result"])
            self._kept.end(row, params, result)
        elif not route.failed:
            self._greeting = bytes(params)
            self._agreed = _plain(frame)["result"].get(handshake.version)
