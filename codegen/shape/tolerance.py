"""Tolerant shaping of published files: a definition that cannot become a class accepts any value."""

from __future__ import annotations

from msgspec.structs import replace

from ..document.read import join, pointer_parts
from ..model.naming.leaves import ShapeError
from ..model.naming.rename import type_names
from ..model.nodes.types import Anything, Schema


def odd_names(schema: Schema) -> list[tuple[str, str]]:
    """Warnings about definitions that are renamed because their names are not valid for classes."""
    odd = type_names(schema.definitions) if schema.tolerant else {}
    return [
        (join("", "$defs", old), f"{old!r} is not a valid name of a Python class; it is renamed to {new}")
        for old, new in odd.items()
    ]


def unshapable(schema: Schema, error: ShapeError) -> list[str]:
    """The definitions at an error's place that may accept any value instead; empty unless the schema was read
    tolerantly.
    """
    place = pointer_parts(error.pointer)[:2]
    return [
        definition.name
        for definition in schema.definitions.values()
        if schema.tolerant and pointer_parts(definition.pointer) == place and not isinstance(definition.type, Anything)
    ]


def widened(schema: Schema, names: list[str]) -> Schema:
    """A schema in which some definitions accept any value."""
    wide = {n: replace(d, type=Anything()) for n, d in schema.definitions.items() if n in names}
    return replace(schema, definitions={**schema.definitions, **wide})
