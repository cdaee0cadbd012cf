"""What a peer sees of this machine: its home, what it needs to run, and nothing that is not listed."""

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

from acp_tools.probe.isolation import namespace, network
from acp_tools.probe.isolation.home import Home
from acp_tools.probe.isolation.needs import readable
from acp_tools.probe.isolation.network import Network

ESCAPES = Path(__file__).with_name("escapes.py")
ROOT = Path(__file__).parents[3]


def no_sandbox() -> str:
    if not sys.platform.startswith("linux"):
        return "there are no namespaces on this system"
    with Home() as home:
        plan = {
            "reads": readable([sys.executable]),
            "writes": [str(home.root)],
            "network": False,
            "scratch": str(home.scratch),
        }
        return namespace.obstacle(lambda: namespace._attempt(plan))


pytestmark = pytest.mark.skipif(bool(no_sandbox()), reason=f"no sandbox: {no_sandbox()}")


def output(sandbox: Network, *command: str) -> tuple[str, int]:
    async def run(home: Home) -> tuple[str, int]:
        process, watch = await sandbox.start(command, home)
        out, errors = await process.communicate()
        await watch.close()
        assert process.returncode is not None
        return (out or errors).decode(), process.returncode

    with Home() as home:
        return asyncio.run(run(home))


def escaped(sandbox: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setitem(os.environ, "HUSH", "secret")
    (tmp_path / "notes.txt").write_text("private")
    with socket.socket(socket.AF_UNIX) as server:
        (tmp_path / "s").unlink(missing_ok=True)
        server.bind(str(tmp_path / "s"))
        server.listen()
        out, code = output(sandbox, sys.executable, str(ESCAPES), f"{tmp_path}/s", f"{tmp_path}/notes.txt")
    assert code == 0, out
    found: dict[str, Any] = json.loads(out)
    return found


def test_a_peer_reaches_nothing_that_is_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = Network()
    # the script is in the command, and its folder may be read; the two paths are arguments, and the socket's folder is, too
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    script = tmp_path / "tool" / "escapes.py"
    script.parent.mkdir()
    shutil.copy(ESCAPES, script)
    monkeypatch.setattr(network, "readable", lambda command, path, more: readable(command[:2], path, more))
    monkeypatch.setattr(sys.modules[__name__], "ESCAPES", script)
    found = escaped(sandbox, hidden, monkeypatch)
    assert found == {
        "socket": "FileNotFoundError",
        "read": "FileNotFoundError",
        "write beside home": "FileNotFoundError",
        "write to the system": "OSError",
        "write to the root": "OSError",
        "write home": 1,
        "environments": False,
        "namespaces": 0,
        "mounts": [-1, -1, -1],
        "processes": found["processes"],
        "network": ["lo"],
    }
    assert found["processes"] <= 3
    assert not (hidden / "notes.txt-new").exists()
    assert sandbox.files.startswith("its own home; read-only: the system's programs, ")


def test_paths_that_are_listed_are_read_and_written_as_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert escaped(Network(reads=[tmp_path]), tmp_path, monkeypatch)["read"] == "private"
    assert not (tmp_path / "notes.txt-new").exists()
    assert escaped(Network(writes=[tmp_path]), tmp_path, monkeypatch)["write beside home"] == 1
    assert (tmp_path / "notes.txt-new").exists()


def test_the_network_of_this_machine_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = escaped(Network(shared=True), tmp_path, monkeypatch)
    assert found["network"] == sorted(name for _, name in socket.if_nameindex())
    assert found["environments"] is False


@pytest.mark.parametrize(("program", "code"), [("exit 7", 7), ("kill -SEGV $$", -signal.SIGSEGV), ("true", 0)])
def test_it_ends_as_the_command_does(program: str, code: int) -> None:
    assert output(Network(), "/bin/sh", "-c", program)[1] == code


def test_what_a_command_leaves_behind_ends_with_it_unless_it_is_to_be_found() -> None:
    async def left(stay: bool) -> int:
        with Home() as home:
            process, watch = await Network(stay=stay).start(("/bin/sh", "-c", "sleep 600 >&- 2>&- <&- & exit 0"), home)
            await process.wait()
            found = len(await home.sweep(wait=0.5))
            await watch.close()
            return found

    assert asyncio.run(left(stay=True)) == 1
    assert asyncio.run(left(stay=False)) == 0


def test_where_the_kernel_refuses_the_report_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = tmp_path / "namespace.py"
    text = Path(namespace.__file__).read_text(encoding="utf-8")
    refusing.write_text(
        text.replace(
            '-> None:\n    """Build a root', '-> None:\n    raise OSError(1, \'no mounts\')\n    """Build a root'
        )
    )
    monkeypatch.setattr(network, "_PROGRAM", str(refusing))
    sandbox = Network()
    assert output(sandbox, "/bin/sh", "-c", "exit 0")[1] == 0
    assert sandbox.files == "all of this machine's: no namespaces (no mounts)"
    assert sandbox.text == "only loopback, in a separate namespace"


RUN = (sys.executable, "-m", "codegen", "run", "--sandbox")


def test_run_passes_the_streams_and_the_exit_code_on_and_writes_an_audit_record(tmp_path: Path) -> None:
    audit = tmp_path / "audit.ndjson"
    program = "import os, sys, urllib.request\nprint(input()[::-1])\ntry: urllib.request.urlopen('http://other.example/x')\nexcept OSError as e: print(e)\nsys.exit(5)"
    command = (*RUN, "--audit", str(audit), "--host", "api.example", "--", sys.executable, "-c", program)
    done = subprocess.run(command, input=b"olleh\n", capture_output=True, timeout=200, check=False, cwd=ROOT)
    assert (done.stdout, done.returncode) == (b"hello\nHTTP Error 403: Forbidden\n", 5), done.stderr
    start, asked, end = map(json.loads, audit.read_text().splitlines())
    assert (start["event"], start["command"][0]) == ("start", sys.executable)
    assert start["network"] == "only loopback, in a separate namespace, and a proxy to api.example"
    assert (asked["event"], asked["host"], asked["allowed"]) == ("connect", "other.example", False)
    assert (end["event"], end["code"]) == ("end", 5)


def test_a_host_that_is_listed_is_reached_through_the_proxy() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write((await reader.readline()).upper())
        await writer.drain()
        writer.close()

    async def run() -> bytes:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        program = (
            "import socket, sys\nwire = socket.create_connection(('127.0.0.1', 9)).makefile('rwb')\n"
            f"wire.write(b'CONNECT localhost:{port} HTTP/1.1\\r\\n\\r\\n'); wire.flush()\n"
            "print(wire.readline(), wire.readline())\nwire.write(b'hello\\n'); wire.flush(); print(wire.readline())"
        )
        with Home() as home:
            process, watch = await Network(hosts=["localhost"]).start((sys.executable, "-c", program), home)
            out, errors = await process.communicate()
            await watch.close()
        server.close()
        return out + errors

    assert asyncio.run(run()).splitlines()[-1] == b"b'HELLO\\n'"


def test_run_without_a_sandbox_runs_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        (*RUN, "--read", f"{tmp_path}/none", "--", "touch", f"{tmp_path}/x"), capture_output=True, check=False, cwd=ROOT
    )
    assert (done.returncode, b"does not exist" in done.stderr) == (2, True)
    plain = subprocess.run((*RUN[:-1], "--", "touch", f"{tmp_path}/x"), capture_output=True, check=False, cwd=ROOT)
    assert plain.returncode == 2
    assert not (tmp_path / "x").exists()


def test_run_refuses_where_the_kernel_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = tmp_path / "namespace.py"
    text = Path(namespace.__file__).read_text(encoding="utf-8")
    refusing.write_text(
        text.replace("(flags: int) -> None:\n", "(flags: int) -> None:\n    raise OSError(1, 'not today')\n", 1)
    )
    monkeypatch.setattr(network, "_PROGRAM", str(refusing))

    async def run() -> None:
        with Home() as home:
            await Network().start(("touch", f"{tmp_path}/x"), home, ours=True)

    with pytest.raises(PermissionError, match="not today"):
        asyncio.run(run())
    assert not (tmp_path / "x").exists()
