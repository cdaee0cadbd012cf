# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The public names of `_runtime/jsonrpc.py`."""

from ._runtime.jsonrpc import (
    Fault,
    Id,
    Message,
    Notification,
    Reader,
    Request,
    Response,
    parse,
    parse_batch,
    peek,
)

__all__ = [
    "Fault",
    "Id",
    "Message",
    "Notification",
    "Reader",
    "Request",
    "Response",
    "parse",
    "parse_batch",
    "peek",
]
