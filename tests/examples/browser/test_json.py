"""The list without a screen, as scripts call it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from examples import acp
from examples.session_browser.cli import main

ROOT = Path(__file__).resolve().parents[3]
Command = Callable[..., list[str]]


@dataclass(frozen=True)
class Ran:
    """What one run came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the program, in this process: the agent is one of its own."""

    def running(*arguments: str) -> Ran:
        try:
            code = main(arguments)
        except SystemExit as leaving:  # argparse
            code = int(str(leaving.code))
        return Ran(code, *capfd.readouterr())

    return running


def test_all_pages_are_one_document_that_reads_as_a_list_without_pages(command: Command) -> None:
    program = [sys.executable, "-m", "examples.session_browser", "--json", "--", *command(sessions=25, page=10)]
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert len(acp.decode(acp.ListSessionsResponse, ran.stdout).sessions) == 25


def test_no_sessions_are_a_document_too(run: Run, command: Command) -> None:
    assert json.loads(run("--json", "--", *command(sessions=0)).out) == {"sessions": []}


def test_ten_thousand_sessions_with_hostile_titles_are_plain_ascii(run: Run, command: Command) -> None:
    ran = run("--json", "--", *command(title="\x1b[31m\x9b\u202e日", sessions=10_000, page=1_000))
    assert len(json.loads(ran.out)["sessions"]) == 10_000
    assert ran.out.replace("\n", "").isprintable()
    assert ran.out.isascii()


def test_a_directory_filters(run: Run, command: Command) -> None:
    ran = run("--json", "--cwd", "/srv/project1", "--", *command(sessions=10, two_directories=True))
    assert {info["cwd"] for info in json.loads(ran.out)["sessions"]} == {"/srv/project1"}


def test_a_login_can_come_first(run: Run, command: Command) -> None:
    assert run("--json", "--login", "key", "--", *command(auth=True)).code == 0


@pytest.mark.parametrize(
    ("mood", "complaint"),
    [
        ({"lacks": ["list_sessions"]}, "the agent did not advertise sessionCapabilities.list"),
        ({"exit": 3}, "exited with code 3\nsession-browser:   cannot read my configuration"),
        ({"die": "list_sessions"}, "exited with code 3\nsession-browser:   last words on stderr red"),
        ({"auth": True}, "the agent wants you to log in before session/list: --login key"),
        ({"refuse": "list_sessions"}, "session/list: Internal error: the disk is on fire (-32603)"),
        ({"circle": True}, "session/list: the agent returned a cursor that it had returned before"),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_goes_wrong_is_one_clear_line_on_stderr(
    run: Run, command: Command, mood: dict[str, object], complaint: str
) -> None:
    ran = run("--json", "--", *command(**mood))
    assert (ran.code, ran.out) == (1, "")
    assert complaint in ran.err
    assert "Traceback" not in ran.err


def test_an_agent_that_never_answers_is_given_up(run: Run, command: Command) -> None:
    ran = run("--json", "--timeout", "0.01", "--", *command(hang="initialize"))
    assert ran.code == 1
    assert "did not answer initialize within 0.01 s" in ran.err


def test_an_agent_that_only_chatters_is_quoted(run: Run) -> None:
    ran = run("--json", "--timeout", "5", "--", sys.executable, "-c", "print('Welcome!', flush=True); input(); input()")
    assert "Welcome!" in ran.err


def test_a_program_that_is_not_there_is_said_to_be_so(run: Run) -> None:
    ran = run("--json", "--", "no-such-agent")
    assert (ran.code, ran.err) == (
        1,
        "session-browser: cannot start no-such-agent: No such file or directory\n",
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--json"], "required: COMMAND"),
        (["--json", "--timeout", "soon", "--", "agent"], "a number between 0 and 86400, not 'soon'"),
        (["--json", "--undo", "nan", "--", "agent"], "a number between 0 and 86400, not 'nan'"),
        (["--json", "--", ""], "COMMAND is empty"),
        (["--", "agent"], "the screen needs a terminal"),
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, arguments: list[str], complaint: str) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err


def test_a_reader_that_has_enough_is_no_error_to_complain_about(command: Command) -> None:
    program = [
        sys.executable,
        "-m",
        "examples.session_browser",
        "--json",
        "--",
        *command(title="x" * 1_000, sessions=1_000),
    ]
    with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
