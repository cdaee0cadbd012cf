"""Which gates the parts of a value stand behind: properties, variants and values, found by the node tables.

Pure functions. A *check* looks at a value that is about to be sent and gives the closed gate that its first such part stands
behind, with the place of the part. Plain JSON counts as what it would be read as. A type in which no gate is closed has no
check, so what nothing can refuse costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

from msgspec import UNSET

from .nodes import Alias, Choice, Field, Node, Record

__all__ = ["Check", "Checks", "Part", "gates_by_member", "gates_within"]

Part = tuple[str, str]
"""A gate and the place of the part behind it, as `prompt[0].resource`."""
Check = Callable[[Any], Part | None]


def gates_within(table: Mapping[str, Node], name: str) -> frozenset[str]:
    """The gates of all parts that a value of a type may have, however deep."""
    found: set[str] = set()
    seen: set[str] = set()
    names = [name]
    while names:
        if (name := names.pop()) not in seen:
            seen.add(name)
            for gate, reference in _in_node(table[name]):
                found |= {gate} - {""}
                names += [reference] if reference else []
    return frozenset(found)


def gates_by_member(table: Mapping[str, Node], name: str) -> dict[str, frozenset[str]]:
    """As ``gates_within``, by the members of a record as the wire names them; those of any other type by an empty text."""
    match table[name]:
        case Alias(type=("ref", str(meant))):
            return gates_by_member(table, meant)
        case Record(fields=fields, extra=None):
            parts = {field.wire: Record(fields=(field,)) for field in fields}
            return {wire: gates_within({**table, "": part}, "") for wire, part in parts.items()}
        case _:
            return {"": gates_within(table, name)}


def _in_node(node: Node) -> Iterator[tuple[str, str]]:
    """The gates of a node and the types that it refers to, each as one half of a pair."""
    match node:
        case Record(fields=fields, extra=extra):
            for field in fields:
                yield field.gate, ""
                yield from _in_type(field.type)
            yield from _in_type(extra)
        case Choice(variants=variants):
            for variant in variants:
                yield variant.gate, variant.record if isinstance(variant.record, str) else ""
        case Alias(type=type_):
            yield from _in_type(type_)


def _in_type(node: Any) -> Iterator[tuple[str, str]]:
    match node:
        case "ref", str(name):
            yield "", name
        case "enum", _, limits:
            yield from ((gate, "") for gate in limits.get("gates", {}).values())
        case "opt" | "map" | "list", inner, *limits:
            yield from _in_type(inner)
            for item in limits[0].get("prefix", ()) if limits else ():
                yield from _in_type(item)
        case "union", members, *_:
            for member in members:
                yield from _in_type(member)
        case _:
            pass


class Checks:
    """The checks of types, made when first asked for.

    `closed` says whether a gate is, `read` reads plain JSON as the type of a name.
    """

    def __init__(
        self, table: Mapping[str, Node], closed: Callable[[str], bool], read: Callable[[str, Any], Any]
    ) -> None:
        self._table = table
        self._closed = closed
        self._read = read
        self._made: dict[str, Check | None] = {}

    def of(self, name: str) -> Check | None:
        """The check of a type; None where no part of its values stands behind a closed gate."""
        if name not in self._made:
            self._made[name] = None
            if any(map(self._closed, gates_within(self._table, name))):
                self._made[name] = self._later(name)  # a type may hold itself
                self._made[name] = self._check(name, self._table[name])
        return self._made[name]

    def _later(self, name: str) -> Check:
        """The check of a type that is being made."""

        def check_later(value: Any) -> Part | None:
            check = self._made[name]
            return None if check is None else check(value)

        return check_later

    def of_parameters(self, name: str) -> dict[str, Check]:
        """The checks of a record's attributes, by name."""
        node = self._table[name]
        match node:
            case Alias(type=("ref", str(meant))):
                return self.of_parameters(meant)
            case Record():
                return self._of_fields(node)
            case _:
                return {}

    def _check(self, name: str, node: Node) -> Check | None:
        match node:
            case Record():
                return _record(name, self._of_fields(node), self._read)
            case Choice():
                return _by_class(name, self._of_variants(node), self._read)
            case Alias(type=type_):
                return self._of_type(type_)

    def _of_fields(self, record: Record) -> dict[str, Check]:
        found = {field.name: self._of_field(field) for field in record.fields if field.name}
        return {name: check for name, check in found.items() if check is not None}

    def _of_field(self, field: Field) -> Check | None:
        if field.gate and self._closed(field.gate):
            return _closed_by(field.gate)
        return self._of_type(field.type)

    def _of_variants(self, choice: Choice) -> dict[str, Check]:
        checks: dict[str, Check] = {}
        for variant in choice.variants:
            if isinstance(variant.record, str):
                check = (
                    _closed_by(variant.gate) if variant.gate and self._closed(variant.gate) else self.of(variant.record)
                )
                if check is not None:
                    checks[variant.record] = check
        return checks

    def _of_type(self, node: Any) -> Check | None:
        match node:
            case "ref", str(name):
                return self.of(name)
            case "enum", _, limits:
                return _one_of({value: gate for value, gate in limits.get("gates", {}).items() if self._closed(gate)})
            case "opt", inner:
                return self._of_type(inner)
            case "list", item, *_:
                return _items(self._of_type(item))
            case "map", value:
                return _values(self._of_type(value))
            case "union", members, *_:
                return _any_of([check for member in members if (check := self._of_type(member)) is not None])
            case _:
                return None


def _closed_by(gate: str) -> Check:
    """The check of what stands behind a closed gate as a whole."""

    def check_whole(value: Any) -> Part | None:
        return None if value is UNSET or value is None else (gate, "")

    return check_whole


def _one_of(closed: Mapping[str, str]) -> Check | None:
    def check_value(value: Any) -> Part | None:
        return (closed[value], "") if value.__class__ is str and value in closed else None

    return check_value if closed else None


def _record(name: str, checks: Mapping[str, Check], read: Callable[[str, Any], Any]) -> Check | None:
    parts = tuple(checks.items())

    def check_record(value: Any) -> Part | None:
        if value.__class__.__name__ != name:
            if value.__class__ is not dict:
                return None
            value = read(name, value)
        for attribute, check in parts:
            held = getattr(value, attribute, UNSET)
            if held is not UNSET and (found := check(held)) is not None:
                return _under(f".{attribute}", found)
        return None

    return check_record if parts else None


def _by_class(name: str, checks: Mapping[str, Check], read: Callable[[str, Any], Any]) -> Check | None:
    def check_plain(value: Any) -> Part | None:
        found = read(name, value)
        return None if found.__class__ is dict else check_variant(found)

    by_class = {**checks, "dict": check_plain}

    def check_variant(value: Any) -> Part | None:
        check = by_class.get(value.__class__.__name__)
        return None if check is None else check(value)

    return check_variant if checks else None


def _items(check: Check | None) -> Check | None:
    if check is None:
        return None

    def check_items(value: Any) -> Part | None:
        for index, item in enumerate(cast("Iterable[Any]", value) if isinstance(value, (list, tuple)) else ()):
            if (found := check(item)) is not None:
                return _under(f"[{index}]", found)
        return None

    return check_items


def _values(check: Check | None) -> Check | None:
    if check is None:
        return None

    def check_values(value: Any) -> Part | None:
        for key, held in cast("Mapping[Any, Any]", value).items() if isinstance(value, dict) else ():
            if (found := check(held)) is not None:
                return _under(f"[{key!r}]", found)
        return None

    return check_values


def _any_of(checks: list[Check]) -> Check | None:
    def check_members(value: Any) -> Part | None:
        return next((found for check in checks if (found := check(value)) is not None), None)

    return check_members if checks else None


def _under(step: str, part: Part) -> Part:
    return part[0], f"{step}{part[1]}"
