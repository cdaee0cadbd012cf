"""Settles names and shapes. In a schema that was read tolerantly, a definition that cannot become a class may be any value."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ..document.read import join, pointer_parts
from ..model.leaves import ShapeError
from ..model.lock import Lock
from ..model.naming import settle
from ..model.rename import type_names
from ..model.types import Anything, Schema
from .shapes import Shapes
from .shaping import shape_settled


def settled_shapes(
    schema: Schema, whole: Schema, lock: Lock | None, base: Schema | None
) -> tuple[Schema, Shapes, list[tuple[str, str]]]:
    """The schema with its settled names, its shapes, and warnings as (pointer, text). Raises ShapeError.

    A schema that was read tolerantly is shaped as far as possible.
    """
    odd = type_names(whole.definitions) if whole.tolerant else {}
    warnings = [
        (join("", "$defs", old), f"{old!r} cannot be the name of a Python class; it is called {new}")
        for old, new in odd.items()
    ]
    while True:
        try:
            settled = settle(schema, whole, lock, base)
            return settled.schema, shape_settled(settled), warnings
        except ShapeError as error:
            wide = list(_definitions_at(schema, error.pointer)) if schema.tolerant else []
            if not wide:
                raise
            schema, whole = _widened(schema, wide), _widened(whole, wide)
            base = _widened(base, wide) if base is not None else None
            warnings.append((error.pointer, f"{error}; {' and '.join(wide)} may be anything"))


def _definitions_at(schema: Schema, pointer: str) -> Iterator[str]:
    """The definition that a place belongs to, unless it may be any value already."""
    place = pointer_parts(pointer)[:2]
    for definition in schema.definitions.values():
        if pointer_parts(definition.pointer) == place and not isinstance(definition.type, Anything):
            yield definition.name


def _widened(schema: Schema, names: list[str]) -> Schema:
    wide = {n: replace(d, type=Anything()) for n, d in schema.definitions.items() if n in names}
    return replace(schema, definitions={**schema.definitions, **wide})
