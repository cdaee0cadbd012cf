"""An agent of version 1 serves clients of version 2: the official TypeScript SDK's client, and the probe."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from codegen.bridge.bridge import Problem
from codegen.bridge.command import plan_text, read_bridge
from tests.support import official_sdks
from tests.upstream import HERE as UPSTREAM

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = (UPSTREAM / "current/schema.json", UPSTREAM / "current-v2/schema.json")
AGENT = ROOT / "examples/bridged_agent.py"
REPORTING = """
import asyncio, json, pathlib, sys
sys.path.insert(0, sys.argv[1])
import bridged_agent
def report(method, problems, rejected):
    with open(sys.argv[3], "a") as log:
        log.writelines(json.dumps([method, each.path, each.what, rejected]) + "\\n" for each in problems)
asyncio.run(bridged_agent.main(pathlib.Path(sys.argv[2]).read_bytes(), report=report))
"""
"""The agent, which appends what its bridge reports to a file."""

pytestmark = pytest.mark.environment


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The command of the bridged agent."""
    plan = tmp_path_factory.mktemp("bridge") / "plan.json"
    plan.write_text(plan_text(read_bridge(*SCHEMAS, ROOT / "examples/bridge/v1-v2.json")))
    return sys.executable, str(AGENT), str(plan)


async def output(*command: str, cwd: Path = ROOT) -> tuple[int, str]:
    """The exit code and the output of a command."""
    pipe = asyncio.subprocess.PIPE
    env = {**os.environ, "PYTHONPATH": str(ROOT), "INTEROP_NODE_DIR": str(official_sdks.typescript())}
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, cwd=cwd, env=env)
    text, _ = await process.communicate()
    return process.returncode or 0, text.decode()


async def test_the_typescript_client_of_version_2_drives_a_bridged_agent(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("bread\n")
    log = tmp_path / "reported.jsonl"
    reporting = (command[0], "-c", REPORTING, str(AGENT.parent), command[2], str(log))
    _, text = await output("node", str(Path(__file__).with_name("version_two.mjs")), str(tmp_path), *reporting)
    report: dict[str, Any] = json.loads(text)
    run, edit = report["turns"]
    assert (report["version"], run["stopReason"], edit["stopReason"]) == (2, "end_turn", "end_turn")
    assert report["listed"] == [report["id"]]
    assert dict(report["options"]) == {"model": "large", "mode": "auto"}
    assert [each["title"] for each in report["asked"]] == ["Run echo hello", "Edit notes.txt"]
    assert [each["subject"]["type"] for each in report["asked"]] == ["tool_call", "tool_call"]
    assert (statuses(run), statuses(edit)) == (["pending", "in_progress", "completed"], ["pending", "completed"])
    terminals = [each for each in run["updates"] if each["sessionUpdate"] == "terminal_update"]
    assert (terminals[0]["terminalId"], terminals[0]["command"]) == ("terminal-1", "echo hello")
    assert base64.b64decode(terminals[-1]["output"]["data"]) == b"hello\n"
    assert terminals[-1]["exitStatus"] == {"exitCode": 0}
    assert content(run) == [{"type": "terminal", "terminalId": "terminal-1"}]
    assert [each["changes"][0]["path"] for each in content(edit)] == [str(tmp_path / "notes.txt")]
    assert (tmp_path / "notes.txt").read_text() == "bread\nmilk\n"
    reported = [json.loads(line) for line in log.read_text().splitlines()]
    assert [each for each in reported if each[3]] == []
    assert {("session/update", "newText"), ("session/update", "oldText")} <= {
        (each[0], each[1][-1]) for each in reported
    }
    listed = {(each.path.split(".")[-1], each.what) for each in losses()}
    assert {(each[1][-1], each[2]) for each in reported} - listed == set()


def losses() -> list[Problem]:
    """The losses of the table."""
    messages = read_bridge(*SCHEMAS, ROOT / "examples/bridge/v1-v2.json").messages
    return [each for message in messages for each in (*(message.forward or ()), *(message.back or ())) if each.lost]


def statuses(turn: Any) -> list[Any]:
    """The statuses of the tool call of a turn."""
    calls = [each for each in turn["updates"] if each["sessionUpdate"] == "tool_call_update"]
    return [each["status"] for each in calls if "status" in each]


def content(turn: Any) -> list[Any]:
    """The last contents of the tool call of a turn."""
    found = [
        each["content"] for each in turn["updates"] if each["sessionUpdate"] == "tool_call_update" and "content" in each
    ]
    return found[-1]


@pytest.mark.parametrize("version", [1, 2])
async def test_a_bridged_agent_passes_the_probe_in_both_versions(command: tuple[str, ...], version: int) -> None:
    readable = [f"--allow-read={path}" for path in (ROOT, Path(command[2]).parent, UPSTREAM)]
    prompts = ["--prompt=Hello", "--prompt=/run echo hello"]
    schema = f"--schema={SCHEMAS[version - 1]}"
    probe = (sys.executable, "-m", "codegen", "probe", "--depth=0", schema, *readable, *prompts, "--", *command)
    code, text = await output(*probe)
    assert (code, text.count("FAIL MUST")) == (0, 0), text
    assert "0 MUST" in text
