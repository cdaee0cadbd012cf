"""The memory that a peer can have a connection hold: one option states it, whatever the peer sends."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections import Counter
from typing import Any

import pytest
from msgspec import Raw
from peers import wired, wired_agent, wired_client

from generated import Agent, AgentSideConnection, Client, Limits, decode
from generated._runtime.errors import QueueOverflow
from generated._runtime.jsonrpc.parser import weight
from tests.runtime.connection.test_connection import Collects, answer, update
from tests.runtime.scenarios.test_flood import Waits
from tests.support.waiting import still, until

MIB = 1 << 20


def prompt(id: int, size: int) -> dict[str, Any]:
    block = {"type": "text", "text": "x" * size}
    return {"jsonrpc": "2.0", "id": id, "method": "session/prompt", "params": {"sessionId": "s", "prompt": [block]}}


async def test_requests_beyond_the_memory_limit_are_refused_and_served_again_when_others_have_ended() -> None:
    agent = Waits()
    async with wired_agent(agent, limits=Limits(memory=8 * MIB)) as wire:
        sending = asyncio.create_task(wire.send(*(prompt(id, MIB // 4) for id in range(160))))  # ten times the half
        refused = [await wire.receive() for _ in range(144)]
        assert {frame["error"]["data"]["reason"] for frame in refused} == {"too many requests are in progress"}
        await sending
        assert agent.running == 16
        await wire.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}})
        served = [await wire.receive() for _ in range(160 - len(refused))]
        assert sum("result" in frame for frame in served) >= 10
        await wire.send(prompt(999, MIB))
        assert (await wire.receive())["id"] == 999


async def test_what_a_waiting_request_holds_is_its_params_alone() -> None:
    agent = Waits()
    async with wired_agent(agent) as wire:
        await wire.send(prompt(1, 1000))
        await until(lambda: agent.running == 1)
        tracemalloc.start()
        try:
            await wire.send(*(prompt(id, MIB) for id in range(2, 12)), prompt(12, 10))
            await until(lambda: agent.running == 12)
            held, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert held < 14 * MIB, "the text of the frames is held, too"
        agent.go_on.set()
        for _ in range(12):
            await wire.receive()


async def test_reading_pauses_when_waiting_notifications_take_a_quarter() -> None:
    gate, seen = asyncio.Event(), 0

    def count(direction: str, frame: bytes) -> None:
        nonlocal seen
        seen += direction == "agent-to-client"

    client = Collects(gate)
    async with wired_client(client, limits=Limits(memory=8 * MIB), on_frame=count) as (wire, _):
        sending = asyncio.create_task(wire.send(*[update("s", "x" * (MIB // 4))] * 80))
        await until(lambda: seen >= 8)
        await still(lambda: seen)
        assert seen <= 10
        gate.set()
        await sending
        await until(lambda: len(client.texts) == 80)


async def test_beyond_the_memory_limit_the_connection_closes_and_says_so() -> None:
    class Asks(Client):
        async def session_update(self, params: Any) -> None:
            await self.agent.set_session_mode(session_id="s", mode_id="m")

    async with wired_client(Asks(), limits=Limits(memory=2 * MIB)) as (wire, connection):
        await wire.send(update("s", "1"))
        await wire.receive()
        sending = asyncio.create_task(wire.send(*[update("s", "x" * (MIB // 4))] * 80))
        await connection.wait_closed()
        assert isinstance(connection.closed, QueueOverflow)
        assert "2097152 bytes of memory" in str(connection.closed)
        sending.cancel()
        await asyncio.wait([sending])


async def test_a_request_that_alone_would_take_more_is_refused_before_it_is_decoded() -> None:
    class Never(Agent):
        def ext_method(self, method: str, params: Any) -> Any:
            raise AssertionError("it was decoded")

    async with wired(AgentSideConnection, Never(), limits=Limits(memory=4 * MIB)) as (wire, _):
        await wire.send(b'{"jsonrpc":"2.0","id":1,"method":"_x","params":[' + b"[]," * 100_000 + b"1]}")
        assert (await wire.receive())["error"]["data"] == {"reason": "too many requests are in progress"}


@pytest.mark.parametrize(
    "text",
    [
        b'"' + b"x" * 100_000 + b'"',
        b'"' + b"x" * 100_000 + "\U0001f600".encode() + b'"',
        b"[" + b"[]," * 30_000 + b"[]]",
        b"[" + b"{}," * 30_000 + b"{}]",
        b"[" + b"1000," * 20_000 + b"1]",
        b'["' + b'ab","' * 20_000 + b'"]',
        b'{"a":1}',
        b"[" + b"[]," * 80 + b"[]]",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_weight_is_not_far_below_what_the_decoded_value_takes(text: bytes) -> None:
    decode(Any, text)  # what is made at the first time stays
    tracemalloc.start()
    try:
        value = decode(Any, text)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert value
    assert weight(Raw(text)) >= taken * 0.5


async def test_weight_that_was_taken_is_given_back() -> None:
    client = Collects()
    async with wired_client(client) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        id = (await wire.receive())["id"]
        await wire.send(*(update("s", str(number)) for number in range(20)), answer(id, {"stopReason": "end_turn"}))
        await turn
        await wire.ask(1, "_x", {})
        await until(lambda: connection._inbound.order.weight == connection._inbound.dispatcher.weight == 0)


async def test_other_tasks_have_turns_during_a_flood_of_malformed_frames() -> None:
    turn = 0
    taken: Counter[int] = Counter()

    async def turns() -> None:
        nonlocal turn
        while True:
            await asyncio.sleep(0)
            turn += 1

    def count(direction: str, frame: bytes) -> None:
        taken[turn] += frame == b"x"

    async with wired_agent(Agent(), on_frame=count) as wire:
        counting = asyncio.create_task(turns())
        await wire.send(b"\n".join([b"x"] * 8_192))
        for _ in range(8_192):
            await wire.receive()
        counting.cancel()
    assert taken.total() == 8_192
    assert max(taken.values()) <= 512
