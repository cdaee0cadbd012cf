"""Admission to the listening socket of `serve`: clients that say nothing never keep others out, over each protocol."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import ssl
from collections.abc import AsyncGenerator
from typing import Any

import h2.events
import h2.settings
import httpx
import pytest
import uvicorn
from h2.connection import H2Connection
from remote_agents import Agent, Client, prompt
from remote_hosts import browsing, served
from remote_raw import INITIALIZE, manager, post, socketed, text_frame

import generated as acp
from acp_remote import responses
from acp_remote.hosting import MAX_REQUESTS, FairReader
from acp_remote.uvicorn_server import Server
from generated._runtime.entrypoints.listening import Listener, listening_socket
from generated.transports import runtime
from tests.support.waiting import advance, settled, still, until

HTTP2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0])
BEGUN: dict[str, tuple[str, bytes]] = {
    "HTTP, nothing": ("http", b""),
    "HTTP/1.1, half a request": ("http", b"POST /acp HTTP/1.1\r\nHost: 127"),
    "HTTP/2, its preface": ("http", HTTP2),
    "TCP, nothing": ("tcp", b""),
    "TCP, half a message": ("tcp", b'{"jsonrpc":"2.0",'),
}
"""The scheme of a server, and what a client says to it before it falls silent."""
HELLO = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n'


@pytest.fixture
def listeners(monkeypatch: pytest.MonkeyPatch) -> list[Listener]:
    """The listeners that the test makes."""
    made: list[Listener] = []
    make = Listener.__init__

    def remember(self: Listener, *arguments: Any) -> None:
        make(self, *arguments)
        made.append(self)

    monkeypatch.setattr(Listener, "__init__", remember)
    return made


@contextlib.asynccontextmanager
async def crowd(url: str, count: int, said: bytes) -> AsyncGenerator[list[asyncio.StreamReader]]:
    """Network connections that say something and then nothing."""
    host, _, port = url.partition("://")[2].partition("/")[0].rpartition(":")
    opened = [await asyncio.open_connection(host, int(port)) for _ in range(count)]
    for _, writer in opened:
        writer.write(said)
    try:
        yield [reader for reader, _ in opened]
    finally:
        for _, writer in opened:
            writer.transport.abort()


async def ended(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(60):
            while await reader.read(1 << 16):
                pass


@pytest.mark.parametrize("begun", BEGUN)
async def test_silent_clients_lock_nobody_out(begun: str) -> None:
    scheme, said = BEGUN[begun]
    async with (
        served(Agent, f"{scheme}://127.0.0.1:0", sockets=20) as url,
        crowd(url, 30, said),
        asyncio.timeout(60),
        acp.connect(url, Client()) as agent,
    ):
        await agent.initialize()
        assert (await agent.new_session(cwd="/", mcp_servers=[])).session_id == "s1"


@pytest.mark.parametrize("begun", BEGUN)
async def test_a_client_that_asks_nothing_in_time_is_closed(begun: str) -> None:
    scheme, said = BEGUN[begun]
    advance(0)
    async with (
        served(Agent, f"{scheme}://127.0.0.1:0", request_timeout=20) as url,
        crowd(url, 1, said) as (reader,),
    ):
        await settled()
        advance(21)
        await ended(reader)


async def test_a_websocket_without_a_message_in_time_is_closed() -> None:
    advance(0)
    async with served(Agent, request_timeout=5) as url, socketed(url) as (reader, _):
        await settled()
        advance(6)
        await ended(reader)


async def test_a_client_whose_tls_does_not_begin_is_closed() -> None:
    listening = listening_socket("127.0.0.1", 0)
    advance(0)
    listener = Listener(
        listening, lambda _: asyncio.Protocol(), {"request_timeout": 20}, ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    )
    port = listening.getsockname()[1]
    async with crowd(f"https://127.0.0.1:{port}", 1, b"\x16") as (reader,):
        await until(lambda: listener.idle)
        await settled()
        advance(21)
        await ended(reader)
        await until(lambda: not listener.idle)
        await listener.close()


@contextlib.asynccontextmanager
async def reading_nothing(url: str) -> AsyncGenerator[tuple[H2Connection, asyncio.StreamReader]]:
    """A client over HTTP/2 that opens no window for the response to its request. The head of the response has come."""
    protocol = H2Connection()
    protocol.initiate_connection()
    protocol.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 0})
    fields = {":method": "GET", ":scheme": "http", ":authority": "127.0.0.1", ":path": "/health"}
    protocol.send_headers(1, list(fields.items()), end_stream=True)
    async with crowd(url, 1, protocol.data_to_send()) as (reader,):
        await event(protocol, reader, h2.events.ResponseReceived)
        yield protocol, reader


async def event(protocol: H2Connection, reader: asyncio.StreamReader, kind: type[Any]) -> None:
    """Wait for an event of a kind."""
    told: list[Any] = []
    while not any(isinstance(each, kind) for each in told):
        told = protocol.receive_data(await reader.read(1 << 16))


async def test_a_lost_client_that_has_read_no_response_over_http_2_leaves_no_connection(
    listeners: list[Listener],
) -> None:
    async with served(Agent) as url:
        async with reading_nothing(url):
            pass
        await until(lambda: not listeners[0]._open)


async def test_a_response_that_is_not_read_in_time_over_http_2_ends_with_its_stream(
    monkeypatch: pytest.MonkeyPatch, listeners: list[Listener]
) -> None:
    monkeypatch.setattr(responses, "_READING", 0.1)
    async with served(Agent) as url, reading_nothing(url):
        await until(lambda: listeners[0].idle)


async def test_one_address_has_no_more_than_its_share(listeners: list[Listener]) -> None:
    async with served(Agent, sockets_each=3) as url, crowd(url, 4, b"") as readers:
        await ended(readers[0])
        assert len(listeners[0].idle) == 3


async def test_a_request_in_progress_never_gives_way(listeners: list[Listener]) -> None:
    async with served(Agent, "tcp://127.0.0.1:0", sockets=2) as url, crowd(url, 2, HELLO) as readers:
        for reader in readers:
            assert b"protocolVersion" in await reader.readline()
        async with crowd(url, 1, HELLO) as (late,):
            await ended(late)
        assert not listeners[0].idle
        assert not any(reader.at_eof() for reader in readers)


async def test_the_number_of_network_connections_follows_the_limit_on_open_files(
    monkeypatch: pytest.MonkeyPatch, listeners: list[Listener]
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 256))
    async with served(Agent):
        assert listeners[0].limit == 192


async def test_requests_of_all_clients_share_one_budget() -> None:
    async with served(Agent, memory=1000) as url, browsing(url) as client:
        host, _, port = url.partition("://")[2].partition("/")[0].rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"POST /acp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n"
        writer.write(head.encode() + bytes(990))
        await until(lambda: manager().arriving == 990)
        assert (await post(client, INITIALIZE)).status_code == 503
        writer.close()
        await ended(reader)
        await until(lambda: manager().arriving == 0)
        assert (await post(client, INITIALIZE)).status_code == 200


@contextlib.asynccontextmanager
async def under_uvicorn(app: Any, **options: Any) -> AsyncGenerator[tuple[str, Server]]:
    config = uvicorn.Config(app, port=0, log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1)
    server = Server(runtime(acp.methods.PROTOCOL), config, **options)
    listening = listening_socket("127.0.0.1", 0)
    task = asyncio.ensure_future(server.serve([listening]))
    await until(lambda: server.started or task.done())
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/acp", server
    finally:
        server.should_exit = True
        await task


@contextlib.asynccontextmanager
async def by_library(library: str, **options: Any) -> AsyncGenerator[str]:
    """The address of agents under a server library."""
    if library == "hypercorn":
        async with served(Agent, **options) as url:
            yield url
    else:
        async with under_uvicorn(acp.asgi(Agent, **options)) as (url, _):
            yield url


@pytest.mark.parametrize("profile", ["http", "websocket"])
@pytest.mark.parametrize("library", ["hypercorn", "uvicorn"])
async def test_the_connections_that_hold_most_end_when_all_hold_too_much(
    library: str, profile: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Immediately: no clock has to move."""
    async with (
        by_library(library, memory=100_000) as url,
        acp.connect(url, Client(), profile=profile) as small,
        acp.connect(url, Client(), profile=profile) as large,
    ):
        for agent in (small, large):
            await agent.initialize()
            await agent.new_session(cwd="/", mcp_servers=[])
        await small.prompt(session_id="s1", prompt=prompt("say 1 1000"))
        with pytest.raises(acp.ConnectionClosed):
            await large.prompt(session_id="s1", prompt=prompt("say 1 200000"))
        assert (await small.prompt(session_id="s1", prompt=prompt("say 1 1000"))).stop_reason == "end_turn"
    assert "all connections together exceed `memory`" in caplog.text


@pytest.fixture(params=["asyncio", "uvloop"])
def loop(request: pytest.FixtureRequest) -> Any:
    """What makes an event loop of a library."""
    return asyncio.new_event_loop if request.param == "asyncio" else pytest.importorskip("uvloop").new_event_loop


async def silent_clients_under_uvicorn(said: bytes) -> None:
    app = acp.asgi(Agent)
    async with under_uvicorn(app, sockets=10, request_timeout=600) as (url, server), crowd(url, 15, said):
        (listener,) = server._listeners
        for profile in ("http", "websocket"):
            async with asyncio.timeout(60), acp.connect(url, Client(), profile=profile) as agent:
                await agent.initialize()
                assert (await agent.new_session(cwd="/", mcp_servers=[])).session_id == "s1"
        await until(lambda: len(listener._open) == len(listener.idle) <= 10)  # a WebSocket is not counted for ever
    async with under_uvicorn(app, request_timeout=0.05) as (url, server), crowd(url, 2, said) as readers:
        for reader in readers:
            await ended(reader)
        assert not server._listeners[0]._open


@pytest.mark.parametrize("said", [b"", b"POST /acp HTTP/1.1\r\nHost: 127"])
def test_silent_clients_lock_nobody_out_under_uvicorn(loop: Any, said: bytes) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(silent_clients_under_uvicorn(said))


async def test_each_application_under_uvicorn_keeps_its_requests_behind_a_proxy_of_this_machine() -> None:
    going, done = asyncio.Event(), asyncio.Event()

    async def other(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return
        assert scope["client"][0] == "203.0.113.7", "what the proxy says"
        going.set()
        await done.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})

    async with under_uvicorn(other, sockets=1, request_timeout=0.05) as (url, server), httpx.AsyncClient() as client:
        request = asyncio.ensure_future(client.get(url, headers={"X-Forwarded-For": "203.0.113.7"}))
        await going.wait()
        async with crowd(url, 1, b"") as (late,):
            await ended(late)
        assert not server._listeners[0].idle
        await asyncio.sleep(0.1)
        done.set()
        assert (await request).text == "done"


@pytest.mark.parametrize(
    "begun",
    [b"POST /acp HTTP/1.1\r\nX: ", b"POST /acp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX: "],
    ids=["header", "trailer"],
)
async def test_headers_without_an_end_are_not_kept_under_uvicorn(begun: bytes) -> None:
    async with under_uvicorn(acp.asgi(Agent)) as (url, _), crowd(url, 1, b"") as (reader,), asyncio.timeout(60):
        host, _, port = url.partition("://")[2].partition("/")[0].rpartition(":")
        _, writer = await asyncio.open_connection(host, int(port))
        sent = 0
        with contextlib.suppress(ConnectionError):
            writer.write(begun)
            while not writer.is_closing():
                writer.write(b"x" * 16_384)
                sent += 16_384
                await writer.drain()
                await asyncio.sleep(0)
                assert sent < 32 << 20
        assert not reader.at_eof()


async def test_pings_of_a_client_that_reads_nothing_make_it_wait_under_uvicorn() -> None:
    async with under_uvicorn(acp.asgi(Agent)) as (url, _), socketed(url) as (_, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        pings, sent = text_frame(b"y" * 125, 9) * 500, 0

        async def flood() -> None:
            nonlocal sent
            while sent < 64 << 20:
                writer.write(pings)
                await writer.drain()
                sent += len(pings)

        flooding = asyncio.ensure_future(flood())
        await still(lambda: sent)
        assert not flooding.done()
        flooding.cancel()


async def test_a_flood_on_one_network_connection_gives_way_to_the_others() -> None:
    reader, others = FairReader(), 0

    async def other() -> None:
        nonlocal others
        while True:
            others += 1
            await asyncio.sleep(0)

    reader.feed_data(bytes(1 << 17))
    reader.feed_eof()
    running = asyncio.ensure_future(other())
    await asyncio.sleep(0)
    while chunk := await reader.read(1 << 16):
        assert others
        assert len(chunk) <= 1 << 15  # each frame of a flood may have seven bytes, and each costs time
        others = 0
    running.cancel()


async def test_streams_that_are_opened_and_reset_end_their_network_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_REQUESTS <= 10_000
    monkeypatch.setattr("acp_remote.hosting.MAX_REQUESTS", 50)
    async with served(Agent) as url, asyncio.timeout(60):
        host, _, port = url.partition("://")[2].partition("/")[0].rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        protocol = H2Connection()
        protocol.initiate_connection()
        headers = [(":method", "GET"), (":path", "/acp"), (":scheme", "http"), (":authority", "127.0.0.1")]
        for _ in range(60):
            stream = protocol.get_next_available_stream_id()
            protocol.send_headers(stream, headers)
            protocol.reset_stream(stream)
        writer.write(protocol.data_to_send())
        told: list[h2.events.Event] = []
        while not any(isinstance(event, h2.events.ConnectionTerminated) for event in told):
            data = await reader.read(1 << 16)
            assert data, "it is closed for being idle"
            told += protocol.receive_data(data)
        writer.transport.abort()


async def test_no_compression_is_agreed_on() -> None:
    offered = {"Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits"}
    async with served(Agent) as url:
        host, _, port = url.partition("://")[2].partition("/")[0].rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        fixed = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"}
        lines = {"Host": host, "Upgrade": "websocket", "Connection": "Upgrade", **fixed, **offered}
        text = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"GET /acp HTTP/1.1\r\n{text}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert b" 101 " in head
        assert b"permessage-deflate" not in head
        writer.transport.abort()


@pytest.mark.parametrize("path", ["/health", "/ready"])
async def test_health_tells_nothing_and_checks_host(path: str) -> None:
    async with served(Agent) as url, browsing(url) as client:
        assert (await post(client, INITIALIZE)).status_code == 200
        assert (await client.get(path)).json() == {"status": "ok"}
        assert (await client.get(path, headers={"Host": "evil.example"})).status_code == 403
