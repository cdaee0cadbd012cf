"""Find the arrays that are annotated as `Sequence`: those whose items may have several types.

Type checkers reject a `list` of one variant where a `list` of the union is expected, because someone could append
another variant. A `Sequence` is read-only, so they accept it. msgspec decodes both as a list.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.nodes.types import Anything, Array, Enumeration, Nullable, Number, Reference, String, Type, Union
from ..model.nodes.walk import without_null
from .shapes import Shapes


def is_sequence(type_: Type, shapes: Shapes) -> bool:
    """Return whether a property is an array of several types. Arrays with strings are excluded, because a string is
    itself a sequence of strings.
    """
    array = without_null(type_)
    if not isinstance(array, Array):
        return False
    members = {member for item in (*array.prefix, array.items) for member in _members(item, shapes)}
    return len(members) > 1 and "text" not in members


def _members(type_: Type, shapes: Shapes) -> Iterator[str]:
    """A distinct name for each type that a value may have."""
    match type_:
        case Nullable(inner):
            yield "null"
            yield from _members(inner, shapes)
        case Union(variants):
            for variant in variants:
                yield from _members(variant.type, shapes)
        case Reference(name) if name in shapes.choices:
            choice = shapes.choices[name]
            yield from (leaf.record.name for leaf in choice.leaves)
            yield "unknown"
        case Reference(name) if name in shapes.aliases:
            yield from _members(shapes.aliases[name].type, shapes)
        case Reference(name):
            yield name
        case String() | Enumeration() | Anything():
            yield "text"
        case Number():
            yield from ("integer", "fraction")
        case _:
            yield type(type_).__name__
