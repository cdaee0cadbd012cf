"""The parameters of typed calls: their order, their annotations, and how each is passed on."""

from __future__ import annotations

from ..model.types import Anything, Enumeration, Nullable, Reference, String, Type, Union
from .hints import is_array, parameter_hint
from .shapes import Attribute, Record, Shapes


def ordered(record: Record) -> list[Attribute]:
    """The parameters, required ones first, each group in the order of the schema."""
    return sorted(
        (attribute for attribute in record.attributes if attribute.constant is None),
        key=lambda attribute: not attribute.field.required,
    )


def parameter(attribute: Attribute, shapes: Shapes, *, optional: bool) -> str:
    text = parameter_hint(attribute.type, text=lambda type_: takes_text(type_, shapes))
    if attribute.field.required and not optional:
        return f"{attribute.name}: {text}"
    unset = text if text == "Any" else f"{text} | UnsetType"
    return f"{attribute.name}: {unset} = UNSET"


def argument(attribute: Attribute) -> str:
    return f"_listed({attribute.name})" if is_array(attribute.type) else attribute.name


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
