"""Capabilities: their paths, their advertisement, and the parts of a message that require one. All functions are pure.

The implemented methods determine the advertised capabilities:

    the gate of one method         advertised if the method is overridden
    the gate of several methods    advertised if all of them are overridden; a part of them is an error
    the gate of a variant          advertised if the method whose params have the variant is overridden, unless another
                                   method with the same gate is missing
    the gate of a former name      advertised if the methods that had it are overridden
    any other capability           stated by the implementer

Capabilities that the implementer states are merged over these, field by field. An explicit null or false disables a
gate.

A gate is a path in the capabilities of the side that implements the method, or ``side:path`` for another side. The path
is dotted (`a.b`), has quoted steps (`a."b.c"`, `a['b.c']`), or is a JSON Pointer (`/a/b.c`). ``true`` or an object,
even ``{}``, opens the gate; the protocol's table of gates states the form.

Properties, variants and values may require a capability, too, according to the node tables. A *check* examines a value
before it is sent, and returns the first closed gate with the place of its part. It treats plain JSON as the type that a
receiver would read. Types without a closed gate have no check, so they cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, TypeGuard, assert_never

from msgspec import UNSET

from .definitions import (
    Alias,
    Choice,
    Field,
    Handshake,
    Method,
    Node,
    Protocol,
    Record,
    UnknownVariant,
    Variant,
    children,
    limits_of,
    type_kind,
    within,
)

_STEP = r"""(?:(?<=.)\.|^)(?:"([^"]*)"|([^."'\[\]]+))|\[(?:"([^"]*)"|'([^']*)')\]"""
_QUOTED = frozenset("""."'[]:/""")

Encoding = Literal["boolean", "object"]
"""The form of an advertised capability: ``true`` or an object."""

Part = tuple[str, str]
"""A gate and the place of the gated part, such as `prompt[0].resource`."""
Check = Callable[[Any], Part | None]


def derive(protocol: Protocol, side: str, overridden: Callable[[Method], bool]) -> dict[str, Any]:
    """The capabilities to advertise for overridden methods. Raises TypeError if a shared gate is only half
    implemented.
    """
    capabilities: dict[str, Any] = {}
    for path, how in protocol.gates.get(side, {}).items():
        if _implemented(protocol, side, path, overridden):
            _put(capabilities, [*split(path)], True if how == "boolean" else {})
    return capabilities


def _implemented(protocol: Protocol, side: str, path: str, overridden: Callable[[Method], bool]) -> bool:
    rows = [row for row in protocol.methods.values() if row.side == side]
    gated = [row for row in rows if _is_gate(row.capability, side, path)]
    varied = [row for row in rows if any(_is_gate(gate, side, path) for gate in row.variants.values())]
    former = [row for row in rows if _is_gate(row.former_capability, side, path)]
    missing = [row for row in gated + varied if not overridden(row)]
    present = [row for row in gated if overridden(row)]
    if present and missing:
        has, lacks = (", ".join(row.python_name for row in rows) for rows in (present, missing))
        raise TypeError(f"the capability {path} covers several methods: in addition to {has}, implement {lacks}")
    return bool(gated or varied or former) and not missing and all(map(overridden, former))


def _is_gate(gate: str | None, side: str, path: str) -> bool:
    return gate is not None and locate(gate, side) == (side, path)


def _put(capabilities: dict[str, Any], path: list[str], value: Any) -> None:
    for name in path[:-1]:
        capabilities = capabilities.setdefault(name, {})
    # A gate inside this one may have come first and made the object.
    capabilities.setdefault(path[-1], value)


def merge(derived: Any, explicit: Any) -> Any:
    """Merge explicit capabilities over derived ones: objects field by field, all else as stated."""
    if not (_is_object(derived) and _is_object(explicit)):
        return explicit
    return {**derived, **{name: merge(derived.get(name), value) for name, value in explicit.items()}}


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def states(half: Any, opening: Handshake, side: str) -> dict[str, Any]:
    """The capabilities of a side in a half of the handshake, as plain JSON; empty if absent."""
    value = half.get(opening.capabilities.get(side, "")) if _is_object(half) else None
    return value if _is_object(value) else {}


def version_of(half: Any, opening: Handshake) -> Any:
    """The version in a half of the handshake, as plain JSON; None if absent."""
    return half.get(opening.version) if _is_object(half) else None


def speaks(version: Any, opening: Handshake) -> bool:
    """Return whether this side speaks a version. A different version ends the connection."""
    return not isinstance(version, bool) and bool(version == opening.version_number)


def gate_of(method: Method, params: Any) -> str | None:
    """The gate that decides whether params may be sent: the gate of their variant, otherwise the method's."""
    return method.variants.get(type(params).__name__, method.capability)


@lru_cache(maxsize=4096)
def locate(gate: str, side: str) -> tuple[str, str]:
    """Split a gate into the side whose capabilities decide and the normalised path."""
    owner, colon, path = gate.partition(":")
    if not (colon and owner.isalnum() and owner.islower()):
        owner, path = side, gate
    shown = "".join(
        f"['{step}']" if '"' in step else f'."{step}"' if _QUOTED & set(step) else f".{step}" for step in split(path)
    )
    return owner, shown.removeprefix(".")


@lru_cache(maxsize=4096)
def split(path: str) -> tuple[str, ...]:
    """The steps of a path. An invalid path is split at its dots and matches nothing."""
    if path.startswith("/"):
        return tuple(step.replace("~1", "/").replace("~0", "~") for step in path[1:].split("/"))
    if not any(char in path for char in "\"['"):
        return tuple(path.split("."))
    import re  # noqa: PLC0415  # few gates have such a step

    found = list(re.finditer(_STEP, path))
    if "".join(step[0] for step in found) != path:
        return tuple(path.split("."))
    return tuple(next(part for part in step.groups() if part is not None) for step in found)


def is_open(protocol: Protocol, side: str, path: str, capabilities: Any) -> bool:
    """Return whether the capabilities of a side, as plain JSON, open a gate."""
    return says_yes(capabilities, path, protocol.gates.get(side, {}).get(path, "object"))


def says_yes(capabilities: Any, path: str, encoding: Encoding) -> bool:
    """Return whether capabilities, as plain JSON, advertise a dotted path."""
    value = capabilities
    for name in split(path):
        if not _is_object(value):
            return False
        value = value.get(name)
    return value is True if encoding == "boolean" else _is_object(value)


def gates_within(table: Mapping[str, Node], name: str) -> frozenset[str]:
    """The gates of all parts of a type's values, at any depth."""
    return frozenset(gate for part in within(table, ("ref", name)) for gate in _gates_of(part) if gate)


def gates_by_member(table: Mapping[str, Node], name: str) -> dict[str, frozenset[str]]:
    """Gates as in ``gates_within``, by the wire names of a record's properties. Gates of other types are under an
    empty string.
    """
    match table[name]:
        case Alias(type=("ref", str(meant))):
            return gates_by_member(table, meant)
        case Record(fields=fields, extra=None):
            parts = {field.wire: Record(fields=(field,)) for field in fields}
            return {wire: gates_within({**table, "": part}, "") for wire, part in parts.items()}
        case _:
            return {"": gates_within(table, name)}


def _gates_of(part: Any) -> Iterable[str]:
    """The gates of a node or type itself."""
    match part:
        case Record(fields=fields):
            return [field.gate for field in fields]
        case Choice(variants=variants):
            return [variant.gate for variant in variants]
        case _:
            gates: Mapping[Any, str] = limits_of(part).get("gates", {})
            return gates.values()


class Checks:
    """The checks of types, created on first use. `closed` returns whether a gate is closed; `read` decodes plain JSON
    as a named type.
    """

    def __init__(
        self, table: Mapping[str, Node], closed: Callable[[str], bool], read: Callable[[str, Any], Any]
    ) -> None:
        self._table = table
        self._closed = closed
        self._read = read
        self._made: dict[str, Check | None] = {}

    def of(self, name: str) -> Check | None:
        """The check of a type; None if no part of its values has a closed gate."""
        if name not in self._made:
            self._made[name] = None
            if any(map(self._closed, gates_within(self._table, name))):
                self._made[name] = self._later(name)  # a type may hold itself
                self._made[name] = self._check(name, self._table[name])
        return self._made[name]

    def _later(self, name: str) -> Check:
        """A placeholder check of a type whose check is being created."""

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
        found["extra"] = _values(None if record.extra is None else self._of_type(record.extra))
        return {name: check for name, check in found.items() if check is not None}

    def _of_field(self, field: Field) -> Check | None:
        return self._behind(field.gate) or self._of_type(field.type)

    def _behind(self, gate: str) -> Check | None:
        return _closed_by(gate) if gate and self._closed(gate) else None

    def _of_variants(self, choice: Choice) -> dict[str, Check]:
        checks: dict[str, Check] = {}
        unknown: list[Check] = []
        for variant in choice.variants:
            if isinstance(variant.record, str):
                check = self._behind(variant.gate) or self.of(variant.record)
                if check is not None:
                    checks[variant.record] = check
            else:
                check = self._behind(variant.gate) or _members(
                    {f.wire: self._of_field(f) for f in variant.record.fields}
                )
                unknown += [] if check is None else [_unknown(variant, check)]
        any_unknown = _any_of(unknown)
        return checks if any_unknown is None else {**checks, UnknownVariant.__name__: any_unknown}

    def _of_type(self, type: Any) -> Check | None:
        kind = type_kind(type)
        match kind:
            case "ref":
                return self.of(type[1])
            case "enum":
                gates = limits_of(type).get("gates", {})
                return _one_of({value: gate for value, gate in gates.items() if self._closed(gate)})
            case "list":
                *prefix, items = (self._of_type(item) for item in children(type))
                return _items(prefix, items)
            case "map":
                return _values(self._of_type(type[1]))
            case "opt" | "union":
                return _any_of([check for inner in children(type) if (check := self._of_type(inner)) is not None])
            case "any" | "null" | "bool" | "int" | "num" | "str":
                return None
            case _:
                assert_never(kind)


def _closed_by(gate: str) -> Check:
    """The check of a value whose whole type has a closed gate."""

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
            if value.__class__ is dict:  # it is none, and has attributes of its own
                return None
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


def _unknown(variant: Variant, check: Check) -> Check:
    """The check of an unknown variant, by its JSON."""

    def check_unknown(value: Any) -> Part | None:
        return check(value.raw) if variant.allows(value.raw) else None

    return check_unknown


def _members(checks: Mapping[str, Check | None]) -> Check | None:
    """The check of plain JSON, by its properties."""
    parts = [(wire, check) for wire, check in checks.items() if check is not None]

    def check_members(value: Any) -> Part | None:
        for wire, check in parts:
            if wire in value and (found := check(value[wire])) is not None:
                return _under(f".{wire}", found)
        return None

    return check_members if parts else None


def _items(prefix: list[Check | None], rest: Check | None) -> Check | None:
    if rest is None and not any(prefix):
        return None

    def check_items(value: Any) -> Part | None:
        if not value or not isinstance(value, (list, tuple)):
            return None
        items: Any = value  # pyright: ignore[reportUnknownVariableType]
        for index, item in enumerate(items):
            check = prefix[index] if index < len(prefix) else rest
            if check is not None and (found := check(item)) is not None:
                return _under(f"[{index}]", found)
        return None

    return check_items


def _values(check: Check | None) -> Check | None:
    if check is None:
        return None

    def check_values(value: Any) -> Part | None:
        if not value or not isinstance(value, dict):
            return None
        members: Any = value  # pyright: ignore[reportUnknownVariableType]
        for key, held in members.items():
            if (found := check(held)) is not None:
                return _under(f"[{key!r}]", found)
        return None

    return check_values


def _any_of(checks: list[Check]) -> Check | None:
    if len(checks) < 2:
        return checks[0] if checks else None

    def check_any(value: Any) -> Part | None:
        return next((found for check in checks if (found := check(value)) is not None), None)

    return check_any


def _under(step: str, part: Part) -> Part:
    return part[0], f"{step}{part[1]}"
