"""`acp-codegen migrate`: what it rewrites runs and says the same; what it cannot move it names, with its line."""

from __future__ import annotations

import re
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from msgspec import Struct

import generated as acp
from codegen.migrate.context import Facts
from codegen.migrate.discriminators import ask
from codegen.migrate.expressions import import_line
from codegen.migrate.rename_table import official as official_table
from codegen.migrate.rewrite import move
from tests.codegen.migrate.test_from_the_sdk import BLOCKS, PAGE, PROGRAMS, ROWS, THEIRS
from tests.codegen.migrate.test_ports import SHOWN, STEPS, TYPED, console, ours, talk
from tests.support import official_sdks

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
TABLE = official_table()


def moved(text: str) -> tuple[str, list[tuple[int, str]]]:
    result = move(dedent(text), TABLE, "generated")
    return result.text, [(line, words.partition(":")[0]) for line, _, words in result.remarks]


# --- the table -----------------------------------------------------------------------------------------------------------


def test_its_names_are_those_of_the_page() -> None:
    told = {
        theirs.rpartition(".")[2]: named[1]
        for row in ROWS
        for theirs in re.findall(r"`acp\.schema\.(\w+)`", row[0])
        if (named := re.fullmatch(r"`acp\.(\w+)`", row[1].strip())) and theirs not in TABLE.left.names
    }
    assert {name: ours for name, ours in told.items() if ours != "UnknownVariant"} == TABLE.names


def test_every_helper_of_the_page_is_rewritten_or_named() -> None:
    table = PAGE.partition("## Helpers")[2].partition("\n## ")[0]
    helpers = set(re.findall(r"^\|[^|]*", table, re.MULTILINE))
    names = {name for row in helpers for name in re.findall(r"`acp\.(?:helpers\.)?(\w+)`", row)}
    assert len(names) > 20
    assert names <= {*TABLE.helpers, *TABLE.left.names}


def test_what_a_helper_makes_has_the_attributes_that_it_takes() -> None:
    for name, helper in TABLE.helpers.items():
        taken = {helper.called.get(word, word) for word in helper.take} | {*helper.called.values()}
        spent = {name for text in helper.derived.values() for name in re.findall(r"\$(\w+)", text)}
        assert spent <= taken
        attributes = (taken - spent) | {*helper.default, *helper.derived}
        assert attributes <= set(getattr(acp, helper.make).__struct_fields__), name


TOLD = {
    (word, value, kind) for word, values in TABLE.implied.items() for value, kinds in values.items() for kind in kinds
}


def tagged() -> set[tuple[str, str, str]]:
    """The package's classes that state a discriminator: its attribute, its value, the class."""
    classes = [getattr(acp, name) for name in acp.__all__]
    found = [
        kind for kind in classes if isinstance(kind, type) and issubclass(kind, Struct) and kind.__struct_config__.tag
    ]
    configs = {kind.__name__: kind.__struct_config__ for kind in found}
    snake = {
        name: re.sub("[A-Z]", lambda m: f"_{m[0].lower()}", config.tag_field or "") for name, config in configs.items()
    }
    return {(snake[name], str(config.tag), name) for name, config in configs.items()}


def test_the_discriminators_of_the_table_are_those_of_the_package() -> None:
    assert tagged() >= TOLD


@pytest.mark.slow
def test_every_discriminator_that_the_sdk_has_is_in_the_table() -> None:
    program = "import acp.schema; print(*dir(acp.schema))"
    ran = subprocess.run([official_sdks.python(), "-c", program], capture_output=True, text=True, check=True)
    theirs = {TABLE.names.get(name, name) for name in ran.stdout.split()}
    assert {row for row in tagged() if row[2] in theirs} <= TOLD


@pytest.mark.parametrize("side", TABLE.sides)
def test_handlers_take_what_the_table_says(side: str) -> None:
    base = getattr(acp, side)
    table = TABLE.sides[side]
    assert base.__annotations__[table.connection] == table.type
    for name, params in table.handlers.items():
        assert getattr(base, table.renamed.get(name, name)).__annotations__["params"] == params


@pytest.mark.parametrize("name", [name for name in THEIRS if not name.startswith("acp.interfaces.")])
def test_a_name_of_the_page_is_moved_or_named(name: str) -> None:
    last = name.removeprefix("acp.").rpartition(".")[2].replace("*", "Any")
    known = (
        {*TABLE.names, *TABLE.helpers}
        | set(acp.__all__)
        | set(dir(acp.RequestError))
        | set(dir(acp.ClientSideConnection))
    )
    contrib = name == "acp.contrib.SessionAccumulator.subscribe"  # its class is named
    called = name in {"acp.core.ClientSideConnection.ext_method", "acp.core.ClientSideConnection.ext_notification"}
    assert last in known or contrib or called or any(fnmatchcase(last, left) for left in TABLE.left.names)


# --- what is rewritten ---------------------------------------------------------------------------------------------------


def test_imports_in_any_form_become_one() -> None:
    text, remarks = moved("""
        import os
        import acp.schema
        from acp import text_block as tb, Agent
        from acp.schema import TextContentBlock as T
        from acp import schema
        x: T = tb("a")
        y = schema.ToolCallStart
        z = acp.schema.AgentPlanUpdate
        raise acp.RequestError.auth_required()
    """)
    assert text == dedent("""
        import os
        import generated as acp
        x: acp.TextContent = acp.TextContent(text="a")
        y = acp.ToolCall
        z = acp.Plan
        raise acp.RequestError.auth_required()
    """)
    assert remarks == []


def test_an_import_in_a_block_stays_there() -> None:
    text, _ = moved("""
        if TYPE_CHECKING:
            from acp import Agent
            from acp import Client
        from acp import text_block
        from acp.schema import TextContentBlock
    """)
    assert text == dedent("""
        if TYPE_CHECKING:
            import generated as acp
            import generated as acp
        import generated as acp
    """)


@pytest.mark.parametrize(
    ("package", "line"),
    [
        ("app.acp", "from app import acp"),
        ("generated", "import generated as acp"),
        ("a.b.c", "from a.b import c as acp"),
    ],
)
def test_the_package_is_imported_from_where_it_is(package: str, line: str) -> None:
    assert import_line(package) == line


def test_names_that_only_look_alike_stay() -> None:
    text = """
        from other import text_block, Agent

        class Mine(Agent):
            async def prompt(self, session_id, prompt, **kwargs):
                return text_block(session_id, type="text")
    """
    assert moved(text) == (dedent(text), [])


def test_a_variable_named_like_the_package_stays() -> None:
    text = "class acp:\n    Agent = 1\n    ToolCallStart = 2\n\n\nprint(acp.ToolCallStart)\n"
    assert moved(text) == (text, [])


def test_calls_through_the_kept_connection_pass_all_by_name() -> None:
    text, remarks = moved("""
        from acp import Agent

        class Mine(Agent):
            def on_connect(self, conn):
                self.peer = conn

            async def tell(self, session, update):
                await self.peer.session_update(session, update, source="me")
                await self.peer.session_update(session, update, **self.extra)
                await self.peer.other(session)
    """)
    assert text == dedent("""
        import generated as acp

        class Mine(acp.Agent):
            async def tell(self, session, update):
                await self.client.session_update(session_id=session, update=update, meta={"source": "me"})
                await self.client.session_update(session_id=session, update=update, meta=self.extra or acp.UNSET)
                await self.client.other(session)
    """)
    assert remarks == []


def test_a_class_that_declares_and_documents_where_it_keeps_its_connection_is_moved_as_well() -> None:
    text, remarks = moved("""
        from acp import Agent
        from acp.interfaces import Client

        class Mine(Agent):
            _conn: Client | None = None

            def __init__(self) -> None:
                self._conn: Client | None = None

            def on_connect(self, conn: Client) -> None:
                \"\"\"Keep the connection.\"\"\"
                self._conn = conn

            async def tell(self, peer: Client, session: str) -> None:
                await self._conn.read_text_file("/a", session)
    """)
    assert text == dedent("""
        import generated as acp

        class Mine(acp.Agent):
            def __init__(self) -> None:
                pass

            async def tell(self, peer: acp.AgentSideConnection, session: str) -> None:
                await self.client.read_text_file(session_id="/a", path=session)
    """)
    assert remarks == []


def test_a_handler_with_another_name_is_renamed() -> None:
    text, remarks = moved("""
        from acp import Agent

        class Mine(Agent):
            async def set_config_option(self, config_id: str, session_id: str, value: str | bool, **kwargs):
                self.options[config_id] = value
    """)
    assert "async def set_session_config_option(self, params: acp.SetSessionConfigOptionRequest):" in text
    assert "self.options[params.config_id] = params.value" in text
    assert remarks == []


def test_a_comparison_with_a_discriminator_is_named_with_the_class_to_ask_for() -> None:
    text = 'import generated as acp\nif answer.outcome.outcome == "selected" or message.type == "human":\n    pass\n'
    result = ask(text, TABLE, "generated", Facts())
    assert result.text == text
    assert [(line, column, words.rpartition(" ")[2]) for line, column, words in result.remarks] == [
        (2, 4, "acp.SelectedPermissionOutcome)")
    ]


def test_a_module_of_the_sdk_that_is_used_as_a_value_is_named() -> None:
    text, remarks = moved("""
        from acp import schema as s
        kind = getattr(s, "SessionConfigOption", None)
        block = s.TextContentBlock
    """)
    assert 'kind = getattr(acp, "SessionConfigOption", None)\nblock = acp.TextContent\n' in text
    assert remarks == [(3, "uses a module of the SDK as a value")]


def test_lines_stay_lines() -> None:
    text, _ = moved("""
        from acp.schema import AgentMessageChunk
        chunk = AgentMessageChunk(
            content=content,
            session_update="agent_message_chunk",
        )
    """)
    assert text.endswith("chunk = acp.AgentMessageChunk(\n    content=content,\n)\n")


def test_a_variable_named_like_an_import_stays() -> None:
    text, _ = moved("""
        from acp import text_block

        def shown(text_block):
            return text_block.text
    """)
    assert text.endswith("def shown(text_block):\n    return text_block.text\n")


def test_a_handler_takes_params_and_a_parameter_that_it_assigns_to_becomes_a_variable() -> None:
    text, remarks = moved("""
        from acp import Client

        class Mine(Client):
            async def read_text_file(self, session_id: str, path: str, line: int | None = None, **kwargs):
                path = path.strip()
                return [path + session_id for _ in (line, kwargs)]
    """)
    assert "def read_text_file(self, params: acp.ReadTextFileRequest):\n" in text
    assert (
        "        path = params.path\n        kwargs: dict[str, object] = acp.given(params.meta, {})\n"
        "        path = path.strip()\n" in text
    )
    assert "path + params.session_id for _ in (acp.given(params.line, None), kwargs)" in text
    assert remarks == []


def test_keywords_that_a_class_states_itself_go_and_meta_is_called_meta() -> None:
    text, _ = moved("""
        from acp.schema import TextContentBlock
        block = TextContentBlock(type="text", text="a", field_meta={})
        block.field_meta = None
    """)
    assert 'block = acp.TextContent(text="a", meta={})\nblock.meta = None\n' in text


def test_what_has_no_counterpart_is_named_with_its_line() -> None:
    _, remarks = moved("""
        from acp import connect_to_agent, default_permission_options, text_block
        from acp.contrib import PermissionBroker
        connect_to_agent(None, None, None)
        default_permission_options("a", "b", "c")
        PermissionBroker("s", None)
        text_block(*["a"])
        from acp import *
        from acp.telemetry import anything
        from acp.schema import NesJumpSuggestion
        x = NesJumpSuggestion
    """)
    assert remarks == [
        (4, "connect_to_agent"),
        (5, "default_permission_options"),
        (6, "PermissionBroker"),
        (7, "the order of the arguments is unclear"),
        (8, "imports all names (*)"),
        (9, "telemetry"),
        (11, "NesJumpSuggestion"),
    ]


# --- whole programs ------------------------------------------------------------------------------------------------------


def test_the_agent_of_the_page_says_the_same_when_it_is_moved(tmp_path: Path) -> None:
    (tmp_path / "generated").symlink_to(ROOT / "generated")
    (tmp_path / "client.py").write_text(PROGRAMS["client.py"])
    text, _ = moved(PROGRAMS["before.py"])
    assert "on_connect" not in text
    (tmp_path / "after.py").write_text(text)
    ran = subprocess.run([sys.executable, "client.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.stdout == next(output for name, _, output in BLOCKS if name == "client.py"), ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
async def test_the_sdks_own_agents_say_the_same_when_they_are_moved(name: str, tmp_path: Path) -> None:
    text, remarks = moved((official_sdks.examples() / f"{name}.py").read_text())
    (tmp_path / f"{name}.py").write_text(text)
    _, went, unwritten = await talk(name, sys.executable, str(tmp_path / f"{name}.py"))
    assert went == STEPS[name]
    assert unwritten == -32601
    assert {words for _, words in remarks} <= {"initialize", "cancel"}


@pytest.mark.slow
def test_the_sdks_own_client_needs_one_line_and_one_handler_by_hand(tmp_path: Path) -> None:
    text, remarks = moved((official_sdks.examples() / "client.py").read_text())
    assert [words for _, words in remarks] == ["create_elicitation", "ElicitationMode", "connect_to_agent"]
    for before, after in {
        "message: str, mode: ElicitationMode, **kwargs: Any": "params: acp.CreateElicitationRequest",
        "{message} ({type(mode).__name__})": "{params.message}",
        "conn = connect_to_agent(client_impl, proc.stdin, proc.stdout)": "conn = acp.ClientSideConnection("
        "client_impl, proc.stdout, proc.stdin)\n    await conn.__aenter__()",
    }.items():
        assert before in text
        text = text.replace(before, after)
    program = tmp_path / "client.py"
    program.write_text(text)
    assert console(TYPED, sys.executable, str(program), *ours("agent.py")) == (0, SHOWN["agent"])


# --- the command ---------------------------------------------------------------------------------------------------------


def test_the_command_shows_a_difference_and_writes_nothing(tmp_path: Path, run_cli: RunCli) -> None:
    program = tmp_path / "a.py"
    program.write_bytes(b"from acp import text_block\r\ntext_block('a')\r\n")
    ran = run_cli("migrate", program, "--package", "app.acp")
    assert ran.code == 0
    assert "-from acp import text_block" in ran.out
    assert "+from app import acp" in ran.out
    assert program.read_bytes().startswith(b"from acp import text_block\r\n")
    assert run_cli("migrate", program, "--package", "app.acp", "--write").code == 0
    assert program.read_bytes() == b"from app import acp\r\nacp.TextContent(text='a')\r\n"
    assert run_cli("migrate", program) == run_cli("migrate", program, "--write")
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


def test_the_command_says_where_something_is_left_and_exits_with_1(tmp_path: Path, run_cli: RunCli) -> None:
    program = tmp_path / "a.py"
    program.write_text("\nfrom acp import stdio_streams\nstdio_streams()\n")
    ran = run_cli("migrate", program)
    assert ran.code == 1
    assert f"{program}:3:1: stdio_streams: run_agent opens standard input and output itself\n" in ran.err


def test_if_one_file_is_not_python_none_is_written(tmp_path: Path, run_cli: RunCli) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("from acp import text_block\n")
    bad.write_text("\nfrom acp import (\n")
    ran = run_cli("migrate", "--write", good, bad)
    assert ran.code == 2
    assert ran.err.startswith(f"{bad}:")
    assert "is not valid Python" in ran.err
    assert good.read_text() == "from acp import text_block\n"


def test_a_package_that_cannot_be_imported_is_refused(tmp_path: Path, run_cli: RunCli) -> None:
    program = tmp_path / "a.py"
    program.write_text("import acp\n")
    ran = run_cli("migrate", program, "--package", "my-agent")
    assert (ran.code, ran.err) == (2, "--package: error: 'my-agent' is not a valid Python package name\n")


def test_without_libcst_the_command_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['libcst'] = None; from codegen.cli.main import main; sys.exit(main(['migrate', 'x']))"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "acp-codegen[migrate]" in ran.stderr


def test_no_other_command_imports_it() -> None:
    program = (
        "import sys; from codegen.cli.main import main; main(['check', '--no-compare']); "
        "sys.exit(any(m.startswith(('libcst', 'codegen.migrate')) for m in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0


# --- what is made of several arguments -----------------------------------------------------------------------------------


def test_a_tool_call_for_a_file_gets_its_place_and_input() -> None:
    text, remarks = moved("""
        from acp import start_edit_tool_call, start_read_tool_call

        def begin(path, diff):
            yield start_read_tool_call("a", "Read", path)
            yield start_edit_tool_call(tool_call_id="b", title="Edit", path="/x", content=diff, extra_options=[diff])
    """)
    assert remarks == []
    scope: dict[str, object] = {}
    exec(text, scope)
    diff = acp.Diff(path="/x", new_text="y")
    read, edit = scope["begin"]("/x", diff)  # type: ignore[operator]
    place = [acp.ToolCallLocation(path="/x")]
    assert read == acp.ToolCall(
        tool_call_id="a", title="Read", kind="read", status="pending", locations=place, raw_input={"path": "/x"}
    )
    assert edit == acp.ToolCall(
        tool_call_id="b",
        title="Edit",
        kind="edit",
        status="pending",
        content=[diff],
        locations=place,
        raw_input={"path": "/x", "content": diff},
    )


def test_an_argument_that_does_something_is_not_evaluated_twice() -> None:
    text, remarks = moved("""
        from acp import start_read_tool_call
        call = start_read_tool_call("a", "Read", next_path())
    """)
    assert "start_read_tool_call" in text
    assert [line for line, _ in remarks] == [3]
