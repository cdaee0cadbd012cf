"""Errors with the SDK's constructors."""

from __future__ import annotations

from typing import Any, Self

import acp_generated as acp

__all__ = ["RequestError"]


class RequestError(acp.RequestError):
    """An error response."""

    def __init__(self, code: int, message: str, data: Any | None = None) -> None:
        super().__init__(code, message, data)

    def __str__(self) -> str:
        return self.message

    @classmethod
    def method_not_found(cls, method: str) -> Self:
        """The error for a method without a handler."""
        return cls(cls.METHOD_NOT_FOUND, "Method not found", {"method": method})

    @classmethod
    def resource_not_found(cls, uri: str | None = None) -> Self:  # type: ignore[override]
        """The error for a missing resource."""
        return cls(-32002, "Resource not found", None if uri is None else {"uri": uri})

    def to_error_obj(self) -> dict[str, Any]:
        """The error object of a response."""
        return {"code": self.code, "message": self.message, "data": self.data}
