"""However `expose` ends, no agent that it has started is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest

from acp_tools.relay import reaper as reaping
from acp_tools.relay.reaper import Reaper
from tests.support.sampling import exhaustive

pytest.importorskip("hypercorn")
websockets = pytest.importorskip("websockets.asyncio.client")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="process groups of POSIX")

START = (sys.executable, "-c", "import sys; from acp_codegen.cli.main import main; sys.exit(main())")
STUBBORN = (sys.executable, str(Path(__file__).with_name("stubborn.py")))
HELLO = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}'


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


async def gone(*pids: int) -> None:
    while any(map(runs, pids)):  # noqa: ASYNC110  # another's processes tell nobody
        await asyncio.sleep(0.02)


def heed_signals() -> None:
    # A shell starts what it puts in the background with two of them ignored, and children inherit that.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


@contextlib.asynccontextmanager
async def exposed() -> AsyncGenerator[tuple[asyncio.subprocess.Process, str]]:
    """The command with a stubborn agent, and its address without a scheme; agents that it leaves behind are killed."""
    started = tempfile.mktemp()  # the agent creates it
    process = await asyncio.create_subprocess_exec(
        *(*START, "expose", "--log", "none", "--at", "http://127.0.0.1:0", "--", *STUBBORN, started),
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heed_signals,
    )
    try:
        yield process, re.findall(r"//127\.0\.0\.1:\d+", await told(process))[0]
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        Path(started).unlink(missing_ok=True)


async def told(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None
    return (await asyncio.wait_for(process.stderr.readline(), 240)).decode()


async def drains(address: str) -> None:
    async with httpx.AsyncClient() as client:
        while (await client.get(f"http:{address}/ready")).status_code != 503:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


ENDS: dict[str, tuple[int, ...]] = {
    "^C twice": (signal.SIGINT, signal.SIGINT),
    "SIGTERM twice": (signal.SIGTERM, signal.SIGTERM),
    "SIGTERM, then SIGKILL": (signal.SIGTERM, signal.SIGKILL),
    "SIGHUP twice": (signal.SIGHUP, signal.SIGHUP),
    "SIGKILL": (signal.SIGKILL,),
    "SIGQUIT": (signal.SIGQUIT,),
}


@contextlib.asynccontextmanager
async def started(process: asyncio.subprocess.Process) -> AsyncGenerator[None]:
    """An agent that was started and its child; both are gone after the block, or the test fails and they are killed."""
    agent, child = map(int, (await told(process)).split())
    try:
        yield
        await asyncio.wait_for(process.wait(), 60)
        await gone(agent, child)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(agent, signal.SIGKILL)


@pytest.mark.parametrize("how", exhaustive(ENDS, stay=("SIGTERM, then SIGKILL", "SIGKILL")))
async def test_no_agent_stays_whatever_ends_the_command(how: str) -> None:
    async with exposed() as (process, address), websockets.connect(f"ws:{address}/acp") as socket:
        await socket.send(HELLO)  # is never answered: a turn that is waited for
        async with started(process):
            first, *others = ENDS[how]
            process.send_signal(first)
            for number in others:
                await drains(address)
                process.send_signal(number)


async def test_a_signal_to_the_whole_process_group_does_not_help_agents_either() -> None:
    async with exposed() as (process, address), websockets.connect(f"ws:{address}/acp"), started(process):
        os.killpg(process.pid, signal.SIGKILL)


async def test_sighup_ends_the_command_in_order() -> None:
    async with exposed() as (process, address), websockets.connect(f"ws:{address}/acp"), started(process):
        process.send_signal(signal.SIGHUP)
        assert await asyncio.wait_for(process.wait(), 60) == 128 + signal.SIGHUP


# The reaper by itself


def begun(**more: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(STUBBORN, stderr=subprocess.PIPE, start_new_session=True, **more)


def pids_of(process: subprocess.Popen[bytes]) -> list[int]:
    assert process.stderr is not None
    return [int(pid) for pid in process.stderr.readline().split()]


def abandoned(reaper: Reaper, process: subprocess.Popen[bytes]) -> int:
    """What becomes of an agent when the pipe ends; it was removed then, and so is the reaper."""
    watching = reaper._process
    assert watching is not None
    os.close(reaper._pipe)
    try:
        code = process.wait()
        watching.wait()
    finally:
        process.kill()
        process.communicate()
    return code


@pytest.mark.skipif(sys.platform != "linux", reason="the environment of a process is read from /proc")
def test_an_agent_of_which_there_was_no_time_to_tell_is_found() -> None:
    reaper = Reaper()
    reaper._start()
    with reaper.agent() as (_, env):
        process = begun(env={**os.environ, **env})
        pids_of(process)
        assert abandoned(reaper, process) == -signal.SIGKILL
        reaper._process = None


def test_a_reaper_that_was_killed_has_a_successor() -> None:
    reaper = Reaper()
    reaper._start()
    with reaper.agent() as (token, env):
        process = begun(env={**os.environ, **env})
        pids_of(process)
        reaper.runs(token, process.pid)
        first = reaper._process
        assert first is not None
        first.kill()
        first.wait()
        with reaper.agent():
            pass
        assert reaper._process is not first
        assert abandoned(reaper, process) == -signal.SIGKILL
        reaper._process = None


def test_a_process_that_has_the_number_of_an_agent_that_ended_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    process = begun()
    pids = pids_of(process)
    try:
        monkeypatch.setattr(reaping, "GRACE", 0.0)
        reaping._end({"token": (process.pid, "another time")})
        assert all(map(runs, pids))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_it_ends_at_once_when_there_is_nothing_to_do() -> None:
    reaper = Reaper()
    with reaper.running():
        watching = reaper._process
        with reaper.agent():
            pass
    assert watching is not None
    assert watching.returncode == 0
