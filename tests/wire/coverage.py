"""Which parts of a schema a set of messages shows: definitions, properties, variants and values, each by a readable name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from .documents import Document, definitions

_UNIONS = ("oneOf", "anyOf")


def parts(document: Document) -> set[str]:
    """Everything a message could show."""
    found: set[str] = set()
    for name in definitions(document):
        found.add(name)
        found.update(_parts(document["$defs"][name], name))
    return found


def _parts(node: Any, name: str) -> Iterator[str]:
    if not isinstance(node, dict):
        return
    for constant in node.get("enum", ()):
        yield f"{name} = {constant!r}"
    for variant_name, variant in _variants(node, name):
        yield variant_name
        yield from _parts(variant, variant_name)
    for child_name, child in _children(node, name):
        if child_name.rpartition(".")[0] == name:
            yield child_name
        yield from _parts(child, child_name)
    for part in node.get("allOf", ()):
        yield from _parts(part, name)


def _children(node: Mapping[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    for key, child in node.get("properties", {}).items():
        if not (
            isinstance(child, dict) and "const" in child
        ):  # the variant that the constant names counts, not the tag
            yield f"{name}.{key}", child
    for keyword, suffix in (("items", "[]"), ("additionalProperties", "{}"), ("unevaluatedProperties", "{}")):
        if keyword in node:
            yield name + suffix, node[keyword]


def _variants(node: Mapping[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    for keyword in _UNIONS:
        for variant in node.get(keyword, ()):
            yield f"{name} | {_label(variant)}", variant


def _label(variant: Any) -> str:
    if not isinstance(variant, dict):
        return repr(variant)
    tags = [
        f"{k}={p['const']!r}" for k, p in variant.get("properties", {}).items() if isinstance(p, dict) and "const" in p
    ]
    own = [repr(variant["const"])] if "const" in variant else []
    reference = [variant["$ref"].rpartition("/")[2]] if "$ref" in variant else []
    title = [variant["title"]] if "title" in variant else []
    return " ".join([*tags, *own] or title or reference) or repr(variant.get("type"))


class Coverage:
    """Collects the parts that messages show."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.seen: set[str] = set()
        self._validators: dict[int, jsonschema_rs.Draft202012Validator] = {}

    def add(self, name: str, value: Any) -> None:
        """Take in a message that fits a definition."""
        self.seen.add(name)
        self._walk(self.document["$defs"][name], name, value)

    def _walk(self, node: Any, name: str, value: Any) -> None:
        if not isinstance(node, dict):
            return
        if "$ref" in node:
            self.add(node["$ref"].removeprefix("#/$defs/"), value)
        if value in node.get("enum", ()):
            self.seen.add(f"{name} = {value!r}")
        for keyword in _UNIONS:
            # The first variant that fits is the one the message shows: what also fits a later one shows nothing of that.
            for variant_name, variant in _variants({keyword: node.get(keyword, ())}, name):
                if self._fits(variant, value):
                    self.seen.add(variant_name)
                    self._walk(variant, variant_name, value)
                    break
        for part in node.get("allOf", ()):
            self._walk(part, name, value)
        for child_name, child in _children(node, name):
            for inner in _inside(node, child_name, name, value):
                self.seen.add(child_name)
                self._walk(child, child_name, inner)

    def _fits(self, variant: Any, value: Any) -> bool:
        if id(variant) not in self._validators:
            node = variant if isinstance(variant, dict) else {"allOf": [variant]}
            self._validators[id(variant)] = jsonschema_rs.Draft202012Validator(
                {**node, "$defs": self.document["$defs"]}
            )
        return self._validators[id(variant)].is_valid(value)


def _inside(node: Mapping[str, Any], child_name: str, name: str, value: Any) -> list[Any]:
    """The values inside a value that a child of its node describes."""
    step = child_name.removeprefix(name)
    if step == "[]":
        return value if isinstance(value, list) else []
    if not isinstance(value, dict):
        return []
    if step == "{}":
        return [child for key, child in value.items() if key not in node.get("properties", {})]
    return [value[step[1:]]] if step[1:] in value else []
