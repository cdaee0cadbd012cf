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
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], **nowhere).pid


def block() -> None:
    time.sleep(60)


class Ending(Agent):
    async def ext_method(self, method: str, params: Any) -> Any:
        if method == "_handled":
            return bool(handled)
        await self.client.ext_notify("_child", start_child())
        if HOW == "blocks":
            await asyncio.sleep(0.02)
            block()
        try:
            await asyncio.sleep(60)
        finally:
            print("cleaned up", file=sys.stderr)
            while HOW == "stays":
                try:
                    await asyncio.sleep(60)
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
