"""Traversal of JSON. In a schema document, it distinguishes schemas, maps and lists of schemas, and plain data.

A key is a keyword only in a schema. In a map of schemas, it is a name, even if it looks like a keyword. In data
(`default`, `const`, `enum`, `examples`, every `x-` keyword), it has no meaning. All code that reads or rewrites a
schema as JSON uses this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

from .json_types import is_json_array, is_json_object
from .read import join, pointer_parts

_DEFINITIONS: Final = "#/$defs/"
Kind = Literal["root", "schemas", "schema", "variants", "data"]

_ROOT: Final[dict[str | int, Kind]] = {"$defs": "schemas", "anyOf": "variants", "oneOf": "variants"}
_MAPS: Final = ("properties", "patternProperties", "dependentSchemas", "$defs")
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE: Final = (
    *("items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "contains", "propertyNames"),
    *("not", "if", "then", "else"),
)
_SCHEMA: Final[dict[str | int, Kind]] = {
    **dict.fromkeys(_MAPS, "schemas"),
    **dict.fromkeys(_LISTS, "variants"),
    **dict.fromkeys(_SINGLE, "schema"),
}


class JsonNode(NamedTuple):
    """A schema inside a document: its pointer and its object."""

    pointer: str
    value: dict[str, Any]


def step(kind: Kind, part: str | int) -> Kind:
    """The kind of the part one step below a part of this kind."""
    match kind:
        case "root":
            return _ROOT.get(part, "data")
        case "schemas" | "variants":
            return "schema"
        case "schema":
            return _SCHEMA.get(part, "data")
        case "data":
            return "data"


def kind_of(parts: Iterable[str | int]) -> Kind:
    """The kind of the part at the end of a path from the root."""
    kind: Kind = "root"
    for part in parts:
        kind = step(kind, part)
    return kind


def children(value: Any, kind: Kind) -> Iterator[tuple[str | int, Any, Kind]]:
    """The parts of a value that are or contain schemas, as (step, value, kind)."""
    if kind == "variants":
        if is_json_array(value):
            for index, child in enumerate(value):
                yield index, child, "schema"
    elif kind != "data" and is_json_object(value):
        for name, child in value.items():
            below = step(kind, name)
            if below != "data":
                yield name, child, below


def schemas(value: Any, pointer: str = "", kind: Kind = "schema") -> Iterator[JsonNode]:
    """Every schema in a value of some kind, outer ones first. `true` and `false` are left out: they contain nothing."""
    if kind == "schema" and is_json_object(value):
        yield JsonNode(pointer, value)
    for name, child, below in children(value, kind):
        yield from schemas(child, join(pointer, name), below)


def references(value: Any, kind: Kind = "schema") -> Iterator[str]:
    """The names of the definitions to which the schemas in a value refer."""
    for node in schemas(value, "", kind):
        target = node.value.get("$ref")
        if isinstance(target, str) and target.startswith(_DEFINITIONS):
            yield pointer_parts(target.removeprefix("#"))[-1]


Change = Callable[[dict[str, Any], dict[str, Any]], Any]
"""A function that takes the original schema and a copy with changed inner schemas, and returns the replacement."""


def rewrite(value: Any, change: Change, kind: Kind = "schema") -> Any:
    """A copy of a value with every schema in it changed, inner ones first."""
    if is_json_array(value):
        return [rewrite(child, change, step(kind, index)) for index, child in enumerate(value)]
    if kind == "data" or not is_json_object(value):
        return value
    after = {name: rewrite(child, change, step(kind, name)) for name, child in value.items()}
    return change(value, after) if kind == "schema" else after


# --- any JSON ---------------------------------------------------------------------------------------------------------------


def everything(value: Any) -> Iterator[Any]:
    """A JSON value and all nested values, outer values first, in the order of the text."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        yield found
        if is_json_object(found):
            waiting += reversed(found.values())
        elif is_json_array(found):
            waiting += reversed(found)


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of a JSON value with every nested value changed, inner values first."""
    if is_json_object(value):
        return change({name: mapped(child, change) for name, child in value.items()})
    return change([mapped(child, change) for child in value] if is_json_array(value) else value)


def along(value: Any, steps: Iterable[str | int]) -> Iterator[Any]:
    """The existing values along a path in a JSON value."""
    for part in steps:
        if is_json_object(value) and part in value:
            value = value[part]
        elif is_json_array(value) and str(part).isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return
        yield value


def part_at(value: Any, steps: Sequence[str | int]) -> Any:
    """The value at the end of a path in a JSON value; None if there is none."""
    found = [value, *along(value, steps)]
    return found[-1] if len(found) > len(steps) else None
