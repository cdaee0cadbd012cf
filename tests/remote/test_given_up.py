"""A client that is cancelled, at any step of a connection's life: it ends at once, and leaves nothing on either side."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from remote_agents import Agent, Client, begin_session, prompt
from remote_hosts import WAYS, browsing, served
from remote_raw import connections

import generated as acp
from tests.support.waiting import advance, settled


async def visit(url: str, way: dict[str, Any]) -> None:
    async with acp.connect(url, Client(), **way) as agent:
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt("say 3"))
        await agent.prompt(session_id=session, prompt=prompt("ask"))


async def given_up(url: str, way: dict[str, Any], steps: int) -> bool:
    """Whether a visit was cancelled after so many turns of the event loop; what it raised otherwise is raised here."""
    task = asyncio.ensure_future(visit(url, way))
    for _ in range(steps):
        if task.done():
            break
        await asyncio.sleep(0)
    task.cancel()
    async with asyncio.timeout(60):
        await asyncio.wait([task])
    if not task.cancelled():
        task.result()
    return task.cancelled()


# Not over HTTP/2: below httpx, a network connection that was made in the very turn of its cancellation is closed when it is collected.
@pytest.mark.parametrize("name", ["websocket", "http/1.1"])
async def test_it_ends_at_once_wherever_it_was_and_leaves_no_connection(name: str) -> None:
    way = WAYS[name]
    async with served(Agent, idle_timeout=30) as url, browsing(url):
        steps = 0
        while await given_up(url, way, steps):
            steps += 1 if steps < 40 else 5
        assert steps > 40
        await settled()
        advance(31)
        await connections(0)
