"""What runs in a session's own process: an agent that knows one session and forgets it with its process.

It keeps nothing: history is its parent's business, which tells it with each prompt all that the model needs to know.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import msgspec

from .. import acp
from . import model
from .stage import META, ClientStage, Task
from .turns import Turn, TurnCancelled

__all__ = ["Worker"]


class CountingStage(ClientStage):
    """A stage whose requests say how many updates were sent before them."""

    def __init__(self, client: acp.AgentSideConnection, session_id: str) -> None:
        super().__init__(client, session_id)
        self._sent = 0

    async def update(self, update: acp.SessionUpdate) -> None:
        self._sent += 1
        await super().update(update)

    def request_meta(self) -> dict[str, Any]:
        return {META: self._sent}


class Worker(acp.Agent):
    """The agent of one session."""

    def __init__(self) -> None:
        self._stage: CountingStage | None = None
        self._turn = Turn()

    def resume_session(self, params: acp.ResumeSessionRequest) -> None:
        self._stage = CountingStage(self.client, params.session_id)
        print(f"{params.session_id}: in {params.cwd}", file=sys.stderr, flush=True)

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        self._turn = turn = Turn()
        task = msgspec.convert((params.meta or {}).get(META), Task)
        if self._stage is None:
            raise acp.RequestError.invalid_request()
        try:
            return acp.PromptResponse(stop_reason=await turn.step(model.reply(self._stage, task)))
        except TurnCancelled:
            return acp.PromptResponse(stop_reason="cancelled")

    def cancel(self, params: acp.CancelNotification) -> None:
        self._turn.cancel()


if __name__ == "__main__":
    asyncio.run(acp.run_agent(Worker(), linger=0.1))
