"""An agent that is served at an address is probed like one that is started."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from acp_tools.probe import runner as running
from acp_tools.probe.cases import framing, handshake, turns
from acp_tools.probe.context import Settings
from acp_tools.probe.isolation.home import Home
from acp_tools.probe.results import Status
from acp_tools.probe.runner import Outcome, examine
from acp_tools.probe.transports import Address
from generated._runtime.testing import memory

from .sound import Sound, Store

RunCli = Callable[..., Any]


async def _probed(path: str) -> Outcome:
    """Probe sound agents behind a Unix socket: each connection is pumped into one in memory."""
    store = Store()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        here, there = memory()
        agent = asyncio.ensure_future(Sound(there, store).serve())

        async def back() -> None:
            while data := await here.read(1 << 16):
                writer.write(data)

        answering = asyncio.ensure_future(back())
        while data := await reader.read(1 << 16):
            here.write(data)
            await asyncio.sleep(0)
        here.close()
        await asyncio.gather(agent, answering, return_exceptions=True)
        writer.close()

    async with AsyncExitStack() as stack:
        home = stack.enter_context(Home())
        server = await asyncio.start_unix_server(serve, path, limit=1 << 20)
        stack.callback(server.close)
        outcome = await examine(
            Address(f"unix:{path}", home), Settings(count=0, patience=30.0, quiet=0.02, bound=300.0)
        )
        await asyncio.sleep(0.05)
    return outcome


def test_a_sound_agent_behind_a_socket_breaks_nothing(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(running, "STEPS", (*handshake.STEPS, turns.FIRST, *framing.STEPS))
    outcome = asyncio.run(_probed(str(tmp_path / "agent.sock")))
    assert [result.requirement.id for result in outcome.sheet.of(Status.FAIL)] == []
    assert outcome.facts.info["name"] == "sound"
    assert len(outcome.sheet.of(Status.PASS)) > 80


def test_an_address_where_nobody_is_is_a_sentence(run_cli: RunCli, tmp_path: Path) -> None:
    ran = run_cli("probe", "--", f"unix:{tmp_path}/nobody.sock")
    assert ran.code == 2
    assert "error: cannot connect" in ran.err


def test_an_address_takes_no_arguments(run_cli: RunCli) -> None:
    ran = run_cli("probe", "--", "tcp://localhost:1", "more")
    assert (ran.code, "takes no arguments" in ran.err) == (2, True)
