"""The floor over a WebSocket: an ASGI application that echoes what it must, and orjson. `serve` is the server, else a worker with the client's side."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import orjson
import raw
import remote
from websockets.asyncio.client import connect

SERVER = remote.Server("raw")
_UPDATE = {"sessionUpdate": "agent_message_chunk"}


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answers requests, a turn with as many updates as it is asked for."""

    async def say(message: dict[str, Any]) -> None:
        await send({"type": "websocket.send", "text": orjson.dumps({"jsonrpc": "2.0", **message}).decode()})

    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (event := await receive())["type"] != "websocket.disconnect":
        message = orjson.loads(event["text"])
        result: dict[str, Any] = {"protocolVersion": 1, "sessionId": "sess_1", "stopReason": "end_turn"}
        if message["method"] == "session/prompt":
            params = message["params"]
            count, size = map(int, params["prompt"][0]["text"].split())
            text = ("and then it reads\n" * (size // 18 + 1))[:size]
            for _ in range(count):
                update = {**_UPDATE, "content": {"type": "text", "text": text}}
                await say({"method": "session/update", "params": {"sessionId": params["sessionId"], "update": update}})
        await say({"id": message["id"], "result": result})


class Pair(raw.Pair):
    def __init__(self, profile: str) -> None:
        super().__init__()
        self.profile = profile

    async def connect(self) -> None:
        self.process = await connect(await SERVER.url(self.profile), compression=None)
        self.reading = asyncio.create_task(self.read())
        await self.call("initialize", {"protocolVersion": 1})

    async def read(self) -> None:
        async for text in self.process:
            await self.take(orjson.loads(text))

    async def send(self, message: dict[str, Any]) -> None:
        await self.process.send(orjson.dumps(message).decode())


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        remote.run(app)
    else:
        remote.common.serve(remote.actions(SERVER, Pair))
