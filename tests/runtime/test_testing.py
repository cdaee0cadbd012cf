"""The testing kit: both ends in memory, scripted peers, a client that records, any message of any type."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import generated as acp
from generated.methods import METHODS
from generated.testing import RecordingClient, connected, messages, scripted_agent, scripted_client

pytest_plugins = ["generated.pytest_plugin"]


class Saying(acp.Agent):
    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="s")

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        for block in params.prompt:
            await self.client.session_update(session_id=params.session_id, update=acp.AgentMessageChunk(content=block))
        return acp.PromptResponse(stop_reason="end_turn")


HI: dict[str, Any] = {"session_id": "s", "prompt": [acp.TextContent(text="Hi")]}


# --- both ends ----------------------------------------------------------------------------------------------------------


async def test_an_agent_and_a_client_talk_in_memory() -> None:
    client = RecordingClient()
    async with connected(Saying(), client) as (agent_side, client_side):
        assert (await client_side.prompt(**HI)).stop_reason == "end_turn"
        assert agent_side.protocol_version == client_side.protocol_version == 1
    assert client.text == "Hi"
    assert client.updates == [acp.AgentMessageChunk(content=acp.TextContent(text="Hi"))]
    assert client.states["s"].messages[0].text == "Hi"


async def test_a_class_serves_as_well_as_an_object() -> None:
    async with connected(Saying, RecordingClient) as (_, client_side):
        await client_side.prompt(**HI)


async def test_what_a_peer_must_refuse_is_not_sent_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CODEGEN_CHECK_MESSAGES", "0")
    async with connected(Saying()) as (_, client_side):
        with pytest.raises(acp.errors.InvalidMessage):
            await client_side.prompt(session_id="s", prompt=[acp.TextContent(text=5)])  # type: ignore[arg-type]


async def test_a_megabyte_goes_through_and_closing_one_end_ends_the_other() -> None:
    client = RecordingClient()
    async with connected(Saying(), client) as (agent_side, client_side):
        await client_side.prompt(session_id="s", prompt=[acp.TextContent(text="x" * 1_000_000)])
        await agent_side.close()
        with pytest.raises(acp.ConnectionClosed):
            await client_side.prompt(**HI)
    assert len(client.text) == 1_000_000


async def test_the_handshake_can_be_left_to_the_test() -> None:
    async with connected(Saying(), opened=False) as (_, client_side):
        assert client_side.protocol_version is None


def test_a_recorder_that_heard_of_no_session_or_of_two_says_so() -> None:
    client = RecordingClient()
    with pytest.raises(LookupError, match="0 sessions"):
        _ = client.state
    for session in "ab":
        update = acp.CurrentModeUpdate(current_mode_id="ask")
        client.session_update(acp.SessionNotification(session_id=session, update=update))
    with pytest.raises(LookupError, match="2 sessions"):
        _ = client.state
    assert client.states["a"].mode == "ask"


# --- scripted peers -----------------------------------------------------------------------------------------------------


async def test_an_agent_says_what_the_test_tells_it() -> None:
    async with scripted_agent() as (agent, client_side):
        opening = asyncio.ensure_future(client_side.initialize())
        await agent.answer(await agent.expect("initialize", protocolVersion=1), {"protocolVersion": 1})
        await opening
        asking = asyncio.ensure_future(client_side.new_session(cwd="/", mcp_servers=[]))
        request = await agent.expect("session/new", cwd="/")
        await agent.answer(request, acp.NewSessionResponse(session_id="s"))
        assert (await asking).session_id == "s"
        failing = asyncio.ensure_future(client_side.prompt(**HI))
        await agent.fail(await agent.expect("session/prompt"), -32000, "Log in", {"how": "browser"})
        with pytest.raises(acp.RequestError, match="Log in") as caught:
            await failing
        assert caught.value.data == {"how": "browser"}


async def test_a_client_asks_and_gets_results_and_errors() -> None:
    async with scripted_client(Saying()) as (client, _):
        assert (await client.call("initialize", {"protocolVersion": 1}))["protocolVersion"] == 1
        assert (await client.call("session/new", {"cwd": "/", "mcpServers": []})) == {"sessionId": "s"}
        params = acp.PromptRequest(session_id="s", prompt=[acp.TextContent(text="Hi")])
        assert await client.call("session/prompt", params) == {"stopReason": "end_turn"}
        await client.expect("session/update", sessionId="s")
        assert (await client.call("session/nothing"))["code"] == -32601


async def test_another_message_than_the_expected_one_is_shown() -> None:
    async with scripted_agent() as (agent, client_side):
        opening = asyncio.ensure_future(client_side.initialize())
        with pytest.raises(
            AssertionError, match=r'expected session/new, got \{"jsonrpc":"2\.0","id":1,"method":"initialize"'
        ):
            await agent.expect("session/new")
        agent.die()
        with pytest.raises(acp.ConnectionClosed):
            await opening


async def test_another_param_than_the_expected_one_is_shown() -> None:
    async with scripted_agent() as (agent, client_side):
        opening = asyncio.ensure_future(client_side.initialize())
        with pytest.raises(AssertionError, match="initialize: expected protocolVersion=2, got 1"):
            await agent.expect("initialize", protocolVersion=2)
        opening.cancel()


async def test_nothing_that_is_waited_for_waits_for_ever() -> None:
    async with scripted_agent(patience=0.01) as (agent, client_side):
        with pytest.raises(TimeoutError):
            await agent.receive()
        await client_side.close()
        with pytest.raises(EOFError):
            await agent.receive()


async def test_a_peer_that_talks_nonsense_harms_nobody() -> None:
    async with scripted_client(Saying()) as (client, agent_side):
        await client.send(b"nonsense")
        assert (await client.receive())["error"]["code"] == -32700
        await client.notify("session/later", {"sessionId": "s"})
        assert (await client.call("initialize", {"protocolVersion": 1}))["protocolVersion"] == 1
        assert agent_side.closed is None


# --- the plugin ---------------------------------------------------------------------------------------------------------


async def test_the_fixtures_are_the_same_things(
    connect: Any, recording_client: RecordingClient, scripted_agent: Any, scripted_client: Any
) -> None:
    async with connect(Saying(), recording_client) as (_, client_side):
        await client_side.prompt(**HI)
    assert recording_client.text == "Hi"
    async with scripted_agent() as (agent, _):
        agent.die()
    async with scripted_client(Saying()) as (client, _):
        client.die()


# --- any message --------------------------------------------------------------------------------------------------------

TYPES = sorted(
    {row.params for row in METHODS.values()} | {row.result for row in METHODS.values() if row.result}, key=str
)


@pytest.mark.parametrize("type_", [*TYPES, acp.ContentBlock, acp.SessionUpdate], ids=str)
def test_every_type_has_values_that_its_receiver_takes(type_: Any) -> None:
    @settings(max_examples=8, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(messages(type_))
    def takes(value: Any) -> None:
        assert acp.decode(type_, acp.encode(value), strict=True) == value

    takes()


@settings(max_examples=25, deadline=None)
@given(messages(acp.PromptRequest))
def test_a_handler_can_be_tried_on_any_params(params: acp.PromptRequest) -> None:
    async def tried() -> None:
        async with connected(Saying(), agent_options={"check_capabilities": False}, check_capabilities=False) as (
            _,
            to,
        ):
            await to.prompt(session_id=params.session_id, prompt=params.prompt)

    asyncio.run(tried())


@given(st.data())
@settings(max_examples=5)
def test_what_is_not_a_type_of_the_package_is_refused(data: st.DataObject) -> None:
    with pytest.raises(TypeError, match="is not a type of this package"):
        data.draw(messages(int))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(messages(acp.NewSessionRequest))
def test_a_made_request_to_open_a_session_may_be_sent(params: acp.NewSessionRequest) -> None:
    paths = [params.cwd, *(params.additional_directories or ())]
    assert all(PurePosixPath(path).is_absolute() for path in paths)
