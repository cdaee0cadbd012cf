"""The error of a response, read as peers write it: a code without a message, a number as a text, a bare sentence.

The law: what can be read is kept, and where anything had to be guessed all of the error is its ``data``.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Raw, Struct

from .errors import INTERNAL_ERROR, RequestError

__all__ = ["read_error"]


class _Error(Struct):
    """The error of a response as it stands on the wire."""

    code: int
    message: str
    data: Any = None


_KEPT = 1000
"""Characters of an error that is not valid JSON which are kept."""
_MALFORMED = "The peer answered with a malformed error"
_INTEGER = r"-?[0-9]{1,18}"
_OBJECT: type[Any] = dict  # typed as loosely, so that what it holds stays Any for type checkers
_errors = msgspec.json.Decoder(_Error)
_anything = msgspec.json.Decoder()


def read_error(raw: Raw) -> RequestError | None:
    """The error of a response; one that is not as JSON-RPC wants it is still an error."""
    if bytes(raw) == b"null":
        return None
    try:
        error = _errors.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return _imperfect(raw)
    return RequestError(error.code, error.message, error.data)


def _imperfect(raw: Raw) -> RequestError:
    """What can be read of an error; all of it is its ``data``."""
    try:
        value = _anything.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return RequestError(INTERNAL_ERROR, _MALFORMED, bytes(raw)[:_KEPT].decode(errors="replace"))
    members = value if isinstance(value, _OBJECT) else {"message": value}
    code, message = _code(members.get("code")), members.get("message")
    if not isinstance(message, str):
        message = RequestError.MESSAGES.get(code, _MALFORMED) if "code" in members else _MALFORMED
    return RequestError(code, message, value)


def _code(value: Any) -> int:
    """A code, however it is written; that of an internal error where it is none."""
    if isinstance(value, str) and re.fullmatch(_INTEGER, value):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if type(value) is int else INTERNAL_ERROR
