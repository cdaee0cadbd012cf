"""RFD session-close, statement by statement; and what `session/close` frees."""

from __future__ import annotations

import asyncio
import contextlib
import os

import pytest

from .wire import CWD, UNKNOWN, agent, house, said, silent


async def test_agents_must_declare_close_in_their_session_capabilities() -> None:
    async with agent() as wire:
        assert (await wire.initialize())["agentCapabilities"]["sessionCapabilities"]["close"] == {}


async def test_close_returns_an_empty_result() -> None:
    async with agent() as wire:
        assert await wire.call("session/close", sessionId=await wire.new()) == {}


async def test_the_agent_must_cancel_any_ongoing_work_as_if_cancel_was_called() -> None:
    async with agent() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.call("session/close", sessionId=session)
        assert turn.done(), "the prompt is answered before the close"
        assert turn.result()["result"] == {"stopReason": "cancelled"}


async def test_a_close_cancels_a_turn_that_waits_for_the_user() -> None:
    async with agent(silent) as wire:
        session = await wire.new()
        turn = wire.prompting(session, "hello")
        await wire.until(lambda frame: frame.get("method") == "session/request_permission")
        await wire.call("session/close", sessionId=session)
        assert turn.result()["result"] == {"stopReason": "cancelled"}


async def test_after_the_close_nothing_more_is_sent_for_the_session() -> None:
    async with agent() as wire:
        session = await wire.new()
        wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.call("session/close", sessionId=session)
        sent = len(wire.frames)
        await wire.call("session/list")
        assert len(wire.frames) == sent + 1


async def test_a_prompt_to_a_closed_session_is_an_error() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        assert (await wire.prompting(session, "hello"))["error"]["code"] == -32002


async def test_a_closed_session_is_still_listed() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        assert await wire.listed() == [session]


@pytest.mark.parametrize("how", ["load", "resume"])
async def test_a_closed_session_can_be_loaded_or_resumed(how: str) -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        await getattr(wire, how)(session)
        assert await wire.prompt(session) == "end_turn"


async def test_a_resumed_session_goes_on_with_its_context() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session)
        await wire.call("session/close", sessionId=session)
        await wire.resume(session)
        before = len(wire.frames)
        await wire.prompt(session, "hello")
        assert "(message 2)" in said(wire.updates(before))


async def test_closing_an_unknown_session_is_an_error() -> None:
    async with agent() as wire:
        refusal = await wire.refused("session/close", sessionId=UNKNOWN)
        assert (refusal.code, refusal.data) == (-32002, {"sessionId": UNKNOWN})


async def test_closing_a_deleted_session_is_an_error() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/delete", sessionId=session)
        assert (await wire.refused("session/close", sessionId=session)).code == -32002


async def test_closing_a_session_that_is_not_open_changes_nothing() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        assert await wire.call("session/close", sessionId=session) == {}


async def test_what_was_said_until_the_close_is_kept() -> None:
    async with agent() as wire:
        session = await wire.new()
        wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.call("session/close", sessionId=session)
        assert said(await wire.history(session)).startswith("0 ")


async def test_the_other_sessions_go_on() -> None:
    async with agent() as wire:
        one, other = await wire.new(), await wire.new()
        turn = wire.prompting(other, "/wait 1")
        await wire.until_update("agent_message_chunk")
        await wire.call("session/close", sessionId=one)
        assert (await turn)["result"] == {"stopReason": "end_turn"}


def _handles() -> int:
    """Files and pipes that are open; not sockets, for a pool opens and closes its connections to the database when it likes."""
    links = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # that of the listing itself
            links.append(os.readlink(f"/proc/self/fd/{name}"))
    return sum(not link.startswith("socket:") for link in links)


async def test_the_agent_must_free_the_file_handles_and_tasks_of_the_session() -> None:
    def held() -> tuple[int, int]:
        return len(asyncio.all_tasks()), _handles()

    async with house() as home, home.connected() as wire:
        await wire.call("session/list")
        before = held()
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        assert held() > before
        await wire.call("session/close", sessionId=session)
        await turn
        for _ in range(3000):  # what the process holds rings no bell
            if all(
                now <= then for now, then in zip(held(), before, strict=True)
            ):  # a pool's connections may open at first
                break
            await asyncio.sleep(0.01)
        assert all(now <= then for now, then in zip(held(), before, strict=True)), (held(), before)
        assert (home.host.sessions, home.host.turns) == ({}, {})


async def test_a_hundred_sessions_opened_and_closed_leave_nothing_behind() -> None:
    async with house() as home, home.connected() as wire:
        await wire.call("session/list")
        before = len(asyncio.all_tasks())
        for _ in range(100):
            await wire.call("session/close", sessionId=await wire.new())
        assert (len(asyncio.all_tasks()), len(home.host.sessions), len(home.host._gates)) == (before, 0, 0)


async def test_closing_is_news_to_the_other_clients_that_watch_the_session() -> None:
    async with house() as home, home.connected() as one, home.connected() as other:
        session = await one.new()
        await other.resume(session)
        await one.call("session/close", sessionId=session)
        ended = await other.until(lambda frame: frame.get("method") == "_sandboxagent/session/ended")
        assert ended["params"] == {"sessionId": session, "reason": "terminated", "terminatedBy": "daemon"}


async def test_a_client_that_leaves_closes_its_sessions() -> None:
    async with house() as home:
        async with home.connected() as wire:
            session = await wire.new(CWD)
            wire.prompting(session, "/wait")
            await wire.until_update("agent_message_chunk")
        assert (home.host.sessions, home.host.turns) == ({}, {})
