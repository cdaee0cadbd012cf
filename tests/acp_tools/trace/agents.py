"""Agents that trace stands in front of: `agents.py HOW`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

HOW, *REST = sys.argv[1:]


def echoes() -> None:
    """Says back every byte, and a word on stderr; ends with the code it was given."""
    print("grumble", file=sys.stderr, flush=True)
    while piece := os.read(0, 1 << 16):
        os.write(1, piece)
    sys.exit(int(REST[0]) if REST else 0)


def talks_first() -> None:
    """Writes more than any pipe holds before it reads."""
    os.write(1, b"x" * 1_000_000 + b"\n")
    while os.read(0, 1 << 16):
        pass


def sleeps() -> None:
    os.write(1, b"{}\n")
    time.sleep(600)


def leaves_a_child() -> None:
    """Ends while a child of its holds its stdout."""
    if os.fork():
        os.write(1, b"bye\n")
        os._exit(5)
    time.sleep(600)


def wraps() -> None:
    """Starts the program that serves, as launchers of npm packages do: that one has our streams, and outlives us and its input."""
    program = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
    subprocess.run([sys.executable, "-c", program, *REST], check=False)


def serves() -> None:
    """Asks before it answers; ids are new each time, and the reply is what it was given."""
    import generated as acp

    class Asking(acp.Agent):
        async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
            return acp.NewSessionResponse(session_id=uuid.uuid4().hex)

        async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
            call = f"call-{uuid.uuid4()}"
            answer = await self.client.request_permission(
                session_id=params.session_id,
                tool_call=acp.ToolCallUpdate(tool_call_id=call, title="look"),
                options=[acp.PermissionOption(option_id="yes", name="Yes", kind="allow_once")],
            )
            allowed = answer.outcome != acp.RequestPermissionOutcomeCancelled()
            for piece in (
                ("so ", "be ", "it") if REST == ["pieces"] else ("so be it",) if REST != ["other"] else ("no",)
            ):
                await self.client.session_update(
                    session_id=params.session_id, update=acp.AgentMessageChunk(content=acp.TextContent(text=piece))
                )
            return acp.PromptResponse(stop_reason="end_turn" if allowed else "refusal")

    asyncio.run(acp.run_agent(Asking()))


globals()[HOW]()
