"""The definitions of a schema, closed: JSON Schema that accepts only valid values without undeclared keys.

A value that the closed form accepts has no finding, so this fast check is sufficient for nearly every message. The
reverse does not hold: a value that the closed form rejects may be valid, and `gated_parts` examines it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from ...document.json_types import is_json_array, is_json_object
from .lenient_schema import UNIONS, NodeMarks, parts

_NAMING = frozenset({"title", "description", "default", "examples", "deprecated", "$comment"})
_MERGED = _NAMING | {"$ref", "allOf", "properties"}
_INSIDE = frozenset({"$ref", "allOf", "properties", "items", "prefixItems", "additionalProperties", *UNIONS})
_OPEN = frozenset[str]()


class Closed:
    """The closed forms of one schema's definitions; `document(name)` is a schema that any validator takes."""

    def __init__(self, definitions: Mapping[str, Any], marks: NodeMarks) -> None:
        self._definitions, self._marks = definitions, marks
        self._made: dict[tuple[int, frozenset[str]], str] = {}
        self._forms: dict[str, Any] = {}

    def document(self, name: str) -> dict[str, Any]:
        """The closed form of a definition, including everything that it refers to."""
        root = self._form(self._definitions[name], _OPEN)
        return {**root, "$defs": {**self._definitions, **self._forms}}

    def _form(self, node: Any, beside: frozenset[str]) -> Any:
        """The closed form of a node. `beside`: properties that something else declares."""
        if not is_json_object(node) or not node.keys() & _INSIDE:
            return node
        if node.keys() - _NAMING == {"$ref"}:
            node = self._definitions.get(str(node["$ref"]).rpartition("/")[2], True)
            if not is_json_object(node) or not node.keys() & _INSIDE:
                return node
        key = (id(node), beside)
        if key not in self._made:
            self._made[key] = name = f"{len(self._made)}!"
            self._forms[name] = self._composed(node, beside)
        return {"$ref": f"#/$defs/{self._made[key]}"}

    def _composed(self, node: dict[str, Any], beside: frozenset[str]) -> dict[str, Any]:
        own = list(parts(node, self._definitions))
        unions = [(part, keyword) for part in own for keyword in UNIONS if is_json_array(part.get(keyword))]
        declared = {name for part in own for name in part.get("properties", ())}
        known = beside | declared
        entries = [entry for part in own if (entry := self._entry(part, known))]
        if len(unions) > 1 and any(self._declares(v) for part, k in unions for v in part[k]):
            return {"not": {}}  # which keys one of them declares depends on the other
        properties: dict[str, Any] = dict.fromkeys(beside, True)
        for name in declared:
            forms = [self._form(p["properties"][name], _OPEN) for p in own if name in p.get("properties", ())]
            properties[name] = forms[0] if len(forms) == 1 else {"allOf": forms}
        shape: dict[str, Any] = {"properties": properties} if declared or (known and not unions) else {}
        if known and not unions and not any(map(_is_free, own)):
            shape["additionalProperties"] = False
        if len(entries) == 1 and not entries[0].keys() & shape.keys():
            return {**entries[0], **shape}
        return {**shape, "allOf": entries} if entries else shape

    def _entry(self, part: dict[str, Any], known: frozenset[str]) -> dict[str, Any]:
        """A part without its properties, closed inside."""
        entry = {k: v for k, v in part.items() if k not in _MERGED and not k.startswith("x-")}
        if is_json_object(part.get("additionalProperties")):
            entry["properties"] = dict.fromkeys(part.get("properties", ()), True)
            entry["additionalProperties"] = self._form(part["additionalProperties"], _OPEN)
        elif part.get("additionalProperties") is False:
            entry["properties"] = dict.fromkeys(part.get("properties", ()), True)
        if "items" in part:
            entry["items"] = self._form(part["items"], _OPEN)
        if is_json_array(part.get("prefixItems")):
            entry["prefixItems"] = [self._form(item, _OPEN) for item in part["prefixItems"]]
        for keyword in UNIONS:
            variants = part.get(keyword)
            if is_json_array(variants):
                del entry[keyword]
                closed = [
                    {"anyOf": [variant if _takes_any(variant) else self._form(variant, known) for variant in variants]}
                ]
                if keyword == "oneOf" and not self._exclusive(variants):
                    closed.append({keyword: variants})
                entry["allOf"] = [*entry.get("allOf", ()), *closed]
        if len(entry.get("allOf", ())) == 1 and not entry["allOf"][0].keys() & entry.keys():
            entry = {**entry, **entry["allOf"][0]}
            del entry["allOf"]
        return entry

    def _declares(self, variant: Any) -> bool:
        """Return whether a variant declares an object's properties."""
        return any(
            part.get("properties") or any(self._declares(v) for k in UNIONS for v in part.get(k, ()))
            for part in parts(variant, self._definitions)
        )

    def _exclusive(self, variants: list[Any]) -> bool:
        """Return whether no value conforms to two variants, by their JSON types or constants."""
        known = [(self._kinds(variant), self._marks.of(variant).constants) for variant in variants]
        return all(_apart(*one, *other) for one, other in combinations(known, 2))

    def _kinds(self, variant: Any) -> set[str]:
        """The JSON types of a variant. For a constant string, its value."""
        found = set(_KINDS)
        for part in parts(variant, self._definitions):
            if isinstance(part.get("const"), str):
                return {f"={part['const']}"}
            named = part.get("type", [*_KINDS])
            kinds = {named} if isinstance(named, str) else set(named)
            found &= kinds | {"integer"} if "number" in kinds else kinds
        return found


_KINDS = frozenset({"object", "array", "string", "integer", "number", "boolean", "null"})


def _apart(
    kinds: set[str],
    tags: Mapping[str, tuple[Any, ...]],
    other_kinds: set[str],
    other_tags: Mapping[str, tuple[Any, ...]],
) -> bool:
    if kinds.isdisjoint(other_kinds):
        return not any(
            "string" in a and any(k[0] == "=" for k in b) for a, b in ((kinds, other_kinds), (other_kinds, kinds))
        )
    shared = tags.keys() & other_tags.keys()
    return kinds == other_kinds == {"object"} and any(not any(v in other_tags[n] for v in tags[n]) for n in shared)


def _takes_any(variant: Any) -> bool:
    """Return whether a variant accepts any properties."""
    return not is_json_object(variant) or not variant or "not" in variant


def _is_free(part: dict[str, Any]) -> bool:
    return part.get("additionalProperties", False) is not False or bool(part.get("unevaluatedProperties"))
