"""Each wait of a client ends: the table "Deadlines" of docs/remote.md, a test for each row and transport."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from remote_agents import Agent, Client
from remote_hosts import served, under_hypercorn
from remote_page import PAGE

import generated as acp
from acp_tools.relay.chaos import Faults, proxied
from generated._runtime.transport.options import DialOptions, EndpointOptions
from tests.support.faulty_server import Unanswered, dripping, raw_server, silent, upgraded
from tests.support.waiting import advance

HTTP: dict[str, dict[str, Any]] = {"http/1.1": {}, "http/2": {"http2": True}}
CONNECTION = b"acp-connection-id"
Behave = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def failure(url: str, **options: Any) -> str:
    """What is said when a connection cannot be opened."""
    with pytest.raises(acp.ConnectionClosed) as raised:
        async with asyncio.timeout(60), acp.connect(url, Client(), **options) as agent:
            await agent.initialize()
    return str(raised.value)


def test_the_table_has_every_option_that_is_a_time() -> None:
    table = PAGE.partition("### Deadlines")[2].partition("\n\n## ")[0]
    timed = {*DialOptions.__annotations__, *EndpointOptions.__annotations__}
    assert {name for name in timed if name.endswith("timeout")} <= {each for each in timed if f"`{each}`" in table}


# --- open --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("behave", [silent, dripping])
@pytest.mark.parametrize("way", HTTP)
async def test_open_over_http_ends_with_the_answer_to_the_first_request(way: str, behave: Behave) -> None:
    async with raw_server(behave) as place:
        said = await failure(f"http://{place}/acp", open_timeout=0.2, **HTTP[way])
        if (way, behave) == ("http/2", dripping):  # what drips is not HTTP/2, and is found out before the time is over
            assert said.startswith(f"http://{place}/acp: ")
        else:
            assert said == f"http://{place}/acp: no response to initialize within 0.2 s"


@pytest.mark.parametrize("behave", [silent, dripping])
async def test_open_over_websocket_ends_with_the_upgrade(behave: Behave) -> None:
    async with raw_server(behave) as place:
        said = await failure(f"ws://{place}/acp", open_timeout=0.2)
        assert said == f"ws://{place}/acp: no WebSocket connection within 0.2 s"


@pytest.mark.parametrize(("url", "opener"), [("tcp://127.0.0.1:9", "connection"), ("unix:/a", "unix_connection")])
async def test_open_on_a_socket_ends_with_the_connection(
    url: str, opener: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, f"open_{opener}", never)
    assert await failure(url, open_timeout=0.01) == f"{url}: no connection within 0.01 s"


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (b"<html>Sign in", "<html>Sign in"),
        (b'{"jsonrpc":"2.0","id":7,"result":{}}', '"id":7'),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', "Parse error"),
    ],
)
async def test_an_unreadable_answer_to_the_first_request_is_its_failure(answer: bytes, shown: str) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        ours = scope["method"] == "POST"
        headers = [(b"content-type", b"application/json"), (CONNECTION, b"c1")]
        await send({"type": "http.response.start", "status": 200 if ours else 404, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    async with under_hypercorn(app) as url:
        said = await failure(url)
    assert said.startswith(f"{url}: unexpected response to initialize: ")
    assert shown in said


# --- answer ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", HTTP)
async def test_answer_over_http_ends_a_post_without_a_response(way: str) -> None:
    def is_second(scope: Any) -> bool:
        return scope["method"] == "POST" and any(name == CONNECTION for name, _ in scope["headers"])

    async with (
        under_hypercorn(Unanswered(acp.asgi(Agent), is_second)) as url,
        asyncio.timeout(60),
        acp.connect(url, Client(), answer_timeout=0.2, **HTTP[way]) as agent,
    ):
        await agent.initialize()
        with pytest.raises(acp.ConnectionClosed, match=f"{url}: no response to session/new within 0.2 s"):
            await agent.new_session(cwd="/", mcp_servers=[])


@pytest.mark.parametrize("scheme", ["ws", "tcp"])
async def test_answer_elsewhere_is_the_time_of_a_call(scheme: str) -> None:
    async with (
        raw_server(upgraded if scheme == "ws" else silent) as place,
        asyncio.timeout(60),
        acp.connect(f"{scheme}://{place}", Client(), call_timeout=0.1, close_timeout=0.1) as agent,
    ):
        with pytest.raises(TimeoutError, match="initialize"):
            await agent.initialize()


@pytest.mark.parametrize("way", HTTP)
async def test_an_unreadable_response_fails_its_call_alone(way: str) -> None:
    agents = acp.asgi(Agent)
    posts = 0

    async def app(scope: Any, receive: Any, send: Any) -> None:
        nonlocal posts
        posts += scope["type"] == "http" and scope["method"] == "POST"
        if posts == 2 and scope["method"] == "POST":
            posts += 1
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": b"{oops"})
        else:
            await agents(scope, receive, send)

    async with under_hypercorn(app) as url, asyncio.timeout(60), acp.connect(url, Client(), **HTTP[way]) as agent:
        await agent.initialize()
        with pytest.raises(acp.RequestError) as raised:
            await agent.new_session(cwd="/", mcp_servers=[])
        assert "the response is not a JSON-RPC message: '{oops'" in str(raised.value.data)
        assert (await agent.new_session(cwd="/", mcp_servers=[])).session_id == "s1"


# --- silence -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", HTTP)
async def test_silence_of_event_streams_ends_the_connection_when_none_can_be_opened(way: str) -> None:
    app = Unanswered(acp.asgi(Agent), lambda scope: scope["method"] == "GET")
    async with (
        under_hypercorn(app) as url,
        asyncio.timeout(60),
        acp.connect(url, Client(), silence=0.05, **HTTP[way]) as agent,
    ):
        await agent.initialize()
        await agent.wait_closed()
        with pytest.raises(acp.ConnectionClosed, match=r"no response to the GET of the event stream within 0.05 s"):
            await agent.new_session(cwd="/", mcp_servers=[])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no Unix sockets in asyncio")
@pytest.mark.parametrize("scheme", ["tcp", "unix"])
async def test_silence_of_a_socket_is_a_ping_without_an_answer(scheme: str, tmp_path: Path) -> None:
    address = {"tcp": "tcp://127.0.0.1:0", "unix": f"unix:{tmp_path / 's'}"}[scheme]
    faults = Faults(half_open=1, side="server")
    async with served(Agent, address) as url, proxied(url, faults) as proxy:
        async with acp.connect(proxy.url, Client()) as usual:
            assert usual._keepalive == 20
        async with asyncio.timeout(60), acp.connect(proxy.url, Client(), keepalive=0.05) as agent:
            with pytest.raises(acp.ConnectionClosed, match=r"the agent sent nothing for 0\.1 seconds"):
                await agent.initialize()


async def test_silence_of_a_websocket_is_a_ping_without_an_answer() -> None:
    async with (
        raw_server(upgraded) as place,
        asyncio.timeout(60),
        acp.connect(f"ws://{place}", Client(), ping=0.05, close_timeout=0.05) as agent,
    ):
        with pytest.raises(acp.ConnectionClosed, match=r"no response to a ping within 0.05 s"):
            await agent.initialize()


# --- close -------------------------------------------------------------------------------------------------------------


async def test_a_close_frame_ends_a_websocket_whose_tcp_connection_stays_open() -> None:
    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await upgraded(reader, writer)
        writer.write(b"\x88\x06\x03\xf3oops")

    async with raw_server(behave) as place, acp.connect(f"ws://{place}", Client(), close_timeout=1000) as agent:
        with pytest.raises(acp.ConnectionClosed, match="the server closed the connection: 1011 oops"):
            async with asyncio.timeout(60):
                await agent.initialize()
        advance(0)
        asyncio.get_running_loop().call_later(0.05, advance, 1001)  # the connection waits for the end of TCP


@pytest.mark.parametrize("scheme", ["ws", "tcp"])
async def test_close_ends_a_connection_whose_server_reads_nothing(scheme: str) -> None:
    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if scheme == "ws":
            await upgraded(reader, writer)
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]

    options: Any = {"close_timeout": 0.05, "call_timeout": 0.05}
    async with (
        raw_server(deaf) as place,
        asyncio.timeout(60),
        acp.connect(f"{scheme}://{place}", Client(), **options) as agent,
    ):
        with pytest.raises(TimeoutError):
            await agent.initialize(client_info=acp.Implementation(name="x" * (16 << 20), version="1"))


@pytest.mark.parametrize("way", HTTP)
async def test_close_over_http_does_not_wait_for_the_response_to_delete(way: str) -> None:
    app = Unanswered(acp.asgi(Agent), lambda scope: scope["method"] == "DELETE")
    async with under_hypercorn(app) as url, asyncio.timeout(60):
        async with acp.connect(url, Client(), close_timeout=0.05, **HTTP[way]) as agent:
            await agent.initialize()
        assert app.came.is_set()
