"""The method table: one row per method and side that implements it, with the method's Python name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from .. import diagnostics
from ..contracts import Encoding, locate
from ..document.keywords import STAGES
from ..model.naming.leaves import ShapeError
from ..model.nodes.capabilities import gates_of, resolve_gate
from ..model.nodes.types import Method, Reference, Schema
from .public import MODULES, PEERS, PUBLIC, side_classes
from .shapes import Choice, Leaf, Record, Shapes

RUNTIME_SIDE = "protocol"
"""The side whose methods the runtime implements."""


class Row(Struct, frozen=True, kw_only=True):
    """A method as one side implements it. `variants` holds the gates of single variants of the params, by class name."""

    side: str
    method: Method
    python_name: str
    capability: str | None
    variants: Mapping[str, str]
    stage: str | None
    description: str


def rows(schema: Schema, shapes: Shapes) -> tuple[Row, ...]:
    """All rows, in the order of the schema; raises ShapeError."""
    _check_gates(schema)
    table = tuple(
        Row(
            side=side,
            method=method,
            python_name=shapes.methods[method.key],
            capability=_gate(schema, side, method.capability, method.pointer),
            variants=_variant_gates(schema, shapes, side, method),
            stage=_stage(schema, method),
            description=schema.definitions[method.params].description or "",
        )
        for method in schema.methods
        for side in (PEERS if method.side == "both" else (method.side,))
    )
    _check_clashes(table)
    _check_sides(table, shapes)
    return table


def gate_encodings(schema: Schema, table: tuple[Row, ...]) -> dict[str, dict[str, Encoding]]:
    """The advertised form of each gate of the table and its types, by the side that advertises it."""
    found: dict[str, dict[str, Encoding]] = {}
    gated = [(row.side, gate) for row in table for gate in (row.capability, *row.variants.values()) if gate is not None]
    gated += [(side, gate) for gate, _ in gates_of(schema) for side in PEERS]
    for side, gate in gated:
        resolved = resolve_gate(schema, side, gate)
        if resolved is not None:
            owner, path, encoding = resolved
            found.setdefault(owner, {})[path] = encoding
    for row in table:
        if row.method.former_gate is not None and schema.handshake is not None:
            # The standard's types have no member for what a vendor advertised.
            owner, path = locate(row.method.former_gate, row.side)
            found.setdefault(owner, {}).setdefault(path, "object")
    return {side: dict(sorted(paths.items())) for side, paths in sorted(found.items())}


def parameters(row: Row, shapes: Shapes) -> Record | None:
    """The record whose fields a typed call takes as keywords; None if the params are not a single record."""
    found = _params(row, shapes)
    return found if isinstance(found, Record) and found.extra is None else None


def leaves(row: Row, shapes: Shapes) -> tuple[Leaf, ...]:
    """The variants whose fields a typed call takes as keywords, if the params are a union."""
    found = _params(row, shapes)
    return tuple(leaf for leaf in found.leaves if leaf.record.extra is None) if isinstance(found, Choice) else ()


def _params(row: Row, shapes: Shapes) -> Record | Choice | None:
    name = row.method.params
    while name in shapes.aliases:
        type_ = shapes.aliases[name].type
        if not isinstance(type_, Reference):
            return None
        name = type_.name
    return shapes.records.get(name) or shapes.choices.get(name)


def _check_clashes(table: tuple[Row, ...]) -> None:
    seen: dict[tuple[str, str], Row] = {}
    for row in table:
        other = seen.setdefault((row.side, row.python_name), row)
        if other is not row:
            raise ShapeError(
                row.method.pointer,
                f"the methods {other.method.path!r} and {row.method.path!r} of side {row.side} would both be "
                f"`{row.python_name}` in Python",
                diagnostics.COLLISION,
            )


def _check_sides(table: tuple[Row, ...], shapes: Shapes) -> None:
    """Reject a side whose name or class names clash with a module or type of the package."""
    types = {*shapes.records, *shapes.choices, *shapes.aliases, *(n for names in PUBLIC.values() for n in names)}
    for row in table:
        if row.side == RUNTIME_SIDE:
            continue
        if row.side in MODULES:
            problem = f"a side cannot be called {row.side!r}: the package already has a module of that name"
            raise ShapeError(row.method.pointer, problem, diagnostics.COLLISION)
        for name in side_classes(row.side):
            if name in types:
                problem = f"the stubs of side {row.side!r} would have the same name as the type {name}"
                raise ShapeError(row.method.pointer, problem, diagnostics.COLLISION)


def _check_gates(schema: Schema) -> None:
    """Reject gates that no side can advertise."""
    if schema.handshake is None:
        return
    for gate, pointer in gates_of(schema):
        if not any(resolve_gate(schema, side, gate) for side in schema.handshake.capabilities):
            raise ShapeError(
                pointer, f"`x-capability` {gate!r} is not a capability that a side advertises", diagnostics.GATE
            )


def _gate(schema: Schema, side: str, gate: str | None, pointer: str) -> str | None:
    if gate is not None and schema.handshake is not None and resolve_gate(schema, side, gate) is None:
        raise ShapeError(
            pointer, f"`x-capability` {gate!r} is not a capability that the {side} advertises", diagnostics.GATE
        )
    return gate


def _variant_gates(schema: Schema, shapes: Shapes, side: str, method: Method) -> dict[str, str]:
    choice = shapes.choices.get(method.params)
    if choice is None:
        return {}
    return {
        leaf.record.name: leaf.capability
        for leaf in choice.leaves
        if leaf.capability is not None and not leaf.marks.open and _gate(schema, side, leaf.capability, choice.pointer)
    }


def _stage(schema: Schema, method: Method) -> str | None:
    if schema.rfds is None:
        return None
    if method.rfd is None:
        # A vendor's method has no stage, because it is not part of the protocol.
        return None if method.path.startswith("_") else STAGES[-1]
    found = schema.rfds.get(method.rfd)
    return found.stage if found is not None else None


def sides(table: tuple[Row, ...]) -> Iterator[str]:
    """The sides with a module of stubs: agent and client, then the others in the order of the schema."""
    yield from PEERS
    yield from dict.fromkeys(row.side for row in table if row.side not in (*PEERS, RUNTIME_SIDE))
