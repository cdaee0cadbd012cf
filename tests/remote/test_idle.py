"""What a connection on which nothing happens does not hold."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from typing import Any

from msgspec import Struct
from remote_agents import Agent, Client
from remote_hosts import served

import generated as acp


async def test_connections_share_what_their_protocol_says(way: dict[str, Any]) -> None:
    """A type for each, which reads one member of a message, took a sixth of all that a connection holds."""
    async with served(Agent) as url, contextlib.AsyncExitStack() as stack:
        counts: list[int] = []
        for _ in range(3):
            agent = await stack.enter_async_context(acp.connect(url, Client(), **way))
            await agent.initialize()
            gc.collect()
            counts.append(len(Struct.__subclasses__()))
    assert counts[0] == counts[1] == counts[2]


async def test_whatever_happens_once_is_told_to_all_who_wait() -> None:
    from generated._runtime.tasks import Once

    once = Once()
    waits = [asyncio.ensure_future(once.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    assert not once.is_set()
    waits[0].cancel()
    await asyncio.sleep(0)
    once.set()
    once.set()
    await asyncio.gather(*waits[1:], once.wait())
    assert once.is_set()
    assert waits[0].cancelled()
