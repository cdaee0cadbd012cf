# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Recovery from malformed messages: the parts of a message or an error that can still be read.

``Outline`` contains the readable fields of a malformed frame: id, method and outcome. A call must end even if its
response cannot be read. The id is therefore searched in JSON that is not a message, in text that is not valid JSON,
and in both ends of a frame that was too long to be kept. A text counts as a response only if it has a result or an
error at its top level.

``read_error`` reads an error response that deviates from JSON-RPC: a code without a message, a number as a string, a
bare sentence. If anything had to be guessed, ``data`` contains the whole error.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ..errors import INTERNAL_ERROR, RequestError

Id = int | str | None

EDGE = 4096
"""Bytes that are searched at each end of a frame that is not valid JSON or was not kept."""

_anything = msgspec.json.Decoder()
_TOKENS = rb'(?s)"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s"{}\[\],:]+'
_LAST_ID = rb'(?s)[,{]\s*"id"\s*:\s*(-?\d{1,20}|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z'
_KEPT = 1000
"""Maximum characters of an invalid error that are kept."""
_MALFORMED = "The peer answered with a malformed error"
_INTEGER = r"-?[0-9]{1,18}"
_OBJECT: type[Any] = dict  # typed as loosely, so that what it holds stays Any for type checkers


class Outline(Struct, frozen=True):
    """The fields that identify a frame. Absent or unreadable fields are UNSET."""

    id: Id | UnsetType = UNSET
    asks: bool = False
    """True if it has a method or params, so it is not a response."""
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET
    whole: bool = False
    """True if the whole frame is known; otherwise it may have further fields."""
    flaw: str = ""
    """The reason why it is not a message, if one of these fields or the version is invalid."""

    @property
    def answers(self) -> bool:
        """Return whether it is meant to be a response."""
        return not self.asks and (self.result is not UNSET or self.error is not UNSET)

    @property
    def ends(self) -> Id | UnsetType:
        """The id of the request that it answers; UNSET if it may not be a response."""
        return self.id if self.answers or (self.whole and not self.asks) else UNSET


class _Loose(Struct, gc=False):
    """The fields of a message with any types."""

    jsonrpc: Raw | UnsetType = UNSET
    id: Raw | UnsetType = UNSET
    method: Raw | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


_loose = msgspec.json.Decoder(_Loose)


def of_json(frame: bytes | Raw) -> Outline | None:
    """The outline of a JSON frame; None if it is not a JSON object."""
    try:
        members = _loose.decode(frame)
    except (msgspec.DecodeError, RecursionError):
        return None
    id, flaw = _id(members.id), _flaw(members.jsonrpc)
    if id is not UNSET and not isinstance(_value(members.id), int | str | None):
        flaw = flaw or f"its id is {bytes(members.id or b'').decode()}"
    # Some peers write every member that a message may have: null is none.
    error = UNSET if members.result is not UNSET and _absent(members.error) else members.error
    told = members.result is not UNSET or error is not UNSET
    asks = not _absent(members.method) or not (told or _absent(members.params))
    return Outline(id, asks, members.result, error, True, flaw)


def _flaw(version: Raw | UnsetType) -> str:
    if version is UNSET:
        return "it names no version of JSON-RPC"
    return (
        "" if _value(version) == "2.0" else f"its version of JSON-RPC is {bytes(version)[:40].decode(errors='replace')}"
    )


def _absent(raw: Raw | UnsetType) -> bool:
    return raw is UNSET or bytes(raw) == b"null"


def _id(raw: Raw | UnsetType) -> Id | UnsetType:
    """Read an id. A number without a fraction is an integer, whatever its notation."""
    value = _value(raw)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if (value is None or isinstance(value, int | str)) and not isinstance(value, bool) else UNSET


def _value(raw: bytes | Raw | UnsetType) -> Any:
    if raw is UNSET:
        return UNSET
    try:
        return _anything.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return UNSET


def of_ends(head: bytes, tail: bytes = b"") -> Outline:
    """The outline of a text that is not valid JSON, or of both ends of a long frame."""
    members = _top_level(head)
    asks = b'"method"' in members or b'"params"' in members
    # What is behind the edge is not known, the first token of a value will do for what is asked here.
    result, error = (UNSET if (raw := members.get(name)) is None else Raw(raw) for name in (b'"result"', b'"error"'))
    id = _id(Raw(members.get(b'"id"', b"?")))
    if id is UNSET and (last := re.search(_LAST_ID, tail)):
        id = _id(Raw(last[1]))
    return Outline(id, asks, result, error)


def _top_level(text: bytes) -> dict[bytes, bytes]:
    """The top-level fields of a possibly incomplete object, each with the first token of its value."""
    found: dict[bytes, bytes] = {}
    depth = 0
    key: bytes | None = None
    last: bytes | None = None
    tokens: list[bytes] = re.findall(_TOKENS, text[:EDGE])
    if len(text) >= EDGE:
        tokens[-1:] = [b"?"]  # it may have been cut in two
    for token in tokens:
        if token in (b"{", b"["):
            if depth == 1 and key is not None:
                found.setdefault(key, token)
                key = None
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
            if depth == 0:
                break
        elif depth == 1:
            if token == b":":
                key = last
            elif token == b",":
                key = last = None
            elif key is not None:
                found.setdefault(key, token)
                key = None
            else:
                last = token
    return found


class _Error(Struct):
    """The error of a response on the wire."""

    code: int
    message: str
    data: Any = None


_errors = msgspec.json.Decoder(_Error)


def read_error(raw: Raw) -> RequestError | None:
    """Read the error of a response, even if it deviates from JSON-RPC; None if there is none."""
    if bytes(raw) == b"null":
        return None
    try:
        error = _errors.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return _imperfect(raw)
    return RequestError(error.code, error.message, error.data)


def _imperfect(raw: Raw) -> RequestError:
    """Read the recoverable parts of a malformed error. ``data`` contains the whole error."""
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
    """Read an error code in any notation. Invalid codes count as an internal error."""
    if isinstance(value, str) and re.fullmatch(_INTEGER, value):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if type(value) is int else INTERNAL_ERROR
