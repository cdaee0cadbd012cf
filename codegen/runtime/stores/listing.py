"""The directory, title and time of a session, as stores and lists write them."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from typing import Final

__all__ = ["clock", "days", "first_line", "iso", "place_of"]

LENGTH: Final = 80
"""Characters that a title may have."""


def clock() -> int:
    """Microseconds since 1970, UTC."""
    return time.time_ns() // 1_000


def days(count: float) -> int:
    """That many days, in microseconds."""
    return int(count * 86_400_000_000)


def iso(moment: int) -> str:
    """ISO 8601 in UTC: `2026-04-15T09:01:17.000250Z`."""
    return datetime.fromtimestamp(moment / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def first_line(text: str) -> str | None:
    """A title from what the user said: one line, no control characters, `LENGTH` at most; None from nothing."""
    printable = "".join(character if character.isprintable() else " " for character in text[: LENGTH * 50])
    return _bounded(" ".join(printable.split())) or None


def _bounded(line: str, length: int = LENGTH) -> str:
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def place_of(path: str) -> str:
    """The one spelling of a directory: `/srv/`, `/srv/.` and `/srv/a/..` are `/srv`. Relative paths stay as they are.

    Nothing is looked up, because a client may have a file system of its own.
    """
    if not os.path.isabs(path):
        return path
    place = os.path.normcase(os.path.normpath(path))
    # normpath keeps two slashes in front, whose meaning POSIX leaves open.
    return place[1:] if os.name == "posix" and place.startswith("//") else place
