"""Our peers talk to those of the official SDKs: one conversation, every pair, one report."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import ours
import pytest
import scenario
from peers import ROOT

from generated import CapabilityError, TextContent, spawn_agent
from tests.support import official_sdks

INTEROP = Path(__file__).parents[1] / "interop"
OUR_AGENT = (sys.executable, str(INTEROP / "ours.py"), "agent")

pytestmark = pytest.mark.environment


@pytest.fixture(scope="session")
def python_sdk() -> tuple[str, ...]:
    """The command that runs a script with the official Python SDK."""
    return str(official_sdks.python()), str(INTEROP / "python_sdk.py")


@pytest.fixture(scope="session")
def typescript_sdk() -> tuple[str, ...]:
    """The command that runs a script with the official TypeScript SDK."""
    os.environ["INTEROP_NODE_DIR"] = str(official_sdks.typescript())
    return "node", str(INTEROP / "typescript_sdk.mjs")


async def test_our_client_with_our_agent() -> None:
    assert await drive_with_our_client(OUR_AGENT) == scenario.REPORT


async def test_our_client_with_the_python_sdks_agent(python_sdk: tuple[str, ...]) -> None:
    # That SDK has no handler for deleting sessions, and its agent says so.
    report = await drive_with_our_client((*python_sdk, "agent"), deletes=False)
    assert report == {**scenario.REPORT, "deleted": False}


async def test_our_agent_with_the_python_sdks_client(python_sdk: tuple[str, ...]) -> None:
    report = await drive_with_their_client((*python_sdk, "client"))
    assert report == scenario.REPORT


async def test_our_client_with_the_typescript_sdks_agent(typescript_sdk: tuple[str, ...]) -> None:
    report = await drive_with_our_client((*typescript_sdk, "agent"))
    # That SDK is as new as our schema: its agent sends the kinds of update that others do not know.
    every_kind = scenario.without_nulls(scenario.updates("common", "newest"))
    assert report == {**scenario.REPORT, "updates": every_kind}


async def test_our_agent_with_the_typescript_sdks_client(typescript_sdk: tuple[str, ...]) -> None:
    report = await drive_with_their_client((*typescript_sdk, "client"))
    assert report == {**scenario.REPORT, "given up": -32800}


async def test_the_typescript_sdks_client_runs_the_whole_life_of_a_session(typescript_sdk: tuple[str, ...]) -> None:
    answer, copied = "agent_message_chunk", "user_message_chunk"
    first = [["first", copied, "hello"], ["first", answer, "hello "]]
    assert await life(typescript_sdk, "full_agent.py") == {
        "prompt": ["end_turn", first[1:]],
        "list": ["first"],
        "close": "closed",
        "load": ["loaded", first],
        "resume": ["resumed", []],
        "fork": ["end_turn", [["fork", answer, "again "]]],
        "delete": ["deleted", ["fork"]],
    }


async def test_the_typescript_sdks_client_runs_what_an_agent_of_two_handlers_offers(
    typescript_sdk: tuple[str, ...],
) -> None:
    missing = -32601
    assert await life(typescript_sdk, "echo_agent.py") == {
        "prompt": ["end_turn", [["first", "agent_message_chunk", "hello"]]],
        "list": missing,
        "close": missing,
        "load": [missing, []],
        "resume": [missing, []],
        "fork": missing,
        "delete": [missing, missing],
    }


async def test_a_call_that_we_give_up_is_answered_by_the_typescript_sdks_agent(
    typescript_sdk: tuple[str, ...],
) -> None:
    frames: list[dict[str, Any]] = []

    def keep(direction: str, frame: bytes) -> None:
        if direction == "agent-to-client":
            frames.append(json.loads(frame))

    client = ours.ScenarioClient()
    async with spawn_agent(client, *typescript_sdk, "agent", env=environment(), on_frame=keep) as connection:
        await connection.initialize()
        await connection.new_session(cwd="/project", mcp_servers=[])
        prompt = [TextContent(text="hang")]
        hanging = asyncio.create_task(connection.prompt(session_id=scenario.SESSION, prompt=prompt))
        while not client.updates:  # noqa: ASYNC110  # nobody tells but the agent
            await asyncio.sleep(0.01)
        hanging.cancel()
        while not (errors := [frame["error"]["code"] for frame in frames if "error" in frame]):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await connection.list_sessions()
    assert errors == [-32800]


async def drive_with_our_client(command: tuple[str, ...], *, deletes: bool = True) -> dict[str, Any]:
    client = ours.ScenarioClient()
    async with spawn_agent(client, *command, env=environment()) as connection:
        report: dict[str, Any] = await ours.drive(connection, client, deletes=deletes)
        if not deletes:
            with pytest.raises(CapabilityError):
                await connection.delete_session(session_id=scenario.SESSION)
    return report


async def life(sdk: tuple[str, ...], example: str) -> Any:
    """What comes of each step of a session's life, of an agent in examples/."""
    agent = (sys.executable, str(ROOT / "examples" / example))
    process = await asyncio.create_subprocess_exec(
        *sdk, "life", *agent, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    output, log = await process.communicate()
    assert process.returncode == 0, log.decode()
    return json.loads(output)


async def drive_with_their_client(command: tuple[str, ...]) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        *command, *OUR_AGENT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    output, log = await process.communicate()
    assert process.returncode == 0, log.decode()
    report: dict[str, Any] = json.loads(output)
    report["updates"] = scenario.without_nulls(report["updates"])
    return report


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}
