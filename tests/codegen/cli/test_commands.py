"""The command line: exit codes, what goes to stdout and what to stderr, and one line for whatever goes wrong."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.cli import main
from tests.support.sampling import exhaustive

if TYPE_CHECKING:
    from tests.conftest import Ran, RunCli

SCHEMA = {
    "title": "Tiny é",
    "x-rfds": {"new": {"title": "New", "stage": "draft"}},
    "$defs": {
        "A": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string", "x-rfd": "new"}}},
        "SayNotification": {"type": "object", "x-method": "say", "x-side": "agent"},
    },
}

Start = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a schema.json."""
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def start(root: Path, home: Path) -> Start:
    """Run the tool as a process of its own."""

    def run(*arguments: str, shell: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "codegen", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", **variables}
        if shell:
            command = ["sh", "-c", f'"$0" "$@" {shell}', *command]
        return subprocess.run(command, cwd=home, env=environment, capture_output=True, check=False, encoding="utf-8")

    return run


def one_line_error(ran: Ran) -> str:
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    return ran.err


# --- generate --------------------------------------------------------------------------------------------------------


def test_without_a_command_the_schema_of_the_directory_becomes_generated(home: Path, run_cli: RunCli) -> None:
    ran = run_cli()
    written = sum(path.is_file() for path in (home / "generated").rglob("*"))
    assert (ran.code, ran.out, ran.err) == (0, f"generated: {written} files written, 0 removed\n", "")


def test_generate_is_the_default_command(home: Path, run_cli: RunCli) -> None:
    assert run_cli("generate").code == 0
    assert run_cli("--check").out == "generated is up to date\n"


def test_a_run_that_changes_nothing_says_so(home: Path, run_cli: RunCli) -> None:
    run_cli()
    again = run_cli()
    assert (again.code, again.out, again.err) == (0, "generated is up to date\n", "")


def test_out_and_schema_choose_the_places(tmp_path: Path, run_cli: RunCli) -> None:
    (tmp_path / "s.json").write_text(json.dumps(SCHEMA))
    assert run_cli("--schema", tmp_path / "s.json", "--out", tmp_path / "deep" / "down").code == 0
    assert (tmp_path / "deep" / "down" / "models.py").is_file()


def test_check_lists_what_is_stale_and_writes_nothing(home: Path, run_cli: RunCli) -> None:
    ran = run_cli("--check")
    assert ran.code == 1
    assert "generated/models.py: missing\n" in ran.out
    assert ran.out.splitlines()[-1].endswith("run the command without --check")
    assert (ran.err, (home / "generated").exists()) == ("", False)


def test_check_of_what_is_up_to_date_is_clean(home: Path, run_cli: RunCli) -> None:
    run_cli()
    ran = run_cli("--check")
    assert (ran.code, ran.out, ran.err) == (0, "generated is up to date\n", "")


def test_check_lists_a_file_that_was_edited_by_hand(home: Path, run_cli: RunCli) -> None:
    run_cli()
    with (home / "generated" / "models.py").open("a") as file:
        file.write("# mine\n")
    ran = run_cli("--check")
    assert (ran.code, ran.out.splitlines()[0]) == (1, "generated/models.py: edited by hand")


def test_check_tells_stale_files_from_edited_and_missing_ones(home: Path, run_cli: RunCli) -> None:
    run_cli()
    (home / "schema.json").write_text(json.dumps({**SCHEMA, "title": "Other"}))
    (home / "generated" / "agent.py").write_text("")
    (home / "generated" / "client.py").unlink()
    lines = run_cli("--check").out.splitlines()
    for path, state in (("models.py", "stale"), ("agent.py", "edited by hand"), ("client.py", "missing")):
        assert f"generated/{path}: {state}" in lines


def test_diff_is_a_unified_diff_that_patch_understands(home: Path, run_cli: RunCli) -> None:
    run_cli()
    models = home / "generated" / "models.py"
    right = models.read_bytes()
    models.write_bytes(right.replace(b"class A(", b"class Z(") + b"tail without newline")
    ran = run_cli("--diff")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("--- a/models.py\n+++ b/models.py\n@@ ")
    subprocess.run(
        ["patch", "-p1"],
        cwd=home / "generated",
        input=ran.out.encode(),
        check=True,
        capture_output=True,
    )
    assert models.read_bytes() == right


def test_diff_shows_bytes_and_characters_that_have_no_shape_by_name(home: Path, run_cli: RunCli) -> None:
    run_cli()
    with (home / "generated" / "models.py").open("ab") as file:
        file.write(b"MINE = 1\r\n\xff\x1b[2J\xe2\x80\xae\n::error::mine\n")
    lines = run_cli("--diff").out.splitlines()
    assert [line for line in lines if line.startswith("-")][1:] == [
        *("-MINE = 1\\r", "-\\xff\\x1b[2J\\u202e", "-::error::mine")
    ]


def test_diff_of_nothing_is_empty(home: Path, run_cli: RunCli) -> None:
    run_cli()
    ran = run_cli("--diff")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_diff_shows_new_and_gone_files_against_dev_null(home: Path, run_cli: RunCli) -> None:
    run_cli()
    (home / "generated" / "agent.py").unlink()
    (home / "generated" / "manifest.json").unlink()
    lines = run_cli("--diff").out.splitlines()
    assert lines[:2] == ["--- /dev/null", "+++ b/agent.py"]


def test_stable_leaves_out_what_an_unfinished_rfd_brought(home: Path, run_cli: RunCli) -> None:
    run_cli()
    assert "    b: " in (home / "generated" / "models.py").read_text()
    run_cli("--stable")
    assert "    b: " not in (home / "generated" / "models.py").read_text()
    assert run_cli("--stable").out == "generated is up to date\n"


def test_another_option_makes_the_package_stale(home: Path, run_cli: RunCli) -> None:
    run_cli()
    assert run_cli("--stable", "--check").code == 1


def opening(name: str, carried: str) -> dict[str, Any]:
    properties = {"protocolVersion": {"type": "integer"}, carried: {"type": "object"}}
    return {name: {"type": "object", "properties": properties, "x-method": "initialize", "x-side": "agent"}}


PUBLISHED = {
    "$defs": {
        **opening("InitializeRequest", "clientCapabilities"),
        **opening("InitializeResponse", "agentCapabilities"),
        "CancelNotification": {
            "type": "object",
            "properties": {"sessionId": {"type": "string"}},
            "required": ["sessionId"],
            "x-method": "session/cancel",
            "x-side": "agent",
        },
    }
}


def test_what_is_filled_in_is_said_on_stderr(home: Path, run_cli: RunCli) -> None:
    (home / "schema.json").write_text(json.dumps(PUBLISHED))
    ran = run_cli()
    assert ran.code == 0
    filled = "schema.json: filled in from annotations/v1.json: the handshake, ordering, sessions, the remote form, the trace context, 0 gates "
    assert ran.err == f"{filled}(`acp-codegen annotate` shows it, --bare turns it off)\n"


def test_bare_takes_nothing(home: Path, run_cli: RunCli) -> None:
    (home / "schema.json").write_text(json.dumps(PUBLISHED))
    ran = run_cli("--bare")
    assert (ran.code, ran.err) == (0, "")
    assert "ordering=None" in (home / "generated" / "methods.py").read_text()


# --- schema ----------------------------------------------------------------------------------------------------------


def test_schema_prints_the_published_form_without_our_keywords(home: Path, run_cli: RunCli) -> None:
    ran = run_cli("schema")
    printed = json.loads(ran.out)
    assert (ran.code, ran.err, printed["title"]) == (0, "", "Tiny é")
    assert "x-rfd" not in ran.out
    assert {"AgentNotification", "ClientNotification"} <= set(printed["$defs"])


def test_annotated_keeps_our_keywords(home: Path, run_cli: RunCli) -> None:
    printed = json.loads(run_cli("schema", "--annotated").out)
    assert printed["$defs"]["A"]["properties"]["b"]["x-rfd"] == "new"
    assert printed["x-rfds"] == SCHEMA["x-rfds"]


def test_schema_stable_is_the_projection(home: Path, run_cli: RunCli) -> None:
    assert set(json.loads(run_cli("schema", "--stable").out)["$defs"]["A"]["properties"]) == {"a"}


@pytest.mark.parametrize("flags", [[], ["--stable"], ["--annotated"], ["--stable", "--annotated"]])
def test_what_schema_prints_is_a_schema_that_prints_the_same(home: Path, run_cli: RunCli, flags: list[str]) -> None:
    printed = run_cli("schema", "--annotated", *flags).out
    (home / "printed.json").write_text(printed)
    assert run_cli("schema", "--annotated", "--schema", "printed.json").out == printed


def test_what_schema_prints_is_utf_8_wherever_it_goes(start: Start) -> None:
    ran = start("schema", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert (ran.returncode, "Tiny é" in ran.stdout, ran.stderr) == (0, True, "")


# --- what goes wrong -------------------------------------------------------------------------------------------------

USAGE = [
    ["--nonsense"],
    ["nonsense"],
    ["--check", "--diff"],
    ["--schema"],
    ["--out", ""],
    ["--schema", ""],
    ["schema", "--bare"],
    ["schema", "--out", "x"],
    ["generate", "surplus"],
]


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_wrong_usage_is_told_on_stderr_and_exits_with_2(home: Path, run_cli: RunCli, arguments: list[str]) -> None:
    ran = run_cli(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[0].startswith("Usage: acp-codegen")
    assert ": error: " in ran.err.splitlines()[-1]
    assert os.listdir(home) == ["schema.json"]


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["generate", "--help"], ["schema", "-h"], ["--version"]])
def test_help_and_version_go_to_stdout(run_cli: RunCli, arguments: list[str]) -> None:
    ran = run_cli(*arguments)
    assert (ran.code, ran.err) == (0, "")
    assert "acp-codegen" in ran.out


@pytest.mark.parametrize("command", [["generate"], ["generate", "--check"], ["generate", "--diff"], ["schema"]])
@pytest.mark.parametrize("text", ["{", '{"$defs": {"A": false}}', "[]"], ids=["no-json", "no-schema", "list"])
def test_bad_input_is_one_line_on_stderr(home: Path, run_cli: RunCli, command: list[str], text: str) -> None:
    (home / "schema.json").write_text(text)
    assert one_line_error(run_cli(*command)).startswith("schema.json:1:")
    assert os.listdir(home) == ["schema.json"]


@pytest.mark.parametrize("command", [["generate"], ["schema"]])
def test_a_missing_schema_is_one_line(home: Path, run_cli: RunCli, command: list[str]) -> None:
    expected = "gone.json: error: cannot be read: No such file or directory\n"
    assert one_line_error(run_cli(*command, "--schema", "gone.json")) == expected


def test_without_a_schema_of_its_own_the_packaged_one_is_used(
    tmp_path: Path, run_cli: RunCli, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        run_cli("schema", "--annotated").out == run_cli("schema", "--annotated", "--schema", root / "schema.json").out
    )


def test_an_internal_error_is_one_line_too(home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("two\nlines \x1b[31m")

    monkeypatch.delenv("CODEGEN_DEBUG", raising=False)
    monkeypatch.setattr("codegen.emit.package.render", broken)
    said = one_line_error(run_cli())
    assert said.startswith(
        "internal error: RuntimeError: two\\nlines \\x1b[31m (please report it; CODEGEN_DEBUG=1 shows the traceback"
    )
    assert os.listdir(home) == ["schema.json"]


@pytest.mark.parametrize("error", [RecursionError("deep"), MemoryError(), AssertionError(), KeyError("x")], ids=repr)
def test_no_error_of_python_gets_through(
    home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.delenv("CODEGEN_DEBUG", raising=False)
    monkeypatch.setattr("codegen.load.schema.load", broken)
    assert one_line_error(run_cli("schema")).startswith(f"internal error: {type(error).__name__}")


def test_a_developer_can_ask_for_the_traceback(home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("here")

    monkeypatch.setenv("CODEGEN_DEBUG", "1")
    monkeypatch.setattr("codegen.emit.package.render", broken)
    with pytest.raises(RuntimeError, match="here"):
        run_cli()


def test_an_interrupt_is_one_line(home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("codegen.emit.package.render", interrupted)
    assert one_line_error(run_cli()) == "interrupted; nothing was changed\n"


# --- streams ---------------------------------------------------------------------------------------------------------


def test_a_pipe_gets_no_progress(start: Start) -> None:
    ran = start()
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_terminal_gets_progress_that_is_wiped_away_again(
    home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    controller, terminal = pty.openpty()
    with open(terminal, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        assert main.main([]) == 0
    shown = os.read(controller, 10_000).decode()
    os.close(controller)
    assert "loading the schema ..." in shown
    assert shown.endswith("\r\x1b[K")
    assert "\n" not in shown


def test_a_reader_that_leaves_early_is_no_traceback(start: Start, home: Path) -> None:
    big = {**SCHEMA, "description": "x" * 1_000_000}
    (home / "schema.json").write_text(json.dumps(big))
    ran = start("schema", shell="| true")
    assert ran.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", [["schema"], ["--check"]], ids=" ".join)
def test_an_output_that_cannot_be_written_is_one_line(start: Start, arguments: list[str]) -> None:
    ran = start(*arguments, shell="> /dev/full")
    assert (ran.returncode, ran.stderr) == (2, "standard output: error: failed: No space left on device\n")


@pytest.mark.parametrize("shell", exhaustive([">&-", "2>&-", ">&- 2>&-"], stay=[">&- 2>&-"]))
def test_closed_streams_are_no_failure(start: Start, home: Path, shell: str) -> None:
    assert start(shell=shell).returncode == 0
    assert (home / "generated" / "manifest.json").is_file()
    assert start("--schema", "gone.json", shell=shell).returncode == 2


def test_a_path_with_control_characters_is_shown_harmlessly(home: Path, run_cli: RunCli) -> None:
    name = "a\n\x1b[31m\u202e"
    assert one_line_error(run_cli("--schema", name)).startswith("a\\n\\x1b[31m\\u202e: error: ")
    assert run_cli("--out", name).out.startswith("a\\n\\x1b[31m\\u202e: ")
