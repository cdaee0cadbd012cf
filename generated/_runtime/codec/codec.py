# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""JSON to typed objects and back.

The fast path is msgspec's own decoder. Only what it refuses is read again (`reading`), to say exactly where a fault is, and
in the lenient mode to apply what the schema says about bad values. A type that msgspec cannot decode (a marker) is
resolved there too.

    lenient (default)   tolerates what the schema tells receivers to tolerate; an unknown variant is an UnknownVariant
    strict              accepts what the schema accepts; an integer written 1.0 or 1e2 is refused in both modes
    keep_undeclared     reads all by the node table: members of records that the schema does not declare are kept, too
    lenient_enums       tolerates values that a closed enumeration does not have

Faults are `msgspec.ValidationError` (the value does not fit, with a `$.path`) or `msgspec.DecodeError` (no JSON).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import isfinite
from types import NoneType
from typing import Any, TypeVar, overload

import msgspec
from msgspec import DecodeError, Raw, Struct, UnsetType, ValidationError
from msgspec.structs import astuple

from ._base import Extensible, Marker, UnknownVariant
from .nodes import Record
from .reading import read_again, reader_of
from .scalars import STRICT, Fault, Reading
from .tables import is_named, table

__all__ = ["decode", "encode", "from_dict", "to_dict"]

T = TypeVar("T")


@overload
def decode(
    type: type[T],
    data: bytes | bytearray | memoryview | str,
    strict: bool = False,
    *,
    keep_undeclared: bool = False,
    lenient_enums: bool = False,
) -> T: ...
@overload
def decode(
    type: Any,
    data: bytes | bytearray | memoryview | str,
    strict: bool = False,
    *,
    keep_undeclared: bool = False,
    lenient_enums: bool = False,
) -> Any: ...
def decode(
    type: Any,
    data: bytes | bytearray | memoryview | str,
    strict: bool = False,
    # By name alone for type checkers: Python takes 20 ns to look up the default of such a parameter.
    keep_undeclared: bool = False,
    lenient_enums: bool = False,
) -> Any:
    """The value of `type`, a class or the alias of a union, that a JSON text holds.

    ``undeclared(record)`` gives what `keep_undeclared` kept, ``encode`` writes it back. `lenient_enums` lets values
    through that a closed enumeration does not have. Raises msgspec.ValidationError or msgspec.DecodeError.
    """
    try:
        return (AGAIN if keep_undeclared else DECODERS)[type](data)
    except REFUSALS as error:
        return _read_text(type, data, Reading(not strict, keep_undeclared, lenient_enums), error)


def decode_as(type: Any, data: bytes | Raw, how: Reading) -> Any:
    """As ``decode``, read in a way that was settled before."""
    try:
        return decoders(how)[type](data)
    except REFUSALS as error:
        return _read_text(type, data, how, error)


@overload
def from_dict(
    type: type[T], value: Any, strict: bool = False, *, keep_undeclared: bool = False, lenient_enums: bool = False
) -> T: ...
@overload
def from_dict(
    type: Any, value: Any, strict: bool = False, *, keep_undeclared: bool = False, lenient_enums: bool = False
) -> Any: ...
def from_dict(
    type: Any, value: Any, strict: bool = False, *, keep_undeclared: bool = False, lenient_enums: bool = False
) -> Any:
    """The value of `type` that parsed JSON (dicts, lists, strings, ...) holds. Raises msgspec.ValidationError."""
    try:
        if keep_undeclared and is_named(type):
            return _untrusted(value)
        return _convert(value, _checked(type), dec_hook=_resolve_marker)
    except (ValidationError, Fault, RecursionError) as error:
        return read_again(type, value, Reading(not strict, keep_undeclared, lenient_enums), error)


def encode(instance: Any) -> bytes:
    """The JSON text of an instance. Raises ValueError for what JSON cannot hold: NaN, infinities, lone surrogates."""
    try:
        data = _encode(instance)
    except RecursionError:
        raise ValueError("the value is nested too deeply, or contains itself") from None
    # msgspec writes a number that is not finite as null: only where a null was written can there have been one.
    # From the right four bytes are read at a time, from the left nearly each of them; `rpartition` is called sooner than `rfind`.
    if (len(data) > _LONG or data.rpartition(b"null")[1]) and _holds_non_finite(instance, data):
        raise ValueError("NaN and infinities cannot be written as JSON")
    return data


def to_dict(instance: Any) -> Any:
    """An instance as plain JSON values; properties that were never set are left out."""
    return msgspec.to_builtins(instance, enc_hook=_to_plain)


# --- the fast path --------------------------------------------------------------------------------------------------


def _to_plain(value: Any) -> Any:
    if isinstance(value, UnknownVariant):
        return value.raw
    if isinstance(value, Extensible):
        return value.to_wire()
    raise NotImplementedError(f"{type(value).__name__} cannot be written as JSON")


_encode = msgspec.json.Encoder(enc_hook=_to_plain).encode
_convert = msgspec.convert


def _resolve_marker(type: Any, value: Any) -> Any:
    return reader_of(type)(value, STRICT)


def _untrusted(_: object) -> Any:
    """Stands in for the decoder of a class that msgspec alone would read too generously."""
    raise Fault("read by the node table")


class _Decoders(dict[Any, Callable[[Any], Any]]):
    """Types to msgspec's decoders of them, made when first asked for."""

    def __missing__(self, type: Any) -> Callable[[Any], Any]:
        checked = _checked(type)
        decode = _untrusted if checked is _Refused else msgspec.json.Decoder(checked, dec_hook=_resolve_marker).decode
        self[type] = decode
        return decode


DECODERS = _Decoders()
"""The functions that ``decode`` tries first."""


class _Again(dict[Any, Callable[[Any], Any]]):
    """In the place of decoders where undeclared members are kept: of types of this package all is read by the node table."""

    def __missing__(self, type: Any) -> Callable[[Any], Any]:
        self[type] = found = _untrusted if is_named(type) else DECODERS[type]
        return found


AGAIN = _Again()
REFUSALS = (DecodeError, Fault, UnicodeDecodeError, RecursionError)
"""What they raise where ``decode`` reads again."""


def decoders(how: Reading) -> Mapping[Any, Callable[[Any], Any]]:
    """The functions that are tried first where messages are read in this way; what they refuse is for ``decode_as``."""
    return AGAIN if how.keep_undeclared else DECODERS


class _Refused(metaclass=Marker):
    """A marker that is never resolved: sends `from_dict` to the node table."""


@lru_cache(maxsize=1024)
def _checked(type: Any) -> Any:
    """The type msgspec may decode; a class whose own definition requires its tag is left to the node table."""
    if getattr(type, "__struct_config__", None) is not None and type.__struct_config__.tag is not None:
        node = table().get(type.__name__)
        if isinstance(node, Record) and node.tagged:
            return _Refused
    return type


# --- numbers that JSON cannot hold -----------------------------------------------------------------------------------

# Typed as loosely, so that what they hold stays Any for type checkers. Below, `__class__` is asked for the same reason.
_OBJECT: type[Any] = dict
_ARRAYS: tuple[type[Any], ...] = (list, tuple)
_SINGLE: frozenset[type[Any]] = frozenset((str, int, bool, NoneType, UnsetType))
_LONG = 1 << 16
"""Bytes from which on an instance is searched before its text is: long messages tend to be few long strings."""
_BYTES_A_VALUE = 1024
"""Bytes that can be searched in the time that looking into one object or array takes."""


def _holds_non_finite(instance: Any, data: bytes) -> bool:
    if len(data) > _LONG:
        found = _search_non_finite(instance, len(data) // _BYTES_A_VALUE)
        if found is not None or data.rfind(b"null") < 0:
            return bool(found)
    return _search_non_finite(instance, len(data)) is True


def _search_non_finite(instance: Any, at_most: int) -> bool | None:
    """Whether an instance holds NaN or an infinity; None where more than so many objects and arrays would have to be looked at."""
    stack = [instance]
    for value in stack:
        if isinstance(value, float):
            if not isfinite(value):
                return True
            continue
        if isinstance(value, Struct):
            inside: Iterable[Any] = astuple(value)
        elif isinstance(value, _OBJECT):
            inside = value.values()
        elif isinstance(value, _ARRAYS):
            inside = value
        elif isinstance(value, (UnknownVariant, Extensible)):
            inside = (_to_plain(value),)
        else:
            continue
        stack += [each for each in inside if each.__class__ not in _SINGLE]
        if len(stack) > at_most:
            return None
    return False


# --- texts that msgspec refuses --------------------------------------------------------------------------------------

_ESCAPE = rb"(?s)\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\."
"""Compiled, as every pattern here, when something is wrong for the first time: programs start without."""


def repair_surrogates(data: bytes) -> bytes:
    """The JSON text with every escape of half a surrogate pair replaced by that of U+FFFD."""
    return re.sub(_ESCAPE, lambda m: rb"\ufffd" if m[0][1:2] == b"u" and len(m[0]) == 6 else m[0], data)


def _parse(data: bytes | bytearray | memoryview) -> Any:
    try:
        return msgspec.json.decode(data)
    except UnicodeDecodeError:
        raise DecodeError("Input is not valid UTF-8") from None
    except RecursionError:
        raise DecodeError("JSON is nested too deeply") from None


def _read_text(
    type: Any, data: bytes | bytearray | memoryview | str | Raw, how: Reading, fast_error: BaseException
) -> Any:
    try:
        return _read_once_more(type, data, how, fast_error)
    except UnicodeDecodeError as error:
        raise DecodeError(f"JSON is malformed: invalid UTF-8 (byte {error.object[error.start]:#04x})") from None


def _read_once_more(
    type: Any, data: bytes | bytearray | memoryview | str | Raw, how: Reading, fast_error: BaseException
) -> Any:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        value = _parse(raw)
    except DecodeError:
        repaired = repair_surrogates(bytes(raw))
        if repaired == raw:
            raise
        try:
            return decoders(how)[type](repaired)
        except (DecodeError, Fault, RecursionError) as error:
            fast_error = error
        value = _parse(repaired)
    return read_again(type, value, how, fast_error)
