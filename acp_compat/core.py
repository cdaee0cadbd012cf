"""Connections of the SDK's form, on this project's runtime."""

from __future__ import annotations

import asyncio
import inspect
import warnings
from typing import Any, ClassVar, Self

from acp_generated._runtime.codec.pydantic_models import _wire_name
from pydantic import BaseModel

from .connection import Connection
from .exceptions import RequestError as RequestError  # noqa: PLC0414
from .handlers import Handlers, read, written
from .interfaces import Agent, Client
from .tables import MODES, ROWS, Row

DEFAULT_STDIO_BUFFER_LIMIT_BYTES = 50 * 1024 * 1024


_SPLIT = {"set_config_option": ("SetSessionConfigOptionBooleanRequest", "SetSessionConfigOptionSelectRequest")}
"""The SDK's names for params that the package has as one union."""


class _Connection:
    """A connection of one side."""

    _side: ClassVar[str]
    _peer: ClassVar[str]

    def __init__(
        self,
        target: Any,
        input_stream: Any,
        output_stream: Any = None,
        listening: bool = True,
        *,
        use_unstable_protocol: bool = False,
        **connection_kwargs: Any,
    ) -> None:
        if not isinstance(input_stream, asyncio.StreamWriter) or not isinstance(output_stream, asyncio.StreamReader):
            raise TypeError(f"{type(self).__name__} requires asyncio StreamWriter/StreamReader")
        found = target(self) if callable(target) else target
        handlers = Handlers(self._side, found, is_unstable=use_unstable_protocol)
        self._conn = Connection(handlers, input_stream, output_stream, listening=listening, **connection_kwargs)
        if on_connect := getattr(found, "on_connect", None):
            on_connect(self)

    async def listen(self) -> None:
        """Serve until the peer disconnects."""
        await self._conn.main_loop()

    async def close(self) -> None:
        """Close the connection."""
        await self._conn.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Call an extension method; the name has no leading `_`."""
        found: dict[str, Any] = await self._conn.send_request(f"_{method}", params)
        return found

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        """Send an extension notification; the name has no leading `_`."""
        await self._conn.send_notification(f"_{method}", params)

    async def _send(self, row: Row, args: tuple[Any, ...], words: dict[str, Any]) -> Any:
        if len(args) == 1 and isinstance(args[0], BaseModel) and not words:
            kind = " | ".join(theirs for theirs in _SPLIT.get(row.name, (type(args[0]).__name__,)))
            warnings.warn(f"Calling {row.name} with {kind} parameter is deprecated", DeprecationWarning, stacklevel=3)
            params = written(args[0])
        else:
            given = dict(zip(row.words or ("message", "mode"), args, strict=False)) | words
            mode = given.pop("mode", None)
            known = row.words or ("message",)
            meta = {word: given.pop(word) for word in [*given] if word not in known}
            given |= {"type": "boolean"} if isinstance(given.get("value"), bool) else {}
            named = {_wire_name(word): _plain(value) for word, value in given.items() if value is not None}
            kind = row.params
            if mode is not None:
                kind = next(request for request, each in MODES.items() if each == type(mode).__name__)
                named |= written(mode)
            params = written(read(kind, named | ({"_meta": meta} if meta else {})))
        if row.result is None:
            await self._conn.send_notification(row.method, params)
            return None
        result = await self._conn.send_request(row.method, params)
        return read(row.result, result) if isinstance(result, dict) else None


def _plain(value: Any) -> Any:
    """A value without models, which read as objects of their own classes."""
    return [written(each) for each in value] if isinstance(value, list | tuple) else written(value)


def _with_calls(kind: type[_Connection]) -> None:
    """Give a class the calls of its peer, by the SDK's names and the older names."""
    for row in ROWS[kind._peer].values():  # noqa: SLF001

        async def call(self: _Connection, *args: Any, _row: Row = row, **words: Any) -> Any:
            return await self._send(_row, args, words)

        names = row.words or ("params",)
        parameters = [inspect.Parameter(word, inspect.Parameter.POSITIONAL_OR_KEYWORD) for word in ("self", *names)]
        parameters.append(inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD))
        call.__name__ = row.name
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        setattr(kind, row.name, call)
        setattr(kind, _wire_name(row.name), call)


class AgentSideConnection(_Connection):
    """The connection of an agent to its client."""

    _side, _peer = "Agent", "Client"


class ClientSideConnection(_Connection):
    """The connection of a client to its agent."""

    _side, _peer = "Client", "Agent"


_with_calls(AgentSideConnection)
_with_calls(ClientSideConnection)


async def run_agent(
    agent: Agent,
    input_stream: Any = None,
    output_stream: Any = None,
    *,
    use_unstable_protocol: bool = False,
    stdio_buffer_limit_bytes: int = DEFAULT_STDIO_BUFFER_LIMIT_BYTES,
    **connection_kwargs: Any,
) -> None:
    """Run an agent on two streams, or on standard input and output."""
    from .stdio import stdio_streams  # noqa: PLC0415  # it imports this module

    if input_stream is None and output_stream is None:
        output_stream, input_stream = await stdio_streams(limit=stdio_buffer_limit_bytes)
    options: dict[str, Any] = {"use_unstable_protocol": use_unstable_protocol, **connection_kwargs}
    connection = AgentSideConnection(agent, input_stream, output_stream, listening=False, **options)
    try:
        await connection.listen()
    finally:
        await asyncio.shield(connection.close())


def connect_to_agent(
    client: Client,
    input_stream: Any,
    output_stream: Any = None,
    *,
    use_unstable_protocol: bool = False,
    **connection_kwargs: Any,
) -> ClientSideConnection:
    """Connect a client to an agent on two streams."""
    options: dict[str, Any] = {"use_unstable_protocol": use_unstable_protocol, **connection_kwargs}
    return ClientSideConnection(client, input_stream, output_stream, **options)
