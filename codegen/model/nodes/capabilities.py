"""Gates: paths into the capabilities that a side advertises in the handshake, and the JSON that enables each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...contracts import Encoding, locate, split
from . import types as t
from .walk import inner, members, plain, reached

_PEERS = ("agent", "client")


def advertised(schema: t.Schema, side: str) -> t.Type | None:
    """The type of a side's capabilities, if the schema has one."""
    handshake = schema.handshake
    if handshake is None or side not in handshake.capabilities:
        return None
    opening = [m for m in schema.methods if m.path == handshake.method and m.kind == "request"]
    for method in opening:
        carrier = method.result if method.side == side else method.params
        field = _field(schema, t.Reference(carrier), handshake.capabilities[side]) if carrier else None
        if field is not None:
            return field.type
    return None


def resolve_gate(schema: t.Schema, receiver: str, gate: str) -> tuple[str, str, Encoding] | None:
    """Side, path and encoding of a gate as written for a receiver; None if it does not exist."""
    side, path = locate(gate, receiver)
    capabilities = advertised(schema, side)
    found = steps(schema, capabilities, split(path)) if capabilities is not None else None
    if found is None:
        return None
    held = plain(found[-1].type, schema.resolve)
    if isinstance(held, t.Boolean):
        return side, path, "boolean"
    if isinstance(held, (t.Object, t.Map)):
        return side, path, "object"
    return None


def steps(schema: t.Schema, type_: t.Type, names: Sequence[str]) -> list[t.Field] | None:
    """The properties along a path of names through objects; None if the path does not exist."""
    found: list[t.Field] = []
    for name in names:
        field = _field(schema, type_, name)
        if field is None:
            return None
        found.append(field)
        type_ = field.type
    return found


def fields(schema: t.Schema, type_: t.Type) -> Iterator[t.Field]:
    """The properties that an object type declares, including those of its bases."""
    held = plain(type_, schema.resolve)
    if isinstance(held, t.Object):
        yield from held.fields
        for base in held.bases:
            yield from fields(schema, base)


def _field(schema: t.Schema, type_: t.Type, name: str) -> t.Field | None:
    return next((field for field in fields(schema, type_) if field.name == name), None)


def gates_of(schema: t.Schema) -> Iterator[tuple[str, str]]:
    """Every gate in the schema, with the pointer of the gated part."""
    for method in schema.methods:
        if method.capability is not None:
            yield method.capability, method.pointer
    for definition in schema.definitions.values():
        for type_ in inner(definition.type):
            for part in members(type_):
                if part.capability is not None:
                    yield part.capability, part.pointer


def received_gates(schema: t.Schema) -> Iterator[tuple[str, str, set[str]]]:
    """Every gate and its pointer, with the sides that may receive the gated part."""
    receivers: dict[str, set[str]] = {}
    for method in schema.methods:
        called = set(_PEERS if method.side == "both" else (method.side,))
        receivers.setdefault(method.pointer, set()).update(called)
        answered = {*_PEERS} if method.side == "both" else {*_PEERS} - called
        for end, sides in ((method.params, called), (method.result, answered)):
            for name in reached(schema.definitions, [end] if end is not None else []):
                receivers.setdefault(name, set()).update(sides)
    holders = {schema.definitions[name].pointer: name for name in schema.definitions}
    for gate, pointer in gates_of(schema):
        holder = holders.get("/".join(pointer.split("/")[:3]), "")
        yield gate, pointer, receivers.get(pointer) or receivers.get(holder) or {*_PEERS}
