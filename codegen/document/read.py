"""Read JSON documents. A `Document` holds the value and finds each of its nodes in the text.

Reading is strict: it rejects invalid UTF-8, duplicate keys, NaN, and values that cannot be written back. Positions are
computed only for findings, so a run without findings does not pay for them.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from .. import diagnostics
from ..errors import Fault, InputError, SchemaError, quoted
from ..limits import DEPTH, FILE, SCHEMA, Limit
from ..time_limit import working_at
from .json_parser import ConstantError, refuse_constant
from .json_types import is_json_array, is_json_object
from .positions import first_token, index_of, lines_of, too_deep

_FINITE = "write a number that fits a double, or remove an unnecessary bound"
_SURROGATE = "write the character itself, or both halves of its escape"


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
        """The error to raise for a fault at a pointer; `instead`: more specific advice than the fault's."""
        line, column = self.locate(pointer, key=key)
        return SchemaError(self.name, line, column, pointer, problem, fault, instead)

    def over(self, pointer: str, limit: Limit, *, key: bool = False) -> SchemaError:
        """The error to raise for exceeding a limit at a pointer."""
        return self.error(pointer, limit.problem, diagnostics.TOO_MUCH, key=key, instead=limit.instead)


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
        offset: int, problem: str, fault: Fault = diagnostics.NOT_JSON, *, at: str | None = None, way: str = ""
    ) -> NoReturn:
        raise SchemaError(name, *lines_of(data).at(offset), at, problem, fault, way) from None

    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        fail(error.start, f"byte 0x{data[error.start]:02x} is not UTF-8", way="save the file as UTF-8")
    if len(data) > SCHEMA.most:
        fail(SCHEMA.most, SCHEMA.problem, diagnostics.TOO_MUCH, way=SCHEMA.instead)
    if not text.strip():
        fail(0, "the file is empty; expected a JSON object", way='begin with {"$defs": {}}')
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        offset, instead = _closer(data, len(text[: error.pos].encode()))
        fail(offset, f"not JSON: {error.msg.removesuffix(' at')}", way=instead)
    except RecursionError:
        fail(too_deep(data, DEPTH.most), DEPTH.problem, diagnostics.TOO_DEEP)
    except _DuplicateKeyError as error:
        index, problem = index_of(data), f"the key {quoted(error.key)} appears twice in one object"
        second = index.second_key(error.key)
        fail(second, problem, diagnostics.DUPLICATE_KEY, at=join("", *index.path_of(second), error.key))
    except ConstantError as error:
        constant = error.name.encode()
        fail(
            first_token(data, lambda token: token == constant),
            f"{error.name} is not JSON",
            way="write a number, or null",
        )
    except ValueError:
        longest = sys.get_int_max_str_digits()
        fail(
            first_token(data, lambda token: len(token.lstrip(b"-")) > longest and token.lstrip(b"-").isdigit()),
            "an integer with too many digits",
            way=_FINITE,
        )
    document = Document(name, data, value)
    _check_values(document)
    return document


def pointer_parts(pointer: str) -> list[str]:
    """The unescaped steps of a JSON pointer."""
    parts = pointer.split("/")[1:]
    return [part.replace("~1", "/").replace("~0", "~") for part in parts] if "~" in pointer else parts


def join(pointer: str, *steps: str | int) -> str:
    """A pointer extended by some steps."""
    return pointer + "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def definition_in(pointer: str) -> str:
    """The definition that a pointer leads into; empty if it leads elsewhere."""
    steps = pointer_parts(pointer)
    return steps[1] if len(steps) > 1 and steps[0] == "$defs" else ""


def _closer(data: bytes, offset: int) -> tuple[int, str]:
    """The exact place of a syntax error, and advice for the most common mistakes."""
    before = data[:offset].rstrip()
    if data[offset : offset + 7] in (b"<<<<<<<", b"=======", b">>>>>>>"):
        return offset, "resolve the merge conflict"
    match data[offset : offset + 1]:
        case b"]" | b"}" if before.endswith(b","):
            return len(before) - 1, "remove the trailing comma"
        case b'"' | b"{" | b"[" if before and before[-1:] not in b",:[{":
            return offset, "insert a comma between the two"
        case b"/" | b"#":
            return offset, "JSON has no comments: use `description` or `$comment`"
        case b"'":
            return offset, "JSON strings need double quotes"
        case b"\t" | b"\n":
            return offset, "write \\t or \\n inside the string, and close the string on the same line"
        case b"":
            return offset, "the text ends too early: close all brackets"
        case b",":
            return offset, "remove the comma, or add the missing value before it"
        case _:
            return offset, ""


class _DuplicateKeyError(Exception):
    def __init__(self, key: str) -> None:
        self.key = key


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKeyError(key)
            seen.add(key)
    return value


def _check_values(document: Document) -> None:
    """Reject values that parse but cannot be handled or written back: deep nesting, infinities, unpaired surrogates."""
    for part, steps in located(document.value):
        if isinstance(part, str):
            if _is_cut(part):
                raise document.error(
                    join("", *steps), "an unpaired surrogate", diagnostics.NOT_JSON, instead=_SURROGATE
                )
        elif isinstance(part, float):
            if not math.isfinite(part):
                problem = "the number is out of range"
                raise document.error(join("", *steps), problem, diagnostics.NOT_JSON, instead=_FINITE)
        elif len(steps) >= DEPTH.most and isinstance(part, (dict, list)):
            place = lines_of(document.text).at(too_deep(document.text, DEPTH.most))
            raise SchemaError(document.name, *place, None, DEPTH.problem, diagnostics.TOO_DEEP)
        elif is_json_object(part) and any(map(_is_cut, part)):
            problem = "a key contains an unpaired surrogate"
            raise document.error(join("", *steps), problem, diagnostics.NOT_JSON, instead=_SURROGATE)


def _is_cut(text: str) -> bool:
    """Return whether a text contains an unpaired surrogate."""
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)


def located(value: Any) -> Iterator[tuple[Any, tuple[str | int, ...]]]:
    """A JSON value and all nested values, each with its path. Outer values come first, later siblings before earlier
    ones.
    """
    stack: list[tuple[Any, tuple[str | int, ...]]] = [(value, ())]
    while stack:
        part, steps = stack.pop()
        yield part, steps
        if is_json_object(part):
            stack += [(child, (*steps, name)) for name, child in part.items()]
        elif is_json_array(part):
            stack += [(child, (*steps, index)) for index, child in enumerate(part)]
