"""Files for an agent: text files of limited size in the session's directory, after resolving links.

Each function raises the RequestError that answers the agent. The client asks the user for permission between `locate`
and the other calls.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from itertools import islice
from pathlib import Path

import acp_generated as acp

_LINKS = getattr(os, "O_NOFOLLOW", 0)
_STEP = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _LINKS
"""Flags for opening a folder on the path to a file. The folder need not be readable."""
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _LINKS
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _LINKS
LARGEST = 10 * 1024 * 1024
"""Maximum size of a file in bytes."""


def locate(path: str, root: str) -> Path:
    """Resolve a path, which must be absolute and inside the root."""
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
    """Read the text of a file, from a line (counted from 1) and up to a number of lines."""
    try:
        descriptor = _opened(path, _READ)
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):  # a directory, a pipe or a device
            os.close(descriptor)
            raise acp.RequestError.resource_not_found(uri=path.as_uri())
        with open(descriptor, encoding="utf-8", errors="replace", newline="") as file:
            if found.st_size > LARGEST:
                raise acp.RequestError.invalid_params({"path": "$.path", "reason": f"larger than {LARGEST} bytes"})
            start = max((line or 1) - 1, 0)
            stop = None if limit is None else start + limit
            return "".join(islice(file, start, stop))
    except FileNotFoundError as error:
        raise acp.RequestError.resource_not_found(uri=path.as_uri()) from error
    except OSError as error:
        raise acp.RequestError.internal_error({"reason": error.strerror}) from error


def write(path: Path, text: str) -> None:
    """Write a file and create missing directories. Fails if a link has appeared on the path meanwhile."""
    try:
        with open(_opened(path, _WRITE, make=True), "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise acp.RequestError.internal_error({"reason": error.strerror}) from error


def _opened(path: Path, flags: int, *, make: bool = False) -> int:
    """Open a file without following links. A link that has appeared since `locate` causes an error."""
    if os.open not in os.supports_dir_fd:  # Windows
        if make:
            path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, flags, 0o666)
    at = os.open(path.anchor, _STEP)
    try:
        for part in path.parts[1:-1]:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=at)
            below = os.open(part, _STEP, dir_fd=at)
            os.close(at)
            at = below
        return os.open(path.name, flags, 0o666, dir_fd=at)
    finally:
        os.close(at)
