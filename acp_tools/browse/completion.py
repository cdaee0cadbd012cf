"""Completions of a prompt (slash commands of the agent, and paths after `@`), and its conversion to content blocks."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import acp_generated as acp

from .sanitize import one_line

_MOST = 50
_ENTRIES = 5_000
"""Maximum number of directory entries to search."""


@dataclass(frozen=True)
class Completion:
    """A completion: the replacement of the last `length` characters, and its description."""

    text: str
    length: int
    hint: str = ""


def completions(before: str, commands: Sequence[acp.AvailableCommand], cwd: str) -> list[Completion]:
    """The completions of the text before the cursor."""
    if (found := re.fullmatch(r"/([^\s/]*)", before)) is not None:
        typed = found[1].lower()
        fitting = [command for command in commands if typed in command.name.lower()]
        fitting.sort(key=lambda command: (not command.name.lower().startswith(typed), command.name))
        return [
            Completion(f"/{one_line(command.name, 80)} ", len(before), one_line(command.description, 120))
            for command in fitting[:_MOST]
            if command.name.lower() != typed
        ]
    if (found := re.search(r"(?:^|\s)@(\S*)$", before)) is not None:
        return _paths(found[1], cwd)
    return []


def _paths(typed: str, cwd: str) -> list[Completion]:
    folder, _, stem = typed.rpartition("/")
    root = Path(cwd) / folder
    try:
        with os.scandir(root) as entries:
            names = sorted(
                entry.name + ("/" if entry.is_dir() else "")
                for entry, _ in zip(entries, range(_ENTRIES), strict=False)
                if entry.name.isprintable() and " " not in entry.name
            )
    except OSError:
        return []
    fitting = [name for name in names if stem.lower() in name.lower() and name != stem]
    fitting.sort(key=lambda name: (name.startswith(".") and not stem.startswith("."), not name.startswith(stem), name))
    prefix = f"{folder}/" if folder else ""
    return [Completion(f"@{prefix}{name}", len(typed) + 1) for name in fitting[:_MOST]]


def blocks_of(text: str, cwd: str) -> list[acp.ContentBlock]:
    """Convert a prompt to content: its text, and a link for each `@` reference to a file in the session's directory."""
    blocks: list[acp.ContentBlock] = [acp.TextContent(text=text)]
    for name in dict.fromkeys(re.findall(r"(?:^|\s)@(\S+)", text)):
        path = Path(cwd) / name
        try:
            if path.is_file():
                blocks.append(acp.ResourceLink(name=name, uri=path.absolute().as_uri()))
        except (OSError, ValueError):
            continue
    return blocks
