"""What leads to a variant, for those who read a schema as JSON: the model decides it (`model/apart.py`), here it is found by node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..document.jsonvalue import is_json_object
from ..document.read import pointer_parts
from ..document.walk import schemas
from ..model.apart import Marks, marks_by_pointer
from ..model.types import Scalar, Schema

_NONE = Marks({})


class NodeMarks:
    """The marks of the variants of one schema, by the identity of the JSON nodes that describe them, which must stay."""

    def __init__(self, schema: Schema, definitions: Mapping[str, Any]) -> None:
        marks = marks_by_pointer(schema)
        self._definitions = definitions
        self._marks = {
            id(node): marks[pointer] for pointer, node in schemas(definitions, "/$defs", "schemas") if pointer in marks
        }

    def of(self, node: Any) -> Marks:
        """The marks of a node; none where it is not an object that anything tells apart."""
        seen: set[int] = set()
        while is_json_object(node) and id(node) not in seen:
            seen.add(id(node))
            if id(node) in self._marks:
                return self._marks[id(node)]
            target = node.get("$ref")
            node = self._definitions.get(pointer_parts(target)[-1]) if isinstance(target, str) else None
        return _NONE

    def all(self, nodes: Iterable[Any]) -> list[Mapping[str, tuple[Scalar, ...]]]:
        """The constants of each of some nodes."""
        return [self.of(node).constants for node in nodes]

    def same(self, node: dict[str, Any], other: dict[str, Any]) -> None:
        """State that a node is another one in other words."""
        self._marks[id(node)] = self.of(other)
