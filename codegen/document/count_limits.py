"""Check a schema document against the limits that the loader relies on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..limits import CHAIN, DEFINITIONS, METHODS
from .json_types import is_json_array, is_json_object
from .read import Document, join
from .walk import references

_MADE_OF = ("allOf", "anyOf", "oneOf")


def check_budget(document: Document) -> None:
    """Raise SchemaError if a document has too many definitions or methods, or too long a chain of definitions."""
    definitions = document.value.get("$defs") if is_json_object(document.value) else None
    if not is_json_object(definitions):
        return
    if len(definitions) > DEFINITIONS.most:
        name = list(definitions)[DEFINITIONS.most]
        raise document.over(join("", "$defs", name), DEFINITIONS, key=True)
    methods: set[tuple[str, str]] = set()
    for name, node in definitions.items():
        if is_json_object(node) and "x-method" in node:
            methods.add((str(node["x-method"]), str(node.get("x-side"))))
            if len(methods) > METHODS.most:
                raise document.over(join("", "$defs", name, "x-method"), METHODS)
    for name, height in _heights(definitions):
        if height > CHAIN.most:
            raise document.over(join("", "$defs", name), CHAIN, key=True)


def _heights(definitions: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """The length of the chain that starts at each definition. A cycle counts once; the loader reports it."""
    heights: dict[str, int] = {}
    for first, node in definitions.items():
        stack = [(first, iter(_made_of(node)))] if first not in heights else []
        heights.setdefault(first, 1)
        while stack:
            name, targets = stack[-1]
            target = next((t for t in targets if t in definitions), None)
            if target is None:
                stack.pop()
                if stack:
                    above = stack[-1][0]
                    heights[above] = max(heights[above], heights[name] + 1)
                yield name, heights[name]
            elif target in heights:
                heights[name] = max(heights[name], heights[target] + 1)
            else:
                heights[target] = 1
                stack.append((target, iter(_made_of(definitions[target]))))


def _made_of(node: Any) -> Iterator[str]:
    """The definitions that a value of a schema must match as a whole, in contrast to definitions of its parts."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if is_json_object(part):
            yield from references({"$ref": part.get("$ref")})
            for keyword in _MADE_OF:
                entries = part.get(keyword)
                waiting += entries if is_json_array(entries) else ()
