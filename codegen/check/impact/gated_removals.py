"""Removals together with the capability that gated the part: peers that check the capability first are not affected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...contracts import locate
from ...model.algebra.normal_form import Member
from ...model.nodes.capabilities import advertised, received_gates, resolve_gate, steps
from ...model.nodes.types import Field, Method, Schema, Value, Variant
from ..parts.pairs import FieldPair, MethodPair, Pair, ValuePair, VariantPair
from ..parts.promotion import counterpart
from ..parts.side import Side

_PEERS = ("agent", "client")
_PARTS = (MethodPair, FieldPair, ValuePair, VariantPair)


def mark_asked_first(old: Side, new: Side, pairs: Sequence[Pair]) -> None:
    """Mark parts that were removed together with their capability, and capabilities removed together with all their
    parts.
    """
    removed = [pair for pair in pairs if pair.became == "removed" and isinstance(pair, _PARTS)]
    gated = list(_gated(old.schema)) if removed else []
    for pair in removed:
        gate = _gate(pair)
        if gate is not None and _went(old.schema, new.schema, gate, pair.side if isinstance(pair, MethodPair) else ""):
            pair.asked_first = "with the capability that gated it"
        elif isinstance(pair, FieldPair) and any(node.capability for node in pair.nodes):
            carriers = [pointer for fields, pointer in gated if pair.old in fields]
            if carriers and all(_is_gone(old, new, pointer) for pointer in carriers):
                pair.asked_first = "with all that it gated"


def _gate(pair: Pair) -> str | None:
    """The gate of a part."""
    match pair:
        case MethodPair(old=Method(capability=gate)) | FieldPair(old=Field(capability=gate)):
            return gate
        case ValuePair(old=Value(capability=gate)) | VariantPair(old=Member(variant=Variant(capability=gate))):
            return gate
        case _:
            return None


def _went(old: Schema, new: Schema, gate: str, receiver: str) -> bool:
    """Return whether peers could advertise a gate, but no longer can. `receiver`: empty for either side."""
    receivers = (receiver,) if receiver else _PEERS
    was = [side for side in receivers if resolve_gate(old, side, gate) is not None]
    return bool(was) and not any(resolve_gate(new, side, gate) is not None for side in receivers)


def _gated(schema: Schema) -> Iterator[tuple[list[Field], str]]:
    """The capabilities on the path of each gate, and the place of its gated part."""
    for gate, pointer, receivers in received_gates(schema):
        for receiver in receivers:
            side, path = locate(gate, receiver)
            capabilities = advertised(schema, side)
            found = steps(schema, capabilities, path.split(".")) if capabilities is not None else None
            if found is not None:
                yield found, pointer


def _is_gone(old: Side, new: Side, pointer: str) -> bool:
    """Return whether the new schema lacks a method or a part of a message."""
    rows = [(m.side, m.path, m.kind) for m in old.schema.methods if m.pointer == pointer]
    if rows:
        return all((m.side, m.path, m.kind) not in rows for m in new.schema.methods)
    return counterpart(old.document.value, new.document.value, pointer) is None
