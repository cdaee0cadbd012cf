"""Servers of the package `mcp` over a connection: with an agent's session, at a loopback address, and what goes wrong."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import Any

import httpx
import mcp
import pytest
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.server.lowlevel import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError

import generated as acp
from examples.tools_agent import ToolsAgent
from examples.tools_client import shop
from generated._runtime.session import tunnel, tunnel_sessions
from generated.testing import RecordingClient, connected

ENVELOPE = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Direct(ToolsAgent):
    """An agent whose turn the test plays itself."""


class ByUrl(acp.Agent):
    """An agent that accepts servers over HTTP alone."""

    def __init__(self) -> None:
        self.given: list[Any] = []

    def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
        capabilities = acp.AgentCapabilities(mcp_capabilities=acp.McpCapabilities(http=True))
        return acp.InitializeResponse(protocol_version=params.protocol_version, agent_capabilities=capabilities)

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        self.given = list(params.mcp_servers)
        return acp.NewSessionResponse(session_id="s")


class Neither(ByUrl):
    def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
        return acp.InitializeResponse(protocol_version=params.protocol_version)


class Faulty:
    """A server whose tools wait, fail or flood."""

    def __init__(self) -> None:
        self.server = server = MCPServer("faulty")
        self.entered, self.cancelled = asyncio.Event(), asyncio.Event()
        self.sent = 0

        @server.tool()
        async def wait() -> str:
            self.entered.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled.set()
            return ""

        @server.tool()
        async def flood(context: Context) -> str:
            for number in range(5000):
                await context.report_progress(number)
                self.sent += 1
            return "done"


async def test_a_tool_of_the_client_is_called_with_progress() -> None:
    client = RecordingClient()
    async with connected(ToolsAgent(), client) as (_, agent), agent.session(cwd="/work", mcp=[shop]) as session:
        await session.prompt("pear")
        await session.prompt("house")
        told = [update.content.text for update in client.updates]
    assert told == [
        "looking for pear (1 of 2)",
        "pear: {'result': 3}",
        "looking for house (1 of 2)",
        "it is not for sale",
    ]


@pytest.fixture
def faulty() -> Faulty:
    return Faulty()


@asynccontextmanager
async def tools_of(server: Any, **options: Any) -> Any:
    """The session of an agent with a server of its client; also the client's session, and the connection to the agent."""
    agent = Direct()
    async with connected(agent) as (_, connection):
        session = await connection.session(cwd="/work", mcp=[server])
        async with acp.mcp.connect(agent.client, agent.servers[session.id], **options) as tools:
            yield tools, session, agent


async def test_a_server_that_never_answers_is_given_up_and_its_tool_cancelled(faulty: Faulty) -> None:
    async with tools_of(faulty.server, read_timeout_seconds=0.2) as (tools, _, _):
        with pytest.raises(MCPError, match="no answer in time"):
            await tools.call_tool("wait", {})
        await faulty.cancelled.wait()


async def test_the_session_ends_during_a_call(faulty: Faulty) -> None:
    async with tools_of(faulty.server) as (tools, session, _):
        call = asyncio.ensure_future(tools.call_tool("wait", {}))
        await faulty.entered.wait()
        session.detach()
        with pytest.raises(MCPError) as raised:
            await call
        assert "closed" in str(raised.value.error.data)
        await faulty.cancelled.wait()
        with pytest.raises(MCPError) as raised:  # and the server is unknown from now on
            await tools.call_tool("wait", {})
        assert raised.value.error.code == -32602


async def test_the_connection_is_lost_during_a_call(faulty: Faulty) -> None:
    agent = Direct()
    async with connected(agent) as (_, connection):
        session = await connection.session(cwd="/work", mcp=[faulty.server])
        async with acp.mcp.connect(agent.client, agent.servers[session.id]) as tools:
            call = asyncio.ensure_future(tools.call_tool("wait", {}))
            await faulty.entered.wait()
            await connection.close()
            with pytest.raises(acp.ConnectionClosed):
                await call
    await faulty.cancelled.wait()


async def test_a_flood_of_notifications_arrives_completely_and_in_order(faulty: Faulty) -> None:
    seen: list[float] = []

    async def progress(done: float, _total: float | None, _text: str | None) -> None:
        seen.append(done)

    async with tools_of(faulty.server) as (tools, _, _):
        result = await tools.call_tool("flood", {}, progress_callback=progress)
    assert not result.is_error
    assert seen == [*map(float, range(5000))]


async def test_a_server_that_dies_fails_the_call_and_not_the_connection() -> None:
    async def list_tools(*_: Any) -> Any:
        raise RuntimeError("a secret of the server")

    async with tools_of(Server("low", on_list_tools=list_tools)) as (tools, _, agent):
        with pytest.raises(MCPError) as raised:
            await tools.list_tools()
        assert "secret" not in str(raised.value)
        assert agent.client.closed is None


async def test_a_server_that_does_not_start_fails_the_opening() -> None:
    @asynccontextmanager
    async def lifespan(_: Any) -> Any:
        raise OSError("no disk")
        yield

    async with connected(Direct()) as (_, connection):
        with pytest.raises(OSError, match="no disk"):
            await connection.session(cwd="/work", mcp=[Server("low", lifespan=lifespan)])


@pytest.mark.parametrize(("server", "code"), [("unknown", -32602), ("own", -32603)])
async def test_a_message_for_an_unknown_server(server: str, code: int) -> None:
    """Without handlers of the client's own, it is rejected; otherwise they get it."""

    class Own(acp.Client):
        def message_mcp(self, params: acp.MessageMcpRequest) -> acp.MessageMcpResponse:
            raise acp.RequestError(-32603 if params.server_id == "own" else -32602, "mine")

    agent = Direct()
    client = Own() if server == "own" else acp.Client()
    async with connected(agent, client) as (_, connection), connection.session(cwd="/work", mcp=[shop]):
        with pytest.raises(acp.RequestError) as raised:
            await agent.client.message_mcp(server_id=server, request_id="1", method="tools/list")
        assert raised.value.code == code
        await connection.message_mcp_notification(server_id=server, request_id="9", method="notifications/message")


async def test_params_without_the_envelope_are_an_error_of_the_server() -> None:
    agent = Direct()
    async with connected(agent) as (_, connection), connection.session(cwd="/work", mcp=[shop]) as session:
        id_ = agent.servers[session.id].server_id
        for params in (None, {"_meta": 1}, {"_meta": {**ENVELOPE, "io.modelcontextprotocol/protocolVersion": "1"}}):
            answer = await agent.client.message_mcp(server_id=id_, request_id="1", method="tools/list", params=params)
            assert isinstance(answer, acp.MessageMcpResponseError)


async def test_an_agent_for_http_gets_an_address_that_needs_the_secret_and_ends_with_the_session() -> None:
    agent = ByUrl()
    async with connected(agent) as (_, connection):
        async with connection.session(cwd="/work", mcp=[shop]):
            (entry,) = agent.given
            assert isinstance(entry, acp.McpServerHttp)
            headers = {each.name: each.value for each in entry.headers}
            async with httpx.AsyncClient() as stranger:
                for wrong in ({}, {"Authorization": "Bearer guess"}):
                    assert (await stranger.post(entry.url, json={}, headers=wrong)).status_code == 401
            async with tunnel_client(entry.url, headers) as tools:
                result = await tools.call_tool("price", {"item": "pear"})
                assert result.structured_content == {"result": 3}
        async with httpx.AsyncClient() as late:
            with pytest.raises(httpx.ConnectError):
                await late.post(entry.url, json={})


@asynccontextmanager
async def tunnel_client(url: str, headers: dict[str, str]) -> Any:
    async with (
        create_mcp_http_client(headers=headers) as http,
        mcp.Client(streamable_http_client(url, http_client=http)) as tools,
    ):
        yield tools


async def test_an_agent_that_accepts_neither_gets_no_request() -> None:
    agent = Neither()
    async with connected(agent) as (_, connection):
        with pytest.raises(acp.CapabilityError, match=r"mcpCapabilities\.acp"):
            await connection.session(cwd="/work", mcp=[shop])
        assert agent.given == []


async def test_what_is_not_a_server_is_refused() -> None:
    async with connected(Direct()) as (_, connection):
        with pytest.raises(TypeError, match="str is not a server of the package mcp"):
            await connection.session(cwd="/work", mcp=["shop"])


async def test_nothing_is_kept_after_the_session() -> None:
    agent = Direct()
    async with connected(agent) as (_, connection):
        async with connection.session(cwd="/work", mcp=[shop]) as session:
            await session.prompt("pear")
            assert tunnel._offered[connection]
        assert not tunnel._offered[connection]
        assert not tunnel_sessions._pending
