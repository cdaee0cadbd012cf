"""The bounds of a number, a string or an array, in numbers and by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..nodes.types import Anything, Array, Integer, Number, String

T = TypeVar("T")
Bounded = Integer | Number | String | Array

SIZES: Mapping[str, tuple[int, int]] = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64, 128)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64, 128)},
    "uint": (0, 2**64 - 1),
    "int": (-(2**63), 2**63 - 1),
}
"""The range of integers for each format. Other formats reject nothing."""


def bare(type_: Bounded) -> Bounded:
    """A type with only its bounds: integer sizes become ranges, array items are omitted."""
    if isinstance(type_, Array):
        return replace(type_, items=Anything(), prefix=())
    if isinstance(type_, Integer):
        low, high = SIZES.get(type_.format or "", (None, None))
        above = None if type_.above is None else math.floor(type_.above) + 1
        below = None if type_.below is None else math.ceil(type_.below) - 1
        return Integer(
            minimum=max((n for n in (low, type_.minimum, above) if n is not None), default=None),
            maximum=min((n for n in (high, type_.maximum, below) if n is not None), default=None),
            multiple_of=type_.multiple_of,
        )
    return replace(type_, format=None) if isinstance(type_, Number) else type_


class Bounds(Struct, frozen=True):
    """The bounds of a type by name: lower, upper and other restrictions. `notes` restrict nothing."""

    lower: Mapping[str, float]
    upper: Mapping[str, float]
    rest: Mapping[str, object]
    notes: Mapping[str, object]


def bounds(type_: Bounded) -> Bounds:
    """The bounds of a type."""
    type_ = bare(type_)
    match type_:
        case Integer() | Number():
            lower = {"minimum": type_.minimum, "exclusive minimum": type_.above}
            upper = {"maximum": type_.maximum, "exclusive maximum": type_.below}
            rest: dict[str, object] = {"divisor": type_.multiple_of}
            notes: dict[str, object] = {}
        case String():
            lower, upper = {"length at least": type_.min_length or None}, {"length at most": type_.max_length}
            rest, notes = {"pattern": type_.pattern}, {"format": type_.format, "contentEncoding": type_.encoding}
        case Array():
            lower, upper = {"items at least": type_.min_items or None}, {"items at most": type_.max_items}
            rest, notes = {}, {}
    return Bounds(_given(lower), _given(upper), _given(rest), _given(notes))


def _given(table: Mapping[str, T | None]) -> dict[str, T]:
    return {name: value for name, value in table.items() if value is not None}
