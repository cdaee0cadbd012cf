"""The error codes that a schema lists, with their Python names.

The protocol's error codes are the enumerations that contain all of JSON-RPC's own codes. An extension adds an error
code by adding a constant there.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from .. import diagnostics
from ..contracts import MESSAGES, RequestError
from ..model.naming.leaves import ShapeError
from ..model.naming.wire_names import NameError_, snake
from ..model.nodes.types import Enumeration, Schema, Value

_TAKEN: Final = frozenset(dir(RequestError))


class ErrorCode(Struct, frozen=True):
    """A protocol-specific error code: its Python name (None without a title), its message and its meaning."""

    code: int
    name: str | None
    message: str
    description: str
    pointer: str


def error_codes(schema: Schema) -> tuple[ErrorCode, ...]:
    """The error codes that the schema adds to JSON-RPC's own, in order. Raises ShapeError."""
    found: dict[int, ErrorCode] = {}
    names: dict[str, int] = {}
    for value in _values(schema):
        code = value.constant
        if not isinstance(code, int) or code in found or code in MESSAGES:
            continue
        name = _name(value)
        if name is not None and (name in _TAKEN or name.upper() in _TAKEN or names.setdefault(name, code) != code):
            problem = f"the error code {code} would be `{name}` in Python, but `RequestError` already has this name"
            raise ShapeError(value.pointer, problem, diagnostics.COLLISION)
        text = value.description or ""
        found[code] = ErrorCode(code, name, value.title or text.partition(".")[0] or "Error", text, value.pointer)
    return tuple(found.values())


def _values(schema: Schema) -> list[Value]:
    lists = [d.type.values for d in schema.definitions.values() if isinstance(d.type, Enumeration)]
    return [value for values in lists if MESSAGES.keys() <= {each.constant for each in values} for value in values]


def _name(value: Value) -> str | None:
    text = value.name or value.title
    if text is None:
        return None
    try:
        return snake(text)
    except NameError_ as error:
        raise ShapeError(value.pointer, f"the name of the error code {value.constant} {error}", error.fault) from None
