"""The SDK's names on our runtime: models with None for absent, an agent and a client in the SDK's form."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import acp_compat as acp
from acp_compat import contrib, schema
from acp_compat.tables import OFFICIAL, ROWS


def test_every_name_of_the_table_is_offered() -> None:
    assert {*OFFICIAL["names"], *OFFICIAL["names"].values()} <= {*schema.__all__}
    assert {*OFFICIAL["helpers"]} <= {*acp.__all__}


def test_an_absent_property_is_none_and_is_not_written() -> None:
    block: Any = acp.text_block("a")
    assert block.annotations is None
    assert block.model_dump(by_alias=True, exclude_none=True) == {"type": "text", "text": "a"}
    notice: Any = schema.SessionNotification(
        session_id="s", update=acp.update_agent_message(block), field_meta={"a": 1}
    )  # type: ignore[attr-defined]
    assert notice.model_dump(by_alias=True, exclude_none=True)["_meta"] == {"a": 1}


class Agent:
    """Inherits from nothing, as the SDK allows."""

    def on_connect(self, conn: Any) -> None:
        self.conn = conn

    async def prompt(self, session_id: str, prompt: list[Any], **kwargs: Any) -> Any:
        await self.conn.session_update(session_id, acp.update_agent_message_text(prompt[0].text), **kwargs)
        return acp.PromptResponse(stop_reason="end_turn")  # type: ignore[attr-defined]

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return {"method": method, **params}


class Client:
    def __init__(self) -> None:
        self.updates: list[Any] = []

    async def session_update(self, session_id: str, update: Any, **kwargs: Any) -> None:
        self.updates.append((session_id, update.content.text, kwargs))


@asynccontextmanager
async def connected(agent: Any, client: Any) -> AsyncIterator[acp.ClientSideConnection]:
    made: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        made.set_result(acp.AgentSideConnection(agent, writer, reader))

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        async with acp.connect_to_agent(client, writer, reader) as connection, await made:
            yield connection


async def test_a_turn_without_a_handshake() -> None:
    client = Client()
    async with connected(Agent(), client) as agent:
        answer = await agent.prompt("s", [acp.text_block("hello")], source="test")  # type: ignore[attr-defined]
        assert answer.stop_reason == "end_turn"
        assert client.updates == [("s", "hello", {"source": "test"})]
        assert await agent.ext_method("example.com/ask", {"a": 1}) == {"method": "example.com/ask", "a": 1}


async def test_a_method_without_a_handler_is_an_error() -> None:
    async with connected(Agent(), Client()) as agent:
        with pytest.raises(acp.RequestError) as caught:
            await agent.list_sessions()  # type: ignore[attr-defined]
        assert caught.value.to_error_obj() == {
            "code": -32601,
            "message": "Method not found",
            "data": {"method": ROWS["Agent"]["list_sessions"].method},
        }


class TestSessionState:
    """`contrib.SessionAccumulator`."""

    @staticmethod
    def notice(session: str, **update: Any) -> Any:
        return schema.SessionNotification.model_validate({"sessionId": session, "update": update})  # type: ignore[attr-defined]

    def test_updates_merge_into_the_state_and_its_copies_stay_as_they_were(self) -> None:
        state, told = contrib.SessionAccumulator(), list[Any]()
        with pytest.raises(RuntimeError):
            state.snapshot()
        end = state.subscribe(lambda snapshot, notice: told.append(notice.session_id))
        before = state.apply(self.notice("s", sessionUpdate="tool_call", toolCallId="t", title="Look", kind="read"))
        after = state.apply(self.notice("s", sessionUpdate="tool_call_update", toolCallId="t", status="completed"))
        assert (before.tool_calls["t"].status, after.tool_calls["t"].status) == (None, "completed")
        assert (after.tool_calls["t"].title, after.tool_calls["t"].kind) == ("Look", "read")
        end()
        state.apply(self.notice("s", sessionUpdate="current_mode_update", currentModeId="ask"))
        assert (state.snapshot().current_mode_id, told) == ("ask", ["s", "s"])

    def test_another_session_begins_anew_or_is_an_error(self) -> None:
        chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "a"}}
        state, strict = contrib.SessionAccumulator(), contrib.SessionAccumulator(auto_reset_on_session_change=False)
        for each in (state, strict):
            each.apply(self.notice("one", **chunk))
        assert len(state.apply(self.notice("two", **chunk)).agent_messages) == 1
        with pytest.raises(ValueError, match="of session one, not two"):
            strict.apply(self.notice("two", **chunk))
