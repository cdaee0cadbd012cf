"""The session as its agent holds it: updates and calls without the id, inside handlers and outside."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import generated as acp
from generated.testing import RecordingClient, connected

Work = Callable[["Working"], Awaitable[Any]]


class Working(acp.Agent):
    """Does in its turn what a test wants."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="s")

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        await self.work(self)
        return acp.PromptResponse(stop_reason="end_turn")


class Files(RecordingClient):
    """A client with one file."""

    def read_text_file(self, params: acp.ReadTextFileRequest) -> acp.ReadTextFileResponse:
        return acp.ReadTextFileResponse(content=f"{params.session_id}: {params.path}")


async def turn(work: Work, client: RecordingClient | None = None, session: str = "s") -> RecordingClient:
    """What a client hears in one turn."""
    client = client or RecordingClient()
    async with connected(Working(work), client) as (_, agent):
        await agent.prompt(session_id=session, prompt=[acp.TextContent(text="go")])
    return client


class TestUpdates:
    async def test_a_string_is_a_text(self) -> None:
        client = await turn(lambda agent: agent.session.say("hello"))
        assert client.updates == [acp.AgentMessageChunk(content=acp.TextContent(text="hello"))]

    async def test_a_block_goes_as_it_is(self) -> None:
        image = acp.ImageContent(data="aGk=", mime_type="image/png")
        client = await turn(lambda agent: agent.session.think(image))
        assert client.updates == [acp.AgentThoughtChunk(content=image)]

    async def test_each_item_of_a_list_is_an_update(self) -> None:
        client = await turn(lambda agent: agent.session.say(["a", acp.TextContent(text="b")], message_id="m"))
        assert client.updates == [
            acp.AgentMessageChunk(content=acp.TextContent(text=text), message_id="m") for text in "ab"
        ]

    async def test_an_update_with_one_required_property_takes_it_by_position(self) -> None:
        entries = [acp.PlanEntry(content="think", priority="high", status="pending")]
        client = await turn(lambda agent: agent.session.plan(entries))
        assert client.updates == [acp.Plan(entries=entries)]

    async def test_an_update_with_more_takes_keywords(self) -> None:
        client = await turn(lambda agent: agent.session.usage(used=1, size=2))
        assert client.updates == [acp.UsageUpdate(used=1, size=2)]

    async def test_an_update_without_a_name_of_its_own_has_that_of_its_tag(self) -> None:
        client = await turn(lambda agent: agent.session.tool_call_update("c", title="Read"))
        assert client.updates == [acp.ToolCallProgress(tool_call_id="c", title="Read")]


class TestEntries:
    async def test_an_entry_has_a_key_of_its_own(self) -> None:
        async def work(agent: Working) -> None:
            async with agent.session.tool_call("Read", kind="read") as call:
                await call.update(title="Read it")

        client = await turn(work)
        (call,) = client.state.tool_calls.values()
        assert isinstance(call, acp.ToolCall)
        assert (call.title, call.kind, call.status) == ("Read it", "read", "completed")

    async def test_keys_differ(self) -> None:
        async def work(agent: Working) -> None:
            for _ in range(2):
                async with agent.session.tool_call("Read"):
                    pass

        assert len((await turn(work)).state.tool_calls) == 2

    async def test_a_key_may_be_given(self) -> None:
        async def work(agent: Working) -> None:
            async with agent.session.tool_call("Read", tool_call_id="mine"):
                pass

        assert [*(await turn(work)).state.tool_calls] == ["mine"]


class TestCalls:
    async def test_calls_do_not_repeat_the_id(self) -> None:
        found: list[str] = []

        async def work(agent: Working) -> None:
            found.append((await agent.session.read_text_file("/a")).content)

        await turn(work, Files(), session="mine")
        assert found == ["mine: /a"]


class TestQuestions:
    async def test_a_question_about_an_entry_repeats_what_is_known_of_it(self) -> None:
        found: list[bool] = []

        async def work(agent: Working) -> None:
            async with agent.session.tool_call("Edit", tool_call_id="c", kind="edit", status="in_progress") as call:
                found.append(bool(await agent.session.ask(call)))

        client = RecordingClient(acp.Permissions(allow={"edit"}))
        await turn(work, client)
        assert found == [True]
        assert client.asked[0].tool_call == acp.ToolCallUpdate(tool_call_id="c", title="Edit", kind="edit")
        assert [option.name for option in client.asked[0].options] == [
            "Allow once",
            "Allow always",
            "Reject once",
            "Reject always",
        ]

    async def test_without_a_policy_all_is_refused(self) -> None:
        found: list[Any] = []

        async def work(agent: Working) -> None:
            found.append(await agent.session.ask(acp.ToolCallUpdate(tool_call_id="c")))

        await turn(work)
        assert not found[0]
        assert found[0].option.kind == "reject_once"

    async def test_options_of_ones_own(self) -> None:
        options = [acp.PermissionOption(option_id="yes", name="Go on", kind="allow_once")]

        async def work(agent: Working) -> None:
            assert (await agent.session.ask(acp.ToolCallUpdate(tool_call_id="c"), options)).option == options[0]

        await turn(work, RecordingClient(acp.Permissions(ask=lambda question: question.options[0])))

    async def test_a_cancelled_turn_allows_nothing(self) -> None:
        asked, found = asyncio.Event(), list[Any]()

        class Waits(acp.Client):
            async def request_permission(self, params: acp.RequestPermissionRequest) -> Any:
                asked.set()
                await asyncio.Event().wait()

        class Asks(acp.Agent):
            async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
                found.append(await self.session.ask(acp.ToolCallUpdate(tool_call_id="c")))
                return acp.PromptResponse(stop_reason="cancelled")

            def cancel(self, params: acp.CancelNotification) -> None:
                pass

        async with connected(Asks(), Waits()) as (_, agent):
            prompt = asyncio.create_task(agent.prompt(session_id="s", prompt=[]))
            await asked.wait()
            await agent.cancel(session_id="s")
            await prompt
        assert (found[0].allowed, found[0].option) == (False, None)


class TestTheSessionOfAHandler:
    async def test_two_at_a_time_have_one_each(self) -> None:
        both = asyncio.Barrier(2)

        async def work(agent: Working) -> None:
            await both.wait()
            await agent.session.say(agent.session.id)

        client = RecordingClient()
        async with connected(Working(work), client) as (_, agent):
            prompt = [acp.TextContent(text="go")]
            await asyncio.gather(*(agent.prompt(session_id=id, prompt=prompt) for id in "ab"))
        assert {id: state.messages[0].text for id, state in client.states.items()} == {"a": "a", "b": "b"}

    async def test_is_that_of_the_tasks_it_starts(self) -> None:
        async def work(agent: Working) -> None:
            async with asyncio.TaskGroup() as group:
                group.create_task(agent.session.say("from a task"))
                group.create_task(later(agent))

        async def later(agent: Working) -> None:
            await agent.session.say(".")

        assert (await turn(work)).text == "from a task."

    async def test_is_that_of_a_handler_in_a_thread(self) -> None:
        found: list[str] = []

        class Threaded(acp.Agent):
            threads = True

            def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
                found.append(self.session.id)
                return acp.PromptResponse(stop_reason="end_turn")

        async with connected(Threaded()) as (_, agent):
            await agent.prompt(session_id="s", prompt=[])
        assert found == ["s"]

    async def test_is_that_of_a_notification(self) -> None:
        found: list[str] = []

        class Cancelled(acp.Agent):
            def cancel(self, params: acp.CancelNotification) -> None:
                found.append(self.session.id)

            def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
                return acp.NewSessionResponse(session_id="s")

        async with connected(Cancelled()) as (_, agent):
            await agent.cancel(session_id="s")
            await agent.new_session(cwd="/", mcp_servers=[])
        assert found == ["s"]

    async def test_there_is_none_where_the_params_name_none(self) -> None:
        class Asking(acp.Agent):
            def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
                with pytest.raises(RuntimeError, match=r"use self\.client\.session\(id\) instead"):
                    self.session  # noqa: B018
                return acp.NewSessionResponse(session_id="s")

        async with connected(Asking()) as (_, agent):
            await agent.new_session(cwd="/", mcp_servers=[])

    async def test_an_attribute_of_a_subclass_hides_it(self) -> None:
        class Own(acp.Agent):
            def __init__(self) -> None:
                self.session: Any = "mine"

        assert Own().session == "mine"


class TestTheObject:
    async def test_outside_of_handlers_it_is_made_of_the_id(self) -> None:
        client = RecordingClient()
        async with connected(Working(lambda _: asyncio.sleep(0)), client) as (held, agent):
            await held.session("s").commands([])
            await agent.new_session(cwd="/", mcp_servers=[])
        assert client.updates == [acp.AvailableCommandsUpdate(available_commands=[])]

    async def test_two_of_one_session_are_equal(self) -> None:
        async with connected(acp.Agent()) as (held, _):
            assert held.session("s") == held.session("s") != held.session("t")
            assert len({held.session("s"), held.session("s")}) == 1
            assert repr(held.session("s")) == "AgentSession('s')"


async def test_the_base_answers_what_opens_the_connection() -> None:
    class Signed(acp.Agent):
        async def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
            answer = super().initialize(params)
            assert isinstance(answer, acp.InitializeResponse)
            answer.auth_methods = [acp.AuthMethodAgent(id="key", name="Key")]
            return answer

        def close_session(self, params: acp.CloseSessionRequest) -> None: ...

    async with connected(Signed(), opened=False) as (_, agent):
        answer = await agent.initialize()
    assert answer.auth_methods == [acp.AuthMethodAgent(id="key", name="Key")]
    assert answer.protocol_version == acp.PROTOCOL_VERSION
    assert agent.offers("close_session")
