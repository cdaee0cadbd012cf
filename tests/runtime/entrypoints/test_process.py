"""Whole processes: how they start, what their standard streams carry, how they die and are ended."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from peers import EAGER, ROOT

from generated import Agent, AgentSideConnection, Client, ClientSideConnection, ConnectionClosed, spawn_agent
from generated._runtime.entrypoints.process import serve_stdio
from generated.connection import SpawnOptions
from tests.support.waiting import advance, until

STRAY = (sys.executable, *EAGER, str(Path(__file__).parents[1] / "stray_agent.py"))


async def test_an_agent_is_started_and_ended_with_its_connection() -> None:
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL) as connection:
        assert (await connection.initialize()).protocol_version == 1
    with pytest.raises(ConnectionClosed):
        await connection.ext_request("_echo", 1)


async def test_what_an_agent_prints_does_not_get_onto_the_wire() -> None:
    log: list[bytes] = []
    async with spawn_agent(Client(), *STRAY, stderr=log.append) as connection:
        assert await connection.ext_request("_prints") == "printed"
    for text in (b"a stray print", b"a stray write", b"a stray child", b"printed after serving"):
        assert text in b"".join(log)


async def test_what_an_agent_reads_from_stdin_is_not_the_wire() -> None:
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL) as connection:
        assert await connection.ext_request("_reads") == ""


async def test_stderr_is_captured_whole() -> None:
    log: list[bytes] = []
    async with spawn_agent(Client(), *STRAY, stderr=log.append) as connection:
        assert await connection.ext_request("_complains") == "complained"
    assert b"x" * 200_000 in b"".join(log)


async def test_stderr_is_passed_through(capfd: pytest.CaptureFixture[str]) -> None:
    async with spawn_agent(Client(), *STRAY) as connection:
        await connection.ext_request("_echo")
    assert "printed before serving" in capfd.readouterr().err


async def test_a_frame_of_megabytes_passes_both_ways() -> None:
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL) as connection:
        text = "\u00e9" * 5_000_000
        assert await connection.ext_request("_echo", text) == text


@pytest.mark.parametrize(("method", "how"), [("_exits", "exited with code 3"), ("_aborts", "killed by SIGKILL")])
async def test_the_death_of_an_agent_fails_every_open_call_and_says_how(method: str, how: str) -> None:
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL) as connection:
        waiting = asyncio.create_task(connection.ext_request("_sleeps"))
        await connection.ext_request("_echo")
        with pytest.raises(ConnectionClosed, match=how):
            await connection.ext_request(method)
        with pytest.raises(ConnectionClosed, match=how):
            await waiting


async def test_the_death_of_an_agent_shows_even_if_a_child_of_its_lives_on() -> None:
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL) as connection:
        # The children live for longer than a test may take.
        with pytest.raises(ConnectionClosed, match="exited with code 4"):
            await connection.ext_request("_leaves_a_child")


async def ended(pid: int) -> bool:
    """Whether a process of another parent is gone, or a zombie that nobody has collected, within a minute."""
    for _ in range(3000):
        try:
            if "State:\tZ" in Path(f"/proc/{pid}/status").read_text():
                return True
        except OSError:
            return True
        await asyncio.sleep(0.02)
    return False


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks up processes in /proc")
async def test_what_an_agent_leaves_behind_ends_with_it() -> None:
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL) as connection:
        child = await connection.ext_request("_leaves_a_grandchild")
    assert await ended(child)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks up processes in /proc")
async def test_what_an_agent_leaves_behind_ends_with_it_when_it_dies_by_itself() -> None:
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL) as connection:
        child = await connection.ext_request("_leaves_a_grandchild")
        with pytest.raises(ConnectionClosed):
            await connection.ext_request("_exits")
        assert await ended(child), "while the connection's block goes on"


@pytest.mark.skipif(os.name == "nt", reason="sessions are a matter of POSIX")
@pytest.mark.parametrize("own", [True, False])
async def test_an_agent_has_a_session_of_its_own_unless_told_otherwise(own: bool) -> None:
    given = SpawnOptions() if own else SpawnOptions(start_new_session=False)
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL, **given) as connection:
        assert (await connection.ext_request("_session") != os.getsid(0)) is own


async def test_an_agent_that_does_not_end_is_terminated_and_then_killed() -> None:
    log: list[bytes] = []

    async def let_time_pass() -> None:
        for seen in (b"printed after serving", b"told to end"):
            await until(lambda seen=seen: seen in b"".join(log))
            assert (b"told to end" in b"".join(log)) == (seen == b"told to end"), "it has its time before each step"
            advance(600)

    async with spawn_agent(Client(), *STRAY, stderr=log.append, grace=590) as connection:
        await connection.ext_request("_stays")
        passing = asyncio.create_task(let_time_pass())
    await passing
    assert connection.process is not None
    assert connection.process.returncode == -signal.SIGKILL


async def test_a_cancelled_client_leaves_no_agent_behind() -> None:
    processes: list[Any] = []
    started = asyncio.Event()

    async def talk() -> None:
        async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL) as connection:
            processes.append(connection.process)
            await connection.ext_request("_echo")
            started.set()
            await connection.ext_request("_sleeps")

    task = asyncio.create_task(talk())
    await started.wait()
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert processes[0].returncode is not None


async def test_a_command_that_does_not_exist_says_so() -> None:
    with pytest.raises(FileNotFoundError):
        async with spawn_agent(Client(), "/no/such/agent"):
            pass


async def test_a_program_that_is_no_agent_is_a_clear_error() -> None:
    async with spawn_agent(Client(), sys.executable, "-c", "print('hello')") as connection:
        with pytest.raises(ConnectionClosed, match="exited with code 0"):
            await connection.initialize()


HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}


@pytest.mark.parametrize("end", ["\n", ""])
def test_an_agent_serves_a_pipe_to_its_end(end: str) -> None:
    done = subprocess.run(STRAY, input=json.dumps(HELLO) + end, text=True, capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout)["result"]["protocolVersion"] == 1


def test_an_agent_serves_files_as_well_as_pipes(tmp_path: Path) -> None:
    source, sink = tmp_path / "in", tmp_path / "out"
    source.write_text(json.dumps(HELLO) + "\n" + json.dumps({**HELLO, "id": 2}) + "\n")
    with source.open() as stdin, sink.open("w") as stdout:
        subprocess.run(STRAY, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, check=True, timeout=60)
    assert [json.loads(line)["id"] for line in sink.read_text().splitlines()] == [1, 2]


async def test_an_agent_serves_one_socket_that_is_both_its_stdin_and_its_stdout() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        process = await asyncio.create_subprocess_exec(*STRAY, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL)
    reader, writer = await asyncio.open_connection(sock=ours)
    async with ClientSideConnection(Client(), reader, writer) as connection:
        await connection.initialize()
        text = "x" * 1_000_000
        assert await connection.ext_request("_echo", text) == text
        writer.write_eof()
        assert await process.wait() == 0


async def test_the_standard_streams_are_put_back(capfd: pytest.CaptureFixture[str]) -> None:
    saved = os.dup(0)
    read_end, write_end = os.pipe()
    try:
        os.dup2(read_end, 0)
        os.write(write_end, json.dumps(HELLO).encode() + b"\n")
        os.close(write_end)
        await serve_stdio(AgentSideConnection, Agent())
        print("after", flush=True)
        assert os.get_blocking(0)
    finally:
        os.dup2(saved, 0)
        os.close(saved)
        os.close(read_end)
    lines = capfd.readouterr().out.splitlines()
    assert json.loads(lines[0])["id"] == 1
    assert lines[1] == "after"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_interrupting_an_agent_ends_it_though_its_stdin_stays_open() -> None:
    # A shell starts what it puts in the background with SIGINT ignored, and children inherit that.
    options: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    pipe = subprocess.PIPE
    with subprocess.Popen(STRAY, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, **options) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) != 0


def test_an_agent_does_not_need_the_repository(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "generated", tmp_path / "vendored", ignore=shutil.ignore_patterns("__pycache__"))
    program = "import asyncio; from vendored import Agent, run_agent; asyncio.run(run_agent(Agent()))"
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-c", program]
    options: dict[str, Any] = {"cwd": tmp_path, "env": environment, "timeout": 20}
    done = subprocess.run(command, input=json.dumps(HELLO), text=True, capture_output=True, check=True, **options)
    assert json.loads(done.stdout)["id"] == 1


@pytest.mark.skipif(os.name == "nt", reason="pty is a matter of POSIX")
def test_an_agent_that_somebody_starts_in_a_terminal_says_what_it_waits_for() -> None:
    import pty  # not on Windows

    ours, theirs = pty.openpty()
    program = "import asyncio, generated as acp; asyncio.run(acp.run_agent(acp.Agent()))"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT
    ) as agent:
        assert agent.stderr is not None
        try:
            assert b"waiting for a client on standard input" in agent.stderr.readline()
        finally:
            agent.kill()
            os.close(ours)
            os.close(theirs)
