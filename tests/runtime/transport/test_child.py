"""A child process whose streams end before it does, under asyncio and under uvloop, which passes its pipes on twice."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from generated import Client, ConnectionClosed, spawn_agent
from tests.support.waiting import until

Run = Callable[[Coroutine[Any, Any, None]], None]

ANSWERS = """
import os, sys, time
os.read(0, 1 << 16)
print('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}', flush=True)
"""


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Run a coroutine in an event loop of a library."""
    factory = asyncio.new_event_loop
    if request.param == "uvloop":
        factory = pytest.importorskip("uvloop").new_event_loop

    def run(program: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(program)

    return run


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no uvloop")


@pytest.mark.parametrize(
    ("last", "said"),
    [("os.close(0)", "the agent no longer reads"), ("os.close(1)", "python closed its output")],
    ids=["stdin", "stdout"],
)
def test_a_call_ends_when_a_process_closes_a_stream_and_lives(run: Run, last: str, said: str) -> None:
    async def program() -> None:
        code = f"{ANSWERS}os.read(0, 1 << 16)\n{last}\ntime.sleep(600)"
        async with asyncio.timeout(60), spawn_agent(Client(), sys.executable, "-c", code, grace=0.01) as connection:
            await connection.initialize()
            with pytest.raises(ConnectionClosed, match=said):
                await connection.ext_request("_x")

    run(program())


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="this system does not list the descriptors of a process")
def test_a_process_gets_its_standard_streams_alone_and_leaves_no_descriptor(run: Run) -> None:
    code = f"{ANSWERS}sys.stderr.write(' '.join(os.listdir('/dev/fd')))"

    async def listed() -> list[str]:
        said = list[bytes]()
        async with spawn_agent(Client(), sys.executable, "-c", code, stderr=said.append) as connection:
            await connection.initialize()
        return b"".join(said).decode().split()

    async def program() -> None:
        await listed()  # libuv keeps what it opens for the first process
        before = len(os.listdir("/dev/fd"))
        inside = await listed()
        assert {"0", "1", "2"} <= {*inside}
        assert len(inside) == 4, "and the one that lists them"
        await until(lambda: len(os.listdir("/dev/fd")) <= before)

    run(program())
