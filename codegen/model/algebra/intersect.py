"""Intersection of types, for `allOf`, `$ref` with siblings, and properties declared twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from ... import diagnostics
from ...errors import Fault
from ..nodes import types as t

Resolve = Callable[[t.Type], t.Type]
Bounded = TypeVar("Bounded", t.Integer | t.Number, t.String, t.Array)


class ClashError(Exception):
    """No value conforms to both types, or the generator does not support the combination."""

    def __init__(self, problem: str, fault: Fault = diagnostics.UNSATISFIABLE) -> None:
        super().__init__(problem)
        self.fault = fault


def same(left: t.Scalar, right: t.Scalar) -> bool:
    """Return whether constants are equal in JSON: 1 equals 1.0, but true equals no number."""
    return exact(left) == exact(right)


def exact(constant: t.Scalar) -> tuple[bool, t.Scalar]:
    """A key that is equal for equal constants."""
    return isinstance(constant, bool), constant


def admits(type_: t.Type, value: Any) -> bool:
    """Return whether a type without parts and references accepts a value. `fits` handles all other types."""
    match type_:
        case t.Anything():
            return True
        case t.Null():
            return value is None
        case t.Boolean():
            return isinstance(value, bool)
        case t.Nullable(inner):
            return value is None or admits(inner, value)
        case t.Enumeration(values, base):
            return any(same(v.constant, value) for v in values) or (base is not None and admits(base, value))
        case t.String():
            return isinstance(value, str) and _in_lengths(type_, len(value)) and _matches(type_.pattern, value)
        case t.Integer():
            if isinstance(value, float) and not value.is_integer():
                return False
            return isinstance(value, (int, float)) and not isinstance(value, bool) and _in_range(type_, value)
        case t.Number():
            return isinstance(value, (int, float)) and not isinstance(value, bool) and _in_range(type_, value)
        case t.Union(variants):
            return any(admits(variant.type, value) for variant in variants)
        case _:
            return False


def intersect(left: t.Type, right: t.Type, resolve: Resolve) -> t.Type:
    """The type of values that conform to both. A reference is kept if the other side adds nothing. Raises
    ClashError.
    """
    if left == right or isinstance(right, t.Anything):
        return left
    if isinstance(left, t.Anything):
        return right
    for one, other in ((left, right), (right, left)):
        if isinstance(one, t.Reference):
            whole = resolve(one)
            if is_object(whole, resolve) and is_object(other, resolve):
                return t.Object(bases=(one, as_base(other)))
            both = intersect(whole, other, resolve)
            return one if both == whole else both
    if isinstance(left, t.Nullable) and isinstance(right, t.Nullable):
        return t.Nullable(intersect(left.inner, right.inner, resolve))
    for one, other in ((left, right), (right, left)):
        if isinstance(one, t.Nullable):
            return t.Null() if isinstance(other, t.Null) else intersect(one.inner, other, resolve)
        if isinstance(one, t.Enumeration):
            return _narrow(one, other, resolve)
    match left, right:
        case (t.Integer() | t.Number(), t.Integer() | t.Number()):
            is_integer = t.Integer in (type(left), type(right))
            return _tighten(left, right, t.Integer) if is_integer else _tighten(left, right, t.Number)
        case t.String(), t.String():
            return _tighten(left, right, t.String)
        case (t.Object() | t.Map(), t.Object() | t.Map()):
            if isinstance(left, t.Map) and isinstance(right, t.Map):
                return t.Map(intersect(left.values, right.values, resolve))
            return t.Object(bases=(as_base(left), as_base(right)))
        case t.Array(), t.Array():
            return _both_arrays(left, right, resolve)
        case (t.Union() as union, other) | (other, t.Union() as union):
            return _distribute(union, other, resolve)
        case _:
            raise ClashError(f"no value is both {describe(left)} and {describe(right)}")


_EITHER = (
    *("required", "description", "rfd", "capability", "update", "deprecated"),
    *("default_on_error", "default_on_null", "skip_invalid_items"),
)
"""Attributes that a merged property has if either declaration has them."""


def merge_fields(first: t.Field, second: t.Field, resolve: Resolve) -> t.Field:
    """Merge two declarations of a property. Values must conform to both. The property is required if either declaration
    requires it. The descriptions of the first declaration win.
    """
    source = first if first.has_default or not second.has_default else second
    return msgspec.structs.replace(
        first,
        type=intersect(first.type, second.type, resolve),
        default=source.default,
        has_default=source.has_default,
        **{name: getattr(first, name) or getattr(second, name) for name in _EITHER},
    )


def is_object(type_: t.Type, resolve: Resolve) -> bool:
    """Return whether every value of a type is an object with declared properties."""
    match resolve(type_):
        case t.Object():
            return True
        case t.Union(variants):
            return all(is_object(variant.type, resolve) for variant in variants)
        case _:
            return False


def admits_null(type_: t.Type, resolve: Resolve) -> bool:
    """Return whether a type accepts null."""
    match resolve(type_):
        case t.Nullable() | t.Null() | t.Anything():
            return True
        case t.Union(variants):
            return any(admits_null(variant.type, resolve) for variant in variants)
        case _:
            return False


def as_base(type_: t.Type) -> t.Reference | t.Object:
    """An object type in the form of a base."""
    match type_:
        case t.Reference() | t.Object():
            return type_
        case t.Union():
            return t.Object(unions=(type_,))
        case t.Map(values):
            return t.Object(extra=values)
        case _:
            raise ClashError(f"{describe(type_)} cannot be combined with an object", diagnostics.CONSTRUCT)


def describe(type_: t.Type) -> str:
    """A type in words, for messages."""
    match type_:
        case t.Reference(name):
            return name
        case t.Enumeration(values):
            return "one of " + ", ".join(repr(value.constant) for value in values[:4])
        case t.Nullable(inner):
            return f"{describe(inner)} or null"
        case _:
            name = type(type_).__name__.lower()
            return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def not_empty(type_: Bounded) -> Bounded:
    """The type itself; raises ClashError if its bounds leave no value. `multipleOf` is not considered."""
    low: float
    high: float | None
    match type_:
        case t.Integer() | t.Number():
            low, high = _ends(type_)
            excluded = isinstance(type_, t.Number) and low == high and low in (type_.above, type_.below)
        case t.String():
            low, high, excluded = type_.min_length or 0, type_.max_length, False
        case t.Array():
            low, high, excluded = type_.min_items or 0, type_.max_items, False
    if excluded or (high is not None and low > high):
        raise ClashError(f"no {type(type_).__name__.lower()} is within these bounds: at least {low}, at most {high}")
    return type_


def _ends(type_: t.Integer | t.Number) -> tuple[float, float]:
    """The least and largest value of a range. For numbers, open and closed ends count alike."""
    low, high = _pick(max, type_.minimum, type_.above), _pick(min, type_.maximum, type_.below)
    if isinstance(type_, t.Integer):
        low = None if low is None else math.floor(low) + 1 if low == type_.above else math.ceil(low)
        high = None if high is None else math.ceil(high) - 1 if high == type_.below else math.floor(high)
    return -math.inf if low is None else low, math.inf if high is None else high


def _in_range(type_: t.Integer | t.Number, value: float) -> bool:
    return (
        (type_.minimum is None or value >= type_.minimum)
        and (type_.maximum is None or value <= type_.maximum)
        and (type_.above is None or value > type_.above)
        and (type_.below is None or value < type_.below)
        and (type_.multiple_of is None or value % type_.multiple_of == 0)
    )


def _in_lengths(type_: t.String, length: int) -> bool:
    return (type_.min_length or 0) <= length and (type_.max_length is None or length <= type_.max_length)


def _matches(pattern: str | None, value: str) -> bool:
    from ..nodes.patterns import matches  # noqa: PLC0415  # few schemas have a pattern beside a constant

    return pattern is None or matches(pattern, value)


def _narrow(enumeration: t.Enumeration, other: t.Type, resolve: Resolve) -> t.Type:
    other = resolve(other)
    values = tuple(value for value in enumeration.values if admits(other, value.constant))
    if enumeration.base is None:
        if not values:
            raise ClashError(f"no value is both {describe(enumeration)} and {describe(other)}")
        return t.Enumeration(values)
    if isinstance(other, t.Enumeration) and other.base is None:
        return _narrow(other, enumeration, resolve)
    base = other.base if isinstance(other, t.Enumeration) else other
    extra: tuple[t.Value, ...] = ()
    if isinstance(other, t.Enumeration):
        extra = tuple(v for v in other.values if not any(same(v.constant, w.constant) for w in values))
    assert base is not None
    return t.Enumeration((*values, *extra), intersect(enumeration.base, base, resolve))


def _pick(chooser: Callable[..., Any], left: float | None, right: float | None) -> Any:
    return left if right is None else right if left is None else chooser(left, right)


def _first(left: Any, right: Any) -> Any:
    return left or right


_STRICTER: Mapping[str, Callable[..., Any]] = {
    **dict.fromkeys(("minimum", "above", "min_length", "min_items"), max),
    **dict.fromkeys(("maximum", "below", "max_length", "max_items"), min),
}
"""Functions that choose the stricter of two bounds."""


def _tighten(left: Any, right: Any, kind: Callable[..., Bounded], **own: Any) -> Bounded:
    """A number, string or array within the bounds of both."""
    for name, keyword in (("multiple_of", "multipleOf"), ("pattern", "pattern")):
        stated = [getattr(each, name, None) for each in (left, right)]
        if None not in stated and stated[0] != stated[1]:
            raise ClashError(f"two different `{keyword}`", diagnostics.CONSTRUCT)
    names = [name for name in left.__struct_fields__ if name not in own]
    bounds = {name: _pick(_STRICTER.get(name, _first), getattr(left, name), getattr(right, name)) for name in names}
    return not_empty(kind(**bounds, **own))


def _both_arrays(left: t.Array, right: t.Array, resolve: Resolve) -> t.Array:
    if left.prefix or right.prefix:
        raise ClashError("arrays with `prefixItems` cannot be combined", diagnostics.CONSTRUCT)
    return _tighten(left, right, t.Array, items=intersect(left.items, right.items, resolve), prefix=())


def _distribute(union: t.Union, other: t.Type, resolve: Resolve) -> t.Type:
    if is_object(union, resolve) and is_object(other, resolve):
        return t.Object(bases=(as_base(other),), unions=(union,))
    variants: list[t.Variant] = []
    for variant in union.variants:
        try:
            variants.append(msgspec.structs.replace(variant, type=intersect(variant.type, other, resolve)))
        except ClashError:
            continue
    if not variants:
        raise ClashError(f"no variant of the union conforms to {describe(other)}")
    return variants[0].type if len(variants) == 1 else t.Union(tuple(variants), exclusive=union.exclusive)
