"""Gates inside messages that a published schema does not state, taken from our own: of properties, and of variants.

A property is found by its name, a variant by its constants. A gate that points at no capability of the schema closes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..document.jsonvalue import is_json_array, is_json_object
from .lenient import UNIONS, constants
from .walk import GATE


def with_gates(definitions: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """Definitions in which the properties and variants that ours gate are gated too; nothing else differs."""
    return {name: _gated(node, ours.get(name), definitions, ours) for name, node in definitions.items()}


def _gated(node: Any, other: Any, definitions: Mapping[str, Any], ours: Mapping[str, Any]) -> Any:
    if not is_json_object(node) or not is_json_object(other):
        return node
    changed = dict(node)
    if is_json_object(node.get("properties")) and is_json_object(other.get("properties")):
        known = other["properties"]
        changed["properties"] = {name: _with(child, known.get(name)) for name, child in node["properties"].items()}
    for keyword in UNIONS:
        if is_json_array(node.get(keyword)):
            gated = {_tags(v, ours): v for k in UNIONS for v in other.get(k, ()) if is_json_object(v) and GATE in v}
            gated.pop("", None)
            changed[keyword] = [_with(v, gated.get(_tags(v, definitions))) for v in node[keyword]]
    return changed


def _with(node: Any, other: Any) -> Any:
    gate = other.get(GATE) if is_json_object(other) else None
    return {**node, GATE: gate} if isinstance(gate, str) and is_json_object(node) else node


def _tags(variant: Any, definitions: Mapping[str, Any]) -> str:
    """What tells a variant apart; empty where nothing does."""
    if is_json_object(variant) and "const" in variant:
        return repr(variant["const"])
    found = constants(variant, definitions)
    return repr(sorted(found.items())) if found else ""
