"""The shapes as one normalised JSON Schema, the input of datamodel-code-generator for every kind of model.

All names are resolved: each class and alias is a definition, and each property has its Python name. Further data for
a kind of model (wire names, constants, docstrings) is passed separately, by definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..document.json_types import is_json_array
from ..model.nodes import types as t
from ..shape.covariance import is_sequence
from ..shape.shapes import Attribute, Record, Shapes

_PLACEHOLDER: Mapping[str, Any] = {"type": "object", "properties": {}}


def normalised(shapes: Shapes) -> dict[str, Any]:
    """The definitions of all shapes. Unions of classes and markers only have names, because templates write them."""
    return {
        **{name: _record_schema(record, shapes) for name, record in shapes.records.items()},
        **dict.fromkeys((*shapes.choices, *shapes.aliases), _PLACEHOLDER),
        **{name: type_schema(alias.type) for name, alias in shapes.aliases.items() if not alias.marker},
    }


def in_order(record: Record) -> list[Attribute]:
    """The attributes of a class, the required ones first."""
    return sorted(record.attributes, key=lambda attribute: not attribute.field.required)


def _record_schema(record: Record, shapes: Shapes) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {a.name: _property_schema(a, shapes) for a in in_order(record)},
        "required": [a.name for a in record.attributes if a.field.required],
    }


def _property_schema(attribute: Attribute, shapes: Shapes) -> dict[str, Any]:
    python = {"x-python-type": "Sequence"} if is_sequence(attribute.type, shapes) else {}
    return type_schema(attribute.type) | python


class Form(Struct, frozen=True):
    """The differences between the document for our templates and the published one."""

    definitions: str = "#/components/schemas/"
    """The prefix of references to definitions."""
    number: Any = ("integer", "number")
    """The type of numbers. datamodel-code-generator maps the usual one to `float` only."""
    typed: bool = False
    """True if enumerations state the type of their constants, and arrays the types of their first items."""


OURS = Form()
PUBLISHED = Form("#/$defs/", "number", typed=True)
_NAMES: Mapping[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def type_schema(type_: t.Type, form: Form = OURS) -> dict[str, Any]:
    """The JSON Schema of a shaped type."""
    match type_:
        case t.Anything() | t.Object():
            return {}
        case t.Null():
            return {"type": "null"}
        case t.Boolean():
            return {"type": "boolean"}
        case t.Integer():
            return _limited("integer", **_bounds(type_))
        case t.Number():
            return _limited(form.number, **_bounds(type_)) if form.typed else {"type": [*form.number]}
        case t.String():
            return _limited(
                "string", minLength=type_.min_length, maxLength=type_.max_length, pattern=type_.checked_pattern
            )
        case t.Enumeration(values, base):
            kinds = {_NAMES[type(value.constant)] for value in values} if form.typed else ()
            constants = {**({"type": kinds.pop()} if len(kinds) == 1 else {}), "enum": [v.constant for v in values]}
            return constants if base is None else {"anyOf": [constants, type_schema(base, form)]}
        case t.Array():
            first = [type_schema(each, form) for each in type_.prefix] if form.typed else []
            return _limited(
                "array",
                prefixItems=first or None,
                items=type_schema(type_.items, form),
                minItems=type_.min_items,
                maxItems=type_.max_items,
            )
        case t.Map(inner):
            return {"type": "object", "additionalProperties": type_schema(inner, form)}
        case t.Nullable(inner):
            return _nullable(type_schema(inner, form))
        case t.Reference(name):
            return {"$ref": f"{form.definitions}{name}"}
        case t.Union(variants):
            word = "oneOf" if form.typed and type_.exclusive else "anyOf"
            return {word: [type_schema(variant.type, form) for variant in variants]}


def _bounds(type_: t.Integer | t.Number) -> dict[str, Any]:
    return {
        "minimum": type_.minimum,
        "maximum": type_.maximum,
        "exclusiveMinimum": type_.above,
        "exclusiveMaximum": type_.below,
        "multipleOf": type_.multiple_of,
    }


def _limited(type_: str, **keywords: Any) -> dict[str, Any]:
    return {"type": type_, **{keyword: value for keyword, value in keywords.items() if value is not None}}


def _nullable(inner: dict[str, Any]) -> dict[str, Any]:
    if not inner:
        return {}
    if "type" in inner and not {"additionalProperties", "enum"} & {*inner}:
        names = inner["type"] if is_json_array(inner["type"]) else [inner["type"]]
        return {**inner, "type": [*names, "null"]}
    if "anyOf" in inner:
        return {"anyOf": [*inner["anyOf"], {"type": "null"}]}
    return {"anyOf": [inner, {"type": "null"}]}
