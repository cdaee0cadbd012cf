# Generated: part of every package, the same for every schema. Do not edit.
"""The public names of `_runtime/jsonrpc.py`."""

from ._runtime.jsonrpc import (
    FRAME_LIMIT,
    Fault,
    Id,
    LIMIT,
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
    "FRAME_LIMIT",
    "Fault",
    "Id",
    "LIMIT",
    "Message",
    "Notification",
    "Reader",
    "Request",
    "Response",
    "parse",
    "parse_batch",
    "peek",
]
