"""`prompt_stream`: the updates of a turn one by one, its answer at the end, and what becomes of a turn that nobody follows any more."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from peers import connected

import generated as acp
from tests.support.waiting import still


class Counting(acp.Agent):
    """Sends so many chunks, then waits if told to; it remembers how its turns ended."""

    def __init__(self, count: int = 3, *, waits: bool = False) -> None:
        self.count, self.waits = count, waits
        self.sent = 0
        self.ended: list[str] = []
        self.over = asyncio.Event()

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="s")

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        try:
            for number in range(self.count):
                chunk = acp.AgentMessageChunk(content=acp.TextContent(text=str(number)))
                await self.client.session_update(session_id=params.session_id, update=chunk)
                self.sent += 1
            if self.waits:
                await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            self.over.set()
            raise
        self.ended.append("answered")
        return acp.PromptResponse(stop_reason="end_turn")


class Handling(acp.Client):
    def __init__(self) -> None:
        self.seen: list[str] = []

    def session_update(self, params: acp.SessionNotification) -> None:
        match params.update:
            case acp.AgentMessageChunk(content=acp.TextContent(text=text)):
                self.seen.append(text)
            case _:
                pass


PROMPT: dict[str, Any] = {"session_id": "s", "prompt": [acp.TextContent(text="Count")]}


def text(update: Any) -> str:
    assert isinstance(update, acp.AgentMessageChunk)
    assert isinstance(update.content, acp.TextContent)
    return update.content.text


async def test_updates_come_in_order_and_the_answer_after_the_last() -> None:
    async with connected(Counting(), acp.Client()) as agent:
        stream = agent.prompt_stream(**PROMPT)
        with pytest.raises(RuntimeError, match="no response yet"):
            _ = stream.response
        assert [text(update) async for update in stream] == ["0", "1", "2"]
        assert stream.response.stop_reason == "end_turn"


async def test_the_clients_own_handler_is_called_before_and_stays_when_the_stream_is_gone() -> None:
    client = Handling()
    async with connected(Counting(), client) as agent:
        async for update in agent.prompt_stream(**PROMPT):
            assert client.seen[-1] == text(update) or text(update) in client.seen
        await agent.prompt(**PROMPT)
    assert client.seen == ["0", "1", "2"] * 2


async def test_a_handler_that_fails_keeps_no_update_back() -> None:
    class Failing(acp.Client):
        def session_update(self, params: acp.SessionNotification) -> None:
            raise ValueError("no")

    async with connected(Counting(), Failing()) as agent:
        assert [text(update) async for update in agent.prompt_stream(**PROMPT)] == ["0", "1", "2"]


async def test_who_leaves_the_loop_cancels_the_turn() -> None:
    counting = Counting(waits=True)
    async with connected(counting, acp.Client()) as agent:
        async for update in agent.prompt_stream(**PROMPT):
            if text(update) == "1":
                break
        gc.collect()
        async with asyncio.timeout(60):
            await counting.over.wait()
        assert counting.ended == ["cancelled"]


async def test_leaving_the_context_waits_until_the_turn_has_ended() -> None:
    counting = Counting(waits=True)
    async with connected(counting, acp.Client()) as agent:
        async with agent.prompt_stream(**PROMPT) as stream:
            await anext(stream)
        assert counting.ended == ["cancelled"]
        assert stream.response.stop_reason == "cancelled"
        counting.waits = False
        assert (await agent.prompt(**PROMPT)).stop_reason == "end_turn"


async def test_an_error_of_the_call_is_raised_by_the_loop() -> None:
    class Failing(acp.Agent):
        def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
            return acp.NewSessionResponse(session_id="s")

        async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
            await self.client.session_update(
                session_id="s", update=acp.AgentMessageChunk(content=acp.TextContent(text="0"))
            )
            raise acp.RequestError.auth_required()

    async with connected(Failing(), acp.Client()) as agent:
        stream = agent.prompt_stream(**PROMPT)
        assert text(await anext(stream)) == "0"
        with pytest.raises(acp.RequestError) as caught:
            await anext(stream)
        assert caught.value.code == acp.RequestError.AUTH_REQUIRED


async def test_an_agent_that_dies_ends_the_loop() -> None:
    counting = Counting(waits=True)
    async with connected(counting, acp.Client()) as agent:
        stream = agent.prompt_stream(**PROMPT)
        await anext(stream)
        await counting.client.close()
        with pytest.raises(acp.ConnectionClosed):
            async for _ in stream:
                pass


async def test_a_slow_reader_holds_the_agent_up() -> None:
    counting = Counting(20_000)
    async with connected(counting, acp.Client()) as agent:
        stream = agent.prompt_stream(**PROMPT)
        await anext(stream)
        await still(lambda: counting.sent)
        held = counting.sent
        assert held < counting.count
        assert 1 + len([update async for update in stream]) == counting.count


async def test_a_reader_that_asks_the_agent_amid_a_full_stream_gets_its_answer() -> None:
    counting = Counting(500)
    async with connected(counting, acp.Client()) as agent, asyncio.timeout(60):
        seen = 0
        async for _ in agent.prompt_stream(**PROMPT):
            if seen == 0:
                await still(lambda: counting.sent)
                # Its answer names the session, so it comes behind all that is in the stream already.
                assert (await agent.new_session(cwd="/", mcp_servers=[])).session_id == "s"
            seen += 1
        assert seen == 500


async def test_two_streams_of_two_sessions_get_their_own() -> None:
    class Naming(acp.Agent):
        async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
            for _ in range(5):
                chunk = acp.AgentMessageChunk(content=acp.TextContent(text=params.session_id))
                await self.client.session_update(session_id=params.session_id, update=chunk)
            return acp.PromptResponse(stop_reason="end_turn")

    async with connected(Naming(), acp.Client()) as agent:

        async def follow(session: str) -> list[str]:
            stream = agent.prompt_stream(session_id=session, prompt=[acp.TextContent(text="Go")])
            return [text(update) async for update in stream]

        assert await asyncio.gather(follow("a"), follow("b")) == [["a"] * 5, ["b"] * 5]


async def test_a_stream_that_is_never_asked_sends_nothing() -> None:
    counting = Counting()
    async with connected(counting, acp.Client()) as agent:
        async with agent.prompt_stream(**PROMPT):
            pass
        assert counting.sent == 0


async def test_a_stream_that_was_closed_begins_nothing() -> None:
    counting = Counting()
    async with connected(counting, acp.Client()) as agent:
        async with agent.prompt_stream(**PROMPT) as stream:
            pass
        assert [update async for update in stream] == []
        assert counting.sent == 0
