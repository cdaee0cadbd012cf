"""Tool calls as objects: begun, told about, and ended however the block is left."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec import UNSET

import generated as acp
from generated.testing import RecordingClient, connected

CALL = acp.ToolCall(tool_call_id="t", title="Read", status="pending")


class Working(acp.Agent):
    """Does in its turn what a test wants."""

    def __init__(self, work: Callable[[acp.AgentSideConnection], Awaitable[None]]) -> None:
        self.work = work

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        await self.work(self.client)
        return acp.PromptResponse(stop_reason="end_turn")


class Telling(RecordingClient):
    """Says when the first update has come."""

    def __init__(self) -> None:
        super().__init__()
        self.told = asyncio.Event()

    def session_update(self, params: acp.SessionNotification) -> None:
        super().session_update(params)
        self.told.set()


async def statuses(work: Callable[[acp.AgentSideConnection], Awaitable[None]], *, cancel: bool = False) -> list[Any]:
    client = Telling()
    async with connected(Working(work), client) as (_, agent):
        turn = asyncio.ensure_future(agent.prompt(session_id="s", prompt=[]))
        if cancel:
            await client.told.wait()
            await agent.cancel(session_id="s")
        await asyncio.wait({turn})
        if turn.exception() is None:
            assert turn.result().stop_reason == ("cancelled" if cancel else "end_turn")
    return [getattr(update, "status", None) for update in client.updates]


async def test_a_block_that_is_left_well_completes_the_call() -> None:
    async def work(client: acp.AgentSideConnection) -> None:
        async with client.tool_call("s", CALL) as call:
            assert call.key == "t"
            await call.update(status="in_progress", title="Read on")

    assert await statuses(work) == ["pending", "in_progress", "completed"]


@pytest.mark.parametrize("error", [ValueError("no"), acp.RequestError.internal_error()], ids=["fault", "error"])
async def test_an_exception_fails_the_call_and_goes_on(error: Exception) -> None:
    async def work(client: acp.AgentSideConnection) -> None:
        with pytest.raises(type(error)):
            async with client.tool_call("s", CALL):
                raise error

    assert await statuses(work) == ["pending", "failed"]


async def test_a_cancelled_turn_fails_the_call() -> None:
    async def work(client: acp.AgentSideConnection) -> None:
        async with client.tool_call("s", CALL):
            await asyncio.Event().wait()

    assert await statuses(work, cancel=True) == ["pending", "failed"]


@pytest.mark.parametrize("status", ["completed", "failed"])
async def test_what_an_update_has_said_is_not_said_again(status: Any) -> None:
    async def work(client: acp.AgentSideConnection) -> None:
        async with client.tool_call("s", CALL) as call:
            await call.update(status=status)
            assert call.ended

    assert await statuses(work) == ["pending", status]


async def test_what_is_left_out_of_an_update_is_not_sent() -> None:
    client = RecordingClient()

    async def work(connection: acp.AgentSideConnection) -> None:
        async with connection.tool_call("s", CALL) as call:
            await call.update(locations=[acp.ToolCallLocation(path="/a")])

    async with connected(Working(work), client) as (_, agent):
        await agent.prompt(session_id="s", prompt=[])
    assert acp.to_dict(client.updates[1]) == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "t",
        "locations": [{"path": "/a"}],
    }


@pytest.mark.parametrize(
    "left_by", [ValueError("the model is gone"), asyncio.CancelledError()], ids=["fault", "cancel"]
)
async def test_a_client_that_is_gone_hides_no_exception(left_by: BaseException) -> None:
    sent: list[Any] = []

    async def send(update: Any) -> None:
        sent.append(update)
        if len(sent) > 1:
            raise acp.ConnectionClosed("the client closed the connection")

    with pytest.raises(type(left_by)):
        async with acp.agent.ToolCallEntry(send, CALL, "t"):
            raise left_by
    with pytest.raises(acp.ConnectionClosed):
        async with acp.agent.ToolCallEntry(send, CALL, "t"):
            pass
    assert [update.status for update in sent[:2]] == ["pending", "failed"]


async def test_an_agent_that_keeps_what_it_sends_passes_what_sends_it() -> None:
    kept: list[acp.ToolCall | acp.ToolCallProgress] = []

    async def work(client: acp.AgentSideConnection) -> None:
        async def send(update: acp.ToolCall | acp.ToolCallProgress) -> None:
            kept.append(update)
            await client.session_update(session_id="s", update=update)

        async with client.tool_call("s", CALL, send=send) as call:
            await call.update(title="Write")

    assert await statuses(work) == ["pending", UNSET, "completed"]
    assert [type(update) for update in kept] == [
        acp.ToolCall,
        acp.ToolCallProgress,
        acp.ToolCallProgress,
    ]
