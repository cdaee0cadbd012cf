"""The floor: asyncio's streams and orjson, plain dicts, no types, no checks, no order, no cancellation, no limits."""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from typing import Any

import common
import messages
import orjson

TEXTS = messages.MESSAGES | messages.LENIENT


def decode(message: str, count: int) -> float:
    return common.per_call(orjson.loads, (TEXTS[message][1],), count)


def encode(message: str, count: int) -> float:
    return common.per_call(orjson.dumps, (orjson.loads(TEXTS[message][1]),), count)


def memory(count: int) -> float:
    return common.retained(lambda number: orjson.loads(json.dumps(messages.update(number))), count)


async def _send(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    writer.write(orjson.dumps(message) + b"\n")
    await writer.drain()


class Agent:
    """Answers in the loop that reads; a task for each request would only cost more."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.methods = {"initialize": self.initialize, "session/new": self.new_session, "session/prompt": self.prompt}

    async def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"protocolVersion": params["protocolVersion"], "agentCapabilities": {}}

    async def new_session(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"sessionId": uuid.uuid4().hex}

    async def prompt(self, params: dict[str, Any]) -> dict[str, Any]:
        count, size = map(int, params["prompt"][0]["text"].split())
        text = messages.text_of(size)
        for _ in range(count):
            update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
            told = {"sessionId": params["sessionId"], "update": update}
            await _send(self.writer, {"jsonrpc": "2.0", "method": "session/update", "params": told})
        return {"stopReason": "end_turn"}


async def serve() -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(1 << 26)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), sys.stdout
    )
    agent = Agent(asyncio.StreamWriter(transport, protocol, None, loop))
    while line := await reader.readline():
        request = orjson.loads(line)
        result = await agent.methods[request["method"]](request["params"])
        await _send(agent.writer, {"jsonrpc": "2.0", "id": request["id"], "result": result})


class Pair:
    def __init__(self) -> None:
        self.process: Any = None
        self.reading: Any = None
        self.waiting: dict[int, asyncio.Future[Any]] = {}
        self.received = 0
        self.ids = 0

    async def connect(self) -> None:
        start = asyncio.create_subprocess_exec
        pipe = asyncio.subprocess.PIPE
        self.process = await start(*common.command(__file__), stdin=pipe, stdout=pipe, limit=1 << 26)
        self.reading = asyncio.create_task(self.read())
        await self.call("initialize", {"protocolVersion": 1})

    async def read(self) -> None:
        while line := await self.process.stdout.readline():
            message = orjson.loads(line)
            if message.get("method") == "session/update":
                await self.session_update(message["params"])
            else:
                self.waiting.pop(message["id"]).set_result(message["result"])

    async def session_update(self, params: dict[str, Any]) -> None:
        self.received += 1

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        self.ids += 1
        answer = self.waiting[self.ids] = asyncio.get_running_loop().create_future()
        await _send(self.process.stdin, {"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        return await answer

    async def session(self) -> str:
        result = await self.call("session/new", {"cwd": "/project", "mcpServers": []})
        session: str = result["sessionId"]
        return session

    async def turn(self, session: str, count: int, size: int) -> None:
        prompt = [{"type": "text", "text": f"{count} {size}"}]
        await self.call("session/prompt", {"sessionId": session, "prompt": prompt})


if __name__ == "__main__":
    actions = {"decode": decode, "encode": encode, "memory": memory} | common.traffic(Pair())
    common.run(lambda: asyncio.run(serve()), actions)
