"""Content that may be given as plain text: the conversion of strings, and the annotations of such parameters."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.naming.wire_names import snake
from ..model.nodes.types import Array, Reference, Type
from ..shape.shapes import Choice, Shapes
from .kinds import Expression, Identifier
from .type_hints import hint


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
