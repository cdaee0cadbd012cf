"""An agent and its client in a process that kills itself at a statement of its SQLite file.

    python -m tests.runtime.stores.dying_agent FILE STATEMENT

It prints `session ID`, and `answered N` after the answer of each prompt.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import sys
from typing import Any

from generated._runtime.stores import sqlite
from generated.stores import SQLiteStore

from .agents import client


def die_at(number: int) -> None:
    """Kill this process at a statement: at even numbers before it runs, at odd ones after."""
    execute = sqlite._SQLite.execute
    numbers = itertools.count()

    def counted(self: Any, *arguments: Any) -> Any:
        now = next(numbers)
        if now * 2 == number:
            os.kill(os.getpid(), signal.SIGKILL)
        done = execute(self, *arguments)
        if now * 2 + 1 == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    sqlite._SQLite.execute = counted


async def live(path: str) -> None:
    """Two sessions with two turns each, all of which say more than fits into a batch."""
    async with client(SQLiteStore(path)) as me:
        for _ in range(2):
            session = await me.new()
            print(f"session {session}", flush=True)
            for turn in range(2):
                await me.prompt(session, f"say {70 + turn}")
                print(f"answered {session} {70 + turn}", flush=True)
            await me.agent.close_session(session_id=session)


if __name__ == "__main__":
    die_at(int(sys.argv[2]))
    asyncio.run(live(sys.argv[1]))
    print("done", flush=True)
