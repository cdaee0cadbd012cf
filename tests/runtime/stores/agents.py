"""A session agent as an author writes one, its stores, and clients in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import generated as acp
from generated._runtime.stores.host import SessionHost
from generated.stores import SessionAgent, Store
from generated.testing import connected


class Author(SessionAgent):
    """Implements the prompt, and nothing else. What it does is in the text: `say 3`, `wait`, `tool`, `fail`."""

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        block = params.prompt[0]
        assert isinstance(block, acp.TextContent)
        verb, _, argument = block.text.partition(" ")
        if verb == "tool":
            call = acp.ToolCall(tool_call_id="call", title="Runs", status="in_progress")
            await self.client.session_update(session_id=params.session_id, update=call)
        for number in range(int(argument) if argument.isdecimal() else 0):
            await self.say(params.session_id, f"{number} ")
        if verb in {"wait", "tool"}:
            await asyncio.Event().wait()
        if verb == "fail":
            raise ValueError("the author's handler fails")
        return acp.PromptResponse(stop_reason="end_turn")

    async def say(self, session_id: str, text: str) -> None:
        update = acp.AgentMessageChunk(content=acp.TextContent(text=text))
        await self.client.session_update(session_id=session_id, update=update)


class Wrapped:
    """A store whose operations can be watched, delayed and broken."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.calls: list[str] = []
        self.broken: dict[str, Exception] = {}
        self.held: dict[str, asyncio.Event] = {}

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.store, name)
        if not callable(found):
            return found

        async def call(*arguments: Any, **named: Any) -> Any:
            self.calls.append(name)
            if name in self.held:
                await self.held[name].wait()
            if name in self.broken:
                raise self.broken[name]
            return await found(*arguments, **named)

        return call

    @property
    def owner(self) -> str:
        return self.store.owner


class Shown(acp.Client):
    """Keeps what a client is shown."""

    def __init__(self) -> None:
        self.updates: list[tuple[str, acp.SessionUpdate]] = []

    def session_update(self, params: acp.SessionNotification) -> None:
        self.updates.append((params.session_id, params.update))


class Client:
    """One client of an agent, with what it was shown."""

    def __init__(self, agent: acp.ClientSideConnection, shown: Shown, store: Any) -> None:
        self.agent = agent
        self.agent_store = store
        self.shown = shown

    async def new(self, cwd: str = "/work", **more: Any) -> str:
        return (await self.agent.new_session(cwd=cwd, mcp_servers=[], **more)).session_id

    async def load(self, session: str) -> None:
        await self.agent.load_session(session_id=session, cwd="/work", mcp_servers=[])

    async def prompt(self, session: str, text: str) -> str:
        answer = await self.agent.prompt(session_id=session, prompt=[acp.TextContent(text=text)])
        return answer.stop_reason

    async def listed(self, **filters: Any) -> list[str]:
        return [each.session_id for each in (await self.agent.list_sessions(**filters)).sessions]

    def said(self, session: str) -> list[str]:
        """The texts that the client was shown of a session, as they came; the user's with a `>`."""
        found: list[str] = []
        for id, update in self.shown.updates:
            if id == session and isinstance(update, acp.UserMessageChunk | acp.AgentMessageChunk):
                assert isinstance(update.content, acp.TextContent)
                mark = "> " if isinstance(update, acp.UserMessageChunk) else ""
                found.append(mark + update.content.text)
        return found

    def calls(self, session: str) -> list[str | None]:
        """The stages of tool calls that the client was shown."""
        kinds = (acp.ToolCall, acp.ToolCallProgress)
        return [acp.given(u.status) for id, u in self.shown.updates if id == session and isinstance(u, kinds)]

    async def until(self, session: str, text: str) -> None:
        """Wait until the client was shown a text."""
        await until(lambda: text in self.said(session))


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110  # what is waited for has no event
            await asyncio.sleep(0.005)


_clients: dict[int, int] = {}


@asynccontextmanager
async def client(store: Any, author: type[SessionAgent] = Author) -> AsyncGenerator[Client, None]:
    """A client with an agent of its own on a store. When the last client has gone, the process is as if it had ended."""
    _clients[id(store)] = _clients.get(id(store), 0) + 1
    shown = Shown()
    try:
        async with connected(author(store), shown) as (_, connection):
            yield Client(connection, shown, store)
    finally:
        _clients[id(store)] -= 1
        if not _clients[id(store)]:
            await SessionHost.stop_of(store)
