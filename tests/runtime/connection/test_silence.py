"""The options `silence_timeout` and `keepalive`: a peer that says nothing is told from one that takes long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from peers import Wire, connected, wired, wired_client

from generated import (
    Agent,
    Client,
    ClientSideConnection,
    ConnectionClosed,
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


# --- keepalive ----------------------------------------------------------------------------------------------------------


async def test_a_connection_is_lost_when_its_peer_answers_no_ping() -> None:
    advance(0)
    async with wired_client(Hears(), keepalive=LIMIT) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await wire.receive()
        await pass_time(LIMIT + 1)  # the handshake was heard
        await pass_time(LIMIT + 1)
        assert (await wire.receive())["method"] == "$/ping"
        assert connection.closed is None
        await pass_time(LIMIT + 1)
        with pytest.raises(
            ConnectionClosed, match="the agent sent nothing for 20 seconds and did not respond to a ping"
        ):
            await turn


@pytest.mark.parametrize("answer", [{"result": {}}, {"error": {"code": -32601, "message": "Method not found"}}])
async def test_any_answer_is_a_sign_of_life(answer: dict[str, Any]) -> None:
    advance(0)
    async with wired_client(Hears(), keepalive=LIMIT) as (wire, connection):
        await pass_time(LIMIT + 1)
        for _ in range(3):
            await pass_time(LIMIT + 1)
            ping = await wire.receive()
            before = connection._channel.steps
            await wire.send({"jsonrpc": "2.0", "id": ping["id"], **answer})
            await until(lambda before=before: connection._channel.steps > before)
            await pass_time(LIMIT + 1)
        assert connection.closed is None


async def test_whoever_sends_updates_gets_no_ping_and_need_not_answer_one() -> None:
    advance(0)
    client = Hears()
    async with wired_client(client, keepalive=LIMIT) as (wire, connection):
        await pass_time(LIMIT + 1)
        await pass_time(LIMIT + 1)
        assert (await wire.receive())["method"] == "$/ping"
        for _ in range(4):
            await hear(wire, client, "s")
            await pass_time(LIMIT + 1)
        assert connection.closed is None
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        assert (await wire.receive())["method"] == "session/prompt", "one ping at a time"
        turn.cancel()


async def test_a_suspended_machine_loses_no_connection() -> None:
    advance(0)
    async with wired_client(Hears(), keepalive=LIMIT) as (_, connection):
        for _ in range(4):
            await pass_time(LIMIT * 100)
        assert connection.closed is None


async def test_our_agents_answer_without_a_handler() -> None:
    class Strict(Agent):
        def ext_method(self, method: str, params: Any) -> Any:
            raise AssertionError(method)

    advance(0)
    async with connected(Strict(), Hears(), keepalive=LIMIT) as connection:
        await pass_time(LIMIT + 1)
        for _ in range(3):
            before = connection._channel.steps
            await pass_time(LIMIT + 1)
            await until(lambda before=before: connection._channel.steps > before)
            await pass_time(LIMIT + 1)
        assert connection.closed is None


async def test_a_ping_may_come_before_the_handshake() -> None:
    advance(0)
    async with wired(ClientSideConnection, Hears(), keepalive=LIMIT) as (wire, connection):
        await settled()
        await pass_time(LIMIT + 1)
        await pass_time(LIMIT + 1)
        assert (await wire.receive())["method"] == "$/ping"
        await pass_time(LIMIT + 1)
        assert connection.closed is not None
