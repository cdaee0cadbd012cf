"""Blocks of a prompt as LangChain takes them; LangChain's messages and tool calls as updates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import generated as acp

KINDS: dict[str, acp.ToolKind] = {
    "read_file": "read",
    "edit_file": "edit",
    "write_file": "edit",
    "ls": "search",
    "glob": "search",
    "grep": "search",
    "execute": "execute",
}
VERBS = {"read_file": "Read", "edit_file": "Edit", "write_file": "Write"}
STATUSES: dict[str, acp.PlanEntryStatus] = {"in_progress": "in_progress", "completed": "completed"}


def from_user(block: acp.ContentBlock, root: str) -> dict[str, Any]:
    """A block of a prompt as content of a user's message."""
    match block:
        case acp.TextContent(text=text):
            return _text(text)
        case acp.ImageContent(data=data, mime_type=kind):
            if not data:
                return _text("[Image: no data available]")
            return {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{data}"}}
        case acp.ResourceLink():
            return _text(_link(block, root))
        case acp.EmbeddedResource(resource=acp.TextResourceContents(text=text) as resource):
            return _text(f"[Embedded {acp.given(resource.mime_type, 'application/text')} resource: {text}")
        case acp.EmbeddedResource(resource=acp.BlobResourceContents(blob=blob) as resource):
            kind = acp.given(resource.mime_type, "application/octet-stream")
            return _text(f"[Embedded resource: data:{kind};base64,{blob}]")
        case _:
            raise acp.RequestError.invalid_params({"prompt": f"{type(block).__name__} is not supported"})


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _link(link: acp.ResourceLink, root: str) -> str:
    scheme = "file://" if link.uri.startswith("file://") else ""
    path = link.uri.removeprefix(scheme)
    if path.startswith(root):
        path = path.removeprefix(root).lstrip("/")
    lines = [f"[Resource: {link.name}", f"URI: {scheme}{path}"]
    lines += [f"Description: {link.description}"] if link.description else []
    lines += [f"MIME type: {link.mime_type}"] if link.mime_type else []
    return "\n".join(lines) + "]"


def said(message: Any) -> Iterator[acp.TextContent | acp.ImageContent | acp.AudioContent]:
    """What a message shows; what has no counterpart is left out."""
    for block in _blocks(message):
        match block:
            case {"type": "text", "text": str(text)} if text:
                yield acp.TextContent(text=text)
            case {"type": "image", "base64": str(data), "mime_type": str(kind)}:
                yield acp.ImageContent(data=data, mime_type=kind, uri=block.get("url", acp.UNSET))
            case {"type": "audio", "base64": str(data), "mime_type": str(kind)}:
                yield acp.AudioContent(data=data, mime_type=kind)
            case _:
                pass


def replies(message: Any, message_id: str | acp.UnsetType = acp.UNSET) -> Iterator[acp.SessionUpdate]:
    """What the model says and thinks. Spaces count: reasoning arrives in pieces."""
    for block in _blocks(message):
        match block:
            case {"type": "reasoning", "reasoning": str(text)} if text:
                yield acp.AgentThoughtChunk(content=acp.TextContent(text=text), message_id=message_id)
            case {"type": "reasoning"}:
                pass
            case _:
                for content in said(_One(block)):
                    yield acp.AgentMessageChunk(content=content, message_id=message_id)


class _One:
    """A message of one block."""

    def __init__(self, block: Mapping[str, Any]) -> None:
        self.content_blocks = [block]
        self.additional_kwargs: dict[str, Any] = {}


def _blocks(message: Any) -> list[Mapping[str, Any]]:
    """What was put in for the model alone is not shown."""
    return [] if message.additional_kwargs.get("lc_source") == "local_context" else message.content_blocks


def started(tool_call_id: str, name: str, arguments: Mapping[str, Any]) -> acp.ToolCall:
    """A tool call that the model has written out."""
    path = arguments.get("file_path")
    title = f"{VERBS[name]} `{path}`" if path and name in VERBS else name
    if name == "execute":
        title = arguments.get("command") or "Execute command"
    call = acp.ToolCall(tool_call_id=tool_call_id, title=title, kind=KINDS.get(name, "other"), status="pending")
    match arguments:
        case {"file_path": str(path), "old_string": str(old), "new_string": str(new)} if (
            name == "edit_file" and old and new
        ):
            call.content = [acp.Diff(path=path, old_text=old, new_text=new)]
            call.locations = [acp.ToolCallLocation(path=path)]
        case _:
            call.raw_input = arguments
    return call


def result(name: str, arguments: Mapping[str, Any], text: str) -> list[acp.ToolCallContent]:
    """What a tool gave back."""
    shown = _executed(str(arguments.get("command", "")), text) if name == "execute" else text
    return [acp.Content(content=acp.TextContent(text=shown))]


def _executed(command: str, text: str) -> str:
    lines = text.split("\n")
    exits = [line.strip("[]") for line in lines if line.startswith("[Command ") and "exit code" in line]
    cut = [line.strip("[]") for line in lines if line.startswith("[Output was truncated")]
    output = "\n".join(line for line in lines if line.strip("[]") not in (*exits, *cut)).rstrip()
    parts = [f"**Command:**\n```bash\n{command}\n```\n"]
    parts.append(f"**Output:**\n```\n{output}\n```\n" if output else "**Output:** _(empty)_\n")
    parts += [f"**Status:** {line}" for line in exits[-1:]] + [f"\n_{line}_" for line in cut[-1:]]
    return "\n".join(parts)


def plan(todos: list[Mapping[str, Any]]) -> acp.Plan:
    """A list of things to do."""
    return acp.Plan(
        entries=[
            acp.PlanEntry(
                content=todo.get("content", ""),
                status=STATUSES.get(todo.get("status", ""), "pending"),
                priority="medium",
            )
            for todo in todos
        ]
    )
