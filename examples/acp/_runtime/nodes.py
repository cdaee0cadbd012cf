# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""What the node tables are made of: one node for each type, for readers that msgspec's own decoder cannot replace.

The type of a property, an item or an alias is the name of a kind, or a tuple: the kind, what it is made of, and its limits:

    ("ref", name)                   ("list", item, {min_items, max_items, prefix})      ("int", {minimum, above, ...})
    ("opt", type)    null, too      ("enum", constants, {base, gates: by constant})   ("num", {minimum, above, ...})
    ("map", value)                  ("union", members, {exclusive: one fits only})      ("str", {min_length, pattern, ...})
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

__all__ = ["ABSENT", "Alias", "Choice", "Field", "Node", "Record", "Variant"]

ABSENT: Any = object()
"""Stands for a property that is not there, and for a default that the schema does not give."""


class Field(Struct, frozen=True, kw_only=True):
    """A property of a record. `name`: its attribute; empty where the class writes the property by itself."""

    wire: str
    name: str
    type: Any
    required: bool = False
    fixed: bool = False
    """The constant of a union around the record: the union checks it, the record only writes it down."""
    default: Any = ABSENT
    default_on_error: bool = False
    default_on_null: bool = False
    skip_invalid_items: bool = False
    gate: str = ""
    """What the receiver must advertise for the property to be sent."""


class Record(Struct, frozen=True, kw_only=True):
    """An object. `closed`: no other properties. `tagged`: the first field is the tag, and required. `extra`: type of other properties."""

    fields: tuple[Field, ...] = ()
    closed: bool = False
    tagged: bool = False
    extra: Any = None


class Variant(Struct, frozen=True, kw_only=True):
    """A record of a choice, by name, or what an object with an unknown tag must be like.

    `constants`: what properties must be, `excludes`: what they must not be. Of the variants of one `group` only one may fit.
    """

    record: str | Record
    constants: Mapping[str, tuple[Any, ...]] = MappingProxyType({})
    excludes: tuple[tuple[str, Any], ...] = ()
    group: Any = ()
    gate: str = ""
    """What the receiver must advertise for the variant to be sent."""


class Choice(Struct, frozen=True, kw_only=True):
    """A union of records. `tag`: the property that tells all variants apart."""

    tag: str | None = None
    variants: tuple[Variant, ...]


class Alias(Struct, frozen=True, kw_only=True):
    """Any other type with a name."""

    type: Any


Node = Record | Choice | Alias
