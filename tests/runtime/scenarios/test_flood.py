"""A peer that sends without end and reads nothing: what it costs is bounded, and that it leaves is seen."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from peers import EAGER, wired, wired_agent, wired_client

from generated import Agent, AgentSideConnection, Client, Limits, PromptRequest, PromptResponse
from generated._runtime.errors import QueueOverflow
from tests.runtime.connection.test_connection import Opens, Prompted, answer
from tests.support.waiting import still, until

AGENT = (sys.executable, *EAGER, str(Path(__file__).parents[1] / "flood_agent.py"))


def line(frame: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n"


HELLO = line({"id": 0, "method": "initialize", "params": {"protocolVersion": 1}})
NEW = {"method": "session/new", "params": {"cwd": "x" * 1000, "mcpServers": []}}


def prompt(id: int, session: str) -> bytes:
    return line({"id": id, "method": "session/prompt", "params": {"sessionId": session, "prompt": []}})


def exit_code_after(*frames: bytes, flood: bytes = b"", limit: int = 1 << 25) -> int:
    """What the agent exits with when its client sends these, and more until nothing is taken, reads nothing and leaves."""
    with subprocess.Popen([*AGENT, str(limit)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=-3) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        agent.stdin.write(HELLO)
        agent.stdin.flush()
        agent.stdout.readline()
        agent.stdin.write(b"".join(frames))
        agent.stdin.flush()
        if flood:
            pour(agent.stdin.fileno(), flood)
        agent.stdin.close()
        try:
            return agent.wait(timeout=60)
        finally:
            agent.kill()


def pour(descriptor: int, data: bytes) -> None:
    """Write the same again and again, until the other end has taken nothing for a while."""
    os.set_blocking(descriptor, False)
    last = time.monotonic()
    while time.monotonic() - last < 0.5:
        try:
            os.write(descriptor, data)
            last = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)


# A process whose client leaves


@pytest.mark.parametrize("session", ["waits", "asks", "streams"])
def test_an_agent_exits_with_0_in_the_middle_of_a_turn(session: str) -> None:
    assert exit_code_after(prompt(1, session)) == 0


def test_an_agent_exits_with_0_whatever_is_open() -> None:
    assert exit_code_after(*(prompt(id, "waits") for id in range(1, 20_000))) == 0


def test_an_agent_whose_client_reads_no_answers_sees_it_leave() -> None:
    assert exit_code_after(flood=line({"id": 1, **NEW}), limit=100_000) == 0


def test_an_agent_whose_client_reads_no_errors_sees_it_leave() -> None:
    assert exit_code_after(flood=b"no json\n" * 100, limit=100_000) == 0


def test_an_agent_whose_client_reads_no_updates_sees_it_leave() -> None:
    assert exit_code_after(*(prompt(id, "streams") for id in range(1, 100))) == 0


def test_an_agent_whose_client_dies_exits_with_0() -> None:
    with subprocess.Popen([*AGENT, "1000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=-3) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        agent.stdin.write(HELLO + prompt(1, "streams"))
        agent.stdin.flush()
        agent.stdout.readline()
        agent.stdout.close()
        agent.stdin.close()
        assert agent.wait(timeout=60) == 0


# Answers that nobody reads


async def test_reading_pauses_while_answers_wait_and_goes_on_when_they_are_read() -> None:
    seen = 0

    def count(direction: str, frame: bytes) -> None:
        nonlocal seen
        seen += direction == "client-to-agent"

    class Big(Agent):
        def ext_method(self, method: str, params: Any) -> Any:
            return "x" * 100_000

    async with wired_agent(Big(), limits=Limits(backlog=1_000_000), on_frame=count) as wire:
        requests = ({"jsonrpc": "2.0", "id": id, "method": "_big", "params": "x" * 10_000} for id in range(500))
        sending = asyncio.create_task(wire.send(*requests))
        await still(lambda: seen)
        assert seen < 200
        # Longer lines than the reader of this test takes in one piece.
        received = 0
        while received < 500:
            received += (await wire._reader.read(1 << 20)).count(b"\n")
        await sending


async def test_reading_goes_on_while_an_answer_is_awaited() -> None:
    class Asks(Agent):
        def ext_method(self, method: str, params: Any) -> Any:
            return "x" * 1_000_000 if method == "_big" else self.client.ext_request("_asked")

    async with wired_agent(Asks(), limits=Limits(backlog=2_000_000)) as wire:
        await wire.send({"jsonrpc": "2.0", "id": "asks", "method": "_ask"})
        asked = await wire.receive()
        await wire.send(*({"jsonrpc": "2.0", "id": id, "method": "_big"} for id in range(8)), answer(asked["id"], 1))
        received = b""
        while b'"asks"' not in received:
            received += await wire._reader.read(1 << 20)


async def test_beyond_the_hard_limit_of_what_is_not_read_the_connection_closes() -> None:
    class Asks(Agent):
        def ext_method(self, method: str, params: Any) -> Any:
            return "x" * 1_000_000 if method == "_big" else self.client.ext_request("_asked")

    async with wired(AgentSideConnection, Asks(), limits=Limits(backlog=1_000_000), linger=0.1) as (wire, connection):
        await wire.send({"jsonrpc": "2.0", "id": "asks", "method": "_ask"})
        await wire.receive()
        while connection.closed is None:
            await wire.send({"jsonrpc": "2.0", "id": 1, "method": "_big"})
            await asyncio.sleep(0.001)
        await connection.wait_closed()
        with pytest.raises(QueueOverflow, match="does not read"):
            await connection.ext_request("_x")


# Requests that are being served


class Waits(Prompted):
    """Counts the turns that run."""

    def __init__(self) -> None:
        super().__init__()
        self.running = 0
        self.most = 0

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            return await super().prompt(params)
        finally:
            self.running -= 1


def prompts(count: int) -> list[dict[str, Any]]:
    params: dict[str, Any] = {"sessionId": "s", "prompt": []}
    return [{"jsonrpc": "2.0", "id": id, "method": "session/prompt", "params": params} for id in range(count)]


async def test_requests_beyond_the_limit_are_refused() -> None:
    agent = Waits()
    async with wired_agent(agent, limits=Limits(requests=10)) as wire:
        await wire.send(*prompts(50))
        errors = [(await wire.receive())["error"] for _ in range(40)]
        assert {(error["code"], error["data"]["reason"]) for error in errors} == {
            (-32603, "too many requests are in progress")
        }
        assert agent.most == 10


async def test_what_ends_the_requests_is_read_behind_them() -> None:
    agent = Waits()
    async with wired_agent(agent, limits=Limits(requests=10)) as wire:
        await wire.send(*prompts(20), {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}})
        answers = [await wire.receive() for _ in range(20)]
        assert ["result" in frame for frame in answers] == [False] * 10 + [True] * 10
        assert "result" in await wire.ask("last", "session/prompt", {"sessionId": "s", "prompt": []})


async def test_requests_that_end_soon_are_waited_for() -> None:
    class Short(Agent):
        async def ext_method(self, method: str, params: Any) -> Any:
            await asyncio.sleep(0.001)
            return params

    async with wired_agent(Short(), limits=Limits(requests=10)) as wire:
        await wire.send(*({"jsonrpc": "2.0", "id": id, "method": "_x", "params": [id]} for id in range(200)))
        for id in range(200):
            assert (await wire.receive())["result"] == [id]


# What gets logged


async def test_mistakes_without_end_do_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with wired_agent(Opens()) as wire:
        await wire.send(*[b"no json"] * 200)
        for _ in range(200):
            await wire.receive()
    assert 0 < len(caplog.records) < 50


async def test_an_answer_that_is_held_for_long_is_explained(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generated._runtime.connection.inbound._STALL", 0.01)

    class Stalls(Client):
        async def session_update(self, params: Any) -> None:
            await asyncio.create_task(self.agent.set_session_mode(session_id="s", mode_id="m"), context=None)

    async with wired_client(Stalls()) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        id = (await wire.receive())["id"]
        update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}
        note = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}
        await wire.send(note, answer(id, {"stopReason": "end_turn"}))
        await until(lambda: "do not wait in the handler" in caplog.text)
        await wire.send(answer((await wire.receive())["id"], {}))
        await turn
