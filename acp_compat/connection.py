"""Connections that pass plain JSON to one function."""

from __future__ import annotations

import asyncio
import enum
import inspect
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Self

from acp_generated._runtime.schema.definitions import Protocol

import acp_generated as acp

from .exceptions import RequestError

JsonValue = Any
MethodHandler = Callable[[str, Any, bool], Awaitable[Any]]


class StreamDirection(enum.StrEnum):
    """The direction of a message."""

    INCOMING = "incoming"
    OUTGOING = "outgoing"


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """A message on the wire."""

    direction: StreamDirection
    message: dict[str, Any]


StreamObserver = Callable[[StreamEvent], Any]


class _Peer(acp.Agent):
    """The runtime's handlers: they pass every message on."""

    def __init__(self, handler: MethodHandler) -> None:
        self.handler = handler

    async def ext_method(self, method: str, params: Any) -> Any:
        return await self._passed(method, params, False)

    async def ext_notification(self, method: str, params: Any) -> None:
        await self._passed(method, params, True)

    async def _passed(self, *message: Any) -> Any:
        result = self.handler(*message)
        return await result if inspect.isawaitable(result) else result


class _Runtime(acp.AgentSideConnection):
    _protocol = Protocol(methods={})  # without methods and handshake, the runtime passes every message on


class Connection:
    """A connection on two streams, on this project's runtime."""

    def __init__(
        self,
        handler: MethodHandler,
        writer: asyncio.StreamWriter,
        reader: asyncio.StreamReader,
        *,
        observers: list[StreamObserver] | None = None,
        listening: bool = True,
        **_: Any,
    ) -> None:
        self._observers = list(observers or ())
        self._runtime = _Runtime(_Peer(handler), reader, writer, any_name=True, on_frame=self._observe)
        self._serving = asyncio.ensure_future(self._runtime.serve()) if listening else None
        self._is_fresh = True

    async def _opened(self) -> None:
        """Let the runtime open the connection before the first message."""
        if self._is_fresh:
            self._is_fresh = False
            await asyncio.sleep(0)

    async def main_loop(self) -> None:
        """Serve until the peer disconnects."""
        if self._serving is None:
            self._serving = asyncio.ensure_future(self._runtime.serve())
        await asyncio.shield(self._serving)

    async def close(self) -> None:
        """Close the connection."""
        await self._runtime.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def add_observer(self, observer: StreamObserver) -> None:
        """Call a function with every message."""
        self._observers.append(observer)

    def _observe(self, direction: str, frame: bytes) -> None:
        way = StreamDirection.OUTGOING if direction == "agent-to-client" else StreamDirection.INCOMING
        for observer in self._observers:
            found = observer(StreamEvent(way, json.loads(frame)))
            if inspect.isawaitable(found):
                asyncio.ensure_future(found)  # noqa: RUF006  # observers do not delay messages

    async def send_request(self, method: str, params: JsonValue = None) -> Any:
        """Call a method. Raises RequestError and ConnectionError."""
        await self._opened()
        try:
            return await self._runtime.ext_request(method, {} if params is None else params, any_name=True)
        except acp.RequestError as error:
            raise RequestError(error.code, error.message, error.data) from None
        except acp.errors.ConnectionClosed as error:
            raise ConnectionError("Connection closed") from error

    async def send_notification(self, method: str, params: JsonValue = None) -> None:
        """Send a notification. Raises ConnectionError."""
        await self._opened()
        try:
            await self._runtime.ext_notify(method, {} if params is None else params, any_name=True)
        except acp.errors.ConnectionClosed as error:
            raise ConnectionError("Connection closed") from error
