"""Code as a user writes it, whom both type checkers leave in peace, in their strict modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_type

from examples import acp as sandbox
from examples.acp import AgentMixin, TerminateSessionRequest, TerminateSessionResponse
from examples.acp import blocking as sandbox_blocking
from generated import (
    Agent,
    AgentMessageChunk,
    AgentSideConnection,
    AuthMethodAgent,
    Client,
    ClientSession,
    ClientSideConnection,
    ContentBlock,
    CreateElicitationRequest,
    CreateElicitationResponse,
    CreateElicitationResponseDecline,
    ElicitationSchema,
    InitializeRequest,
    InitializeResponse,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    SessionNotification,
    SessionState,
    SessionUpdate,
    SetSessionConfigOptionRequestValueId,
    SetSessionConfigOptionResponse,
    TextContent,
    UnknownVariant,
    blocking,
    run_agent,
    spawn_agent,
)
from generated.testing import Connect, RecordingClient, Scripted, ScriptedAgent, ScriptedClient


class Asked(Client):
    async def create_elicitation(self, params: CreateElicitationRequest) -> CreateElicitationResponse:
        # Every variant has a message, and so has one that is not known here.
        print(params.message.upper())
        return CreateElicitationResponseDecline()

    async def session_update(self, params: SessionNotification) -> None:
        print(shown(params.update))


def shown(update: SessionUpdate) -> str:
    match update:
        case AgentMessageChunk(content=TextContent(text=text)):
            return text
        case UnknownVariant(tag, raw):
            return f"{tag}: {len(raw)}"
        case _:
            return ""


def texts(blocks: Sequence[ContentBlock]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, TextContent)]


class Mine(Agent):
    async def initialize(self, params: InitializeRequest) -> InitializeResponse:
        methods = [AuthMethodAgent(id="login", name="Log in")]
        return InitializeResponse(protocol_version=params.protocol_version, auth_methods=methods)

    async def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id="s")

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        blocks = [TextContent(text=text) for text in texts(params.prompt)]
        again = PromptRequest(session_id=params.session_id, prompt=blocks)
        first = params.prompt[0] if params.prompt else None
        for block in again.prompt:
            await self.client.session_update(session_id=params.session_id, update=AgentMessageChunk(content=block))
        return PromptResponse(stop_reason="end_turn" if first is not None else "refusal")


async def asks(agent: Mine, form: ElicitationSchema) -> None:
    answer = await agent.session.create_elicitation(mode="form", message="Name?", requested_schema=form)
    assert_type(answer, CreateElicitationResponse)
    await agent.client.create_elicitation(
        mode="url", session_id="s", message="Log in", elicitation_id="e", url="https://a.example"
    )


async def sets(agent: ClientSideConnection, session: ClientSession, threads: blocking.ClientSideConnection) -> None:
    params = SetSessionConfigOptionRequestValueId(session_id="s", config_id="c", value="x")
    assert_type(await agent.set_session_config_option(params), SetSessionConfigOptionResponse)
    await agent.set_session_config_option(session_id="s", config_id="c", value="x")
    await agent.set_session_config_option(session_id="s", config_id="c", type="boolean", value=True)
    assert_type(await session.set_config_option(config_id="c", value="x"), SetSessionConfigOptionResponse)
    assert_type(
        threads.set_session_config_option(session_id="s", config_id="c", type="boolean", value=True),
        SetSessionConfigOptionResponse,
    )


class Both(AgentMixin, Agent):
    """An agent with the handlers of a package over this one."""

    async def terminate_session(self, params: TerminateSessionRequest) -> TerminateSessionResponse:
        own = sandbox.view(self.client)
        assert_type(own, sandbox.AgentSideConnection)
        await own.session_ended(session_id=params.session_id, reason="terminated", terminated_by="daemon")
        return TerminateSessionResponse(terminated=True, reason="terminated", terminated_by="daemon")


async def views() -> None:
    await run_agent(Both(), extensions=[sandbox])
    async with spawn_agent(Asked(), "agent", extensions=[sandbox]) as agent:
        assert_type(agent, ClientSideConnection)
        assert_type(sandbox.view(agent), sandbox.ClientSideConnection)
        assert_type(await sandbox.view(agent).terminate_session(session_id="s"), TerminateSessionResponse)
    with blocking.spawn_agent(Asked(), "agent", extensions=[sandbox]) as threads:
        assert_type(sandbox_blocking.view(threads), sandbox_blocking.ClientSideConnection)


async def test_fixtures(
    connect: Connect, scripted_agent: ScriptedAgent, scripted_client: ScriptedClient, recording_client: RecordingClient
) -> None:
    async with connect(Mine, recording_client, opened=False, call_timeout=5) as (held, agent):
        assert_type(held, AgentSideConnection)
        assert_type(agent, ClientSideConnection)
    async with scripted_agent(recording_client) as (script, to_agent):
        assert_type(script, Scripted)
        assert_type(to_agent, ClientSideConnection)
    async with scripted_client(Mine(), patience=1) as (script, to_client):
        assert_type(to_client, AgentSideConnection)
    assert_type(recording_client.updates, list[SessionUpdate])
    assert_type(recording_client.states, dict[str, SessionState])
    assert_type(recording_client.state, SessionState)
    assert_type(recording_client.text, str)
    print([question.options for question in recording_client.asked])
