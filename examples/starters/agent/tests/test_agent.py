"""The agent over the real runtime, in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from my_agent import acp
from my_agent.acp.testing import RecordingClient, connected
from my_agent.agent import MyAgent


class Waiting(RecordingClient):
    """A client whose user does not answer."""

    def __init__(self) -> None:
        super().__init__()
        self.asking = asyncio.Event()

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        self.asking.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_it_says_back_what_it_is_told(tmp_path: Path) -> None:
    client = RecordingClient()
    async with connected(MyAgent(), client) as (_, agent):
        session = await agent.session(cwd=str(tmp_path))
        response = await session.prompt("Hello you")
    assert response.stop_reason == "end_turn"
    assert client.text == "Hello you "


@pytest.mark.parametrize(("allowed", "status", "there"), [(True, "completed", False), (False, "failed", True)])
async def test_it_asks_before_it_deletes(tmp_path: Path, allowed: bool, status: str, there: bool) -> None:
    file = tmp_path / "notes.txt"
    file.touch()
    client = RecordingClient(acp.Permissions(allow={"delete"} if allowed else ()))
    async with connected(MyAgent(), client) as (_, agent):
        session = await agent.session(cwd=str(tmp_path))
        await session.prompt("delete notes.txt")
    assert len(client.asked) == 1
    assert [call.status for call in client.state.tool_calls.values()] == [status]
    assert file.exists() is there


async def test_a_file_elsewhere_is_left_alone(tmp_path: Path) -> None:
    client = RecordingClient(acp.Permissions(allow={"delete"}))
    (tmp_path / "project").mkdir()
    (tmp_path / "other.txt").touch()
    async with connected(MyAgent(), client) as (_, agent):
        session = await agent.session(cwd=str(tmp_path / "project"))
        await session.prompt("delete ../other.txt")
    assert client.asked == []
    assert (tmp_path / "other.txt").exists()


async def test_a_cancelled_turn_leaves_nothing_pending(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    client = Waiting()
    async with connected(MyAgent(), client) as (_, agent):
        session = await agent.session(cwd=str(tmp_path))
        turn = asyncio.ensure_future(session.prompt("delete notes.txt"))
        await client.asking.wait()
        await session.cancel()
        assert (await turn).stop_reason == "cancelled"
    assert [call.status for call in client.state.tool_calls.values()] == ["failed"]
    assert (tmp_path / "notes.txt").exists()
