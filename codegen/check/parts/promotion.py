"""An earlier schema without the parts that have become stable since, as released peers know it.

A part becomes stable when its RFD is completed, or when its `x-rfd` is removed. Released peers do not know the part,
even if an earlier schema contained it as unstable.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...document.json_types import is_json_array, is_json_object
from ...document.keywords import STAGES
from ...document.projection import without
from ...document.read import Document, join, pointer_parts
from ...document.walk import Kind, step

_STABLE_NOW = "\0stable now"
"""A marker for parts to remove; it is not a valid name of an RFD."""


def before_promotion(old: Document, new: Document) -> Document | None:
    """The old document without parts that became stable; None if there are none."""
    tables = (old.value.get("x-rfds"), new.value.get("x-rfds"))
    if not all(map(is_json_object, tables)):
        return None
    promotion = _Promotion(*tables)
    after: dict[str, Any] = new.value["$defs"]
    definitions = {name: promotion.definition(node, after.get(name)) for name, node in old.value["$defs"].items()}
    if not promotion.happened:
        return None
    return without(replace(old, value={**old.value, "$defs": definitions}), {_STABLE_NOW})


class _Promotion:
    def __init__(self, before: dict[str, Any], after: dict[str, Any]) -> None:
        self.unstable = {name for name, entry in before.items() if entry.get("stage") != STAGES[-1]}
        self.completed = {name for name, entry in after.items() if entry.get("stage") == STAGES[-1]}
        self.happened = False

    def definition(self, node: Any, after: Any) -> Any:
        """A definition. Unless it belongs to a method, it is removed with its last use."""
        if node == after and not self.unstable & self.completed:
            return node
        is_method = is_json_object(node) and "x-method" in node
        return self._part(node, after, "schema") if is_method else self._inside(node, after, "schema")

    def _part(self, node: Any, after: Any, kind: Kind) -> Any:
        """A part. A method, property, variant or value is marked if it became stable."""
        rfd = _rfd(node) if kind == "schema" else None
        if rfd in self.unstable:
            unmarked = is_json_object(after) and (_rfd(after) is None or _rfd(after) in self.completed)
            if rfd in self.completed or unmarked:
                self.happened = True
                return {**node, "x-rfd": _STABLE_NOW}
        return self._inside(node, after, kind)

    def _inside(self, node: Any, after: Any, kind: Kind) -> Any:
        if kind == "variants" and is_json_array(node):
            others = {key_of(other): other for other in after} if is_json_array(after) else {}
            return [self._part(child, others.get(key_of(child)), "schema") for child in node]
        if kind == "data" or not is_json_object(node):
            return node
        faced: dict[str, Any] = after if is_json_object(after) else {}
        return {key: self._part(child, faced.get(key), step(kind, key)) for key, child in node.items()}


def _rfd(node: object) -> object:
    found = node.get("x-rfd") if is_json_object(node) else None
    return found if isinstance(found, str) else None


def key_of(variant: object) -> str:
    """The identity of a variant or value while its other keywords change: constants, reference, title."""
    if not is_json_object(variant):
        return repr(variant)
    properties = variant.get("properties", {})
    constants = {n: p.get("const") for n, p in properties.items() if is_json_object(p)}
    return repr((variant.get("const"), variant.get("$ref"), variant.get("title"), constants))


def counterpart(one: Any, other: Any, pointer: str) -> tuple[str, Any] | None:
    """The counterpart of a part in another document: its pointer and its value. Variants are matched by identity."""
    taken: list[str] = []
    for part in pointer_parts(pointer):
        if is_json_object(one) and is_json_object(other) and part in one and part in other:
            one, other = one[part], other[part]
            taken.append(part)
        elif is_json_array(one) and is_json_array(other) and part.isdigit() and int(part) < len(one):
            one = one[int(part)]
            index = next((i for i, each in enumerate(other) if key_of(each) == key_of(one)), None)
            if index is None:
                return None
            other = other[index]
            taken.append(str(index))
        else:
            return None
    return join("", *taken), other
