"""Our package as a peer: the client's side, and the codec."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from typing import Any

import common
import messages

import generated as acp

TEXTS = messages.MESSAGES | messages.LENIENT


def decode(message: str, count: int) -> float:
    name, data = TEXTS[message]
    return common.per_call(acp.decode, (getattr(acp, name), data), count)


def encode(message: str, count: int) -> float:
    name, data = TEXTS[message]
    return common.per_call(acp.encode, (acp.decode(getattr(acp, name), data),), count)


def memory(count: int) -> float:
    def make(number: int) -> object:
        return acp.decode(acp.SessionNotification, json.dumps(messages.update(number)).encode())

    return common.retained(make, count)


class Client(acp.Client):
    received = 0

    async def session_update(self, params: acp.SessionNotification) -> None:
        self.received += 1


class Pair:
    def __init__(self) -> None:
        self.client = Client()
        self.stack = AsyncExitStack()
        self.agent: Any = None

    @property
    def received(self) -> int:
        return self.client.received

    async def connect(self) -> None:
        # PYTHONPATH says where the package is.
        agent = acp.spawn_agent(self.client, *common.agent("ours"), inherit_env=True)
        self.agent = await self.stack.enter_async_context(agent)
        await self.agent.initialize()

    async def session(self) -> str:
        session: str = (await self.agent.new_session(cwd="/project", mcp_servers=[])).session_id
        return session

    async def turn(self, session: str, count: int, size: int) -> None:
        await self.agent.prompt(session_id=session, prompt=[acp.TextContent(text=f"{count} {size}")])


if __name__ == "__main__":
    actions = {"decode": decode, "encode": encode, "memory": memory} | common.traffic(Pair())
    common.serve(actions)
