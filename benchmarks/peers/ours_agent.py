"""An agent made with our package. It imports what an agent needs and no more: its start is timed too."""

import asyncio

import generated as acp


class Agent(acp.Agent):
    opened = 0

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        self.opened += 1
        return acp.NewSessionResponse(session_id=f"sess_{self.opened:016x}")

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        (block,) = params.prompt
        assert isinstance(block, acp.TextContent)
        count, size = map(int, block.text.split())
        text = ("and then it reads\n" * (size // 18 + 1))[:size]
        for _ in range(count):
            update = acp.AgentMessageChunk(content=acp.TextContent(text=text))
            await self.client.session_update(session_id=params.session_id, update=update)
        if count < 0:
            await asyncio.Event().wait()
        return acp.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(Agent()))
