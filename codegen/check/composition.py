"""What an object is put together from: the schemas around a node that describe the same value."""

from __future__ import annotations

from typing import Any

from ..document.jsonvalue import is_json_array, is_json_object
from ..document.read import join
from .schemas import Raw

_CHOICES = ("anyOf", "oneOf")


class Composition:
    """Which nodes of a document describe the value that another one describes, through `$ref`, `allOf` and unions."""

    def __init__(self, raw: Raw) -> None:
        self.nodes: dict[str, dict[str, Any]] = dict(raw.nodes)
        self.above: dict[str, list[tuple[str, str]]] = {}
        for pointer in self.nodes:
            for keyword, part in self._parts(pointer):
                self.above.setdefault(part, []).append((pointer, keyword))

    def around(self, pointer: str) -> set[str]:
        """The properties that are declared for the value of a node, by it or by what it is combined with.

        What is in another variant of a union that the node is a variant of does not count.
        """
        found = self._below(pointer, set())
        waiting, seen = [pointer], {pointer}
        while waiting:
            part = waiting.pop()
            for whole, keyword in self.above.get(part, ()):
                found |= set(self._own(whole))
                for other_keyword, other in self._parts(whole):
                    if other != part and not (other_keyword == keyword and keyword in _CHOICES):
                        found |= self._below(other, {whole})
                if whole not in seen:
                    seen.add(whole)
                    waiting.append(whole)
        return found

    def _below(self, pointer: str, seen: set[str]) -> set[str]:
        if pointer in seen or pointer not in self.nodes:
            return set()
        seen.add(pointer)
        found = set(self._own(pointer))
        for _, part in self._parts(pointer):
            found |= self._below(part, seen)
        return found

    def _own(self, pointer: str) -> dict[str, Any]:
        properties = self.nodes[pointer].get("properties")
        return properties if is_json_object(properties) else {}

    def _parts(self, pointer: str) -> list[tuple[str, str]]:
        """The keywords and pointers of the nodes that a node is made of."""
        node = self.nodes[pointer]
        target = node.get("$ref")
        found = [("$ref", target.removeprefix("#"))] if isinstance(target, str) else []
        for keyword in ("allOf", *_CHOICES):
            members = node.get(keyword)
            count = len(members) if is_json_array(members) else 0
            found += [(keyword, join(pointer, keyword, index)) for index in range(count)]
        return found
