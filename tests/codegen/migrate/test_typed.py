"""`migrate` with the SDK's types: each program as a whole is moved as it must be, and what remains is listed."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from codegen.migrate.files import Result, moved
from tests.support import official_sdks

if TYPE_CHECKING:
    from tests.conftest import RunCli

pytestmark = pytest.mark.slow

HEAD = "from __future__ import annotations\nfrom typing import Any\nimport acp\nimport acp.schema\nfrom typing import cast\n"
PROGRAMS = {
    "deleted": """
        class Mine(acp.Agent):
            async def list_sessions(self, cwd: str | None = None, cursor: str | None = None, **kwargs: Any) -> Any:
                del cursor, kwargs
                return f"{cwd or 'nowhere'}"
    """,
    "captured": """
        class Mine(acp.Agent):
            async def prompt(self, session_id: str, prompt: list[Any], **kwargs: Any) -> Any:
                params = {"session": session_id}
                return [params, lambda params: (params, session_id)]
    """,
    "served": """
        from captured import Mine

        class Base:
            conn: acp.Client

            def on_connect(self, conn: acp.Client) -> None:
                self.conn = conn

            async def close_session(self, session_id: str, **kwargs: Any) -> None:
                await self.conn.session_update(session_id, acp.update_agent_message_text("bye"), by="me")

        class Server(Base):
            async def cancel(self, session_id: str, **kwargs: Any) -> None:
                await self.close_session(session_id=session_id)

        def factory() -> Server:
            return Server()

        async def main() -> None:
            await acp.run_agent(factory(), use_unstable_protocol=True)
    """,
    "asked": """
        from acp.schema import SessionNotification

        def shown(prompt: acp.PromptRequest, note: SessionNotification, other: Any) -> None:
            for block in prompt.prompt:
                if getattr(block, "type", None) == "image" or block.type in ("text", "audio"):
                    print(block.type)
            if note.update.session_update != "plan" and other.type == "text":
                print()
            if note.update.kind == "x" or [1].type == "text":
                print()
    """,
    "invented": """
        def model() -> acp.schema.ModelInfo:
            return acp.schema.StreamEvent()
    """,
    "connected": """
        async def helper(conn: "acp.Client", client: acp.Client | None, method: str) -> None:
            await conn.read_text_file("s", "/a")
            await conn.ext_method(method, {})
            cast("acp.Client", conn)
    """,
    "remote": """
        from acp.http import create_http_stream
        from acp.http.asgi import create_asgi_app
        from acp.ws import create_websocket_stream

        def serve(agent: Any) -> list[Any]:
            return [create_asgi_app(agent), create_http_stream("http://h"), create_websocket_stream("ws://h")]
    """,
    "absent": """
        def title(call: acp.schema.ToolCallUpdate, title: str | None, locations: list[Any] | None) -> str | None:
            if call.title is None:
                return call.kind
            acp.PromptResponse(stop_reason="end_turn", user_message_id=None)
            acp.schema.ToolCallStart(tool_call_id="1", title=call.title, session_update="tool_call", locations=locations)
            return call.title
    """,
}


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    home = tmp_path_factory.mktemp("programs")
    for name, text in PROGRAMS.items():
        (home / f"{name}.py").write_text(HEAD + dedent(text))
    paths = [home / f"{name}.py" for name in PROGRAMS]
    return moved(paths, "generated", str(official_sdks.python()))


def of(result: Result, name: str) -> tuple[str, list[str]]:
    """A program's text, and the remarks with the program's lines."""
    file = next(each for each in result.files if each.path.stem == name)
    text = file.after.decode()
    compile(text, name, "exec")
    lines = text.splitlines()
    return text, [f"{lines[line - 1].strip()} | {words}" for line, _, words in file.remarks]


def test_a_parameter_that_is_deleted_becomes_a_variable(result: Result) -> None:
    text, remarks = of(result, "deleted")
    assert "cursor = acp.given(params.cursor, None)\n" in text
    assert "del cursor, kwargs\n" in text
    assert remarks == []


def test_a_name_in_a_handler_is_not_captured_by_the_new_parameter(result: Result) -> None:
    text, remarks = of(result, "captured")
    assert 'session_id = params.session_id\n        params_ = {"session": session_id}\n' in text
    assert "return [params_, lambda params: (params, session_id)]\n" in text
    assert remarks == []


def test_what_a_connection_receives_is_an_agent_also_if_it_inherits_from_nothing(result: Result) -> None:
    text, remarks = of(result, "served")
    assert (
        "class Base(acp.Agent):\n    async def close_session(self, params: acp.CloseSessionRequest) -> None:\n" in text
    )
    assert "self.client.session_update(session_id=params.session_id, " in text
    assert 'meta={"by": "me"})' in text
    assert "class Server(Base):\n    async def cancel(self, params: acp.CancelNotification) -> None:\n" in text
    assert "await self.close_session(acp.CloseSessionRequest(session_id=params.session_id))\n" in text
    assert "await acp.run_agent(factory())\n" in text
    assert [words.partition(" | ")[2].partition(":")[0] for words in remarks] == ["cancel"]


def test_a_discriminator_is_asked_of_the_class_where_the_type_is_known(result: Result) -> None:
    text, remarks = of(result, "asked")
    assert "if isinstance(block, acp.ImageContent) or isinstance(block, (acp.TextContent, acp.AudioContent)):\n" in text
    assert 'if not isinstance(note.update, acp.Plan) and other.type == "text":\n' in text
    assert [words.partition(" | ")[0] for words in remarks][:2] == [
        "print(block.type)",
        'if not isinstance(note.update, acp.Plan) and other.type == "text":',
    ]
    assert '[1].type == "text"' in text
    assert "write isinstance(other, " in remarks[1]


def test_a_name_that_the_package_does_not_have_is_listed(result: Result) -> None:
    _, remarks = of(result, "invented")
    assert [words.partition(" | ")[2].partition(":")[0] for words in remarks] == ["ModelInfo", "StreamEvent"]


def test_a_peer_in_an_annotation_is_a_connection_where_no_program_implements_it(result: Result) -> None:
    text, remarks = of(result, "connected")
    assert 'conn: "acp.AgentSideConnection", client: acp.AgentSideConnection | None' in text
    assert 'await conn.read_text_file(session_id="s", path="/a")\n' in text
    assert 'await conn.ext_request(method=method, params={})\n    cast("acp.AgentSideConnection", conn)\n' in text
    assert [words.partition(" | ")[2].partition(":")[0] for words in remarks] == ["ext_method"]


def test_what_serves_over_networks_is_listed_with_its_counterpart(result: Result) -> None:
    _, remarks = of(result, "remote")
    found = [words.partition(" | ")[2] for words in remarks]
    assert [words.partition("(")[0].rpartition(" ")[2] for words in found] == ["acp.asgi", "acp.connect", "acp.connect"]


def test_an_attribute_that_may_be_absent_is_compared_with_unset(result: Result) -> None:
    text, remarks = of(result, "absent")
    assert "if (call.title is None or call.title is acp.UNSET):\n        return acp.given(call.kind, None)\n" in text
    assert 'acp.ToolCall(tool_call_id="1", title=call.title, locations=acp.given(locations, acp.UNSET))\n' in text
    assert text.endswith("    return call.title\n")
    assert [words for words in remarks if "type:" in words] == []


# --- the check -----------------------------------------------------------------------------------------------------------


def test_a_new_type_error_is_listed_and_nothing_invalid_is_written(tmp_path: Path, run_cli: RunCli) -> None:
    worse, broken = tmp_path / "worse.py", tmp_path / "broken.py"
    worse.write_text(
        "import acp\n\n\nasync def f(agent: acp.Agent) -> None:\n    await acp.run_agent(agent, None, None)\n"
    )
    broken.write_text(
        "import acp\n\n\nclass Mine(acp.Agent):\n    async def list_sessions(self, cwd=None, **kwargs):\n"
        "        match self:\n            case cwd.name:\n                pass\n"
    )
    options = ("--package", "generated", "--python", official_sdks.python(), "--write")
    before = worse.read_text(), broken.read_text()
    ran = run_cli("migrate", worse, broken, *options)
    assert ran.code == 1
    assert f"{broken}:7:" in ran.err
    assert "would not be valid Python after the rewrite" in ran.err
    assert (worse.read_text(), broken.read_text()) == before
    ran = run_cli("migrate", worse, *options)
    assert ran.code == 1
    assert f"{worse}:5:11: type: Too many positional arguments" in ran.err
    assert worse.read_text() != before[0]
