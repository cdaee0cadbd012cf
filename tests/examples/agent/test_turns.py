"""Prompts: what is streamed, in which order, and how a turn ends."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from examples import acp
from examples.acp.stores import TurnKey
from examples.session_agent.agent import ReferenceAgent
from generated._runtime.stores.turns import Turn, TurnCancelled

from .wire import CWD, UNKNOWN, Json, agent, allow, house, kinds, silent


async def test_a_turn_shows_a_plan_thoughts_a_message_and_an_edit_as_a_diff() -> None:
    async with agent() as wire:
        session = await wire.new("/srv/app")
        assert await wire.prompt(session, "hello") == "end_turn"
        shown = wire.updates()
        assert {"plan", "agent_thought_chunk", "agent_message_chunk", "tool_call", "tool_call_update"} <= set(
            kinds(shown)
        )
        (edit,) = [update for update in shown if update["sessionUpdate"] == "tool_call"]
        assert edit["content"] == [{"type": "diff", "path": "/srv/app/NOTES.md", "newText": "- hello\n"}]


async def test_a_permission_that_is_refused_fails_the_tool_call_and_ends_the_turn() -> None:
    def refuse(request: Json) -> Json:
        return {"result": {"outcome": {"outcome": "selected", "optionId": "reject"}}}

    async with agent(refuse) as wire:
        assert await wire.prompt(await wire.new(), "hello") == "end_turn"
        (update,) = [update for update in wire.updates() if update["sessionUpdate"] == "tool_call_update"]
        assert update["status"] == "failed"


@pytest.mark.parametrize(
    "answer",
    [
        {"error": {"code": -32601, "message": "no"}},
        {"result": {}},
        {"result": None},
        {"result": {"outcome": {"outcome": "x"}}},
    ],
)
async def test_a_client_that_cannot_ask_has_not_allowed_anything(answer: Json) -> None:
    async with agent(lambda request: answer) as wire:
        assert await wire.prompt(await wire.new(), "hello") == "end_turn"
        (update,) = [update for update in wire.updates() if update["sessionUpdate"] == "tool_call_update"]
        assert update["status"] == "failed"


async def test_a_command_runs_in_the_clients_terminal_and_the_terminal_is_released() -> None:
    async with house() as home, home.connected(terminal=True) as wire:
        await wire.prompt(await wire.new(), "hello")
        asked = [frame["method"] for frame in wire.frames if frame.get("method", "").startswith("terminal/")]
        assert asked == ["terminal/create", "terminal/wait_for_exit", "terminal/output", "terminal/release"]
        shown = [update.get("content") for update in wire.updates() if update.get("toolCallId") == "run_1"]
        assert [{"type": "terminal", "terminalId": "term_1"}] in shown


async def test_a_terminal_that_is_made_after_the_cancel_is_released_too() -> None:
    """The client makes it once it has heard of the cancel."""

    def late(request: Json) -> Json | None:
        return None if request["method"] == "terminal/create" else allow(request)

    async with house() as home, home.connected(late, terminal=True) as wire:
        session = await wire.new()
        turn = wire.prompting(session, "hello")
        asked = await wire.until(lambda frame: frame.get("method") == "terminal/create")
        wire.notify("session/cancel", sessionId=session)
        wire.send({"id": asked["id"], "result": {"terminalId": "term_2"}})
        assert (await turn)["result"] == {"stopReason": "cancelled"}
        released = [frame["params"]["terminalId"] for frame in wire.frames if frame.get("method") == "terminal/release"]
        assert released == ["term_2"]


async def test_a_tool_call_is_shown_as_running_once_it_was_allowed() -> None:
    async with agent() as wire:
        await wire.prompt(await wire.new(), "hello")
        told = [update["status"] for update in wire.updates() if update.get("toolCallId") == "edit_1"]
        assert told == ["pending", "in_progress", "completed"]


async def test_nothing_is_asked_for_that_the_client_did_not_advertise() -> None:
    async with agent() as wire:
        await wire.prompt(await wire.new(), "hello")
        assert {frame["method"] for frame in wire.frames if "method" in frame and "id" in frame} == {
            "session/request_permission"
        }


async def test_a_terminal_that_fails_fails_the_tool_call_alone() -> None:
    def broken(request: Json) -> Json | None:
        error = {"error": {"code": -32603, "message": "no terminal"}}
        return error if request["method"] == "terminal/create" else allow(request)

    async with house() as home, home.connected(broken, terminal=True) as wire:
        assert await wire.prompt(await wire.new(), "hello") == "end_turn"


async def test_the_title_and_the_time_of_the_last_activity_are_told() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session, "/echo hello")
        (told,) = [update for update in wire.updates() if update["sessionUpdate"] == "session_info_update"]
        assert told["title"] == "/echo hello"
        assert told["updatedAt"] < (await wire.entries())[0]["updatedAt"]


async def test_nothing_is_sent_for_a_session_after_the_response_that_ends_its_turn() -> None:
    async with agent() as wire:
        session = await wire.new()
        for text in ("hello", "/echo hello"):
            turn = wire.prompting(session, text)
            await turn
            sent = len(wire.frames)
            await wire.call("session/list")
            assert wire.frames[sent - 1] is turn.result()
            assert len(wire.frames) == sent + 1


async def test_commands_are_announced_before_the_answer_and_nothing_after_it() -> None:
    async with agent() as wire:
        session = await wire.new()
        for how in ("load", "resume", "fork"):
            await getattr(wire, how)(session)
        await wire.call("session/list")
        methods = [frame.get("method") for frame in wire.frames[1:]]
        assert methods == ["session/update", None] * 4 + [None]


# The history


async def test_load_replays_the_conversation_in_order_before_it_answers() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session, "hello")
        shown = [
            u for u in wire.updates() if u["sessionUpdate"] not in ("available_commands_update", "session_info_update")
        ]
        before = len(wire.frames)
        await wire.load(session)
        assert "result" in wire.frames[-1]
        asked = {"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "hello"}}
        assert wire.updates(before)[1:] == [asked, *shown]


async def test_a_client_that_does_not_read_a_replay_holds_up_nobody_else() -> None:
    async with house() as home, home.connected() as wire, home.connected() as deaf:
        session = await wire.new()
        for _ in range(40):
            await wire.prompt(session, "/echo " + "x" * 50_000)
        deaf.start("session/load", {"sessionId": session, "cwd": CWD, "mcpServers": []})
        await deaf.until_update("user_message_chunk")
        deaf.listener.cancel()
        assert await wire.prompt(session) == "end_turn"
        assert await wire.call("session/close", sessionId=session) == {}
        assert await wire.call("session/delete", sessionId=session) == {}
        assert await wire.listed() == []


async def test_resume_does_not_replay() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session)
        before = len(wire.frames)
        await wire.resume(session)
        assert kinds(wire.updates(before)) == ["available_commands_update"]


async def test_every_kind_of_content_that_is_advertised_is_replayed_as_it_came() -> None:
    blocks: list[Json] = [
        {"type": "text", "text": "/echo x😀"},
        {"type": "resource_link", "name": "a.py", "uri": "file:///a.py"},
        {"type": "resource", "resource": {"uri": "file:///b.txt", "text": "b", "mimeType": "text/plain"}},
    ]
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/prompt", sessionId=session, prompt=blocks)
        history = await wire.history(session)
        assert [u["content"] for u in history if u["sessionUpdate"] == "user_message_chunk"] == blocks


@pytest.mark.parametrize("kind", ["image", "audio"])
async def test_content_that_was_not_advertised_is_refused(kind: str) -> None:
    async with agent() as wire:
        session = await wire.new()
        block = {"type": kind, "data": "AAAA", "mimeType": f"{kind}/x"}
        refusal = await wire.refused("session/prompt", sessionId=session, prompt=[block])
        assert refusal.code == -32602
        assert await wire.history(session) == []


async def test_an_empty_prompt_is_refused() -> None:
    async with agent() as wire:
        assert (await wire.refused("session/prompt", sessionId=await wire.new(), prompt=[])).code == -32602


async def test_a_prompt_for_an_unknown_session_is_refused() -> None:
    async with agent() as wire:
        assert (await wire.prompting(UNKNOWN, "hello"))["error"] == {
            "code": -32002,
            "message": "Resource not found",
            "data": {"sessionId": UNKNOWN},
        }


async def test_a_prompt_for_a_session_that_was_not_opened_here_is_refused() -> None:
    async with house() as home, home.connected() as one, home.connected() as other:
        session = await one.new()
        error = (await other.prompting(session, "hello"))["error"]
        assert (error["code"], error["data"]["reason"]) == (-32002, "not open: load or resume it first")


# Cancellation


async def test_cancel_ends_the_turn_with_cancelled() -> None:
    async with agent() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        wire.notify("session/cancel", sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}


async def test_a_cancel_in_the_same_write_as_the_prompt_is_not_lost() -> None:
    async with agent() as wire:
        session = await wire.new()
        for _ in range(20):
            turn = wire.prompting(session, "/wait")
            wire.notify("session/cancel", sessionId=session)
            assert (await turn)["result"] == {"stopReason": "cancelled"}


async def test_a_cancel_after_a_load_and_a_prompt_in_one_write_is_not_lost() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        load = wire.start("session/load", {"sessionId": session, "cwd": CWD, "mcpServers": []})
        turn = wire.prompting(session, "/wait")
        wire.notify("session/cancel", sessionId=session)
        assert "result" in await load
        assert (await turn)["result"] == {"stopReason": "cancelled"}


async def test_a_prompt_right_behind_a_load_waits_for_it() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        load = wire.start("session/load", {"sessionId": session, "cwd": CWD, "mcpServers": []})
        turn = wire.prompting(session, "/echo hello")
        assert (await turn)["result"] == {"stopReason": "end_turn"}
        assert load.done()


async def test_a_cancel_while_the_user_is_asked_does_not_wait_for_the_user() -> None:
    async with agent(silent) as wire:
        session = await wire.new()
        turn = wire.prompting(session, "hello")
        await wire.until(lambda frame: frame.get("method") == "session/request_permission")
        wire.notify("session/cancel", sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}
        last = [update for update in wire.updates() if update["sessionUpdate"] == "tool_call_update"][-1]
        assert (last["toolCallId"], last["status"]) == ("edit_1", "failed")


async def test_a_cancel_does_not_wait_for_a_terminal_that_the_client_does_not_give_back() -> None:
    def hanging(request: Json) -> Json | None:
        return None if request["method"] in ("terminal/wait_for_exit", "terminal/release") else allow(request)

    async with house() as home, home.connected(hanging, terminal=True) as wire:
        session = await wire.new()
        turn = wire.prompting(session, "hello")
        await wire.until(lambda frame: frame.get("method") == "terminal/wait_for_exit")
        wire.notify("session/cancel", sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}
        assert any(frame.get("method") == "terminal/release" for frame in wire.frames)


class Stubborn(ReferenceAgent):
    """A model that ends as it likes, in the very moment in which it is cancelled."""

    end: BaseException | None

    async def work(self, text: str) -> None:
        await self.session.think("now")
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            if self.end is not None:
                raise self.end from None


@pytest.mark.parametrize("end", [ValueError("aborted"), acp.RequestError.internal_error(), None])
async def test_cancel_always_ends_the_turn_with_cancelled_even_where_aborting_raised_errors(end: object) -> None:
    async with agent(kind=type("Ends", (Stubborn,), {"end": end})) as wire:
        session = await wire.new()
        turn = wire.prompting(session, "hello")
        await wire.until_update("agent_thought_chunk")
        wire.notify("session/cancel", sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}


async def test_a_cancel_that_comes_while_the_turn_is_committed_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        ((key, _),) = home.host.sessions.items()
        commit = home.store.finish_turn

        async def late(identity: str, session_key: str, turn: TurnKey, *more: Any) -> None:
            home.host.cancel(key)
            await commit(identity, session_key, turn, *more)

        monkeypatch.setattr(home.store, "finish_turn", late)
        assert await wire.prompt(session, "/echo hello") == "cancelled"


async def test_cancels_without_a_turn_are_ignored() -> None:
    async with agent() as wire:
        session = await wire.new()
        for unknown in (session, UNKNOWN, ""):
            wire.notify("session/cancel", sessionId=unknown)
        assert await wire.prompt(session) == "end_turn"


async def test_many_cancels_are_as_good_as_one() -> None:
    async with agent() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        for _ in range(50):
            wire.notify("session/cancel", sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}
        assert await wire.prompt(session) == "end_turn"


async def test_the_request_itself_can_be_cancelled() -> None:
    async with agent() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        wire.notify("$/cancel_request", requestId=next(wire.ids) - 1)
        assert (await turn)["error"]["code"] == -32800
        assert await wire.prompt(session) == "end_turn"


async def test_a_step_of_a_turn_that_was_cancelled_before_does_not_begin() -> None:
    turn = Turn(None)
    turn.cancel()
    begun: list[int] = []

    async def step() -> None:
        begun.append(1)

    with pytest.raises(TurnCancelled):
        await turn.step(step())
    assert begun == []


# One at a time


async def test_a_second_prompt_while_one_is_under_way_is_refused_and_the_first_goes_on() -> None:
    async with agent() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait 1")
        second = (await wire.prompting(session, "hello"))["error"]
        assert (second["code"], second["data"]["reason"]) == (-32600, "a prompt is running in this session")
        assert (await turn)["result"] == {"stopReason": "end_turn"}


async def test_prompts_of_different_sessions_run_side_by_side() -> None:
    async with agent() as wire:
        sessions = [await wire.new() for _ in range(5)]
        turns = [wire.prompting(session, "/wait") for session in sessions]
        for session in sessions:
            await wire.until(lambda frame, session=session: said_in(frame, session))
        for session in sessions:
            wire.notify("session/cancel", sessionId=session)
        assert [(await turn)["result"]["stopReason"] for turn in turns] == ["cancelled"] * 5


def said_in(frame: Json, session: str) -> bool:
    params = frame.get("params", {})
    return params.get("sessionId") == session and params["update"]["sessionUpdate"] == "agent_message_chunk"


async def test_a_session_is_not_replayed_into_its_own_turn() -> None:
    async with agent() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        assert (await wire.refused("session/load", sessionId=session, cwd=CWD, mcpServers=[])).code == -32600
        assert "modes" in await wire.resume(session)
        wire.notify("session/cancel", sessionId=session)
        await turn


async def test_a_model_that_fails_is_an_internal_error_and_the_session_goes_on() -> None:
    class Failing(ReferenceAgent):
        async def work(self, text: str) -> None:
            raise ArithmeticError("secret detail")

    async with agent(kind=Failing) as wire:
        session = await wire.new()
        error = (await wire.prompting(session, "hello"))["error"]
        assert (error["code"], error["message"]) == (-32603, "Internal error")
        assert list(error["data"]) == ["errorId"], "which the log repeats; no detail"
        assert await wire.prompt(session) == "end_turn"


async def test_a_terminal_that_the_client_answers_with_nonsense_fails_the_tool_call_and_not_the_turn() -> None:
    def nonsense(request: Json) -> Json | None:
        return {"result": {}} if request["method"] == "terminal/create" else allow(request)

    async with house() as home, home.connected(nonsense, terminal=True) as wire:
        assert await wire.prompt(await wire.new(), "hello") == "end_turn"
        assert [u["status"] for u in wire.updates() if u.get("toolCallId") == "run_1"] == ["pending", "failed"]
