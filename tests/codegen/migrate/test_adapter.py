"""A real adapter, `deepagents-acp`, ported: driven through the testing kit, and it says what the original says."""

from __future__ import annotations

import ast
import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace as Object
from typing import Any

import pytest

import generated as acp
from codegen.migrate.rename_table import official as official_table
from codegen.migrate.rewrite import move
from generated.testing import RecordingClient, connected
from tests.codegen.migrate.fake_graph import MODELS, MODES, Graph
from tests.codegen.migrate.ports.deep_agent.agent import DeepAgent
from tests.codegen.migrate.test_from_the_sdk import PAGE, lines_of_code, within
from tests.support import official_sdks

ADAPTER = "deepagents-acp==0.0.13"
HERE = Path(__file__).parent
PORT = HERE / "ports" / "deep_agent"


class User(RecordingClient):
    """Chooses the option of this id, or waits until it is cancelled."""

    choice: str | None = "approve"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[acp.RequestPermissionRequest] = []

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        self.asked.append(params)
        if self.choice is None:
            return acp.RequestPermissionResponse(outcome=acp.RequestPermissionOutcomeCancelled())
        return acp.RequestPermissionResponse(outcome=acp.SelectedPermissionOutcome(option_id=self.choice))


def port(threads: dict[str, Any] | None = None, **options: Any) -> DeepAgent:
    kept: dict[str, Any] = {} if threads is None else threads
    modes = acp.SessionModeState(
        current_mode_id="ask", available_modes=[acp.SessionMode(id=k, name=n) for k, n in MODES]
    )
    return DeepAgent(
        lambda context: Graph(context, kept),
        lambda made: Object(resume={"decisions": made}),
        **{
            "modes": modes,
            "models": [acp.SessionConfigSelectOption(value=model["value"], name=model["name"]) for model in MODELS],
            "keeps": True,
            **options,
        },
    )


def said(text: str) -> list[acp.ContentBlock]:
    return [acp.TextContent(text=text)]


# --- the port through the testing kit --------------------------------------------------------------------------------


async def ask(word: str, *choices: str | None) -> tuple[User, list[Any]]:
    """One prompt for each choice, in one session: the client, and what the graph was told."""
    user, agent = User(), port()
    async with connected(agent, user) as (_, server):
        session = (await server.new_session(cwd="/", mcp_servers=[])).session_id
        for user.choice in choices:
            answer = await server.prompt(session_id=session, prompt=said(word))
            assert answer.stop_reason == "end_turn"
        graph: Any = agent.sessions[session].graph
    return user, [each.resume["decisions"] for each in graph.asked if not isinstance(each, dict)]


async def test_a_prompt_is_answered_in_pieces() -> None:
    user, _ = await ask("text", "approve")
    assert user.text == "Hello ask small"


async def test_a_tool_call_begins_once_its_arguments_are_whole_and_ends_with_its_result() -> None:
    user, _ = await ask("edit", "approve")
    first, last = user.updates
    assert isinstance(first, acp.ToolCall)
    assert (first.status, first.title) == ("pending", "Edit `/a.py`")
    assert isinstance(last, acp.ToolCallProgress)
    assert last.status == "completed"


@pytest.mark.parametrize(
    ("choice", "decided", "status"),
    [("approve", "approve", "completed"), ("reject", "reject", "failed"), (None, "reject", "failed")],
)
async def test_the_user_decides_about_a_command(choice: str | None, decided: str, status: str) -> None:
    user, decisions = await ask("run", choice)
    assert decisions == [[{"type": decided}]]
    assert user.state.tool_calls["call"].status == status
    assert user.asked[0].tool_call.title == "Execute: `ls -l`"


async def test_what_is_always_allowed_is_asked_once() -> None:
    user, decisions = await ask("run", "approve_always", "approve_always")
    assert len(user.asked) == 1
    assert decisions == [[{"type": "approve"}]] * 2


async def test_a_rejected_plan_is_cleared() -> None:
    user, decisions = await ask("plan", "reject")
    assert not user.state.plan
    assert "rejected the plan" in decisions[0][0]["feedback"]


async def test_a_turn_can_be_cancelled_while_it_streams_and_while_it_asks() -> None:
    asked = asyncio.Event()

    class Undecided(User):
        async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
            asked.set()
            return await asyncio.Future[acp.RequestPermissionResponse]()

    user = Undecided()
    async with connected(port(), user) as (_, server):
        session = (await server.new_session(cwd="/", mcp_servers=[])).session_id
        async with server.prompt_stream(session_id=session, prompt=said("forever")) as stream:
            async for _ in stream:
                break
        assert stream.response.stop_reason == "cancelled"
        turn = asyncio.create_task(server.prompt(session_id=session, prompt=said("run")))
        await asked.wait()
        await server.cancel(session_id=session)
        assert (await turn).stop_reason == "cancelled"
    assert user.state.tool_calls["call"].status == "failed"


async def test_a_session_is_loaded_as_it_was_left() -> None:
    threads: dict[str, Any] = {}
    before, after = User(), User()
    async with connected(port(threads), before) as (_, server):
        session = (await server.new_session(cwd="/", mcp_servers=[])).session_id
        await server.set_session_mode(session_id=session, mode_id="auto")
        await server.prompt(session_id=session, prompt=said("run"))
    async with connected(port(threads), after) as (_, server):
        loaded = await server.load_session(session_id=session, cwd="/", mcp_servers=[])
        assert loaded.modes.current_mode_id == "auto"  # type: ignore[union-attr]
        with pytest.raises(acp.RequestError, match="Resource not found"):
            await server.load_session(session_id="other", cwd="/", mcp_servers=[])
        with pytest.raises(acp.RequestError, match="Invalid params"):
            await server.load_session(session_id=session, cwd="/elsewhere", mcp_servers=[])
    assert after.state.tool_calls == before.state.tool_calls
    assert after.state.messages[0].text == "run"


async def test_an_agent_that_keeps_nothing_does_not_offer_to_load() -> None:
    async with connected(port(keeps=False)) as (_, server):
        assert not server.offers("load_session")
        session = await server.new_session(cwd="/", mcp_servers=[])
        with pytest.raises(acp.RequestError) as caught:
            await server.set_session_mode(session_id=session.session_id, mode_id="none")
        assert caught.value.code == acp.RequestError.INVALID_PARAMS


# --- and beside the original -----------------------------------------------------------------------------------------


@asynccontextmanager
async def original(user: User) -> AsyncGenerator[acp.ClientSideConnection, None]:
    runner = [str(HERE / "original_adapter.py"), str(adapter()), str(HERE.parents[2])]
    async with acp.spawn_agent(
        user, str(official_sdks.python()), *runner, check_capabilities=False, stderr=subprocess.DEVNULL
    ) as server:
        await server.initialize()
        yield server


@asynccontextmanager
async def ported(user: User) -> AsyncGenerator[acp.ClientSideConnection, None]:
    async with connected(port(), user) as (_, server):
        yield server


def adapter() -> Path:
    def fetch(home: Path) -> None:
        command = [
            "-m",
            "pip",
            "-q",
            "--disable-pip-version-check",
            "install",
            "--no-deps",
            "--target",
            str(home),
            ADAPTER,
        ]
        subprocess.run([sys.executable, *command], check=True)

    return official_sdks.cached(ADAPTER, fetch)


Step = Callable[[acp.ClientSideConnection, str], Awaitable[Any]]


def prompt(*words: str) -> Step:
    async def step(server: acp.ClientSideConnection, session: str) -> Any:
        return [await server.prompt(session_id=session, prompt=said(word)) for word in words]

    return step


async def switch(server: acp.ClientSideConnection, session: str) -> Any:
    change = acp.SetSessionConfigOptionRequestValueId(session_id=session, config_id="model", value="large")
    switched = await server.set_session_config_option(change)
    await server.set_session_mode(session_id=session, mode_id="auto")
    return [switched, await server.prompt(session_id=session, prompt=said("text"))]


async def load(server: acp.ClientSideConnection, session: str) -> Any:
    await server.prompt(session_id=session, prompt=said("run"))
    return await server.load_session(session_id=session, cwd="/", mcp_servers=[])


STEPS: dict[str, tuple[Step, str | None]] = {
    "text": (prompt("text", "think"), None),
    "an edit": (prompt("edit"), None),
    "a command": (prompt("run", "run"), "approve"),
    "always": (prompt("run", "run"), "approve_always"),
    "rejected": (prompt("run"), "reject"),
    "a question that is cancelled: rejected": (prompt("run"), None),
    "a plan": (prompt("plan"), "approve"),
    "a rejected plan": (prompt("plan"), "reject"),
    "options": (switch, None),
    "load": (load, "approve"),
}


def plain(value: Any) -> Any:
    """As it is on the wire, without nulls, which the SDK writes for what it does not have."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items() if item is not None and name != "description"}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return plain(acp.to_dict(value)) if hasattr(value, "__struct_fields__") else value


def corrected(update: Any, name: str) -> list[Any]:
    """An update of the original with its two mistakes mended: an edit never ends, and what was rejected is "completed"."""
    if name == "an edit":
        del update["rawInput"]  # the diff for a second time
        return [update, {"sessionUpdate": "tool_call_update", "toolCallId": "call", "status": "completed"}]
    if "reject" in name and update["sessionUpdate"] == "tool_call_update":
        return [{**update, "status": "failed"}]
    return [update]


async def talk(which: Any) -> dict[str, Any]:
    """Each step in a session of its own: the session, the answers, what the user was asked, the updates."""
    user, went = User(), {}
    async with which(user) as server:
        for name, (step, user.choice) in STEPS.items():
            user.asked.clear()
            user.updates.clear()
            opened = plain(await server.new_session(cwd="/", mcp_servers=[]))
            answer = plain(await step(server, opened.pop("sessionId")))
            asked = [plain(each.tool_call) | {"options": plain(list(each.options))} for each in user.asked]
            went[name] = opened, answer, asked, [plain(each) for each in user.updates]
    return went


@pytest.mark.environment
@pytest.mark.slow
async def test_the_port_says_what_the_original_says() -> None:
    theirs, ours = await asyncio.gather(talk(original), talk(ported))
    for name, (*said, updates) in theirs.items():
        mended = [after for before in updates for after in corrected(before, name)]
        assert ours[name] == (*said, mended), name


@pytest.mark.environment
@pytest.mark.slow
async def test_both_can_be_stopped() -> None:
    for which in original, ported:
        async with which(User()) as server:
            opened = await server.new_session(cwd="/", mcp_servers=[])
            async with server.prompt_stream(session_id=opened.session_id, prompt=said("forever")) as stream:
                async for _ in stream:
                    break
            assert stream.response.stop_reason == "cancelled"


@pytest.mark.environment
@pytest.mark.slow
def test_the_codemod_leaves_three_places_to_its_author() -> None:
    text = (adapter() / "deepagents_acp" / "server.py").read_text()
    remarks = move(text, official_table(), "generated").remarks
    assert [remark.text.partition(":")[0] for remark in remarks] == [
        "uses a module of the SDK as a value",
        "initialize",
        "cancel",
    ]


UNPORTED = (
    "_serve_test_agent",
    "DANGEROUS_SHELL_PATTERNS",
    "contains_dangerous_patterns",
    "extract_command_types",
    "_MAX_DISPLAY_COMMAND_LENGTH",
    "truncate_execute_command_for_display",
)
"""A program for trying it out, and what nothing of it uses."""


def unported(node: ast.stmt) -> bool:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name in UNPORTED
        case _:
            return False


@pytest.mark.slow
def test_the_port_has_as_many_lines_as_the_page_says() -> None:
    theirs = 0
    for name in ("server.py", "utils.py"):
        text = (adapter() / "deepagents_acp" / name).read_text()
        left = filter(unported, ast.parse(text).body)
        theirs += len(lines_of_code(text) - {line for node in left for line in within(node)})
    ours = sum(len(lines_of_code(path.read_text())) for path in PORT.glob("*.py"))
    assert f"shrinks from {theirs:,} to {ours} lines" in " ".join(PAGE.split())
