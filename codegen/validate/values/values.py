"""Validate one value against one definition: the fast verdict first, the exact errors only if there are any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...document.json_parser import Parsed, Path
from ...document.walk import mapped, part_at
from ...findings.cascades import unexplained
from .notes import Note, of_fault, shown, undeclared_note
from .schema import Protocol


def value_notes(protocol: Protocol, name: str, value: Any, parsed: Parsed, *, path: Path, rule: str) -> list[Note]:
    """Problems with a value of a definition. `path`: its place in the message."""
    fractions = list(_fractions(protocol, name, value, path)) if parsed.integral else []
    if protocol.clean(name, value):
        return fractions
    faults = [] if protocol.valid(name, value) else protocol.faults(name, value)
    wrong = (of_fault(rule, fault, path) for fault in faults)
    return unexplained([*wrong, *fractions, *undeclared(protocol, name, value, path)])


def undeclared(protocol: Protocol, name: str, value: Any, path: Path) -> Iterator[Note]:
    """Undeclared keys of a value, with suggestions."""
    owner: Path | None = None
    free = frozenset[str]()  # the declared keys that the object lacks
    for use in protocol.walker.uses(name, value, path):
        if use.kind != "undeclared":
            continue
        if use.path[:-1] != owner:
            owner = use.path[:-1]
            free = use.declared.difference(part_at(value, owner[len(path) :]))
        yield undeclared_note(use.path, use.declared, free, use.pointer)


def _fractions(protocol: Protocol, name: str, value: Any, path: Path) -> Iterator[Note]:
    """Integers with a fraction or exponent, which some readers reject."""
    if not protocol.valid(name, value):
        return
    probe = mapped(value, _unlike_integer)
    if protocol.valid(name, probe):
        return
    for fault in protocol.faults(name, probe):
        if "integer" not in fault.expected:
            continue
        place = (*path, *fault.path)
        text = f"{shown(place)}: an integer written with a fraction or an exponent"
        yield Note("integer-with-fraction", text, place, "an integer", "a number", fault.pointer)


def _unlike_integer(value: Any) -> Any:
    """A copy of a value in which floats equal to integers are marked as non-integers."""
    if isinstance(value, float):
        return value if not value.is_integer() else value + 0.5 if abs(value) < 2**51 else 0.5
    return value
