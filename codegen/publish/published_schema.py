"""The published form of a schema document: with the JSON-RPC envelopes, valid for any draft 2020-12 validator.

The envelopes are derived from the methods: a side sends the methods that the opposite side implements.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ..document.json_types import is_json_object
from ..document.keywords import OURS
from ..document.projection import ERROR
from ..document.read import Document
from ..document.walk import rewrite
from ..load.root import DIALECT
from ..model.naming.wire_names import pascal
from ..model.nodes.types import Method, Schema

PEERS = ("agent", "client")
_FACING: Mapping[str, str] = dict(zip(PEERS, reversed(PEERS), strict=True))
_VERSION = {"jsonrpc": {"type": "string", "enum": ["2.0"]}}


def publish(document: Document, schema: Schema, *, annotated: bool) -> str:
    """The published form as JSON text. `annotated` keeps our own keywords."""
    root: dict[str, Any] = document.value
    definitions = {name: node for name, node in root["$defs"].items() if name in schema.definitions}
    envelopes = _envelopes(document, schema)
    result: dict[str, Any] = {"$schema": DIALECT}
    result |= {k: v for k, v in root.items() if k not in ("$schema", "$defs", "anyOf", "oneOf")}
    result["anyOf"] = _root(schema, envelopes)
    result["$defs"] = {**definitions, **{name: node for name, node in envelopes.items() if name not in definitions}}
    if not annotated:
        result = _without_ours({}, rewrite(result, _without_ours, "root"))
    return json.dumps(result, indent=2, ensure_ascii=False) + "\n"


def _without_ours(_: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    return {keyword: child for keyword, child in node.items() if keyword not in OURS}


def _senders(schema: Schema) -> list[str]:
    others = dict.fromkeys(m.side for m in schema.methods if m.side not in (*PEERS, "both", "protocol"))
    return [*PEERS, *others]


def _sent_by(schema: Schema, sender: str, kind: str) -> list[Method]:
    facing = _FACING.get(sender, sender)
    both = ("both",) if sender in PEERS else ()
    return [m for m in schema.methods if m.kind == kind and m.side in (facing, *both)]


def _answered_by(schema: Schema, sender: str) -> list[Method]:
    both = ("both",) if sender in PEERS else ()
    return [m for m in schema.methods if m.kind == "request" and m.side in (sender, *both)]


def _choice(names: Iterable[str], extension: str) -> dict[str, Any]:
    members: list[Any] = [{"title": name, "allOf": [{"$ref": f"#/$defs/{name}"}]} for name in names]
    return {"anyOf": [*members, {"title": extension}]}


def _id(document: Document, schema: Schema) -> dict[str, Any]:
    """The type of ids: the one that cancellation uses, if the schema has cancellation."""
    cancel = schema.cancel
    for method in schema.methods:
        if cancel is not None and method.path == cancel.method:
            node = document.value["$defs"][method.params].get("properties", {}).get(cancel.property)
            if is_json_object(node):
                return {key: child for key, child in node.items() if key not in (*OURS, "description")}
    return {"type": ["string", "integer", "null"]}


def _error() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"code": {"type": "integer"}, "message": {"type": "string"}, "data": {}},
        "required": ["code", "message"],
    }


def _envelopes(document: Document, schema: Schema) -> dict[str, Any]:
    id_ = _id(document, schema)
    error = {"$ref": f"#/$defs/{ERROR}"} if ERROR in schema.definitions else _error()
    found: dict[str, Any] = {}
    for sender in _senders(schema):
        name = pascal(sender)
        requests = [m.params for m in _sent_by(schema, sender, "request")]
        results = [m.result for m in _answered_by(schema, sender) if m.result is not None]
        notes = [m.params for m in _sent_by(schema, sender, "notification")]
        params = {"anyOf": [_choice(requests, "ExtMethodRequest"), {"type": "null"}]}
        note_params = {"anyOf": [_choice(notes, "ExtNotification"), {"type": "null"}]}
        found[f"{name}Request"] = _envelope({"id": id_, "method": {"type": "string"}, "params": params}, "params")
        found[f"{name}Response"] = {
            "anyOf": [
                {"title": "Result", **_envelope({"id": id_, "result": _choice(results, "ExtMethodResponse")})},
                {"title": "Error", **_envelope({"id": id_, "error": error})},
            ],
            "x-docs-ignore": True,
        }
        found[f"{name}Notification"] = _envelope({"method": {"type": "string"}, "params": note_params}, "params")
        for kind in ("Request", "Notification"):
            found[f"{name}{kind}"]["x-docs-ignore"] = True
    return found


def _envelope(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required}


def _root(schema: Schema, envelopes: dict[str, Any]) -> list[Any]:
    members: list[Any] = []
    for sender in _senders(schema):
        name = pascal(sender)
        kinds = [k for k in ("Request", "Response", "Notification") if f"{name}{k}" in envelopes]
        refs = [{"title": kind, "allOf": [{"$ref": f"#/$defs/{name}{kind}"}]} for kind in kinds]
        members.append(
            {"title": name, "type": "object", "properties": _VERSION, "required": ["jsonrpc"], "anyOf": refs}
        )
    own = [method.params for method in schema.methods if method.side == "protocol"]
    if own:
        params = {"anyOf": [_choice(own, "ExtNotification"), {"type": "null"}]}
        members.append(
            {
                "title": "ProtocolLevel",
                "type": "object",
                "properties": {**_VERSION, "method": {"type": "string"}, "params": params},
                "required": ["jsonrpc", "method"],
            }
        )
    return members
