"""Published files, which are shaped as far as possible: a definition that cannot become a class may be any value."""

from __future__ import annotations

from msgspec.structs import replace

from ..document.read import join, pointer_parts
from ..model.naming.leaves import ShapeError
from ..model.naming.rename import type_names
from ..model.nodes.types import Anything, Schema


def odd_names(schema: Schema) -> list[tuple[str, str]]:
    """Warnings about the definitions that get other names, because theirs cannot be names of classes."""
    odd = type_names(schema.definitions) if schema.tolerant else {}
    return [
        (join("", "$defs", old), f"{old!r} cannot be the name of a Python class; it is called {new}")
        for old, new in odd.items()
    ]


def unshapable(schema: Schema, error: ShapeError) -> list[str]:
    """The definitions at the place of an error that may be any value instead; none in a schema that was not read tolerantly."""
    place = pointer_parts(error.pointer)[:2]
    return [
        definition.name
        for definition in schema.definitions.values()
        if schema.tolerant and pointer_parts(definition.pointer) == place and not isinstance(definition.type, Anything)
    ]


def widened(schema: Schema, names: list[str]) -> Schema:
    """A schema in which some definitions may be any value."""
    wide = {n: replace(d, type=Anything()) for n, d in schema.definitions.items() if n in names}
    return replace(schema, definitions={**schema.definitions, **wide})
