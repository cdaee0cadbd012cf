"""Parameters of typed calls: their order, their annotations, and how each becomes an argument."""

from __future__ import annotations

from typing import Any

from ..model.nodes.types import Anything, Enumeration, Nullable, Reference, String, Type, Union
from ..shape.shapes import Attribute, Record, Shapes
from .kinds import Expression, Identifier
from .type_hints import is_array, parameter_hint


def ordered(record: Record) -> list[Attribute]:
    """The parameters, required ones first, each group in the order of the schema."""
    return sorted(
        (attribute for attribute in record.attributes if attribute.constant is None),
        key=lambda attribute: not attribute.field.required,
    )


def parameter(attribute: Attribute, shapes: Shapes, *, optional: bool) -> dict[str, Any]:
    """A parameter as the macros of signatures and calls take it. `optional`: it may be left out whatever the schema says."""
    return {
        "name": Identifier(attribute.name),
        "type": Expression(parameter_hint(attribute.type, text=lambda type_: takes_text(type_, shapes))),
        "optional": optional or not attribute.field.required,
        "array": is_array(attribute.type),
        "empty": False,
    }


def none_by_default(given: dict[str, Any]) -> dict[str, Any]:
    """The parameter, empty where it is an array that must be given and is not."""
    return {**given, "empty": given["array"] and not given["optional"]}


def takes_text(type_: Type, shapes: Shapes) -> bool:
    match type_:
        case String() | Enumeration() | Anything():
            return True
        case Nullable(inner):
            return takes_text(inner, shapes)
        case Union(variants):
            return any(takes_text(variant.type, shapes) for variant in variants)
        case Reference(name) if name in shapes.aliases:
            return takes_text(shapes.aliases[name].type, shapes)
        case _:
            return False
