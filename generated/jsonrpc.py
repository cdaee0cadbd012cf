# Generated: part of every package, the same for every schema. Do not edit.
"""The public names of `_runtime/jsonrpc.py`."""

from ._runtime.jsonrpc import (
    FRAME_LIMIT,
    Fault,
    Id,
    Message,
    Notification,
    Reader,
    Request,
    Response,
    parse,
    peek,
    write_error,
    write_notification,
    write_request,
    write_result,
)

__all__ = [
    "FRAME_LIMIT",
    "Fault",
    "Id",
    "Message",
    "Notification",
    "Reader",
    "Request",
    "Response",
    "parse",
    "peek",
    "write_error",
    "write_notification",
    "write_request",
    "write_result",
]
