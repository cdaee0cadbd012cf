"""What a hostile peer does, or a careless program: cancels everywhere, floods, half frames. The connection outlives it all."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from typing import Any

import pytest
from peers import connected, wired_agent, wired_client

from generated import (
    AgentMessageChunk,
    Client,
    ConnectionClosed,
    Limits,
    PromptRequest,
    PromptResponse,
    RequestError,
    TextContent,
    spawn_agent,
)
from tests.runtime.connection.test_connection import SESSION, Collects, Opens, answer, update
from tests.support.waiting import advance, settled, until


class Busy(Opens):
    """Streams, asks its client something, and streams again."""

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        for text in ("1", "2"):
            update = AgentMessageChunk(content=TextContent(text=text))
            await self.client.session_update(session_id=params.session_id, update=update)
            await self.client.ext_request("_x", text)
        return PromptResponse(stop_reason="end_turn")


class Waits(Opens):
    """Has turns that only end when they are given up."""

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        await asyncio.Event().wait()
        raise AssertionError("nothing sets the event")


class Answers(Collects):
    """Takes a turn of the event loop for each answer."""

    async def ext_method(self, method: str, params: Any) -> Any:
        await asyncio.sleep(0)
        return params


def at_rest(connection: Any) -> bool:
    """Whether nothing is open, waits or is held on a side."""
    return not (
        len(connection._inbound.pending)
        or connection._inbound.workers.unfinished
        or connection._inbound.order.weight
        or connection._inbound.order.queued
        or connection._inbound.order.awaiting
        or connection._inbound.dispatcher.weight
        or connection._inbound.dispatcher._requests
    )


@pytest.mark.parametrize("queue_limit", [1, 1_000])
async def test_a_call_may_be_cancelled_at_every_await_on_both_sides(queue_limit: int) -> None:
    agent, client = Busy(), Answers()
    options: Any = {"limits": Limits(queue=queue_limit)}
    async with connected(agent, client, agent_options=options, **options) as connection:
        for turns in range(60):
            call = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
            for _ in range(turns):
                await asyncio.sleep(0)
            call.cancel()
            await asyncio.wait([call])
        result = await connection.prompt(session_id="s", prompt=[])
        assert result.stop_reason == "end_turn"
        await until(lambda: at_rest(connection) and at_rest(agent.client))


async def test_a_connection_may_be_closed_at_every_await() -> None:
    for turns in range(40):
        agent, client = Busy(), Answers()
        async with connected(agent, client) as connection:
            call = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
            for _ in range(turns):
                await asyncio.sleep(0)
            await (connection if turns % 2 else agent.client).close()
            (outcome,) = await asyncio.gather(call, return_exceptions=True)
            # The agent's handler may have had the time to say that it lost its own call.
            assert isinstance(outcome, ConnectionClosed | PromptResponse | RequestError), outcome


async def test_closing_may_itself_be_cancelled_at_every_await() -> None:
    for turns in range(12):
        agent = Busy()
        async with connected(agent, Answers()) as connection:
            call = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
            await asyncio.sleep(0)
            closing = asyncio.create_task(connection.close())
            for _ in range(turns):
                await asyncio.sleep(0)
            closing.cancel()
            await asyncio.wait([closing, call])
        assert connection.finished


async def test_answers_that_are_cut_doubled_or_mixed_up_leave_no_call_open() -> None:
    random_ = random.Random(13)
    async with wired_client(Client()) as (wire, connection):
        for _ in range(300):
            call = asyncio.create_task(connection.ext_request("_x"))
            while "method" not in (asked := await wire.receive()):
                assert asked["id"] is None, "half a frame that may be anything is refused, as nobody's"
            id = asked["id"]
            whole = b'{"jsonrpc":"2.0","id":%d,"result":{"a":[1,2,{"id":7}]}}' % id
            cut = random_.randrange(len(whole))
            frames = [whole[:cut] + random_.choice([b"", b"}", b"\xff", b'"', b"]}"]), whole, whole]
            await wire.send(*(frame.replace(b"\n", b" ") for frame in frames))
            async with asyncio.timeout(60):
                await asyncio.gather(call, return_exceptions=True)
        assert len(connection._inbound.pending) == 0


OPEN = {"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": "/", "mcpServers": []}}
PROMPT = {"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {"sessionId": SESSION, "prompt": []}}


async def test_of_a_flood_of_one_id_the_first_is_served_and_each_other_refused_at_once() -> None:
    agent = Busy()
    async with wired_agent(agent) as wire:
        await wire.send(*[OPEN] * 200)
        answers = [await wire.receive() for _ in range(200)]
        assert [each["result"] for each in answers if "result" in each] == [{"sessionId": SESSION}]
        refused = [each["error"] for each in answers if "error" in each]
        assert {error["code"] for error in refused} == {-32600}
        assert refused[0]["data"] == "a request with the id 1 is still pending"
        await until(lambda: at_rest(agent.client))
        assert (await wire.ask(1, "session/new", OPEN["params"]))["result"], "the id is free again"


async def test_two_requests_of_one_id_that_is_given_up_have_an_answer_each() -> None:
    agent = Waits()
    async with wired_agent(agent) as wire:
        await wire.send(PROMPT, PROMPT, {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}})
        codes = [(await wire.receive())["error"]["code"] for _ in range(2)]
        assert codes == [-32600, -32800]
        await until(lambda: at_rest(agent.client))


async def test_a_peer_that_gives_up_requests_before_they_are_made_and_after_they_end_changes_nothing() -> None:
    agent = Busy()
    async with wired_agent(agent) as wire:
        given_up = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}}
        await wire.send(*[given_up] * 50)
        assert "result" in await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})
        await wire.send(*[given_up] * 50)
        assert "result" in await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})


async def test_an_answer_to_a_call_that_was_given_up_is_nobodys_however_broken_it_is() -> None:
    async with wired_client(Client()) as (wire, connection):
        call = asyncio.create_task(connection.ext_request("_x"))
        id = (await wire.receive())["id"]
        call.cancel()
        await asyncio.wait([call])
        await wire.receive()
        await wire.send(
            b'{"jsonrpc":"2.0","id":%d,"result":NaN}' % id,
            b'[{"id":%d,"error":"x"}]' % id,
            answer(id, {}),
            update("s", "x"),
        )
        assert (await wire.ask(9, "_y", {}))["error"]["code"] == -32601


async def test_a_program_that_writes_a_line_without_end_and_waits_is_ended() -> None:
    program = "import sys, time; sys.stdout.write('{\"jsonrpc\"'); sys.stdout.flush(); time.sleep(600)"
    async with spawn_agent(
        Client(), sys.executable, "-c", program, grace=0.1, call_timeout=60, stderr=subprocess.DEVNULL
    ) as connection:
        opening = asyncio.ensure_future(connection.initialize())
        await settled()
        advance(61)
        with pytest.raises(TimeoutError):
            await opening
    assert connection.process is not None
    assert connection.process.returncode is not None
