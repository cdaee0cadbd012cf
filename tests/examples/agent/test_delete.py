"""RFD session-delete, statement by statement."""

from __future__ import annotations

import json

from examples import acp
from examples.session_agent.__main__ import clean_up
from examples.session_agent.agent import ReferenceAgent
from generated._runtime.stores.listing import days

from .wire import CWD, UNKNOWN, SetClock, agent, house, started


async def test_agents_advertise_delete_in_their_session_capabilities() -> None:
    async with agent() as wire:
        assert (await wire.initialize())["agentCapabilities"]["sessionCapabilities"]["delete"] == {}


async def test_agents_must_not_accept_delete_calls_unless_they_advertised_delete() -> None:
    class Without(ReferenceAgent):
        def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
            return acp.InitializeResponse(
                protocol_version=1,
                agent_capabilities=acp.AgentCapabilities(session_capabilities=acp.SessionCapabilities(delete=None)),
            )

    async with agent(kind=Without) as wire:
        session = await wire.new()
        assert (await wire.refused("session/delete", sessionId=session)).code == -32601
        assert await wire.listed() == [session]


async def test_the_session_id_is_required() -> None:
    async with agent() as wire:
        assert (await wire.refused("session/delete")).code == -32602


async def test_on_success_delete_returns_an_empty_result() -> None:
    async with agent() as wire:
        assert await wire.call("session/delete", sessionId=await wire.new()) == {}


async def test_deleted_sessions_no_longer_appear_in_session_list() -> None:
    async with agent() as wire:
        kept, gone = await wire.new(), await wire.new()
        await wire.call("session/delete", sessionId=gone)
        assert await wire.listed() == [kept]
        assert await wire.listed(cwd=CWD) == [kept]


async def test_deleting_an_already_deleted_session_should_succeed_silently() -> None:
    async with agent() as wire:
        session = await wire.new()
        for _ in range(3):
            assert await wire.call("session/delete", sessionId=session) == {}


async def test_deleting_a_session_that_never_existed_should_succeed_silently() -> None:
    async with agent() as wire:
        for unknown in (UNKNOWN, "", "'; DROP TABLE sessions; --", "x" * 100_000):
            assert await wire.call("session/delete", sessionId=unknown) == {}


async def test_agents_may_delete_softly_and_keep_the_data_for_a_while() -> None:
    clock = SetClock()
    async with house(clock=clock) as home, home.connected() as wire:
        session = await wire.new()
        await wire.call("session/delete", sessionId=session)
        deleted = clock.now
        assert await clean_up(home.store, None, 30, deleted + days(29)) == (0, 0)
        assert await clean_up(home.store, None, 30, deleted + days(30.1)) == (0, 1)


async def test_agents_may_delete_for_good(tmp_path) -> None:
    store = str(tmp_path / "store.db")
    async with started("--store", store) as wire:
        session = await wire.new()
        await wire.prompt(session, "/echo confidential")
        await wire.call("session/delete", sessionId=session)
        await wire.leave()
    assert any(b"confidential" in file.read_bytes() for file in tmp_path.iterdir())
    async with started("--store", store, "--retain-days", "0") as wire:
        assert wire.process.stderr is not None
        assert await wire.process.stderr.readline() == b"0 untouched sessions deleted, 1 deleted ones removed\n"
        assert await wire.leave() == 0
    assert not any(b"confidential" in file.read_bytes() for file in tmp_path.iterdir())


async def test_loading_a_deleted_session_is_an_error() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/delete", sessionId=session)
        for method, more in (("session/load", {"mcpServers": []}), ("session/resume", {}), ("session/fork", {})):
            refusal = await wire.refused(method, sessionId=session, cwd=CWD, **more)
            assert (refusal.code, refusal.data) == (-32002, {"sessionId": session})


async def test_an_active_session_may_be_deleted() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/delete", sessionId=session)
        assert (await wire.prompting(session, "hello"))["error"]["code"] == -32002


async def test_deleting_a_session_whose_turn_runs_ends_it_first() -> None:
    async with agent() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.call("session/delete", sessionId=session)
        assert turn.done(), "the prompt is answered before the deletion"
        assert turn.result()["result"] == {"stopReason": "cancelled"}
        assert await wire.listed() == []


async def test_a_turn_that_was_running_does_not_bring_its_session_back() -> None:
    async with agent() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        deleted = wire.start("session/delete", {"sessionId": session})
        await turn
        await deleted
        assert await wire.listed() == []
        assert (await wire.refused("session/load", sessionId=session, cwd=CWD, mcpServers=[])).code == -32002


async def test_the_forks_of_a_deleted_session_stay() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session, "/echo kept")
        fork = await wire.fork(session)
        await wire.call("session/delete", sessionId=session)
        assert await wire.listed() == [fork]
        assert "kept" in json.dumps(await wire.history(fork))


async def test_no_confirmation_is_asked_for() -> None:
    async with agent() as wire:
        session = await wire.new()
        before = len(wire.frames)
        await wire.call("session/delete", sessionId=session)
        assert len(wire.frames) == before + 1
