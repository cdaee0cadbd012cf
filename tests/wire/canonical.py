"""The wire shape of a loaded schema: what decides which messages fit, what they mean to a lenient reader, and nothing else.

Left out: words, pointers, titles, order, deprecation, and our own keywords. `format` stays, it tells the size of numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from codegen.model.nodes.types import Array, Enumeration, Field, Map, Nullable, Object, Reference, Schema, Type, Union

NUMBERS_AND_STRINGS = (
    "minimum",
    "maximum",
    "above",
    "below",
    "multiple_of",
    "format",
    "min_length",
    "max_length",
    "pattern",
    "encoding",
)


def wire_shape(schema: Schema) -> dict[str, Any]:
    """Definitions and methods by name, as plain JSON."""
    methods = [[m.side, m.path, m.kind, m.params, m.result] for m in schema.methods]
    definitions = {name: shape(definition.type) for name, definition in sorted(schema.definitions.items())}
    return {"definitions": definitions, "methods": sorted(methods, key=str)}


def shape(type_: Type) -> Any:
    """The wire shape of one type."""
    kind = type(type_).__name__
    match type_:
        case Reference(name):
            return {kind: name}
        case Nullable(inner) | Map(inner):
            return {kind: shape(inner)}
        case Enumeration(values, base):
            constants = sorted((value.constant for value in values), key=json.dumps)
            return {kind: constants, "base": None if base is None else shape(base)}
        case Array():
            prefix = [shape(item) for item in type_.prefix]
            return {kind: shape(type_.items), "prefix": prefix, "length": [type_.min_items, type_.max_items]}
        case Union(variants, exclusive):
            return {kind: _sorted(shape(variant.type) for variant in variants), "exclusive": exclusive}
        case Object():
            return {
                kind: {field.name: _field(field) for field in type_.fields},
                "bases": _sorted(map(shape, type_.bases)),
                "unions": _sorted(map(shape, type_.unions)),
                "excludes": sorted([e.property, e.constant] for e in type_.excludes),
                "extra": None if type_.extra is None else shape(type_.extra),
                "closed": type_.closed,
            }
        case _:
            bounds = {name: getattr(type_, name, None) for name in NUMBERS_AND_STRINGS}
            return {kind: {name: bound for name, bound in bounds.items() if bound is not None}}


def _field(field: Field) -> Any:
    return {
        "type": shape(field.type),
        "required": field.required,
        "default": [field.default] if field.has_default else [],
        "lenient": [field.default_on_error, field.default_on_null, field.skip_invalid_items],
    }


def _sorted(shapes: Any) -> list[Any]:
    return sorted(shapes, key=lambda each: json.dumps(each, sort_keys=True))


# --- counting --------------------------------------------------------------------------------------------------------


def count(wire: dict[str, Any], of: set[str]) -> dict[str, int]:
    """How many properties, variants and members of defaults the named definitions have; a tag is part of its variant."""
    found = {"properties": 0, "variants": 0, "default members": 0}
    for name in of:
        for node in _nodes(wire["definitions"][name]):
            found["variants"] += len(node.get("Union", ())) + (
                len(node.get("Enumeration", ())) if not _is_tag(node) else 0
            )
            for field in node.get("Object", {}).values():
                found["properties"] += not _is_tag(field["type"])
                found["default members"] += sum(map(_members, field["default"]))
    return found


def _is_tag(node: dict[str, Any]) -> bool:
    return len(node.get("Enumeration", ())) == 1 and node["base"] is None


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    if isinstance(node, dict):
        yield node
    for child in children:
        yield from _nodes(child)


def _members(default: Any) -> int:
    return len(default) + sum(map(_members, default.values())) if isinstance(default, dict) else 0
