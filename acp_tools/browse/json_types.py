"""Type guards for JSON values of unknown type."""

from __future__ import annotations

from typing import Any, cast

__all__ = ["members"]


def members(value: Any) -> dict[str, Any]:
    """The members of a JSON object; none where the value is another one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
