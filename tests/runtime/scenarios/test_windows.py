"""What differs on Windows, by doubles: which programs are started and how they end, variables, descriptors, sockets."""
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import generated as acp
from generated import transports
from generated._runtime.entrypoints import connect, listening, process, serve
from generated._runtime.transport import child, stdio

PROGRAM = "import sys; sys.stdin.buffer.read()"


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (child, process):
        monkeypatch.setattr(module, "_WINDOWS", True)


def script(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{PROGRAM}"\n')
    path.chmod(0o755)
    return str(path)


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("argument", ["a&b", "%PATH%", 'say "x"', "a|b", "a\nb", "x^y", "1>2", "hey!"])
@pytest.mark.parametrize("name", ["agent.cmd", "agent.BAT"])
@pytest.mark.usefixtures("windows")
async def test_an_argument_that_a_script_would_not_get_as_it_is_is_refused(
    tmp_path: Path, name: str, argument: str
) -> None:
    with pytest.raises(ValueError, match="is a script, and Windows would change its argument"):
        async with acp.spawn_agent(acp.Client(), script(tmp_path, name), argument):
            pass


@pytest.mark.parametrize(("name", "argument"), [("agent.cmd", "--model=x y"), ("agent.exe", "a&b")])
@pytest.mark.usefixtures("windows")
async def test_any_other_argument_is_passed_on(tmp_path: Path, name: str, argument: str) -> None:
    async with acp.spawn_agent(acp.Client(), script(tmp_path, name), argument) as agent:
        assert agent.process is not None


@pytest.mark.usefixtures("windows")
def test_a_variable_has_one_value_however_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_INHERITED", ("PATH", "TEMP"))
    monkeypatch.setenv("PATH", "ours")
    monkeypatch.setenv("TEMP", "t")
    assert process.environment({"Path": "theirs"}, whole=False) == {"PATH": "theirs", "TEMP": "t"}


async def test_an_event_loop_that_starts_no_processes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: Any, **__: Any) -> None:
        raise NotImplementedError

    monkeypatch.setattr(asyncio.get_running_loop(), "subprocess_exec", refuse)
    with pytest.raises(RuntimeError, match="cannot start processes: on Windows, use asyncio's default event loop"):
        async with acp.spawn_agent(acp.Client(), sys.executable, "-c", PROGRAM):
            pass


# --- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("windows")
async def test_an_agent_that_does_not_end_is_ended_with_what_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[tuple[str, ...]] = []

    def popen(command: tuple[str, ...], **_: Any) -> None:
        ended.append(command)
        os.kill(int(command[-1]), signal.SIGKILL)

    async def within(self: child.Child, _: float) -> None:
        """Find the process stubborn until it is ended, and gone from then on, however busy the machine is."""
        if ended:
            await self._exited.wait()

    monkeypatch.setattr(child.Child, "_exits_within", within)
    async with transports.process_transport(sys.executable, "-c", "import signal; signal.pause()") as wire:
        monkeypatch.setattr(child, "subprocess", SimpleNamespace(Popen=popen, DEVNULL=-3))
        del wire
    assert [command[:4] for command in ended] == [("taskkill", "/T", "/F", "/PID")]


@pytest.mark.usefixtures("windows")
async def test_without_the_program_that_ends_trees_the_process_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def popen(*_: Any, **__: Any) -> None:
        raise FileNotFoundError("taskkill")

    async with transports.process_transport(sys.executable, "-c", "import signal; signal.pause()", grace=0.01) as wire:
        monkeypatch.setattr(child, "subprocess", SimpleNamespace(Popen=popen, DEVNULL=-3))
        del wire


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (3, "exited with code 3"),
        (0xC000013A, "exited with code 0xc000013a"),
        (-9, "was killed by SIGKILL"),
        (-40, "was killed by signal 40"),
    ],
)
def test_how_it_ended_is_said_in_any_case(code: int, said: str) -> None:
    ended = child.Child.__new__(child.Child)
    ended._name = "agent"
    ended._transport = SimpleNamespace(get_returncode=lambda: code)  # type: ignore[assignment]
    assert ended._epitaph() == f"agent {said}"


# --- descriptors -----------------------------------------------------------------------------------------------------


async def test_nothing_but_the_thread_that_reads_a_descriptor_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, closing or replacing a descriptor waits for whoever reads it: an agent that ends by itself would not end."""
    reading, closed, begun = set[int](), list[int](), asyncio.Event()
    loop, read, close, dup2 = asyncio.get_running_loop(), os.read, os.close, os.dup2

    def watched(descriptor: int, size: int) -> bytes:
        reading.add(descriptor)
        loop.call_soon_threadsafe(begun.set)
        try:
            return read(descriptor, size)
        finally:
            reading.discard(descriptor)

    def checked(call: Callable[..., Any]) -> Callable[..., Any]:
        def made(*descriptors: int) -> Any:
            closed.extend(reading & {*descriptors})
            return call(*descriptors)

        return made

    ours, theirs = os.pipe()
    source = stdio._ThreadInput(ours)
    for name, call in (("read", watched), ("close", checked(close)), ("dup2", checked(dup2))):
        monkeypatch.setattr(stdio.os, name, call)
    waiting = asyncio.ensure_future(source.read(1))
    await begun.wait()
    source.close()
    stdio.os.close(ours)  # as `stdio` does when its block is left
    assert closed == []
    close(theirs)
    assert await waiting == b""


# --- sockets ---------------------------------------------------------------------------------------------------------


async def test_where_there_are_no_unix_sockets_an_address_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (connect, serve):
        monkeypatch.setattr(module, "HAS_UNIX", False)
    with pytest.raises(acp.ConnectionClosed, match=r"no Unix sockets: use tcp://127\.0\.0\.1:PORT"):
        async with acp.connect(f"unix:{tmp_path}/s"):
            pass
    with pytest.raises(OSError, match="no Unix sockets"):
        await acp.serve(acp.Agent, f"unix:{tmp_path}/s")


def test_a_port_is_ours_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    class Socket(socket.socket):
        def setsockopt(self, *arguments: Any) -> None:
            given.append(arguments[1])
            if arguments[1] != 123456:
                super().setsockopt(*arguments)

    monkeypatch.setattr(listening.socket, "socket", Socket)
    monkeypatch.setattr(listening.socket, "SO_EXCLUSIVEADDRUSE", 123456, raising=False)
    listening.listening_socket("127.0.0.1", 0).close()
    assert 123456 in given
    assert socket.SO_REUSEADDR not in given
