"""What a published file does not say: gates, handshake, cancel, ordering and sessions, taken from our own schema.

Each is taken only where everything it names exists in the given file; what is not found stays unknown.
"""

from __future__ import annotations

import msgspec

from ..document.jsonvalue import is_json_array, is_json_object
from .agreements import missing_for_cancel, missing_for_handshake, missing_for_ordering
from .capabilities import fields, resolve_gate
from .types import Definition, Enumeration, Method, Object, Schema, Sessions, Type, Union, Variant


def borrow(schema: Schema, ours: Schema) -> tuple[Schema, list[str]]:
    """The schema with what could be taken from ours, and what that was, in words."""
    taken: list[str] = []
    handshake, cancel, ordering = ours.handshake, ours.cancel, ours.ordering
    if handshake is not None and missing_for_handshake(schema, handshake) is None:
        schema = msgspec.structs.replace(schema, handshake=handshake)
        taken.append("the handshake")
    if cancel is not None and missing_for_cancel(schema, cancel) is None:
        schema = msgspec.structs.replace(schema, cancel=cancel)
        taken.append("cancellation")
    if ordering is not None and missing_for_ordering(schema, ordering) is None:
        schema = msgspec.structs.replace(schema, ordering=ordering)
        taken.append("ordering")
        schema = msgspec.structs.replace(schema, sessions=_sessions(schema, ours.sessions))
    if schema.handshake is not None:
        methods = tuple(_with_gate(schema, method, ours) for method in schema.methods)
        gated = sum(method.capability is not None for method in methods)
        definitions = {name: _with_variant_gates(schema, d, ours) for name, d in schema.definitions.items()}
        schema = msgspec.structs.replace(schema, methods=methods, definitions=definitions)
        taken.append(f"{gated} gates")
    return schema, taken


def _sessions(schema: Schema, ours: Sessions | None) -> Sessions | None:
    """Our table of sessions, as far as the schema has its requests."""
    if ours is None:
        return None
    requests = {method.path for method in schema.methods if method.kind == "request"}
    kept = {name: tuple(m for m in getattr(ours, name) if m in requests) for name in ("open", "close", "exclusive")}
    return Sessions(**kept)


def says_nothing(value: object) -> bool:
    """Whether a document has none of our own keywords."""
    if is_json_object(value):
        ours = {"x-capability", "x-rfd", "x-rfds", "x-handshake", "x-cancel", "x-ordering", "x-sessions"}
        return not ours & value.keys() and all(says_nothing(child) for child in value.values())
    return not is_json_array(value) or all(says_nothing(child) for child in value)


def _with_gate(schema: Schema, method: Method, ours: Schema) -> Method:
    for other in ours.methods:
        if (other.side, other.path, other.kind) == (method.side, method.path, method.kind):
            gate = other.capability
            if gate is None or resolve_gate(schema, method.side, gate) is not None:
                return msgspec.structs.replace(method, capability=gate, gated=other.gated)
    return method


def _with_variant_gates(schema: Schema, definition: Definition, ours: Schema) -> Definition:
    """Params that are a union take the gates of their variants, matched by the variants' constants."""
    sides = [method.side for method in schema.methods if method.params == definition.name]
    other = ours.definitions.get(definition.name)
    type_ = definition.type
    if not sides or other is None or not isinstance(type_, Object) or not isinstance(other.type, Object):
        return definition
    gates = {_key(ours, v): v.capability for union in other.type.unions for v in union.variants if v.capability}

    def gated(variant: Variant) -> Variant:
        gate = gates.get(_key(schema, variant))
        found = gate is not None and all(resolve_gate(schema, side, gate) is not None for side in sides)
        return msgspec.structs.replace(variant, capability=gate) if found else variant

    unions = tuple(Union(tuple(map(gated, u.variants)), exclusive=u.exclusive) for u in type_.unions)
    return msgspec.structs.replace(definition, type=msgspec.structs.replace(type_, unions=unions))


def _key(schema: Schema, variant: Variant) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(_constants(schema, variant.type)))


def _constants(schema: Schema, type_: Type) -> list[tuple[str, str]]:
    return [
        (field.name, repr(field.type.values[0].constant))
        for field in fields(schema, type_)
        if field.required and isinstance(field.type, Enumeration) and len(field.type.values) == 1
    ]
