"""The agent behind `expose` in these tests: it begins with a banner; its turns last, die or start children, by what the prompt says."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import generated as acp


def start_child() -> int:
    nowhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    return subprocess.Popen(["sleep", "600"], **nowhere).pid


class Agent(acp.Agent):
    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id=uuid.uuid4().hex)

    async def say(self, session: str, text: str) -> None:
        chunk = acp.AgentMessageChunk(content=acp.TextContent(text=text))
        await self.client.session_update(session_id=session, update=chunk)

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        block = params.prompt[0]
        assert isinstance(block, acp.TextContent)
        match block.text:
            case "die":
                os._exit(3)
            case "pid":
                await self.say(params.session_id, f"{os.getpid()} {os.getcwd()} {os.environ.get('SECRET_OF_TESTS')}")
            case "child":
                await self.say(params.session_id, str(start_child()))
            case "last":
                await self.say(params.session_id, "begun")
                await asyncio.sleep(0.7)
            case text:
                await self.say(params.session_id, text)
        return acp.PromptResponse(stop_reason="end_turn")


# What an agent should not say, and many do.
os.write(1, b"welcome to \xff this agent\n\n")
asyncio.run(acp.run_agent(Agent()))
