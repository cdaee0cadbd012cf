"""Locate things in a text: the line and column of a byte, and the bytes of a value in JSON.

Results are cached. The first query of a text scans the text once, and the first query of an object scans its members
once. Later queries are lookups.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)
STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\]}]+")
_SPACE = re.compile(rb"[\s,:]*")
_WHITE = re.compile(rb"[ \t\r\n]*")
_NUMBER = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[-+.\w]+', re.DOTALL)
_NEWLINE = re.compile(rb"\n")
_OPENING, _CLOSING, _QUOTE, _COLON = frozenset(b"{["), frozenset(b"}]"), ord('"'), ord(":")
_OBJECT, _ARRAY = ord("{"), ord("[")
_BLOCK = 4096
_NOT_FIRST = bytes(range(0x80, 0xC0))
"""The bytes that continue a character in UTF-8."""

Member = tuple[int, int]
"""The bytes where the key and the value of a member start."""


class Lines:
    """The lines of a text."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts = array("q", [0, *(found.end() for found in _NEWLINE.finditer(data))])
        self._ascii = data.isascii()

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte, both from 1, the column in characters."""
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        return line, (offset - start if self._ascii else self._characters(start, offset)) + 1

    def _characters(self, start: int, end: int) -> int:
        if self._before is None:
            return len(self._data[start:end].decode(errors="replace"))
        return self._count(end) - self._count(start)

    def _count(self, end: int) -> int:
        """The number of characters that start before a byte."""
        before = self._before or ()
        block = min(end // _BLOCK, len(before) - 1)
        return before[block] + _begun(self._data[block * _BLOCK : end])

    @cached_property
    def _before(self) -> array[int] | None:
        """The number of characters before each block of the text; None if the text is not UTF-8."""
        try:
            self._data.decode()
        except UnicodeDecodeError:
            return None
        blocks = range(0, len(self._data), _BLOCK)
        counts = (_begun(self._data[at : at + _BLOCK]) for at in blocks)
        return array("q", accumulate(counts, initial=0))


def _begun(data: bytes) -> int:
    return len(data.translate(None, _NOT_FIRST))


class TextIndex:
    """The values in a valid JSON text by their paths."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._members: dict[int, dict[str, Member]] = {}
        self._items: dict[int, array[int]] = {}

    def offset(self, path: Iterable[str | int], *, key: bool = False) -> int:
        """Offset of the value at a path, or of its key. For a missing value, the offset of its nearest ancestor.

        A step into an array is an index, as an integer or as the text of a JSON pointer.
        """
        at = start = _skip(self._data, 0)
        for step in path:
            found = self._child(at, step)
            if found is None:
                return start
            start, at = found if key else (found[1], found[1])
        return start

    def span(self, path: Iterable[str | int]) -> tuple[int, int]:
        """Start and end of the value at a path, or of its nearest ancestor if the value is missing."""
        start = self.offset(path)
        return start, self._end(start)

    def members(self, path: Iterable[str | int]) -> dict[str, Member]:
        """The starts of the keys and values of the object at a path; empty if there is none."""
        at = self.offset(path)
        return dict(self._read_members(at)) if self._data[at : at + 1] == b"{" else {}

    def end(self, at: int) -> int:
        """The end of the value that starts at a byte."""
        return self._end(at)

    def second_key(self, name: str) -> int:
        """The byte of the first key with this name that repeats an earlier key of its object."""
        return self._twice.get(name, 0)

    def path_of(self, offset: int) -> tuple[str | int, ...]:
        """The path of the object or array that contains a byte."""
        starts, ends = self._containers
        around = [start for start, end in zip(starts, ends, strict=True) if start < offset < end]
        return tuple(self._step(outer, inner) for outer, inner in pairwise(around))

    def _step(self, outer: int, inner: int) -> str | int:
        if self._data[outer] == _OBJECT:
            return next(name for name, (_, value) in self._read_members(outer) if value == inner)
        return next(index for index, item in enumerate(self._read_items(outer)) if item == inner)

    @cached_property
    def first_huge(self) -> int:
        """The byte of the first number that does not fit a double."""
        return first_token(self._data, lambda word: word[:1] in b"-0123456789" and not math.isfinite(float(word)))

    # --- one pass for each ----------------------------------------------------------------------------------------------

    @cached_property
    def _containers(self) -> tuple[array[int], array[int]]:
        """The starts of all objects and arrays, in order, and the end of each."""
        data, end = self._data, len(self._data)
        starts, ends, open_ = array("q"), array("q"), list[int]()
        for token in _TOKEN.finditer(data):
            at = token.start()
            first = data[at]
            if first in _OPENING:
                open_.append(len(starts))
                starts.append(at)
                ends.append(end)
            elif first in _CLOSING and open_:
                ends[open_.pop()] = at + 1
        return starts, ends

    @cached_property
    def _twice(self) -> dict[str, int]:
        data = self._data
        found: dict[str, int] = {}
        stack: list[set[str]] = []
        for token in _TOKEN.finditer(data):
            first = data[token.start()]
            if first in _OPENING:
                stack.append(set())
            elif first in _CLOSING:
                del stack[-1:]  # also in a text that is not JSON
            elif stack and _is_key(data, token.end()):
                name = _text(token[0])
                if name in stack[-1]:
                    found.setdefault(name, token.start())
                stack[-1].add(name)
        return found

    # --- one pass over the children of each -----------------------------------------------------------------------------

    def _child(self, at: int, step: str | int) -> Member | None:
        first = self._data[at] if at < len(self._data) else 0
        if first == _OBJECT:
            if at not in self._members:
                self._members[at] = dict(self._read_members(at))
            return self._members[at].get(str(step))
        if first == _ARRAY:
            if at not in self._items:
                self._items[at] = array("q", self._read_items(at))
            index = int(step) if isinstance(step, int) or (step.isascii() and step.isdecimal()) else -1
            items = self._items[at]
            return (items[index], items[index]) if 0 <= index < len(items) else None
        return None

    def _read_members(self, at: int) -> Iterator[tuple[str, Member]]:
        """The properties of an object. If a key is repeated, the last one counts."""
        data = self._data
        at = _skip(data, at + 1)
        while at < len(data) and data[at] not in _CLOSING:
            end = self._end(at)
            value = _skip(data, end)
            yield _text(data[at:end]), (at, value)
            at = _skip(data, self._end(value))

    def _read_items(self, at: int) -> Iterator[int]:
        data = self._data
        at = _skip(data, at + 1)
        while at < len(data) and data[at] not in _CLOSING:
            yield at
            at = _skip(data, self._end(at))

    def _end(self, at: int) -> int:
        """The end of the value that starts at a byte."""
        first = self._data[at] if at < len(self._data) else 0
        if first in _OPENING:
            starts, ends = self._containers
            return ends[bisect_left(starts, at)]
        found = (STRING if first == _QUOTE else _SCALAR).match(self._data, at)
        return found.end() if found else len(self._data)


@lru_cache(maxsize=4)
def lines_of(data: bytes) -> Lines:
    """The lines of a text, cached."""
    return Lines(data)


@lru_cache(maxsize=4)
def index_of(data: bytes) -> TextIndex:
    """The index of a JSON text, cached."""
    return TextIndex(data)


def pieces(data: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of each object or array in a text that contains several in a row. The last piece is the remainder."""
    begin, depth = _skip(data, 0), 0
    for token in _TOKEN.finditer(data, begin):
        first = data[token.start()]
        if depth == 0 and (first not in _OPENING or token.start() != begin):
            break
        if first in _OPENING:
            depth += 1
        elif first in _CLOSING:
            depth -= 1
            if depth == 0:
                yield begin, token.end()
                begin = _skip(data, token.end())
    if begin < len(data):
        yield begin, len(data)


def first_token(data: bytes, wanted: Callable[[bytes], bool]) -> int:
    """The byte where the first number or word of a kind starts, outside of strings."""
    return next((token.start() for token in _NUMBER.finditer(data) if wanted(token[0])), 0)


def too_deep(data: bytes, most: int) -> int:
    """The byte where nesting first exceeds a limit."""
    depth = 0
    for token in _TOKEN.finditer(data):
        if token[0] in b"[{":
            depth += 1
            if depth > most:
                return token.start()
        elif token[0] in b"]}":
            depth -= 1
    return 0


def _skip(data: bytes, at: int) -> int:
    found = _SPACE.match(data, at)
    return found.end() if found else at


def _is_key(data: bytes, end: int) -> bool:
    found = _WHITE.match(data, end)
    at = found.end() if found else end
    return at < len(data) and data[at] == _COLON


def _text(token: bytes) -> str:
    """The text of a string, with U+FFFD for an unpaired surrogate, as other readers do it.

    A text that is not JSON may contain malformed strings, which keep their backslashes.
    """
    if b"\\" not in token:
        return token[1:-1].decode("utf-8", "replace")
    try:
        text: str = json.loads(token)
    except ValueError:
        return token[1:-1].decode("utf-8", "replace")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
