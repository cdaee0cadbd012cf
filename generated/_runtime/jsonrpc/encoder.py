# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Encoding of JSON-RPC 2.0: each function builds the frame of one kind of message, including the line end."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from .recovery import Id

_encode = msgspec.json.Encoder().encode
LINE_END = 10
"""The line end as a byte. Searching for a number is ten times as fast as for bytes."""


def write_request(id: Id, method: str, params: bytes | None) -> bytes:
    """Encode a request as a frame. Params are JSON; None omits them."""
    if params is None:
        return b'{"jsonrpc":"2.0","id":%b,"method":%b}\n' % (_id(id), _name(method))
    return b'{"jsonrpc":"2.0","id":%b,"method":%b,"params":%b}\n' % (_id(id), _name(method), one_line(params))


def write_notification(method: str, params: bytes | None) -> bytes:
    """Encode a notification as a frame."""
    if params is None:
        return b'{"jsonrpc":"2.0","method":%b}\n' % _name(method)
    return b"".join((notification_head(method), one_line(params), b"}\n"))


def notification_head(method: str) -> bytes:
    """The start of a notification frame with params. A closing brace and the line end must follow the params."""
    return b'{"jsonrpc":"2.0","method":%b,"params":' % _name(method)


def write_result(id: Id, result: bytes) -> bytes:
    """Encode a successful response as a frame."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (_id(id), one_line(result) if LINE_END in result else result)


def write_error(id: Id, code: int, message: str, data: bytes | None = None) -> bytes:
    """Encode an error response as a frame. `data` is JSON; None omits it. Raises TypeError for an invalid code or
    message.
    """
    if not isinstance(message, str) or type(code) is bool or not isinstance(code, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"an error needs an integer code and a string message, found {code!r} and {message!r}")
    members = b'"code":%d,"message":%b' % (code, _encode(message))
    error = b"{%b}" % members if data is None else b'{%b,"data":%b}' % (members, one_line(data))
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}\n' % (_id(id), error)


def one_line(value: bytes) -> bytes:
    """Remove line ends from JSON. Between tokens they are white space; inside strings they are escaped."""
    return value if LINE_END not in value else value.replace(b"\n", b" ")


def _id(id: Id) -> bytes:
    return b"%d" % id if type(id) is int else _encode(id)


@lru_cache(maxsize=256)
def _name(method: str) -> bytes:
    return _encode(method)
