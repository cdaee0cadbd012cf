"""The shapes as one normalised JSON Schema, the input of datamodel-code-generator for every kind of model.

All names are resolved: each class and alias is a definition, and each property has its Python name. Further data for
a kind of model (wire names, constants, docstrings) is passed separately, by definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from ..document.json_types import is_json_array
from ..model.nodes import types as t
from ..shape.covariance import is_sequence
from ..shape.shapes import Attribute, Record, Shapes

_OF_PYDANTIC: Final = frozenset(
    [
        *"construct copy dict from_orm json parse_file parse_obj parse_raw schema schema_json validate".split(),
        "mro",
        "update_forward_refs",
        *map("model_{}".format, "computed_fields config construct copy dump dump_json extra fields fields_set".split()),
        *map("model_{}".format, "json_schema parametrized_name post_init rebuild validate validate_json".split()),
        "model_validate_strings",
    ]
)
"""The names of pydantic's own attributes and methods."""
_PLACEHOLDER: Mapping[str, Any] = {"type": "object", "properties": {}}


def in_order(record: Record) -> list[Attribute]:
    """The attributes of a class, the required ones first."""
    return sorted(record.attributes, key=lambda attribute: not attribute.field.required)


class Form(Struct, frozen=True):
    """The differences between the document for our templates and the published one."""

    definitions: str = "#/components/schemas/"
    """The prefix of references to definitions."""
    number: Any = ("integer", "number")
    """The type of numbers. datamodel-code-generator maps the usual one to `float` only."""
    typed: bool = False
    """True if enumerations state the type of their constants, and arrays the types of their first items."""
    validated: bool = False
    """True if the classes check all types themselves. Markers are then types, and templates write the types of optional
    properties.
    """

    def name(self, attribute: str) -> str:
        """The name of an attribute in its class. A class of pydantic must not hide pydantic's own names."""
        return f"{attribute}_" if self.validated and attribute in _OF_PYDANTIC else attribute

    def names(self, record: Record) -> list[str]:
        """The names of the fields of a class, including the field for undeclared properties if pydantic checks their
        type.
        """
        extra = ["extra"] if self.validated and record.extra is not None else []
        return [*(self.name(attribute.name) for attribute in in_order(record)), *extra]


OURS = Form()
VALIDATED = Form(validated=True)
PUBLISHED = Form("#/$defs/", "number", typed=True)
_NAMES: Mapping[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def normalised(shapes: Shapes, form: Form = OURS) -> dict[str, Any]:
    """The definitions of all shapes. Unions of classes and markers only have names, because templates write them."""
    return {
        **{name: _record_schema(record, shapes, form) for name, record in shapes.records.items()},
        **dict.fromkeys((*shapes.choices, *shapes.aliases), _PLACEHOLDER),
        **{n: type_schema(a.type, form) for n, a in shapes.aliases.items() if form.validated or not a.marker},
    }


def _record_schema(record: Record, shapes: Shapes, form: Form) -> dict[str, Any]:
    properties = [_property_schema(a, shapes, form) for a in in_order(record)]
    extra = [] if record.extra is None else [type_schema(t.Map(record.extra), form)]
    return {
        "type": "object",
        "properties": dict(zip(form.names(record), [*properties, *extra], strict=False)),
        "required": [*form.names(record)]
        if form.validated
        else [a.name for a in record.attributes if a.field.required],
    }


def _property_schema(attribute: Attribute, shapes: Shapes, form: Form) -> dict[str, Any]:
    python = {"x-python-type": "Sequence"} if is_sequence(attribute.type, shapes) and not form.validated else {}
    return type_schema(attribute.type, form) | python


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
