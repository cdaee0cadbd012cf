"""A chain of proxies between an editor and an agent. Every component is a process that speaks only to this one.

    a request of the editor                     goes to the first component unchanged
    the opening request to a proxy              becomes the opening request of proxies
    a wrapped message of a proxy                goes to its successor without the wrapper
    any other message of a component            goes to its predecessor: the editor gets it unchanged, a proxy wrapped
    a response                                  returns unchanged, with the id of the request
    a cancelled request                         ends here if it was wrapped; otherwise the cancellation goes along
    a component ends                            pending requests fail, and all others end with it

Params, results and errors pass as the bytes that were received.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from acp_generated import transports

from ..codegen_api import console, errors

OPENING, OPENING_OF_PROXIES, WRAPPED, CANCEL = "initialize", "proxy/initialize", "proxy/successor", "$/cancel_request"
INVALID, INTERNAL, CANCELLED = -32602, -32603, -32800
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_DIGITS = 20
"""Maximum number of digits of an id. Longer numbers are not ids of the chain, and may exceed Python's limit."""


class Frame(Struct, omit_defaults=True):
    """A message as far as the chain reads it."""

    jsonrpc: str = msgspec.field(default="")
    id: Raw | UnsetType = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class Inner(Struct):
    """The params of a wrapped message. Its own `_meta` is for this connection alone."""

    method: str
    params: Raw | UnsetType = UNSET


class Cancel(Struct):
    request: Raw = msgspec.field(name="requestId")


class Asked(Struct):
    """A request that was passed on: its sender, its id there, and whether it was wrapped."""

    sender: int
    id: Raw
    method: str
    wrapped: bool


class Chain:
    """The routes between an editor (0), proxies, and an agent, by number."""

    def __init__(self, names: Sequence[str], components: Sequence[transports.Transport]) -> None:
        self.names, self.components = names, components
        self._last = len(components) - 1
        self._asked: list[dict[int, Asked]] = [{} for _ in components]
        """The pending requests to each component, by our id."""
        self._next = 0
        self._began: set[int] = set()
        """The proxies that have opened their successor."""

    async def pump(self, number: int) -> None:
        """Route the frames of one component until it ends."""
        while frames := await self.components[number].receive():
            for frame in frames:
                self.route(number, frame)
            for each in self.components[max(number - 1, 0) : number + 2]:  # its neighbours get what it sends
                if each.full():
                    await each.drain()

    def route(self, sender: int, data: bytes) -> None:
        """Pass one frame on."""
        try:
            frame = msgspec.json.decode(data, type=Frame)
            inner = None
            if frame.method == WRAPPED and 0 < sender < self._last:
                inner = msgspec.json.decode(b"{}" if frame.params is UNSET else frame.params, type=Inner)
                if inner.params is not UNSET and bytes(inner.params)[:1] not in (b"{", b"[", b"n"):
                    raise msgspec.ValidationError("expected an object or an array - at `$.params`")
        except _UNREADABLE as error:
            self._reject(sender, data, str(error))
            return
        if frame.method is UNSET:
            self._respond(sender, frame)
        elif frame.method == CANCEL:
            self._cancel(sender, frame)
        elif inner is not None:
            if inner.method == OPENING:
                self._began.add(sender)
            params = UNSET if inner.params is UNSET or bytes(inner.params) == b"null" else inner.params
            self._pass(sender, sender + 1, frame.id, inner.method, params, wrapped=True)
        elif sender == 0:
            self._pass(0, 1, frame.id, frame.method, frame.params)
        elif sender == 1:
            self._pass(1, 0, frame.id, frame.method, frame.params)
        else:
            whole = {"method": frame.method, **({} if frame.params is UNSET else {"params": frame.params})}
            self._pass(sender, sender - 1, frame.id, WRAPPED, Raw(msgspec.json.encode(whole)))

    def _pass(  # the parts of a message
        self,
        sender: int,
        to: int,
        id_: Raw | UnsetType,
        method: str,
        params: Raw | UnsetType,
        *,
        wrapped: bool = False,
    ) -> None:
        if method == OPENING and 0 < to < self._last and sender < to:
            method = OPENING_OF_PROXIES
        sent: Raw | UnsetType = UNSET
        if id_ is not UNSET:
            self._next += 1
            self._asked[to][self._next] = Asked(sender, id_.copy(), method, wrapped)
            sent = Raw(str(self._next).encode())
        self._write(to, Frame(jsonrpc="2.0", id=sent, method=method, params=params))

    def _respond(self, sender: int, frame: Frame) -> None:
        text = b"" if frame.id is UNSET else bytes(frame.id)
        asked = self._asked[sender].pop(int(text), None) if text.isdigit() and len(text) < _DIGITS else None
        if asked is None:
            return  # it was cancelled, or nobody asked
        if asked.method == OPENING_OF_PROXIES and frame.error is UNSET and sender not in self._began:
            problem = f"{self.names[sender]} has not passed {OPENING} on to its successor"
            self._fail(asked, INTERNAL, problem)
            return
        self._write(asked.sender, Frame(jsonrpc="2.0", id=asked.id, result=frame.result, error=frame.error))

    def _cancel(self, sender: int, frame: Frame) -> None:
        try:
            given = msgspec.json.decode(b"{}" if frame.params is UNSET else frame.params, type=Cancel)
        except _UNREADABLE:
            return
        for to, pending in enumerate(self._asked):
            for id_, asked in [*pending.items()]:
                if asked.sender != sender or asked.id != given.request:
                    continue
                if asked.wrapped:  # a cancellation never reaches the next hop
                    self._fail(pending.pop(id_), CANCELLED, "Request cancelled")
                else:
                    params = Raw(msgspec.json.encode({"requestId": id_}))
                    self._write(to, Frame(jsonrpc="2.0", method=CANCEL, params=params))

    def _reject(self, sender: int, data: bytes, reason: str) -> None:
        console.note(f"{self.names[sender]}: a message that cannot be passed on: {reason}")
        try:
            frame = msgspec.json.decode(data, type=Frame)
        except _UNREADABLE:
            return
        if frame.id is not UNSET:
            self._fail(Asked(sender, frame.id, "", wrapped=False), INVALID, reason)

    def lost(self, number: int) -> None:
        """Answer the pending requests of the editor, because a component has ended."""
        for asked in self._asked[1].values():
            self._fail(asked, INTERNAL, f"{self.names[number]} has ended")

    def _fail(self, asked: Asked, code: int, message: str) -> None:
        error = Raw(msgspec.json.encode({"code": code, "message": message}))
        self._write(asked.sender, Frame(jsonrpc="2.0", id=asked.id, error=error))

    def _write(self, to: int, frame: Frame) -> None:
        self.components[to].write(msgspec.json.encode(frame))


async def chain(commands: Sequence[Sequence[str]]) -> int:
    """Run a chain until the editor (0) or a component (1) ends. The last command is the agent.

    Raises InputError for a command that cannot be started.
    """
    async with AsyncExitStack() as stack:
        started: list[transports.Transport] = []
        for command in commands:
            try:
                component = transports.process_transport(*command, inherit_env=True)
                started.append(await stack.enter_async_context(component))
            except OSError as refusal:
                raise errors.InputError(command[0], f"cannot be started: {refusal.strerror or refusal}") from None
        editor = await stack.enter_async_context(transports.stdio_transport())
        names = ("the editor", *(command[0] if len(command) == 1 else " ".join(command) for command in commands))
        routes = Chain(names, [editor, *started])
        pumps = [asyncio.create_task(routes.pump(number)) for number in range(len(names))]
        try:
            done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            ended = [number for number, pump in enumerate(pumps) if pump in done]
            for number in ended:
                if (error := pumps[number].exception()) is not None and not isinstance(error, ConnectionError):
                    raise error
            if 0 in ended:
                return 0
            routes.lost(ended[0])
            console.note(f"error: {pumps[ended[0]].exception() or f'{names[ended[0]]} has closed its output'}")
            return 1
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
