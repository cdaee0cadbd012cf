"""One value against one definition: the fast verdict, then, only where there is something to say, the exact words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..document.jsontext import Parsed, Path
from ..document.jsonvalue import is_json_array, is_json_object
from ..errors import quoted
from ..findings.explained import unexplained
from .near import nearest
from .notes import Note, of_fault, shown
from .protocol import Protocol


def value_notes(protocol: Protocol, name: str, value: Any, parsed: Parsed, *, path: Path, rule: str) -> list[Note]:
    """What is wrong, or questionable, with a value of a definition; `path` is where in the message it stands."""
    fractions = list(_fractions(protocol, name, value, path)) if parsed.integral else []
    if protocol.clean(name, value):
        return fractions
    faults = [] if protocol.valid(name, value) else protocol.faults(name, value)
    wrong = (of_fault(rule, fault, path) for fault in faults)
    return unexplained([*wrong, *fractions, *undeclared(protocol, name, value, path)])


def undeclared(protocol: Protocol, name: str, value: Any, path: Path) -> Iterator[Note]:
    """Keys that the definition does not declare, with the likely name."""
    owner: Path | None = None
    free = frozenset[str]()  # the declared keys that the object lacks
    for use in protocol.walker.uses(name, value, path):
        if use.kind != "undeclared":
            continue
        around, key = use.path[:-1], str(use.path[-1])
        if around != owner:
            owner = around
            free = use.declared.difference(_at(value, owner[len(path) :]))
        near = nearest(key, free)
        hint = f"; did you mean {quoted(near)}?" if near else ""
        text = f"{shown(around)} has the undeclared property {quoted(key)}{hint}"
        declared = ", ".join(sorted(use.declared))
        yield Note(
            rule="property-undeclared",
            text=text,
            path=use.path,
            key=True,
            pointer=use.pointer,
            expected=f"a property of {declared}",
            found=quoted(key),
        )


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _fractions(protocol: Protocol, name: str, value: Any, path: Path) -> Iterator[Note]:
    """Integers that are written with a fraction or an exponent: whoever reads them by type refuses them."""
    if not protocol.valid(name, value):
        return
    probe = _unlike_integers(value)
    if protocol.valid(name, probe):
        return
    for fault in protocol.faults(name, probe):
        if "integer" not in fault.expected:
            continue
        place = (*path, *fault.path)
        text = f"{shown(place)}: an integer written with a fraction or an exponent"
        yield Note(
            rule="integer-with-fraction",
            text=text,
            path=place,
            pointer=fault.pointer,
            expected="an integer",
            found="a number",
        )


def _unlike_integers(value: Any) -> Any:
    """A value in which every float that equals an integer is none any more."""
    if isinstance(value, float):
        return value if not value.is_integer() else value + 0.5 if abs(value) < 2**51 else 0.5
    if is_json_object(value):
        return {key: _unlike_integers(child) for key, child in value.items()}
    return [_unlike_integers(child) for child in value] if is_json_array(value) else value
