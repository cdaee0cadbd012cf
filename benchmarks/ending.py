"""How long an agent lives on when its client has left in the middle of very many turns.

    python -m benchmarks.ending [turns]

From the moment when its stdin is closed until the process is gone; no turn ends by itself. It has `linger` to let handlers finish
(0.4 s, which all of them use up) and must cancel the rest.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import generated as acp
from benchmarks.flood import Waits
from benchmarks.model import Probe, Row, Setting, Target

ROOT = Path(__file__).resolve().parent.parent
_TURNS = 20_000
_GOAL = 1.0


def ending(turns: int) -> float:
    """Seconds from the end of the input of an agent with so many open turns to its exit."""
    command = (sys.executable, "-m", "benchmarks.ending", "--agent")
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        agent.stdin.write(_request("first", "initialize", {"protocolVersion": 1, "clientCapabilities": {}}))
        for turn in range(turns):
            prompt = [{"type": "text", "text": "hello"}]
            agent.stdin.write(_request(turn, "session/prompt", {"sessionId": f"sess_{turn}", "prompt": prompt}))
        agent.stdin.write(_request("last", "_last", {}))
        agent.stdin.flush()
        # The agent answers this, at least with "method not found", once it has read everything before it.
        while json.loads(agent.stdout.readline())["id"] != "last":
            pass
        Thread(target=agent.stdout.read, daemon=True).start()
        start = time.perf_counter()
        agent.stdin.close()
        code = agent.wait(60)
        taken = time.perf_counter() - start
    assert code == 0, code
    return taken


def _request(number: object, method: str, params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def _ended(_: Setting) -> Probe:
    return lambda: ending(_TURNS)


def _one_second(_: Setting) -> Probe:
    return lambda: _GOAL


ROWS = (
    Row(
        "ending/turns",
        f"an agent's exit after its stdin has closed, with {_TURNS:,} open turns",
        "s",
        {"ours": _ended, "one second": _one_second},
        (Target("one second", "of", 1),),
        rounds=3,
        note="Handlers have 0.4 s of it to finish (`linger`), and none of these does.",
    ),
)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--agent"]:
        asyncio.run(acp.run_agent(Waits(), limits=acp.Limits(requests=1 << 20)))
    else:
        given = int(sys.argv[1]) if len(sys.argv) > 1 else _TURNS
        print(f"{given:,} open turns: gone after {ending(given):.3f} s")
