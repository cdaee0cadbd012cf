"""examples/full_agent.py: each feature over the real runtime, in memory, with sessions in a file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import generated as acp
from examples.full_agent import FullAgent
from generated.stores import SQLiteStore, using
from generated.testing import RecordingClient, connected

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "agent.md").read_text(encoding="utf-8")


class Editor(RecordingClient):
    """A client with files, terminals and a user who allows everything, or nothing."""

    def __init__(self, *, allows: bool = True) -> None:
        super().__init__(acp.Permissions(allow={"edit", "execute"} if allows else ()))
        self.files = {"/work/notes.txt": "bread\n"}
        self.terminals: set[str] = set()

    def read_text_file(self, params: acp.ReadTextFileRequest) -> acp.ReadTextFileResponse:
        if params.path not in self.files:
            raise acp.RequestError.resource_not_found({"path": params.path})
        return acp.ReadTextFileResponse(content=self.files[params.path])

    def write_text_file(self, params: acp.WriteTextFileRequest) -> None:
        self.files[params.path] = params.content

    def create_terminal(self, params: acp.CreateTerminalRequest) -> acp.CreateTerminalResponse:
        self.terminals.add("t")
        return acp.CreateTerminalResponse(terminal_id="t")

    def wait_for_terminal_exit(self, params: acp.WaitForTerminalExitRequest) -> acp.WaitForTerminalExitResponse:
        return acp.WaitForTerminalExitResponse(exit_code=0)

    def terminal_output(self, params: acp.TerminalOutputRequest) -> acp.TerminalOutputResponse:
        return acp.TerminalOutputResponse(output="2 passed", truncated=False)

    def kill_terminal(self, params: acp.KillTerminalRequest) -> None: ...

    def release_terminal(self, params: acp.ReleaseTerminalRequest) -> None:
        self.terminals.discard(params.terminal_id)

    def create_elicitation(self, params: acp.CreateElicitationRequest) -> acp.CreateElicitationResponse:
        return acp.CreateElicitationResponseAccept(content={"name": "Ada"})


@asynccontextmanager
async def agent_for(client: acp.Client, store: Path) -> AsyncGenerator[acp.ClientSideConnection]:
    """The agent on a store in a file, as its client holds it; afterwards the process has let go of the store."""
    async with using(SQLiteStore(store)) as opened, connected(FullAgent(opened), client) as (_, agent):
        yield agent


def said(session: acp.ClientSession) -> str:
    """The last message of the agent."""
    return [entry.text for entry in session.state.messages if entry.kind == "agent_message_chunk"][-1]


def calls(session: acp.ClientSession) -> list[str | None]:
    """The stages of the session's tool calls."""
    return [acp.given(call.status) for call in session.state.tool_calls.values()]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"


def test_it_has_fewer_than_150_lines() -> None:
    assert len((ROOT / "examples" / "full_agent.py").read_text(encoding="utf-8").splitlines()) < 150


async def test_the_page_shows_it() -> None:
    assert (ROOT / "examples" / "full_agent.py").read_text(encoding="utf-8") in PAGE


class TestTurns:
    async def test_an_answer_comes_in_pieces_with_a_plan_and_a_thought(self, store: Path) -> None:
        async with agent_for(Editor(), store) as agent, agent.session(cwd="/work") as session:
            updates = [update async for update in session.prompt("How are you")]
            assert said(session) == "How are you "
            assert [entry.status for entry in session.state.plan or []] == ["completed", "completed"]
        assert len([update for update in updates if isinstance(update, acp.AgentMessageChunk)]) == 3
        assert len([update for update in updates if isinstance(update, acp.AgentThoughtChunk)]) == 1

    @pytest.mark.parametrize(
        ("allows", "stage", "text"), [(True, "completed", "bread\nmilk\n"), (False, "failed", "bread\n")]
    )
    async def test_a_file_is_edited_if_the_user_allows_it(
        self, allows: bool, stage: str, text: str, store: Path
    ) -> None:
        editor = Editor(allows=allows)
        async with agent_for(editor, store) as agent, agent.session(cwd="/work") as session:
            await session.prompt("/edit notes.txt milk")
            (call,) = session.state.tool_calls.values()
            assert call.status == stage
            assert call.content == [acp.Diff(path="/work/notes.txt", old_text="bread\n", new_text="bread\nmilk\n")]
        assert editor.files == {"/work/notes.txt": text}

    async def test_a_mode_decides_instead_of_the_user(self, store: Path) -> None:
        editor = Editor(allows=False)
        async with agent_for(editor, store) as agent, agent.session(cwd="/work") as session:
            await session.set_mode("auto")
            await session.prompt("/edit notes.txt milk")
            assert calls(session) == ["completed"]
        assert editor.asked == []

    async def test_a_command_runs_in_a_terminal_that_is_released(self, store: Path) -> None:
        editor = Editor()
        async with agent_for(editor, store) as agent, agent.session(cwd="/work") as session:
            await session.prompt("/run make test")
            (call,) = session.state.tool_calls.values()
            assert (call.content, call.status) == ([acp.Terminal(terminal_id="t")], "completed")
            assert said(session) == "2 passed"
        assert editor.terminals == set()

    async def test_the_user_fills_in_a_form(self, store: Path) -> None:
        async with agent_for(Editor(), store) as agent, agent.session(cwd="/work") as session:
            await session.prompt("/survey Who are you?")
            assert said(session) == "You said Ada."

    async def test_the_mcp_servers_of_the_session_are_known(self, store: Path) -> None:
        server = acp.McpServerHttp(name="search", url="https://example.com/mcp", headers=[])
        async with agent_for(Editor(), store) as agent, agent.session(cwd="/work", mcp_servers=[server]) as session:
            await session.prompt("/servers")
            assert said(session) == "search"

    async def test_images_and_context_are_accepted(self, store: Path) -> None:
        text = acp.TextResourceContents(text="bread", uri="file:///work/notes.txt")
        image = acp.ImageContent(data="aGk=", mime_type="image/png")
        async with agent_for(Editor(), store) as agent, agent.session(cwd="/work") as session:
            await session.prompt(["What is this?", image, acp.EmbeddedResource(resource=text)])
            assert said(session) == "What is this? "

    @pytest.mark.parametrize("command", ["/edit notes.txt milk", "/run make", "/survey"])
    async def test_what_a_client_does_not_offer_is_said(self, command: str, store: Path) -> None:
        async with agent_for(RecordingClient(), store) as agent, agent.session(cwd="/work") as session:
            assert (await session.prompt(command)).stop_reason == "end_turn"
            assert said(session).startswith("That failed: ")

    async def test_an_error_of_the_client_ends_the_call_not_the_turn(self, store: Path) -> None:
        async with agent_for(Editor(), store) as agent, agent.session(cwd="/work") as session:
            assert (await session.prompt("/edit missing.txt milk")).stop_reason == "end_turn"
            assert calls(session) == ["failed"]

    async def test_a_turn_is_cancelled_while_the_user_is_asked(self, store: Path) -> None:
        class Slow(Editor):
            async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
                self.begun.set()
                await asyncio.Event().wait()
                raise AssertionError

            begun = asyncio.Event()

        editor = Slow()
        async with agent_for(editor, store) as agent, agent.session(cwd="/work") as session:
            turn = asyncio.ensure_future(session.prompt("/edit notes.txt milk"))
            await editor.begun.wait()
            await session.cancel()
            assert (await turn).stop_reason == "cancelled"
            assert calls(session) == ["failed"]


class TestSettings:
    async def test_modes_options_and_commands_are_told(self, store: Path) -> None:
        async with agent_for(Editor(), store) as agent, agent.session(cwd="/work") as session:
            assert session.state.mode == "ask"
            assert [option.current_value for option in session.state.options or []] == ["small"]
            await session.prompt("Hello")
            assert [command.name for command in session.state.commands or []] == ["edit", "run", "survey", "servers"]

    async def test_settings_outlive_the_process(self, store: Path) -> None:
        async with agent_for(Editor(), store) as agent:
            session = await agent.session(cwd="/work")
            await session.set_mode("auto")
            await session.set_config_option(config_id="model", value="large")
        async with agent_for(Editor(), store) as agent, agent.open(session.id, cwd="/work") as again:
            assert again.state.mode == "auto"
            assert [option.current_value for option in again.state.options or []] == ["large"]

    async def test_unknown_values_are_refused(self, store: Path) -> None:
        async with agent_for(Editor(), store) as agent, agent.session(cwd="/work") as session:
            with pytest.raises(acp.RequestError, match="Invalid params"):
                await session.set_mode("secret")
            with pytest.raises(acp.RequestError, match="Invalid params"):
                await session.set_config_option(config_id="model", value="huge")


class TestLife:
    async def test_a_session_is_listed_loaded_resumed_forked_closed_and_deleted(self, store: Path) -> None:
        async with agent_for(Editor(), store) as agent, agent.session(cwd="/work") as session:
            await session.prompt("Buy milk")
        async with agent_for(Editor(), store) as agent:
            assert [(each.session_id, each.title) async for each in agent.sessions(cwd="/work")] == [
                (session.id, "Buy milk")
            ]
            loaded = await agent.open(session.id, cwd="/work")
            assert (loaded.opened_by, loaded.state.messages[0].text) == (
                "session/load",
                "Buy milk",
            )
            await loaded.close()
            resumed = await agent.open(session.id, cwd="/work", replay=False)
            assert (resumed.opened_by, resumed.state.messages) == ("session/resume", [])
            fork = await resumed.fork(cwd="/work")
            assert (await fork.prompt("And bread")).stop_reason == "end_turn"
            await resumed.delete()
            assert [each.session_id async for each in agent.sessions()] == [fork.id]
