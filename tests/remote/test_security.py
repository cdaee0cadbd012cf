"""Who may come in, and what they see: identities, origins, hosts, limits. No caller ever reaches another's connection."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import websockets
from remote_agents import Agent, Client
from remote_hosts import browsing, served
from remote_raw import (
    CONNECTION,
    EVENTS,
    INITIALIZE,
    SESSION,
    connections,
    opened,
    post,
    request,
    socketed,
    streaming,
    text_frame,
)
from websockets.asyncio.client import connect as websocket

import generated as acp
from tests.support.waiting import advance

TOKENS = {"one": "alice", "two": "bob"}
ALICE, BOB = {"Authorization": "Bearer one"}, {"Authorization": "Bearer two"}
NEW = request(1, "session/new", cwd="/", mcpServers=[])


async def upgraded(url: str, **headers: str) -> tuple[int, dict[str, str]]:
    """The status of a WebSocket's opening, and the headers of its answer."""
    try:
        async with websocket(url.replace("http", "ws", 1), additional_headers=headers) as socket:
            assert socket.response is not None
            return 101, dict(socket.response.headers.raw_items())
    except websockets.InvalidStatus as refused:
        return refused.response.status_code, dict(refused.response.headers.raw_items())


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer three"}, {"Authorization": "Basic one"}, {"Authorization": "one"}]
)
async def test_a_caller_without_a_known_token_is_turned_away(headers: dict[str, str]) -> None:
    async with served(Agent, identify=acp.bearer(TOKENS)) as url, browsing(url) as client:
        for answer in (
            await post(client, INITIALIZE, **headers),
            await client.get("/acp", headers={**EVENTS, **headers}),
            await client.delete("/acp", headers=headers),
        ):
            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert (await upgraded(url, **headers))[0] == 401


async def test_a_caller_with_a_token_comes_in(profile: dict[str, Any]) -> None:
    async with served(Agent, identify=acp.bearer(TOKENS)) as url, acp.connect(url, bearer="one", **profile) as agent:
        assert (await agent.initialize()).protocol_version == 1


async def test_the_agent_knows_who_its_caller_is(profile: dict[str, Any]) -> None:
    seen: list[Any] = []

    class Asking(Agent):
        def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
            seen.append(self.client.caller)
            return super().new_session(params)

    async with served(Asking, identify=acp.bearer(TOKENS)) as url, acp.connect(url, bearer="two", **profile) as agent:
        await agent.initialize()
        await agent.new_session(cwd="/", mcp_servers=[])
    (caller,) = seen
    assert (caller.identity, caller.address) == ("bob", "127.0.0.1")


async def test_to_any_other_identity_a_connection_does_not_exist() -> None:
    async with served(Agent, identify=acp.bearer(TOKENS)) as url, browsing(url) as client:
        connection = await opened(client, **ALICE)
        await post(client, NEW, connection, **ALICE)
        named = {CONNECTION: connection}
        for answer in (
            await post(client, NEW, connection, **BOB),
            await client.get("/acp", headers={**EVENTS, **named, **BOB}),
            await client.get("/acp", headers={**EVENTS, **named, SESSION: "s1", **BOB}),
            await client.delete("/acp", headers={**named, **BOB}),
        ):
            assert answer.status_code == 404
            assert answer.json()["error"].startswith("unknown connection: send initialize to open a new one")
            assert "sticky sessions" in answer.json()["error"]
        async with streaming(client, connection, **ALICE) as main:
            assert (await main.next())["result"] == {"sessionId": "s1"}, "what the other tried has changed nothing"


async def test_a_session_of_another_connection_is_not_heard() -> None:
    async with served(Agent) as url, browsing(url) as client:
        mine, other = await opened(client), await opened(client)
        async with streaming(client, mine) as main:
            await post(client, NEW, mine)
            await main.next()
        assert (await client.get("/acp", headers={**EVENTS, CONNECTION: other, SESSION: "s1"})).status_code == 404
        async with streaming(client, mine, "s1") as stream:
            turn = request(2, "session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "say 1"}])
            await post(client, turn, mine, session="s1")
            assert (await stream.next())["method"] == "session/update"


async def test_the_connection_of_a_websocket_cannot_be_used_over_http() -> None:
    async with served(Agent) as url, browsing(url) as client, websocket(url.replace("http", "ws", 1)) as socket:
        assert socket.response is not None
        connection = socket.response.headers[CONNECTION]
        assert (await post(client, NEW, connection)).status_code == 404
        assert (await client.get("/acp", headers={**EVENTS, CONNECTION: connection})).status_code == 404


async def test_connections_have_names_that_nobody_guesses() -> None:
    async with served(Agent) as url, browsing(url) as client:
        names = {await opened(client) for _ in range(20)}
        assert len(names) == 20
        assert all(len(name) == 32 for name in names)


async def test_who_a_caller_is_may_be_found_out_elsewhere() -> None:
    async def identify(caller: acp.connection.Caller) -> str | None:
        await asyncio.sleep(0)
        if "forbidden" in caller.query:
            raise PermissionError("not today")
        return caller.query.partition("=")[2] or None

    async with served(Agent, identify=identify) as url, browsing(url) as client:
        assert (await client.post("/acp?user=eve", json=INITIALIZE)).status_code == 200
        assert (await client.post("/acp", json=INITIALIZE)).status_code == 401
        answer = await client.post("/acp?forbidden", json=INITIALIZE)
        assert (answer.status_code, answer.json()) == (403, {"error": "not today"})


# --- pages -------------------------------------------------------------------------------------------------------------

PAGE = {"Origin": "https://page.example"}


async def test_a_page_that_is_not_listed_cannot_connect() -> None:
    async with served(Agent) as url, browsing(url) as client:
        assert (await post(client, INITIALIZE, **PAGE)).status_code == 403
        assert (await client.options("/acp", headers=PAGE)).status_code == 403
        assert (await upgraded(url, **PAGE))[0] == 403
        own = {"Origin": url.removesuffix("/acp")}
        assert (await post(client, INITIALIZE, **own)).status_code == 403, "a name that leads here is no permission"


async def test_a_page_that_is_listed_can() -> None:
    async with served(Agent, origins=[PAGE["Origin"]]) as url, browsing(url) as client:
        answer = await post(client, INITIALIZE, **PAGE)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == PAGE["Origin"]
        assert answer.headers["access-control-expose-headers"] == CONNECTION
        assert answer.headers["access-control-allow-credentials"] == "true"
        asked = {
            "Access-Control-Request-Headers": "content-type, acp-connection-id",
            "Access-Control-Request-Method": "POST",
        }
        preflight = await client.options("/acp", headers={**PAGE, **asked})
        assert (preflight.status_code, preflight.headers["access-control-allow-headers"]) == (
            204,
            "content-type, acp-connection-id",
        )
        assert (await upgraded(url, **PAGE))[0] == 101
        refused = await post(client, NEW, **PAGE)
        assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (400, PAGE["Origin"])
        broken = await post(client, b"{", answer.headers[CONNECTION], **PAGE)
        assert (broken.status_code, broken.headers["access-control-allow-origin"]) == (400, PAGE["Origin"])


async def test_pages_that_nobody_listed_by_name_send_no_cookies() -> None:
    async with served(Agent, origins=["*"]) as url, browsing(url) as client:
        for answer in (await post(client, INITIALIZE, **PAGE), await client.options("/acp", headers=PAGE)):
            assert answer.headers["access-control-allow-origin"] == PAGE["Origin"]
            assert "access-control-allow-credentials" not in answer.headers


async def test_a_name_that_was_made_to_lead_here_is_turned_away() -> None:
    async with served(Agent) as url, browsing(url) as client:
        assert (await post(client, INITIALIZE, Host="evil.example")).status_code == 403
        assert (await post(client, INITIALIZE, Host="localhost:1234")).status_code == 200
    async with served(Agent, hosts=["agent.example"]) as url, browsing(url) as client:
        assert (await post(client, INITIALIZE, Host="agent.example:443")).status_code == 200
        assert (await post(client, INITIALIZE)).status_code == 403


# --- limits ------------------------------------------------------------------------------------------------------------


async def test_there_are_no_more_connections_than_there_may_be() -> None:
    async with served(Agent, connections=2) as url, browsing(url) as client:
        first, _ = await opened(client), await opened(client)
        answer = await post(client, INITIALIZE)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert (await upgraded(url))[0] == 503
        await client.delete("/acp", headers={CONNECTION: first})
        await connections(1)
        assert (await post(client, INITIALIZE)).status_code == 200


async def test_nor_than_one_identity_may_have() -> None:
    async with served(Agent, identify=acp.bearer(TOKENS), connections_each=1) as url, browsing(url) as client:
        assert (await post(client, INITIALIZE, **ALICE)).status_code == 200
        assert (await post(client, INITIALIZE, **ALICE)).status_code == 429
        assert (await upgraded(url, **ALICE))[0] == 429
        theirs = await opened(client, **BOB)
        await client.delete("/acp", headers={CONNECTION: theirs, **BOB})
        await connections(1)
        assert (await post(client, INITIALIZE, **BOB)).status_code == 200


async def test_a_connection_that_nobody_uses_ends() -> None:
    async with served(Agent, idle_timeout=30, request_timeout=600) as url, browsing(url) as client:
        connection = await opened(client)
        await connections(1)
        advance(31)
        await connections(0, client)
        assert (await post(client, NEW, connection)).status_code == 404


async def test_a_socket_on_which_nothing_was_ever_said_ends() -> None:
    async with (
        served(Agent, idle_timeout=30, request_timeout=600) as url,
        browsing(url),
        websocket(url.replace("http", "ws", 1)),
    ):
        await connections(1)
        advance(31)
        await connections(0)


async def test_one_on_which_something_was_said_stays() -> None:
    async with (
        served(Agent, idle_timeout=30, request_timeout=600) as url,
        browsing(url),
        socketed(url) as (reader, writer),
    ):
        writer.write(text_frame(INITIALIZE))
        await reader.readuntil(b"protocolVersion")
        async with websocket(url.replace("http", "ws", 1)) as silent:
            await connections(2)
            advance(31)
            await silent.wait_closed()
        await connections(1)


async def test_one_with_a_stream_is_used() -> None:
    async with served(Agent, idle_timeout=30, ping=20) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            await opened(client)  # another one, that nobody uses and so ends
            await connections(2)
            advance(31)
            await connections(1, client)
            assert (await post(client, NEW, connection)).status_code == 202
            assert (await main.next())["id"] == 1


async def test_who_leaves_is_forgotten(profile: dict[str, Any]) -> None:
    async with served(Agent) as url, browsing(url) as client:
        async with acp.connect(url, Client(), **profile) as agent:
            await agent.initialize()
            assert (await client.get("/health")).json() == {"status": "ok"}
        await connections(0)


async def test_streams_of_sessions_are_no_more_than_there_may_be() -> None:
    from remote_agents import LoadingAgent

    async with served(LoadingAgent, sessions=1) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection, "a"):
            answer = await client.get("/acp", headers={**EVENTS, CONNECTION: connection, SESSION: "b"})
            assert answer.status_code == 429
