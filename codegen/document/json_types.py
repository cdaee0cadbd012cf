"""Type guards for JSON objects and arrays.

After `isinstance` alone, type checkers do not know the types inside a dict or list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard


def is_json_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Return whether a JSON value is an object."""
    return isinstance(value, dict)


def is_json_array(value: object) -> TypeGuard[list[Any]]:
    """Return whether a JSON value is an array."""
    return isinstance(value, list)


KINDS: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and value % 1 == 0,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "array": is_json_array,
    "object": is_json_object,
}
"""Type checks by the names of JSON Schema's `type`."""
