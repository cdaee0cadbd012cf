"""An agent made with the official Python SDK, after its own example; what it does is what `ours_agent.py` does."""

import asyncio
from typing import Any

import acp
from acp import schema


class Agent:
    client: Any
    opened = 0

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> Any:
        return schema.InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd: str, **_: Any) -> Any:
        self.opened += 1
        return schema.NewSessionResponse(session_id=f"sess_{self.opened:016x}")

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> Any:
        count, size = map(int, prompt[0].text.split())
        text = ("and then it reads\n" * (size // 18 + 1))[:size]
        for _number in range(count):
            content = schema.TextContentBlock(type="text", text=text)
            update = schema.AgentMessageChunk(session_update="agent_message_chunk", content=content)
            await self.client.session_update(session_id=session_id, update=update)
        if count < 0:
            await asyncio.Event().wait()
        return schema.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(Agent()))
