"""RFD session-fork, statement by statement."""

from __future__ import annotations

import pytest

from .wire import CWD, UNKNOWN, agent, kinds, said, silent


async def test_agents_must_declare_fork_in_their_capabilities() -> None:
    async with agent() as wire:
        assert (await wire.initialize())["agentCapabilities"]["sessionCapabilities"]["fork"] == {}


async def test_a_fork_is_a_new_session() -> None:
    async with agent() as wire:
        session = await wire.new()
        fork = await wire.fork(session)
        assert fork != session
        assert set(await wire.listed()) == {session, fork}


async def test_a_fork_has_the_history_of_the_original_up_to_now() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session, "hello there")
        assert await wire.history(await wire.fork(session)) == await wire.history(session)


async def test_the_conversation_of_the_fork_does_not_pollute_the_history_of_the_original() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session, "/echo before")
        (entry,) = await wire.entries()
        history = await wire.history(session)
        fork = await wire.fork(session)
        await wire.prompt(fork, "/echo summarise this")
        await wire.call("session/set_mode", sessionId=fork, modeId="auto")
        await wire.call("session/delete", sessionId=fork)
        assert await wire.history(session) == history
        assert await wire.entries() == [entry]
        assert (await wire.resume(session))["modes"]["currentModeId"] == "ask"


async def test_what_happens_in_the_original_does_not_reach_the_fork() -> None:
    async with agent() as wire:
        session = await wire.new()
        fork = await wire.fork(session)
        await wire.prompt(session, "/echo later")
        assert await wire.history(fork) == []


async def test_the_fork_continues_the_conversation() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session)
        fork = await wire.fork(session)
        before = len(wire.frames)
        await wire.prompt(fork, "hello")
        assert "(message 2)" in said(wire.updates(before))


async def test_the_answer_has_the_same_data_as_that_of_load() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/set_mode", sessionId=session, modeId="plan")
        answer = await wire.call("session/fork", sessionId=session, cwd=CWD)
        assert {**answer, "sessionId": None} == {"sessionId": None, **await wire.load(session)}
        assert answer["modes"]["currentModeId"] == "plan"


async def test_nothing_is_replayed_to_the_client_that_forks() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session)
        before = len(wire.frames)
        await wire.fork(session)
        assert kinds(wire.updates(before)) == ["available_commands_update", "session_info_update"]


async def test_the_title_of_a_fork_is_told_before_the_answer() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session, "/echo Tidy up")
        before = len(wire.frames)
        fork = await wire.fork(session)
        told = wire.updates(before)[-1]
        (entry, _) = await wire.entries()
        assert told == {
            "sessionUpdate": "session_info_update",
            "title": entry["title"],
            "updatedAt": entry["updatedAt"],
        }
        assert told["title"] == "/echo Tidy up"
        await wire.prompt(fork, "/echo more")
        assert (await wire.entries())[0]["title"] == told["title"]


async def test_the_client_can_prompt_the_fork_and_close_it() -> None:
    async with agent() as wire:
        fork = await wire.fork(await wire.new())
        assert await wire.prompt(fork) == "end_turn"
        assert await wire.call("session/close", sessionId=fork) == {}


async def test_forking_while_a_turn_runs_takes_what_was_said_until_then() -> None:
    async with agent() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait 1")
        await wire.until_update("agent_message_chunk")
        fork = await wire.fork(session)
        history = await wire.history(fork)
        assert (said(history, "user_message_chunk"), said(history)) == ("/wait 1", "0 ")
        assert await wire.prompt(fork) == "end_turn"
        assert (await turn)["result"] == {"stopReason": "end_turn"}


async def test_a_tool_call_that_was_open_in_the_original_has_failed_in_the_fork() -> None:
    async with agent(silent) as wire:
        session = await wire.new()
        wire.prompting(session, "hello")
        await wire.until(lambda frame: frame.get("method") == "session/request_permission")
        history = await wire.history(await wire.fork(session))
        assert history[-1] == {"sessionUpdate": "tool_call_update", "toolCallId": "edit_1", "status": "failed"}
        wire.notify("session/cancel", sessionId=session)


async def test_forks_can_be_forked() -> None:
    async with agent() as wire:
        session = await wire.new()
        for number in range(4):
            await wire.prompt(session, f"/echo turn{number} ")
            session = await wire.fork(session)
        assert said(await wire.history(session)) == "".join(f"turn{number} " for number in range(4))


async def test_the_fork_of_a_session_without_prompts_is_titled_by_its_first() -> None:
    async with agent() as wire:
        fork = await wire.fork(await wire.new())
        await wire.prompt(fork, "/echo Tidy up")
        assert (await wire.entries())[0]["title"] == "/echo Tidy up"


@pytest.mark.parametrize("cwd", ["src", "", ".", "~", "/tmp\0"])
async def test_a_different_directory_is_checked(cwd: str) -> None:
    async with agent() as wire:
        session = await wire.new()
        assert (await wire.refused("session/fork", sessionId=session, cwd=cwd)).code == -32602
        assert await wire.listed() == [session]


async def test_a_fork_can_work_in_another_directory(tmp_path) -> None:
    async with agent() as wire:
        session = await wire.new()
        fork = await wire.fork(session, str(tmp_path))
        assert await wire.listed(cwd=str(tmp_path)) == [fork]
        assert await wire.listed(cwd=CWD) == [session]


async def test_the_directory_of_the_original_is_good_even_if_it_does_not_exist_here() -> None:
    async with agent() as wire:
        session = await wire.new("/nowhere/at/all")
        assert await wire.fork(session, "/nowhere/at/all") != session


async def test_forking_an_unknown_session_is_an_error() -> None:
    async with agent() as wire:
        refusal = await wire.refused("session/fork", sessionId=UNKNOWN, cwd=CWD)
        assert (refusal.code, refusal.data) == (-32002, {"sessionId": UNKNOWN})


async def test_a_session_that_is_not_open_can_be_forked() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session)
        await wire.call("session/close", sessionId=session)
        assert len(await wire.history(await wire.fork(session))) == 2
