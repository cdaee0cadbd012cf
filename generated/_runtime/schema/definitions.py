# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Rows of the method table, keywords of the protocol, and the nodes of which the node tables are made.

The emitted modules and the runtime share them: unknown variants, open records, the rows of the method table.
The module imports msgspec and the standard library only, and knows no name of any protocol.

The node tables have one node for each type, for readers that msgspec's own decoder cannot replace.

The type of a property, an item or an alias is the name of a kind, or a tuple: the kind, what it is made of, and its limits:

    ("ref", name)                   ("list", item, {min_items, max_items, prefix})      ("int", {minimum, above, ...})
    ("opt", type)    null, too      ("enum", constants, {base, gates: by constant})   ("num", {minimum, above, ...})
    ("map", value)                  ("union", members, {exclusive: one fits only})      ("str", {min_length, pattern, ...})
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeVar, assert_never, dataclass_transform, overload

from msgspec import UNSET, Struct, UnsetType, field

__all__ = [
    "ABSENT",
    "UNSET",
    "Alias",
    "Cancel",
    "Choice",
    "Extensible",
    "Field",
    "Handshake",
    "Interrupt",
    "Kind",
    "Method",
    "Node",
    "Protocol",
    "Record",
    "Remote",
    "Sessions",
    "Trace",
    "TypeKind",
    "UnknownVariant",
    "UnsetType",
    "Variant",
    "children",
    "fits",
    "given",
    "limits_of",
    "same",
    "type_kind",
    "within",
]

Kind = Literal["request", "notification"]
T = TypeVar("T")
D = TypeVar("D")

_EMPTY: Mapping[str, Any] = MappingProxyType({})

TypeKind = Literal["any", "null", "bool", "int", "num", "str", "ref", "opt", "map", "list", "enum", "union"]

ABSENT: Any = object()
"""Stands for a property that is not there, and for a default that the schema does not give."""


@overload
def given(value: T | UnsetType | None) -> T | None: ...
@overload
def given(value: T | UnsetType | None, default: D) -> T | D: ...
def given(value: Any, default: Any = None) -> Any:
    """A property's value, or a default where it is absent (UNSET) or null: ``given(call.status, "pending")``.

    Compare with ``is UNSET`` and ``is None`` where the two mean different things.
    """
    return default if value is UNSET or value is None else value


class UnknownVariant:
    """A message of a union variant that this schema does not know: kept whole and sent on unchanged.

    ``tag`` is the value that named the variant, ``raw`` the JSON object as it came.
    """

    __slots__ = ("raw", "tag")
    __match_args__ = ("tag", "raw")

    def __init__(self, tag: str | int, raw: dict[str, Any]) -> None:
        self.tag = tag
        self.raw = raw

    def __getattr__(self, name: str) -> Any:
        """A member of the object, by its name on the wire or as an attribute has it. AttributeError where there is none."""
        if not name.startswith("_") and name not in UnknownVariant.__slots__:
            first, *rest = name.split("_")
            for wire in (name, first + "".join(word.capitalize() for word in rest)):
                if wire in self.raw:
                    return self.raw[wire]
        raise AttributeError(f"this unknown variant has no field {name!r}")

    def __repr__(self) -> str:
        return f"UnknownVariant(tag={self.tag!r}, raw={self.raw!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UnknownVariant):
            return NotImplemented
        return self.tag == other.tag and self.raw == other.raw

    __hash__ = None  # type: ignore[assignment]  # holds a dict


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class Extensible:
    """A record that keeps properties its schema does not declare, in ``extra`` by their names on the wire.

    Not a Struct: msgspec would write ``extra`` as a property; the codec writes its entries beside the declared ones.
    """

    _wire: ClassVar[Mapping[str, str]] = _EMPTY
    _defaults: ClassVar[Mapping[str, Any]] = _EMPTY

    def __init_subclass__(cls, rename: Mapping[str, str] = _EMPTY) -> None:
        names = [name for name in cls.__annotations__ if name != "extra"]
        cls._wire = {name: rename.get(name, name) for name in names}
        cls._defaults = {name: vars(cls)[name] for name in names if name in vars(cls)}

    def __init__(self, **values: Any) -> None:
        self.extra: dict[str, Any] = values.pop("extra", {})
        for name in self._wire:
            if name in values:
                setattr(self, name, values.pop(name))
            elif name in self._defaults:
                setattr(self, name, self._defaults[name])
            else:
                raise TypeError(f"{type(self).__name__}() is missing {name!r}")
        if values:
            raise TypeError(f"{type(self).__name__}() got an unexpected {next(iter(values))!r}")

    def to_wire(self) -> dict[str, Any]:
        """All properties by their names on the wire; a declared one wins over an extra one of the same name."""
        values = {wire: getattr(self, name) for name, wire in self._wire.items()}
        return {**self.extra, **{wire: value for wire, value in values.items() if value is not UNSET}}

    def __repr__(self) -> str:
        values = {name: getattr(self, name) for name in self._wire}
        if self.extra:
            values["extra"] = self.extra
        shown = ", ".join(f"{name}={value!r}" for name, value in values.items() if value is not UNSET)
        return f"{type(self).__name__}({shown})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # mutable


class Method(Struct, frozen=True, kw_only=True):
    """One row of the method table: a method, the side that implements it, and what travels."""

    side: str
    """The peer that implements the method: ``agent``, ``client``, ``protocol`` (either), or another side."""
    method: str
    """The method as it stands on the wire."""
    kind: Kind
    params: Any
    """The type of the params: a class, or the alias of a union."""
    result: Any = None
    """The type of the result; None for a notification."""
    capability: str | None = None
    """The gate: a dotted path in the implementing side's capabilities, or ``side:path``; None: nothing gates it."""
    variants: Mapping[str, str] = _EMPTY
    """Gates of single variants of params that are a union, by class name."""
    gated: tuple[str, ...] = ()
    """Members of the result, by name on the wire, in which something stands behind a gate; empty text: all of the result."""
    python_name: str
    """Name of the handler and of the typed call."""
    rfd: str | None = None
    """The RFD that brought the method."""
    stage: str | None = None
    """``to-be-removed``, ``draft``, ``active``, ``preview`` or ``completed``; None where the schema does not say."""
    idempotent: bool = False
    """Whether sending the request twice has the same effect as sending it once."""
    former: str | None = None
    """The name that the method had as an extension. It is served, too."""
    former_capability: str | None = None
    """The gate of that name. A peer that opens it, and not `capability`, is called by that name."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The key of the row in the method table."""
        return (self.side, self.method, self.kind)


class Handshake(Struct, frozen=True, kw_only=True):
    """The request that opens a connection, and where in its params and result the negotiated things stand (wire names)."""

    method: str
    version: str
    version_number: int
    capabilities: Mapping[str, str]
    """Side to the property that carries that side's capabilities."""
    info: Mapping[str, str]
    """Side to the property that carries that side's name and version."""


class Cancel(Struct, frozen=True, kw_only=True):
    """The notification that cancels a request, its property with the request's id, and the error that answers."""

    method: str
    property: str
    error_code: int
    message: str = "Request cancelled"


class Interrupt(Struct, frozen=True, kw_only=True):
    """The notification that ends what a session is doing: by request, the result that the request then has, as JSON."""

    method: str
    requests: Mapping[str, Mapping[str, Any]]
    asked: Mapping[str, Mapping[str, Any]] = _EMPTY
    """By request of the other side: what its sender then answers to those that are open."""


class Sessions(Struct, frozen=True, kw_only=True):
    """The requests, by method, that open a session, that end one, and of which a session takes one at a time.

    Those of `load` and `resume` are among `open`: they open a session again, with and without its updates.
    """

    open: tuple[str, ...]
    close: tuple[str, ...]
    exclusive: tuple[str, ...] = ()
    load: tuple[str, ...] = ()
    resume: tuple[str, ...] = ()
    delete: tuple[str, ...] = ()
    """Those of `close` after which a session is not listed any more; it may still run."""
    end: tuple[str, ...] = ()
    """The notifications that say that a session has ended."""
    absolute: tuple[str, ...] = ()
    """Properties of the params that open a session which are absolute paths, or lists of them."""
    turns: Mapping[str, Mapping[str, str]] = _EMPTY
    """The requests that begin a turn which an update ends: by method, the constants of that update."""
    error_code: int = -32602
    """The code of the error for a request that is exclusive, in a session that was closed."""


class Remote(Struct, frozen=True, kw_only=True):
    """What the protocol calls its own over HTTP and WebSocket: the path of the endpoint, and the headers of its requests."""

    path: str
    connection: str
    """The header that names a connection."""
    session: str
    """The header that names a session."""
    property: str | None = None
    """The property that names the connection in the answer that opens it, where it has one."""
    version: str | None = None
    """The header with the version that both sides agreed on, where there is one."""


class Trace(Struct, frozen=True, kw_only=True):
    """The keys of `_meta` that carry the trace context of a message, in the W3C's format."""

    keys: tuple[str, ...]


class Protocol(Struct, frozen=True, kw_only=True):
    """Everything a connection must know of a protocol; the emitted method table holds the one instance."""

    methods: Mapping[tuple[str, str, str], Method]
    gates: Mapping[str, Mapping[str, Literal["boolean", "object"]]] = _EMPTY
    """Side to gate path to how the capability says yes: ``true``, or an object (``{}``)."""
    handshake: Handshake | None = None
    cancel: Cancel | None = None
    interrupt: Interrupt | None = None
    ordering: str | None = None
    """Wire name of the property whose equal values keep notifications in order."""
    sessions: Sessions | None = None
    remote: Remote | None = None
    trace: Trace | None = None


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
    constants: Mapping[str, tuple[Any, ...]] = _EMPTY
    excludes: tuple[tuple[str, Any], ...] = ()
    group: Any = ()
    gate: str = ""
    """What the receiver must advertise for the variant to be sent."""

    def allows(self, value: dict[str, Any]) -> bool:
        """Whether the constants of an object allow this variant."""
        for wire, constants in self.constants.items():
            if not fits(value, wire, constants):
                return False
        return not (self.excludes and any(fits(value, wire, (constant,)) for wire, constant in self.excludes))


class Choice(Struct, frozen=True, kw_only=True):
    """A union of records. `tag`: the property that tells all variants apart."""

    tag: str | None = None
    variants: tuple[Variant, ...]


class Alias(Struct, frozen=True, kw_only=True):
    """Any other type with a name."""

    type: Any


Node = Record | Choice | Alias


def type_kind(type: Any) -> TypeKind:
    """The kind of a type."""
    kind: TypeKind = type[0] if type.__class__ is tuple else type
    return kind


def limits_of(type: Any) -> Mapping[str, Any]:
    """The limits of a type, empty where it has none."""
    return type[-1] if type.__class__ is tuple and type[-1].__class__ is dict else {}


def children(part: Any) -> tuple[Any, ...]:
    """The types directly inside a node or a type, in order; those of a list's `prefix` first. References are not followed."""
    match part:
        case Record(fields=fields, extra=extra):
            return (*(field.type for field in fields), *(() if extra is None else (extra,)))
        case Choice(variants=variants):
            return tuple(("ref", each.record) if isinstance(each.record, str) else each.record for each in variants)
        case Alias(type=type_):
            return (type_,)
        case _:
            return _inside(type_kind(part), part)


def _inside(kind: TypeKind, type: Any) -> tuple[Any, ...]:
    match kind:
        case "any" | "null" | "bool" | "int" | "num" | "str" | "ref":
            return ()
        case "opt" | "map":
            return (type[1],)
        case "list":
            return (*limits_of(type).get("prefix", ()), type[1])
        case "enum":
            base = limits_of(type).get("base")
            return () if base is None else (base,)
        case "union":
            return tuple(type[1])
        case _:
            assert_never(kind)


def within(table: Mapping[str, Node], *parts: Any) -> Iterator[Any]:
    """Some nodes or types and all that their values may hold, in order; the node of a name comes once."""
    waiting: list[Any] = [*reversed(parts)]
    met: set[str] = set()
    while waiting:
        part = waiting.pop()
        yield part
        waiting += reversed(children(part))
        if part.__class__ is tuple and part[0] == "ref" and part[1] not in met:
            met.add(part[1])
            waiting.append(table[part[1]])


def same(left: Any, right: Any) -> bool:
    """Whether a value is a constant; 1 is 1.0 where the constant has a fraction, and true is not a number."""
    return left == right and (type(left) is type(right) or (type(right) is float and type(left) is int))


def fits(value: dict[str, Any], wire: str, constants: tuple[Any, ...]) -> bool:
    """Whether a property of an object is one of some constants."""
    found = value.get(wire, ABSENT)
    return found in constants if found.__class__ is str else any(same(found, constant) for constant in constants)
