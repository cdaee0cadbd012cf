"""Write the method table as Python, as `meta.json` for other tools, and as a Markdown page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ..contracts import Node, gates_by_member
from ..model.nodes.capabilities import resolve_gate
from ..model.nodes.root import Requirement
from ..model.nodes.types import Schema
from ..shape.method_table import RUNTIME_SIDE, Row
from ..shape.package import Package
from ..shape.public import PEERS
from .kinds import Identifier, Literal, Prose, identifiers
from .requirements import page_of
from .text import literal, markdown


def methods_context(table: tuple[Row, ...], package: Package) -> dict[str, Any]:
    """The context of the template of `methods.py`. `table` contains the rows that the package defines itself."""
    schema, shapes = package.schema, package.shapes
    handshake, cancel, interrupt = schema.handshake, schema.cancel, schema.interrupt
    return {
        "rows": [_row(row, _gated(row, schema, package.nodes)) for row in table],
        "models": identifiers({*shapes.records, *shapes.choices, *shapes.aliases}),
        "base_models": [],
        "version": handshake.version_number if handshake is not None else None,
        "gates": literal(package.gates),
        "handshake": None
        if handshake is None
        else {
            "method": literal(handshake.method),
            "version": literal(handshake.version),
            "version_number": literal(handshake.version_number),
            "capabilities": literal(dict(handshake.capabilities)),
            "info": literal(dict(handshake.info)),
        },
        "cancel": None
        if cancel is None
        else {
            "method": literal(cancel.method),
            "property": literal(cancel.property),
            "error_code": literal(cancel.error_code),
            "message": _literal_of(
                next((each.message for each in package.error_codes if each.code == cancel.error_code), None)
            ),
        },
        "ordering": _literal_of(schema.ordering),
        "interrupt": None
        if interrupt is None
        else {
            "method": literal(interrupt.method),
            "requests": literal(interrupt.requests),
            "asked": literal(dict(interrupt.asked)),
        },
        "sessions": None if schema.sessions is None else members(schema.sessions),
        "remote": None if schema.remote is None else members(schema.remote),
        "trace": None if schema.trace is None else members(schema.trace),
        "tunnel": None if schema.tunnel is None else members(schema.tunnel),
    }


def members(node: msgspec.Struct) -> dict[str, Literal]:
    """The fields of a protocol node, by name, without None and empty tables."""
    return {name: literal(value) for name, value in msgspec.structs.asdict(node).items() if value not in (None, {})}


def _literal_of(value: object) -> Literal | None:
    return None if value is None else literal(value)


def _gated(row: Row, schema: Schema, nodes: Mapping[str, Node]) -> tuple[str, ...]:
    """The properties of a result with parts that require a capability of the caller."""
    if row.method.result is None:
        return ()
    callers = [side for side in PEERS if side != row.side]
    by_member = gates_by_member(nodes, row.method.result)
    return tuple(
        wire
        for wire, gates in by_member.items()
        if any(resolve_gate(schema, caller, gate) for caller in callers for gate in gates)
    )


def _row(row: Row, gated: tuple[str, ...]) -> dict[str, Literal | Identifier | None]:
    return {
        "side": literal(row.side),
        "method": literal(row.method.path),
        "kind": literal(row.method.kind),
        "params": Identifier(row.method.params),
        "result": None if row.method.result is None else Identifier(row.method.result),
        "capability": _literal_of(row.capability),
        "variants": literal(dict(row.variants)) if row.variants else None,
        "gated": literal(gated) if gated else None,
        "python_name": literal(row.python_name),
        "rfd": _literal_of(row.method.rfd),
        "stage": _literal_of(row.stage),
        "idempotent": literal(True) if row.method.idempotent else None,
        "former": _literal_of(row.method.former),
        "former_capability": _literal_of(row.method.former_gate),
    }


def meta_json(table: tuple[Row, ...], schema: Schema) -> str:
    """The method names in the format of the published meta.json."""
    sections: dict[str, dict[str, str]] = {"agentMethods": {}, "clientMethods": {}}
    for row in table:
        key = re.sub(r"([a-z])([A-Z])", r"\1_\2", row.method.path.removeprefix("$/")).replace("/", "_").lower()
        sections.setdefault(f"{row.side}Methods", {})[key] = row.method.path
    version = schema.handshake.version_number if schema.handshake is not None else None
    return json.dumps({"version": version, **sections}, indent=2, ensure_ascii=True) + "\n"


def page_context(table: tuple[Row, ...], schema: Schema, requirements: Iterable[Requirement]) -> dict[str, Any]:
    """The context of the template of `METHODS.md`."""
    order = [*PEERS, *dict.fromkeys(row.side for row in table if row.side not in (*PEERS, RUNTIME_SIDE)), RUNTIME_SIDE]
    titles = {RUNTIME_SIDE: "runtime of either side"}
    sides = [
        {"name": Prose(titles.get(side, side)), "rows": [_page_row(r) for r in table if r.side == side]}
        for side in order
    ]
    return {
        "count": len({(r.method.side, r.method.path) for r in table}),
        "sides": [s for s in sides if s["rows"]],
        "requirements": page_of(schema, requirements),
    }


def _page_row(row: Row) -> dict[str, str | None]:
    return {
        "path": markdown(row.method.path),
        "kind": Prose(row.method.kind),
        "python": Identifier(row.python_name),
        "gate": markdown(row.capability) if row.capability is not None else None,
        "stage": Prose(row.stage or ""),
        "text": markdown(row.description),
    }
