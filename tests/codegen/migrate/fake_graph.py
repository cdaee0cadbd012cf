"""A graph that does what its prompt says, for `deepagents-acp` and for its port: plain Python, nothing of a protocol.

`text`: a reply in pieces. `think`: reasoning, then an image. `edit`, `fail`, `run`: a tool call; `run` asks first. `plan`: a
list of things to do, which it asks for. `forever`: it counts until it is stopped. `free`: it stops in a way that cannot be shown.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from types import SimpleNamespace as Object
from typing import Any

PLAN = {"todos": [{"content": "look", "status": "in_progress"}, {"content": "act", "status": "pending"}]}
TOOLS = {
    "edit": ("edit_file", {"file_path": "/a.py", "old_string": "1", "new_string": "2"}),
    "fail": ("read_file", {"file_path": "/gone"}),
    "run": ("execute", {"command": "ls -l"}),
    "plan": ("write_todos", PLAN),
}


def message(kind: str, *blocks: dict[str, Any], **members: Any) -> Object:
    text = "".join(block.get("text", "") for block in blocks)
    given = {"id": f"{kind}-1", "tool_calls": [], "tool_call_chunks": [], "status": "success", **members}
    return Object(type=kind, content_blocks=[*blocks], content=text, additional_kwargs={}, **given)


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


class Graph:
    """Its conversations outlive it in `threads`: messages and metadata by thread."""

    checkpointer = "threads"

    def __init__(self, context: Any, threads: dict[str, Any]) -> None:
        self.context = context
        self.threads = threads
        self.asked: list[Any] = []
        """What the graph was given, each time."""

    def thread(self, config: Any) -> Any:
        return self.threads.setdefault(config["configurable"]["thread_id"], {"messages": [], "metadata": None})

    async def astream(self, given: Any, *, config: Any, stream_mode: Any, subgraphs: bool) -> AsyncGenerator[Any, None]:
        assert (stream_mode, subgraphs) == (["messages", "updates"], True)
        self.asked.append(given)
        thread = self.thread(config)
        if isinstance(given, dict):
            (self.word,) = (block["text"] for block in given["messages"][0]["content"][:1])
            steps = self.first(thread)
        else:
            steps = self.go_on(thread, given.resume["decisions"])
        async for mode, data, *subgraph in steps:
            await asyncio.sleep(0)
            yield tuple(subgraph), mode, data

    async def first(self, thread: Any) -> AsyncIterator[Any]:
        thread["messages"].append(message("human", text(self.word), id="h"))
        match self.word:
            case "text":
                yield "messages", (message("ai", text("not for the user")), {}), "subagent"
                for piece in ("Hel", "lo ", self.context.mode, " ", self.context.model or "none"):
                    yield "messages", (message("ai", text(piece)), {})
                thread["messages"].append(message("ai", text("Hello "), id="a"))
            case "think":
                blocks = (
                    {"type": "reasoning", "reasoning": "hm "},
                    {"type": "image", "base64": "AA==", "mime_type": "image/png"},
                )
                yield "messages", (message("ai", *blocks, {"type": "non_standard"}), {})
            case "forever":
                while True:
                    yield "messages", ("tick ", {})
                    await asyncio.sleep(0.001)
            case "free":
                yield "updates", {"__interrupt__": [Object(id="i", value="what now?")]}
            case word:
                name, arguments = TOOLS[word]
                called = message("ai", tool_calls=[{"id": "call", "name": name, "args": arguments}], id="c")
                thread["messages"].append(called)
                written = json.dumps(arguments)
                for start, piece in ((True, written[:9]), (False, written[9:])):
                    named = {"id": "call", "name": name} if start else {"id": None, "name": None}
                    yield "messages", (message("ai", tool_call_chunks=[{**named, "args": piece, "index": 0}]), {})
                if word in ("run", "plan"):
                    asked = {"action_requests": [{"name": name, "args": arguments}]}
                    yield "updates", {"__interrupt__": [Object(id="i", value=asked)]}
                else:
                    yield "messages", (self.done(thread, "done", word == "fail"), {})

    async def go_on(self, thread: Any, decisions: Any) -> AsyncIterator[Any]:
        allowed = decisions[0]["type"] == "approve"
        if self.word == "plan" and allowed:
            yield "updates", {"tools": {"todos": [{**todo, "status": "completed"} for todo in PLAN["todos"]]}}
        result = "a.py\n[Command succeeded with exit code 0]" if allowed else decisions[0].get("feedback", "rejected")
        yield "messages", (self.done(thread, result, not allowed), {})

    def done(self, thread: Any, result: str, failed: bool) -> Object:
        status = "error" if failed else "success"
        thread["messages"].append(message("tool", text(result), tool_call_id="call", status=status, id="t"))
        return thread["messages"][-1]

    async def aget_state(self, config: Any) -> Any:
        thread = self.thread(config)
        return Object(metadata=thread["metadata"], interrupts=(), next=(), values={"messages": thread["messages"]})

    async def aget_state_history(self, config: Any) -> AsyncIterator[Any]:
        yield await self.aget_state(config)

    async def aupdate_state(self, config: Any, values: Any, as_node: str) -> None:
        assert (values, as_node) == ({}, "__start__")
        self.thread(config)["metadata"] = config["metadata"]


MODES = [("ask", "Ask"), ("auto", "Auto")]
MODELS = [{"value": "small", "name": "Small"}, {"value": "large", "name": "Large"}]
