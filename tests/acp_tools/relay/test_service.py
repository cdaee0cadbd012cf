"""`expose` as a service: its first start of the command, callers' tokens, limits of the machine, and log lines."""

from __future__ import annotations

import asyncio
import json
import logging
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import generated as acp
from acp_tools.relay import service
from codegen.cli.main import main
from codegen.errors import InputError

from .test_relay import START, Editor, Exposed, turn

FAILING = {
    "no such command": (["/no/such/agent"], "cannot start the agent: /no/such/agent: No such file or directory"),
    "exits": ([sys.executable, "-c", "import sys; sys.exit(3)"], "exited with code 3"),
    "closes its output": ([sys.executable, "-c", "import os, time; os.close(1); time.sleep(60)"], "does not start"),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_command_that_does_not_start_is_not_served(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    command, reason = FAILING[name]
    assert main(["expose", "--at", "http://127.0.0.1:0", "--", *command]) == 1
    errors = capfd.readouterr().err
    assert reason in errors
    assert "serving" not in errors


def test_a_signal_ends_the_first_start(tmp_path: Path) -> None:
    program = "import os, sys, time; print(os.getppid(), file=sys.stderr, flush=True); time.sleep(600)"
    command = [*START, "expose", "--at", "http://127.0.0.1:0", "--", sys.executable, "-c", program]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as server:
        assert server.stderr is not None
        assert int(server.stderr.readline()) == server.pid
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
        assert server.stderr.read() == b""


async def test_a_command_that_never_answers_is_not_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "STARTING", 0.1)
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with pytest.raises(ConnectionError, match="has not answered within"):
        await service.test(silent, None, {}, inherit_env=False)


async def test_an_agent_that_rejects_the_first_request_is_served() -> None:
    program = """
import json, sys
id = json.loads(sys.stdin.readline())["id"]
print(json.dumps({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": "log in first"}}), flush=True)
sys.stdin.read()
"""
    await service.test([sys.executable, "-c", program], None, {}, inherit_env=False)


# Tokens


def caller(token: str) -> acp.connection.Caller:
    return acp.connection.Caller(headers={"authorization": f"Bearer {token}"}, address=None)


def test_a_file_of_tokens_is_read_again_when_it_changes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "tokens.toml"
    file.write_text('alice = "one"\n"bob@example.com" = "two"\n')
    identify = service.TokenFile(file)
    assert [identify(caller(token)) for token in ("one", "two", "three", "")] == [
        "alice",
        "bob@example.com",
        None,
        None,
    ]

    file.write_text('alice = "another"\n')
    assert [identify(caller(token)) for token in ("one", "two", "another")] == [None, None, "alice"]

    file.write_text("alice = \n")
    assert identify(caller("another")) == "alice"
    file.unlink()
    assert identify(caller("another")) == "alice"
    file.mkdir()
    assert identify(caller("another")) == "alice"
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR] == [
        f"the former tokens stay valid: {file}: error: is not TOML: Invalid value (at line 1, column 9)",
        f"the former tokens stay valid: {file}: error: cannot be read: No such file or directory",
        f"the former tokens stay valid: {file}: error: is not a file",
    ]


INVALID = {
    "": "contains no token",
    "alice =": "is not TOML: Invalid value (at end of document)",
    'alice = ""': "alice: error: is not a token",
    'alice = "s3cret words"': "alice: error: is not a token",
    "alice = 7": "alice: error: is not a token",
    '[alice]\ntoken = "s3cret"': "alice: error: is not a token",
    'alice = "ö"': "alice: error: is not a token",
    'alice = "s3cret"\nbob = "s3cret"': "has the same token twice",
}


@pytest.mark.parametrize("text", INVALID)
def test_an_invalid_file_of_tokens_is_an_error_that_shows_no_token(text: str, tmp_path: Path) -> None:
    file = tmp_path / "tokens.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        service.TokenFile(file)
    assert INVALID[text] in str(error.value)
    assert "s3cret" not in str(error.value)


# Limits


@pytest.mark.parametrize(
    ("files", "processes", "most"),
    [
        (1024, resource.RLIM_INFINITY, 192),
        (1 << 20, resource.RLIM_INFINITY, 1000),
        (1 << 20, 50, 50),
        (70, resource.RLIM_INFINITY, 1),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 1000),
    ],
)
def test_as_many_connections_as_the_machine_allows(
    files: int, processes: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = {
        resource.RLIMIT_NOFILE: (min(files, 256) if files > 0 else 256, files),
        resource.RLIMIT_NPROC: (processes, -1),
    }
    monkeypatch.setattr(resource, "getrlimit", limits.__getitem__)
    monkeypatch.setattr(resource, "setrlimit", limits.__setitem__)
    assert service.connections(None) == most
    assert service.connections(most) == most
    assert limits[resource.RLIMIT_NOFILE] == (files, files)
    with pytest.raises(
        InputError, match=r"--connections 300000: error: the limit on (open files|processes) allows \d+"
    ):
        service.connections(300_000)


# Identities in commands


def test_the_identity_can_be_part_of_the_command() -> None:
    command = ["docker", "run", "--name", "agent-{identity}", "image"]
    assert service.command_for(command, "alice@example.com")[3] == "agent-alice@example.com"
    assert service.command_for(["agent"], "../any thing") == ["agent"]
    for bad in ("", "-v", "../x", "a/b", "a b", "a\n", "x" * 129, "é"):
        with pytest.raises(PermissionError, match="cannot be part of a command"):
            service.command_for(command, bad)


# Log lines


def lines_of(server: Exposed) -> list[dict[str, Any]]:
    return [json.loads(line) for line in server.end()[1].splitlines() if line.startswith("{")]


def test_connections_rejections_and_turns_are_logged(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text('alice = "one"\n')
    server = Exposed("--tokens", str(tokens), "--log", "json")

    async def talk() -> None:
        async with httpx.AsyncClient() as client:
            response = await client.post(f"http:{server.address}", json={})
            assert response.status_code == 401
        async with acp.connect(f"ws:{server.address}", Editor(), bearer="one") as agent:
            await turn(agent, "hello")
            with pytest.raises(acp.ConnectionClosed):
                await turn_of(agent, "die")

    async def turn_of(agent: Any, text: str) -> None:
        session = await agent.new_session(cwd="/tmp", mcp_servers=[])
        await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text=text)])

    asyncio.run(talk())
    lines = lines_of(server)
    assert [line["message"] for line in lines if "rejected" in line["message"]] == [
        "rejected POST from 127.0.0.1: 401, unknown caller"
    ]
    events = [(line.get("event"), line.get("identity"), line.get("outcome")) for line in lines if "event" in line]
    assert events == [("connected", "alice", None), ("turn", "alice", "end_turn"), ("disconnected", "alice", None)]
    assert {*lines[-1]} >= {"time", "level", "message", "address"}
    assert "one" not in json.dumps(lines)


def test_an_idle_process_ends(tmp_path: Path) -> None:
    server = Exposed("--idle", "0.2", "--log", "json")

    async def talk() -> None:
        async with acp.connect(f"ws:{server.address}", Editor()) as agent:
            await turn(agent, "last")  # takes longer than that
            await asyncio.wait_for(agent.wait_closed(), 60)

    asyncio.run(talk())
    assert [line["event"] for line in lines_of(server) if "event" in line] == ["connected", "turn", "disconnected"]
    assert server.process.returncode in (0, -signal.SIGTERM)
