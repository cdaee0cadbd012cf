"""The one walk over types: what is directly inside a type, all that is inside, and a type with its parts changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from .types import Array, Enumeration, Field, Map, Nullable, Object, Reference, Type, Union, Value, Variant


def children(type_: Type) -> Iterator[Type]:
    """The types directly inside a type, in order; references are not followed."""
    match type_:
        case Enumeration(base=base) if base is not None:
            yield base
        case Nullable(held) | Map(held):
            yield held
        case Array():
            yield from type_.prefix
            yield type_.items
        case Union(variants):
            yield from (variant.type for variant in variants)
        case Object():
            yield from (field.type for field in type_.fields)
            yield from type_.bases
            yield from type_.unions
            if type_.extra is not None:
                yield type_.extra
        case _:
            pass


def rewrite(type_: Type, change: Callable[[Any], Any]) -> Type:
    """A type with `change` made to each of its children, which has to give what can be in their place."""
    match type_:
        case Enumeration(base=base) if base is not None:
            return replace(type_, base=change(base))
        case Nullable(held):
            return Nullable(change(held))
        case Map(held):
            return Map(change(held))
        case Array():
            return replace(type_, items=change(type_.items), prefix=tuple(map(change, type_.prefix)))
        case Union():
            return replace(type_, variants=tuple(replace(v, type=change(v.type)) for v in type_.variants))
        case Object():
            return replace(
                type_,
                fields=tuple(replace(field, type=change(field.type)) for field in type_.fields),
                bases=tuple(map(change, type_.bases)),
                unions=tuple(map(change, type_.unions)),
                extra=None if type_.extra is None else change(type_.extra),
            )
        case _:
            return type_


def members(type_: Type) -> tuple[Field | Variant | Value, ...]:
    """The properties, variants or constants of a type itself: the parts that carry a description, a gate, an RFD."""
    match type_:
        case Enumeration(values):
            return values
        case Union(variants):
            return variants
        case Object(fields):
            return fields
        case _:
            return ()


def inner(type_: Type) -> Iterator[Type]:
    """A type and all types inside it, in order; references are not followed."""
    waiting = [type_]
    while waiting:
        type_ = waiting.pop()
        yield type_
        waiting += reversed([*children(type_)])


def references(type_: Type) -> Iterator[str]:
    """The names of all definitions a type mentions, in order, with repetitions."""
    return (part.name for part in inner(type_) if isinstance(part, Reference))
