"""Statements of the transport's RFD that no other test is about: what it allows, and which HTTP it wants."""

from __future__ import annotations

import asyncio
import json
import ssl
from typing import Any

import httpx
from remote_agents import Agent, Client, begin_session, prompt
from remote_hosts import browsing, served, under_hypercorn
from remote_raw import INITIALIZE, opened, post, request, streaming
from test_client import Cookies, certificate, problem  # noqa: F401

import generated as acp


class WebSocketAlone:
    """An endpoint that has the one profile alone."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 405, "headers": [(b"allow", b"GET")]})
        await send({"type": "http.response.body", "body": b"this server speaks WebSocket alone"})


async def test_a_server_that_speaks_websocket_alone_is_talked_to_and_over_http_is_an_error_in_a_line() -> None:
    client = Client()
    async with under_hypercorn(WebSocketAlone(acp.asgi(Agent))) as url:
        async with asyncio.timeout(60), acp.connect(url, client, profile="websocket") as agent:
            session = await begin_session(agent)
            await agent.prompt(session_id=session, prompt=prompt("say 1"))
        assert client.said[session] == ["0"]
        assert "405 this server speaks WebSocket alone" in await problem(url, profile="http")


async def test_streams_run_over_http_2_agreed_on_with_tls_or_known_before(certificate: Any) -> None:  # noqa: F811
    trusting = ssl.create_default_context(cafile=str(certificate))
    async with (
        served(Agent, "https://127.0.0.1:0", certificate=certificate) as url,
        httpx.AsyncClient(http2=True, verify=trusting, base_url=url.removesuffix("/acp"), timeout=5) as client,
    ):
        assert (await post(client, INITIALIZE)).http_version == "HTTP/2"
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            assert main.response.http_version == "HTTP/2"


async def test_cookies_go_with_the_connection_unless_its_user_keeps_them(profile: dict[str, Any]) -> None:
    app = Cookies(acp.asgi(Agent))
    async with under_hypercorn(app) as url:
        for _ in range(2):
            before = len(app.came)
            async with acp.connect(url, Client(), **profile) as agent:
                await agent.initialize()
                await agent.new_session(cwd="/", mcp_servers=[])
            assert app.came[before] == ""


async def test_what_a_reader_was_sent_is_not_sent_to_the_next_one() -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        for number in (1, 2):
            async with streaming(client, connection) as main:
                await post(client, request(number, "session/new", cwd="/", mcpServers=[]), connection)
                assert (await main.next())["id"] == number


def test_every_statement_of_the_rfd_is_covered() -> None:
    source = "streamable-http-websocket-transport"
    found = [each for each in acp.methods.requirements().values() if each.source == source]
    assert found
    assert [each.id for each in found if not (each.covered.tests or each.covered.rules or each.covered.probes)] == []


class Recording:
    """An application that notes the requests and the text frames that reach it."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            headers = {name.decode(): value.decode() for name, value in scope["headers"]}
            self.requests.append((scope["method"], headers))

        async def receiving() -> Any:
            event = await receive()
            self.texts += [event["text"]] if event.get("text") else []
            return event

        await self._app(scope, receiving, send)


async def test_a_client_says_in_each_request_what_the_transport_needs() -> None:
    app = Recording(acp.asgi(Agent))
    async with (
        asyncio.timeout(20),
        under_hypercorn(app) as url,
        acp.connect(url, Client(), profile="http") as agent,
    ):
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt("say 1"))
    (_, first), *others = app.requests
    assert "acp-connection-id" not in first
    assert all("acp-connection-id" in headers for _, headers in others)
    posts = [headers for method, headers in app.requests if method == "POST"]
    assert {headers["content-type"] for headers in posts} == {"application/json"}
    assert posts[-1]["acp-session-id"] == session
    gets = [headers for method, headers in app.requests if method == "GET"]
    assert {headers["accept"] for headers in gets} == {"text/event-stream"}
    assert {headers.get("acp-session-id") for headers in gets} == {None, session}
    assert [method for method, _ in others].count("DELETE") == 1


async def test_the_first_message_over_a_websocket_is_the_opening_request() -> None:
    app = Recording(acp.asgi(Agent))
    async with (
        asyncio.timeout(20),
        under_hypercorn(app) as url,
        acp.connect(url, Client(), profile="websocket") as agent,
    ):
        await agent.initialize()
    assert json.loads(app.texts[0])["method"] == "initialize"
