"""The five relations between an old and a new range of values."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Kind(Enum):
    """The relation of a new description to the old one."""

    EQUAL = "equal"
    NARROWER = "narrower"
    WIDER = "wider"
    OVERLAPPING = "overlapping"
    DISJOINT = "disjoint"

    @classmethod
    def of(cls, *, lost: bool, gained: bool, shared: bool = True) -> Kind:
        """The relation of two ranges. `lost`, `gained`: only the old or the new one has some values. `shared`: both
        have some.
        """
        return _KINDS[lost, gained] if shared or not (lost and gained) else cls.DISJOINT


_KINDS: Mapping[tuple[bool, bool], Kind] = {
    (False, False): Kind.EQUAL,
    (True, False): Kind.NARROWER,
    (False, True): Kind.WIDER,
    (True, True): Kind.OVERLAPPING,
}


def presence(old: bool | None, new: bool | None, *, old_closed: bool = False, new_closed: bool = False) -> Kind:
    """The relation of objects that differ in one property: required, optional, or (None) undeclared.

    Nobody writes undeclared properties. A closed object rejects them, any other accepts them.
    """
    lost = _writes(old) - _takes(new, closed=new_closed)
    gained = _writes(new) - _takes(old, closed=old_closed)
    return Kind.of(lost=bool(lost), gained=bool(gained), shared=bool(_writes(old) & _takes(new, closed=new_closed)))


def _writes(required: bool | None) -> set[bool]:
    """The possible cases: messages of a peer with (True) or without (False) a property."""
    return {False} if required is None else {True} if required else {True, False}


def _takes(required: bool | None, *, closed: bool) -> set[bool]:
    return {True} if required else {False} if required is None and closed else {True, False}
