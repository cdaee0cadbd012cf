"""Conversion between positions in the text of a schema and its parts.

Lines and columns are counted from 0, columns in UTF-16 code units, as the Language Server Protocol counts them.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ..document.positions import index_of, lines_of

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)


class Spot(Struct, frozen=True):
    """A position: line and column."""

    line: int
    column: int


class Span(Struct, frozen=True):
    """A range of a text; the end is the first position behind it."""

    start: Spot
    end: Spot


def spot(data: bytes, offset: int) -> Spot:
    """The position of a byte."""
    line, _ = lines_of(data).at(offset)
    begin = data.rfind(b"\n", 0, offset) + 1
    before = data[begin:offset].decode(errors="replace")
    return Spot(line - 1, len(before.encode("utf-16-le", "surrogatepass")) // 2)


def offset(data: bytes, at: Spot) -> int:
    """The byte at a position, or the end of its line if that is shorter."""
    begin = 0
    for _ in range(at.line):
        begin = data.find(b"\n", begin) + 1
        if begin == 0:
            return len(data)
    end = data.find(b"\n", begin)
    line = data[begin : end if end >= 0 else len(data)].decode(errors="replace")
    kept = line.encode("utf-16-le")[: 2 * at.column].decode("utf-16-le", errors="ignore")
    return begin + len(kept.encode())


def span_at(data: bytes, line: int, column: int) -> Span:
    """The span of the word at a reported place: line and column from 1, in characters."""
    begin = 0
    for _ in range(line - 1):
        begin = data.find(b"\n", begin) + 1
    rest = data[begin:].split(b"\n", 1)[0].decode(errors="replace")
    start = begin + len(rest[: column - 1].encode())
    found = _STRING.match(data, start)
    return Span(spot(data, start), spot(data, found.end() if found else min(start + 1, len(data))))


def pointer_at(data: bytes, at: Spot) -> tuple[str, ...]:
    """The path of the property or item at a position, or of the enclosing object or array between two of them."""
    index, where = index_of(data), offset(data, at)
    steps = [str(step) for step in index.path_of(where)]
    for name, (key, value) in index.members(steps).items():
        if key <= where < index.end(value):
            return (*steps, name)
    return tuple(steps)
