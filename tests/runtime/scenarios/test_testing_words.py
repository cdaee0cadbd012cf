"""What the testing kit says when a test fails: which message was expected, also where Python drops assertions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import generated as acp
from generated.testing import RecordingClient, connected, scripted_agent

ROOT = Path(__file__).parents[3]


class Silent(acp.Agent):
    def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        return acp.PromptResponse(stop_reason="end_turn")


async def test_an_agent_that_said_nothing_said_no_text() -> None:
    client = RecordingClient()
    assert client.text == ""
    async with connected(Silent(), client) as (_, agent):
        await agent.prompt(session_id="s", prompt=[])
    assert client.text == ""


async def test_who_expects_what_never_comes_is_told_what_it_was() -> None:
    async with scripted_agent(patience=0.01) as (agent, _):
        with pytest.raises(TimeoutError, match=r"expected initialize: no message within 0\.01 seconds"):
            await agent.expect("initialize")
        with pytest.raises(TimeoutError, match="no message within"):
            await agent.receive()


async def test_who_expects_something_of_a_peer_that_has_left_is_told_what_it_was() -> None:
    async with scripted_agent() as (agent, connection):
        await connection.close()
        with pytest.raises(EOFError, match="expected initialize: the other side closed the connection"):
            await agent.expect("initialize")


OPTIMISED = """
import asyncio
from generated.testing import scripted_agent

async def main():
    async with scripted_agent() as (agent, connection):
        opening = asyncio.create_task(connection.initialize())
        for method, params in ENDS:
            try:
                await agent.expect(method, **params)
            except AssertionError as error:
                print(error)
        opening.cancel()

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("method", "params", "said"),
    [
        ("session/new", {}, "expected session/new, got"),
        ("initialize", {"protocolVersion": 7}, "expected protocolVersion=7"),
    ],
)
def test_expectations_hold_without_assertions(method: str, params: dict[str, int], said: str) -> None:
    program = OPTIMISED.replace("ENDS", repr([(method, params)]))
    ran = subprocess.run([sys.executable, "-O", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said in ran.stdout
