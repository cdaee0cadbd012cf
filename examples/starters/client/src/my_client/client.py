"""The client: it starts an agent, asks it one thing, prints what comes, and asks the user before anything is allowed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from . import acp


class MyClient(acp.Client):
    """What the agent may ask of the user."""

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        title = acp.given(params.tool_call.title, "the agent asks")
        lines = [f"{number}. {option.name}" for number, option in enumerate(params.options, 1)]
        chosen = await asyncio.to_thread(ask, "\n".join([str(title), *lines, "> "]))
        if chosen.isdecimal() and 0 < int(chosen) <= len(params.options):
            option = params.options[int(chosen) - 1]
            print(f"[you chose: {option.name}]")
            outcome = acp.SelectedPermissionOutcome(option_id=option.option_id)
            return acp.RequestPermissionResponse(outcome=outcome)
        print("[you chose nothing: the agent is told that the request was cancelled]")
        return acp.RequestPermissionResponse(outcome=acp.RequestPermissionOutcomeCancelled())


def ask(question: str) -> str:
    """A line from the user; empty where there is none to be had."""
    try:
        return input(question)
    except EOFError:
        return ""


async def talk(agent: acp.ClientSideConnection, question: str) -> str:
    """Ask one thing in a new session and print the answer as it comes. Leaving the loop would cancel the turn."""
    async with agent.session(cwd=str(Path.cwd())) as session:
        turn = session.prompt(question)
        async for update in turn:
            match update:
                case acp.AgentMessageChunk(content=acp.TextContent(text=text)):
                    print(text, end="", flush=True)
                case acp.ToolCall(title=title):
                    print(f"\n[{title}]")
                case _:
                    pass
        print()
        return (await turn).stop_reason


async def run(question: str, *command: str) -> str:
    """Start an agent and talk to it."""
    async with acp.spawn_agent(MyClient(), *command) as agent:
        await agent.initialize()
        return await talk(agent, question)


def main() -> None:
    """my-client QUESTION -- COMMAND ..."""
    question, separator, *command = (*sys.argv[1:], "", "")
    if separator != "--" or not command[0]:
        sys.exit("usage: my-client QUESTION -- COMMAND ...")
    try:
        print(f"({asyncio.run(run(question, *filter(None, command)))})")
    except (OSError, acp.RequestError, acp.ConnectionClosed) as error:
        sys.exit(f"my-client: {error}")


if __name__ == "__main__":
    main()
