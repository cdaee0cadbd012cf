"""Sessions as objects on a connection that is opened again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import generated as acp
from tests.runtime.reconnect.test_connection import SAID, Forgetful, Loading, Resuming, World, texts


class Listing(Loading):
    """Closes and lists its sessions, and asks before it answers `ask`."""

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        if params.prompt == [acp.TextContent(text="ask")]:
            await self.session.ask(acp.ToolCallUpdate(tool_call_id="c1", title="Write"))
        return await super().prompt(params)

    def close_session(self, params: acp.CloseSessionRequest) -> None:
        del self.store.sessions[params.session_id]

    def list_sessions(self, params: acp.ListSessionsRequest) -> acp.ListSessionsResponse:
        return acp.ListSessionsResponse(
            sessions=[acp.SessionInfo(session_id=it, cwd="/") for it in self.store.sessions]
        )


class Permits(acp.Client):
    def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        return acp.RequestPermissionResponse(outcome=acp.SelectedPermissionOutcome(option_id="allow_once"))


@pytest.mark.parametrize("kind", [Resuming, Loading])
async def test_one_outlives_the_agent(kind: Any) -> None:
    world = World(kind)
    async with world.agent() as agent:
        await agent.initialize()
        session = await agent.session(cwd="/")
        await session.prompt("a question")
        for count in (2, 3):
            await world.die(agent)
            assert (await session.prompt("a question")).stop_reason == "end_turn"
            assert texts(session.state) == ["a question", "an answer"] * count
        assert session.ending is None
        assert session.state is agent.states[session.id]
    assert session.ending is not None


async def test_the_block_closes_it() -> None:
    world = World(Listing)
    async with world.agent() as agent:
        await agent.initialize()
        async with agent.session(cwd="/") as session:
            await world.die(agent)
            assert [update async for update in session.prompt("a question")] == [SAID]
            assert [info.session_id async for info in agent.sessions()] == [session.id]
        assert session.ending is not None
        assert session.ending.cause == "closed"
        assert world.store.sessions == {}


async def test_a_known_one_is_opened_with_its_updates_once() -> None:
    world = World(Loading)
    world.store.sessions["old"] = [SAID]
    async with world.agent() as agent:
        await agent.initialize()
        session = await agent.open("old", cwd="/")
        assert texts(session.state) == ["an answer"]
        await world.die(agent)
        await session.prompt("a question")
        assert texts(session.state) == ["an answer", "a question", "an answer"]


async def test_a_subscription_goes_on_and_hears_no_replay() -> None:
    world = World(Loading)
    async with world.agent() as agent:
        await agent.initialize()
        session = await agent.session(cwd="/")
        updates = session.updates(turns=True)
        await session.prompt("a question")
        await world.die(agent)
        await session.prompt("a question")
        await agent.close()
        assert [await anext(updates) for _ in range(2)] == [SAID, SAID]
        with pytest.raises(acp.ConnectionClosed):
            await anext(updates)


async def test_a_turn_under_way_is_lost_with_the_agent() -> None:
    world = World(Loading)
    async with world.agent() as agent:
        await agent.initialize()
        session = await agent.session(cwd="/")
        turn = session.prompt("wait")
        assert await anext(aiter(turn)) == SAID
        waiting = asyncio.ensure_future(turn)
        await world.die(agent)
        with pytest.raises(acp.errors.CallLost):
            await waiting
        assert (await session.prompt("a question")).stop_reason == "end_turn"


async def test_one_that_cannot_be_opened_again_has_ended() -> None:
    world = World(Forgetful)
    async with world.agent() as agent:
        await agent.initialize()
        session = await agent.session(cwd="/")
        updates = session.updates()
        await world.die(agent)
        with pytest.raises(acp.ConnectionClosed):
            await anext(updates)
        assert session.ending is not None
        assert session.ending.cause == "lost"
        with pytest.raises(acp.errors.SessionLost):
            await session.prompt("a question")


async def test_all_end_when_there_is_no_agent_any_more() -> None:
    world = World(Resuming)
    async with world.agent(attempts=1) as agent:
        await agent.initialize()
        session = await agent.session(cwd="/")
        world.refused = 5
        await world.die(agent)
        with pytest.raises(acp.ConnectionClosed):
            await anext(session.updates())
        assert session.ending is not None


async def test_what_the_agent_asks_about_it_is_in_its_state() -> None:
    world = World(Listing, Permits())
    async with world.agent() as agent:
        await agent.initialize()
        session = await agent.session(cwd="/")
        await world.die(agent)
        await session.prompt("ask")
        assert session.state.tool_calls["c1"].title == "Write"
