# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""JSON-RPC 2.0, written: each function builds the frame of one kind of message, line end and all."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from .recovery import Id

_encode = msgspec.json.Encoder().encode
LINE_END = 10
"""Its byte, as a number: to search a text for it as text takes ten times as long."""


def write_request(id: Id, method: str, params: bytes | None) -> bytes:
    """The frame of a request, line end and all; params are JSON, None leaves them out."""
    if params is None:
        return b'{"jsonrpc":"2.0","id":%b,"method":%b}\n' % (_id(id), _name(method))
    return b'{"jsonrpc":"2.0","id":%b,"method":%b,"params":%b}\n' % (_id(id), _name(method), one_line(params))


def write_notification(method: str, params: bytes | None) -> bytes:
    """The frame of a notification."""
    if params is None:
        return b'{"jsonrpc":"2.0","method":%b}\n' % _name(method)
    return b"".join((notification_head(method), one_line(params), b"}\n"))


def notification_head(method: str) -> bytes:
    """How the frame of a notification begins that has params; behind them it ends with a brace and the line end."""
    return b'{"jsonrpc":"2.0","method":%b,"params":' % _name(method)


def write_result(id: Id, result: bytes) -> bytes:
    """The frame of a response that succeeded."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (_id(id), one_line(result))


def write_error(id: Id, code: int, message: str, data: bytes | None = None) -> bytes:
    """The frame of a response that failed; data is JSON, None leaves it out. TypeError for what no peer takes for an error."""
    if not isinstance(message, str) or type(code) is bool or not isinstance(code, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"an error has an integer and a text, not {code!r} and {message!r}")
    members = b'"code":%d,"message":%b' % (code, _encode(message))
    error = b"{%b}" % members if data is None else b'{%b,"data":%b}' % (members, one_line(data))
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}\n' % (_id(id), error)


def one_line(value: bytes) -> bytes:
    """JSON without line ends: they are white space between tokens, inside a string they are escaped."""
    return value if LINE_END not in value else value.replace(b"\n", b" ")


def _id(id: Id) -> bytes:
    return b"%d" % id if type(id) is int else _encode(id)


@lru_cache(maxsize=256)
def _name(method: str) -> bytes:
    return _encode(method)
