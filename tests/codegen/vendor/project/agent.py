"""An agent that ends sessions for good. With the argument `plain` it does not offer that."""

from __future__ import annotations

import asyncio
import sys

from app.acp import (
    Agent,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    StderrOutput,
    TerminateSessionRequest,
    TerminateSessionResponse,
    run_agent,
)


class PlainAgent(Agent):
    async def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id="sess_1")

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        return PromptResponse(stop_reason="end_turn")


class SandboxAgent(PlainAgent):
    def __init__(self) -> None:
        self.ended: dict[str, TerminateSessionResponse] = {}

    async def terminate_session(self, params: TerminateSessionRequest) -> TerminateSessionResponse:
        known = self.ended.get(params.session_id)
        if known is not None:
            return known
        stderr = StderrOutput(head="bye\n", truncated=False, total_lines=1)
        await self.client.session_ended(
            session_id=params.session_id, reason="terminated", terminated_by="daemon", exit_code=0, stderr=stderr
        )
        response = TerminateSessionResponse(terminated=True, reason="terminated", terminated_by="daemon")
        self.ended[params.session_id] = response
        return response


if __name__ == "__main__":
    asyncio.run(run_agent(PlainAgent() if "plain" in sys.argv else SandboxAgent()))
