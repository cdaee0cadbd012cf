"""The nodes of a loaded schema, a closed set. Nodes are immutable and comparable, and contain no JSON.

A `Schema` holds definitions by name and methods by key. The type of a definition, property, item or variant is one of
`TYPES`. A node represents the wire format, not its notation: a `$ref` and a `$ref` wrapped in `allOf`, `const` and an
`enum` with one value, or `true` and `{}` load to equal nodes. `pointer` gives the place of a part in the document. The
types of the root's other keywords are in `root` or, where the runtime uses them unchanged, in the runtime.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct

from ...contracts import Cancel, Handshake, Interrupt, Remote, Sessions, Trace, Tunnel
from .patterns import is_tame
from .root import Handle, Listing, Permission, Requirement, Rfd, Updates

Role: TypeAlias = Literal["Request", "Response", "Notification"]
ROLES: tuple[Role, ...] = ("Request", "Response", "Notification")
"""The roles of a definition in a method, by the suffix of its name."""

Does: TypeAlias = Literal["create", "upsert", "patch", "append", "replace", "remove", "join", "advance"]
"""The effects of an update on an entry. The last two apply to properties of the entry."""

Scalar: TypeAlias = str | int | float | bool | None


class Anything(Struct, frozen=True, tag=True):
    """Any JSON value."""


class Null(Struct, frozen=True, tag=True):
    """null alone."""


class Boolean(Struct, frozen=True, tag=True):
    """true or false."""


class Bounded(Struct, frozen=True):
    """The bounds of integers and numbers. `format` (int32, uint64, double, ...) states the size and rejects nothing."""

    minimum: int | float | None = None
    maximum: int | float | None = None
    above: int | float | None = None
    below: int | float | None = None
    multiple_of: int | float | None = None
    format: str | None = None


class Integer(Bounded, frozen=True, tag=True):
    """An integer in a range."""


class Number(Bounded, frozen=True, tag=True):
    """Any number in a range."""


class String(Struct, frozen=True, tag=True):
    """A string; lengths in code points; `format` and `encoding` reject nothing."""

    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
    encoding: str | None = None

    @property
    def checked_pattern(self) -> str | None:
        """The pattern, if decoders check it. Patterns with backtracking are excluded, because a sender could make
        them slow.
        """
        return self.pattern if self.pattern is not None and is_tame(self.pattern) else None


class Value(Struct, frozen=True, kw_only=True):
    """One constant of an enumeration. `name`: its Python name, if it differs from the title."""

    constant: Scalar
    pointer: str
    title: str | None = None
    name: str | None = None
    description: str | None = None
    rfd: str | None = None
    capability: str | None = None
    call: str | None = None
    """The method of a session that chooses an option of this category."""


class Enumeration(Struct, frozen=True, tag=True):
    """Constants. With `base`, the enumeration is open: it accepts any value of that type."""

    values: tuple[Value, ...]
    base: Type | None = None


class Array(Struct, frozen=True, tag=True):
    """An array; `prefix` types the first items, `items` the rest."""

    items: Type
    prefix: tuple[Type, ...] = ()
    min_items: int | None = None
    max_items: int | None = None


class Map(Struct, frozen=True, tag=True):
    """An object used as a map: any key, one type of value."""

    values: Type


class Reference(Struct, frozen=True, tag=True):
    """A reference to a definition."""

    name: str


class Nullable(Struct, frozen=True, tag=True):
    """A type or null."""

    inner: Type


class Update(Struct, frozen=True, kw_only=True):
    """The effect of a message with a property, or of a variant, on the state of a session.

    `part`: the changed part; empty for a property of an entry. `key`: the steps to the property with the entry's key.
    `item` is appended to the entry's `to`; `of`: the tag of the variant that creates the entry. `null`: the effect of
    null on a property of the entry. `done` and `failed`: values of an advancing property that mean the end of an entry.
    `does` is None if the keyword is `false`: nothing is changed.
    """

    does: Does | None = None
    part: str = ""
    key: tuple[str, ...] = ()
    item: str = ""
    to: str = ""
    of: str = ""
    null: Literal["clear", "keep"] = "clear"
    done: str = ""
    failed: str = ""


class Field(Struct, frozen=True, kw_only=True):
    """A property of an object."""

    name: str
    type: Type
    required: bool
    pointer: str
    description: str | None = None
    default: Any = None
    has_default: bool = False
    default_on_error: bool = False
    default_on_null: bool = False
    skip_invalid_items: bool = False
    rfd: str | None = None
    capability: str | None = None
    deprecated: bool = False
    update: Update | None = None


class Exclusion(Struct, frozen=True):
    """An exclusion by `not` in a variant: objects whose property has this constant."""

    property: str
    constant: Scalar


class Variant(Struct, frozen=True, kw_only=True):
    """A member of a union."""

    type: Type
    pointer: str
    title: str | None = None
    description: str | None = None
    rfd: str | None = None
    capability: str | None = None
    update: Update | None = None
    call: str | None = None
    """The name of the method that sends it; None for the default."""
    name: str | None = None
    """The name of its class; None for the default."""


class Union(Struct, frozen=True, tag=True):
    """One of several types. `exclusive` (`oneOf`): exactly one."""

    variants: tuple[Variant, ...]
    exclusive: bool = False


class Object(Struct, frozen=True, tag=True):
    """An object: its own properties, all properties of its bases, and those of one variant of each of its unions.

    `extra`: the type of undeclared properties, which are kept (`additionalProperties` beside `properties`). `closed`:
    undeclared properties are rejected.
    """

    fields: tuple[Field, ...] = ()
    bases: tuple[Reference | Object, ...] = ()
    unions: tuple[Union, ...] = ()
    excludes: tuple[Exclusion, ...] = ()
    extra: Type | None = None
    closed: bool = False


Type: TypeAlias = (
    Anything
    | Null
    | Boolean
    | Integer
    | Number
    | String
    | Enumeration
    | Array
    | Map
    | Reference
    | Nullable
    | Union
    | Object
)
TYPES: tuple[type, ...] = get_args(Type)


class Definition(Struct, frozen=True, kw_only=True):
    """A named type."""

    name: str
    type: Type
    pointer: str
    description: str | None = None
    rfd: str | None = None
    deprecated: bool = False


class Method(Struct, frozen=True, kw_only=True):
    """A method on one implementing side. `gated` is False if the schema states that no capability gates it."""

    side: str
    path: str
    kind: Literal["request", "notification"]
    params: str
    result: str | None
    pointer: str
    capability: str | None = None
    gated: bool | None = None
    rfd: str | None = None
    idempotent: bool = False
    former: str | None = None
    """The name that the method had as an extension (`x-was`), which is served, too."""
    former_gate: str | None = None
    """The capability by which peers advertise that name."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The key of the method in the table."""
        return (self.side, self.path, self.kind)


class Schema(Struct, frozen=True, kw_only=True, dict=True):
    """A loaded schema. `rfds` is None if the document has no table of RFDs, so that stages are unknown.

    `tolerant`: it was read tolerantly. `approximated` then gives the reason for each definition that is wider than in
    the document.
    """

    title: str
    definitions: Mapping[str, Definition]
    methods: tuple[Method, ...]
    rfds: Mapping[str, Rfd] | None = None
    requirements: tuple[Requirement, ...] = ()
    handshake: Handshake | None = None
    cancel: Cancel | None = None
    ordering: str | None = None
    sessions: Sessions | None = None
    lists: Mapping[str, Listing] | None = None
    interrupt: Interrupt | None = None
    remote: Remote | None = None
    trace: Trace | None = None
    tunnel: Tunnel | None = None
    updates: Updates | None = None
    permission: Permission | None = None
    handles: Mapping[str, Handle] | None = None
    tolerant: bool = False
    approximated: Mapping[str, str] = {}

    ends: Mapping[str, Type] = {}
    """The types at the end of chains of definitions that only refer to others."""

    def __post_init__(self) -> None:
        member: Any = Schema.ends  # msgspec has `force_setattr` since 0.18.1 alone
        member.__set__(self, _ends(self.definitions))

    def resolve(self, type_: Type) -> Type:
        """A type with references at its root followed."""
        if not isinstance(type_, Reference):
            return type_
        return self.ends.get(type_.name) or self.definitions[type_.name].type


def _ends(definitions: Mapping[str, Definition]) -> dict[str, Type]:
    found: dict[str, Type] = {}
    for name in definitions:
        way: dict[str, None] = {}
        type_ = definitions[name].type
        while isinstance(type_, Reference) and type_.name in definitions and not (name in found or name in way):
            way[name] = None
            name, type_ = type_.name, definitions[type_.name].type  # noqa: PLW2901
        found.update(dict.fromkeys(way, found.get(name, type_)))
    return found
