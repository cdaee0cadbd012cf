"""Intersects types: the arithmetic behind `allOf`, `$ref` with siblings, and properties declared twice."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from .. import faults
from ..errors import Fault
from .types import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Field,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Object,
    Reference,
    Scalar,
    String,
    Type,
    Union,
    Value,
    Variant,
)

Resolve = Callable[[Type], Type]
Bounded = TypeVar("Bounded", Integer | Number, String, Array)


class ClashError(Exception):
    """No value fits both types, or the generator does not support the combination."""

    def __init__(self, problem: str, fault: Fault = faults.UNSATISFIABLE) -> None:
        super().__init__(problem)
        self.fault = fault


def same(left: Scalar, right: Scalar) -> bool:
    """Whether constants are equal in JSON: 1 equals 1.0, but true equals no number."""
    return exact(left) == exact(right)


def exact(constant: Scalar) -> tuple[bool, Scalar]:
    """A key that is equal for equal constants."""
    return isinstance(constant, bool), constant


def admits(type_: Type, value: Scalar) -> bool:
    """Whether a scalar type without references admits a constant."""
    match type_:
        case Anything():
            return True
        case Null():
            return value is None
        case Boolean():
            return isinstance(value, bool)
        case Nullable(inner):
            return value is None or admits(inner, value)
        case Enumeration(values, base):
            return any(same(v.constant, value) for v in values) or (base is not None and admits(base, value))
        case String():
            return isinstance(value, str) and _in_lengths(type_, len(value)) and _matches(type_.pattern, value)
        case Integer():
            if isinstance(value, float) and not value.is_integer():
                return False
            return isinstance(value, (int, float)) and not isinstance(value, bool) and _in_range(type_, value)
        case Number():
            return isinstance(value, (int, float)) and not isinstance(value, bool) and _in_range(type_, value)
        case Union(variants):
            return any(admits(variant.type, value) for variant in variants)
        case _:
            return False


def intersect(left: Type, right: Type, resolve: Resolve) -> Type:
    """The type of values that fit both; a reference is kept if the other side adds nothing. Raises ClashError."""
    if left == right or isinstance(right, Anything):
        return left
    if isinstance(left, Anything):
        return right
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Reference):
            whole = resolve(one)
            if is_object(whole, resolve) and is_object(other, resolve):
                return Object(bases=(one, as_base(other)))
            both = intersect(whole, other, resolve)
            return one if both == whole else both
    if isinstance(left, Nullable) and isinstance(right, Nullable):
        return Nullable(intersect(left.inner, right.inner, resolve))
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Nullable):
            return Null() if isinstance(other, Null) else intersect(one.inner, other, resolve)
        if isinstance(one, Enumeration):
            return _narrow(one, other, resolve)
    match left, right:
        case (Integer() | Number(), Integer() | Number()):
            return _tighten(left, right)
        case String(), String():
            return _tighten_string(left, right)
        case (Object() | Map(), Object() | Map()):
            if isinstance(left, Map) and isinstance(right, Map):
                return Map(intersect(left.values, right.values, resolve))
            return Object(bases=(as_base(left), as_base(right)))
        case Array(), Array():
            return _both_arrays(left, right, resolve)
        case (Union() as union, other) | (other, Union() as union):
            return _distribute(union, other, resolve)
        case _:
            raise ClashError(f"no value is both {describe(left)} and {describe(right)}")


def merge_fields(first: Field, second: Field, resolve: Resolve) -> Field:
    """Merge two declarations of a property: its value must fit both, and it is required if either says so; the first's texts win."""
    source = first if first.has_default or not second.has_default else second
    return msgspec.structs.replace(
        first,
        type=intersect(first.type, second.type, resolve),
        required=first.required or second.required,
        description=first.description or second.description,
        default=source.default,
        has_default=source.has_default,
        default_on_error=first.default_on_error or second.default_on_error,
        default_on_null=first.default_on_null or second.default_on_null,
        skip_invalid_items=first.skip_invalid_items or second.skip_invalid_items,
        rfd=first.rfd or second.rfd,
        capability=first.capability or second.capability,
        update=first.update or second.update,
        deprecated=first.deprecated or second.deprecated,
    )


def is_object(type_: Type, resolve: Resolve) -> bool:
    """Whether every value of a type is an object with declared properties."""
    match resolve(type_):
        case Object():
            return True
        case Union(variants):
            return all(is_object(variant.type, resolve) for variant in variants)
        case _:
            return False


def admits_null(type_: Type, resolve: Resolve) -> bool:
    """Whether null fits a type."""
    match resolve(type_):
        case Nullable() | Null() | Anything():
            return True
        case Union(variants):
            return any(admits_null(variant.type, resolve) for variant in variants)
        case _:
            return False


def as_base(type_: Type) -> Reference | Object:
    """An object type in the form that an object's bases have."""
    match type_:
        case Reference() | Object():
            return type_
        case Union():
            return Object(unions=(type_,))
        case Map(values):
            return Object(extra=values)
        case _:
            raise ClashError(f"{describe(type_)} cannot be combined with an object", faults.CONSTRUCT)


def describe(type_: Type) -> str:
    """A type in words, for messages."""
    match type_:
        case Reference(name):
            return name
        case Enumeration(values):
            return "one of " + ", ".join(repr(value.constant) for value in values[:4])
        case Nullable(inner):
            return f"{describe(inner)} or null"
        case _:
            name = type(type_).__name__.lower()
            return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def not_empty(type_: Bounded) -> Bounded:
    """The type itself; raises ClashError if its bounds leave no value. `multipleOf` is not considered."""
    low: float
    high: float | None
    match type_:
        case Integer() | Number():
            low, high = _ends(type_)
            excluded = isinstance(type_, Number) and low == high and low in (type_.above, type_.below)
        case String():
            low, high, excluded = type_.min_length or 0, type_.max_length, False
        case Array():
            low, high, excluded = type_.min_items or 0, type_.max_items, False
    if excluded or (high is not None and low > high):
        raise ClashError(f"no {type(type_).__name__.lower()} is within these bounds: at least {low}, at most {high}")
    return type_


def _ends(type_: Integer | Number) -> tuple[float, float]:
    """The least and largest value of a range. For numbers, open and closed ends count alike."""
    low, high = _pick(max, type_.minimum, type_.above), _pick(min, type_.maximum, type_.below)
    if isinstance(type_, Integer):
        low = None if low is None else math.floor(low) + 1 if low == type_.above else math.ceil(low)
        high = None if high is None else math.ceil(high) - 1 if high == type_.below else math.floor(high)
    return -math.inf if low is None else low, math.inf if high is None else high


def _in_range(type_: Integer | Number, value: float) -> bool:
    return (
        (type_.minimum is None or value >= type_.minimum)
        and (type_.maximum is None or value <= type_.maximum)
        and (type_.above is None or value > type_.above)
        and (type_.below is None or value < type_.below)
        and (type_.multiple_of is None or value % type_.multiple_of == 0)
    )


def _in_lengths(type_: String, length: int) -> bool:
    return (type_.min_length or 0) <= length and (type_.max_length is None or length <= type_.max_length)


def _matches(pattern: str | None, value: str) -> bool:
    from .patterns import matches  # noqa: PLC0415  # few schemas have a pattern beside a constant

    return pattern is None or matches(pattern, value)


def _narrow(enumeration: Enumeration, other: Type, resolve: Resolve) -> Type:
    other = resolve(other)
    values = tuple(value for value in enumeration.values if admits(other, value.constant))
    if enumeration.base is None:
        if not values:
            raise ClashError(f"no value is both {describe(enumeration)} and {describe(other)}")
        return Enumeration(values)
    if isinstance(other, Enumeration) and other.base is None:
        return _narrow(other, enumeration, resolve)
    base = other.base if isinstance(other, Enumeration) else other
    extra: tuple[Value, ...] = ()
    if isinstance(other, Enumeration):
        extra = tuple(v for v in other.values if not any(same(v.constant, w.constant) for w in values))
    assert base is not None
    return Enumeration((*values, *extra), intersect(enumeration.base, base, resolve))


def _pick(chooser: Callable[..., Any], left: float | None, right: float | None) -> Any:
    return left if right is None else right if left is None else chooser(left, right)


def _tighten(left: Integer | Number, right: Integer | Number) -> Integer | Number:
    if left.multiple_of is not None and right.multiple_of is not None and left.multiple_of != right.multiple_of:
        raise ClashError("two different `multipleOf`", faults.CONSTRUCT)
    kind = Integer if isinstance(left, Integer) or isinstance(right, Integer) else Number
    return not_empty(
        kind(
            minimum=_pick(max, left.minimum, right.minimum),
            maximum=_pick(min, left.maximum, right.maximum),
            above=_pick(max, left.above, right.above),
            below=_pick(min, left.below, right.below),
            multiple_of=left.multiple_of if left.multiple_of is not None else right.multiple_of,
            format=left.format or right.format,
        )
    )


def _tighten_string(left: String, right: String) -> String:
    if left.pattern is not None and right.pattern is not None and left.pattern != right.pattern:
        raise ClashError("two different `pattern`", faults.CONSTRUCT)
    return not_empty(
        String(
            min_length=_pick(max, left.min_length, right.min_length),
            max_length=_pick(min, left.max_length, right.max_length),
            pattern=left.pattern if left.pattern is not None else right.pattern,
            format=left.format or right.format,
            encoding=left.encoding or right.encoding,
        )
    )


def _both_arrays(left: Array, right: Array, resolve: Resolve) -> Array:
    if left.prefix or right.prefix:
        raise ClashError("arrays with `prefixItems` cannot be combined", faults.CONSTRUCT)
    return not_empty(
        Array(
            intersect(left.items, right.items, resolve),
            min_items=_pick(max, left.min_items, right.min_items),
            max_items=_pick(min, left.max_items, right.max_items),
        )
    )


def _distribute(union: Union, other: Type, resolve: Resolve) -> Type:
    if is_object(union, resolve) and is_object(other, resolve):
        return Object(bases=(as_base(other),), unions=(union,))
    variants: list[Variant] = []
    for variant in union.variants:
        try:
            variants.append(msgspec.structs.replace(variant, type=intersect(variant.type, other, resolve)))
        except ClashError:
            continue
    if not variants:
        raise ClashError(f"no variant of the union fits {describe(other)}")
    return variants[0].type if len(variants) == 1 else Union(tuple(variants), exclusive=union.exclusive)
