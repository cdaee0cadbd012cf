"""A request on both sides together: the modules that it passes through, and what it leaves behind."""

from __future__ import annotations

import gc
import sys
from types import FrameType
from typing import Any

import pytest

from generated import Agent, NewSessionRequest, NewSessionResponse, PromptRequest, PromptResponse, TextContent
from generated.testing import connected

MOST = 14
HARNESS = "testing.py"
"""The streams in memory of a test. A process has those of asyncio in their place."""


class Answering(Agent):
    async def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id="s")

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        return PromptResponse(stop_reason="end_turn")


CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "opens a session": ("new_session", {"cwd": "/", "mcp_servers": []}),
    "takes a turn": ("prompt", {"session_id": "s", "prompt": [TextContent(text="x")]}),
}


@pytest.mark.parametrize(("name", "parameters"), CALLS.values(), ids=list(CALLS))
async def test_a_request_passes_through_few_modules(name: str, parameters: dict[str, Any]) -> None:
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        _, inside, module = frame.f_code.co_filename.partition("/_runtime/")
        if event == "call" and inside:
            entered.add(module)

    async with connected(Answering()) as (_, agent):
        call = getattr(agent, name)
        await call(**parameters)  # what is found out once for each method
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            await call(**parameters)
        finally:
            sys.setprofile(before)
    modules = sorted(entered - {HARNESS})
    assert {"connection/connection.py", "connection/router.py", "transport/channel.py"} < set(modules)
    assert len(modules) <= MOST, "\n".join(modules)


@pytest.mark.parametrize(("name", "parameters"), CALLS.values(), ids=list(CALLS))
async def test_a_request_leaves_no_circle_to_the_garbage_collector(name: str, parameters: dict[str, Any]) -> None:
    async with connected(Answering()) as (_, agent):
        call = getattr(agent, name)
        await call(**parameters)
        gc.collect()
        gc.disable()
        try:
            for _ in range(10):
                await call(**parameters)
            assert gc.collect() == 0
        finally:
            gc.enable()
