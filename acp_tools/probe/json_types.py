"""Type guards for JSON values, and readers of values of unknown type."""

from __future__ import annotations

from typing import Any

from .codegen_api import is_json_array, is_json_object

__all__ = ["is_json_array", "is_json_object", "objects", "one_object"]


def one_object(value: Any) -> dict[str, Any]:
    """A JSON object; empty for any other value."""
    return value if is_json_object(value) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in an array; empty for any other value."""
    return [item for item in value if is_json_object(item)] if is_json_array(value) else []
