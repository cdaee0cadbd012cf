"""Files for an agent: inside the session's directory, after links are resolved, and only text of moderate size.

Each function raises the RequestError that answers the agent. Nothing in here asks the user: the client does, between
`locate` and the other calls.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

import acp_generated as acp

__all__ = ["LARGEST", "locate", "read", "write"]

LARGEST = 10 * 1024 * 1024
"""Bytes that a file may have."""


def locate(path: str, root: str) -> Path:
    """Where a path leads; it must be absolute and lead into the root."""
    try:
        wanted = Path(path)
        found, home = wanted.resolve(), Path(root).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a loop of links, a null character
        raise acp.RequestError.invalid_params({"path": "$.path", "reason": str(error)}) from error
    if not wanted.is_absolute():
        raise acp.RequestError.invalid_params({"path": "$.path", "reason": "the path is not absolute"})
    if not found.is_relative_to(home):
        raise acp.RequestError.invalid_params({"path": "$.path", "reason": f"outside the session's directory, {root}"})
    return found


def read(path: Path, line: int | None, limit: int | None) -> str:
    """The text of a file, from a line (counted from 1) and up to a number of lines."""
    try:
        if not path.is_file():  # nor wait for a pipe or a device
            raise acp.RequestError.resource_not_found(uri=path.as_uri())
        if path.stat().st_size > LARGEST:
            raise acp.RequestError.invalid_params({"path": "$.path", "reason": f"larger than {LARGEST} bytes"})
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            start = max((line or 1) - 1, 0)
            stop = None if limit is None else start + limit
            return "".join(islice(file, start, stop))
    except OSError as error:
        raise acp.RequestError.internal_error({"reason": error.strerror}) from error


def write(path: Path, text: str) -> None:
    """Write a file, and the directories it needs. What is written through a link that appeared meanwhile is refused."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(path, flags, 0o666), "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise acp.RequestError.internal_error({"reason": error.strerror}) from error
