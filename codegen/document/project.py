"""The stable projection of a schema document: all of it minus what unstable RFDs brought, then pruned.

Works on JSON, so that the result can be printed as well as loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .. import faults
from ..load.schema import STAGES
from .jsonvalue import is_json_array, is_json_object
from .read import Document, join, pointer_parts

# JSON-RPC's own error object: every response may carry it, whoever else refers to it.
ERROR = "Error"
_TABLE = "write `x-rfds`, the table of RFDs with their stages; {} where there are none"


def stable(document: Document) -> Document:
    """The document with only what is stable. Raises SchemaError where nothing says what that is."""
    root: dict[str, Any] = document.value
    table = root.get("x-rfds")
    if not is_json_object(table):
        raise document.error(
            "", "there is no `x-rfds`, so nothing says what is stable", faults.RFD_UNKNOWN, instead=_TABLE
        )
    _check_known(document, set(table))
    return without(document, {name for name, entry in table.items() if entry.get("stage") != STAGES[-1]})


def without(document: Document, unstable: set[str]) -> Document:
    """The document minus what some RFDs of its table brought."""
    root: dict[str, Any] = document.value
    table: dict[str, Any] = root["x-rfds"]
    definitions = root["$defs"]
    kept = {name: node for name, node in definitions.items() if _rfd(node) not in unstable}
    projected = {name: _strip(node, unstable) for name, node in kept.items()}
    projected = {name: _prune_defaults(node, definitions, projected) for name, node in projected.items()}
    _prune_exclusions(definitions, projected, unstable)
    _drop_unused(definitions, projected)
    rfds = {name: entry for name, entry in table.items() if name not in unstable}
    value = {**root, "x-rfds": rfds, "$defs": projected}
    if is_json_object(root.get("x-sessions")):
        value["x-sessions"] = _sessions(root["x-sessions"], definitions, projected)
    return replace(document, value=value)


def _sessions(table: dict[str, Any], before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The table of sessions without the requests that are gone."""
    gone = {node.get("x-method") for name, node in before.items() if name not in after and is_json_object(node)}
    return {key: [m for m in methods if m not in gone] for key, methods in table.items() if is_json_array(methods)}


def _rfd(node: object) -> object:
    return node.get("x-rfd") if is_json_object(node) else None


def _check_known(document: Document, known: set[str]) -> None:
    for pointer, name in _rfds_in(document.value["$defs"], "/$defs"):
        if name not in known:
            raise document.error(
                join(pointer, "x-rfd"), f"the RFD {name!r} is not in `x-rfds`", faults.RFD_UNKNOWN, key=True
            )


def _rfds_in(node: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if is_json_object(node):
        if isinstance(node.get("x-rfd"), str):
            yield pointer, node["x-rfd"]
        for key, child in node.items():
            if key not in ("default", "const", "enum", "examples"):
                yield from _rfds_in(child, join(pointer, key))
    elif is_json_array(node):
        for index, child in enumerate(node):
            yield from _rfds_in(child, join(pointer, index))


def _strip(node: Any, unstable: set[str]) -> Any:
    """A node without its unstable properties, variants and values."""
    if is_json_array(node):
        return [_strip(child, unstable) for child in node if _rfd(child) not in unstable]
    if not is_json_object(node):
        return node
    result: dict[str, Any] = {}
    for key, child in node.items():
        if key == "properties" and is_json_object(child):
            result[key] = {name: _strip(p, unstable) for name, p in child.items() if _rfd(p) not in unstable}
        elif key in ("default", "const", "enum", "examples"):
            result[key] = child
        else:
            result[key] = _strip(child, unstable)
    removed = set(node.get("properties", ())) - set(result.get("properties", ()))
    if removed and is_json_array(result.get("required")):
        result["required"] = [name for name in result["required"] if name not in removed]
        if not result["required"]:
            del result["required"]
    return result


def _prune_defaults(node: Any, before: dict[str, Any], after: dict[str, Any]) -> Any:
    """A node whose defaults no longer name properties that are gone."""
    if is_json_array(node):
        return [_prune_defaults(child, before, after) for child in node]
    if not is_json_object(node):
        return node
    result = {k: v if k == "default" else _prune_defaults(v, before, after) for k, v in node.items()}
    if is_json_object(node.get("default")) and isinstance(node.get("$ref"), str):
        result["default"] = _prune_default(node["default"], node["$ref"], before, after)
    return result


def _prune_default(value: dict[str, Any], reference: str, before: dict[str, Any], after: dict[str, Any]) -> Any:
    name = pointer_parts(reference[1:])[-1]
    old, new = (table.get(name, {}).get("properties", {}) for table in (before, after))
    result: dict[str, Any] = {}
    for key, child in value.items():
        if key in old and key not in new:
            continue
        target = new.get(key, {}).get("$ref") if is_json_object(new.get(key)) else None
        if is_json_object(child) and isinstance(target, str):
            result[key] = _prune_default(child, target, before, after)
        else:
            result[key] = child
    return result


def _prune_exclusions(before: dict[str, Any], after: dict[str, Any], unstable: set[str]) -> None:
    """Drop the entries of `not` that keep out variants which are gone."""
    for name, node in after.items():
        for keyword in ("anyOf", "oneOf"):
            gone = {
                constant
                for variant in _list(before[name], keyword)
                if _rfd(variant) in unstable or _is_gone(variant, after)
                for constant in _constants(variant)
            }
            for variant in _list(node, keyword):
                entries = variant.get("not", {}).get("anyOf") if is_json_object(variant) else None
                if gone and is_json_array(entries):
                    variant["not"] = {"anyOf": [entry for entry in entries if not set(_constants(entry)) & gone]}


def _is_gone(variant: Any, after: dict[str, Any]) -> bool:
    reference = variant.get("$ref") if is_json_object(variant) else None
    return isinstance(reference, str) and pointer_parts(reference[1:])[-1] not in after


def _list(node: Any, keyword: str) -> list[Any]:
    value = node.get(keyword) if is_json_object(node) else None
    return value if is_json_array(value) else []


def _constants(variant: Any) -> Iterator[tuple[str, Any]]:
    if not is_json_object(variant):
        return
    for name, schema in variant.get("properties", {}).items():
        if is_json_object(schema) and isinstance(schema.get("const"), str):
            yield name, schema["const"]


def _references(node: Any) -> Iterator[str]:
    if is_json_object(node):
        if isinstance(node.get("$ref"), str):
            yield pointer_parts(node["$ref"][1:])[-1]
        for key, child in node.items():
            if key not in ("default", "const", "enum", "examples"):
                yield from _references(child)
    elif is_json_array(node):
        for child in node:
            yield from _references(child)


def _drop_unused(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Drop the definitions that something used before and nothing uses any more."""
    used_before = {target for name, node in before.items() for target in _references(node) if target != name}
    while True:
        used = {target for name, node in after.items() for target in _references(node) if target != name}
        unused = [name for name in after if name in used_before and name not in used and name != ERROR]
        unused = [name for name in unused if "x-method" not in after[name]]
        if not unused:
            return
        for name in unused:
            del after[name]
