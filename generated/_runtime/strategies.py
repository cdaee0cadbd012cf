# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Hypothesis strategies for every type of the package: valid values, for property-based tests of handlers.

They are built from the codec's tables. hypothesis is imported on the first call.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from math import ceil, floor
from typing import Any, Literal, assert_never

from msgspec import ValidationError

from .codec.codec import decode
from .schema.definitions import Alias, Choice, Field, Protocol, Record, Variant, children, limits_of, type_kind
from .schema.registry import Tables, tables_of

_DEPTH = 4
"""Depth of references after which optional parts are omitted."""
_ITEMS = 3
"""Number of list items beyond the required and individually typed ones."""
_INTEGERS = (-(2**53), 2**53)


def messages(type: Any, protocol: Protocol) -> Any:
    """Values of a type that may be sent, with absolute paths if required. Raises ImportError without hypothesis."""
    st = _hypothesis()
    try:
        tables = tables_of(type)
    except (KeyError, TypeError):
        raise TypeError(f"{type!r} is not a type of this package") from None
    name = tables.names[type]

    sessions = protocol.sessions
    opens = sessions is not None and any(
        row.params is type and row.method in sessions.open for row in protocol.methods.values()
    )
    paths = sessions.absolute if sessions is not None and opens else ()

    def read(value: Any) -> Any:
        return decode(type, json.dumps(_rooted(value, paths)), strict=True)

    return st.deferred(lambda: _strategies_of(tables).named(name, _DEPTH)).map(read)


def _rooted(value: Any, paths: Sequence[str]) -> Any:
    """A value in which the named properties are absolute paths, or lists of them."""
    for name in paths:
        if (found := value.get(name)) is not None:
            value[name] = f"/{found}" if isinstance(found, str) else [f"/{each}" for each in found]
    return value


def _hypothesis() -> Any:
    """The strategies module of hypothesis, imported dynamically for the sake of type checkers without hypothesis."""
    return import_module("hypothesis.strategies")


@cache
def _strategies_of(tables: Tables) -> _Strategies:
    return _Strategies(tables)


class _Strategies:
    """Creates the strategies for the types of a package on first use."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._made: dict[tuple[str, int], Any] = {}

    def named(self, name: str, depth: int) -> Any:
        """Values of the named type, as plain JSON. Near the depth limit, without optional parts."""
        if (name, depth) not in self._made:
            self._made[name, depth] = self._new(name, depth)
        return self._made[name, depth]

    def _new(self, name: str, depth: int) -> Any:
        match self._tables.nodes[name]:
            case Record() as record:
                return self._record(record, depth)
            case Choice(variants=variants):
                known = [variant for variant in variants if isinstance(variant.record, str) and not variant.excludes]
                made = _hypothesis().one_of([self._variant(each, depth) for each in self._nearest(known, depth)])
                return made.filter(partial(self._reads, name)) if any(each.group for each in variants) else made
            case Alias(type=type):
                made = self._type(type, depth)
                return made.filter(partial(self._reads, name)) if limits_of(type).get("exclusive") else made

    def _reads(self, name: str, value: Any) -> bool:
        """Return whether a value conforms to a type that requires exactly one matching alternative."""
        try:
            decode(self._tables.type_of(name), json.dumps(value), strict=True)
        except ValidationError:
            return False
        return True

    def _nearest(self, parts: Sequence[Any], depth: int) -> list[Any]:
        """Variants or members of a union. Near the depth limit, only those with the fewest nested references."""
        steps = [0.0 if depth > 0 else self._height(part) for part in parts]
        return [part for part, height in zip(parts, steps, strict=True) if height == min(steps)]

    def _height(self, part: Any, seen: frozenset[str] = frozenset()) -> float:
        """The number of nested references in the smallest value of a node or type."""
        match part:
            case Record(fields=fields):
                return max((self._height(field.type, seen) for field in fields if field.required), default=0)
            case Choice(variants=variants):
                return min(self._height(variant, seen) for variant in variants if isinstance(variant.record, str))
            case Variant(record=name):
                return self._height(("ref", name), seen)
            case Alias(type=type):
                return self._height(type, seen)
            case "ref", str(name):
                return float("inf") if name in seen else 1 + self._height(self._tables.nodes[name], seen | {name})
            case "list", *_:
                least = limits_of(part).get("min_items") or 0
                return max((self._height(item, seen) for item in _items(part, least)), default=0)
            case "union", members, *_:
                return min(self._height(member, seen) for member in members)
            case _:
                return 0

    def _variant(self, variant: Variant, depth: int) -> Any:
        st = _hypothesis()
        assert isinstance(variant.record, str)
        fixed = {name: st.sampled_from(constants) for name, constants in variant.constants.items()}
        return st.builds(_joined, self.named(variant.record, depth), st.fixed_dictionaries(fixed))

    def _record(self, record: Record, depth: int) -> Any:
        st = _hypothesis()

        def held(field: Field) -> Any:
            return self._type(field.type, depth - 1)

        required = {field.wire: held(field) for field in record.fields if field.required}
        optional = {field.wire: held(field) for field in record.fields if not field.required} if depth > 0 else {}
        made = st.fixed_dictionaries(required, optional=optional)
        if record.extra is None or depth <= 0:
            return made
        declared = {field.wire for field in record.fields}

        def is_free(name: str) -> bool:
            return name not in declared

        names = _text().filter(is_free)
        return st.builds(_joined, st.dictionaries(names, self._type(record.extra, depth - 1), max_size=2), made)

    def _type(self, type: Any, depth: int) -> Any:
        st = _hypothesis()
        kind = type_kind(type)
        match kind:
            case "ref":
                return st.deferred(lambda: self.named(type[1], depth))
            case "opt":
                return st.none() if depth <= 0 else st.none() | self._type(type[1], depth)
            case "map":
                return st.dictionaries(_text(), self._type(type[1], depth - 1), max_size=2)
            case "list":
                return self._list(type, depth)
            case "enum":
                return st.sampled_from(type[1])
            case "union":
                return st.one_of([self._type(member, depth) for member in self._nearest(type[1], depth)])
            case "any" | "null" | "bool" | "int" | "num" | "str":
                return _scalar(kind, limits_of(type))
            case _:
                assert_never(kind)

    def _list(self, type: Any, depth: int) -> Any:
        st = _hypothesis()
        *prefix, _ = children(type)
        limits = limits_of(type)
        least, most = limits.get("min_items") or 0, len(prefix) + _ITEMS
        most = max(least, min(limits.get("max_items", most), most)) if depth > 0 else least

        def of_length(count: int) -> Any:
            return st.tuples(*(self._type(item, depth) for item in _items(type, count))).map(list)

        if prefix:
            return st.integers(least, most).flatmap(of_length)
        return st.lists(self._type(type[1], depth), min_size=least, max_size=most)


def _items(type: Any, count: int) -> list[Any]:
    """The types of the first `count` items of a list."""
    *prefix, rest = children(type)
    return [*prefix[:count], *[rest] * (count - len(prefix))]


def _joined(value: dict[str, Any], tags: dict[str, Any]) -> dict[str, Any]:
    return {**value, **tags}


def _scalar(kind: Literal["any", "null", "bool", "int", "num", "str"], limits: Mapping[str, Any]) -> Any:
    st = _hypothesis()
    match kind:
        case "str":
            return _string(limits)
        case "int" | "num":
            return _number(kind, limits)
        case "bool":
            return st.booleans()
        case "null":
            return st.none()
        case "any":
            return st.recursive(
                st.none() | st.booleans() | st.integers(*_INTEGERS) | _text(),
                _held,
                max_leaves=3,
            )
        case _:
            assert_never(kind)


def _string(limits: Mapping[str, Any]) -> Any:
    least, most = limits.get("min_length") or 0, limits.get("max_length")

    def in_lengths(text: str) -> bool:
        return least <= len(text) and (most is None or len(text) <= most)

    if limits.get("pattern"):
        return _hypothesis().from_regex(limits["pattern"]).filter(in_lengths)
    return _text(least, most)


def _number(kind: Literal["int", "num"], limits: Mapping[str, Any]) -> Any:
    st = _hypothesis()
    low = max(_INTEGERS[0], limits.get("minimum", _INTEGERS[0]), limits.get("above", _INTEGERS[0]))
    high = min(_INTEGERS[1], limits.get("maximum", _INTEGERS[1]), limits.get("below", _INTEGERS[1]))
    step = limits.get("multiple_of", 1)

    def is_inside(value: float) -> bool:
        return limits.get("above") != value != limits.get("below")

    def allowed(value: float) -> bool:
        return is_inside(value) and value % step == 0

    def steps(count: int) -> Any:
        return count * step

    made = st.integers(ceil(low / step), floor(high / step)).map(steps)
    if kind == "int":
        return (made if isinstance(step, int) else st.integers(ceil(low), floor(high))).filter(allowed)
    if "multiple_of" in limits:
        return made.filter(allowed)
    fractions = st.floats(max(low, -1e15), min(high, 1e15), allow_nan=False)
    whole = st.integers(ceil(low), floor(high)) if ceil(low) <= floor(high) else st.nothing()
    return (whole | fractions).filter(is_inside)


def _held(inner: Any) -> Any:
    st = _hypothesis()
    return st.lists(inner, max_size=2) | st.dictionaries(_text(), inner, max_size=2)


def _text(least: int = 0, most: int | None = None) -> Any:
    st = _hypothesis()
    # No surrogates: they have no UTF-8.
    letters = st.characters(exclude_categories=("Cs",))
    return st.text(letters, min_size=least, max_size=most if most is not None else max(least, 12))
