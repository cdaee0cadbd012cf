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


class AskingClient(acp.Client):
    def __init__(self) -> None:
        self.permissions = acp.Permissions(ask, allow={"read", "search", "think"}, remember="session")

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        return await self.permissions.answer(params)


async def main(*command: str) -> None:
    async with acp.spawn_agent(AskingClient(), *command) as agent:
        await agent.initialize()
        async with agent.session(cwd=str(Path.cwd())) as session:
            turn = session.prompt("Hello, agent!")
            async for update in turn:
                match update:
                    case acp.AgentMessageChunk(content=acp.TextContent(text=text)):
                        print(text)
                    case other:
                        print(f"({type(other).__name__})")
            print(f"stop reason: {(await turn).stop_reason}")


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] or ECHO)))
