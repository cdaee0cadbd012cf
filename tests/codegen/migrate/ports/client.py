"""The official SDK's `client.py`: a console that sends each line to an agent and prints what it says."""

import asyncio
import logging
import os
import sys
from pathlib import Path
from types import MappingProxyType

import generated as acp

logger = logging.getLogger(__name__)


class ExampleClient(acp.Client):
    program = MappingProxyType({"name": "example-client", "title": "Example Client", "version": "0.1.0"})

    async def create_elicitation(self, params: acp.CreateElicitationRequest) -> acp.CreateElicitationResponse:
        print(f"| Agent requested input: {params.message} ({type(params).__name__})")
        return acp.CreateElicitationResponseDecline()

    async def complete_elicitation(self, params: acp.CompleteElicitationNotification) -> None:
        print(f"| Agent completed elicitation: {params.elicitation_id}")

    async def session_update(self, params: acp.SessionNotification) -> None:
        if isinstance(params.update, acp.AgentMessageChunk):
            print(f"| Agent: {shown(params.update.content)}")


def shown(content: acp.ContentBlock) -> str:
    match content:
        case acp.TextContent(text=text):
            return text
        case acp.ImageContent():
            return "<image>"
        case acp.AudioContent():
            return "<audio>"
        case acp.ResourceLink(uri=uri):
            return uri or "<resource>"
        case acp.EmbeddedResource():
            return "<resource>"
        case _:
            return "<content>"


async def converse(agent: acp.ClientSideConnection, session: str) -> None:
    while True:
        try:
            line = await asyncio.to_thread(input, "> ")
        except EOFError:
            return
        if line:
            try:
                await agent.prompt(session_id=session, prompt=[acp.TextContent(text=line)])
            except (acp.RequestError, acp.ConnectionClosed) as error:
                logger.error("Prompt failed: %s", error)


async def main(*command: str) -> int:
    if not command:
        print("Usage: client.py AGENT_PROGRAM [ARGS...]", file=sys.stderr)
        return 2
    if Path(command[0]).exists() and not os.access(command[0], os.X_OK):
        command = (sys.executable, *command)
    async with acp.spawn_agent(ExampleClient(), *command) as agent:
        await agent.initialize()
        session = await agent.new_session(cwd=str(Path.cwd()), mcp_servers=[])
        await converse(agent, session.session_id)
    return 0


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    raise SystemExit(asyncio.run(main(*sys.argv[1:])))
