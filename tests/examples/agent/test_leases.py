"""Agents that share a store: which of them has a session open, and what the others may do to it."""

from __future__ import annotations

import asyncio
import signal

import pytest

from examples.session_agent.__main__ import clean_up
from generated._runtime.stores import registry
from generated._runtime.stores.listing import clock, days

from .test_termination import ENDED, TERMINATE, is_ended, news
from .wire import CWD, Guest, SetClock, Wire, house, started


async def in_a_turn(wire: Wire) -> tuple[str, asyncio.Future[dict[str, object]]]:
    session = await wire.new()
    turn = wire.prompting(session, "/wait")
    await wire.until_update("agent_message_chunk")
    return session, turn


async def test_a_session_that_another_agent_runs_can_be_terminated(store: str) -> None:
    async with (
        house(store) as one,
        house(store) as two,
        one.connected() as owner,
        two.connected() as other,
    ):
        session, turn = await in_a_turn(owner)
        answer = await other.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": "terminated", "terminatedBy": "daemon"}
        assert one.host.sessions == {}
        assert (await turn)["result"] == {"stopReason": "cancelled"}
        (ended,) = news(owner.frames)
        assert ended["reason"] == "terminated"
        assert news(other.frames) == []
        assert await other.call(TERMINATE, sessionId=session) == answer


async def test_a_session_that_another_agent_runs_can_be_closed(store: str) -> None:
    async with house(store) as one, house(store) as two, one.connected() as owner, two.connected() as other:
        session, turn = await in_a_turn(owner)
        assert await other.call("session/close", sessionId=session) == {}
        assert turn.result()["result"] == {"stopReason": "cancelled"}
        assert one.host.sessions == {}
        ended = (await owner.until(is_ended))["params"]
        assert ended == {"sessionId": session, "reason": "terminated", "terminatedBy": "daemon"}
        await other.resume(session)
        assert await other.prompt(session) == "end_turn"


@pytest.mark.parametrize("method", ["session/close", TERMINATE])
async def test_a_session_that_both_have_open_ends_in_both(store: str, method: str) -> None:
    async with house(store) as one, house(store) as two, one.connected() as owner, two.connected() as other:
        session, turn = await in_a_turn(owner)
        await other.resume(session)
        await other.call(method, sessionId=session)
        assert (one.host.sessions, two.host.sessions) == ({}, {})
        await turn


async def test_a_session_that_another_agent_deletes_ends_without_a_turn_too(store: str) -> None:
    async with (
        house(store) as one,
        house(store) as two,
        one.connected() as owner,
        two.connected() as other,
    ):
        session = await owner.new()
        await other.call("session/delete", sessionId=session)
        await owner.until(is_ended)
        assert one.host.sessions == {}


@pytest.mark.parametrize("method", ["session/close", TERMINATE])
async def test_what_an_agent_that_does_not_answer_runs_is_refused(
    store: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started("--store", store) as owner, house(store) as two, two.connected() as other:
        session = await owner.new()
        owner.process.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(registry, "PATIENCE", 0.05)
        refusal = await other.refused(method, sessionId=session)
        assert (refusal.code, refusal.data["sessionId"]) == (-32600, session)
        assert "another process keeps the session open" in refusal.data["reason"]


async def test_a_session_of_another_identity_is_not_touched(store: str) -> None:
    async with house(store) as one, house(store) as two, one.connected() as owner, two.connected(kind=Guest) as guest:
        session, turn = await in_a_turn(owner)
        for method in ("session/close", TERMINATE):
            assert (await guest.refused(method, sessionId=session)).code == -32002
        await guest.call("session/delete", sessionId=session)
        assert not turn.done()
        assert next(iter(one.host.sessions))[1] == session
        owner.notify("session/cancel", sessionId=session)


async def test_cleaning_up_spares_what_another_agent_has_open(store: str) -> None:
    clock = SetClock()
    async with house(store, clock=clock) as one, house(store, clock=clock) as two, one.connected() as owner:
        session, closed = await owner.new(), await owner.new()
        await owner.call("session/close", sessionId=closed)
        clock.now += days(100)
        assert await clean_up(two.store, 7, 30, clock.now) == (1, 0)
        assert await owner.listed() == [session]
        await owner.call("session/close", sessionId=session)
        assert await clean_up(two.store, 7, 30, clock.now) == (1, 0)


async def test_a_lease_ends_with_the_process_of_its_owner_however_that_ends(store: str) -> None:
    async with started("--store", store) as owner, house(store) as two, two.connected() as other:
        sessions = [await owner.new() for _ in range(3)]
        await owner.kill()
        assert await other.call("session/close", sessionId=sessions[0]) == {}
        answer = await other.call(TERMINATE, sessionId=sessions[1])
        assert answer == {"terminated": True, "reason": "completed", "terminatedBy": "agent"}
        assert await clean_up(two.store, 7, 3000, clock() + days(1000)) == (3, 0)


async def test_keep_days_of_one_agent_spares_what_another_one_has_open(store: str) -> None:
    async with started("--store", store) as owner:
        session = await owner.new()
        async with started("--store", store, "--keep-days", "0") as other:
            assert await other.listed() == [session]
        assert await owner.prompt(session) == "end_turn"


async def test_two_agents_as_they_would_be_started(store: str) -> None:
    async with started("--store", store) as owner, started("--store", store) as other:
        session, turn = await in_a_turn(owner)
        await other.call(TERMINATE, sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}
        assert [frame["params"]["reason"] for frame in owner.frames if frame.get("method") == ENDED] == ["terminated"]


async def test_nothing_is_left_of_a_lease_when_its_session_is_not_open_any_more(store: str) -> None:
    async def leases() -> list[tuple[str]]:
        lanes = home.store.lanes  # type: ignore[attr-defined]
        return [*await lanes.run(None, lambda: lanes.engine.execute("SELECT session_key FROM leases").fetchall())]

    async with house(store) as home:
        async with home.connected() as wire:
            closed, deleted, terminated, kept = [await wire.new() for _ in range(4)]
            assert len(await leases()) == 4
            await wire.call("session/close", sessionId=closed)
            await wire.call("session/delete", sessionId=deleted)
            await wire.call(TERMINATE, sessionId=terminated)
            assert await leases() == [(kept,)]
        # The agent notices that its client has left, and then gives the lease back.
        async with asyncio.timeout(60):
            while await leases():  # noqa: ASYNC110  # no event tells of a row that goes
                await asyncio.sleep(0.01)


async def test_what_one_agent_sets_holds_for_the_turns_of_the_other(store: str) -> None:
    async with house(store) as one, house(store) as two, one.connected() as owner, two.connected() as other:
        session = await owner.new()
        await other.resume(session)
        await other.call("session/set_mode", sessionId=session, modeId="plan")
        await owner.prompt(session, "hello")
        assert "session/request_permission" not in [frame.get("method") for frame in owner.frames]
        assert (await other.load(session, CWD))["modes"]["currentModeId"] == "plan", "not undone by the other's"
