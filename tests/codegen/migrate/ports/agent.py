"""The official SDK's `agent.py`: sessions, modes, extension methods, and prompts that come back block by block."""

import asyncio
import itertools
import logging
from types import MappingProxyType
from typing import Any

import generated as acp

logger = logging.getLogger(__name__)


class ExampleAgent(acp.Agent):
    program = MappingProxyType({"name": "example-agent", "title": "Example Agent", "version": "0.1.0"})

    def __init__(self) -> None:
        self.ids = map(str, itertools.count())
        self.sessions: set[str] = set()

    async def say(self, session: str, block: acp.ContentBlock) -> None:
        await self.client.session_update(session_id=session, update=acp.AgentMessageChunk(content=block))

    async def authenticate(self, params: acp.AuthenticateRequest) -> acp.AuthenticateResponse:
        logger.info("authenticate %s", params.method_id)
        return acp.AuthenticateResponse()

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        session = next(self.ids)
        logger.info("new session %s", session)
        self.sessions.add(session)
        return acp.NewSessionResponse(session_id=session)

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        logger.info("load session %s", params.session_id)
        self.sessions.add(params.session_id)
        return acp.LoadSessionResponse()

    async def set_session_mode(self, params: acp.SetSessionModeRequest) -> acp.SetSessionModeResponse:
        logger.info("mode of session %s: %s", params.session_id, params.mode_id)
        return acp.SetSessionModeResponse()

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        logger.info("prompt in session %s", params.session_id)
        self.sessions.add(params.session_id)
        for block in (acp.TextContent(text="Client sent:"), *params.prompt):
            await self.say(params.session_id, block)
        return acp.PromptResponse(stop_reason="end_turn")

    async def cancel(self, params: acp.CancelNotification) -> None:
        logger.info("cancel in session %s", params.session_id)

    async def ext_method(self, method: str, params: Any) -> Any:
        logger.info("extension method %s", method)
        return {"example": "response"}

    async def ext_notification(self, method: str, params: Any) -> None:
        logger.info("extension notification %s", method)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    asyncio.run(acp.run_agent(ExampleAgent()))
