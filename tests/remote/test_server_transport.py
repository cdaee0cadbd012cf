"""The server's end of a connection over HTTP, without a network: what leaves on which stream, and when."""

from __future__ import annotations

import asyncio
from typing import Any

from remote_agents import RUNTIME, Agent
from remote_raw import INITIALIZE, request

import generated as acp
from acp_remote.routing import Routes
from acp_remote.server_transport import HttpServerTransport
from acp_remote.sse import event
from generated import encode

LOAD = encode(request(1, "session/load", sessionId="old", cwd="/", mcpServers=[]))
UPDATE = encode({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "old", "update": {}}})
ANSWER = encode({"jsonrpc": "2.0", "id": 1, "result": {}})
NOTE = encode({"jsonrpc": "2.0", "method": "_note", "params": "x" * 100_000})


def posted() -> HttpServerTransport:
    return HttpServerTransport(RUNTIME, Routes(RUNTIME))


async def test_the_answer_that_opens_a_session_leaves_behind_what_was_sent_on_its_stream() -> None:
    wire = posted()
    box = wire.expect("old")
    reader = box.attach()
    assert wire.routes.came(LOAD) is not None
    wire.write(UPDATE)
    wire.write(ANSWER)
    assert wire.connection.size == 0, "the update waits"
    assert await box.take(reader, 60) == b"data: %b\n\n" % UPDATE
    assert wire.connection.size == 0, "it is on its way"
    further = asyncio.ensure_future(box.take(reader, 60))
    await asyncio.sleep(0)
    assert wire.connection.size == len(event(ANSWER))
    wire.close()
    assert await further is None


def test_a_message_of_several_lines_is_an_event_of_one() -> None:
    assert event(b'{\r\n"a":\n1,\r"b":2}') == b'data: {  "a": 1, "b":2}\n\n'


async def test_who_sends_waits_for_room_on_the_stream_of_the_connection() -> None:
    wire = posted()
    while not wire.full() and wire.connection.size < 1 << 24:
        wire.write(NOTE)
    draining = asyncio.ensure_future(wire.drain())
    await asyncio.sleep(0)
    assert not draining.done()
    reader = wire.connection.attach()
    while wire.connection.size:
        await wire.connection.take(reader, 60)
    async with asyncio.timeout(60):
        await draining


async def test_an_opening_request_that_its_server_cancels_leaves_no_connection() -> None:
    begun = asyncio.Event()

    class Deaf(Agent):
        async def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
            begun.set()
            await asyncio.Event().wait()
            raise AssertionError

    async def receive() -> Any:
        return {"type": "http.request", "body": encode(INITIALIZE)}

    async def send(event: Any) -> None:
        pass

    app = acp.asgi(Deaf)
    scope: Any = {"type": "http", "method": "POST", "path": "/acp", "headers": [(b"content-type", b"application/json")]}
    asking = asyncio.ensure_future(app(scope, receive, send))
    await begun.wait()
    asking.cancel()
    await asyncio.wait([asking])
    async with asyncio.timeout(60):
        while app.manager.connections:  # noqa: ASYNC110  # it ends by itself
            await asyncio.sleep(0.01)
