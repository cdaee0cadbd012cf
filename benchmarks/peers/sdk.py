"""The official Python SDK as a peer: the client's side, and the codec. Its calls are those that its own connection makes (`acp.utils`, `acp.task.sender`)."""

from __future__ import annotations

import gc
import json
import time
from contextlib import AsyncExitStack
from typing import Any

import acp
import common
import messages
from acp import schema
from acp.contrib.session_state import SessionAccumulator
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


def state(count: int) -> float:
    """Seconds for each of so many updates that the SDK's accumulator takes in; it gives a snapshot after each."""
    made = [schema.SessionNotification.model_validate(each) for each in messages.turn(count)]
    kept = SessionAccumulator()
    gc.collect()
    start = time.perf_counter()
    for notification in made:
        kept.apply(notification)
    return (time.perf_counter() - start) / count


def memory(count: int) -> float:
    def make(number: int) -> object:
        text = json.dumps(messages.update(number)).encode()
        return schema.SessionNotification.model_validate(json.loads(text))

    return common.retained(make, count)


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
        spawned = spawn_agent_process(self.client, *common.agent("sdk"))
        self.agent, _ = await self.stack.enter_async_context(spawned)
        await self.agent.initialize(protocol_version=acp.PROTOCOL_VERSION)

    async def session(self) -> str:
        session: str = (await self.agent.new_session(cwd="/project", mcp_servers=[])).session_id
        return session

    async def turn(self, session: str, count: int, size: int) -> None:
        await self.agent.prompt(
            session_id=session, prompt=[schema.TextContentBlock(type="text", text=f"{count} {size}")]
        )


if __name__ == "__main__":
    codec = (decode, encode, decode_directly, encode_directly, memory, state)
    actions = {action.__name__: action for action in codec} | common.traffic(Pair())
    common.serve(actions)
