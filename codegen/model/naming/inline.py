"""Inline objects and unions, which are declared in a property, and the names of their classes."""

from __future__ import annotations

from collections.abc import Iterator

from ...document.read import pointer_parts
from ..algebra.intersect import is_object
from ..nodes.types import Array, Field, Map, Nullable, Object, Schema, Type, Union
from ..nodes.walk import inner
from .wire_names import NameError_, pascal


def hint(field: Field, owner: str) -> str:
    """The name of a property's inline type, after the definition that declares the property, or after its `owner`.

    Raises NameError_ if no name is possible.
    """
    return (declared_by(field) or owner) + pascal(field.name)


def declared_by(field: Field) -> str | None:
    """The definition that itself declares a property."""
    parts = pointer_parts(field.pointer)
    return parts[1] if len(parts) == 4 and parts[0] == "$defs" and parts[2] == "properties" else None


def inline_unions(schema: Schema) -> Iterator[tuple[str, Type, str]]:
    """The inline unions of objects in the properties of definitions: name, type, and place of the property."""
    for definition in schema.definitions.values():
        for type_ in inner(definition.type):
            for field in type_.fields if isinstance(type_, Object) else ():
                if isinstance(field.type, _HOLDERS) and declared_by(field) is not None:
                    try:
                        name = hint(field, definition.name)
                    except NameError_:
                        continue  # which is reported when the property is shaped
                    yield from ((at, held, field.pointer) for at, held in _held(schema, field.type, name))


_HOLDERS = (Array, Map, Nullable, Union, Object)
"""The types that may be or hold an inline union."""


def _held(schema: Schema, type_: Type, name: str) -> Iterator[tuple[str, Type]]:
    match type_:
        case Array():
            yield from _held(schema, type_.items, f"{name}Item")
            for index, item in enumerate(type_.prefix, 1):
                yield from _held(schema, item, f"{name}Item{index}")
        case Map(values):
            yield from _held(schema, values, f"{name}Value")
        case Nullable(inside):
            yield from _held(schema, inside, name)
        case Union() | Object() if is_object(type_, schema.resolve):
            yield name, type_
        case _:
            pass
