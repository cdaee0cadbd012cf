"""Our package as a peer: the client's side, and the codec."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import common
import messages
import msgspec

import generated as acp
from generated.testing import connected

TEXTS = messages.MESSAGES | messages.LENIENT


def decode(message: str, count: int) -> float:
    name, data = TEXTS[message]
    return common.per_call(acp.decode, (getattr(acp, name), data), count)


def encode(message: str, count: int) -> float:
    name, data = TEXTS[message]
    return common.per_call(acp.encode, (acp.decode(getattr(acp, name), data),), count)


def bare_decode(message: str, count: int) -> float:
    """msgspec's own decoder of the type: no second reading, no leniency, msgspec's own error messages."""
    name, data = TEXTS[message]
    return common.per_call(msgspec.json.Decoder(getattr(acp, name)).decode, (data,), count)


def bare_encode(message: str, count: int) -> float:
    """msgspec's own encoder: NaN becomes null, and nothing else is asked."""
    name, data = TEXTS[message]
    return common.per_call(msgspec.json.Encoder().encode, (acp.decode(getattr(acp, name), data),), count)


def memory(count: int) -> float:
    def make(number: int) -> object:
        return acp.decode(acp.SessionNotification, json.dumps(messages.update(number)).encode())

    return common.retained(make, count)


def state(count: int) -> float:
    """Seconds for each of so many updates that the state of a session takes in."""
    made = [acp.decode(acp.SessionNotification, json.dumps(each)).update for each in messages.turn(count)]
    kept = acp.SessionState()
    gc.collect()
    start = time.perf_counter()
    for update in made:
        kept.apply(update)
    return (time.perf_counter() - start) / count


class Saying(acp.Agent):
    """Streams a turn through its session, or through the call with the id."""

    def __init__(self, count: int, *, session: bool) -> None:
        self.count = count
        self.through_session = session

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        if self.through_session:
            for _ in range(self.count):
                await self.session.say("word ")
        else:
            for _ in range(self.count):
                update = acp.AgentMessageChunk(content=acp.TextContent(text="word "))
                await self.client.session_update(session_id=params.session_id, update=update)
        return acp.PromptResponse(stop_reason="end_turn")


def say(count: int, *, session: bool) -> float:
    """Seconds for each update of turns in memory, the quickest of 20 turns."""

    async def turns() -> float:
        taken: list[float] = []
        async with connected(Saying(count, session=session)) as (_, agent):
            for _ in range(20):
                start = time.perf_counter()
                await agent.prompt(session_id="s", prompt=[])
                taken.append(time.perf_counter() - start)
        return min(taken) / count

    return asyncio.run(turns())


class Client(acp.Client):
    received = 0

    async def session_update(self, params: acp.SessionNotification) -> None:
        self.received += 1


class Pair:
    def __init__(self, **options: Any) -> None:
        self.options = options
        self.client = Client()
        self.stack = AsyncExitStack()
        self.agent: Any = None

    @property
    def received(self) -> int:
        return self.client.received

    async def connect(self) -> None:
        # PYTHONPATH says where the package is.
        options = acp.connection.SpawnOptions(inherit_env=True, **self.options)
        agent = acp.spawn_agent(self.client, *common.agent("ours"), **options)
        self.agent = await self.stack.enter_async_context(agent)
        await self.agent.initialize()

    async def session(self) -> str:
        session: str = (await self.agent.new_session(cwd="/project", mcp_servers=[])).session_id
        return session

    async def turn(self, session: str, count: int, size: int) -> None:
        await self.agent.prompt(session_id=session, prompt=[acp.TextContent(text=f"{count} {size}")])


if __name__ == "__main__":
    codec: dict[str, Callable[..., float]] = {"decode": decode, "encode": encode}
    bare: dict[str, Callable[..., float]] = {"bare_decode": bare_decode, "bare_encode": bare_encode}
    common.serve({**codec, **bare, "memory": memory, "state": state, "say": say, **common.traffic(Pair())})
