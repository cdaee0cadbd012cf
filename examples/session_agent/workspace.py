"""What is checked of the paths, servers and content that a client sends. Each function raises Refused."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from msgspec import UnsetType

from .. import acp
from .errors import Refused
from .places import place_of

__all__ = [
    "check_content",
    "check_cwd",
    "check_directories",
    "check_new_cwd",
    "check_prompt",
    "check_servers",
    "text_of",
]


def check_cwd(cwd: str) -> str:
    """A working directory: absolute. It need not exist here, since a client may have a file system of its own."""
    if not os.path.isabs(cwd) or "\0" in cwd:
        raise Refused("cwd is not an absolute path")
    return cwd


def check_new_cwd(cwd: str, before: str) -> str:
    """The directory to go on in: the one the conversation was held in, or another one that exists."""
    if place_of(check_cwd(cwd)) != place_of(before) and not os.path.isdir(cwd):
        raise Refused("cwd is not the session's own, and no directory")
    return cwd


def check_directories(directories: list[str] | UnsetType) -> tuple[str, ...]:
    """Further workspace roots: absolute; left out they are none."""
    for directory in directories or ():
        if not os.path.isabs(directory) or "\0" in directory:
            raise Refused("additionalDirectories holds a path that is not absolute")
    return tuple(directories or ())


def check_servers(servers: Sequence[acp.McpServer] | UnsetType) -> None:
    """MCP servers: on stdio, which every agent takes. The offline model has no use for them, so none is started."""
    for server in servers or ():
        if not isinstance(server, acp.McpServerStdio):
            raise Refused("mcpServers holds a transport that was not advertised")


def check_prompt(system_prompt: acp.SystemPrompt | UnsetType | None) -> None:
    """Instructions at system level: not advertised, and what cannot be honoured must not be ignored."""
    if system_prompt:
        raise Refused("systemPrompt was not advertised")


def check_content(blocks: Iterable[acp.ContentBlock]) -> None:
    """A prompt: at least one block, and only kinds that were advertised."""
    kinds = (acp.TextContent, acp.ResourceLink, acp.EmbeddedResource)
    blocks = list(blocks)
    if not blocks:
        raise Refused("the prompt is empty")
    for block in blocks:
        if not isinstance(block, kinds):
            raise Refused("the prompt holds a kind of content that was not advertised")


def text_of(blocks: Iterable[acp.ContentBlock]) -> str:
    """What a prompt says, links by their names."""
    parts: list[str] = []
    for block in blocks:
        match block:
            case acp.TextContent(text=text):
                parts.append(text)
            case acp.ResourceLink(name=name):
                parts.append(name)
            case acp.EmbeddedResource(resource=resource):
                parts.append(os.path.basename(resource.uri))
            case _:
                pass
    return "\n".join(parts)
