"""Parameters of typed calls: their order, annotations and arguments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..model.naming.wire_names import attribute_name
from ..model.nodes.types import Anything, Enumeration, Nullable, Reference, Scalar, String, Type, Union
from ..shape.shapes import Attribute, Leaf, Record, Shapes
from .kinds import Expression, Identifier
from .text import literal
from .type_hints import is_array, parameter_hint


def ordered(record: Record) -> list[Attribute]:
    """The parameters, required ones first, each group in the order of the schema."""
    return sorted(
        (attribute for attribute in record.attributes if attribute.constant is None),
        key=lambda attribute: not attribute.field.required,
    )


def parameter(attribute: Attribute, shapes: Shapes, *, optional: bool) -> dict[str, Any]:
    """A parameter in the form that the macros of signatures and calls take. `optional`: it may be omitted whatever
    the schema says.
    """
    return {
        "name": Identifier(attribute.name),
        "type": Expression(parameter_hint(attribute.type, text=lambda type_: takes_text(type_, shapes))),
        "optional": optional or not attribute.field.required,
        "array": is_array(attribute.type),
        "empty": False,
    }


def none_by_default(given: dict[str, Any]) -> dict[str, Any]:
    """The parameter, with an empty array as default if it is a required array."""
    return {**given, "empty": given["array"] and not given["optional"]}


def forms_of(leaves: Iterable[Leaf], shapes: Shapes, without: str = "") -> list[dict[str, Any]]:
    """The ways to pass a union by keywords: for each variant its constants and its parameters, except `without`."""
    leaves = tuple(leaves)
    named = [_constants(leaf.record) for leaf in leaves]
    tags = {name for constants in named for name in constants}
    return [
        {
            "record": Identifier(leaf.record.name),
            "constants": [(Identifier(name), literal(constant)) for name, constant in constants.items()],
            "parameters": [
                *(_constant(name, constant) for name, constant in constants.items()),
                *(parameter(a, shapes, optional=False) for a in ordered(leaf.record) if a.name not in (*tags, without)),
            ],
        }
        for leaf, constants in zip(leaves, named, strict=True)
    ]


def overloads(forms: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The parameters of each form, without those that an earlier one includes: type checkers reject an overload that never matches."""
    kept: list[list[dict[str, Any]]] = []
    for form in forms:
        if not any(_includes(earlier, form["parameters"]) for earlier in kept):
            kept.append(form["parameters"])
    return kept


def _includes(wide: list[dict[str, Any]], narrow: list[dict[str, Any]]) -> bool:
    """Return whether one signature accepts all arguments of another."""
    taken, given = {it["name"]: it for it in wide}, {it["name"]: it for it in narrow}
    return {name for name, it in taken.items() if not it["optional"]} <= given.keys() <= taken.keys() and all(
        taken[name]["type"] == "Any" or {*it["type"].split(" | ")} <= {*taken[name]["type"].split(" | ")}
        for name, it in given.items()
    )


def _constants(record: Record) -> dict[str, Scalar]:
    """The properties with only one possible value, by Python name."""
    found: dict[str, Scalar] = {a.name: a.constant for a in record.attributes if a.constant is not None}
    return found if record.tag is None else {attribute_name(record.tag[0]): record.tag[1], **found}


def _constant(name: str, constant: Scalar) -> dict[str, Any]:
    """The parameter for a constant. `Literal` cannot hold a float."""
    hint_ = type(constant).__name__ if isinstance(constant, float) else f"Literal[{literal(constant)}]"
    return {"name": Identifier(name), "type": Expression(hint_), "optional": False, "array": False, "empty": False}


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
