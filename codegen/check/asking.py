"""What went together with the capability that gated it: peers that ask first do without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model.capabilities import advertised, gates_of, resolve_gate, steps
from ..model.types import Field, Schema
from ..runtime.capabilities import locate
from .deprecation import counterpart
from .pairs import FieldPair, MethodPair, Pair
from .side import Side

_PEERS = ("agent", "client")


def mark_asked_first(old: Side, new: Side, methods: Sequence[MethodPair], pairs: Sequence[Pair]) -> None:
    """Mark the methods that are gone together with their gate, and the capabilities that are gone with all they gated."""
    for pair in methods:
        gate = pair.old.capability if pair.old is not None and pair.new is None else None
        if gate is not None and resolve_gate(old.schema, pair.side, gate) is not None:
            pair.asked_first = resolve_gate(new.schema, pair.side, gate) is None
    removed = [p for p in pairs if isinstance(p, FieldPair) and p.old is not None and p.new is None]
    capabilities = [p for p in removed if any(node.capability for node in p.nodes)]
    if capabilities:
        gated = list(_gated(old.schema))
        for field in capabilities:
            carriers = [pointer for fields, pointer in gated if field.old in fields]
            field.asked_first = bool(carriers) and all(_is_gone(old, new, pointer) for pointer in carriers)


def _gated(schema: Schema) -> Iterator[tuple[list[Field], str]]:
    """For each gate the capabilities on its path, and the place of what it gates."""
    receivers: dict[str, set[str]] = {}
    for method in schema.methods:
        receivers.setdefault(method.pointer, set()).update(_PEERS if method.side == "both" else (method.side,))
    for gate, pointer in gates_of(schema):
        for receiver in receivers.get(pointer, set(_PEERS)):
            side, path = locate(gate, receiver)
            capabilities = advertised(schema, side)
            found = steps(schema, capabilities, path.split(".")) if capabilities is not None else None
            if found is not None:
                yield found, pointer


def _is_gone(old: Side, new: Side, pointer: str) -> bool:
    """Whether a method, or a part of a message, is not in the new schema."""
    rows = [(m.side, m.path, m.kind) for m in old.schema.methods if m.pointer == pointer]
    if rows:
        return all((m.side, m.path, m.kind) not in rows for m in new.schema.methods)
    return counterpart(old.document.value, new.document.value, pointer) is None
