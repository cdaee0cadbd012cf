"""A thousand sessions at once, two hundred thousand messages: nothing lost, order kept, nothing left behind.

That no task and no descriptor is left is asserted for every coroutine test, in ``conftest``.
"""

from __future__ import annotations

import asyncio
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from peers import EAGER

from generated import (
    AgentMessageChunk,
    Client,
    ClientSideConnection,
    ConnectionClosed,
    Limits,
    SessionNotification,
    TextContent,
    spawn_agent,
)
from tests.support.sampling import exhaustive

SESSIONS = 1_000
UPDATES = 200
AGENT = (sys.executable, *EAGER, str(Path(__file__).parents[1] / "soak_agent.py"))

pytestmark = pytest.mark.slow


class Counts(Client):
    """Notes the numbers of each session's updates; now and then it takes its time."""

    def __init__(self, pause: float) -> None:
        self.pause = pause
        self.numbers: dict[str, list[int]] = defaultdict(list)
        self.total = 0

    async def session_update(self, params: SessionNotification) -> None:
        assert isinstance(params.update, AgentMessageChunk)
        assert isinstance(params.update.content, TextContent)
        self.total += 1
        if self.total % 100 == 0:
            await asyncio.sleep(self.pause)
        self.numbers[params.session_id].append(int(params.update.content.text))


async def turn(connection: ClientSideConnection, client: Counts) -> str:
    """Open a session and prompt it; its updates, all of them, must be there when the turn ends."""
    session = (await connection.new_session(cwd="/", mcp_servers=[])).session_id
    await connection.prompt(session_id=session, prompt=[TextContent(text=str(UPDATES))])
    assert client.numbers[session] == list(range(UPDATES))
    return session


@pytest.mark.parametrize("count", exhaustive([SESSIONS // 5, SESSIONS], stay=[SESSIONS // 5]))
async def test_nothing_is_lost_and_order_is_kept_with_a_slow_reader(count: int) -> None:
    client = Counts(pause=0.005)
    async with spawn_agent(client, *AGENT, "inf", limits=Limits(queue=200)) as connection:
        await connection.initialize()
        sessions = await asyncio.gather(*(turn(connection, client) for _ in range(count)))
    assert len(set(sessions)) == count
    assert client.total == count * UPDATES


async def test_a_peer_that_dies_half_way_fails_all_turns_and_loses_nothing_it_sent() -> None:
    client = Counts(pause=0.0001)
    half = SESSIONS * UPDATES // 2
    async with spawn_agent(client, *AGENT, str(half)) as connection:
        await connection.initialize()
        turns = [turn(connection, client) for _ in range(SESSIONS)]
        outcomes = await asyncio.gather(*turns, return_exceptions=True)
        await connection.wait_closed()
    assert {type(outcome) for outcome in outcomes} <= {ConnectionClosed, str}
    assert any("exited with code 9" in str(outcome) for outcome in outcomes)
    # What the agent had not yet handed to the pipe died with it; what came is whole and in order.
    assert client.total > 0
    for numbers in client.numbers.values():
        assert numbers == list(range(len(numbers)))
