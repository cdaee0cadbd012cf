"""Readers of single values: scalars and unions.

A reader takes a JSON value and the options, and returns the value or raises Fault. The reader of a union selects a
variant by its constants, then by conformance.

Memoization (``once``): a reader reads each value of a message once, however many alternatives lead to it. Otherwise
nested alternatives would multiply, and a message of two hundred bytes could block a receiver for seconds. Results are
therefore kept until the message has been read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..schema.definitions import Choice, Node, UnknownVariant, Variant, fits, within

_JSON_NAMES: Mapping[Any, str] = {dict: "object", list: "array", str: "str", bool: "bool", int: "int", float: "float"}
_NEW: Any = object()


class Reading(msgspec.Struct, frozen=True):
    """The options for reading messages."""

    lenient: bool = True
    """Tolerate the bad values that the schema tells receivers to tolerate."""
    keep_undeclared: bool = False
    """Keep undeclared properties of every record."""
    lenient_enums: bool = False
    """Accept values that a closed enumeration does not list, if they have the same JSON type."""
    seen: dict[tuple[int, int], Any] | None = None
    """Memoized results for objects and arrays that several alternatives lead to (`once`), for one message. Created on
    demand.
    """
    dropped: list[Fault] | None = None
    """Collects the faults of dropped or replaced values, with their paths. None if the caller does not need them."""


LENIENT = Reading()
STRICT = Reading(lenient=False)

Reader = Callable[[Any, Reading], Any]
"""A function that reads a JSON value with some options, and raises Fault."""


class Fault(Exception):
    """A value that does not conform. `path` grows from the fault outwards. `weight` counts the conforming parts. Among
    several variants, the fault with the highest weight indicates the intended variant.
    """

    def __init__(self, problem: str, *path: str | int, weight: int = 0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path: list[str | int] = list(path)
        self.weight = weight

    def copy(self) -> Fault:
        """A copy of the fault in its present state. Each place that raises it extends its own copy."""
        return Fault(self.problem, *self.path, weight=self.weight)

    def __str__(self) -> str:
        steps = [f"[{step}]" if isinstance(step, int) else _property(step) for step in reversed(self.path)]
        return f"{self.problem} - at `${''.join(steps)}`"


def fault_count(how: Reading) -> int:
    """The number of faults in dropped values."""
    return 0 if how.dropped is None else len(how.dropped)


def forget_dropped(how: Reading, before: int) -> None:
    """Discard the values that a rejected alternative dropped."""
    if how.dropped is not None:
        del how.dropped[before:]


def _property(name: str) -> str:
    return f".{name}" if re.fullmatch(r"[A-Za-z_$][\w$]*", name) else f"[{msgspec.json.encode(name).decode()}]"


def kind_of(value: Any) -> str:
    """The name of a JSON value's type for an error message."""
    return "null" if value is None else _JSON_NAMES.get(type(value), type(value).__name__)


def expected(what: str, value: Any) -> Fault:
    """The fault of a value of the wrong kind."""
    return Fault(f"Expected `{what}`, got `{kind_of(value)}`")


def _read_any(value: Any, how: Reading) -> Any:
    return value


def _read_null(value: Any, how: Reading) -> Any:
    if value is not None:
        raise expected("null", value)
    return None


def _read_bool(value: Any, how: Reading) -> Any:
    if type(value) is not bool:
        raise expected("bool", value)
    return value


def _number_reader(kinds: tuple[type, ...], name: str) -> Callable[..., Reader]:
    def with_bounds(
        minimum: Any = None, maximum: Any = None, above: Any = None, below: Any = None, multiple_of: Any = None
    ) -> Reader:
        bounds: list[tuple[str, Callable[[Any], bool], Any]] = [
            (f">= {minimum}", lambda v: v >= minimum, minimum),
            (f"<= {maximum}", lambda v: v <= maximum, maximum),
            (f"> {above}", lambda v: v > above, above),
            (f"< {below}", lambda v: v < below, below),
            (f"that's a multiple of {multiple_of}", lambda v: v % multiple_of == 0, multiple_of),
        ]
        checks = [(text, check) for text, check, bound in bounds if bound is not None]

        def read_number(value: Any, how: Reading) -> Any:
            if type(value) not in kinds:
                raise expected(name, value)
            for text, check in checks:
                if not check(value):
                    raise Fault(f"Expected `{name}` {text}")
            return value

        return read_number

    return with_bounds


def _string_reader(min_length: int | None = None, max_length: int | None = None, pattern: str | None = None) -> Reader:
    search = re.compile(pattern).search if pattern is not None else None

    def read_string(value: Any, how: Reading) -> Any:
        if type(value) is not str:
            raise expected("str", value)
        if min_length is not None and len(value) < min_length:
            raise Fault(f"Expected `str` of length >= {min_length}")
        if max_length is not None and len(value) > max_length:
            raise Fault(f"Expected `str` of length <= {max_length}")
        if search is not None and search(value) is None:
            raise Fault(f"Expected `str` matching regex {pattern!r}")
        return value

    return read_string


SCALARS: Mapping[str, Callable[..., Reader]] = {
    "any": lambda: _read_any,
    "null": lambda: _read_null,
    "bool": lambda: _read_bool,
    "int": _number_reader((int,), "int"),
    "num": _number_reader((int, float), "float"),
    "str": _string_reader,
}
"""Kinds of scalar nodes, each with the function that creates its reader."""


def once(read: Reader) -> Reader:
    """Memoize a reader of objects and arrays that tries alternatives."""

    def read_once(value: Any, how: Reading) -> Any:
        if how.seen is None:
            how = replace(how, seen={})
        seen: Any = how.seen
        # By identity: the message holds its values for as long as it is read.
        key = (id(read), id(value))
        found = seen.get(key, _NEW)
        if found is _NEW:
            before = fault_count(how)
            try:
                found = read(value, how)
                seen[key] = found, [each.copy() for each in (how.dropped or ())[before:]]
            except Fault as fault:
                seen[key] = fault.copy()
                raise
        elif found.__class__ is Fault:
            raise found.copy()
        else:
            found, dropped = found
            if how.dropped is not None:
                how.dropped.extend(each.copy() for each in dropped)
        return found

    return read_once


def holds_alternatives(parts: Iterable[Any], nodes: Mapping[str, Node]) -> bool:
    """Return whether values of some types or records can contain a value with alternatives."""
    return any(
        isinstance(part, Choice) or (part.__class__ is tuple and part[0] == "union") for part in within(nodes, *parts)
    )


class Leaf(Struct, frozen=True):
    """A variant of a union or an `anyOf`, with its name and reader."""

    variant: Variant
    label: str
    read: Reader


def choice_reader(tag: str | None, leaves: list[Leaf], *, keep_unknown: bool, nested: bool) -> Reader:
    """Create the reader of a union whose variants are discriminated by `tag`. In lenient mode, an object with another
    tag is an unknown variant.

    `keep_unknown`: keep unknown variants instead of raising Fault. `nested`: a variant may contain alternatives
    itself.
    """
    tagged = [leaf.variant.constants for leaf in leaves]
    leaves = sorted(leaves, key=lambda leaf: not leaf.variant.constants)
    known = {constant for constants in tagged for constant in constants.get(tag or "", ())}
    tags = list(dict.fromkeys(wire for constants in tagged for wire in constants))
    likely = _by_tag(leaves, tags[0] if tags else "")

    def stray_tag(value: dict[str, Any]) -> str:
        return ", ".join(f"{wire} {value[wire]!r:.50}" for wire in tags if value.get(wire).__class__ is str)

    def read_leaves(leaves: list[Leaf], value: dict[str, Any], how: Reading) -> Any:
        faults: list[tuple[bool, int, int, Fault]] = []
        found: dict[Any, Any] = {}
        for leaf in leaves:
            if not leaf.variant.allows(value):
                continue
            before = fault_count(how)
            try:
                result = leaf.read(value, how)
            except Fault as fault:
                forget_dropped(how, before)
                label = leaf.label or stray_tag(value)
                faults.append((bool(leaf.label), fault.weight, len(fault.path), _labelled(fault, label)))
                continue
            if how.lenient or not leaf.variant.group:
                return result
            found.setdefault(leaf.variant.group, result)
        if len(found) == 1:
            return next(iter(found.values()))
        if found:
            raise Fault("Fits more than one variant of the union")
        if faults:
            # The variant that the tag names is the one that was meant, else the one that came furthest.
            raise max(faults, key=lambda each: each[:3])[3]
        if how.lenient and keep_unknown and tag is not None and type(value.get(tag)) is str and value[tag] not in known:
            return UnknownVariant(value[tag], value)
        raise _no_variant(tags, tagged, value)

    read_once = once(lambda value, how: read_leaves(likely(value), value, how))

    def read_choice(value: Any, how: Reading) -> Any:
        if value.__class__ is not dict:
            raise expected("object", value)
        leaves = likely(value)
        return read_once(value, how) if nested and len(leaves) > 1 else read_leaves(leaves, value, how)

    return read_choice


def _by_tag(leaves: list[Leaf], wire: str) -> Callable[[dict[str, Any]], list[Leaf]]:
    """The variants that the value of a tag allows, in order."""
    constants = {constant for leaf in leaves for constant in leaf.variant.constants.get(wire, ())}
    if not all(isinstance(constant, str) for constant in constants):
        return lambda value: leaves
    untagged = [leaf for leaf in leaves if wire not in leaf.variant.constants]

    def allow(variant: Variant, constant: str) -> bool:
        return constant in variant.constants.get(wire, (constant,)) and (wire, constant) not in variant.excludes

    tagged = {constant: [leaf for leaf in leaves if allow(leaf.variant, constant)] for constant in constants}

    def likely(value: dict[str, Any]) -> list[Leaf]:
        tag = value.get(wire)
        return tagged.get(tag, untagged) if isinstance(tag, str) else untagged

    return likely


def _labelled(fault: Fault, label: str) -> Fault:
    if label and not fault.problem.endswith(")"):
        fault.problem += f" (as {label})"
    return fault


def _no_variant(tags: list[str], leaves: list[Mapping[str, tuple[Any, ...]]], value: dict[str, Any]) -> Fault:
    """The fault of an object that no variant's constants fit. It names the outermost tag without a match."""
    for wire in tags:
        left = [constants for constants in leaves if wire not in constants or fits(value, wire, constants[wire])]
        if not left:
            if wire in value:
                return Fault(f"Invalid value {value[wire]!r}", wire)
            return Fault(f"Object missing required field `{wire}`")
        leaves = left
    return Fault("Fits no variant of the union")
