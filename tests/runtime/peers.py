"""Two peers on a pipe, and a peer of raw bytes: what the tests of the runtime talk through."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from generated import Agent, AgentSideConnection, Client, ClientSideConnection

ROOT = Path(__file__).resolve().parents[2]
EAGER = ("-X", "eager_tasks") if os.environ.get("EAGER_TASKS") else ()
"""What tells our agents to have eager tasks, too: a process that is started does not inherit our environment."""


async def streams() -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Both ends of a pipe, each a reader and a writer."""
    ours, theirs = socket.socketpair()
    return await asyncio.open_connection(sock=ours), await asyncio.open_connection(sock=theirs)


@asynccontextmanager
async def connected(
    agent: Agent, client: Client, *, opened: bool = True, agent_options: Any = None, **options: Any
) -> AsyncGenerator[ClientSideConnection, None]:
    """A client's connection to an agent in the same process, its handshake done. The agent finds its own on itself."""
    ours, theirs = await streams()
    async with (
        AgentSideConnection(agent, *theirs, **(agent_options or {})),
        ClientSideConnection(client, *ours, **options) as connection,
    ):
        if opened:
            await connection.initialize()
        yield connection


class Wire:
    """A peer of raw bytes: what a test wants to say that no stub would."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, *frames: Any) -> None:
        """Frames as objects, or as the bytes of one line."""
        for frame in frames:
            self._writer.write((frame if isinstance(frame, bytes) else msgspec.json.encode(frame)) + b"\n")
        await self._writer.drain()

    async def receive(self) -> Any:
        """The next frame."""
        async with asyncio.timeout(60):
            return msgspec.json.decode(await self._reader.readuntil(b"\n"))

    async def ask(self, id: Any, method: str, params: Any) -> Any:
        """Send a request; its response, which must be the next frame."""
        await self.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        response = await self.receive()
        assert response["id"] == id, response
        return response

    async def open(self, capabilities: Any = None) -> Any:
        """Shake hands as a client."""
        params: dict[str, Any] = {"protocolVersion": 1}
        if capabilities is not None:
            params["clientCapabilities"] = capabilities
        return (await self.ask("open", "initialize", params))["result"]

    def hang_up(self) -> None:
        self._writer.close()


@asynccontextmanager
async def wired(
    connection_type: Callable[..., Any], handler: Any, **options: Any
) -> AsyncGenerator[tuple[Wire, Any], None]:
    """A connection of ours, and raw bytes at its other end."""
    ours, theirs = await streams()
    wire = Wire(*theirs)
    try:
        async with connection_type(handler, *ours, **options) as connection:
            yield wire, connection
    finally:
        wire.hang_up()


@asynccontextmanager
async def wired_agent(agent: Agent, *, opened: bool = True, **options: Any) -> AsyncGenerator[Wire, None]:
    """An agent of ours, and a client of raw bytes."""
    async with wired(AgentSideConnection, agent, **options) as (wire, _):
        if opened:
            await wire.open()
        yield wire


@asynccontextmanager
async def wired_client(
    client: Client, *, capabilities: Any = None, **options: Any
) -> AsyncGenerator[tuple[Wire, ClientSideConnection], None]:
    """A client of ours, its handshake done, and an agent of raw bytes."""
    async with wired(ClientSideConnection, client, **options) as (wire, connection):
        opening = asyncio.create_task(connection.initialize())
        request = await wire.receive()
        result = {"protocolVersion": 1, "agentCapabilities": capabilities or {}}
        await wire.send({"jsonrpc": "2.0", "id": request["id"], "result": result})
        await opening
        yield wire, connection
