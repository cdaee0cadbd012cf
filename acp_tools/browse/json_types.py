"""Type guards for JSON values of unknown type."""

from __future__ import annotations

from typing import Any, cast


def members(value: Any) -> dict[str, Any]:
    """The fields of a JSON object; empty for any other value."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
