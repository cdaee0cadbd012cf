"""The official Python SDK as a peer. Codec calls are those that its own connection makes (`acp.utils`, `acp.task.sender`)."""

from __future__ import annotations

import asyncio
import json
import uuid
from contextlib import AsyncExitStack
from typing import Any

import acp
import common
import messages
from acp import schema
from acp.stdio import spawn_agent_process
from acp.utils import serialize_params

TEXTS = messages.MESSAGES | messages.LENIENT


def decode(message: str, count: int) -> float:
    name, data = TEXTS[message]
    kind = getattr(schema, name)
    return common.per_call(lambda text: kind.model_validate(json.loads(text)), (data,), count)


def encode(message: str, count: int) -> float:
    name, data = TEXTS[message]
    instance = getattr(schema, name).model_validate_json(data)

    def call(value: Any) -> bytes:
        return json.dumps(serialize_params(value), separators=(",", ":")).encode("utf-8")

    return common.per_call(call, (instance,), count)


def decode_directly(message: str, count: int) -> float:
    """By pydantic's own parser, which the connection does not use."""
    name, data = TEXTS[message]
    return common.per_call(getattr(schema, name).model_validate_json, (data,), count)


def encode_directly(message: str, count: int) -> float:
    """By pydantic's own writer, which the connection does not use."""
    name, data = TEXTS[message]
    instance = getattr(schema, name).model_validate_json(data)

    def call(value: Any) -> bytes:
        text: str = value.model_dump_json(by_alias=True, exclude_none=True, exclude_defaults=True)
        return text.encode("utf-8")

    return common.per_call(call, (instance,), count)


def memory(count: int) -> float:
    def make(number: int) -> object:
        text = json.dumps(messages.update(number)).encode()
        return schema.SessionNotification.model_validate(json.loads(text))

    return common.retained(make, count)


class Agent:
    client: Any

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> Any:
        return schema.InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd: str, **_: Any) -> Any:
        return schema.NewSessionResponse(session_id=uuid.uuid4().hex)

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> Any:
        count, size = map(int, prompt[0].text.split())
        text = messages.text_of(size)
        for _number in range(count):
            content = schema.TextContentBlock(type="text", text=text)
            update = schema.AgentMessageChunk(session_update="agent_message_chunk", content=content)
            await self.client.session_update(session_id=session_id, update=update)
        if count < 0:
            await asyncio.Event().wait()
        return schema.PromptResponse(stop_reason="end_turn")


class Client:
    received = 0

    def on_connect(self, conn: Any) -> None:
        pass

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
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
        spawned = spawn_agent_process(self.client, *common.command(__file__))
        self.agent, _ = await self.stack.enter_async_context(spawned)
        await self.agent.initialize(protocol_version=acp.PROTOCOL_VERSION)

    async def session(self) -> str:
        session: str = (await self.agent.new_session(cwd="/project", mcp_servers=[])).session_id
        return session

    async def turn(self, session: str, count: int, size: int) -> None:
        await self.agent.prompt(session_id=session, prompt=[acp.text_block(f"{count} {size}")])


if __name__ == "__main__":
    codec = (decode, encode, decode_directly, encode_directly, memory)
    actions = {action.__name__: action for action in codec} | common.traffic(Pair())
    common.run(lambda: asyncio.run(acp.run_agent(Agent())), actions)
