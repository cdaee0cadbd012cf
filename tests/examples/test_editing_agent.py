"""examples/editing_agent.py, the agent whose size is compared with that of the official SDK's: what it does, in 28 lines at most."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import generated as acp
from examples.editing_agent import EditingAgent
from generated.testing import RecordingClient, connected

PROGRAM = Path(__file__).resolve().parents[2] / "examples" / "editing_agent.py"


class Files(RecordingClient):
    """A client with one file, and a user who allows edits, or nothing."""

    content = "bread\n"

    def __init__(self, *, allows: bool) -> None:
        super().__init__(acp.Permissions(allow={"edit"} if allows else ()))

    def read_text_file(self, params: acp.ReadTextFileRequest) -> acp.ReadTextFileResponse:
        return acp.ReadTextFileResponse(content=self.content)

    def write_text_file(self, params: acp.WriteTextFileRequest) -> None:
        self.content = params.content


def test_it_has_28_lines_of_code_at_most() -> None:
    lines = PROGRAM.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip() and not line.startswith('"""')]) <= 28


@pytest.mark.parametrize(
    ("mode", "allows", "stage", "text"),
    [
        ("ask", True, "completed", "bread\nmilk\n"),
        ("ask", False, "failed", "bread\n"),
        ("auto", False, "completed", "bread\nmilk\n"),
    ],
)
async def test_the_mode_or_the_user_decides(mode: str, allows: bool, stage: str, text: str) -> None:
    files = Files(allows=allows)
    async with connected(EditingAgent(), files) as (_, agent), agent.session(cwd="/work") as session:
        await session.set_mode(mode)
        assert (await session.prompt("/work/notes.txt")).stop_reason == "end_turn"
        (call,) = session.state.tool_calls.values()
        assert call.content == [acp.Diff(path="/work/notes.txt", old_text="bread\n", new_text="bread\nmilk\n")]
        assert [entry.status for entry in session.state.plan or []] == ["completed"]
    assert (call.status, files.content) == (stage, text)


async def test_a_cancelled_turn_fails_the_call_and_writes_nothing() -> None:
    asking = asyncio.Event()

    class Waiting(Files):
        async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
            asking.set()
            await asyncio.Event().wait()
            raise AssertionError

    files = Waiting(allows=True)
    async with connected(EditingAgent(), files) as (_, agent), agent.session(cwd="/work") as session:
        turn = asyncio.ensure_future(session.prompt("/work/notes.txt"))
        await asking.wait()
        await session.cancel()
        assert (await turn).stop_reason == "cancelled"
        assert [call.status for call in session.state.tool_calls.values()] == ["failed"]
    assert files.content == "bread\n"
