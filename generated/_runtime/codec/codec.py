# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Encoding and decoding of models, and typed access to `_meta`.

msgspec's decoder reads a message first. If it rejects the message, `readers` read it again: they locate the error and,
in lenient mode, apply the schema's rules for bad values. They also resolve types that msgspec cannot decode (markers).

    lenient (default)   accepts bad values as far as the schema allows; an unknown variant becomes an UnknownVariant
    strict              accepts exactly the values that the schema accepts
    keep_undeclared     uses only the node tables, and keeps properties that the schema does not declare
    lenient_enums       accepts values that a closed enumeration does not list

Both modes reject an integer that is written as 1.0 or 1e2. Errors are `msgspec.ValidationError` for a value that does
not conform, with a `$.path`, or `msgspec.DecodeError` for invalid JSON.

`meta` decodes a vendor's value only on request, so an invalid value of one vendor does not affect others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from types import NoneType
from typing import Any, TypeVar, cast, overload

import msgspec
from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType, ValidationError
from msgspec.structs import astuple

from ..schema.definitions import Extensible, Record, UnknownVariant
from ..schema.registry import is_named, tables_of
from .readers import read_again, reader_of
from .values import STRICT, Fault, Reading

T = TypeVar("T")
Absent = TypeVar("Absent", bound=UnsetType | None)

_convert = msgspec.convert
REFUSALS = (DecodeError, Fault, UnicodeDecodeError, RecursionError)
"""Errors after which ``decode`` tries the slower decoder."""
# Typed as loosely, so that what they hold stays Any for type checkers. Below, `__class__` is asked for the same reason.
_OBJECT: type[Any] = dict
_ARRAYS: tuple[type[Any], ...] = (list, tuple)
_SINGLE: frozenset[type[Any]] = frozenset((str, int, bool, NoneType, UnsetType))
_LONG = 1 << 16
"""Above this many bytes, search the object instead of its text. Long messages tend to be a few long strings."""
_BYTES_A_VALUE = 1024
"""Bytes of text that can be searched in the time of one object or array."""
_ESCAPE = rb"(?s)\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\."
"""An escaped unpaired surrogate. Patterns are compiled at their first use, so programs start without them."""


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
    """Decode JSON text as a value of `type`, a class or the alias of a union.

    `keep_undeclared` keeps undeclared fields: ``undeclared(record)`` returns them, ``encode`` writes them back.
    `lenient_enums` accepts values that a closed enumeration does not list. Raises msgspec.ValidationError or
    msgspec.DecodeError.
    """
    try:
        return (_KEEPING_DECODERS if keep_undeclared else DECODERS)[type](data)
    except REFUSALS as error:
        return _read_text(type, data, Reading(not strict, keep_undeclared, lenient_enums), error)


def decode_as(type: Any, data: bytes | Raw, how: Reading) -> Any:
    """Decode like ``decode``, with resolved options."""
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
    """Convert parsed JSON (dicts, lists, strings, ...) to a value of `type`. Raises msgspec.ValidationError."""
    try:
        if _requires_tag(type) or (keep_undeclared and is_named(type)):
            return _untrusted(value)
        return _convert(value, type, dec_hook=_resolve_marker)
    except (ValidationError, Fault, RecursionError) as error:
        return read_again(type, value, Reading(not strict, keep_undeclared, lenient_enums), error)


def encode(instance: Any) -> bytes:
    """Encode an instance as JSON text. Raises ValueError for NaN, infinities and unpaired surrogates."""
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
    """Convert an instance to plain JSON values. Properties that were never set are omitted."""
    return msgspec.to_builtins(instance, enc_hook=to_plain)


# --- the fast path --------------------------------------------------------------------------------------------------


def to_plain(value: Any) -> Any:
    """Convert a value that msgspec cannot write by itself."""
    if isinstance(value, UnknownVariant):
        return value.raw
    if isinstance(value, Extensible):
        return value.to_wire()
    raise NotImplementedError(f"{type(value).__name__} cannot be written as JSON")


_encode = msgspec.json.Encoder(enc_hook=to_plain).encode


def _resolve_marker(type: Any, value: Any) -> Any:
    return reader_of(type)(value, STRICT)


def _untrusted(_: object) -> Any:
    """Reject every value. Stands in for msgspec's decoder where msgspec would read too leniently."""
    raise Fault("read by the node table")


class _Decoders(dict[Any, Callable[[Any], Any]]):
    """Maps types to msgspec's decoders. A decoder is made at its first use.

    With `keep_undeclared`, the node table reads all types of this package, because msgspec would drop undeclared
    fields.
    """

    def __init__(self, keep_undeclared: bool) -> None:
        self._keep_undeclared = keep_undeclared

    def __missing__(self, type: Any) -> Callable[[Any], Any]:
        untrusted = _requires_tag(type) or (self._keep_undeclared and is_named(type))
        self[type] = decode = _untrusted if untrusted else msgspec.json.Decoder(type, dec_hook=_resolve_marker).decode
        return decode


DECODERS = _Decoders(keep_undeclared=False)
"""The decoders that ``decode`` tries first."""
_KEEPING_DECODERS = _Decoders(keep_undeclared=True)


def decoders(how: Reading) -> Mapping[Any, Callable[[Any], Any]]:
    """The decoders to try first with these options. ``decode_as`` reads the messages that they reject."""
    return _KEEPING_DECODERS if how.keep_undeclared else DECODERS


@lru_cache(maxsize=1024)
def _requires_tag(type: Any) -> bool:
    """Return whether a class's definition requires its tag. msgspec does not require tags, so the node table reads such
    classes.
    """
    if getattr(type, "__struct_config__", None) is None or type.__struct_config__.tag is None:
        return False
    try:
        node = tables_of(type).nodes[type.__name__]
    except KeyError:
        return False
    return isinstance(node, Record) and node.tagged


# --- numbers that JSON cannot hold -----------------------------------------------------------------------------------


def _holds_non_finite(instance: Any, data: bytes) -> bool:
    if len(data) > _LONG:
        found = _search_non_finite(instance, len(data) // _BYTES_A_VALUE)
        if found is not None or data.rfind(b"null") < 0:
            return bool(found)
    return _search_non_finite(instance, len(data)) is True


def _search_non_finite(instance: Any, at_most: int) -> bool | None:
    """Return whether an instance contains NaN or an infinity; None if the search exceeds `at_most` objects and
    arrays.
    """
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
            inside = (to_plain(value),)
        else:
            continue
        stack += [each for each in inside if each.__class__ not in _SINGLE]
        if len(stack) > at_most:
            return None
    return False


# --- texts that msgspec refuses --------------------------------------------------------------------------------------


def repair_surrogates(data: bytes) -> bytes:
    """Replace every escape of an unpaired surrogate in JSON text by the escape of U+FFFD."""
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
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        value = _parse(raw)
    except DecodeError:
        repaired = repair_surrogates(bytes(raw))
        if repaired == raw:
            raise
        try:
            return decoders(how)[type](repaired)
        except REFUSALS as error:
            fast_error = error
        value = _parse(repaired)
    return read_again(type, value, how, fast_error)


@overload
def listed(items: Sequence[T]) -> list[T]: ...
@overload
def listed(items: Absent) -> Absent: ...
def listed(items: Sequence[T] | UnsetType | None) -> list[T] | UnsetType | None:
    """Convert several items to a list. UNSET, null, strings and objects are returned unchanged."""
    if items is UNSET or items.__class__ is list or isinstance(items, (str, bytes)) or not isinstance(items, Iterable):
        return cast("list[T] | UnsetType | None", items)
    return list(items)


def meta(holder: Any, type: type[T], key: str | None = None) -> T | None:
    """Read a vendor's value of `type` from a record's `meta` or from a dict; None if it is absent.

    `key` is needed only if the schema declares several keys for the type, or none. Raises msgspec.ValidationError for
    an invalid value, unless the schema says that a bad value counts as absent.
    """
    held: Any = cast("Any", holder) if isinstance(holder, Mapping) else getattr(holder, "meta", UNSET)
    if held is UNSET or held is None:
        return None
    keys: Mapping[str, bool] = tables_of(type).meta.get(type.__name__, {}) if is_named(type) else {}
    if key is None:
        if len(keys) != 1:
            known = ", ".join(sorted(keys)) or "none"
            raise TypeError(f"name the key of {type.__name__} in `_meta`; the schema knows {known}")
        (key,) = keys
    value = cast("Mapping[str, Any]", held).get(key)
    if value is None or isinstance(value, type):
        return value
    try:
        return from_dict(type, value)
    except ValidationError as error:
        if keys.get(key, False):
            return None
        raise ValidationError(f"{error} (under {key!r} in `_meta`)") from None
