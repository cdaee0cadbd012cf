"""JSON values that record the source document of each of their parts."""

from __future__ import annotations

from typing import Any

from ..errors import printable
from .json_types import is_json_array, is_json_object
from .read import Document, join

Path = tuple[str | int, ...]


class Node:
    """A JSON value with its source. Levels are opened on demand, so untouched parts cost nothing."""

    __slots__ = ("_items", "_value", "document", "pointer")

    def __init__(self, document: Document, pointer: str, value: Any) -> None:
        self.document = document
        self.pointer = pointer
        self._value = value
        self._items: dict[str, Node] | list[Node] | None = None

    @property
    def value(self) -> Any:
        """The value as plain JSON."""
        if isinstance(self._items, dict):
            return {name: child.value for name, child in self._items.items()}
        return [child.value for child in self._items] if self._items is not None else self._value

    def members(self) -> dict[str, Node]:
        """The properties of an object by name; empty for anything else."""
        if self._items is None and is_json_object(self._value):
            self._items = {name: self._child(name, value) for name, value in self._value.items()}
        return self._items if isinstance(self._items, dict) else {}

    def items(self) -> list[Node]:
        """The items of an array; empty for anything else."""
        if self._items is None and is_json_array(self._value):
            self._items = [self._child(index, value) for index, value in enumerate(self._value)]
        return self._items if isinstance(self._items, list) else []

    def child(self, step: str | int) -> Node | None:
        """The part one step below, or None."""
        if is_json_object(self._value):
            return self.members().get(str(step))
        items = self.items()
        index = int(step) if isinstance(step, int) or step.isdecimal() else len(items)
        return items[index] if index < len(items) else None

    def drop(self, step: str | int) -> None:
        """Remove a part."""
        if is_json_object(self._value):
            del self.members()[str(step)]
        else:
            del self.items()[int(step)]

    @property
    def touched(self) -> bool:
        """Return whether the parts below were opened. If not, all of them have the same source as this part."""
        return self._items is not None

    @property
    def is_object(self) -> bool:
        """Return whether the value is an object."""
        return is_json_object(self._value)

    @property
    def is_array(self) -> bool:
        """Return whether the value is an array."""
        return is_json_array(self._value)

    @property
    def place(self) -> str:
        """The place of the value, for a message."""
        line, column = self.document.locate(self.pointer, key=True)
        return f"{printable(self.document.name)}:{line}:{column}"

    def _child(self, step: str | int, value: Any) -> Node:
        return Node(self.document, join(self.pointer, step), value)

    def copied(self) -> Node:
        """A copy that can be changed independently."""
        copy = Node(self.document, self.pointer, self._value)
        if isinstance(self._items, dict):
            copy._items = {name: child.copied() for name, child in self._items.items()}
        elif self._items is not None:
            copy._items = [child.copied() for child in self._items]
        return copy

    def at(self, path: Path) -> Node:
        """The existing part at the end of a path."""
        node = self
        for part in path:
            below = node.child(part)
            assert below is not None
            node = below
        return node
