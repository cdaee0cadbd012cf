"""The stable projection of a schema document: the document without unstable RFDs, then pruned.

It works on JSON, so that the result can be printed as well as loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .. import diagnostics
from ..escape import quoted
from .json_types import is_json_array, is_json_object
from .keywords import STAGES
from .read import Document, join
from .walk import references, rewrite, schemas

# JSON-RPC's own error object: every response may carry it, even if nothing else refers to it.
ERROR = "Error"
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_OF_A_METHOD = ("x-permission", "x-tunnel")
"""Keywords of the root that have no meaning without their method."""
_TABLE = "write `x-rfds`, the table of RFDs with their stages; {} if there are none"


def stable(document: Document) -> Document:
    """The stable part of a document. Raises SchemaError if the document has no table of RFDs."""
    root: Any = document.value
    table = root.get("x-rfds") if is_json_object(root) else None
    if not is_json_object(table):
        raise document.error(
            "", "the schema has no `x-rfds`, so the stable parts are unknown", diagnostics.RFD_UNKNOWN, instead=_TABLE
        )
    if not is_json_object(root.get("$defs")):
        return document  # which does not load either
    _check_known(document, set(table))
    return without(document, {name for name, entry in table.items() if _object(entry).get("stage") != STAGES[-1]})


def without(document: Document, unstable: set[str]) -> Document:
    """The document without the parts of the given RFDs."""
    root: dict[str, Any] = document.value
    table: dict[str, Any] = root["x-rfds"]
    definitions = root["$defs"]
    kept = {name: node for name, node in definitions.items() if _rfd(node) not in unstable}
    projected = rewrite(kept, _Stripped(unstable, frozenset(kept)), "schemas")
    projected = rewrite(projected, _Defaults(definitions, projected), "schemas")
    _drop_unused(definitions, projected)
    rfds = {name: entry for name, entry in table.items() if name not in unstable}
    value = {**root, "x-rfds": rfds, "$defs": projected}
    gone = _gone(definitions, projected)
    if is_json_object(requirements := value.pop("x-requirements", None)):
        value["x-requirements"] = _requirements(requirements, unstable, gone, definitions, projected)
    if is_json_object(sessions := value.get("x-sessions")):
        value["x-sessions"] = _sessions(sessions, gone)
    if is_json_object(lists := value.get("x-lists")):
        value["x-lists"] = {path: listing for path, listing in lists.items() if path not in gone}
    if is_json_object(interrupt := value.pop("x-interrupt", None)):
        value |= _interrupt(interrupt, gone)
    for keyword in _OF_A_METHOD:
        if is_json_object(entry := value.get(keyword)) and entry.get("method") in gone:
            del value[keyword]
    if is_json_object(handles := value.get("x-handles")):
        value["x-handles"] = {
            name: handle
            for name, handle in handles.items()
            if not any(text in gone for text in _object(handle).values())
        }
    return replace(document, value=value)


def _gone(before: dict[str, Any], after: dict[str, Any]) -> list[Any]:
    """The methods of the removed definitions. A list, because an unchecked schema may have any value there."""
    return [node.get("x-method") for name, node in before.items() if name not in after and is_json_object(node)]


def _requirements(
    table: dict[str, Any], unstable: set[str], gone: list[Any], before: dict[str, Any], after: dict[str, Any]
) -> dict[str, Any]:
    """The requirements, except those of the given RFDs, without references to removed parts."""

    def is_left(name: object) -> bool:
        definition, _, member = str(name).partition(".")
        if name in gone or (definition in before and definition not in after):
            return False
        properties = [_object(_object(tree.get(definition)).get("properties")) for tree in (before, after)]
        return member not in properties[0] or member in properties[1]

    kept: dict[str, Any] = {}
    for source, group in table.items():
        if source in unstable or not is_json_object(group):
            continue
        kept[source] = {}
        for name, said in group.items():
            before_all: Any = _object(said).get("on", [])
            if not is_json_object(said) or not is_json_array(before_all):
                kept[source][name] = said
                continue
            subjects = [each for each in before_all if is_left(each)]
            if subjects or not before_all:
                kept[source][name] = {**said, "on": subjects}
    return kept


def _interrupt(table: dict[str, Any], gone: list[Any]) -> dict[str, Any]:
    """The keyword without removed requests; empty if its notification was removed."""
    if table.get("method") in gone:
        return {}
    requests: Any = table.get("requests")
    kept = (
        {path: answer for path, answer in requests.items() if path not in gone}
        if is_json_object(requests)
        else requests
    )
    asked: Any = table.get("asked")
    others = (
        {"asked": {path: answer for path, answer in asked.items() if path not in gone}} if is_json_object(asked) else {}
    )
    return {"x-interrupt": {**table, "requests": kept, **others}}


def _sessions(table: dict[str, Any], gone: list[Any]) -> dict[str, Any]:
    """The table of sessions without removed requests."""
    return {
        key: [path for path in value if path not in gone]
        if is_json_array(value)
        else {path: ending for path, ending in value.items() if path not in gone}
        if is_json_object(value)
        else value
        for key, value in table.items()
    }


def _rfd(node: object) -> object:
    found = node.get("x-rfd") if is_json_object(node) else None
    return found if isinstance(found, str) else None


def _check_known(document: Document, known: set[str]) -> None:
    for pointer, node in schemas(document.value["$defs"], "/$defs", "schemas"):
        name = _rfd(node)
        if name is not None and name not in known:
            raise document.error(
                join(pointer, "x-rfd"), f"RFD {quoted(name)} is not listed in x-rfds", diagnostics.RFD_UNKNOWN, key=True
            )


class _Stripped:
    """Removes unstable properties, variants and values from a schema, and every mention of them in it."""

    def __init__(self, unstable: set[str], kept: frozenset[str]) -> None:
        self.unstable, self.kept = unstable, kept

    def __call__(self, _: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
        self._properties(node)
        for keyword in LISTS:
            variants = node.get(keyword)
            if is_json_array(variants):
                node[keyword] = self._variants(variants)
        return node

    def _properties(self, node: dict[str, Any]) -> None:
        properties = node.get("properties")
        removed = {name for name, child in _object(properties).items() if _rfd(child) in self.unstable}
        if not removed:
            return
        node["properties"] = {name: child for name, child in _object(properties).items() if name not in removed}
        if is_json_array(node.get("required")):
            node["required"] = [name for name in node["required"] if name not in removed]
            if not node["required"]:
                del node["required"]

    def _variants(self, variants: list[Any]) -> list[Any]:
        """The remaining variants, without the entries of `not` that exclude removed variants."""
        gone = {constant for v in variants if self._is_gone(v) for constant in _constants(v)}
        return [_pruned(variant, gone) for variant in variants if _rfd(variant) not in self.unstable]

    def _is_gone(self, variant: Any) -> bool:
        targets = list(references({"$ref": _object(variant).get("$ref")}))
        return _rfd(variant) in self.unstable or any(target not in self.kept for target in targets)


def _pruned(variant: Any, gone: set[tuple[str, str]]) -> Any:
    entries = _object(_object(variant).get("not")).get("anyOf")
    if not gone or not is_json_array(entries):
        return variant
    return {**variant, "not": {"anyOf": [entry for entry in entries if not set(_constants(entry)) & gone]}}


def _constants(variant: Any) -> Iterator[tuple[str, str]]:
    for name, schema in _object(_object(variant).get("properties")).items():
        constant = _object(schema).get("const")
        if isinstance(constant, str):
            yield name, constant


def _object(value: Any) -> dict[str, Any]:
    return value if is_json_object(value) else {}


class _Defaults:
    """Removes properties that no longer exist from the defaults of every reference to their definition."""

    def __init__(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        self.before, self.after = before, after

    def __call__(self, _: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
        if is_json_object(node.get("default")):
            for target in references({"$ref": node.get("$ref")}):
                node["default"] = self._pruned(node["default"], target)
        return node

    def _pruned(self, value: dict[str, Any], target: str) -> dict[str, Any]:
        old, new = (_object(_object(table.get(target)).get("properties")) for table in (self.before, self.after))
        result: dict[str, Any] = {}
        for key, child in value.items():
            if key in old and key not in new:
                continue
            below = list(references({"$ref": _object(new.get(key)).get("$ref")}))
            result[key] = self._pruned(child, below[0]) if is_json_object(child) and below else child
        return result


def _drop_unused(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Remove definitions that are no longer used."""
    uses = {name: set(references(node)) - {name} for name, node in after.items()}
    used_before = {target for name, node in before.items() for target in references(node) if target != name}
    candidates = {n for n in after if n in used_before and n != ERROR and "x-method" not in _object(after[n])}
    while True:
        used = set[str]().union(*uses.values())
        unused = candidates - used
        if not unused:
            return
        for name in unused:
            del after[name], uses[name]
        candidates -= unused
