"""The smallest useful agent: it says back what it is told. `examples/client.py` starts it and talks to it."""

import asyncio
import uuid

import generated as acp


class EchoAgent(acp.Agent):
    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id=uuid.uuid4().hex)

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        for block in params.prompt:
            await self.client.session_update(session_id=params.session_id, update=acp.AgentMessageChunk(content=block))
        return acp.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(EchoAgent()))
