"""The termination of sessions (extension sandboxagent), statement by statement."""

from __future__ import annotations

import asyncio

import pytest

from .wire import UNKNOWN, Guest, Json, agent, house, kinds, said, silent, started

ENDED = "_sandboxagent/session/ended"
TERMINATE = "_sandboxagent/session/terminate"


def news(frames: list[Json]) -> list[Json]:
    return [frame["params"] for frame in frames if frame.get("method") == ENDED]


def is_ended(frame: Json) -> bool:
    return frame.get("method") == ENDED


async def test_the_agent_advertises_terminate_under_the_vendors_key() -> None:
    async with agent() as wire:
        assert (await wire.initialize())["agentCapabilities"]["_meta"] == {"sandboxagent": {"terminate": True}}


async def test_a_permission_is_asked_for_after_the_tool_call_it_is_about_was_shown() -> None:
    async with house() as home, home.connected() as wire:
        await wire.prompt(await wire.new(), "hello")
        order = [
            kinds([frame["params"]["update"]])[0] if "id" not in frame else frame["method"]
            for frame in wire.frames
            if "method" in frame
        ]
        assert order.index("session/request_permission") == order.index("tool_call") + 1


async def test_terminate_is_idempotent() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        first = await wire.call(TERMINATE, sessionId=session)
        again = await asyncio.gather(*(wire.call(TERMINATE, sessionId=session) for _ in range(3)))
        assert again == [first] * 3
        assert len(news(wire.frames)) == 1, "no side effects"


async def test_terminating_a_session_that_was_closed_succeeds_and_says_so() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        answer = await wire.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": "completed", "terminatedBy": "agent"}
        assert news(wire.frames) == []


@pytest.mark.parametrize("terminated", [True, False], ids=["terminated before", "open"])
async def test_terminating_a_session_that_was_deleted_succeeds_it_has_ended(terminated: bool) -> None:
    async with house() as home, home.connected() as wire, home.connected(kind=Guest) as guest:
        session = await wire.new()
        if terminated:
            await wire.call(TERMINATE, sessionId=session)
        await wire.call("session/delete", sessionId=session)
        told = len(news(wire.frames))
        reason, by = ("terminated", "daemon") if terminated else ("completed", "agent")
        answer = await wire.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": reason, "terminatedBy": by}
        assert len(news(wire.frames)) == told, "no side effects"
        assert (await guest.refused(TERMINATE, sessionId=session)).code == -32002


async def test_terminating_an_unknown_session_is_an_error() -> None:
    async with agent() as wire:
        assert (await wire.refused(TERMINATE, sessionId=UNKNOWN)).code == -32002


async def test_every_client_that_watches_the_session_is_told() -> None:
    async with house() as home, home.connected() as owner, home.connected() as watcher:
        session = await owner.new()
        await watcher.resume(session)
        await watcher.call(TERMINATE, sessionId=session)
        assert news(watcher.frames) == news(owner.frames) != []


async def test_a_client_that_does_not_watch_the_session_is_not_told() -> None:
    async with house() as home, home.connected() as owner, home.connected() as stranger:
        await owner.call(TERMINATE, sessionId=await owner.new())
        await stranger.call("session/list")
        assert news(stranger.frames) == []


async def test_a_client_of_another_identity_is_not_told() -> None:
    async with house() as home, home.connected() as owner, home.connected(kind=Guest) as guest:
        session = await owner.new()
        assert (await guest.refused(TERMINATE, sessionId=session)).code == -32002
        await owner.call(TERMINATE, sessionId=session)
        await guest.call("session/list")
        assert news(guest.frames) == []


async def test_the_turn_that_runs_is_cancelled_and_answered_before_the_news() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.call(TERMINATE, sessionId=session)
        assert turn.result()["result"] == {"stopReason": "cancelled"}
        assert wire.frames.index(turn.result()) < wire.frames.index(await wire.until(is_ended))


async def test_terminate_ends_the_session_that_waits_for_the_user() -> None:
    async with agent(silent) as wire:
        session = await wire.new()
        turn = wire.prompting(session, "hello")
        await wire.until(lambda frame: frame.get("method") == "session/request_permission")
        await wire.call(TERMINATE, sessionId=session)
        assert turn.result()["result"] == {"stopReason": "cancelled"}
        assert news(wire.frames) == [{"sessionId": session, "reason": "terminated", "terminatedBy": "daemon"}]
        assert (await wire.prompting(session, "hello"))["error"]["code"] == -32002


async def test_what_was_said_in_a_terminated_session_can_be_loaded() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session, "/echo hello")
        await wire.call(TERMINATE, sessionId=session)
        assert said(await wire.history(session)) == "hello"


async def test_clients_of_one_session_are_asked_for_what_each_can_do() -> None:
    async with house() as home, home.connected(terminal=True) as able, home.connected() as unable:
        session = await able.new()
        await unable.resume(session)
        for wire in (able, unable):
            assert await wire.prompt(session, "hello") == "end_turn"
        asked = [[f["method"] for f in wire.frames if "method" in f and "id" in f] for wire in (able, unable)]
        assert ("terminal/create" in asked[0], "terminal/create" in asked[1]) == (True, False)


async def test_a_detached_client_hears_no_more_and_the_session_goes_on() -> None:
    async with house() as home, home.connected() as owner, home.connected() as watcher:
        session = await owner.new()
        await watcher.resume(session)
        assert await watcher.call("_sandboxagent/session/detach", sessionId=session) == {}
        before = len(watcher.frames)
        assert await owner.prompt(session, "/echo one") == "end_turn"
        assert (await watcher.prompting(session, "two"))["error"]["code"] == -32002
        assert len(watcher.frames) == before + 1


async def test_a_session_whose_process_was_killed_in_a_turn_ended_with_an_error(store: str) -> None:
    async with started("--store", store) as wire:
        session = await wire.new()
        wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.kill()
    async with started("--store", store) as wire:
        answer = await wire.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": "error", "terminatedBy": "agent"}


async def test_a_session_that_went_on_after_its_process_was_killed_ended_as_its_last_turn_did(store: str) -> None:
    async with started("--store", store) as wire:
        session = await wire.new()
        wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.kill()
    async with started("--store", store) as wire:
        await wire.resume(session)
        assert await wire.prompt(session, "/echo hello") == "end_turn"
        await wire.call("session/close", sessionId=session)
        answer = await wire.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": "completed", "terminatedBy": "agent"}
