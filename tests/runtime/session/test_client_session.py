"""The session as its client holds it: opened, asked, followed and left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import generated as acp
from generated.testing import connected
from tests.support.waiting import until


class Working(acp.Agent):
    """Says what it is asked, and keeps its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.more = asyncio.Event()

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        self.calls.append(f"new {params.cwd} {params.mcp_servers}")
        return acp.NewSessionResponse(session_id=f"s{len(self.calls)}", config_options=[model("small")])

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        (block, *_) = params.prompt
        assert isinstance(block, acp.TextContent)
        if block.text == "wait":
            await self.session.say("waiting")
            await self.more.wait()
        for word in block.text.split():
            await self.session.say(word)
        return acp.PromptResponse(stop_reason="end_turn")

    def close_session(self, params: acp.CloseSessionRequest) -> None:
        self.calls.append(f"close {params.session_id}")


class Lists(Working):
    """Has sessions on two pages, the second of which comes again and again where `circle` is set."""

    circle = False

    def list_sessions(self, params: acp.ListSessionsRequest) -> acp.ListSessionsResponse:
        self.calls.append(f"list {params.cwd} {params.cursor}")
        last = bool(params.cursor) and not self.circle
        name = "b" if params.cursor else "a"
        found = [acp.SessionInfo(session_id=name, cwd="/w")]
        return acp.ListSessionsResponse(sessions=found, next_cursor=acp.UNSET if last else "2")


class Stores(Working):
    """Opens known sessions again, forks and deletes them."""

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        self.calls.append("load")
        await self.session.say("as before")
        return acp.LoadSessionResponse(config_options=[model("large")])

    def resume_session(self, params: acp.ResumeSessionRequest) -> None:
        self.calls.append("resume")

    def fork_session(self, params: acp.ForkSessionRequest) -> acp.ForkSessionResponse:
        return acp.ForkSessionResponse(session_id=f"{params.session_id}-copy")

    def delete_session(self, params: acp.DeleteSessionRequest) -> None:
        self.calls.append(f"delete {params.session_id}")


class Resumes(Working):
    """Opens known sessions again without their updates."""

    def resume_session(self, params: acp.ResumeSessionRequest) -> None:
        self.calls.append("resume")


def model(value: str) -> acp.SessionConfigOption:
    choices = [acp.SessionConfigSelectOption(value=name, name=name) for name in ("small", "large")]
    return acp.SessionConfigOptionSelect(id="m", name="Model", category="model", current_value=value, options=choices)


@asynccontextmanager
async def client_of(agent: Working) -> AsyncGenerator[acp.ClientSideConnection, None]:
    async with connected(agent) as (_, connection):
        yield connection


class TestOpening:
    async def test_the_block_opens_and_closes_it(self) -> None:
        working = Working()
        async with client_of(working) as agent:
            async with agent.session(cwd="/w") as session:
                assert session.id == "s1"
                assert session.opened_by == "session/new"
            assert session.ending is not None
            assert session.ending.cause == "closed"
        assert working.calls == ["new /w []", "close s1"]

    async def test_awaiting_only_opens_it(self) -> None:
        working = Working()
        async with client_of(working) as agent:
            session = await agent.session(cwd="/w")
            assert session.ending is None
        assert working.calls == ["new /w []"]

    async def test_one_that_was_closed_is_opened_again_on_the_same_connection(self) -> None:
        async with client_of(Stores()) as agent:
            async with agent.session(cwd="/w") as session:
                pass
            async with agent.open(session.id, cwd="/w") as again:
                assert (again.ending, again.state.messages[0].text) == (None, "as before")
                await again.prompt("one")
                assert again.state.messages[-1].text == "one"
            assert again.ending is not None

    async def test_updates_that_come_before_the_answer_which_names_it_are_in_its_state(self) -> None:
        class Early(Working):
            async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:  # type: ignore[override]
                await self.client.session("early").info(title="Early")
                return acp.NewSessionResponse(session_id="early")

        async with client_of(Early()) as agent, agent.session(cwd="/w") as session:
            await session.prompt("one")
            assert session.state.title == "Early"

    async def test_one_that_was_closed_is_not_closed_again(self) -> None:
        working = Working()
        async with client_of(working) as agent, agent.session(cwd="/w") as session:
            await session.close()
        assert working.calls == ["new /w []", "close s1"]

    async def test_an_agent_that_closes_none_is_not_asked(self) -> None:
        class Simple(acp.Agent):
            def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
                return acp.NewSessionResponse(session_id="s")

        async with connected(Simple()) as (_, agent), agent.session(cwd="/w") as session:
            pass
        assert session.updates().drained

    async def test_an_exception_in_the_block_closes_it_and_goes_on(self) -> None:
        working = Working()
        async with client_of(working) as agent:
            with pytest.raises(ZeroDivisionError):
                async with agent.session(cwd="/w"):
                    raise ZeroDivisionError
        assert working.calls[-1] == "close s1"

    async def test_its_state_begins_with_the_answer(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            assert session.state.options == [model("small")]


class TestOpeningAgain:
    async def test_a_session_is_loaded_where_the_agent_loads(self) -> None:
        stores = Stores()
        async with client_of(stores) as agent, agent.open("old", cwd="/w") as session:
            assert stores.calls == ["load"]
            assert (session.opened_by, session.opened_because) == ("session/load", "the agent offers session/load")
            assert [message.text for message in session.state.messages] == ["as before"]
            assert session.state.options == [model("large")]

    async def test_without_replay_it_is_resumed(self) -> None:
        stores = Stores()
        async with client_of(stores) as agent, agent.open("old", cwd="/w", replay=False) as session:
            assert stores.calls == ["resume"]
            assert session.opened_by == "session/resume"
            assert session.state.messages == []

    async def test_the_reason_names_what_the_agent_does_not_offer(self) -> None:
        async with client_of(Resumes()) as agent, agent.open("old", cwd="/w") as session:
            assert session.opened_by == "session/resume"
            assert "did not advertise loadSession" in session.opened_because

    async def test_an_agent_that_does_neither_is_not_asked(self) -> None:
        async with client_of(Working()) as agent:
            with pytest.raises(acp.CapabilityError, match=r"loadSession or sessionCapabilities\.resume"):
                await agent.open("old", cwd="/w")


class TestTurns:
    async def test_awaiting_gives_the_answer(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            answer = await session.prompt("one two")
            assert answer.stop_reason == "end_turn"
            assert session.state.messages[-1].text == "onetwo"

    async def test_iterating_gives_the_updates_and_then_the_answer(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            turn = session.prompt("one two")
            assert [update.content.text async for update in turn] == ["one", "two"]  # type: ignore[union-attr]
            assert (await turn).stop_reason == "end_turn"
            assert turn.response.stop_reason == "end_turn"

    async def test_a_loop_may_be_all_that_holds_the_turn(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            texts = [update.content.text async for update in session.prompt("one two")]  # type: ignore[union-attr]
            assert texts == ["one", "two"]

    async def test_a_block_and_a_list_are_content_as_well(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            await session.prompt(acp.TextContent(text="one"))
            await session.prompt(["two", acp.ResourceLink(name="a", uri="file:///a")])
            assert [m.text for m in session.state.messages] == ["one", "one", "two", "two"]

    async def test_cancelling_ends_it_as_the_protocol_has_it(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            turn = session.prompt("wait")
            async for _ in turn:
                await turn.cancel()
            assert (await turn).stop_reason == "cancelled"

    async def test_a_task_that_awaits_it_ends_it_when_cancelled(self) -> None:
        working = Working()
        async with client_of(working) as agent, agent.session(cwd="/w") as session:
            task = asyncio.create_task(wait_for(session.prompt("wait")))
            await until(lambda: bool(session.state.messages) and session.state.messages[-1].text == "waiting")
            assert not session.idle
            task.cancel()
            await asyncio.wait([task])
            await until(lambda: session.idle)

    async def test_more_updates_than_a_stream_holds_do_not_hold_up_one_that_is_awaited(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            turn = session.prompt("word " * 500)
            await anext(aiter(turn))
            assert (await turn).stop_reason in ("end_turn", "cancelled")

    async def test_one_that_is_cancelled_before_is_never_sent(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            turn = session.prompt("one")
            await turn.cancel()
            assert [update async for update in turn] == []
            with pytest.raises(RuntimeError, match="cancelled before it was sent"):
                await turn

    async def test_one_that_nobody_takes_is_warned_of(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            with pytest.warns(RuntimeWarning, match="nothing was sent"):
                session.prompt("one")


class TestUpdatesOutsideOfTurns:
    async def test_they_reach_a_subscription(self) -> None:
        async with connected(Working()) as (held, agent), agent.session(cwd="/w") as session:
            updates = session.updates()
            await session.prompt("in a turn")
            assert updates.drained
            await held.session(session.id).info(title="Later")
            assert await anext(updates) == acp.SessionInfoUpdate(title="Later")
            assert session.state.title == "Later"

    async def test_those_of_turns_on_request(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            updates = session.updates(turns=True)
            await session.prompt("one two")
            assert not updates.drained
            assert [(await anext(updates)).content.text for _ in range(2)] == ["one", "two"]  # type: ignore[union-attr]

    async def test_it_ends_with_the_session(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            updates = session.updates()
            await session.close()
            assert [update async for update in updates] == []
            assert [update async for update in session.updates()] == []

    async def test_it_raises_where_the_connection_is_lost(self) -> None:
        async with connected(Working()) as (held, agent):
            session = await agent.session(cwd="/w")
            updates = session.updates()
            await held.close()
            with pytest.raises(acp.ConnectionClosed):
                await anext(updates)

    async def test_those_of_other_sessions_do_not(self) -> None:
        async with (
            connected(Working()) as (held, agent),
            agent.session(cwd="/w") as one,
            agent.session(cwd="/w") as two,
        ):
            updates = two.updates()
            await held.session(two.id).say("for two")
            await anext(updates)
            assert one.state.messages == []
            assert two.state.messages[0].text == "for two"

    async def test_one_that_was_closed_takes_no_more(self) -> None:
        async with connected(Working()) as (held, agent), agent.session(cwd="/w") as session:
            updates = session.updates()
            updates.close()
            await held.session(session.id).say("more")
            await session.prompt("x")
            assert [update async for update in updates] == []


class TestCalls:
    async def test_a_fork_is_a_session_of_its_own(self) -> None:
        async with client_of(Stores()) as agent, agent.session(cwd="/w") as session:
            async with session.fork("/w") as copy:
                assert copy.id == f"{session.id}-copy"
                await copy.prompt("only here")
            assert session.state.messages == []

    async def test_deleting_ends_it(self) -> None:
        stores = Stores()
        async with client_of(stores) as agent, agent.session(cwd="/w") as session:
            await session.delete()
            assert session.ending is not None
        assert stores.calls[1:] == ["delete s1"]


class Chooses(Working):
    """Has a model to choose, and modes as they were before there were options."""

    def set_session_config_option(
        self, params: acp.SetSessionConfigOptionRequest
    ) -> acp.SetSessionConfigOptionResponse:
        assert isinstance(params, acp.SetSessionConfigOptionRequestValueId)
        self.calls.append(f"{params.config_id} = {params.value}")
        return acp.SetSessionConfigOptionResponse(config_options=[model(params.value)])

    def set_session_mode(self, params: acp.SetSessionModeRequest) -> None:
        self.calls.append(f"mode {params.mode_id}")


class TestChoices:
    async def test_the_option_of_a_category_is_set(self) -> None:
        chooses = Chooses()
        async with client_of(chooses) as agent, agent.session(cwd="/w") as session:
            await session.set_model("large")
            assert session.state.options == [model("large")]
        assert "m = large" in chooses.calls

    async def test_without_such_an_option_the_older_call_of_that_name_is_made(self) -> None:
        chooses = Chooses()
        async with client_of(chooses) as agent, agent.session(cwd="/w") as session:
            await session.set_mode("plan")
            assert session.state.mode == "plan"
        assert "mode plan" in chooses.calls

    async def test_without_either_it_is_an_error_that_names_the_categories(self) -> None:
        async with client_of(Chooses()) as agent, agent.session(cwd="/w") as session:
            with pytest.raises(
                LookupError, match=r"no option of the category 'thought_level'\. Its categories: 'model'"
            ):
                await session.set_thought_level("high")


class TestLists:
    async def test_all_pages_are_one_list(self) -> None:
        lists = Lists()
        async with client_of(lists) as agent:
            assert [info.session_id async for info in agent.sessions(cwd="/w")] == ["a", "b"]
        assert lists.calls == ["list /w UNSET", "list /w 2"]

    async def test_a_cursor_that_comes_again_ends_it_with_a_warning(self, caplog: pytest.LogCaptureFixture) -> None:
        lists = Lists()
        lists.circle = True
        async with client_of(lists) as agent:
            with caplog.at_level(logging.WARNING):
                assert [info.session_id async for info in agent.sessions()] == ["a", "b"]
        assert "the peer returned the cursor '2' twice" in caplog.text


async def wait_for(turn: Any) -> Any:
    return await turn


class Confirms(Working):
    """Shows a call first where it asks for a permission, and counts tokens."""

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        await self.session.ask(acp.ToolCallUpdate(tool_call_id="c1", title="Write a file"))
        return acp.PromptResponse(
            stop_reason="end_turn", usage=acp.Usage(total_tokens=7, input_tokens=4, output_tokens=3)
        )


class Permits(acp.Client):
    def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        return acp.RequestPermissionResponse(outcome=acp.SelectedPermissionOutcome(option_id="allow_once"))


class TestState:
    async def test_a_call_that_first_appears_in_a_question_is_in_it(self) -> None:
        async with connected(Confirms(), Permits()) as (_, agent), agent.session(cwd="/w") as session:
            await session.prompt("go")
            assert session.state.tool_calls["c1"].title == "Write a file"

    async def test_a_question_about_another_session_is_not(self) -> None:
        async with (
            connected(Confirms(), Permits()) as (_, agent),
            agent.session(cwd="/w") as session,
            agent.session(cwd="/w") as other,
        ):
            await session.prompt("go")
            assert other.state.tool_calls == {}

    async def test_the_tokens_that_an_answer_counts_are_in_it(self) -> None:
        async with connected(Confirms(), Permits()) as (_, agent), agent.session(cwd="/w") as session:
            await session.prompt("go")
            assert session.state.tokens == acp.Usage(total_tokens=7, input_tokens=4, output_tokens=3)

    async def test_turns_are_separate(self) -> None:
        async with client_of(Working()) as agent, agent.session(cwd="/w") as session:
            await session.prompt("one")
            await session.prompt("two")
            assert [(m.kind, m.text) for m in session.state.messages] == [
                ("user_message_chunk", "one"),
                ("agent_message_chunk", "one"),
                ("user_message_chunk", "two"),
                ("agent_message_chunk", "two"),
            ]
