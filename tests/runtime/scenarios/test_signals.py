"""How a program that serves ends by a signal, and what a client knows of the process it started."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from peers import EAGER

from generated import Client, ConnectionClosed, spawn_agent
from tests.runtime.entrypoints.test_process import HELLO, STRAY, ended

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are a matter of POSIX")

AGENT = (sys.executable, *EAGER, str(Path(__file__).parents[1] / "ending_agent.py"))


class Started:
    """The agent as a program, in whose turn a child of its was started."""

    def __init__(self, how: str, own_session: bool) -> None:
        # A shell starts what it puts in the background with SIGINT ignored, and children inherit that.
        options: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen([*AGENT, how], start_new_session=own_session, **pipes, **options)
        self.tell(HELLO)
        self.read()
        self.tell({"jsonrpc": "2.0", "id": 2, "method": "_turn"})
        self.child: int = self.read()["params"]

    def tell(self, frame: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(frame).encode() + b"\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def end(self, number: int) -> tuple[int, str]:
        """Exit code and stderr after a signal; stdin stays open."""
        self.process.send_signal(number)
        try:
            code = self.process.wait(timeout=60)
        finally:
            self.process.kill()
            _, errors = self.process.communicate()
        return code, errors.decode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("own_session", [True, False])
async def test_a_signal_ends_an_agent_in_order_and_its_children_with_it(number: int, own_session: bool) -> None:
    agent = Started("cleans", own_session)
    code, errors = agent.end(number)
    assert code == 128 + number
    assert "cleaned up" in errors
    assert "after the turn" in errors
    assert "Traceback" not in errors
    assert await ended(agent.child)


async def test_a_handler_that_will_not_be_cancelled_does_not_keep_an_agent() -> None:
    agent = Started("stays", True)
    code, errors = agent.end(signal.SIGTERM)
    assert code == 128 + signal.SIGTERM
    assert "handlers do not end" in errors
    assert await ended(agent.child)


def test_a_handler_that_blocks_gives_way_to_a_second_signal() -> None:
    agent = Started("blocks", True)
    assert agent.process.stderr is not None
    assert agent.process.stderr.readline() == b"blocks\n"
    code, errors = _again(agent)
    assert code == -signal.SIGTERM
    assert "Traceback" not in errors
    os.kill(agent.child, signal.SIGKILL)


def _again(agent: Started) -> tuple[int, str]:
    """Send a signal until it is heeded: two that come before the first is handled are one."""
    for count in range(100):
        agent.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            agent.process.wait(timeout=0.3)
            assert count, "it ended at the first signal"
            break
    return agent.end(signal.SIGTERM)


def test_a_signal_that_the_program_handles_itself_is_left_to_it() -> None:
    agent = Started("handles", True)
    agent.process.send_signal(signal.SIGTERM)
    agent.tell({"jsonrpc": "2.0", "id": 3, "method": "_handled"})
    assert agent.read() == {"jsonrpc": "2.0", "id": 3, "result": True}
    os.kill(agent.child, signal.SIGKILL)
    agent.end(signal.SIGKILL)


# What a client knows of the process


async def test_a_connection_shows_the_process_at_its_other_end() -> None:
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL) as connection:
        process = connection.process
        assert process is not None
        assert process.returncode is None
        assert os.getpgid(process.pid) == process.pid
        process.kill()
        with pytest.raises(ConnectionClosed, match="killed by SIGKILL"):
            await connection.ext_request("_sleeps")
        assert process.returncode == -signal.SIGKILL
        process.kill()
        process.terminate()


async def environment(**options: Any) -> dict[str, str]:
    async with spawn_agent(Client(), *STRAY, stderr=subprocess.DEVNULL, **options) as connection:
        return dict(await connection.ext_request("_environment"))


async def test_a_process_inherits_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("SHELL", "() { echo a function; }")
    found = await environment()
    assert set(found) - {"LC_CTYPE"} <= {"HOME", "LOGNAME", "PATH", "TERM", "USER"}
    assert found["PATH"] == os.environ["PATH"]


async def test_a_process_gets_the_variables_that_it_is_given() -> None:
    found = await environment(env={"TOKEN": "y", "HOME": "/nowhere"})
    assert (found["TOKEN"], found["HOME"], found["PATH"]) == ("y", "/nowhere", os.environ["PATH"])


async def test_a_process_inherits_everything_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    found = await environment(inherit_env=True, env={"TOKEN": "y"})
    assert (found["SECRET_TOKEN"], found["TOKEN"]) == ("x", "y")
