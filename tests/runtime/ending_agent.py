"""An agent whose turn starts a child and does not end: it cleans up, or blocks, or will not be cancelled."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from eager import run

from generated import Agent, run_agent

HOW = sys.argv[1]
handled: list[int] = []


def start_child() -> int:
    # No stream of the agent's: whoever reads one to its end would wait for this child.
    nowhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], **nowhere).pid


def block() -> None:
    print("blocks", file=sys.stderr, flush=True)
    time.sleep(600)


class Ending(Agent):
    async def ext_method(self, method: str, params: Any) -> Any:
        if method == "_handled":
            return bool(handled)
        try:
            await self.client.ext_notify("_child", start_child())
            if HOW == "blocks":
                block()
            await asyncio.sleep(600)
        finally:
            print("cleaned up", file=sys.stderr)
            while HOW == "stays":
                try:
                    await asyncio.sleep(600)
                except asyncio.CancelledError:
                    continue


async def main() -> None:
    try:
        await run_agent(Ending())
    finally:
        print("after the turn", file=sys.stderr)


if HOW == "handles":
    signal.signal(signal.SIGTERM, lambda number, frame: handled.append(number))
run(main())
