"""The termination of sessions (extension sandboxagent), and sessions as subprocesses, which it is made for."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal

import pytest

from examples import acp
from examples.session_agent.brain import Brain
from examples.session_agent.errors import Died
from examples.session_agent.isolate import HEAD, LINE, TAIL, Isolated, StderrDigest

from .wire import CWD, UNKNOWN, House, Json, agent, house, kinds, said, silent

ENDED = "_sandboxagent/session/ended"
TERMINATE = "_sandboxagent/session/terminate"


def with_processes(grace: float = 3.0) -> contextlib.AbstractAsyncContextManager[House]:
    async def start(session_id: str, cwd: str) -> Brain:
        return await Isolated.start(session_id, cwd, grace)

    return house(brain_for=start)


def process_of(home: House, session: str) -> int:
    (brain,) = [open_.brain for (_, id_), open_ in home.host.sessions.items() if id_ == session]
    assert isinstance(brain, Isolated)
    return brain._process.pid


def news(frames: list[Json]) -> list[Json]:
    return [frame["params"] for frame in frames if frame.get("method") == ENDED]


def is_ended(frame: Json) -> bool:
    return frame.get("method") == ENDED


async def test_the_agent_advertises_terminate_under_the_vendors_key() -> None:
    async with agent() as wire:
        assert (await wire.initialize())["agentCapabilities"]["_meta"] == {"sandboxagent": {"terminate": True}}


async def test_a_session_runs_in_a_process_of_its_own() -> None:
    async with with_processes() as home, home.connected() as wire:
        processes = {process_of(home, await wire.new()) for _ in range(2)}
        assert len(processes - {os.getpid()}) == 2


async def test_a_session_in_a_process_answers_as_one_without() -> None:
    async def shown(home: House) -> list[Json]:
        async with home.connected(terminal=True) as wire:
            session = await wire.new()
            assert await wire.prompt(session, "hello there") == "end_turn"
            updates = wire.updates()
            for update in updates:
                update.pop("updatedAt", None)
            assert await wire.history(session) == [
                {"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "hello there"}},
                *(u for u in updates if u["sessionUpdate"] not in ("available_commands_update", "session_info_update")),
            ]
            asked = [frame["method"] for frame in wire.frames if "method" in frame and "id" in frame]
            return [{"asked": asked}, *updates]

    async with with_processes() as apart, house() as within:
        assert await shown(apart) == await shown(within)


async def test_a_permission_is_asked_for_after_the_tool_call_it_is_about_was_shown() -> None:
    async with with_processes() as home, home.connected() as wire:
        await wire.prompt(await wire.new(), "hello")
        order = [
            kinds([frame["params"]["update"]])[0] if "id" not in frame else frame["method"]
            for frame in wire.frames
            if "method" in frame
        ]
        assert order.index("session/request_permission") == order.index("tool_call") + 1


async def test_cancel_reaches_the_process() -> None:
    async with with_processes() as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        wire.notify("session/cancel", sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}
        assert await wire.prompt(session) == "end_turn"


async def test_terminate_sends_sigterm_to_the_process_and_tells_how_it_went() -> None:
    async with with_processes() as home, home.connected() as wire:
        session = await wire.new()
        answer = await wire.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": "terminated", "terminatedBy": "daemon"}
        (ended,) = news(wire.frames)
        stderr = ended.pop("stderr")
        assert ended == {
            "sessionId": session,
            "reason": "terminated",
            "terminatedBy": "daemon",
            "exitCode": 128 + signal.SIGTERM,
        }
        assert stderr == {"truncated": False, "head": f"{session}: in {CWD}", "totalLines": 1}


async def test_terminate_sends_sigkill_after_the_grace_period() -> None:
    async with with_processes(grace=0.1) as home, home.connected() as wire:
        before = signal.signal(signal.SIGTERM, signal.SIG_IGN)  # which processes that are started inherit
        try:
            session = await wire.new()
        finally:
            signal.signal(signal.SIGTERM, before)
        await wire.call(TERMINATE, sessionId=session)
        assert news(wire.frames)[0]["exitCode"] == -signal.SIGKILL


async def test_terminate_is_idempotent() -> None:
    async with with_processes() as home, home.connected() as wire:
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
    async with house() as home, home.connected() as wire, home.connected() as guest:
        session = await wire.new()
        if terminated:
            await wire.call(TERMINATE, sessionId=session)
        await wire.call("session/delete", sessionId=session)
        told = len(news(wire.frames))
        reason, by = ("terminated", "daemon") if terminated else ("completed", "agent")
        answer = await wire.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": reason, "terminatedBy": by}
        assert len(news(wire.frames)) == told, "no side effects"
        await guest.call("authenticate", methodId="guest")
        assert (await guest.refused(TERMINATE, sessionId=session)).code == -32002


async def test_terminating_a_session_of_which_nothing_is_kept_is_an_error() -> None:
    async with agent(keep_deleted=False) as wire:
        session = await wire.new()
        await wire.call("session/delete", sessionId=session)
        assert (await wire.refused(TERMINATE, sessionId=session)).code == -32002


async def test_terminating_an_unknown_session_is_an_error() -> None:
    async with agent() as wire:
        assert (await wire.refused(TERMINATE, sessionId=UNKNOWN)).code == -32002


async def test_every_client_that_watches_the_session_is_told() -> None:
    async with with_processes() as home, home.connected() as owner, home.connected() as watcher:
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
    async with house() as home, home.connected() as owner, home.connected() as guest:
        await guest.call("authenticate", methodId="guest")
        session = await owner.new()
        assert (await guest.refused(TERMINATE, sessionId=session)).code == -32002
        await owner.call(TERMINATE, sessionId=session)
        await guest.call("session/list")
        assert news(guest.frames) == []


async def test_the_turn_that_runs_is_cancelled_and_answered_after_the_news() -> None:
    async with with_processes() as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.call(TERMINATE, sessionId=session)
        assert turn.result()["result"] == {"stopReason": "cancelled"}
        assert wire.frames.index(await wire.until(is_ended)) < wire.frames.index(turn.result())


async def test_without_processes_terminate_ends_the_session_all_the_same() -> None:
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


async def test_a_process_that_dies_by_itself_is_news_with_exit_code_and_stderr() -> None:
    async with with_processes() as home, home.connected() as wire:
        session = await wire.new()
        os.kill(process_of(home, session), signal.SIGKILL)
        ended = (await wire.until(is_ended))["params"]
        assert (ended["reason"], ended["terminatedBy"], ended["exitCode"]) == ("error", "agent", -9)
        assert ended["message"] == "the session's process was ended by SIGKILL"
        assert ended["stderr"]["totalLines"] == 1
        assert (await wire.prompting(session, "hello"))["error"]["code"] == -32002
        await wire.resume(session)
        assert await wire.prompt(session) == "end_turn"


async def test_a_process_that_dies_in_a_turn_fails_the_prompt_after_the_news() -> None:
    async with with_processes() as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        os.kill(process_of(home, session), signal.SIGKILL)
        assert (await turn)["error"]["code"] == -32603
        assert wire.frames.index(await wire.until(is_ended)) < wire.frames.index(turn.result())


async def test_a_session_whose_process_does_not_start_is_not_listed() -> None:
    async def failing(session_id: str, cwd: str) -> Brain:
        raise Died("the session's process did not start")

    async with agent(brain_for=failing) as wire:
        refusal = await wire.refused("session/new", cwd=CWD, mcpServers=[])
        assert (refusal.code, refusal.data["reason"]) == (-32603, "the session's process did not start")
        assert await wire.listed() == []


async def test_clients_of_one_session_are_asked_for_what_each_can_do() -> None:
    async with with_processes() as home, home.connected(terminal=True) as able, home.connected() as unable:
        session = await able.new()
        await unable.resume(session)
        for wire in (able, unable):
            assert await wire.prompt(session, "hello") == "end_turn"
        asked = [[f["method"] for f in wire.frames if "method" in f and "id" in f] for wire in (able, unable)]
        assert ("terminal/create" in asked[0], "terminal/create" in asked[1]) == (True, False)


async def test_a_process_that_does_not_heed_a_cancel_is_killed() -> None:
    async with with_processes(grace=0.1) as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        os.kill(process_of(home, session), signal.SIGSTOP)
        wire.notify("session/cancel", sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}


async def test_of_a_process_that_was_killed_because_it_was_deaf_the_daemon_is_told_as_the_one_who_ended_it() -> None:
    async with with_processes(grace=0.1) as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        os.kill(process_of(home, session), signal.SIGSTOP)
        wire.notify("session/cancel", sessionId=session)
        await turn
        ended = (await wire.until(is_ended))["params"]
        assert (ended["reason"], ended["terminatedBy"], ended["exitCode"]) == ("error", "daemon", -signal.SIGKILL)
        assert ended["message"] == "it did not heed a cancel: the session's process was ended by SIGKILL"
        answer = await wire.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": "error", "terminatedBy": "daemon"}


async def test_of_a_process_that_does_not_heed_a_close_the_daemon_is_told_as_the_one_who_ended_it() -> None:
    async with with_processes(grace=0.1) as home, home.connected() as one, home.connected() as other:
        session = await one.new()
        await other.resume(session)
        os.kill(process_of(home, session), signal.SIGSTOP)
        await one.call("session/close", sessionId=session)
        ended = (await other.until(is_ended))["params"]
        assert (ended["reason"], ended["terminatedBy"], ended["exitCode"]) == ("terminated", "daemon", -signal.SIGKILL)
        answer = await one.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": "terminated", "terminatedBy": "daemon"}


async def test_a_process_that_has_left_before_it_was_terminated_has_not_been_ended_by_the_daemon() -> None:
    async with with_processes() as home, home.connected() as wire:
        session = await wire.new()
        ((_, held),) = home.host.sessions.items()
        held.brain._expected = True  # type: ignore[attr-defined]  # nobody has heard of it yet
        os.kill(process_of(home, session), signal.SIGKILL)
        await held.brain._process.wait()  # type: ignore[attr-defined]
        answer = await wire.call(TERMINATE, sessionId=session)
        assert answer == {"terminated": True, "reason": "error", "terminatedBy": "agent"}


def test_stderr_is_given_whole_when_it_is_short() -> None:
    digest = StderrDigest()
    digest.feed(b"one\ntw")
    digest.feed(b"o\nthree")
    assert digest.output() == acp.StderrOutput(truncated=False, head="one\ntwo\nthree", total_lines=3)


def test_stderr_is_cut_in_the_middle_when_it_is_long() -> None:
    digest = StderrDigest()
    for number in range(1000):
        digest.feed(b"%d\n" % number)
    output = digest.output()
    assert output == acp.StderrOutput(
        truncated=True,
        head="\n".join(map(str, range(HEAD))),
        tail="\n".join(map(str, range(1000 - TAIL, 1000))),
        total_lines=1000,
    )


@pytest.mark.parametrize("data", [b"x" * 10_000_000, b"\xff\xfe" * 5000])
def test_stderr_without_line_ends_takes_no_memory(data: bytes) -> None:
    digest = StderrDigest()
    digest.feed(data)
    output = digest.output()
    assert output is not None
    assert len(output.head or "") <= LINE


def test_no_stderr_is_none() -> None:
    assert StderrDigest().output() is None
