"""examples/extensions: what five vendors add to the protocol, all at once, each spoken by an agent and a client."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from codegen.check.lint.generate_errors import refuse
from codegen.document.extend import check_names
from codegen.document.read import parse
from codegen.pipeline import extended, load_shapes, read_extensions
from tests.support.sampling import exhaustive
from tests.wire.packages import import_package, render_unformatted

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
GALLERY = sorted((ROOT / "examples" / "extensions").glob("*.json"))


@pytest.fixture(scope="module")
def acp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The protocol with all extensions of the gallery."""
    base = parse((ROOT / "schema.json").read_bytes(), "schema.json")
    document = extended(base, read_extensions(GALLERY))
    check_names(document)
    _, schema, shapes, _ = load_shapes(document, stable=False, bare=True, refuse=refuse, note=lambda _: None)
    folder = tmp_path_factory.mktemp("gallery")
    for name, text in render_unformatted(schema, shapes).items():
        path = folder / "gallery" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    yield import_package(folder, "gallery")
    for name in [name for name in sys.modules if name.partition(".")[0] == "gallery"]:
        del sys.modules[name]


def test_the_gallery_has_the_five_vendors() -> None:
    assert [path.stem for path in GALLERY] == ["cursor", "goose", "kiro", "sandboxagent", "zed"]


@pytest.mark.parametrize("path", exhaustive(GALLERY, stay=GALLERY[:1]), ids=lambda path: path.stem)
def test_check_has_nothing_against_it(run_cli: RunCli, path: Path) -> None:
    ran = run_cli("check", "--schema", ROOT / "schema.json", "--extend", path, "--no-compare", "--format", "json")
    assert (ran.code, '"level":"error"' in ran.out.replace(" ", "")) == (0, False)
    assert "extension-" not in ran.out


def talk(acp: ModuleType, agent: Any, client: Any, said: Callable[[Any, Any], Coroutine[Any, Any, None]]) -> None:
    """Connect two peers over the runtime, and let the client's side speak."""
    connected = import_module(f"{acp.__name__}.testing").connected

    async def run() -> None:
        async with connected(agent, client) as (of_agent, of_client):
            await said(of_agent, of_client)

    asyncio.run(run())


def test_zed(acp: ModuleType) -> None:
    opened: list[str] = []

    class Agent(acp.Agent):  # type: ignore[name-defined,misc]
        def zed_workspace_buffers(self, params: Any) -> Any:
            return acp.ZedWorkspaceBuffersResponse(extra={"buffers": [params.language]})

        def zed_file_opened(self, params: Any) -> None:
            opened.append(params.path)

    async def said(_: Any, agent: Any) -> None:
        offered = acp.codec.meta(agent.capabilities, acp.ZedCapabilities)
        assert (offered.workspace, offered.file_notifications) == (True, True)
        await agent.zed_file_opened(path="/a.rs")
        assert (await agent.zed_workspace_buffers(language="rust")).extra == {"buffers": ["rust"]}

    talk(acp, Agent(), acp.Client(), said)
    assert opened == ["/a.rs"]


def test_zed_s_methods_are_closed_where_nothing_was_advertised(acp: ModuleType) -> None:
    async def said(_: Any, agent: Any) -> None:
        with pytest.raises(acp.CapabilityError, match="zed"):
            await agent.zed_workspace_buffers(language="rust")

    talk(acp, acp.Agent(), acp.Client(), said)


def test_kiro(acp: ModuleType) -> None:
    told: list[Any] = []

    class Agent(acp.Agent):  # type: ignore[name-defined,misc]
        async def kiro_execute_command(self, params: Any) -> Any:
            status = acp.KiroCompactionStatus(type="completed")
            await self.client.kiro_compaction(session_id=params.session_id, status=status, summary="short")
            used = acp.KiroMetering(value=0.5, unit="credit")
            await self.client.kiro_metadata(session_id=params.session_id, metering_usage=[used])
            return acp.KiroExecuteCommandResponse(extra={"success": True})

    class Client(acp.Client):  # type: ignore[name-defined,misc]
        def kiro_compaction(self, params: Any) -> None:
            told.append((params.status.type, params.summary))

        def kiro_metadata(self, params: Any) -> None:
            told.append(params.metering_usage[0].unit)

    async def said(_: Any, agent: Any) -> None:
        params = acp.KiroExecuteCommandRequest(session_id="s", extra={"command": {"name": "compact"}})
        response = await agent.kiro_execute_command(params)
        assert response.extra == {"success": True}

    talk(acp, Agent(), Client(), said)
    assert told == [("completed", "short"), "credit"]


def test_goose(acp: ModuleType) -> None:
    class Agent(acp.Agent):  # type: ignore[name-defined,misc]
        def goose_add_extension(self, params: Any) -> Any:
            return acp.GooseEmptyResponse(meta={"added": params.config})

        def goose_get_tools(self, params: Any) -> Any:
            return acp.GooseGetToolsResponse(tools=[{"name": "shell"}])

    async def said(_: Any, agent: Any) -> None:
        added = await agent.goose_add_extension(session_id="s", config={"type": "builtin"})
        assert added.meta == {"added": {"type": "builtin"}}
        assert (await agent.goose_get_tools(session_id="s")).tools == [{"name": "shell"}]
        with pytest.raises(acp.RequestError):
            await agent.goose_export_session(session_id="s")

    talk(acp, Agent(), acp.Client(), said)


def test_cursor(acp: ModuleType) -> None:
    class Client(acp.Client):  # type: ignore[name-defined,misc]
        def cursor_ask_question(self, params: Any) -> Any:
            (question,) = params.questions
            answer = acp.CursorAnswer(question_id=question.id, selected_option_ids=[question.options[0].id])
            return acp.CursorAskQuestionResponse(outcome=acp.CursorAskOutcomeAnswered(answers=[answer]))

        def cursor_create_plan(self, params: Any) -> Any:
            return acp.CursorCreatePlanResponse(outcome=acp.CursorPlanOutcomeRejected(reason=params.plan))

    async def said(client: Any, _: Any) -> None:
        options = [acp.CursorOption(id="o", label="Yes")]
        question = acp.CursorQuestion(id="q", prompt="Go on?", options=options)
        asked = await client.cursor_ask_question(tool_call_id="t", questions=[question])
        assert asked.outcome.answers[0].selected_option_ids == ["o"]
        planned = await client.cursor_create_plan(tool_call_id="t", plan="# All")
        assert planned.outcome.reason == "# All"

    talk(acp, acp.Agent(), Client(), said)


def test_sandbox_agent(acp: ModuleType) -> None:
    class Agent(acp.Agent):  # type: ignore[name-defined,misc]
        def terminate_session(self, params: Any) -> Any:
            return acp.from_dict(acp.TerminateSessionResponse, ANSWER)

    async def said(_: Any, agent: Any) -> None:
        assert acp.codec.meta(agent.capabilities, acp.SandboxAgentCapabilities).terminate is True
        assert acp.to_dict(await agent.terminate_session(session_id="s")) == ANSWER

    talk(acp, Agent(), acp.Client(), said)


ANSWER: dict[str, Any] = {"terminated": True, "reason": "terminated", "terminatedBy": "daemon"}
