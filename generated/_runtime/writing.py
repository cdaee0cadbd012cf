# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""JSON-RPC 2.0, written: each function builds the frame of one kind of message, line end and all."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from .outline import Id

__all__ = ["write_error", "write_notification", "write_request", "write_result"]

_encode = msgspec.json.Encoder().encode


def write_request(id: Id, method: str, params: bytes | None) -> bytes:
    """The frame of a request, line end and all; params are JSON, None leaves them out."""
    return _frame(b'{"jsonrpc":"2.0","id":%b,"method":%b' % (_encode(id), _name(method)), b',"params":', params)


def write_notification(method: str, params: bytes | None) -> bytes:
    """The frame of a notification."""
    return _frame(b'{"jsonrpc":"2.0","method":' + _name(method), b',"params":', params)


def write_result(id: Id, result: bytes) -> bytes:
    """The frame of a response that succeeded."""
    return _frame(b'{"jsonrpc":"2.0","id":%b' % _encode(id), b',"result":', result)


def write_error(id: Id, code: int, message: str, data: bytes | None = None) -> bytes:
    """The frame of a response that failed; data is JSON, None leaves it out. TypeError for what no peer takes for an error."""
    if not isinstance(message, str) or type(code) is bool or not isinstance(code, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"an error has an integer and a text, not {code!r} and {message!r}")
    members = b'"code":%d,"message":%b' % (code, _encode(message))
    error = b"{%b}" % members if data is None else b'{%b,"data":%b}' % (members, data)
    return _frame(b'{"jsonrpc":"2.0","id":%b' % _encode(id), b',"error":', error)


@lru_cache(maxsize=256)
def _name(method: str) -> bytes:
    return _encode(method)


def _frame(head: bytes, name: bytes, value: bytes | None) -> bytes:
    if value is None:
        return head + b"}\n"
    if b"\n" in value:
        # White space between tokens (inside a string it is escaped): the frame stays one line.
        value = value.replace(b"\n", b" ")
    return b"".join((head, name, value, b"}\n"))
