"""Agents that the tests serve."""

from __future__ import annotations

import asyncio
from typing import Any

import generated as acp
from generated import transports

RUNTIME = transports.runtime(acp.methods.PROTOCOL)
"""What networking gets of the package."""


def text_of(params: acp.PromptRequest) -> str:
    (block,) = params.prompt
    assert isinstance(block, acp.TextContent)
    return block.text


class Agent(acp.Agent):
    """Names its sessions by count, and does what a prompt's text says. `holding` tells when a turn is held, and when it goes on."""

    begun: asyncio.Event
    go_on: asyncio.Event

    def __init__(self) -> None:
        self.count = 0

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        self.count += 1
        return acp.NewSessionResponse(session_id=f"s{self.count}")

    def close_session(self, params: acp.CloseSessionRequest) -> None:
        return None

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        words = text_of(params).split()
        await getattr(self, f"do_{words[0]}")(params.session_id, *words[1:])
        return acp.PromptResponse(stop_reason="end_turn")

    async def do_nothing(self, session: str) -> None:
        pass

    async def do_say(self, session: str, count: str, size: str = "1") -> None:
        for number in range(int(count)):
            await self.say(session, f"{number}".ljust(int(size), "."))

    async def do_ask(self, session: str) -> None:
        read = await self.client.read_text_file(session_id=session, path="/a")
        await self.say(session, read.content)

    async def do_wait(self, session: str) -> None:
        await asyncio.Event().wait()

    async def do_hold(self, session: str) -> None:
        self.begun.set()
        await self.go_on.wait()

    async def say(self, session: str, text: str) -> None:
        chunk = acp.AgentMessageChunk(content=acp.TextContent(text=text))
        await self.client.session_update(session_id=session, update=chunk)


class LoadingAgent(Agent):
    """Replays what was said."""

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        if params.session_id == "none":
            raise acp.RequestError.resource_not_found(uri="none")
        for number in range(3):
            await self.say(params.session_id, f"replayed {number}")
        return acp.LoadSessionResponse()


class Client(acp.Client):
    """Keeps what it was told, by session."""

    def __init__(self) -> None:
        self.said: dict[str, list[str]] = {}

    def session_update(self, params: acp.SessionNotification) -> None:
        update: Any = params.update
        self.said.setdefault(params.session_id, []).append(update.content.text)

    def read_text_file(self, params: acp.ReadTextFileRequest) -> acp.ReadTextFileResponse:
        return acp.ReadTextFileResponse(content=f"content of {params.path}")


def holding() -> type[Agent]:
    """An agent whose turns "hold" until the class's `go_on` is set; `begun` tells that one does."""
    return type("Holding", (Agent,), {"begun": asyncio.Event(), "go_on": asyncio.Event()})


def prompt(text: str) -> list[Any]:
    return [acp.TextContent(text=text)]


async def begin_session(agent: acp.ClientSideConnection) -> str:
    """Open the connection and a session; its id."""
    await agent.initialize()
    return (await agent.new_session(cwd="/", mcp_servers=[])).session_id
