"""A recorded transcript: its connections, and their frames with the original bytes. A replay sends these bytes unless
it must replace an id.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import msgspec

from ..codegen_api import errors

_WRITTEN = re.compile(rb'\{"t":([\d.]+),"dir":"([\w-]+)","msg":(.*)\}\s*', re.DOTALL)
"""The format of a recorded line."""


class Heard(msgspec.Struct):
    """A frame of a recording: its direction, its content and its bytes."""

    direction: str
    frame: Any
    raw: bytes
    at: float | None = None
    """Seconds since the recording began."""


class _Line(msgspec.Struct):
    dir: str
    t: Any = None
    msg: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    raw: str | msgspec.UnsetType = msgspec.UNSET


def loads(text: bytes) -> Any:
    """Parse a JSON value. Integers with too many digits for Python become infinite. Raises ValueError for invalid
    JSON.
    """
    return json.loads(text, parse_int=_integer)


def _integer(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def read(path: Path) -> list[tuple[int, list[Heard]]]:
    """The connections of a transcript, each as the number of its first line and its frames. Raises InputError."""
    connections: list[tuple[int, list[Heard]]] = []
    before = math.inf
    try:
        if path.exists() and not (
            path.is_file() or path.is_dir()
        ):  # a FIFO would be waited for, /dev/zero read for ever
            raise errors.InputError(str(path), "is not a file; expected a recording")
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    heard = _heard(line)
                except (ValueError, TypeError, RecursionError, msgspec.MsgspecError):
                    raise errors.InputError(f"{path}:{number}", "is not a line of a transcript") from None
                seconds = before if heard.at is None else heard.at
                if seconds < before and (before < math.inf or not connections):
                    connections.append((number, []))
                connections[-1][1].append(heard)
                before = seconds
    except OSError as error:
        raise errors.InputError(str(path), f"cannot be read: {error.strerror}") from None
    if not any(heard.direction == "client-to-agent" for _, frames in connections for heard in frames):
        raise errors.InputError(str(path), "contains no message of a client")
    return connections


def _heard(line: bytes) -> Heard:
    """Parse a line. Raises ValueError for an empty one."""
    try:
        read = msgspec.json.decode(line, type=_Line)
    except (msgspec.DecodeError, RecursionError):
        return _as_written(line)
    at = None if read.t is None else float(read.t)
    if read.msg is not msgspec.UNSET:
        raw = bytes(read.msg)
        return Heard(read.dir, _frame(raw), raw, at)
    if read.raw is msgspec.UNSET:
        raise ValueError("neither `msg` nor `raw`")
    return Heard(read.dir, read.raw, read.raw.encode(errors="replace"), at)


def _as_written(line: bytes) -> Heard:
    """Parse a line that msgspec cannot read completely: unpaired surrogates, deep nesting."""
    match = _WRITTEN.fullmatch(line)
    if match is None:
        raise ValueError("not as it is written")
    return Heard(match[2].decode(), _frame(match[3]), match[3], float(match[1]))


def _frame(raw: bytes) -> Any:
    """Parse a frame; returns its text if it is nested more deeply than Python can read."""
    try:
        return loads(raw)
    except RecursionError:
        return raw.decode(errors="replace")
