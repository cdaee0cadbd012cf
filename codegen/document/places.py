"""Which part of a schema a pointer leads to: a schema, a map or list of schemas, or plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

Kind = Literal["root", "schemas", "schema", "variants", "data"]

_MAPS: Final = frozenset({"properties"})
_LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SCHEMAS: Final = frozenset({"items", "additionalProperties", "unevaluatedProperties", "not"})


def kind_of(parts: Iterable[str | int]) -> Kind:
    """What stands at the end of a path from the root."""
    kind: Kind = "root"
    for part in parts:
        kind = step(kind, part)
    return kind


def step(kind: Kind, part: str | int) -> Kind:
    """What stands one step below a part of this kind."""
    match kind:
        case "root":
            return "schemas" if part == "$defs" else "variants" if part in ("anyOf", "oneOf") else "data"
        case "schemas" | "variants":
            return "schema"
        case "schema":
            return (
                "schemas"
                if part in _MAPS
                else "variants"
                if part in _LISTS
                else "schema"
                if part in _SCHEMAS
                else "data"
            )
        case "data":
            return "data"
