"""A draining server and its WebSockets; loads and reconnections on transports with one stream."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from remote_agents import Agent, Client, LoadingAgent, begin_session, holding, prompt
from remote_hosts import served, under_hypercorn
from remote_raw import CONNECTION, EVENTS, INITIALIZE, manager, opened, post, request
from test_reconnecting import pipes
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import generated as acp
from acp_tools.relay.chaos import proxied
from tests.support.waiting import settled, until

HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1}}
NEW = {"jsonrpc": "2.0", "method": "session/new", "params": {"cwd": "/", "mcpServers": []}}


async def test_a_draining_server_rejects_requests_and_closes_when_it_has_answered_what_it_read() -> None:
    kind = holding()
    app = acp.asgi(kind)
    async with asyncio.timeout(60), under_hypercorn(app) as url, connect(url.replace("http", "ws")) as socket:
        answers: dict[Any, Any] = {}

        async def answered(id: int) -> Any:
            while id not in answers:
                message = json.loads(await socket.recv())
                answers[message.get("id")] = message
            return answers[id]

        await socket.send(json.dumps(HELLO))
        await answered(0)
        await socket.send(json.dumps({**NEW, "id": 1}))
        session = (await answered(1))["result"]["sessionId"]
        block = {"type": "text", "text": "hold"}
        params = {"sessionId": session, "prompt": [block]}
        await socket.send(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "session/prompt", "params": params}))
        await kind.begun.wait()
        draining = asyncio.ensure_future(app.drain(30))
        await asyncio.sleep(0)
        await socket.send(json.dumps({**NEW, "id": 3}))
        rejected = (await answered(3))["error"]
        assert rejected["data"] == {"reason": "the server is shutting down", "mayRepeat": True}
        cancel = {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}
        await socket.send(json.dumps(cancel))
        kind.go_on.set()
        assert (await answered(2))["result"]["stopReason"] in ("end_turn", "cancelled")
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        await draining
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012


async def test_a_connection_that_still_runs_a_turn_at_the_end_is_closed_with_another_code() -> None:
    kind = holding()
    app = acp.asgi(kind)
    async with (
        asyncio.timeout(60),
        under_hypercorn(app) as url,
        acp.connect(url, Client(), profile="websocket") as agent,
    ):
        session = await begin_session(agent)
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("hold")))
        await kind.begun.wait()
        await app.drain(0)
        with pytest.raises(acp.ConnectionClosed) as lost:
            await turn
        assert not lost.value.unread


async def test_a_connection_is_busy_until_the_transport_has_the_answer() -> None:
    """Else a server that drains would close before the answer leaves, and say that all is answered."""
    ours, theirs = pipes()
    say = {"sessionId": "a", "prompt": [{"type": "text", "text": "say 3"}]}
    load = {"sessionId": "a", "cwd": "/", "mcpServers": []}
    requests = [("initialize", HELLO["params"]), ("session/load", load), ("session/prompt", say)]
    async with asyncio.timeout(60), acp.AgentSideConnection(LoadingAgent(), theirs) as agent:
        for number, (method, params) in enumerate(requests):
            ours.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())
            came: list[Any] = []
            while not came or came[-1].get("id") != number:
                assert agent.busy or not came, "the answer has not left"
                await asyncio.sleep(0)
                came += [json.loads(ours._came.get_nowait() or b"{}") for _ in range(ours._came.qsize())]


@pytest.mark.parametrize("http2", [False, True])
async def test_no_request_can_meet_the_end_of_its_network_connection(http2: bool) -> None:
    """Else a client sends a request on one that the server is just closing, and cannot know whether it was read."""
    app = acp.asgi(Agent)
    ends = None if http2 else "close"
    async with (
        under_hypercorn(app) as url,
        httpx.AsyncClient(http1=not http2, http2=http2, base_url=url.removesuffix("/acp"), timeout=60) as client,
    ):
        named = {CONNECTION: await opened(client)}
        async with client.stream("GET", "/acp", headers={**EVENTS, **named}) as stream:
            assert stream.headers.get("connection") == ends
        app.manager.draining = True
        for message in (INITIALIZE, request(1, "session/new", cwd="/", mcpServers=[])):
            answer = await post(client, message, named[CONNECTION] if message is not INITIALIZE else None)
            assert (answer.status_code, answer.headers.get("connection")) == (503, ends)


async def test_a_request_that_comes_when_the_server_has_drained_gets_a_response() -> None:
    async with contextlib.AsyncExitStack() as stack, httpx.AsyncClient(timeout=60) as client:
        url = await stack.enter_async_context(served(Agent))
        assert (await client.get(url.replace("/acp", "/health"))).status_code == 200
        ending = asyncio.ensure_future(stack.aclose())
        await until(lambda: manager().draining)
        await settled()
        answer = await client.post(url, json=INITIALIZE)
        assert (answer.status_code, answer.headers["connection"]) == (503, "close")
        await ending


class Slow(Client):
    """Takes its time with each update."""

    async def session_update(self, params: acp.SessionNotification) -> None:  # type: ignore[override]
        await asyncio.sleep(0.01)
        super().session_update(params)


@pytest.mark.parametrize("scheme", ["tcp", "ws", "stdio"])
async def test_a_load_returns_when_its_replay_was_handled(scheme: str) -> None:
    client = Slow()

    async def load(agent: acp.ClientSideConnection) -> None:
        await agent.initialize()
        await agent.load_session(session_id="a", cwd="/", mcp_servers=[])
        assert client.said == {"a": [f"replayed {number}" for number in range(3)]}
        assert agent.history_complete

    if scheme == "stdio":
        program = (
            "import asyncio, generated as acp, remote_agents; asyncio.run(acp.run_agent(remote_agents.LoadingAgent()))"
        )
        path = f"{Path(__file__).parent}:{Path(__file__).parents[2]}"
        async with acp.spawn_agent(client, sys.executable, "-c", program, env={"PYTHONPATH": path}) as agent:
            await load(agent)
        return
    async with served(LoadingAgent, f"{scheme}://127.0.0.1:0") as url, acp.connect(url, client) as agent:
        await load(agent)


async def test_a_reconnection_over_a_websocket_shows_each_update_once() -> None:
    client = Client()
    async with served(LoadingAgent) as url, proxied(url) as proxy:
        back = asyncio.Event()
        async with acp.ReconnectingAgent(
            lambda: acp.connect(proxy.url, client, profile="websocket"), delay=0, on_reconnect=lambda _: back.set()
        ) as agent:
            session = await begin_session(agent)
            await agent.prompt(session_id=session, prompt=prompt("say 3"))
            for reconnection in range(2):
                back.clear()
                proxy.reset_all()
                await back.wait()
                await agent.prompt(session_id=session, prompt=prompt("say 1"))
                assert client.said[session] == ["0", "1", "2", *"0" * (reconnection + 1)]
