"""The build cache for the next run: the inputs of each page, and results that are slow to compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from ...document.walk import rewrite
from ...write.manifest import digest

T = TypeVar("T")

MEMORY = ".memory.json"
"""The file; deleting it only costs time."""


class Memory(msgspec.Struct, forbid_unknown_fields=True):
    """What was made from what: by path the digest of a page's blocks, and by digest what takes long to work out."""

    pages: dict[str, str] = {}
    found: dict[str, Any] = {}

    def text(self) -> str:
        """The memory as JSON."""
        # Messages keep their order.
        ordered = Memory(dict(sorted(self.pages.items())), dict(sorted(self.found.items())))
        return msgspec.json.format(msgspec.json.encode(ordered), indent=1).decode() + "\n"


def parse_memory(data: bytes | None) -> Memory:
    """A memory from its bytes; an empty one if they are not one."""
    try:
        return msgspec.json.decode(data or b"", type=Memory)
    except (msgspec.DecodeError, RecursionError):
        return Memory()


class Recalled:
    """Values that were worked out in an earlier run, by what they follow from; keeps only those that are asked for."""

    def __init__(self, memory: Memory, base: str) -> None:
        self._before, self._base = memory.found, base
        self.kept: dict[str, Any] = {}

    def get(self, key: str, type_: Any, make: Callable[[], T]) -> T:
        """The value of a key, made where no earlier run has left one."""
        key = digest(f"{self._base}\0{key}".encode("utf-8", "surrogatepass"))
        found: T
        try:
            found = msgspec.convert(self._before[key], type_)
        except (KeyError, msgspec.ValidationError):
            found = make()
        if _stays(found, type_):
            self.kept[key] = msgspec.to_builtins(found)
        return found


def _stays(value: object, type_: Any) -> bool:
    """Whether a value is the same after it was written and read: a number or a text of a stranger may not be."""
    try:
        return bool(msgspec.json.decode(msgspec.json.encode(value), type=type_) == value)
    except (msgspec.MsgspecError, OverflowError, RecursionError, UnicodeError):
        return False


def wire_digest(value: Any) -> str:
    """A digest of a schema without its descriptions, which change nothing on the wire."""
    return digest(msgspec.json.encode(rewrite(value, _undescribed, "root")))


def _undescribed(_: Any, node: dict[str, Any]) -> dict[str, Any]:
    return {keyword: child for keyword, child in node.items() if keyword != "description"}
