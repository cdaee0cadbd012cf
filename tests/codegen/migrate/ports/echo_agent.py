"""The official SDK's `echo_agent.py`: each block of a prompt comes back as text."""

import asyncio
import uuid

import generated as acp

ECHO = {"echo": True}


class EchoAgent(acp.Agent):
    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id=uuid.uuid4().hex)

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        for block in params.prompt:
            text = block.text if isinstance(block, acp.TextContent) else ""
            chunk = acp.AgentMessageChunk(content=acp.TextContent(text=text, meta=ECHO), meta=ECHO)
            await self.client.session_update(session_id=params.session_id, update=chunk, meta={"source": "echo_agent"})
        return acp.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(EchoAgent()))
