"""The notification that ends a turn: what the schema's root says of it, done by the runtime, left to a handler of one's own."""

from __future__ import annotations

import asyncio
import importlib.util
from typing import Any

import pytest
from peers import ROOT, Wire, wired_agent

from generated import (
    Agent,
    CancelNotification,
    Limits,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    RequestError,
)


class Slow(Agent):
    """An agent whose turns wait until they are ended; `ended` names their sessions."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id="s")

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.append(params.session_id)
        raise AssertionError("nothing sets the event")


def prompt(id: int, session: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    params = {"sessionId": session, "prompt": list(blocks)}
    return {"jsonrpc": "2.0", "id": id, "method": "session/prompt", "params": params}


def cancel(session: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}


async def ended_by(wire: Wire, *frames: dict[str, Any]) -> Any:
    """The answer to the request 1 that some frames lead to."""
    await wire.send(*frames)
    response = await wire.receive()
    assert response["id"] == 1
    return response.get("result") or response["error"]


async def test_a_turn_ends_with_what_the_schema_says() -> None:
    agent = Slow()
    async with wired_agent(agent) as wire:
        assert await ended_by(wire, prompt(1, "s"), cancel("s")) == {"stopReason": "cancelled"}
    assert agent.ended == ["s"]


async def test_only_the_turn_of_the_session_that_is_named_ends() -> None:
    agent = Slow()
    async with wired_agent(agent) as wire:
        assert await ended_by(wire, prompt(2, "t"), prompt(1, "s"), cancel("other"), cancel(5), cancel("s")) == {
            "stopReason": "cancelled"
        }
        assert agent.ended == ["s"]


async def test_a_request_that_no_keyword_names_goes_on() -> None:
    class Opening(Slow):
        async def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
            await asyncio.sleep(0.02)
            return NewSessionResponse(session_id="s")

    new = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "session/new",
        "params": {"sessionId": "s", "cwd": "/", "mcpServers": []},
    }
    async with wired_agent(Opening()) as wire:
        assert await ended_by(wire, new, cancel("s")) == {"sessionId": "s"}


async def test_an_agent_with_a_handler_of_its_own_keeps_control() -> None:
    class Own(Slow):
        def __init__(self) -> None:
            super().__init__()
            self.stop = asyncio.Event()

        def cancel(self, params: CancelNotification) -> None:
            self.stop.set()

        async def prompt(self, params: PromptRequest) -> PromptResponse:
            await self.stop.wait()
            return PromptResponse(stop_reason="refusal")

    async with wired_agent(Own()) as wire:
        assert await ended_by(wire, prompt(1, "s"), cancel("s")) == {"stopReason": "refusal"}


async def test_a_handler_that_is_ended_may_answer_by_itself() -> None:
    class Tidy(Slow):
        async def prompt(self, params: PromptRequest) -> PromptResponse:
            try:
                return await super().prompt(params)
            except asyncio.CancelledError:
                return PromptResponse(stop_reason="cancelled", meta={"tidy": True})

    async with wired_agent(Tidy()) as wire:
        answer = await ended_by(wire, prompt(1, "s"), cancel("s"))
    assert answer == {"stopReason": "cancelled", "_meta": {"tidy": True}}


@pytest.mark.parametrize(
    "failure", [RequestError.internal_error(), OSError("the tool was stopped")], ids=["answer", "other"]
)
async def test_what_a_handler_raises_because_it_is_ended_is_no_failed_turn(failure: Exception) -> None:
    class Loud(Slow):
        async def prompt(self, params: PromptRequest) -> PromptResponse:
            try:
                return await super().prompt(params)
            except asyncio.CancelledError:
                raise failure from None

    async with wired_agent(Loud()) as wire:
        assert await ended_by(wire, prompt(1, "s"), cancel("s")) == {"stopReason": "cancelled"}


async def test_a_request_that_is_given_up_is_answered_as_before() -> None:
    async with wired_agent(Slow()) as wire:
        gone = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}}
        assert (await ended_by(wire, prompt(1, "s"), gone))["code"] == RequestError.CANCELLED


async def test_the_agent_of_the_readme_can_be_cancelled() -> None:
    spec = importlib.util.spec_from_file_location("echo_agent", ROOT / "examples" / "echo_agent.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    blocks = [{"type": "text", "text": "x" * 50_000}] * 200
    async with wired_agent(module.EchoAgent(), limits=Limits(backlog=1 << 20)) as wire:
        await wire.send(prompt(1, "s", *blocks), cancel("s"))
        updates = 0
        while "id" not in (frame := await wire.receive()):
            updates += 1
        assert frame["result"] == {"stopReason": "cancelled"}
    assert 0 < updates < len(blocks)
