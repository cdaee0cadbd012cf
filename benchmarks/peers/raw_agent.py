"""An agent on asyncio's streams and orjson alone. It answers in the loop that reads: a task for each request would only cost more."""

import asyncio
import sys
from typing import Any

import orjson


async def send(writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
    writer.write(orjson.dumps(message) + b"\n")
    await writer.drain()


class Agent:
    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.opened = 0
        self.methods = {"initialize": self.initialize, "session/new": self.new_session, "session/prompt": self.prompt}

    async def initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"protocolVersion": params["protocolVersion"], "agentCapabilities": {}}

    async def new_session(self, params: dict[str, Any]) -> dict[str, Any]:
        self.opened += 1
        return {"sessionId": f"sess_{self.opened:016x}"}

    async def prompt(self, params: dict[str, Any]) -> dict[str, Any]:
        count, size = map(int, params["prompt"][0]["text"].split())
        text = ("and then it reads\n" * (size // 18 + 1))[:size]
        for _ in range(count):
            update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
            told = {"sessionId": params["sessionId"], "update": update}
            await send(self.writer, {"jsonrpc": "2.0", "method": "session/update", "params": told})
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
        await send(agent.writer, {"jsonrpc": "2.0", "id": request["id"], "result": result})


if __name__ == "__main__":
    asyncio.run(serve())
