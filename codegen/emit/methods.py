"""Writes the method table as Python, as `meta.json` for other tools, and as Markdown for people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ..model.capabilities import resolve_gate
from ..model.root import Requirement
from ..model.types import Schema
from ..runtime.capabilities import Encoding
from ..runtime.gates import gates_by_member
from ..runtime.nodes import Node
from .errors import message_of
from .obligations import page_of
from .public import PEERS
from .shapes import Shapes
from .table import RUNTIME_SIDE, Row
from .text import literal, markdown


def methods_context(
    table: tuple[Row, ...],
    gates: dict[str, dict[str, Encoding]],
    schema: Schema,
    shapes: Shapes,
    nodes: Mapping[str, Node],
) -> dict[str, Any]:
    """What the template of `methods.py` needs."""
    handshake, cancel, interrupt = schema.handshake, schema.cancel, schema.interrupt
    remote, sessions = schema.remote, schema.sessions
    names = {name for row in table for name in (row.method.params, row.method.result) if name}
    return {
        "rows": [_row(row, _gated(row, schema, nodes)) for row in table],
        "models": sorted(names & {*shapes.records, *shapes.choices, *shapes.aliases}),
        "base": [
            *(["Cancel"] if cancel else []),
            *(["Handshake"] if handshake else []),
            *(["Interrupt"] if interrupt else []),
            "Method",
            "Protocol",
            *(["Remote"] if remote else []),
            *(["Sessions"] if sessions else []),
            *(["Trace"] if schema.trace else []),
        ],
        "interrupt": None
        if interrupt is None
        else f"Interrupt(method={literal(interrupt.method)}, requests={literal(interrupt.requests)}, "
        f"asked={literal(dict(interrupt.asked))})",
        "remote": None if remote is None else written(remote),
        "trace": None if schema.trace is None else written(schema.trace),
        "sessions": None if sessions is None else written(sessions),
        "version": handshake.version_number if handshake is not None else None,
        "gates": literal(gates),
        "handshake": None
        if handshake is None
        else f"Handshake(method={literal(handshake.method)}, version={literal(handshake.version)}, "
        f"version_number={handshake.version_number}, capabilities={literal(dict(handshake.capabilities))}, "
        f"info={literal(dict(handshake.info))})",
        "cancel": None
        if cancel is None
        else f"Cancel(method={literal(cancel.method)}, property={literal(cancel.property)}, "
        f"error_code={cancel.error_code}{_message(schema, cancel.error_code)})",
        "ordering": literal(schema.ordering) if schema.ordering is not None else None,
    }


def written(node: msgspec.Struct) -> str:
    """A node as the expression that makes it."""
    given = {name: value for name, value in msgspec.structs.asdict(node).items() if value is not None}
    return f"{type(node).__name__}({', '.join(f'{name}={literal(value)}' for name, value in given.items())})"


def _message(schema: Schema, code: int) -> str:
    message = message_of(schema, code)
    return "" if message is None else f", message={literal(message)}"


def _gated(row: Row, schema: Schema, nodes: Mapping[str, Node]) -> tuple[str, ...]:
    """The members of a result in which something needs what the caller advertises."""
    if row.method.result is None:
        return ()
    callers = [side for side in PEERS if side != row.side]
    by_member = gates_by_member(nodes, row.method.result)
    return tuple(
        wire
        for wire, gates in by_member.items()
        if any(resolve_gate(schema, caller, gate) for caller in callers for gate in gates)
    )


def _row(row: Row, gated: tuple[str, ...]) -> str:
    parts: dict[str, Any] = {
        "side": literal(row.side),
        "method": literal(row.method.path),
        "kind": literal(row.method.kind),
        "params": row.method.params,
        "result": row.method.result,
        "capability": None if row.capability is None else literal(row.capability),
        "variants": literal(dict(row.variants)) if row.variants else None,
        "gated": literal(gated) if gated else None,
        "python_name": literal(row.python_name),
        "rfd": None if row.method.rfd is None else literal(row.method.rfd),
        "stage": None if row.stage is None else literal(row.stage),
        "idempotent": True if row.method.idempotent else None,
    }
    return ", ".join(f"{name}={value}" for name, value in parts.items() if value is not None)


def meta_json(table: tuple[Row, ...], schema: Schema) -> str:
    """The method names in the format of the published meta.json."""
    sections: dict[str, dict[str, str]] = {"agentMethods": {}, "clientMethods": {}}
    for row in table:
        key = re.sub(r"([a-z])([A-Z])", r"\1_\2", row.method.path.removeprefix("$/")).replace("/", "_").lower()
        sections.setdefault(f"{row.side}Methods", {})[key] = row.method.path
    version = schema.handshake.version_number if schema.handshake is not None else None
    return json.dumps({"version": version, **sections}, indent=2, ensure_ascii=True) + "\n"


def page_context(table: tuple[Row, ...], schema: Schema, requirements: Iterable[Requirement]) -> dict[str, Any]:
    """What the template of `METHODS.md` needs."""
    order = [*PEERS, *dict.fromkeys(row.side for row in table if row.side not in (*PEERS, RUNTIME_SIDE)), RUNTIME_SIDE]
    sides = [{"name": _side_title(side), "rows": [_page_row(r) for r in table if r.side == side]} for side in order]
    return {
        "count": len({(r.method.side, r.method.path) for r in table}),
        "sides": [s for s in sides if s["rows"]],
        "requirements": page_of(schema, requirements),
    }


def _side_title(side: str) -> str:
    return "runtime of either side" if side == RUNTIME_SIDE else side


def _page_row(row: Row) -> dict[str, str]:
    return {
        "path": markdown(row.method.path),
        "kind": row.method.kind,
        "python": row.python_name,
        "gate": f"`{markdown(row.capability)}`" if row.capability is not None else "",
        "stage": row.stage or "",
        "text": markdown(row.description),
    }
