"""The agent as a program: how it ends, what it takes, what it leaves behind."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from examples.acp.stores import StoredSession
from examples.session_agent.__main__ import arguments as command_line
from examples.session_agent.__main__ import clean_up
from generated._runtime.stores.listing import days

from .wire import AGENT, CWD, ROOT, Json, SetClock, Wire, house, said, silent, started


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """A whole run of the program, its stdin given at once."""
    return subprocess.run([*AGENT, *arguments], cwd=ROOT, input=stdin, capture_output=True, check=False)


# How it ends


async def test_when_stdin_is_closed_the_agent_exits_with_0() -> None:
    async with started() as wire:
        await wire.new()
        assert await wire.leave() == 0


async def test_when_stdin_is_closed_in_a_turn_the_agent_exits_with_0() -> None:
    async with started() as wire:
        turn = wire.prompting(await wire.new(), "/wait")
        await wire.until_update("agent_message_chunk")
        assert await wire.leave() == 0
        assert not turn.done() or "result" in turn.result()


async def test_when_stdin_is_closed_while_the_user_is_asked_the_agent_exits_with_0_and_says_nothing() -> None:
    async with started(policy=silent) as wire:
        wire.prompting(await wire.new(), "hello")
        await wire.until(lambda frame: frame.get("method") == "session/request_permission")
        assert await wire.leave() == 0
        assert wire.process.stderr is not None
        assert await wire.process.stderr.read() == b""


async def test_a_turn_that_stdin_cut_short_is_kept(tmp_path: Path) -> None:
    store = str(tmp_path / "store.db")
    async with started("--store", store) as wire:
        session = await wire.new()
        wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.leave()
    async with started("--store", store) as wire:
        assert said(await wire.history(session)).startswith("0 ")


def test_a_client_that_never_reads_does_not_keep_the_agent_from_ending() -> None:
    command = [*AGENT, "--pace=0"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(_frame(1, "initialize", {"protocolVersion": 1}))
        for number in range(2, 500):  # the answers fill the pipe
            process.stdin.write(_frame(number, "session/new", {"cwd": CWD, "mcpServers": []}))
        process.stdin.close()
        assert process.wait() == 0


def _frame(number: int, method: str, params: Json) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


# What it takes


@pytest.mark.parametrize(
    "arguments",
    [
        ("--page-size", "0"),
        ("--page-size", "1001"),
        ("--page-size", "x"),
        ("--keep-days", "x"),
        ("--nope",),
        ("--store",),
        ("stray",),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ending:
        command_line().parse_args(arguments)
    assert (ending.value.code, capsys.readouterr().out) == (2, "")


def test_a_file_that_is_no_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader, " * 100)
    done = run("--store", str(file))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().splitlines() == [f"session_agent: {file}: file is not a database"]
    assert file.read_text().startswith("Dear reader")


def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE sessions (x)")
    other.close()
    before = file.read_bytes()
    done = run("--store", str(file))
    assert (done.returncode, b"a database of another program" in done.stderr) == (2, True)
    assert file.read_bytes() == before


@pytest.mark.parametrize("path", ["/nowhere/at/all/store.db", "/"])
def test_a_store_that_cannot_be_opened_is_an_error_in_a_line(path: str) -> None:
    done = run("--store", path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


async def test_nobody_else_can_read_the_store(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    async with started("--store", str(store)) as wire:
        await wire.new()
        assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}


# What it keeps, and for how long


async def test_sessions_that_nobody_touched_for_n_days_are_cleaned_up(tmp_path: Path) -> None:
    file = str(tmp_path / "store.db")
    async with started("--store", file) as wire:
        old, new = await wire.new(), await wire.new()
        await wire.leave()
    with sqlite3.connect(file) as store:
        store.execute("UPDATE sessions SET changed_at = changed_at - ? WHERE session_key = ?", (days(8), old))
    store.close()
    async with started("--store", file) as wire:
        assert set(await wire.listed()) == {old, new}, "not unless it was asked for"
    async with started("--store", file, "--keep-days", "7") as wire:
        assert await wire.listed() == [new]
        assert (await wire.refused("session/load", sessionId=old, cwd=CWD, mcpServers=[])).code == -32002


async def test_sessions_are_cleaned_up_after_n_days_and_not_before() -> None:
    clock = SetClock()
    async with house(clock=clock) as home, home.connected() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        clock.now += days(6.99)
        await clean_up(home.store, 7, 30, clock.now)
        assert await wire.listed() == [session]
        clock.now += days(0.02)
        assert await clean_up(home.store, 7, 30, clock.now) == (1, 0)
        assert await wire.listed() == []


async def test_sessions_that_are_open_are_not_cleaned_up() -> None:
    clock = SetClock()
    async with house(clock=clock) as home, home.connected() as wire:
        session = await wire.new()
        clock.now += days(100)
        assert await clean_up(home.store, 7, 30, clock.now) == (0, 0)
        assert await wire.prompt(session) == "end_turn"


async def test_a_round_cleans_up_however_many_there_are() -> None:
    async with house() as home:
        await home.store.open()
        for number in range(1200):
            await home.store.create(StoredSession(session_key=str(number), identity="", changed_at=number))
        assert await clean_up(home.store, 1, 0, days(2)) == (1200, 0)
        assert await clean_up(home.store, 1, 0, days(3)) == (0, 1200)


# A socket for many clients


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"unix:{tmp_path}/agent.sock"


async def listening(address: str, *arguments: str) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        *AGENT, "--pace=0", "--listen", address, *arguments, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    assert await process.stderr.readline() == f"listening on {address}\n".encode()
    return process


async def dial(address: str) -> Wire:
    wire = Wire(*await asyncio.open_unix_connection(address.removeprefix("unix:")))
    await wire.initialize()
    return wire


async def hang_up(process: asyncio.subprocess.Process, *wires: Wire) -> int:
    for wire in wires:
        await wire.end()
    process.terminate()
    await process.communicate()
    process._transport.close()  # type: ignore[attr-defined]
    return await process.wait()


async def test_many_clients_share_a_socket_and_hear_of_a_session_that_ends(address: str) -> None:
    process = await listening(address)
    one, two = await dial(address), await dial(address)
    session = await one.new()
    await two.resume(session)
    await one.call("_sandboxagent/session/terminate", sessionId=session)
    for wire in (one, two):
        ended = await wire.until(lambda frame: frame.get("method") == "_sandboxagent/session/ended")
        assert (ended["params"]["reason"], ended["params"]["terminatedBy"]) == ("terminated", "daemon")
    assert await hang_up(process, one, two) == 0


async def test_a_client_that_leaves_the_socket_does_not_disturb_the_others(address: str) -> None:
    process = await listening(address)
    one, two = await dial(address), await dial(address)
    session = await one.new()
    await two.resume(session)
    one.prompting(session, "/wait")
    await one.until_update("agent_message_chunk")
    await one.end()
    for _ in range(6000):
        answer = await two.prompting(session, "/echo hello")
        if "result" in answer:
            break
        await asyncio.sleep(0.01)
    assert answer["result"] == {"stopReason": "end_turn"}
    assert await hang_up(process, two) == 0


async def test_the_socket_is_for_the_user_alone_and_is_gone_in_the_end(address: str) -> None:
    process = await listening(address)
    assert stat.S_IMODE(os.stat(address.removeprefix("unix:")).st_mode) == 0o600
    assert await hang_up(process) == 0
    assert not os.path.exists(address.removeprefix("unix:"))


async def test_a_socket_that_is_in_use_is_not_taken_over_and_one_that_was_left_behind_is(address: str) -> None:
    first = await listening(address)
    taken = await asyncio.to_thread(run, "--listen", address)
    assert (taken.returncode, len(taken.stderr.splitlines())) == (2, 1)
    first.kill()
    await first.communicate()
    first._transport.close()  # type: ignore[attr-defined]
    assert os.path.exists(address.removeprefix("unix:"))
    assert await hang_up(await listening(address)) == 0


def test_a_regular_file_at_the_address_is_an_error_in_a_line(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("dear diary")
    done = run("--listen", f"unix:{notes}")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)
    assert notes.read_text() == "dear diary"


# Streams that are not as they should be


@pytest.mark.parametrize(
    ("redirection", "complaint"),
    [
        ("<&-", "stdin is closed"),
        (">&-", "stdout is closed"),
        ("<&- >&-", "stdin is closed"),
        ("<&- >&- 2>&-", ""),
    ],
)
def test_without_standard_streams_it_says_so_in_a_line_and_touches_nothing(
    tmp_path: Path, redirection: str, complaint: str
) -> None:
    command = f"exec {shlex.join([*AGENT, '--store', str(tmp_path / 'store.db')])} {redirection}"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 2
    if complaint:
        assert done.stderr.decode() == f"session_agent: {complaint}: an ACP client talks to the agent there\n"
    assert list(tmp_path.iterdir()) == [], "a file that is opened now would be taken for a standard stream"


@pytest.mark.parametrize("source", [os.devnull, "empty file"])
def test_an_empty_stdin_is_a_client_that_left(tmp_path: Path, source: str) -> None:
    if source == "empty file":
        source = str(tmp_path / "empty")
        Path(source).touch()
    command = f"exec {shlex.join(AGENT)} <{shlex.quote(source)}"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_without_stderr_the_agent_works_all_the_same(tmp_path: Path) -> None:
    # Nothing that is opened, the store least of all, gets the number of stderr.
    command = f"exec {shlex.join([*AGENT, '--store', str(tmp_path / 'store.db')])} 2>&-"
    frames = _frame(1, "initialize", {"protocolVersion": 1}) + _frame(2, "session/new", {"cwd": CWD, "mcpServers": []})
    done = subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, input=frames, capture_output=True, check=False)
    assert done.returncode == 0
    assert [json.loads(line).get("jsonrpc") for line in done.stdout.splitlines()] == ["2.0"] * 3


async def test_an_agent_on_a_socket_needs_no_standard_streams(address: str) -> None:
    command = f"exec {shlex.join([*AGENT, '--listen', address])} <&- >&-"
    process = await asyncio.create_subprocess_exec("/bin/sh", "-c", command, cwd=ROOT, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    assert await process.stderr.readline() == f"listening on {address}\n".encode()
    wire = await dial(address)
    await wire.new()
    assert await hang_up(process, wire) == 0


# What it needs


def test_it_needs_the_standard_library_and_msgspec_alone() -> None:
    modules = "examples.session_agent.__main__"
    code = f"import sys; before = set(sys.modules); import {modules}; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    packages = {module.partition(".")[0] for module in loaded.stdout.split()}
    # msgspec loads typing_extensions where that is installed.
    assert packages - set(sys.stdlib_module_names) <= {"examples", "generated", "msgspec", "typing_extensions"}
