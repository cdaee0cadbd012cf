"""How streams end: several of them, loops that are left while their stream is still held, and what the session does next."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from peers import connected

import generated as acp
from generated import blocking
from generated.testing import RecordingClient


def prompt(text: str) -> dict[str, Any]:
    return {"session_id": "s", "prompt": [acp.TextContent(text=text)]}


class Saying(acp.Agent):
    """Says as many words as the prompt has, then waits if the last one is `wait`; it remembers how its turns ended."""

    def __init__(self) -> None:
        self.begun = 0
        self.ended: list[str] = []
        self.over = asyncio.Event()

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        self.begun += 1
        (block,) = params.prompt
        assert isinstance(block, acp.TextContent)
        try:
            for word in block.text.split():
                chunk = acp.AgentMessageChunk(content=acp.TextContent(text=word))
                await self.client.session_update(session_id=params.session_id, update=chunk)
            if block.text.endswith("wait"):
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.ended.append(f"{block.text}: cancelled")
            self.over.set()
            raise
        self.ended.append(f"{block.text}: answered")
        return acp.PromptResponse(stop_reason="end_turn")


async def words(stream: Any) -> list[str]:
    return [update.content.text async for update in stream]


async def test_updates_are_heard_once_after_streams_that_overlapped() -> None:
    """The first of two that listened leaves first: what the second one found must not stay behind."""
    client = RecordingClient()
    async with connected(Saying(), client) as agent:
        for _ in range(3):
            first, second = agent.prompt_stream(**prompt("a wait")), agent.prompt_stream(**prompt("b wait"))
            await anext(first)
            await anext(second)
            await asyncio.gather(first.aclose(), second.aclose())
        client.updates.clear()
        assert await words(agent.prompt_stream(**prompt("one two"))) == ["one", "two"]
        assert len(client.updates) == 2


async def test_who_leaves_the_loop_cancels_the_turn_though_the_stream_is_held() -> None:
    saying = Saying()
    async with connected(saying, acp.Client()) as agent:
        stream = agent.prompt_stream(**prompt("a b wait"))
        async for _ in stream:
            break
        async with asyncio.timeout(60):
            await saying.over.wait()
            assert await words(stream) == []
        assert saying.ended == ["a b wait: cancelled"]
        assert stream.response.stop_reason == "cancelled"


async def test_who_leaves_the_loop_by_an_error_cancels_the_turn_though_the_error_is_held() -> None:
    saying = Saying()
    async with connected(saying, acp.Client()) as agent:

        async def follow() -> None:
            stream = agent.prompt_stream(**prompt("a b wait"))
            async for _ in stream:
                raise ValueError("not this")

        with pytest.raises(ValueError, match="not this") as held:
            await follow()
        async with asyncio.timeout(60):
            await saying.over.wait()
        assert held.traceback
        assert saying.ended == ["a b wait: cancelled"]


async def test_the_next_turn_is_not_the_one_that_is_cancelled() -> None:
    saying = Saying()
    async with connected(saying, acp.Client()) as agent, asyncio.timeout(60):
        for number in range(5):
            async for _ in agent.prompt_stream(**prompt(f"{number} wait")):
                break
            assert (await agent.prompt(**prompt(f"{number} next"))).stop_reason == "end_turn"
        assert sorted(saying.ended) == sorted(
            said for number in range(5) for said in (f"{number} wait: cancelled", f"{number} next: answered")
        )


async def test_a_stream_that_was_begun_by_hand_goes_on_in_a_loop() -> None:
    async with connected(Saying(), acp.Client()) as agent:
        stream = agent.prompt_stream(**prompt("a b c"))
        first: Any = await anext(stream)
        assert [first.content.text, *await words(stream)] == ["a", "b", "c"]
        assert stream.response.stop_reason == "end_turn"


@pytest.mark.parametrize("turns", range(8))
async def test_a_stream_that_is_dropped_while_it_begins_leaves_no_turn(turns: int) -> None:
    saying = Saying()
    async with connected(saying, acp.Client()) as agent, asyncio.timeout(60):

        async def follow() -> None:
            async for _ in agent.prompt_stream(**prompt("wait")):
                pass

        task = asyncio.ensure_future(follow())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        del task
        assert (await agent.prompt(**prompt("next"))).stop_reason == "end_turn"
        while any("_Held" in repr(task.get_coro()) for task in asyncio.all_tasks()):  # noqa: ASYNC110  # what ends it is nobody's event
            await asyncio.sleep(0)
        assert "wait: answered" not in saying.ended
        assert len(saying.ended) == saying.begun


def test_who_leaves_a_blocking_loop_cancels_the_turn_though_the_stream_is_held() -> None:
    saying = Saying()
    with blocking.ClientSideConnection(lambda: connected(saying, acp.Client())) as agent:
        stream = agent.prompt_stream(**prompt("a b wait"))
        for _ in stream:
            break
        assert agent.prompt(**prompt("next")).stop_reason == "end_turn"
        assert [update for update in stream] == []  # noqa: C416  # it is a loop that is tried
        assert sorted(saying.ended) == ["a b wait: cancelled", "next: answered"]
        assert stream.response.stop_reason == "cancelled"
