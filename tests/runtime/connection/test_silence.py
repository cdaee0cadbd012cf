"""The option `silence_timeout`: a peer that says nothing is told from one that takes long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from peers import Wire, wired_client

from generated import (
    Client,
    RequestPermissionOutcomeCancelled,
    RequestPermissionRequest,
    RequestPermissionResponse,
    SessionNotification,
)
from tests.support.waiting import advance, settled, until

LIMIT = 10.0


class Hears(Client):
    def __init__(self) -> None:
        self.heard = 0
        self.asked = asyncio.Event()
        self.answer = asyncio.Event()

    def session_update(self, params: SessionNotification) -> None:
        self.heard += 1

    async def request_permission(self, params: RequestPermissionRequest) -> RequestPermissionResponse:
        self.asked.set()
        await self.answer.wait()
        return RequestPermissionResponse(outcome=RequestPermissionOutcomeCancelled())


def update(session: str) -> dict[str, Any]:
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "text"}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": chunk}}


async def pass_time(seconds: float) -> None:
    advance(seconds)
    await settled()


async def hear(wire: Wire, client: Hears, session: str) -> None:
    before = client.heard
    await wire.send(update(session))
    await until(lambda: client.heard > before)


async def test_a_turn_of_a_silent_agent_is_given_up() -> None:
    advance(0)
    async with wired_client(Hears(), silence_timeout=LIMIT) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        id = (await wire.receive())["id"]
        await pass_time(LIMIT + 1)
        with pytest.raises(TimeoutError, match="timed out: no message of the session 's' for 10 seconds"):
            await turn
        assert (await wire.receive())["params"] == {"requestId": id}


async def test_every_update_of_the_session_begins_the_time_anew_and_those_of_others_do_not() -> None:
    advance(0)
    client = Hears()
    async with wired_client(client, silence_timeout=LIMIT) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await wire.receive()
        for _ in range(3):
            await pass_time(LIMIT - 1)
            await hear(wire, client, "s")
        assert not turn.done()
        await hear(wire, client, "t")
        await pass_time(LIMIT - 1)
        await hear(wire, client, "t")
        assert not turn.done()
        await pass_time(2)
        with pytest.raises(TimeoutError):
            await turn


async def test_time_stands_still_while_the_agent_waits_for_the_user() -> None:
    advance(0)
    client = Hears()
    async with wired_client(client, silence_timeout=LIMIT) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await wire.receive()
        params: Any = {"sessionId": "s", "options": [], "toolCall": {"toolCallId": "t"}}
        await wire.send({"jsonrpc": "2.0", "id": 1, "method": "session/request_permission", "params": params})
        await client.asked.wait()
        await pass_time(5 * LIMIT)
        assert not turn.done()
        client.answer.set()
        await wire.receive()
        await pass_time(LIMIT - 1)
        assert not turn.done()
        await pass_time(LIMIT)
        with pytest.raises(TimeoutError):
            await turn


async def test_a_call_that_names_no_session_may_take_its_time() -> None:
    advance(0)
    async with wired_client(Hears(), silence_timeout=LIMIT) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        id = (await wire.receive())["id"]
        await pass_time(5 * LIMIT)
        await wire.send({"jsonrpc": "2.0", "id": id, "result": {"sessionId": "s"}})
        assert (await call).session_id == "s"
