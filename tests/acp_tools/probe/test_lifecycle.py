"""The state machine finds each fault that is planted in a small agent, and accuses no healthy one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import generated as acp
from acp_tools.probe import runner
from acp_tools.probe.cases import handshake, turns
from acp_tools.probe.context import Probe, Settings
from acp_tools.probe.frame_log import TO_AGENT, Log
from acp_tools.probe.lifecycle.search import explore
from acp_tools.probe.requirements import LIFE_CYCLE as ROWS
from acp_tools.probe.results import Sheet, Status
from acp_tools.trace.transcript import read
from generated._runtime.testing import memory
from tests.support.sampling import exhaustive

from .faulty_agent import FAULTS, FaultyAgent, Store
from .instant import run_instantly
from .memory import MemoryLink


class InMemory:
    """Starts faulty agents in this process; their sessions outlive them."""

    cwd = "/work"

    def __init__(self, fault: str, kind: type[FaultyAgent] = FaultyAgent) -> None:
        self._fault, self._kind, self._store = fault, kind, Store()

    @asynccontextmanager
    async def start(self) -> AsyncGenerator[MemoryLink]:
        here, there = memory()
        ended = asyncio.Event()

        async def serve() -> None:
            agent = self._kind(self._fault, self._store)
            agent.exit = ended.set
            async with acp.AgentSideConnection(agent, there, there) as connection:
                closing = asyncio.ensure_future(connection.wait_closed())
                dying = asyncio.ensure_future(ended.wait())
                try:
                    await asyncio.wait((closing, dying), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in (closing, dying):
                        task.cancel()

        serving = asyncio.ensure_future(serve())
        try:
            yield MemoryLink(here, serving)
        finally:
            here.close()
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving


def explored(fault: str = "", **settings: object) -> Sheet:
    """What the machine alone finds, with the cases that it needs before it."""
    return run_of(fault, **settings).sheet


def run_of(fault: str = "", **settings: object) -> Probe:
    how = Settings(**{"bound": 1e9, "depth": 1e9, **settings})  # type: ignore[arg-type]

    async def run() -> Probe:
        probe = Probe(InMemory(fault), Sheet(runner.ROWS), Log(asyncio.get_running_loop().time), how)
        await handshake.open_(probe)
        await turns.first(probe)
        await explore(probe)
        return probe

    return run_instantly(run())


def failures(sheet: Sheet) -> set[str]:
    return {result.requirement.id for result in sheet.of(Status.FAIL)}


def test_nothing_is_found_in_the_agent_without_a_fault_and_everything_is_tried() -> None:
    sheet = explored(walks=6)
    assert failures(sheet) == set()
    untried = {row.id for row in ROWS if sheet.results[row.id].status is not Status.PASS}
    assert untried == {"turn/usage"}  # this agent counts no tokens


@pytest.mark.parametrize("fault", exhaustive(list(FAULTS), stay=list(FAULTS)[::4]))
def test_a_planted_fault_is_found(fault: str) -> None:
    sheet = explored(fault, walks=0)
    assert failures(sheet) & FAULTS[fault], failures(sheet)


def test_a_failure_is_shown_by_the_shortest_run_and_kept_as_a_recording(tmp_path: Path) -> None:
    sheet = explored("history reversed", walks=0, failures=tmp_path)
    finding = sheet.results["load/turns"].findings[0]
    assert finding.text.endswith("(after: new; prompt 1; prompt 1; load 1)")
    assert "replayed 2 turns [1, 1] times, in another order" in finding.text
    assert '"session/load"' in finding.frames[0].text
    (connection,) = read(tmp_path / "load-turns.ndjson")
    sent = [heard.frame["method"] for heard in connection[1] if "method" in heard.frame and heard.direction == TO_AGENT]
    assert sent == ["initialize", "session/new", "session/prompt", "session/prompt", "session/load"]


def test_what_was_not_tried_says_why() -> None:
    sheet = explored(depth=0)
    assert {sheet.results[row.id].reason for row in ROWS} == {
        "the time for sequences of actions ended first; use --deep"
    }


def test_no_hash_seed_changes_what_is_sent_and_what_is_found() -> None:
    code = (
        "from tests.acp_tools.probe.test_lifecycle import run_of, Status\n"
        "probe = run_of('a list ignores its directory', walks=0)\n"
        "print([frame.data for frame in probe.log.frames])\n"
        "print([result.findings[0].text for result in probe.sheet.of(Status.FAIL)])"
    )
    runs = {
        subprocess.run(
            (sys.executable, "-c", code), env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "123"
    }
    assert len(runs) == 1
    assert b"(after: new; prompt 1; list)" in runs.pop()


@pytest.mark.environment
def test_a_recording_of_a_failure_is_replayed_to_the_agent(run_cli: Any, tmp_path: Path) -> None:
    agent = (sys.executable, "-m", "tests.acp_tools.probe.faulty_agent", "line zero")
    ran = run_cli("probe", "--patience", "30", "--generated", "0", "--failures", tmp_path, "--", *agent)
    assert ran.code == 1
    assert "FAIL MUST turn/paths" in ran.out
    assert run_cli("trace", "replay", tmp_path / "turn-paths.ndjson", "--", *agent).code == 0
