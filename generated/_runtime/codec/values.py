# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Readers of single values: scalars and unions.

A reader takes a JSON value and how to read it, and gives the value or raises Fault. The reader of a union finds the record
of an object by its constants, and by what fits.

Memoization (``once``): a reader reads a value once in a message, however many alternatives lead there. Alternatives inside alternatives would cost a factor for each level: a message of two hundred bytes could hold a receiver for
seconds. So what became of a value is remembered until the message is read.
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
    """Tolerate what the schema tells receivers to tolerate."""
    keep_undeclared: bool = False
    """Keep the members of every record that the schema does not declare."""
    lenient_enums: bool = False
    """Let values through that a closed enumeration does not have, if they are of the same JSON type."""
    seen: dict[tuple[int, int], Any] | None = None
    """What became of objects and arrays that several alternatives lead to (`once`); of one message, and made when needed."""
    dropped: list[Fault] | None = None
    """Gets the faults of values that leniency left out or replaced, with their paths; None where nobody asks for them."""


LENIENT = Reading()
STRICT = Reading(lenient=False)

Reader = Callable[[Any, Reading], Any]
"""Reads a JSON value as the second argument says; raises Fault."""


class Fault(Exception):
    """A value that does not fit; `path` grows from the fault outwards.

    `weight` counts what did fit on the way: of several variants, the one of the heaviest fault is the one that was meant.
    """

    def __init__(self, problem: str, *path: str | int, weight: int = 0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path: list[str | int] = list(path)
        self.weight = weight

    def copy(self) -> Fault:
        """The fault as it is now; each place that raises it adds to its own."""
        return Fault(self.problem, *self.path, weight=self.weight)

    def __str__(self) -> str:
        steps = [f"[{step}]" if isinstance(step, int) else _property(step) for step in reversed(self.path)]
        return f"{self.problem} - at `${''.join(steps)}`"


def fault_count(how: Reading) -> int:
    """The number of faults in dropped values."""
    return 0 if how.dropped is None else len(how.dropped)


def forget_dropped(how: Reading, before: int) -> None:
    """Values that an alternative dropped do not count when the alternative is not taken."""
    if how.dropped is not None:
        del how.dropped[before:]


def _property(name: str) -> str:
    return f".{name}" if re.fullmatch(r"[A-Za-z_$][\w$]*", name) else f"[{msgspec.json.encode(name).decode()}]"


def kind_of(value: Any) -> str:
    """The name of a JSON value's type in an error."""
    return "null" if value is None else _JSON_NAMES.get(type(value), type(value).__name__)


def expected(what: str, value: Any) -> Fault:
    """The fault of a value of another kind."""
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
"""Kinds of nodes to what makes their readers from the rest of the node."""


def once(read: Reader) -> Reader:
    """A reader of objects and arrays that tries alternatives, and does so once for each value of a message."""

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
    """Whether values of some types or records can hold a value that has alternatives itself."""
    return any(
        isinstance(part, Choice) or (part.__class__ is tuple and part[0] == "union") for part in within(nodes, *parts)
    )


class Leaf(Struct, frozen=True):
    """A variant of a choice, what it is called and how it is read."""

    variant: Variant
    label: str
    read: Reader


def choice_reader(tag: str | None, leaves: list[Leaf], *, keep_unknown: bool, nested: bool) -> Reader:
    """`tag` tells all leaves apart; an object that has another value there is an unknown variant, for a lenient reader.

    `keep_unknown`: whether it is kept; else it is a fault. `nested`: whether a leaf can hold alternatives in its turn.
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
    """The leaves that the value of a tag leaves in question, in their order."""
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
    """The fault of an object that no leaf's constants fit: the outermost tag that leads nowhere."""
    for wire in tags:
        left = [constants for constants in leaves if wire not in constants or fits(value, wire, constants[wire])]
        if not left:
            if wire in value:
                return Fault(f"Invalid value {value[wire]!r}", wire)
            return Fault(f"Object missing required field `{wire}`")
        leaves = left
    return Fault("Fits no variant of the union")
