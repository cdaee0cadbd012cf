"""`trace mock`: a record as a fake agent or client, over real pipes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import generated as acp
from generated import RequestError, spawn_agent

from .conftest import AGENT, Editor

MOCK = (sys.executable, "-m", "codegen", "trace", "mock")
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_an_editor_meets_the_agent_of_the_record(record: Path) -> None:
    editor = Editor()

    async def talk() -> list[str]:
        async with spawn_agent(editor, *MOCK, str(record)) as agent:
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
            session = await agent.new_session(cwd="/elsewhere", mcp_servers=[])
            return [
                (
                    await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text=f"another {n}")])
                ).stop_reason
                for n in range(2)
            ]

    assert asyncio.run(talk()) == ["end_turn", "end_turn"]
    assert editor.said == ["so be it", "so be it"]


def test_a_request_that_the_record_does_not_have_is_answered_with_an_error(record: Path) -> None:
    async def talk() -> str:
        async with spawn_agent(Editor(), *MOCK, str(record)) as agent:
            await agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
            await agent.new_session(cwd="/elsewhere", mcp_servers=[])
            with pytest.raises(RequestError) as refused:
                await agent.new_session(cwd="/elsewhere", mcp_servers=[])
            return str(refused.value)

    assert "the recording has no further session/new" in asyncio.run(talk())


def played_as_client(record: Path, *agent: str) -> tuple[int, str]:
    """The exit code and the notes of a mock client that speaks to an agent over two pipes."""
    asks, tells = os.pipe(), os.pipe()
    with (
        subprocess.Popen(agent, stdin=asks[0], stdout=tells[1], stderr=subprocess.DEVNULL) as served,
        subprocess.Popen(
            (*MOCK, "--client", str(record)), stdin=tells[0], stdout=asks[1], stderr=subprocess.PIPE
        ) as mock,
    ):
        for end in (*asks, *tells):
            os.close(end)
        notes = mock.communicate(timeout=200)[1]
        served.wait(timeout=200)
    return mock.returncode, notes.decode()


def test_an_agent_meets_the_client_of_the_record(record: Path) -> None:
    assert played_as_client(record, *AGENT) == (0, "")


def test_a_client_says_what_an_agent_left_out(record: Path) -> None:
    code, notes = played_as_client(record, sys.executable, "-c", "input()")
    assert code == 1
    assert "the peer sent no request session/request_permission" in notes


def test_the_same_bytes_come_each_time_and_secrets_do_not(record: Path, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    told = tmp_path / "told.ndjson"
    told.write_text(record.read_text().replace("so be it", f"so be {secret}"))
    asked = b"".join(
        json.dumps({"jsonrpc": "2.0", "id": n, **call}).encode() + b"\n"
        for n, call in enumerate(
            [
                {"method": "initialize", "params": {"protocolVersion": 1, "clientCapabilities": {}}},
                {"method": "session/new", "params": {"cwd": "/x", "mcpServers": []}},
            ]
        )
    )
    outputs = [
        subprocess.run(
            (*MOCK, str(told), "--patience", "1"), input=asked, capture_output=True, timeout=200, check=False
        ).stdout
        for _ in range(2)
    ]
    assert outputs[0] == outputs[1]
    assert secret.encode() not in outputs[0]
    assert b'"sessionId"' in outputs[0]


def test_a_connection_that_the_record_does_not_have_is_an_error(record: Path) -> None:
    done = subprocess.run((*MOCK, str(record), "--connection", "2"), capture_output=True, timeout=200, check=False)
    assert done.returncode == 2
    assert b"has 1 connections" in done.stderr
