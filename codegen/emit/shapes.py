"""A schema as the classes and aliases it becomes: unions flattened, variants named, inline types given names.

A `Record` is a class; a `Choice` a union of records (its leaves), told apart by constants or by what they require; an
`Alias` any other named type. Types inside them are `model` types in which every object and every union that has to be
resolved at run time is a `Reference` to one of the three. Names come from `variants`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..model.apart import Marks
from ..model.lock import Lock
from ..model.types import Field, Scalar, Type, Update


class Attribute(Struct, frozen=True, kw_only=True):
    """A field of a record: its Python name, its type in shapes, and the property it stands for.

    `constant` is the one value that the property of a leaf always has.
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
    """A class. `tag` is a property with one constant that the class writes by itself.

    `closed` refuses undeclared properties, `extra` keeps them. `strict_tag`: the definition itself requires the tag.
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
    """One record of a choice, and what leads to it.

    `group` numbers the variants of exclusive unions that the leaf came from, where more than one leaf may fit a value.
    """

    record: Record
    marks: Marks
    group: tuple[int, ...] = ()
    capability: str | None = None
    update: Update | None = None


class Choice(Struct, frozen=True, kw_only=True):
    """A union of records. `tag` is the property whose constant tells every leaf.

    `native`: the records that msgspec tells apart by a tag; none where the union is a marker.
    """

    name: str
    pointer: str
    leaves: tuple[Leaf, ...]
    description: str | None = None
    tag: str | None = None
    native: tuple[str, ...] = ()


class Alias(Struct, frozen=True, kw_only=True):
    """Any other named type. `marker`: msgspec cannot decode it, the node table does."""

    name: str
    pointer: str
    type: Type
    description: str | None = None
    marker: bool = False


class Shapes(Struct, frozen=True, kw_only=True):
    """Everything that is emitted as a type, by name, in the order of the schema."""

    records: Mapping[str, Record]
    choices: Mapping[str, Choice]
    aliases: Mapping[str, Alias]
    methods: Mapping[tuple[str, str, str], str] = {}
    """The names of the methods' stubs, by side, path and kind."""
    former: Mapping[str, str] = {}
    """Names that types had in the release before, by the names they have now."""
    lock: Lock = Lock()
    definitions: tuple[str, ...] = ()
    """The names that are definitions of the schema; the others are variants and inline types."""
