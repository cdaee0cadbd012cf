"""One prompt: what the graph streams becomes updates, and what it stops for becomes a question to the user."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Hashable, Mapping
from contextlib import AsyncExitStack, aclosing
from typing import Any

import generated as acp

from . import content, permissions
from .graph import Context, Event

Decision = dict[str, Any]
REVISE = (
    "The user rejected the plan. Please ask them for feedback on how the plan can be improved, then create a new and "
    "improved plan using this same write_todos tool."
)


class Memory:
    """What outlives a turn: the plan that was approved, and what is always allowed."""

    def __init__(self) -> None:
        self.plan: list[Mapping[str, Any]] = []
        self.allowed: set[Hashable] = set()


class Turn(AsyncExitStack):
    """Use it with `async with`: tool calls that are open when it ends are told to have ended, too."""

    def __init__(self, client: acp.AgentSideConnection, session: str, context: Context, memory: Memory) -> None:
        super().__init__()
        self.client = client
        self.session = session
        self.context = context
        self.memory = memory
        self.written: dict[int, tuple[str, str, str]] = {}
        """Tool calls by index, as far as the model has written them: id, name, arguments."""
        self.running: dict[str, tuple[acp.agent.ToolCallEntry, str, Mapping[str, Any]]] = {}

    async def tell(self, update: acp.SessionUpdate) -> None:
        await self.client.session_update(session_id=self.session, update=update, meta={"source": "DeepAgent"})

    async def say(self, text: str) -> None:
        await self.tell(acp.AgentMessageChunk(content=acp.TextContent(text=text)))

    async def follow(self, events: AsyncGenerator[Event, None]) -> list[Any]:
        """Tell all that is streamed; return what the graph stopped for."""
        interrupts: list[Any] = []
        async with aclosing(events):
            async for subgraph, mode, data in events:
                if mode == "updates":
                    interrupts = [*data.get("__interrupt__", ())] or interrupts
                    match data:
                        case {"tools": {"todos": [*todos]}} if todos:
                            await self.tell(content.plan(todos))
                        case _:
                            pass
                else:
                    await self.message(data[0], of_subagent=bool(subgraph))
        return interrupts

    async def message(self, message: Any, *, of_subagent: bool) -> None:
        """A piece of a message. Subagents show their tool calls, but not what they say."""
        if isinstance(message, str):
            if not of_subagent:
                await self.say(message)
            return
        if message.type == "tool":
            await self.finish(message)
        elif not of_subagent:
            for update in content.replies(message):
                await self.tell(update)
        for chunk in message.tool_call_chunks:
            await self.write(chunk)

    async def write(self, chunk: Mapping[str, Any]) -> None:
        """A piece of a tool call; it begins when its arguments are whole."""
        index = chunk.get("index", 0)
        key, name, text = self.written.get(index, ("", "", ""))
        if chunk.get("id") and chunk.get("name") and chunk["id"] != key:
            key, name, text = chunk["id"], chunk["name"], ""
        text += chunk.get("args") or ""
        self.written[index] = key, name, text
        try:
            arguments = json.loads(text)
        except ValueError:
            return
        if key and key not in self.running:
            await self.begin(key, name, arguments)

    async def begin(self, key: str, name: str, arguments: Mapping[str, Any]) -> None:
        entry = self.client.tool_call(self.session, content.started(key, name, arguments))
        self.running[key] = await self.enter_async_context(entry), name, arguments
        if name == "write_todos":
            await self.tell(content.plan(arguments.get("todos", [])))

    async def finish(self, message: Any) -> None:
        if message.tool_call_id not in self.running:
            return
        entry, name, arguments = self.running[message.tool_call_id]
        status: acp.ToolCallStatus = "failed" if message.status == "error" else "completed"
        shown = acp.UNSET if name == "edit_file" else content.result(name, arguments, str(message.content))
        await entry.update(status=status, content=shown)

    async def decide(self, interrupt: Any) -> list[Decision]:
        """Ask the user about all that the graph stopped for at once."""
        match interrupt.value:
            case {"action_requests": [*actions]}:
                return [
                    await self.ask(interrupt.id, each.get("name", "tool"), each.get("args", {})) for each in actions
                ]
            case value:
                raise acp.RequestError.invalid_request(
                    {"interrupt_value": value, "reason": "only action_requests can be shown to a user"}
                )

    async def ask(self, interrupt: str, name: str, arguments: Mapping[str, Any]) -> Decision:
        key = permissions.key(name, arguments, self.context)
        todos = arguments.get("todos", []) if name == "write_todos" else []
        if name == "write_todos" and any(todo.get("status") != "completed" for todo in self.memory.plan):
            self.memory.plan = todos  # the plan that was approved goes on
            return {"type": "approve"}
        if key is not None and key in self.memory.allowed:
            return {"type": "approve"}
        if todos:
            lines = [f"{number}. {todo.get('content', '')}\n" for number, todo in enumerate(todos, 1)]
            await self.say("## Plan\n\n" + "".join(lines))
        call = acp.ToolCallUpdate(tool_call_id=interrupt, title=permissions.title(name, arguments), raw_input=arguments)
        choices = permissions.options(name, key)
        answer = await self.client.request_permission(session_id=self.session, tool_call=call, options=choices)
        match answer.outcome:
            case acp.SelectedPermissionOutcome(option_id="approve_always") if key is not None:
                self.memory.allowed.add(key)
            case acp.SelectedPermissionOutcome(option_id="approve"):
                self.memory.plan = todos or self.memory.plan
            case outcome:
                return await self.reject(name, chosen=isinstance(outcome, acp.SelectedPermissionOutcome))
        return {"type": "approve"}

    async def reject(self, name: str, *, chosen: bool) -> Decision:
        if name != "write_todos":
            return {"type": "reject"}
        self.memory.plan = []
        await self.tell(acp.Plan(entries=[]))
        return {"type": "reject", "feedback": REVISE} if chosen else {"type": "reject"}
