"""A small protocol for tests of levels: one type `Color`, carried by whatever message a test asks for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from codegen.check.command import _load
from codegen.check.engine import diff
from codegen.check.inputs import judged
from codegen.check.parts.side import Side
from codegen.document.read import parse
from codegen.findings.cascades import explained
from codegen.findings.finding import Finding
from codegen.model.nodes.types import Schema

Node = dict[str, Any]
HANDSHAKE = {
    "method": "open",
    "versionNumber": 1,
    "version": "version",
    "capabilities": {"agent": "agentCapabilities", "client": "clientCapabilities"},
    "info": {},
}


def message(name: str, side: str, method: str, properties: Node | None = None, **more: Any) -> Node:
    """The definition of params or a result; results have no `x-capability`."""
    gate = {} if name.endswith("Response") else {"x-capability": False}
    body = {"type": "object", "x-side": side, "x-method": method, **gate, "properties": properties or {}, **more}
    return {name: body}


def opening(agent: Node | None = None, client: Node | None = None, **properties: Any) -> Node:
    """The request that opens a connection, and its answer."""
    reference = {"$ref": "#/$defs/AgentCapabilities"}, {"$ref": "#/$defs/ClientCapabilities"}
    return {
        **message("OpenRequest", "agent", "open", {"version": {}, "clientCapabilities": reference[1], **properties}),
        **message("OpenResponse", "agent", "open", {"version": {}, "agentCapabilities": reference[0]}),
        "AgentCapabilities": {"type": "object", "properties": agent or {}},
        "ClientCapabilities": {"type": "object", "properties": client or {}},
    }


def carried(where: str, property_: Node) -> Node:
    """Definitions in which one kind of message carries a property `color`."""
    empty: Node = {}
    params, result = (property_, empty) if where.endswith(("request", "notification")) else (empty, property_)
    side = "client" if where.startswith("client") else "protocol" if where.startswith("protocol") else "agent"
    if where.endswith("notification"):
        return message("PaintNotification", side, "wall/paint", {"color": property_})
    return {
        **message("PaintRequest", side, "wall/paint", {"color": params} if params else {}),
        **message("PaintResponse", side, "wall/paint", {"color": result} if result else {}),
    }


def document(definitions: Node, **root: Any) -> bytes:
    """The text of a schema."""
    return json.dumps({"title": "Demo", **root, "$defs": definitions}, indent=1).encode()


def compared(
    old: Node,
    new: Node,
    *,
    unstable: bool = False,
    borrowing: bool = False,
    roots: Sequence[Node] = ({}, {}),
    **root: Any,
) -> list[Finding]:
    """The findings between two sets of definitions; `root` is what both say beside them, `roots` what either says.

    `borrowing`: as the command does it, where one side takes from the other what it leaves unsaid.
    """
    sides: list[Side] = []
    for name, definitions, own in (("old.json", old, roots[0]), ("new.json", new, roots[1])):
        parsed = parse(document(definitions, **root, **own), name)
        schema = _load(parsed)
        assert isinstance(schema, Schema), schema
        sides.append(Side(parsed, schema))
    if borrowing:
        return explained(judged(*sides, unstable=unstable))
    return explained(diff(*sides, unstable=unstable))
