"""The floor: asyncio's streams and orjson, plain dicts, no types, no checks, no order, no cancellation, no limits."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import common
import messages
import orjson
from raw_agent import send

TEXTS = messages.MESSAGES | messages.LENIENT


def decode(message: str, count: int) -> float:
    return common.per_call(orjson.loads, (TEXTS[message][1],), count)


def encode(message: str, count: int) -> float:
    return common.per_call(orjson.dumps, (orjson.loads(TEXTS[message][1]),), count)


def memory(count: int) -> float:
    return common.retained(lambda number: orjson.loads(json.dumps(messages.update(number))), count)


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
        self.process = await start(*common.agent("raw"), stdin=pipe, stdout=pipe, limit=1 << 26)
        self.reading = asyncio.create_task(self.read())
        await self.call("initialize", {"protocolVersion": 1})

    async def read(self) -> None:
        while line := await self.process.stdout.readline():
            await self.take(orjson.loads(line))

    async def take(self, message: dict[str, Any]) -> None:
        if message.get("method") == "session/update":
            await self.session_update(message["params"])
        else:
            self.waiting.pop(message["id"]).set_result(message["result"])

    async def send(self, message: dict[str, Any]) -> None:
        await send(self.process.stdin, message)

    async def session_update(self, params: dict[str, Any]) -> None:
        self.received += 1

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        self.ids += 1
        answer = self.waiting[self.ids] = asyncio.get_running_loop().create_future()
        await self.send({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
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
    common.serve(actions)
