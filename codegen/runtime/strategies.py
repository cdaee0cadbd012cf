"""Hypothesis strategies for every type of the package: values that fit, so that handlers can be tried on any of them.

Built from the codec's own tables; hypothesis is imported on the first call.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import import_module
from typing import Any

from .codec import decode
from .nodes import Alias, Choice, Field, Record, Variant
from .tables import node_name, table

__all__ = ["messages"]

_DEPTH = 4
"""References that are followed before optional parts are left out."""
_INTEGERS = (-(2**53), 2**53)


def messages(type: Any) -> Any:
    """Values of a type of this package: ``@given(messages(acp.SomeRequest))``. ImportError without hypothesis."""
    st = _hypothesis()
    try:
        name = node_name(type)
    except (KeyError, TypeError):
        raise TypeError(f"{type!r} is not a type of this package") from None

    def read(value: Any) -> Any:
        return decode(type, json.dumps(value), strict=True)

    return st.deferred(lambda: _named(name, _DEPTH)).map(read)


def _hypothesis() -> Any:
    """hypothesis' strategies. Not imported by name: type checkers of a project without it would miss it."""
    return import_module("hypothesis.strategies")


@lru_cache(maxsize=4096)
def _named(name: str, depth: int) -> Any:
    match table()[name]:
        case Record() as record:
            return _record(record, depth)
        case Choice(variants=variants):
            return _hypothesis().one_of([_variant(v, depth) for v in _possible(variants, depth)])
        case Alias(type=type):
            return _type(type, depth)


def _possible(variants: tuple[Variant, ...], depth: int) -> list[Variant]:
    """The variants that are known; near the end only those that need the fewest steps."""
    known = [variant for variant in variants if isinstance(variant.record, str) and not variant.excludes]
    if depth > 0:
        return known
    steps = {id(variant): _height(str(variant.record), frozenset()) for variant in known}
    least = min(steps.values())
    return [variant for variant in known if steps[id(variant)] == least]


def _height(name: str, seen: frozenset[str]) -> float:
    """How many references have to be followed for the smallest value of a type."""
    if name in seen:
        return float("inf")
    seen |= {name}
    match table()[name]:
        case Record(fields=fields):
            return max((_needs(f.type, seen) for f in fields if f.required), default=0)
        case Choice(variants=variants):
            return min(_height(v.record, seen) for v in variants if isinstance(v.record, str))
        case Alias(type=type):
            return _needs(type, seen)


def _needs(type: Any, seen: frozenset[str]) -> float:
    kind, parts = _taken_apart(type)
    match kind:
        case "ref":
            return 1 + _height(parts[0], seen)
        case "list":
            return _needs(parts[0], seen) if _limits(parts, 1).get("min_items") else 0
        case "union":
            return min(_needs(member, seen) for member in parts[0])
        case _:
            return 0


def _taken_apart(type: Any) -> tuple[str, list[Any]]:
    """The kind of a type, and what it is made of."""
    kind, *parts = type if type.__class__ is tuple else (type,)
    return kind, parts


def _limits(parts: list[Any], at: int) -> dict[str, Any]:
    return parts[at] if len(parts) > at else {}


def _variant(variant: Variant, depth: int) -> Any:
    st = _hypothesis()
    assert isinstance(variant.record, str)
    fixed = {name: st.sampled_from(constants) for name, constants in variant.constants.items()}
    return st.builds(_joined, _named(variant.record, depth), st.fixed_dictionaries(fixed))


def _joined(value: dict[str, Any], tags: dict[str, Any]) -> dict[str, Any]:
    return {**value, **tags}


def _record(record: Record, depth: int) -> Any:
    st = _hypothesis()

    def held(field: Field) -> Any:
        return _type(field.type, depth - 1)

    required = {field.wire: held(field) for field in record.fields if field.required}
    optional = {field.wire: held(field) for field in record.fields if not field.required} if depth > 0 else {}
    return st.fixed_dictionaries(required, optional=optional)


def _type(type: Any, depth: int) -> Any:
    st = _hypothesis()
    kind, parts = _taken_apart(type)
    match kind:
        case "ref":
            return st.deferred(lambda: _named(parts[0], depth))
        case "opt":
            return st.none() if depth <= 0 else st.none() | _type(parts[0], depth)
        case "map":
            return st.dictionaries(_text(), _type(parts[0], depth - 1), max_size=2)
        case "list":
            return _list(parts, depth)
        case "enum":
            return st.sampled_from(parts[0])
        case "union":
            return _hypothesis().one_of([_type(member, depth) for member in parts[0]])
        case _:
            return _scalar(kind, _limits(parts, 0))


def _list(parts: list[Any], depth: int) -> Any:
    st = _hypothesis()
    item, limits = parts[0], _limits(parts, 1)
    least = limits.get("min_items") or 0
    most = max(least, min(limits.get("max_items") or 3, 3)) if depth > 0 else least
    return st.lists(_type(item, depth), min_size=least, max_size=most)


def _scalar(kind: str, limits: dict[str, Any]) -> Any:
    st = _hypothesis()
    match kind:
        case "str":
            if limits.get("pattern"):
                return st.from_regex(limits["pattern"])
            return _text(limits.get("min_length") or 0, limits.get("max_length"))
        case "int":
            return st.integers(_least(limits), _most(limits))
        case "num":
            return st.integers(_least(limits), _most(limits)) | st.floats(
                max(_least(limits), -1e15), min(_most(limits), 1e15), allow_nan=False
            )
        case "bool":
            return st.booleans()
        case "null" | "none":
            return st.none()
        case _:
            return st.recursive(
                st.none() | st.booleans() | st.integers(*_INTEGERS) | _text(),
                _held,
                max_leaves=3,
            )


def _held(inner: Any) -> Any:
    st = _hypothesis()
    return st.lists(inner, max_size=2) | st.dictionaries(_text(), inner, max_size=2)


def _least(limits: dict[str, Any]) -> int:
    found = limits.get("minimum", limits.get("above"))
    return _INTEGERS[0] if found is None else int(found) + (1 if "above" in limits else 0)


def _most(limits: dict[str, Any]) -> int:
    found = limits.get("maximum", limits.get("below"))
    return _INTEGERS[1] if found is None else min(int(found) - (1 if "below" in limits else 0), _INTEGERS[1])


def _text(least: int = 0, most: int | None = None) -> Any:
    st = _hypothesis()
    # No surrogates: they have no UTF-8.
    letters = st.characters(exclude_categories=("Cs",))
    return st.text(letters, min_size=least, max_size=most if most is not None else max(least, 12))
