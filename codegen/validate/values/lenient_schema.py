"""Converts the definitions of a schema to JSON Schema that accepts what a tolerant peer reads.

    x-deserialize-default-on-error       any value is accepted
    x-deserialize-default-on-null        null is accepted
    x-deserialize-skip-invalid-items     any array is accepted
    a union with a tag                   an object with an unknown tag is accepted

It accepts what the lenient decoders of the generated package accept; a test compares the two.

`NodeMarks` looks up discriminators by JSON node; the model computes them (`model/algebra/discriminators.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...document.json_types import is_json_array, is_json_object
from ...document.keywords import DEFAULT_ON_ERROR, DEFAULT_ON_NULL, SKIP_INVALID
from ...document.read import pointer_parts
from ...document.walk import rewrite, schemas
from ...model.algebra.discriminators import Marks, marks_by_pointer, tag_of_all
from ...model.nodes.types import Scalar, Schema

_NONE = Marks({})


class NodeMarks:
    """The discriminators of one schema's variants, by the identity of their JSON nodes, which must stay alive."""

    def __init__(self, schema: Schema, definitions: Mapping[str, Any]) -> None:
        marks = marks_by_pointer(schema)
        self._definitions = definitions
        self._marks = {
            id(node): marks[pointer] for pointer, node in schemas(definitions, "/$defs", "schemas") if pointer in marks
        }

    def of(self, node: Any) -> Marks:
        """The discriminator of a node; empty if it is not a discriminated object."""
        seen: set[int] = set()
        while is_json_object(node) and id(node) not in seen:
            seen.add(id(node))
            if id(node) in self._marks:
                return self._marks[id(node)]
            target = node.get("$ref")
            node = self._definitions.get(pointer_parts(target)[-1]) if isinstance(target, str) else None
        return _NONE

    def all(self, nodes: Iterable[Any]) -> list[Mapping[str, tuple[Scalar, ...]]]:
        """The constants of several nodes."""
        return [self.of(node).constants for node in nodes]

    def same(self, node: dict[str, Any], other: dict[str, Any]) -> None:
        """Record that a node is a rewritten form of another."""
        self._marks[id(node)] = self.of(other)


UNIONS = ("anyOf", "oneOf")


def lenient(definitions: Mapping[str, Any], marks: NodeMarks) -> dict[str, Any]:
    """Definitions that accept the values a lenient receiver reads. `marks` then also contains their variants."""
    relaxed: dict[str, Any] = rewrite({**definitions}, _Relaxed(marks), "schemas")
    return relaxed


class _Relaxed:
    """Relaxes one schema whose parts are already relaxed."""

    def __init__(self, marks: NodeMarks) -> None:
        self.marks = marks

    def __call__(self, node: dict[str, Any], relaxed: dict[str, Any]) -> dict[str, Any]:
        self.marks.same(relaxed, node)
        if "not" in node:
            relaxed["not"] = node["not"]  # a wider `not` would accept less
        for keyword in UNIONS:
            if is_json_array(node.get(keyword)):
                relaxed[keyword] += _unknown_tags(node[keyword], self.marks)
        properties = node.get("properties")
        if is_json_object(properties):
            relaxed["properties"] = {
                name: _property(child, relaxed["properties"][name]) for name, child in properties.items()
            }
        return relaxed


def _property(node: Any, relaxed: Any) -> Any:
    if not is_json_object(node):
        return relaxed
    if node.get(DEFAULT_ON_ERROR) not in (None, False):  # releases have written `{}` for true
        return True
    if node.get(SKIP_INVALID):
        relaxed = _any_items(relaxed)
    return {"anyOf": [relaxed, {"type": "null"}]} if node.get(DEFAULT_ON_NULL) else relaxed


def _any_items(node: Any) -> Any:
    """An array type that accepts any items after the individually typed ones, in any notation of a nullable array."""
    if not is_json_object(node):
        return node
    kept = {k: v for k, v in node.items() if k != "items"}
    return {k: [_any_items(child) for child in v] if k in (*UNIONS, "allOf") else v for k, v in kept.items()}


def _unknown_tags(variants: list[Any], nodes: NodeMarks) -> Iterator[Any]:
    """The variant that a lenient receiver adds to a tagged union of objects."""
    marks = [nodes.of(variant) for variant in variants if not _is_null(variant)]
    tag = tag_of_all((name for one in marks for name in one.constants), marks)
    if tag is not None:
        known = [constant for one in marks for constant in one.constants[tag]]
        yield {
            "type": "object",
            "properties": {tag: {"type": "string", "not": {"enum": known}}},
            "required": [tag],
        }


def _is_null(variant: Any) -> bool:
    return is_json_object(variant) and variant.get("type") == "null"


def parts(node: Any, definitions: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema with the targets of its `$ref` and the entries of its `allOf`, recursively."""
    waiting, seen = [node], set[int]()
    while waiting:
        part = waiting.pop()
        if not is_json_object(part) or id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        reference = part.get("$ref")
        if isinstance(reference, str):
            waiting.append(definitions.get(pointer_parts(reference)[-1]))
        waiting += part.get("allOf", ())
