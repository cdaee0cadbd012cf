"""The classes and aliases of a schema: unions flattened, variants named, inline types given names.

A `Record` is a class. A `Choice` is a union of records (its leaves), distinguished by constants or by required
properties. An `Alias` is any other named type. Types inside them are `model` types. Objects, and unions that are
resolved at run time, are each a `Reference` to one of the three. Names come from `variants`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..model.algebra.discriminators import Marks
from ..model.naming.lock import Lock
from ..model.nodes.types import Field, Scalar, Type, Update


class Attribute(Struct, frozen=True, kw_only=True):
    """A field of a record: its Python name, its shaped type and the property it represents.

    `constant` is set for a leaf's property that has only one possible value.
    """

    name: str
    type: Type
    field: Field
    constant: Scalar = None

    @property
    def wire(self) -> str:
        """The property's name on the wire."""
        return self.field.name


class Record(Struct, frozen=True, kw_only=True):
    """A class. `tag` is a property with a constant that the class writes by itself. `closed`: it rejects undeclared
    properties. `extra`: it keeps them. `strict_tag`: the definition itself requires the tag.
    """

    name: str
    pointer: str
    attributes: tuple[Attribute, ...]
    description: str | None = None
    tag: tuple[str, str] | None = None
    strict_tag: bool = False
    closed: bool = False
    extra: Type | None = None


class Leaf(Struct, frozen=True, kw_only=True):
    """One record of a choice, with the constants that select it.

    If several leaves may match a value, `group` contains the positions of the leaf's variants in the exclusive unions
    around it.
    """

    record: Record
    marks: Marks
    group: tuple[int, ...] = ()
    capability: str | None = None
    update: Update | None = None
    call: str | None = None


class Choice(Struct, frozen=True, kw_only=True):
    """A union of records. `tag` is the property whose constant identifies every leaf. `native` contains the records
    that msgspec discriminates by a tag; it is empty if the union is a marker.
    """

    name: str
    pointer: str
    leaves: tuple[Leaf, ...]
    description: str | None = None
    tag: str | None = None
    native: tuple[str, ...] = ()


class Alias(Struct, frozen=True, kw_only=True):
    """Any other named type. `marker`: the node table decodes it, because msgspec cannot."""

    name: str
    pointer: str
    type: Type
    description: str | None = None
    marker: bool = False


class Shapes(Struct, frozen=True, kw_only=True):
    """All emitted types by name, in the order of the schema."""

    records: Mapping[str, Record]
    choices: Mapping[str, Choice]
    aliases: Mapping[str, Alias]
    methods: Mapping[tuple[str, str, str], str] = {}
    """The Python names of methods, by side, path and kind."""
    former: Mapping[str, str] = {}
    """Names from the previous release, each with the type's current name."""
    longer: Mapping[str, str] = {}
    """Default names of variants that the schema renames, with the new names."""
    lock: Lock = Lock()
    views: Mapping[str, Mapping[str, bool]] = {}
    """The types of `_meta` keys: by class and key, whether a bad value counts as absent."""
    definitions: frozenset[str] = frozenset()
    """The names of the schema's definitions. All others are variants and inline types."""
