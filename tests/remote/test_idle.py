"""What a connection on which nothing happens does not hold."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from typing import Any

import pytest
from msgspec import Struct
from remote_agents import Agent, Client
from remote_hosts import served

import generated as acp
from generated._runtime.tasks import Deadline, Once
from tests.support.waiting import advance, settled


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


async def test_a_deadline_ends_what_takes_too_long_and_nothing_else() -> None:
    with pytest.raises(TimeoutError), Deadline(0.01):
        await asyncio.Event().wait()
    with pytest.raises(ValueError, match="own"), Deadline(5):
        raise ValueError("own")
    with Deadline(5):
        pass
    advance(6)
    await settled()  # a timer that was left would cancel this
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_who_cancels_a_task_goes_before_its_deadline() -> None:
    begun = asyncio.Event()

    async def waiting() -> None:
        with Deadline(5):
            begun.set()
            await asyncio.Event().wait()

    task = asyncio.ensure_future(waiting())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_one_that_is_cancelled_as_its_deadline_passes_is_cancelled() -> None:
    async def waiting() -> None:
        with Deadline(0):
            task = asyncio.current_task()
            assert task is not None
            asyncio.get_running_loop().call_soon(task.cancel)
            await asyncio.Event().wait()

    task = asyncio.ensure_future(waiting())
    with pytest.raises(asyncio.CancelledError):
        await task
