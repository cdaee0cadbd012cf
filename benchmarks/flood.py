"""Peak memory of an agent whose client sends ten times `Limits.memory` while no request of it ends.

    python -m benchmarks.flood [bytes of the limit]

The figure is the peak over what the agent held at rest, in bytes for each byte of the limit: at 1 the limit says all.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import generated as acp
from benchmarks.model import Probe, Row, Setting, Target

ROOT = Path(__file__).resolve().parent.parent
_PIECE = 1 << 20
_TIMES = 10
_ENDLESS = 1 << 40
_LIMIT = 1 << 25


class Waits(acp.Agent):
    """An agent whose turns do not end."""

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        await asyncio.Event().wait()
        raise AssertionError(f"{params.session_id} went on")


async def flood(limit: int) -> float:
    """Bytes of the peak for each byte of the limit."""
    command = (sys.executable, "-m", "benchmarks.flood", "--agent", str(limit))
    log: list[bytes] = []
    options = acp.connection.SpawnOptions(
        stderr=log.append, cwd=ROOT, limits=acp.Limits(memory=_ENDLESS, backlog=_ENDLESS)
    )
    async with acp.spawn_agent(acp.Client(), *command, **options) as agent:
        await agent.initialize()
        assert agent.process is not None
        before = _peak(agent.process.pid)
        block = acp.TextContent(text="x" * _PIECE)
        turns = [
            asyncio.create_task(agent.prompt(session_id="s", prompt=[block])) for _ in range(_TIMES * limit // _PIECE)
        ]
        # Answered only when all before it was read.
        await asyncio.gather(agent.ext_request("_last"), return_exceptions=True)
        after = _peak(agent.process.pid)
        for turn in turns:
            turn.cancel()
        await asyncio.wait(turns)
    return (after - before) / limit


def _flooded(_: Setting) -> Probe:
    return lambda: _LIMIT * asyncio.run(flood(_LIMIT))


def _limit(_: Setting) -> Probe:
    return lambda: float(_LIMIT)


ROWS = (
    Row(
        "memory/flood",
        f"an agent's peak at {_TIMES} times the load that it may be made to hold",
        "B",
        {"ours": _flooded, "its memory limit": _limit},
        (Target("its memory limit", "of", 1),),
        rounds=3,
    ),
)


def _peak(pid: int) -> int:
    """The most bytes of memory that a process ever held; Linux tells."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--agent"]:
        asyncio.run(acp.run_agent(Waits(), limits=acp.Limits(memory=int(sys.argv[2]))))
    else:
        given = int(sys.argv[1]) if len(sys.argv) > 1 else _LIMIT
        print(
            f"{_TIMES} times {given:,} bytes sent: {asyncio.run(flood(given)):.2f} bytes at the peak for each of the limit"
        )
