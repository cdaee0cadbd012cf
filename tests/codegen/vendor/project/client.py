"""Ends a session twice, and tries so with an agent that does not offer it. Prints what came of it as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from app.acp import (
    CapabilityError,
    Client,
    RequestError,
    SessionEndedNotification,
    StderrOutput,
    TerminateSessionResponse,
    spawn_agent,
    to_dict,
)

AGENT = str(Path(__file__).with_name("agent.py"))


class Watcher(Client):
    def __init__(self) -> None:
        self.ended: list[SessionEndedNotification] = []

    async def session_ended(self, params: SessionEndedNotification) -> None:
        self.ended.append(params)


async def with_termination() -> dict[str, object]:
    watcher = Watcher()
    async with spawn_agent(watcher, sys.executable, AGENT) as agent:
        opened = await agent.initialize()
        session = await agent.new_session(cwd="/", mcp_servers=[])
        answers: list[TerminateSessionResponse] = [
            await agent.terminate_session(session_id=session.session_id) for _ in range(2)
        ]
    stderr = watcher.ended[0].stderr
    return {
        "offered": to_dict(opened.agent_capabilities) if opened.agent_capabilities else None,
        "answers": [to_dict(answer) for answer in answers],
        "ended": [to_dict(note) for note in watcher.ended],
        "head": stderr.head if isinstance(stderr, StderrOutput) else None,
    }


async def without_termination() -> dict[str, object]:
    found: dict[str, object] = {}
    async with spawn_agent(Client(), sys.executable, AGENT, "plain") as agent:
        await agent.initialize()
        try:
            await agent.terminate_session(session_id="sess_1")
        except CapabilityError as error:
            found["refused"] = error.capability
    async with spawn_agent(Client(), sys.executable, AGENT, "plain", check_capabilities=False) as agent:
        await agent.initialize()
        try:
            await agent.terminate_session(session_id="sess_1")
        except RequestError as error:
            found["answered"] = error.code
    return found


async def main() -> None:
    print(json.dumps({**await with_termination(), **await without_termination()}))


if __name__ == "__main__":
    asyncio.run(main())
