"""The list without a screen, as scripts call it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import acp_generated as acp
from acp_tools.browse.cli import main
from codegen.cli.main import main as codegen_main

from .fake_agent import FakeAgent

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
        return Ran(main(arguments), *capfd.readouterr())

    return running


def test_all_pages_are_one_document_that_reads_as_a_list_without_pages(command: Command) -> None:
    program = [sys.executable, "-m", "acp_tools.browse", "--json", "--", *command(sessions=25, page=10)]
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert len(acp.decode(acp.ListSessionsResponse, ran.stdout).sessions) == 25


def test_it_is_a_command_of_the_tool_too(capfd: pytest.CaptureFixture[str], command: Command) -> None:
    assert codegen_main(["browse", "--json", "--", *command(sessions=1)]) == 0
    assert len(json.loads(capfd.readouterr().out)["sessions"]) == 1


def test_an_agent_at_an_address_is_browsed_as_one_that_is_started(run: Run) -> None:
    with served(FakeAgent({"sessions": 2})) as port:
        ran = run("--json", f"tcp://127.0.0.1:{port}")
    assert (ran.code, ran.err) == (0, "")
    assert len(json.loads(ran.out)["sessions"]) == 2
    ran = run("--json", f"tcp://127.0.0.1:{port}")
    assert (ran.code, ran.out) == (1, "")
    assert f"cannot start or reach tcp://127.0.0.1:{port}: " in ran.err


@contextlib.contextmanager
def served(agent: acp.Agent) -> Iterator[int]:
    """An agent on a port of this machine, in a thread."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with acp.AgentSideConnection(agent, reader, writer) as connection:
            await connection.wait_closed()

    async def over() -> None:
        server.close()
        await asyncio.wait([asyncio.ensure_future(asyncio.sleep(0)), *asyncio.all_tasks() - {asyncio.current_task()}])

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(over(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


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
        ({"exit": 3}, "exited with code 3\nacp-browse:   cannot read my configuration"),
        ({"die": "list_sessions"}, "exited with code 3\nacp-browse:   last words on stderr red"),
        ({"auth": True}, "the agent wants you to log in before session/list: --login key"),
        ({"refuse": "list_sessions"}, "session/list: Internal error: the disk is on fire (-32603)"),
        ({"circle": True}, "session/list: the agent returned the same cursor twice"),
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
    assert "no response to initialize within 0.01 s" in ran.err


def test_an_agent_that_only_chatters_is_quoted(run: Run) -> None:
    ran = run("--json", "--timeout", "5", "--", sys.executable, "-c", "print('Welcome!', flush=True); input(); input()")
    assert "Welcome!" in ran.err


def test_a_program_that_is_not_there_is_said_to_be_so(run: Run) -> None:
    ran = run("--json", "--", "no-such-agent")
    assert (ran.code, ran.err) == (
        1,
        "acp-browse: cannot start or reach no-such-agent: No such file or directory\n",
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--json"], "Missing argument 'COMMAND'"),
        (["--json", "--timeout", "soon", "--", "agent"], "'soon' is not a valid"),
        (["--json", "--undo", "nan", "--", "agent"], "expected a number, got NaN"),
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
        "acp_tools.browse",
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_transcript_on_a_full_disk_ends_and_the_list_is_printed(run: Run, command: Command) -> None:
    ran = run("--json", "--transcript", "/dev/full", "--", *command(sessions=3))
    assert len(json.loads(ran.out)["sessions"]) == 3
    told = "acp-browse: /dev/full: recording stopped early, the conversation continued: No space left on device"
    assert told in ran.err.splitlines()
    assert ran.code == 1
