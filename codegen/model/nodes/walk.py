"""Traversal of types: the children of a type, their values, all descendants, and a type with parts replaced.

The type checker rejects a match here that omits a type. Therefore, adding a new type here extends every traversal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, assert_never

from msgspec.structs import replace

from .types import (
    Anything,
    Array,
    Boolean,
    Definition,
    Enumeration,
    Field,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Object,
    Reference,
    String,
    Type,
    Union,
    Value,
    Variant,
)


def children(type_: Type) -> tuple[Type, ...]:
    """The types directly inside a type, in order; references are not followed."""
    match type_:  # the most frequent types first
        case Reference() | String():
            return ()
        case Object(fields, bases, unions, extra=extra):
            return (*(field.type for field in fields), *bases, *unions, *(() if extra is None else (extra,)))
        case Nullable(held) | Map(held):
            return (held,)
        case Array(items, prefix):
            return (*prefix, items)
        case Union(variants):
            return tuple(variant.type for variant in variants)
        case Enumeration(base=base):
            return () if base is None else (base,)
        case Anything() | Null() | Boolean() | Integer() | Number():
            return ()
        case _:
            assert_never(type_)


def contents(type_: Type) -> tuple[Type, ...]:
    """The types of a value's parts: properties, items, and values of a map."""
    match type_:
        case Array() | Map():
            return children(type_)
        case Object(fields=fields, extra=extra):
            return (*(field.type for field in fields), *(() if extra is None else (extra,)))
        case Anything() | Null() | Boolean() | Integer() | Number() | String() | Reference():
            return ()
        case Enumeration() | Nullable() | Union():
            return ()
        case _:
            assert_never(type_)


def aspects(type_: Type) -> tuple[Type, ...]:
    """The types that apply to a value itself: variants, bases, and the type beside null."""
    match type_:
        case Enumeration() | Nullable() | Union():
            return children(type_)
        case Object(bases=bases, unions=unions):
            return (*bases, *unions)
        case Anything() | Null() | Boolean() | Integer() | Number() | String() | Reference() | Array() | Map():
            return ()
        case _:
            assert_never(type_)


def rewrite(type_: Type, change: Callable[[Any], Any]) -> Type:
    """A type with each of its children replaced by `change`. The replacement must be valid in its place."""
    match type_:
        case Anything() | Null() | Boolean() | Integer() | Number() | String() | Reference():
            return type_
        case Enumeration(base=base):
            return type_ if base is None else replace(type_, base=change(base))
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
            assert_never(type_)


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
        waiting += reversed(children(type_))


def references(type_: Type) -> Iterator[str]:
    """The names of all definitions a type mentions, in order, with repetitions."""
    return (part.name for part in inner(type_) if isinstance(part, Reference))


def without_null(type_: Type) -> Type:
    """A type as it is written, without the null beside it."""
    return type_.inner if isinstance(type_, Nullable) else type_


def plain(type_: Type, resolve: Callable[[Type], Type]) -> Type:
    """A type with references resolved, without null."""
    return resolve(without_null(resolve(type_)))


def item_of(array: Array, index: int) -> Type:
    """The type of the item at an index."""
    return array.prefix[index] if index < len(array.prefix) else array.items


def needed_items(array: Array) -> tuple[Type, ...]:
    """The types of the required items of an array, without duplicates."""
    least = array.min_items or 0
    return (*array.prefix[:least], *((array.items,) if least > len(array.prefix) else ()))


def reached(definitions: Mapping[str, Definition], names: Iterable[str]) -> dict[str, None]:
    """The existing definitions among some names, and all definitions that they refer to, transitively."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in definitions and name not in found:
            found[name] = None
            waiting += references(definitions[name].type)
    return found
