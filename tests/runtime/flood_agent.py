"""An agent whose turns do not end by themselves: they wait, or stream until someone stops them. Limits as arguments."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from eager import run

from generated import (
    Agent,
    AgentMessageChunk,
    Limits,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    TextContent,
    run_agent,
)


class Endless(Agent):
    def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id=params.cwd)

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        while params.session_id == "streams":
            update = AgentMessageChunk(content=TextContent(text="x" * 1000))
            await self.client.session_update(session_id=params.session_id, update=update)
        if params.session_id == "asks":
            await self.client.read_text_file(session_id="asks", path="/never/answered")
        await asyncio.Event().wait()
        return PromptResponse(stop_reason="end_turn")


run(run_agent(Endless(), limits=Limits(backlog=int(sys.argv[1]))))
