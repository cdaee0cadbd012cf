"""Rows of the method table, keywords of the protocol, and the nodes of the node tables.

The emitted modules and the runtime share these definitions. The module imports only msgspec and the standard library,
and contains no protocol names.

The node tables have one node for each type. Readers use them for types that msgspec cannot decode by itself.

The type of a property, an item or an alias is the name of a kind, or a tuple of the kind, its parts and its limits:

    ("ref", name)              ("list", item, {min_items, max_items, prefix})     ("int", {minimum, above, ...})
    ("opt", type)   nullable   ("enum", constants, {base, gates: by constant})    ("num", {minimum, above, ...})
    ("map", value)             ("union", members, {exclusive: only one fits})     ("str", {min_length, pattern, ...})
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
    "Tunnel",
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
"""Marks an absent property, and a default that the schema does not give."""


@overload
def given(value: T | UnsetType | None) -> T | None: ...
@overload
def given(value: T | UnsetType | None, default: D) -> T | D: ...
def given(value: Any, default: Any = None) -> Any:
    """Return a property's value, or a default if it is absent (UNSET) or null: ``given(call.status, "pending")``. If
    absent and null mean different things, compare with ``is UNSET`` and ``is None`` instead.
    """
    return default if value is UNSET or value is None else value


class UnknownVariant:
    """A value of an unknown variant of a union. It is kept unchanged and can be sent on. ``tag`` is the tag's value,
    ``raw`` the received JSON object.
    """

    __slots__ = ("raw", "tag")
    __match_args__ = ("tag", "raw")

    def __init__(self, tag: str | int, raw: dict[str, Any]) -> None:
        self.tag = tag
        self.raw = raw

    def __getattr__(self, name: str) -> Any:
        """A property of the object, by wire name or attribute name. Raises AttributeError if it is absent."""
        if not name.startswith("_") and name not in UnknownVariant.__slots__:
            first, *rest = name.split("_")
            for wire in (name, first + "".join(word.capitalize() for word in rest)):
                if wire in self.raw:
                    return self.raw[wire]
        raise AttributeError(f"the unknown variant has no field {name!r}")

    def __repr__(self) -> str:
        return f"UnknownVariant(tag={self.tag!r}, raw={self.raw!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UnknownVariant):
            return NotImplemented
        return self.tag == other.tag and self.raw == other.raw

    __hash__ = None  # type: ignore[assignment]  # holds a dict


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class Extensible:
    """A record that keeps undeclared properties in ``extra``, by wire name.

    It is not a Struct, because msgspec would write ``extra`` as a property. The codec writes its entries beside the
    declared properties.
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
                raise TypeError(f"{type(self).__name__}() is missing the argument {name!r}")
        if values:
            raise TypeError(f"{type(self).__name__}() got an unexpected argument {next(iter(values))!r}")

    def to_wire(self) -> dict[str, Any]:
        """All properties by wire name. A declared property wins over an extra one with the same name."""
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
    """One row of the method table: a method, the side that implements it, and its types."""

    side: str
    """The peer that implements the method: ``agent``, ``client``, ``protocol`` (either), or another side."""
    method: str
    """The wire name of the method."""
    kind: Kind
    params: Any
    """The type of the params: a class or the alias of a union."""
    result: Any = None
    """The type of the result; None for a notification."""
    capability: str | None = None
    """The gate: a dotted path in the implementing side's capabilities, or ``side:path``. None if there is no gate."""
    variants: Mapping[str, str] = _EMPTY
    """Gates of single variants of a params union, by class name."""
    gated: tuple[str, ...] = ()
    """Wire names of result properties that contain gated parts; an empty string for the whole result."""
    python_name: str
    """Name of the handler and of the typed call."""
    rfd: str | None = None
    """The RFD that added the method."""
    stage: str | None = None
    """``to-be-removed``, ``draft``, ``active``, ``preview`` or ``completed``; None if the schema does not state it."""
    idempotent: bool = False
    """True if sending the request twice has the same effect as sending it once."""
    former: str | None = None
    """The name that the method had as an extension. It is served, too."""
    former_capability: str | None = None
    """The gate of that name. A peer that opens it, and not `capability`, is called by that name."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The key of the row in the method table."""
        return (self.side, self.method, self.kind)


class Handshake(Struct, frozen=True, kw_only=True):
    """The request that opens a connection, and the negotiated properties of its params and result (wire names)."""

    method: str
    version: str
    version_number: int
    capabilities: Mapping[str, str]
    """Maps each side to the property with its capabilities."""
    info: Mapping[str, str]
    """Maps each side to the property with its name and version."""


class Cancel(Struct, frozen=True, kw_only=True):
    """The notification that cancels a request, its property with the request's id, and the resulting error."""

    method: str
    property: str
    error_code: int
    message: str = "Request cancelled"


class Interrupt(Struct, frozen=True, kw_only=True):
    """The notification that interrupts a session. `requests` maps each request to its result after the interruption,
    as JSON.
    """

    method: str
    requests: Mapping[str, Mapping[str, Any]]
    asked: Mapping[str, Mapping[str, Any]] = _EMPTY
    """The responses of the notification's sender to pending requests of the other side, by method."""


class Sessions(Struct, frozen=True, kw_only=True):
    """The requests, by method, that open or end a session, and the requests that a session handles one at a time.

    The methods of `load` and `resume` are also in `open`: they reopen a session, with and without its updates.
    """

    open: tuple[str, ...]
    close: tuple[str, ...]
    exclusive: tuple[str, ...] = ()
    load: tuple[str, ...] = ()
    resume: tuple[str, ...] = ()
    delete: tuple[str, ...] = ()
    """The methods of `close` after which a session is no longer listed. It may still run."""
    end: tuple[str, ...] = ()
    """The notifications of a session's end."""
    absolute: tuple[str, ...] = ()
    """Properties of session-opening params that are absolute paths or lists of them."""
    turns: Mapping[str, Mapping[str, str]] = _EMPTY
    """The requests whose turn ends with an update: by method, the constants of that update."""
    error_code: int = -32602
    """The error code for an exclusive request in a closed session."""


class Remote(Struct, frozen=True, kw_only=True):
    """The protocol's names over HTTP and WebSocket: the path of the endpoint, and the request headers."""

    path: str
    connection: str
    """The header that names a connection."""
    session: str
    """The header that names a session."""
    property: str | None = None
    """The property of the opening response that names the connection, if there is one."""
    version: str | None = None
    """The header with the negotiated version, if there is one."""


class Trace(Struct, frozen=True, kw_only=True):
    """The keys of `_meta` that carry the W3C trace context of a message."""

    keys: tuple[str, ...]


class Tunnel(Struct, frozen=True, kw_only=True):
    """The names of the messages that carry another protocol. Its servers are on the side that receives the requests."""

    method: str
    """The request to a server, and the notification of a server about a pending request."""
    servers: str
    """The property of the request that opens a session with the servers."""
    server: str
    """The property of both messages, and of `direct`, with the id of a server."""
    request: str
    """The property of both messages with the id of the request inside."""
    direct: str
    """The definition of a server that is reached through this connection."""
    http: str
    """The definition of a server with a URL."""


class Protocol(Struct, frozen=True, kw_only=True):
    """Everything that a connection must know about a protocol. The emitted method table contains the only instance."""

    methods: Mapping[tuple[str, str, str], Method]
    gates: Mapping[str, Mapping[str, Literal["boolean", "object"]]] = _EMPTY
    """For each side, gate paths with the form of the capability: ``true`` or an object (``{}``)."""
    handshake: Handshake | None = None
    cancel: Cancel | None = None
    interrupt: Interrupt | None = None
    ordering: str | None = None
    """Wire name of the ordering property. Notifications with equal values stay in order."""
    sessions: Sessions | None = None
    remote: Remote | None = None
    trace: Trace | None = None
    tunnel: Tunnel | None = None


class Field(Struct, frozen=True, kw_only=True):
    """A property of a record. `name` is its attribute; empty if the class writes the property by itself."""

    wire: str
    name: str
    type: Any
    required: bool = False
    fixed: bool = False
    """True for a constant that an enclosing union checks. The record only writes it."""
    default: Any = ABSENT
    default_on_error: bool = False
    default_on_null: bool = False
    skip_invalid_items: bool = False
    gate: str = ""
    """The capability that the receiver must advertise before the property may be sent."""


class Record(Struct, frozen=True, kw_only=True):
    """An object. `closed`: no other properties. `tagged`: the first field is the tag, and required. `extra`: type of
    other properties.
    """

    fields: tuple[Field, ...] = ()
    closed: bool = False
    tagged: bool = False
    extra: Any = None


class Variant(Struct, frozen=True, kw_only=True):
    """A record of a union, by name, or the required form of an object with an unknown tag.

    `constants` and `excludes`: required and forbidden values of properties. Only one variant of a `group` may match.
    """

    record: str | Record
    constants: Mapping[str, tuple[Any, ...]] = _EMPTY
    excludes: tuple[tuple[str, Any], ...] = ()
    group: Any = ()
    gate: str = ""
    """The capability that the receiver must advertise before the variant may be sent."""

    def allows(self, value: dict[str, Any]) -> bool:
        """Return whether the constants of an object allow this variant."""
        for wire, constants in self.constants.items():
            if not fits(value, wire, constants):
                return False
        return not (self.excludes and any(fits(value, wire, (constant,)) for wire, constant in self.excludes))


class Choice(Struct, frozen=True, kw_only=True):
    """A union of records. `tag` is the property that discriminates all variants."""

    tag: str | None = None
    variants: tuple[Variant, ...]


class Alias(Struct, frozen=True, kw_only=True):
    """Any other named type."""

    type: Any


Node = Record | Choice | Alias


def type_kind(type: Any) -> TypeKind:
    """The kind of a type."""
    kind: TypeKind = type[0] if type.__class__ is tuple else type
    return kind


def limits_of(type: Any) -> Mapping[str, Any]:
    """The limits of a type; empty if it has none."""
    return type[-1] if type.__class__ is tuple and type[-1].__class__ is dict else {}


def children(part: Any) -> tuple[Any, ...]:
    """The types directly inside a node or type, in order; for a list, its `prefix` first. It does not follow
    references.
    """
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
    """Some nodes or types and everything that their values may contain, in order. Each named node is returned once."""
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
    """Return whether a value equals a constant. 1 equals 1.0 if the constant has a fraction; true is not a number."""
    return left == right and (type(left) is type(right) or (type(right) is float and type(left) is int))


def fits(value: dict[str, Any], wire: str, constants: tuple[Any, ...]) -> bool:
    """Return whether a property of an object equals one of some constants."""
    found = value.get(wire, ABSENT)
    return found in constants if found.__class__ is str else any(same(found, constant) for constant in constants)
