"""Params and results between their bytes and their types: what is left out, what is null, what does not fit.

params left out              are an empty object
params that do not fit       RequestError, which names the path of the fault
a result that is null        is an empty object, where nothing is required
a result that does not fit   InvalidResponse
"""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ._base import Method
from .codec import decode, decode_as
from .errors import InvalidResponse, RequestError
from .scalars import LENIENT, Reading

__all__ = ["decode_plain", "empty_result", "params_of", "result_read_again", "session_attribute"]


def result_read_again(method: Method, raw: Raw, how: Reading) -> Any:
    """What a call returns, where the first reading refused it."""
    try:
        return decode_as(method.result, raw, how)
    except msgspec.DecodeError as error:
        if bytes(raw) == b"null":
            with contextlib.suppress(msgspec.DecodeError):
                return decode_as(method.result, b"{}", how)
        raise InvalidResponse.misfit(method.method, error, bytes(raw)) from error
    except RecursionError as error:
        raise InvalidResponse(method.method, "nested too deeply", bytes(raw)) from error


def decode_plain(method: str, raw: Raw) -> Any:
    """What a call returns whose result has no type, as plain JSON."""
    try:
        return decode(Any, raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidResponse.misfit(method, error, bytes(raw)) from error


def empty_result(method: Method) -> bytes:
    """The result of a handler that returned None."""
    for empty in (b"null", b"{}"):
        with contextlib.suppress(msgspec.DecodeError):
            decode(method.result, empty)
            return empty
    raise TypeError(f"the handler {method.python_name} returned None, its result has required members")


def params_of(kind: Any, raw: Raw | UnsetType, how: Reading = LENIENT) -> Any:
    """Params of a message; left out they are an empty object."""
    try:
        return decode_as(kind, b"{}" if raw is UNSET else raw, how)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RequestError.misfit(error) from error


def session_attribute(record: Any, wire_name: str | None) -> str | None:
    """The attribute of a record for the property of that name; None where it has none, or is not a record."""
    if not (isinstance(record, type) and issubclass(record, msgspec.Struct)):
        return None
    names = dict(zip(record.__struct_encode_fields__, record.__struct_fields__, strict=True))
    return names.get(wire_name or "")
