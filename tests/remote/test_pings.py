"""WebSockets whose client neither reads nor writes any more, and does not close: each server notices, and keeps those that answer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any

import pytest
from remote_agents import RUNTIME, Agent
from remote_hosts import browsing, served, under_hypercorn
from remote_raw import INITIALIZE, connections, socketed, text_frame
from test_mounted import under_uvicorn

import generated as acp
from acp_remote import Endpoint, ServerConnection
from acp_remote.keepalive import KeepaliveMonitor
from tests.support.waiting import advance, settled


@contextlib.asynccontextmanager
async def by_uvicorn(ws: str, ping: float) -> AsyncGenerator[str]:
    async with under_uvicorn(acp.asgi(Agent), ws=ws, ws_ping_interval=ping, ws_ping_timeout=2 * ping) as url:
        yield f"{url}/acp"


SERVERS: dict[str, Any] = {
    "serve": lambda ping: served(Agent, ping=ping),
    "hypercorn": lambda ping: under_hypercorn(acp.asgi(Agent, ping=ping), websocket_ping_interval=ping),
    "uvicorn, websockets-sansio": lambda ping: by_uvicorn("websockets-sansio", ping),
    "uvicorn, wsproto": lambda ping: by_uvicorn("wsproto", ping),
}


@contextlib.asynccontextmanager
async def health(url: str) -> AsyncGenerator[Any]:
    import httpx

    async with httpx.AsyncClient(base_url=url.removesuffix("/acp"), timeout=5) as client:
        yield client


async def next_frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Kind and content of a frame of the server, which is short."""
    kind, size = await reader.readexactly(2)
    if size == 126:
        size = int.from_bytes(await reader.readexactly(2), "big")
    return kind & 0xF, await reader.readexactly(size)


@pytest.mark.parametrize("server", SERVERS)
async def test_a_client_that_falls_silent_is_noticed(server: str) -> None:
    advance(0)
    async with SERVERS[server](20) as url, socketed(url) as (reader, writer), health(url):
        writer.write(text_frame(INITIALIZE))
        while b"agentCapabilities" not in (await next_frame(reader))[1]:
            pass
        await connections(1)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(8):
            advance(20)
            await settled()
        await connections(0)


@pytest.mark.parametrize("server", SERVERS)
async def test_one_that_answers_pings_and_says_nothing_else_stays(server: str) -> None:
    async with SERVERS[server](20) as url, socketed(url) as (reader, writer), health(url):
        writer.write(text_frame(INITIALIZE))
        pings = 0
        while pings < 6:
            await settled()
            advance(20)
            kind, content = await next_frame(reader)
            assert kind in (1, 9), "a close, or what is no frame"
            if kind == 9:
                pings += 1
                writer.write(text_frame(content, kind=10))
        await connections(1)


async def test_what_waits_for_its_agent_is_no_silence() -> None:
    """hypercorn reads nothing more from a socket whose application does not take what came: the client is there all the same."""
    goes_on = asyncio.Event()

    async def accept(visit: ServerConnection) -> None:
        await goes_on.wait()
        while await visit.transport.receive():
            pass

    endpoint = Endpoint(RUNTIME, "agent", accept, ping=0.05)
    async with (
        under_hypercorn(endpoint, websocket_ping_interval=0.05, max_app_queue_size=1) as url,
        socketed(url) as (reader, writer),
        browsing(url),
    ):
        for _ in range(10):
            writer.write(text_frame(b"{}"))
        for _ in range(12):
            assert (await next_frame(reader))[0] == 9
        await connections(1)
        goes_on.set()


async def test_a_client_is_gone_only_if_it_is_silent_at_a_second_look() -> None:
    class Stream:
        """A stream of a server that pings every second."""

        config = SimpleNamespace(websocket_ping_interval=1.0)

        async def handle(self, event: Any) -> None: ...
        async def send(self, message: Any) -> None: ...

    advance(0)
    stream = Stream()
    monitor = KeepaliveMonitor(RUNTIME, stream.send)
    looks: list[bool] = []
    for pong in (True, False):  # a pong that was late is read between the two looks
        advance(20)
        looks.append(monitor.missing)
        if pong:
            await stream.handle(None)
        looks.append(monitor.missing)
    assert looks == [False, False, False, True]
