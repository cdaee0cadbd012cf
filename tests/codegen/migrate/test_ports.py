"""The three examples of the official Python SDK, ported: each port says on the wire what its original says."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

import generated as acp
from generated.testing import connected
from tests.codegen.migrate.ports.agent import ExampleAgent
from tests.codegen.migrate.ports.client import ExampleClient
from tests.support import official_sdks
from tests.support.sampling import exhaustive

PORTS = Path(__file__).parent / "ports"
ROOT = PORTS.parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

TEXT = {"type": "text", "text": "Hello"}
LINK = {"type": "resource_link", "name": "notes", "uri": "file:///notes.txt"}
SESSION = {"cwd": "/", "mcpServers": []}


def update(session: str, block: Any, **members: Any) -> Any:
    chunk = {"sessionUpdate": "agent_message_chunk", "content": block}
    return {"sessionId": session, "update": chunk, **members}


def echoed(text: str) -> Any:
    """What the echoing agent says: each block as a text, with a mark on all levels."""
    told = update("ID", {"type": "text", "text": text, "_meta": {"echo": True}}, _meta={"source": "echo_agent"})
    told["update"]["_meta"] = {"echo": True}
    return told


STEPS: dict[str, list[tuple[str, Any, Any]]] = {
    # The method, its params, and what is told and answered. `ID` is the session's id, which nobody can know beforehand.
    "echo_agent": [
        ("session/new", SESSION, [{"sessionId": "ID"}]),
        (
            "session/prompt",
            {"sessionId": "ID", "prompt": [TEXT, LINK]},
            [echoed("Hello"), echoed(""), {"stopReason": "end_turn"}],
        ),
    ],
    "agent": [
        ("authenticate", {"methodId": "any"}, [{}]),
        ("session/new", SESSION, [{"sessionId": "ID"}]),
        ("session/new", SESSION, [{"sessionId": "1"}]),
        ("session/load", {**SESSION, "sessionId": "earlier"}, [{}]),
        ("session/set_mode", {"sessionId": "ID", "modeId": "code"}, [{}]),
        (
            "session/prompt",
            {"sessionId": "never opened", "prompt": [TEXT, LINK]},
            [
                update("never opened", {"type": "text", "text": "Client sent:"}),
                update("never opened", TEXT),
                update("never opened", LINK),
                {"stopReason": "end_turn"},
            ],
        ),
        ("_example.com/ask", {"a": 1}, [{"example": "response"}]),
    ],
}


TITLES = {"agent": "Example Agent"}
UNWRITTEN = {"echo_agent": ("session/load", {**SESSION, "sessionId": "ID"}), "agent": ("session/list", {})}
"""A method that the agent does not implement."""


@pytest.fixture(scope="session")
def official_python() -> str:
    return str(official_sdks.python())


@pytest.fixture(scope="session")
def originals() -> Path:
    return official_sdks.examples()


async def conversation(*command: str) -> AsyncGenerator[list[Any], tuple[str, Any]]:
    """An agent over its pipes: takes a method and params, gives the params of what it tells, then its result or error code."""
    agent = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    assert agent.stdin is not None
    assert agent.stdout is not None
    try:
        said: list[Any] = []
        while True:
            method, params = yield said
            said = []
            call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            agent.stdin.write(json.dumps(call).encode() + b"\n")
            while True:
                message = without_nulls(json.loads(await agent.stdout.readline()))
                if "id" in message:
                    said.append(message["error"]["code"] if "error" in message else message.get("result", {}))
                    break
                said.append(message["params"])
    finally:
        agent.stdin.close()
        await agent.wait()


def without_nulls(value: Any) -> Any:
    """The SDK writes null for what it does not have."""
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return value


def replaced(value: Any, old: str, new: str) -> Any:
    return json.loads(json.dumps(value).replace(json.dumps(old), json.dumps(new)))


async def talk(name: str, *command: str) -> tuple[Any, list[tuple[str, Any, Any]], Any]:
    """The handshake's answer, every step of the agent's conversation as it went, and the answer to what it does not implement."""
    async with aclosing(conversation(*command)) as agent:
        await anext(agent)
        (opened,) = await agent.asend(("initialize", {"protocolVersion": 1}))
        session, went = "ID", []
        for method, params, _ in STEPS[name]:
            said = await agent.asend((method, replaced(params, "ID", session)))
            if method == "session/new" and session == "ID":
                session = said[-1]["sessionId"]
            went.append((method, params, replaced(said, session, "ID")))
        (unwritten,) = await agent.asend(UNWRITTEN[name])
    return opened, went, unwritten


def console(lines: str, *command: str) -> tuple[int, str]:
    """The console client, with what a user types: its exit code and all that it printed."""
    ran = subprocess.run(command, input=lines, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    return ran.returncode, ran.stdout.replace("> ", "") if ran.returncode == 0 else ran.stderr


@pytest.mark.parametrize("name", STEPS)
async def test_a_ported_agent_says_what_is_expected(name: str) -> None:
    opened, went, unwritten = await talk(name, sys.executable, str(PORTS / f"{name}.py"))
    assert went == STEPS[name]
    assert opened["protocolVersion"] == 1
    assert opened.get("agentInfo", {}).get("title") == TITLES.get(name)
    # What it overrides it advertises, and what it does not implement does not look done.
    assert opened["agentCapabilities"].get("loadSession", False) is (name == "agent")
    assert unwritten == -32601


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
async def test_its_original_says_the_same(name: str, official_python: str, originals: Path) -> None:
    opened, went, unwritten = await talk(name, official_python, str(originals / f"{name}.py"))
    assert went == STEPS[name]
    assert opened["protocolVersion"] == 1
    assert opened.get("agentInfo", {}).get("title") == TITLES.get(name)
    # Here it differs: nothing is advertised, and the body `...` that a subclass inherits answers null, which is a success.
    assert not opened.get("agentCapabilities", {}).get("loadSession", False)
    assert unwritten == {}


SHOWN = {
    "echo_agent": "| Agent: Hello\n| Agent: How are you?\n",
    "agent": "| Agent: Client sent:\n| Agent: Hello\n| Agent: Client sent:\n| Agent: How are you?\n",
}
TYPED = "Hello\n\nHow are you?\n"


@pytest.mark.parametrize("name", SHOWN)
def test_the_ported_client_prints_what_a_ported_agent_says(name: str) -> None:
    command = [sys.executable, str(PORTS / "client.py"), *ours(f"{name}.py")]
    assert console(TYPED, *command) == (0, SHOWN[name])


def test_the_ported_client_says_how_it_is_called() -> None:
    code, text = console("", sys.executable, str(PORTS / "client.py"))
    assert (code, text) == (2, "Usage: client.py AGENT_PROGRAM [ARGS...]\n")


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(
    ("client", "agent"), exhaustive([("original", "port"), ("port", "original")], stay=[("original", "port")])
)
def test_ports_and_originals_talk_to_each_other(
    name: str, client: str, agent: str, official_python: str, originals: Path
) -> None:
    def command(kind: str, file: str) -> list[str]:
        return ours(file) if kind == "port" else [official_python, str(originals / file)]

    code, text = console(TYPED, *command(client, "client.py"), *command(agent, f"{name}.py"))
    assert (code, text) == (0, SHOWN[name])


def ours(file: str) -> list[str]:
    """A port as a command that needs nothing of the environment, which a client does not hand on."""
    program = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"
    return [sys.executable, "-c", program, str(ROOT), str(PORTS / file)]


async def test_the_ported_client_declines_to_fill_in_a_form(capsys: pytest.CaptureFixture[str]) -> None:
    async with connected(ExampleAgent(), ExampleClient()) as (client, _):
        answer = await client.create_elicitation(form())
        assert isinstance(answer, acp.CreateElicitationResponseDecline)
        await client.complete_elicitation(elicitation_id="e1")
    assert capsys.readouterr().out == (
        "| Agent requested input: Who? (CreateElicitationRequestFormSession)\n| Agent completed elicitation: e1\n"
    )


def form() -> Any:
    return acp.from_dict(
        acp.CreateElicitationRequest,
        {"mode": "form", "sessionId": "s", "message": "Who?", "requestedSchema": {"type": "object", "properties": {}}},
    )
