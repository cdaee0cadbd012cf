"""Parameters of typed calls: their order, annotations and arguments, and content that may be given as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..model.naming.wire_names import attribute_name, snake
from ..model.nodes.types import Anything, Array, Enumeration, Nullable, Reference, Scalar, String, Type, Union
from ..shape.shapes import Attribute, Choice, Leaf, Record, Shapes
from .kinds import Expression, Identifier
from .text import literal
from .type_hints import hint, is_array, parameter_hint


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
    """The parameters of each form, without those that an earlier one includes: type checkers reject an overload that
    never matches.
    """
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


def content_helper(type_: Type, shapes: Shapes) -> Identifier:
    """The function of the module that converts a string to content."""
    found = text_of(type_, shapes)
    assert found is not None
    return Identifier(f"_{snake(found[0])}")


def text_of(type_: Type, shapes: Shapes) -> tuple[str, str] | None:
    """The class and attribute that a plain string becomes for this type; None if strings are not accepted."""
    item = type_.items if isinstance(type_, Array) else type_
    choice: Choice | None = shapes.choices.get(item.name) if isinstance(item, Reference) else None
    for leaf in () if choice is None else choice.leaves:
        texts = [a for a in leaf.record.attributes if a.field.update is not None and a.field.update.does == "join"]
        others = [a for a in leaf.record.attributes if a not in texts and a.constant is None and a.field.required]
        if len(texts) == 1 and not others:
            return leaf.record.name, texts[0].name
    return None


def helpers(shapes: Shapes) -> Iterator[dict[str, Identifier]]:
    """The functions that convert a string to content."""
    found = dict.fromkeys(text_of(Reference(name), shapes) for name in shapes.choices)
    for text in found:
        if text is not None:
            class_, attribute = text
            yield {"name": Identifier(f"_{snake(class_)}"), "class": Identifier(class_), "text": Identifier(attribute)}


def blocks_hint(type_: Type) -> Expression:
    """The annotation of content: a string, a block, or several of both."""
    block = hint(type_.items if isinstance(type_, Array) else type_)
    return Expression(f"str | {block} | Sequence[str | {block}]")


def sentence(text: str | None) -> str:
    """The first sentence of a description."""
    first = " ".join((text or "").partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")
    return f"{first}." if first else ""
