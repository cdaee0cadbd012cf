"""Mistakes that both type checkers must still find, one in each line that says so."""

from __future__ import annotations

from examples import acp as sandbox
from generated import (
    AgentSideConnection,
    ClientSession,
    ClientSideConnection,
    CreateElicitationRequest,
    PromptRequest,
    TextContent,
    ToolCallLocation,
    blocking,
)
from generated.testing import Connect, RecordingClient


def mistakes(params: CreateElicitationRequest) -> None:
    print(params.mesage)  # mistake
    PromptRequest(session_id="s", prompt=[ToolCallLocation(path="/a")])  # mistake
    PromptRequest(session_id="s", prompt="text")  # mistake
    PromptRequest(session_id="s", prompt=[TextContent(txt="a")])  # mistake


async def wrong_keywords(
    agent: ClientSideConnection, session: ClientSession, threads: blocking.ClientSideConnection
) -> None:
    await agent.set_session_config_option(session_id="s", config_id="c", value=True)  # mistake
    await agent.set_session_config_option(session_id="s", config_id="c", type="boolean", value="x")  # mistake
    await session.set_config_option(config_id="c")  # mistake
    threads.set_session_config_option(session_id="s", config_id="c", values="x")  # mistake


async def wrong_views(agent: ClientSideConnection, client: AgentSideConnection) -> None:
    await agent.terminate_session(session_id="s")  # mistake
    await sandbox.view(client).terminate_session(session_id="s")  # mistake
    sandbox.view("agent")  # mistake


def wrong_fixtures(connect: Connect, recording_client: RecordingClient) -> None:
    connect(recording_client)  # mistake
    recording_client.text.say()  # mistake
