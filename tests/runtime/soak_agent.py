"""An agent that answers a prompt with as many updates as its text says, and dies after as many as it is allowed."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from eager import run

from generated import (
    Agent,
    AgentMessageChunk,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    TextContent,
    run_agent,
)


class Soak(Agent):
    def __init__(self, life: float) -> None:
        self.life = life
        self.numbers = itertools.count()

    def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id=f"session-{next(self.numbers)}")

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        (text,) = params.prompt
        assert isinstance(text, TextContent)
        for number in range(int(text.text)):
            self.life -= 1
            if self.life < 0:
                os._exit(9)
            update = AgentMessageChunk(content=TextContent(text=str(number)))
            await self.client.session_update(session_id=params.session_id, update=update)
        return PromptResponse(stop_reason="end_turn")


run(run_agent(Soak(float(sys.argv[1]))))
