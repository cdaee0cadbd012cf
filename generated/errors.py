# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""All errors of calls and connections, including `RequestError` with the error codes of Agent Client Protocol."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, Self

from ._runtime.errors import (
    CallLost,
    CapabilityError,
    ConnectionClosed,
    FrameTooLong,
    InvalidMessage,
    InvalidResponse,
    QueueOverflow,
    RequestError as _RequestError,
    SessionEnded,
    SessionLost,
    VersionError,
    completes,
)

__all__ = [
    "CallLost",
    "CapabilityError",
    "ConnectionClosed",
    "FrameTooLong",
    "InvalidMessage",
    "InvalidResponse",
    "QueueOverflow",
    "RequestError",
    "SessionEnded",
    "SessionLost",
    "VersionError",
]


@completes(_RequestError)
class RequestError(_RequestError):
    """An error response.

    A call raises it if the peer responds with an error. A handler raises it to respond with an error. ``data`` is any JSON
    value, or None. The class methods create the errors that the protocol and JSON-RPC define; the constants are their codes.
    ``RequestError.of`` takes any code.
    """

    MESSAGES: ClassVar[Mapping[int, str]] = MappingProxyType(
        {
            -32700: "Parse error",
            -32600: "Invalid request",
            -32601: "Method not found",
            -32602: "Invalid params",
            -32603: "Internal error",
            -32800: "Request cancelled",
            -32000: "Authentication required",
            -32002: "Resource not found",
        }
    )

    CANCELLED: Final = -32800
    AUTH_REQUIRED: Final = -32000
    RESOURCE_NOT_FOUND: Final = -32002

    @classmethod
    def cancelled(cls, data: Any = None, **members: Any) -> Self:
        """-32800: The call was cancelled by the caller, or because the receiver is shutting down or lacks
        resources.
        """
        return cls.of(-32800, data, **members)

    @classmethod
    def auth_required(cls, data: Any = None, **members: Any) -> Self:
        """-32000: The user has to sign in before this call can succeed."""
        return cls.of(-32000, data, **members)

    @classmethod
    def resource_not_found(cls, data: Any = None, **members: Any) -> Self:
        """-32002: Something the call refers to, such as a file or a session, does not exist."""
        return cls.of(-32002, data, **members)
