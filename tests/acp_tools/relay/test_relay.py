"""`expose` and `connect`: any agent over WebSocket and HTTP, and a remote agent on standard streams."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

import generated as acp
from codegen.cli.main import main

pytest.importorskip("hypercorn")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

START = (sys.executable, "-c", "import sys; from acp_codegen.cli.main import main; sys.exit(main())")
AGENT = (sys.executable, str(Path(__file__).with_name("agent.py")))
PROFILES = ["ws", "http"]


def address_in(errors: IO[bytes]) -> str:
    """The address that the command prints when it is ready, without the scheme."""
    lines: list[str] = []
    while not (found := re.search(r" at http:(//\S+/acp)", "".join(lines[-1:]))):
        lines.append(errors.readline().decode(errors="replace"))
        assert lines[-1], lines
    return found[1]


class Exposed:
    """The command `expose` as a program; ``address`` without its scheme."""

    def __init__(
        self, *options: str, at: str = "http://127.0.0.1:0", agent: tuple[str, ...] = AGENT, **more: Any
    ) -> None:
        command = [*START, "expose", "--log", "none", "--at", at, *options, "--", *agent]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, **more)
        assert self.process.stderr is not None
        self.address = address_in(self.process.stderr)

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        assert self.process.stderr is not None
        if self.process.stderr.closed:  # it was ended before
            return self.process.returncode, ""
        self.process.send_signal(number)
        try:
            _, errors = self.process.communicate()
        finally:
            self.process.kill()
        return self.process.returncode, errors.decode(errors="replace")


@pytest.fixture(scope="module")
def exposed() -> Iterator[Exposed]:
    server = Exposed(env={**os.environ, "SECRET_OF_TESTS": "hush"})
    yield server
    server.end(signal.SIGKILL)


class Editor(acp.Client):
    def __init__(self) -> None:
        self.texts: list[str] = []
        self.heard = asyncio.Event()

    async def session_update(self, params: acp.SessionNotification) -> None:
        self.texts.append(params.update.content.text)  # type: ignore[union-attr]
        self.heard.set()


async def turn(agent: Any, text: str) -> None:
    await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
    session = await agent.new_session(cwd="/tmp", mcp_servers=[])
    await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text=text)])


async def gone(pid: int) -> bool:
    for _ in range(3000):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        await asyncio.sleep(0.02)
    return False


@pytest.mark.parametrize("profile", PROFILES)
async def test_an_editor_that_knows_commands_alone_talks_to_an_agent_that_knows_pipes_alone(
    exposed: Exposed, profile: str
) -> None:
    editor = Editor()
    async with acp.spawn_agent(editor, *START, "connect", f"{profile}:{exposed.address}", inherit_env=True) as agent:
        await turn(agent, "far away")
    assert editor.texts == ["far away"]


async def test_each_connection_has_a_process_that_ends_with_it_and_so_does_what_that_started(exposed: Exposed) -> None:
    one, other = Editor(), Editor()
    async with acp.connect(f"ws:{exposed.address}", one) as agent:
        await turn(agent, "pid")
        await turn_again(agent, "child")
        async with acp.connect(f"http:{exposed.address}", other) as second:
            await turn(second, "pid")
    first, second_ = (int(editor.texts[0].split()[0]) for editor in (one, other))
    assert first != second_
    assert all([await gone(pid) for pid in (first, second_, int(one.texts[1]))])


async def turn_again(agent: Any, text: str) -> None:
    session = await agent.new_session(cwd="/tmp", mcp_servers=[])
    await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text=text)])


async def test_the_process_inherits_no_secret_unless_it_is_told_to(exposed: Exposed) -> None:
    editor = Editor()
    async with acp.connect(f"ws:{exposed.address}", editor) as agent:
        await turn(agent, "pid")
    assert editor.texts[0].split()[1:] == [os.getcwd(), "None"]


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_client_learns_that_its_agent_has_died_and_others_notice_nothing(
    exposed: Exposed, profile: str
) -> None:
    neighbour = Editor()
    async with acp.connect(f"ws:{exposed.address}", neighbour) as other:
        await other.initialize(protocol_version=acp.PROTOCOL_VERSION)
        with pytest.raises(acp.ConnectionClosed):
            async with acp.connect(f"{profile}:{exposed.address}") as agent:
                await turn(agent, "die")
        await turn_again(other, "alive")
    assert neighbour.texts == ["alive"]


def test_an_agent_that_no_longer_starts_is_told_here_and_ends_the_connection_there(tmp_path: Path) -> None:
    command = tmp_path / "agent"
    command.write_text(f'#!/bin/sh\nexec "{AGENT[0]}" "{AGENT[1]}"\n')
    command.chmod(0o755)
    server = Exposed("--log", "text", agent=(str(command),))
    command.unlink()

    async def try_it() -> None:
        async with acp.connect(f"ws:{server.address}") as agent:
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)

    with pytest.raises(acp.ConnectionClosed):
        asyncio.run(try_it())
    assert f"reason cannot start the agent: {command}: No such file or directory\n" in server.end()[1]


def test_a_turn_that_runs_is_finished_when_the_server_is_told_to_end() -> None:
    server, editor = Exposed(), Editor()

    async def talk() -> Any:
        async with acp.connect(f"ws:{server.address}", editor) as agent:
            asking = asyncio.ensure_future(turn(agent, "last"))
            await editor.heard.wait()
            server.process.send_signal(signal.SIGTERM)
            return await asking

    asyncio.run(talk())
    code, errors = server.end(0)
    assert code == 0
    assert "Traceback" not in errors


def connecting(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    whole = {**os.environ, **environment}
    command = [*START, "connect", *arguments]
    return subprocess.run(command, input=b"", capture_output=True, env=whole, check=False)


def test_who_has_no_token_gets_no_agent(tmp_path: Path) -> None:
    held = tmp_path / "token"
    held.write_text("sesame\n")
    server = Exposed("--token-env", "T", env={**os.environ, "T": "sesame"})
    for profile in PROFILES:
        refused = connecting("--token-env", "T", f"{profile}:{server.address}", T="wrong")
        if profile == "ws":
            assert (refused.returncode, refused.stdout) == (1, b"")
            assert b"401" in refused.stderr
            assert refused.stderr.count(b"\n") == 1
        editor = Editor()

        async def talk(url: str = f"{profile}:{server.address}", editor: Editor = editor) -> None:
            command = (*START, "connect", "--token-file", str(held), url)
            async with acp.spawn_agent(editor, *command, inherit_env=True) as agent:
                await turn(agent, "open")

        asyncio.run(talk())
        assert editor.texts == ["open"]
    server.end(signal.SIGKILL)


def test_where_nobody_serves_the_editor_sees_an_agent_that_does_not_start() -> None:
    ended = connecting("ws://127.0.0.1:9/acp")
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert ended.stderr.startswith(b"error: ws://127.0.0.1:9/acp: ")
    assert ended.stderr.count(b"\n") == 1


@pytest.mark.parametrize("profile", PROFILES)
def test_a_server_that_is_killed_ends_the_command_with_a_line_if_that_is_asked_for(profile: str) -> None:
    server = Exposed()
    there = subprocess.Popen(
        [*START, "connect", "--once", f"{profile}:{server.address}"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    hello = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n'
    assert there.stdin is not None
    assert there.stdout is not None
    there.stdin.write(hello)
    there.stdin.flush()
    while b'"id":1' not in (line := there.stdout.readline()):
        assert line
    time.sleep(0.1)
    server.end(signal.SIGKILL)
    assert there.wait() == 1
    _, errors = there.communicate()
    assert errors.count(b"\n") == 1


@pytest.mark.parametrize("profile", PROFILES)
async def test_an_editor_keeps_its_agent_though_the_server_is_killed_and_started_again(profile: str) -> None:
    server, editor = Exposed(), Editor()
    again: Exposed | None = None
    command = (*START, "connect", f"{profile}:{server.address}")
    try:
        async with acp.spawn_agent(editor, *command, inherit_env=True) as agent:
            asking = asyncio.ensure_future(turn(agent, "last"))
            await editor.heard.wait()
            server.end(signal.SIGKILL)
            with pytest.raises(acp.RequestError, match="The connection to the agent was lost"):
                await asking
            again = Exposed(at=f"http:{server.address}")
            await turn_again(agent, "as before")
            assert editor.texts == ["begun", "as before"]
    finally:
        server.end(signal.SIGKILL)
        if again is not None:
            again.end(signal.SIGKILL)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("expose", "--at", "http://0.0.0.0:9", "--", "x"), "lets other machines run the agent: pass a token"),
        (("expose", "--at", "ftp://x", "--", "x"), "is not an address to serve at"),
        (("expose", "--token-env", "NO_SUCH_VARIABLE", "--", "x"), "$NO_SUCH_VARIABLE: error: contains no token"),
        (("expose", "--token-file", "/no/such", "--", "x"), "cannot be read: No such file or directory"),
        (("expose", "--at", "https://127.0.0.1:0", "--", "x"), "needs a certificate"),
        (("expose", "--at", "http://[::1", "--", "x"), "is not an address"),
        (
            ("expose", "--at", "http://127.0.0.1:99999", "--", "x"),
            "http://127.0.0.1:99999: error: is not an address: Port out of range",
        ),
        (("expose", "--cwd", "/no/such", "--", "x"), "/no/such: error: is not a folder"),
        (("connect", "ws://[::1"), "error: "),
        (("connect", "gopher://x"), "is not the address of an agent"),
        (("connect", "--header", "no colon", "ws://x"), "is not a valid header: expected NAME: VALUE"),
        (("connect", "--header", "a: b\nc", "ws://127.0.0.1:9"), "is invalid: names consist of letters"),
        (("connect", "tcp://127.0.0.1"), "has no host or no port"),
    ],
)
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(list(arguments)) == 2
    errors = capsys.readouterr().err
    assert problem in errors
    assert errors.count("\n") == 1


def test_a_port_that_is_taken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["expose", "--at", f"http://127.0.0.1:{port}", "--", "x"]) == 2
    errors = capsys.readouterr().err
    assert "ddress already in use" in errors
    assert errors.count("\n") == 1


def test_a_token_that_others_can_read_on_the_way_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("T", "sesame")
    main(["connect", "--token-env", "T", "ws://nowhere.invalid:9"])
    assert "warning: the token is sent unencrypted" in capsys.readouterr().err
    main(["connect", "--token-env", "T", "ws://127.0.0.1:9"])
    assert "warning" not in capsys.readouterr().err


def test_an_error_shows_no_token_of_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["connect", "ws://me:hush@127.0.0.1:9/acp?token=hush"]) == 1
    assert "hush" not in capsys.readouterr().err


def test_an_ipv6_address_is_served_and_reached() -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    command = [*START, "expose", "--at", "http://[::1]:0", "--", *AGENT]
    server = subprocess.Popen(command, stderr=subprocess.PIPE)
    assert server.stderr is not None
    try:
        try:
            address = address_in(server.stderr)
        except AssertionError as error:
            if "ssign requested address" in str(error):
                pytest.skip("no IPv6 here")
            raise
        editor = Editor()

        async def talk() -> None:
            async with acp.connect(f"ws:{address}", editor) as agent:
                await turn(agent, "six")

        asyncio.run(talk())
        assert editor.texts == ["six"]
    finally:
        server.kill()
        server.communicate()
