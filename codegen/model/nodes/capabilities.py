"""Gates: paths into the capabilities that a side advertises in the handshake, and the JSON that means yes there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..runtime.capabilities import Encoding, locate, split
from .types import (
    Boolean,
    Field,
    Map,
    Nullable,
    Object,
    Reference,
    Schema,
    Type,
)
from .walk import inner, members


def advertised(schema: Schema, side: str) -> Type | None:
    """The type of a side's capabilities, if the schema has one."""
    handshake = schema.handshake
    if handshake is None or side not in handshake.capabilities:
        return None
    opening = [m for m in schema.methods if m.path == handshake.method and m.kind == "request"]
    for method in opening:
        carrier = method.result if method.side == side else method.params
        field = _field(schema, Reference(carrier), handshake.capabilities[side]) if carrier else None
        if field is not None:
            return field.type
    return None


def resolve_gate(schema: Schema, receiver: str, gate: str) -> tuple[str, str, Encoding] | None:
    """Side, path and encoding of a gate as written for a receiver; None if it points at nothing."""
    side, path = locate(gate, receiver)
    capabilities = advertised(schema, side)
    found = steps(schema, capabilities, split(path)) if capabilities is not None else None
    if found is None:
        return None
    type_ = found[-1].type
    plain = schema.resolve(type_.inner if isinstance(type_, Nullable) else schema.resolve(type_))
    if isinstance(plain, Boolean):
        return side, path, "boolean"
    if isinstance(plain, (Object, Map)):
        return side, path, "object"
    return None


def steps(schema: Schema, type_: Type, names: Sequence[str]) -> list[Field] | None:
    """The properties along a path of names through objects; None if the path leads nowhere."""
    found: list[Field] = []
    for name in names:
        field = _field(schema, type_, name)
        if field is None:
            return None
        found.append(field)
        type_ = field.type
    return found


def fields(schema: Schema, type_: Type) -> Iterator[Field]:
    """The properties that an object type declares, including those of its bases."""
    plain = schema.resolve(type_)
    if isinstance(plain, Nullable):
        yield from fields(schema, plain.inner)
    elif isinstance(plain, Object):
        yield from plain.fields
        for base in plain.bases:
            yield from fields(schema, base)


def _field(schema: Schema, type_: Type, name: str) -> Field | None:
    return next((field for field in fields(schema, type_) if field.name == name), None)


def gates_of(schema: Schema) -> Iterator[tuple[str, str]]:
    """Every gate in the schema, with the pointer of the part that has it."""
    for method in schema.methods:
        if method.capability is not None:
            yield method.capability, method.pointer
    for definition in schema.definitions.values():
        for type_ in inner(definition.type):
            for part in members(type_):
                if part.capability is not None:
                    yield part.capability, part.pointer
