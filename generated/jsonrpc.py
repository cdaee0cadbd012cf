# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Parsed messages of JSON-RPC 2.0, without the types of the protocol."""

from ._runtime.jsonrpc.parser import (
    FRAME_LIMIT, Fault, Id, LIMIT, Message, Notification, Reader, Request, Response, limit_in, parse, parse_batch, peek,
)  # fmt: skip

__all__ = [
    "FRAME_LIMIT",
    "Fault",
    "Id",
    "LIMIT",
    "Message",
    "Notification",
    "Reader",
    "Request",
    "Response",
    "limit_in",
    "parse",
    "parse_batch",
    "peek",
]
