"""Clients use agents of the other version through the bridge's transport, over pipes: one of version 1 an agent on the
official TypeScript SDK's API of version 2, and one of version 2 the full agent of examples/.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import generated as one
from codegen.bridge.command import plan_text, read_bridge
from generated.transports import NdjsonTransport
from tests.support import official_sdks
from tests.wire.test_two_releases import NEW, made

from .test_bridge import ROOT, SCHEMAS

pytestmark = pytest.mark.environment


@pytest.fixture(scope="module")
def plan() -> str:
    return plan_text(read_bridge(*SCHEMAS, ROOT / "examples/bridge/v1-v2.json"))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The package of version 2."""
    return made(NEW, tmp_path_factory.mktemp("new"), "bridged_v2")


@asynccontextmanager
async def transport(*command: str) -> AsyncGenerator[NdjsonTransport, None]:
    """The pipes to a process, which ends when they are closed."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "INTEROP_NODE_DIR": str(official_sdks.typescript())}
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, env=env)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield NdjsonTransport(process.stdout, process.stdin)
    finally:
        process.stdin.close()
        await process.wait()


class OldClient(one.Client):
    """Allows everything, and keeps what it was asked and told."""

    def __init__(self) -> None:
        self.asked: list[one.RequestPermissionRequest] = []
        self.told: list[Any] = []

    def request_permission(self, params: one.RequestPermissionRequest) -> one.RequestPermissionResponse:
        self.asked.append(params)
        chosen = one.SelectedPermissionOutcome(option_id=params.options[0].option_id)
        return one.RequestPermissionResponse(outcome=chosen)

    def session_update(self, params: one.SessionNotification) -> None:
        self.told.append(one.to_dict(params)["update"])


async def test_a_client_of_version_1_uses_the_typescript_agent_of_version_2(plan: str) -> None:
    client, rejected = OldClient(), list[str]()

    def report(method: str, problems: list[Any], was_rejected: bool) -> None:
        rejected.extend([f"{method}: {each}" for each in problems] if was_rejected else [])

    bridged = one.Bridged(client, plan, report=report)
    script = str(Path(__file__).with_name("version_two_agent.mjs"))
    async with transport("node", script) as pipes:
        bridge = bridged.transport(pipes, "client", one.PROTOCOL_VERSION)
        async with one.ClientSideConnection(client, bridge) as agent:
            opened = await agent.initialize()
            assert opened.protocol_version == 1
            session = await agent.new_session(cwd="/project", mcp_servers=[])
            answer = await agent.prompt(session_id=session.session_id, prompt=[one.TextContent(text="hi")])
            listed = await agent.list_sessions()
    assert answer.stop_reason == "end_turn"
    assert [each.session_id for each in listed.sessions] == ["sess_1"]
    assert [each.tool_call.title for each in client.asked] == ["Run ls?"]
    calls = [each for each in client.told if each["sessionUpdate"].startswith("tool_call")]
    assert [each["sessionUpdate"] for each in calls] == ["tool_call", *["tool_call_update"] * (len(calls) - 1)]
    assert (calls[0]["title"], calls[-1]["status"]) == ("Run ls", "completed")
    texts = [[item["content"]["text"] for item in each["content"]] for each in calls if "content" in each]
    assert texts == [[""], ["readme.md\n"], ["readme.md\n", "@@ -1 +1 @@\n-a\n+b\n"]]
    (said,) = [each for each in client.told if each["sessionUpdate"] == "agent_message_chunk"]
    assert said["content"]["text"] == "you chose yes"
    assert rejected == []


async def test_a_client_of_version_2_uses_an_agent_of_version_1(two: ModuleType, plan: str) -> None:
    told: list[Any] = []
    ended = asyncio.Event()

    class NewClient(two.Client):  # type: ignore[name-defined,misc]
        def update_session(self, params: Any) -> None:
            told.append(params.update)
            if getattr(params.update, "stop_reason", None) == "end_turn":
                ended.set()

    client = NewClient()
    async with transport(sys.executable, str(ROOT / "examples/full_agent.py")) as pipes:
        bridge = two.Bridged(client, plan).transport(pipes, "client", two.PROTOCOL_VERSION)
        async with two.ClientSideConnection(client, bridge) as agent:
            assert (await agent.initialize(info={"name": "c", "version": "1"})).protocol_version == 2
            session = await agent.new_session(cwd="/")
            assert (
                await agent.prompt(session_id=session.session_id, prompt=[two.TextContent(text="one two")])
            ).message_id
            await ended.wait()
            await agent.close_session(session_id=session.session_id)
    assert "".join(each.content.text for each in told if isinstance(each, two.AgentMessageChunk)) == "one two "
