"""Starts an agent, opens a session, asks one thing and prints the answer: `.venv/bin/python examples/client.py [COMMAND ...]`."""

import asyncio
import sys
from pathlib import Path

import generated as acp

ECHO = (sys.executable, str(Path(__file__).with_name("echo_agent.py")))


class PrintingClient(acp.Client):
    async def session_update(self, params: acp.SessionNotification) -> None:
        match params.update:
            case acp.AgentMessageChunk(content=acp.TextContent(text=text)):
                print(text)
            case other:
                print(f"({type(other).__name__})")


async def main(*command: str) -> None:
    async with acp.spawn_agent(PrintingClient(), *command) as agent:
        await agent.initialize()
        session = await agent.new_session(cwd=str(Path.cwd()), mcp_servers=[])
        question = acp.TextContent(text="Hello, agent!")
        response = await agent.prompt(session_id=session.session_id, prompt=[question])
        print(f"stop reason: {response.stop_reason}")


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] or ECHO)))
