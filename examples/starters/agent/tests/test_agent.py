"""The agent over the real runtime, in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from my_agent import acp
from my_agent.acp.testing import RecordingClient, connected
from my_agent.agent import MyAgent


class Deciding(RecordingClient):
    """A client that answers every permission request alike; None: not at all."""

    def __init__(self, option: str | None) -> None:
        super().__init__()
        self.option = option
        self.asked = asyncio.Event()

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        self.asked.set()
        if self.option is None:
            await asyncio.Event().wait()
        assert self.option is not None
        return acp.RequestPermissionResponse(outcome=acp.SelectedPermissionOutcome(option_id=self.option))


async def test_it_says_back_what_it_is_told(tmp_path: Path) -> None:
    client = RecordingClient()
    async with connected(MyAgent(), client) as (_, agent):
        session = await agent.new_session(cwd=str(tmp_path), mcp_servers=[])
        response = await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text="Hello you")])
    assert response.stop_reason == "end_turn"
    assert client.text == "Hello you "


@pytest.mark.parametrize(("option", "status", "there"), [("yes", "completed", False), ("no", "failed", True)])
async def test_it_asks_before_it_deletes(tmp_path: Path, option: str, status: str, there: bool) -> None:
    file = tmp_path / "notes.txt"
    file.touch()
    client = Deciding(option)
    async with connected(MyAgent(), client) as (_, agent):
        session = await agent.new_session(cwd=str(tmp_path), mcp_servers=[])
        await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text="delete notes.txt")])
    assert [call.status for call in client.state.tool_calls.values()] == [status]
    assert file.exists() is there


async def test_a_file_elsewhere_is_left_alone(tmp_path: Path) -> None:
    client = Deciding("yes")
    (tmp_path / "project").mkdir()
    (tmp_path / "other.txt").touch()
    async with connected(MyAgent(), client) as (_, agent):
        session = await agent.new_session(cwd=str(tmp_path / "project"), mcp_servers=[])
        await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text="delete ../other.txt")])
    assert not client.asked.is_set()
    assert (tmp_path / "other.txt").exists()


async def test_a_cancelled_turn_leaves_nothing_pending(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    client = Deciding(None)
    async with connected(MyAgent(), client) as (_, agent):
        session = await agent.new_session(cwd=str(tmp_path), mcp_servers=[])
        prompt = [acp.TextContent(text="delete notes.txt")]
        turn = asyncio.create_task(agent.prompt(session_id=session.session_id, prompt=prompt))
        await client.asked.wait()
        await agent.cancel(session_id=session.session_id)
        assert (await turn).stop_reason == "cancelled"
    assert [call.status for call in client.state.tool_calls.values()] == ["failed"]
    assert (tmp_path / "notes.txt").exists()
