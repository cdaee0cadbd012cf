"""Removes secrets from frames: values of fields such as `token`, and any string that looks like a secret.

Only the strings with a secret are rewritten. The rest of a frame keeps its bytes, so that a validator finds the same
errors in it. A frame is read token by token, at any depth.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from .secrets import MASK, WORDS, may_have_secrets, without_secrets

_NAME = re.compile(WORDS, re.IGNORECASE)
_ESCAPED = re.compile(rb"\\u00", re.IGNORECASE)
_TOKEN = re.compile(
    r'\s*+(?:("(?:[^"\\]|\\.)*+")|([\[\]{}:,])|-?\d[\d.eE+-]*+|true|false|null|NaN|-?Infinity)\s*+', re.DOTALL
)
_NAMING = frozenset({"name", "key", "header", "variable", "field"})
"""Names of fields that describe the field `value` beside them."""
_OPTION = re.compile(rf"-{{1,2}}[\w.-]*(?:{WORDS})[\w.-]*", re.IGNORECASE)


def masked(frame: bytes) -> bytes:
    """A frame without its secrets. A frame without secrets is unchanged; invalid JSON with secrets is replaced by a
    note.
    """
    if not may_have_secrets(frame) and not _ESCAPED.search(frame):
        return frame
    text = frame.decode(errors="surrogateescape")
    try:
        found = _strings(text)
    except ValueError:
        return b"(masked: %d bytes that are not JSON)" % len(frame) if _speaks(text) else frame
    pieces: list[bytes] = []
    end = 0
    for string in found:
        safe = _without(string.text, string.secret)
        if safe is not None:
            pieces += text[end : string.start].encode(errors="surrogateescape"), _quoted(safe)
            end = string.end
    return b"".join((*pieces, text[end:].encode(errors="surrogateescape"))) if pieces else frame


def _quoted(text: str) -> bytes:
    try:
        return json.dumps(text, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return json.dumps(text).encode()


def _speaks(text: str) -> bool:
    return "\\u00" in text or _NAME.search(text) is not None or _without(text, False) is not None


def _without(text: str, secret: bool) -> str | None:
    """A text without its secrets; None if it has none."""
    if secret:
        return MASK if text else None
    safe = without_secrets(text)
    return safe if safe != text else None


@dataclass(slots=True)
class _String:
    start: int
    end: int
    text: str
    secret: bool


@dataclass(slots=True)
class _Level:
    """An object or array that is being read."""

    object: bool
    secret: bool
    first: int
    """The index of the first string in the object or array."""
    next: str
    """The expected token: a name, a colon, a value or a comma."""
    name: str = ""
    pair: bool = False
    """True if a field says that the one called `value` is a secret."""
    values: tuple[int, int] = (0, 0)
    """The range of the strings that belong to the field `value`."""
    valued: bool = False
    key: _String | None = None
    """The string of the field `key`: a secret, unless there is a field `value`."""
    flag: bool = False
    """True if the previous item is an option that takes a secret."""
    count: int = 0


def _strings(text: str) -> list[_String]:
    """The string values of a JSON text. Raises ValueError for invalid JSON."""
    found: list[_String] = []
    levels = [_Level(False, False, 0, "value")]
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(at)
        at, level = match.end(), levels[-1]
        string, mark = match[1], match[2]
        if mark in {":", ","}:
            if level.next != mark or len(levels) == 1:
                raise ValueError(at)
            level.next = "value" if mark == ":" or not level.object else "name"
        elif mark in {"}", "]"}:
            if len(levels) == 1 or level.object != (mark == "}"):
                raise ValueError(at)
            levels.pop()
            _close(level, levels[-1], found)
            _end_value(levels[-1], found)
        elif string is not None and level.next == "name":
            level.name, level.next = json.loads(string, strict=False), ":"
            if level.name.lower() == "value":
                level.values = (len(found), len(found))
                level.valued = True
        elif level.next != "value":
            raise ValueError(at)
        elif mark is not None:
            secret = level.secret or (
                level.object
                and _NAME.search(level.name) is not None
                and not (_names(level) and level.name.lower() != "key")
            )
            levels.append(_Level(mark == "{", secret, len(found), "name" if mark == "{" else "value"))
        else:
            if string is not None:
                _take(
                    _String(match.start(1), match.end(1), json.loads(string, strict=False), level.secret), level, found
                )
            _end_value(level, found)
    if len(levels) > 1:
        raise ValueError(at)
    return found


def _names(level: _Level) -> bool:
    """Return whether the field describes a field `value` beside it. A field `key` is then a name and not a secret."""
    return level.name.lower() in _NAMING


def _take(string: _String, level: _Level, found: list[_String]) -> None:
    """Record a string value, and whether it marks others as secrets."""
    found.append(string)
    if level.object:
        speaks = _NAME.search(string.text) is not None
        if _names(level):
            level.pair = level.pair or speaks
            if level.name.lower() == "key":
                level.key, string.secret = string, True
        else:
            string.secret = string.secret or _NAME.search(level.name) is not None
        return
    string.secret = string.secret or (level.flag and not string.text.startswith("-"))
    level.flag = _OPTION.fullmatch(string.text) is not None


def _end_value(level: _Level, found: list[_String]) -> None:
    level.next = ","
    level.count += 1
    if level.object and level.name.lower() == "value":
        level.values = (level.values[0], len(found))


def _close(level: _Level, outer: _Level, found: list[_String]) -> None:
    """Mark the secrets that only the whole object or array reveals, such as the value of a pair."""
    if level.object:
        first, end = level.values if level.pair else (0, 0)
        if level.key is not None and level.valued:
            level.key.secret = level.secret
    else:
        pair = (
            level.count == 2 and not outer.object and len(found) > level.first and _NAME.search(found[level.first].text)
        )
        first, end = (level.first + 1, len(found)) if pair else (0, 0)
    for string in found[first:end]:
        string.secret = True
