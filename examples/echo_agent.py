"""The smallest useful agent: it says back what it is told. `examples/client.py` starts it and talks to it."""

import asyncio
import uuid

import generated as acp


class EchoAgent(acp.Agent):
    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id=uuid.uuid4().hex)

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        await self.session.say(params.prompt)
        return acp.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(EchoAgent()))
