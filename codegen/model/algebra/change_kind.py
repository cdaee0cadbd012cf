"""The five relations between an old and a new range of values, as a table of the values that only one of them has."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Kind(Enum):
    """What the new description is, seen from the old one."""

    EQUAL = "equal"
    NARROWER = "narrower"
    WIDER = "wider"
    OVERLAPPING = "overlapping"
    DISJOINT = "disjoint"

    @classmethod
    def of(cls, *, lost: bool, gained: bool, shared: bool = True) -> Kind:
        """`lost`, `gained`: whether the old, the new one alone has something; `shared`: whether both have anything."""
        return _KINDS[lost, gained] if shared or not (lost and gained) else cls.DISJOINT


_KINDS: Mapping[tuple[bool, bool], Kind] = {
    (False, False): Kind.EQUAL,
    (True, False): Kind.NARROWER,
    (False, True): Kind.WIDER,
    (True, True): Kind.OVERLAPPING,
}


def presence(old: bool | None, new: bool | None, *, old_closed: bool = False, new_closed: bool = False) -> Kind:
    """How objects are related that differ in whether a property is there: required, optional, or (None) not declared.

    What is not declared, nobody writes; a closed object refuses it, any other takes it.
    """
    lost = _writes(old) - _takes(new, closed=new_closed)
    gained = _writes(new) - _takes(old, closed=old_closed)
    return Kind.of(lost=bool(lost), gained=bool(gained), shared=bool(_writes(old) & _takes(new, closed=new_closed)))


def _writes(required: bool | None) -> set[bool]:
    """Whether messages have a property, in all the ways that a peer writes them."""
    return {False} if required is None else {True} if required else {True, False}


def _takes(required: bool | None, *, closed: bool) -> set[bool]:
    return {True} if required else {False} if required is None and closed else {True, False}
