"""Readers of unions of objects: which record an object is, by its constants and by what fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from ._base import UnknownVariant
from .once import once
from .scalars import Fault, Reader, Reading, expected, fits


class Leaf(Struct, frozen=True):
    """A record of a choice: the constants that lead to it, those that do not, how it is read and what it is called."""

    constants: Mapping[str, tuple[Any, ...]]
    excludes: tuple[tuple[str, Any], ...]
    group: Any
    label: str
    read: Reader

    def allows(self, value: dict[str, Any]) -> bool:
        """Whether the constants of an object allow this leaf."""
        for wire, constants in self.constants.items():
            if not fits(value, wire, constants):
                return False
        return not (self.excludes and any(fits(value, wire, (constant,)) for wire, constant in self.excludes))


def choice_reader(tag: str | None, leaves: list[Leaf], *, keep_unknown: bool, nested: bool) -> Reader:
    """`tag` tells all leaves apart; an object that has another value there is an unknown variant, for a lenient reader.

    `keep_unknown`: whether it is kept; else it is a fault. `nested`: whether a leaf can hold alternatives in its turn.
    """
    tagged = [leaf.constants for leaf in leaves]
    leaves = sorted(leaves, key=lambda leaf: not leaf.constants)
    known = {constant for constants in tagged for constant in constants.get(tag or "", ())}
    tags = list(dict.fromkeys(wire for constants in tagged for wire in constants))
    likely = _by_tag(leaves, tags[0] if tags else "")

    def stray_tag(value: dict[str, Any]) -> str:
        return ", ".join(f"{wire} {value[wire]!r:.50}" for wire in tags if value.get(wire).__class__ is str)

    def read_leaves(leaves: list[Leaf], value: dict[str, Any], how: Reading) -> Any:
        faults: list[tuple[bool, int, int, Fault]] = []
        found: dict[Any, Any] = {}
        for leaf in leaves:
            if not leaf.allows(value):
                continue
            try:
                result = leaf.read(value, how)
            except Fault as fault:
                label = leaf.label or stray_tag(value)
                faults.append((bool(leaf.label), fault.weight, len(fault.path), _labelled(fault, label)))
                continue
            if how.lenient or not leaf.group:
                return result
            found.setdefault(leaf.group, result)
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
    constants = {constant for leaf in leaves for constant in leaf.constants.get(wire, ())}
    if not all(isinstance(constant, str) for constant in constants):
        return lambda value: leaves
    untagged = [leaf for leaf in leaves if wire not in leaf.constants]
    tagged = {
        constant: [
            leaf
            for leaf in leaves
            if constant in leaf.constants.get(wire, (constant,)) and (wire, constant) not in leaf.excludes
        ]
        for constant in constants
    }

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
