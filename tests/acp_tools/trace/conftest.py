"""A recorded conversation, for all tests of what is done with one."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

import generated as acp
from generated import Client, Transcript, spawn_agent

AGENT = (sys.executable, str(Path(__file__).with_name("agents.py")), "serves")


class Editor(Client):
    """Allows everything, and notes what is said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    async def session_update(self, params: acp.SessionNotification) -> None:
        if isinstance(params.update, acp.AgentMessageChunk) and isinstance(params.update.content, acp.TextContent):
            self.said.append(params.update.content.text)

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        return acp.RequestPermissionResponse(
            outcome=acp.SelectedPermissionOutcome(option_id=params.options[0].option_id)
        )


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A conversation with an agent that asks for permission: two turns of one session."""
    path = tmp_path_factory.mktemp("record") / "t.ndjson"

    async def talk() -> None:
        with Transcript(path) as transcript:
            async with spawn_agent(Editor(), *AGENT, on_frame=transcript) as agent:
                await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
                session = await agent.new_session(cwd="/home/ada/project", mcp_servers=[])
                for _ in range(2):
                    await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text="go")])

    asyncio.run(talk())
    return path
