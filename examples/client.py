"""Starts an agent, opens a session, asks one thing and prints the answer: `.venv/bin/python examples/client.py [COMMAND ...]`.

The agent may read, search and think. Whatever else it wants to do, the user is asked.
"""

import asyncio
import sys
from pathlib import Path

import generated as acp

ECHO = (sys.executable, str(Path(__file__).with_name("echo_agent.py")))


async def ask(question: acp.RequestPermissionRequest) -> acp.PermissionOption | None:
    """Let the user choose; None, a refusal, if they choose nothing."""
    print(acp.given(question.tool_call.title, "The agent asks for permission"))
    for number, option in enumerate(question.options, 1):
        print(f"  {number}: {option.name}")
    try:
        answer = await asyncio.to_thread(input, "> ")
        return question.options[int(answer) - 1] if int(answer) > 0 else None
    except (EOFError, ValueError, IndexError):
        return None


class PrintingClient(acp.Client):
    def __init__(self) -> None:
        self.permissions = acp.Permissions(ask, allow={"read", "search", "think"}, remember="session")

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        return await self.permissions.answer(params)

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
