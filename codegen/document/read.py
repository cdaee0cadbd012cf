"""Reads JSON. A `Document` holds the value and knows where in the text each of its nodes is.

Reading is strict: UTF-8, no duplicate keys, no NaN, nothing that cannot be written back. Places are looked up
only to report something, so a run without findings does not pay for them.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from .. import faults
from ..deadline import working_at
from ..errors import Fault, InputError, SchemaError, quoted
from ..limits import DEPTH, FILE, SCHEMA, Limit
from .jsonvalue import is_json_array, is_json_object
from .textindex import index_of, lines_of

_CHECKED: tuple[type, ...] = (str, float, dict, list)

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_FINITE = "write a number that a double holds; leave out a bound that is there only to have one"
_SURROGATE = "write the character itself, or both halves of its escape"
_SCALAR = re.compile(rb'"(?:[^"\\]|\\.)*"|[-+.\w]+', re.DOTALL)


@dataclass(frozen=True)
class Document:
    """A JSON document: its name for messages, its text and its value."""

    name: str
    text: bytes
    value: Any

    def locate(self, pointer: str, *, key: bool = False) -> tuple[int, int]:
        """Line and column (both from 1, in characters) of the node at a JSON pointer, or of its key in the parent."""
        return lines_of(self.text).at(index_of(self.text).offset(pointer_parts(pointer), key=key))

    def place(self, pointer: str, *, key: bool = False) -> tuple[str, int, int]:
        """File, line and column of the node at a pointer, or of its key."""
        return (self.name, *self.locate(pointer, key=key))

    def error(self, pointer: str, problem: str, fault: Fault, *, key: bool = False, instead: str = "") -> SchemaError:
        """The error to raise for a fault at a pointer; `instead`: more specific advice than that of the fault."""
        line, column = self.locate(pointer, key=key)
        return SchemaError(self.name, line, column, pointer, problem, fault, instead)

    def over(self, pointer: str, limit: Limit, *, key: bool = False) -> SchemaError:
        """The error to raise for what exceeds a limit at a pointer."""
        return self.error(pointer, limit.problem, faults.TOO_MUCH, key=key, instead=limit.instead)


def read(path: str | Path) -> Document:
    """The document in a file; raises InputError or SchemaError."""
    return parse(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """A file's bytes; raises InputError beyond the limit."""
    try:
        with open(path, "rb") as file:
            data = file.read(FILE.most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(str(path), f"cannot be read: {reason}") from None
    if len(data) > FILE.most:
        raise InputError(str(path), f"{FILE.problem}; {FILE.instead}")
    return data


def parse(data: bytes, name: str) -> Document:
    """The document in a text; raises SchemaError."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]

    working_at(name)

    def fail(
        offset: int, problem: str, fault: Fault = faults.NOT_JSON, *, at: str | None = None, way: str = ""
    ) -> NoReturn:
        raise SchemaError(name, *lines_of(data).at(offset), at, problem, fault, way) from None

    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        fail(error.start, f"byte 0x{data[error.start]:02x} is not UTF-8", way="save the file as UTF-8")
    if len(data) > SCHEMA.most:
        fail(SCHEMA.most, SCHEMA.problem, faults.TOO_MUCH, way=SCHEMA.instead)
    if not text.strip():
        fail(0, "the file is empty; expected a JSON object", way='begin with {"$defs": {}}')
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        offset, instead = _closer(data, len(text[: error.pos].encode()))
        fail(offset, f"not JSON: {error.msg.removesuffix(' at')}", way=instead)
    except RecursionError:
        fail(_too_deep(data), DEPTH.problem, faults.TOO_DEEP)
    except _DuplicateKeyError as error:
        index, problem = index_of(data), f"the key {quoted(error.key)} appears twice in one object"
        second = index.second_key(error.key)
        fail(second, problem, faults.DUPLICATE_KEY, at=join("", *index.path_of(second), error.key))
    except _ConstantError as error:
        constant = error.name.encode()
        fail(_first(data, lambda token: token == constant), f"{error.name} is not JSON", way="write a number, or null")
    except ValueError:
        longest = sys.get_int_max_str_digits()
        fail(
            _first(data, lambda token: len(token.lstrip(b"-")) > longest and token.lstrip(b"-").isdigit()),
            "an integer with too many digits",
            way=_FINITE,
        )
    document = Document(name, data, value)
    _check_values(document)
    return document


def pointer_parts(pointer: str) -> list[str]:
    """The unescaped steps of a JSON pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def join(pointer: str, *steps: str | int) -> str:
    """A pointer extended by some steps."""
    return pointer + "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def _closer(data: bytes, offset: int) -> tuple[int, str]:
    """The real place of a syntax error, and advice for the most common mistakes."""
    before = data[:offset].rstrip()
    if data[offset : offset + 7] in (b"<<<<<<<", b"=======", b">>>>>>>"):
        return offset, "resolve the merge conflict"
    match data[offset : offset + 1]:
        case b"]" | b"}" if before.endswith(b","):
            return len(before) - 1, "remove the comma: nothing follows it"
        case b'"' | b"{" | b"[" if before and before[-1:] not in b",:[{":
            return offset, "put a comma between the two"
        case b"/" | b"#":
            return offset, "JSON has no comments: say it in `description` or `$comment`"
        case b"'":
            return offset, "JSON has double quotes only"
        case b"\t" | b"\n":
            return offset, "inside a string write \\t or \\n, and close it on its line"
        case b"":
            return offset, "close what was opened: the text ends too early"
        case b",":
            return offset, "remove the comma, or write what was to be before it"
        case _:
            return offset, ""


class _DuplicateKeyError(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


class _ConstantError(Exception):
    def __init__(self, name: str) -> None:
        self.name = name


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKeyError(key)
            seen.add(key)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise _ConstantError(name)


def _check_values(document: Document) -> None:
    """Refuse what parses but cannot be handled or written back: deep nesting, infinities, unpaired surrogates."""
    stack: list[tuple[Any, str, int]] = [(document.value, "", 1)]
    while stack:
        node, pointer, depth = stack.pop()
        if isinstance(node, str):
            if not node.isascii() and any("\ud800" <= c <= "\udfff" for c in node):
                raise document.error(pointer, "an unpaired surrogate", faults.NOT_JSON, instead=_SURROGATE)
        elif isinstance(node, float):
            if not math.isfinite(node):
                raise document.error(pointer, "the number is out of range", faults.NOT_JSON, instead=_FINITE)
        elif is_json_object(node) or is_json_array(node):
            if depth > DEPTH.most:
                raise SchemaError(
                    document.name,
                    *lines_of(document.text).at(_too_deep(document.text)),
                    None,
                    DEPTH.problem,
                    faults.TOO_DEEP,
                )
            items: Any = node.items() if is_json_object(node) else enumerate(node)
            for key, child in items:
                if isinstance(key, str) and any("\ud800" <= c <= "\udfff" for c in key):
                    raise document.error(
                        pointer,
                        "a key contains an unpaired surrogate, which is not text",
                        faults.NOT_JSON,
                        instead=_SURROGATE,
                    )
                if isinstance(child, _CHECKED):
                    stack.append((child, join(pointer, key), depth + 1))


def _first(data: bytes, wanted: Callable[[bytes], bool]) -> int:
    """The place of the first number or word of a kind outside of strings."""
    return next((token.start() for token in _SCALAR.finditer(data) if wanted(token[0])), 0)


def _too_deep(data: bytes) -> int:
    """The place where nesting first exceeds the limit."""
    depth = 0
    for token in _TOKEN.finditer(data):
        char = token[0]
        if char in b"[{":
            depth += 1
            if depth > DEPTH.most:
                return token.start()
        elif char in b"]}":
            depth -= 1
    return 0
