# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""An entry of a session's state that grows: items are appended, and texts that follow each other are joined when they are read."""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

__all__ = ["Joining", "Pieces", "Streamed"]

T = TypeVar("T")


class Joining(Struct, frozen=True):
    """Items of a class that are joined with their like: the attribute with the text, and those that must be absent."""

    text: str
    absent: tuple[str, ...]


class Streamed(Generic[T]):
    """An entry to which items are appended as they come; texts that follow each other are one item.

    `kind` is the tag of the update that it came by, `key` names it (UNSET where its updates do not say). Other attributes are
    those that updates gave it; AttributeError for those that none did.
    """

    __slots__ = ("_items", "_joining", "_pieces", "key", "kind", "values")

    def __init__(self, kind: str, key: Any, joining: Mapping[type, Joining]) -> None:
        self.kind = kind
        self.key = key
        self.values: dict[str, Any] = {}
        self._items: list[T] = []
        self._pieces: list[str] = []
        self._joining = joining

    @property
    def items(self) -> list[T]:
        """What was appended so far."""
        if self._pieces:
            last: Any = self._items[-1]
            joining = self._joining[last.__class__]
            self._items[-1] = last.__class__(**{joining.text: getattr(last, joining.text) + "".join(self._pieces)})
            self._pieces.clear()
        return self._items

    @property
    def text(self) -> str:
        """The texts among the items, as one."""
        found = ((item, self._joining.get(item.__class__)) for item in self.items)
        return "".join(getattr(item, joining.text) for item, joining in found if joining is not None)

    def append(self, item: T) -> None:
        """Add an item at the end."""
        joining = self._joining.get(item.__class__)
        if joining is not None and not any(getattr(item, name) for name in joining.absent):
            last: Any = self._items[-1] if self._items else None
            if last.__class__ is item.__class__ and (
                self._pieces or not any(getattr(last, name) for name in joining.absent)
            ):
                self._pieces.append(getattr(item, joining.text))
                return
        if self._pieces:
            self.items  # noqa: B018  # joins what is pending
        self._items.append(item)

    def replace(self, items: Any) -> None:
        """Have these items instead of all before."""
        self._pieces.clear()
        self._items = []
        for item in items or ():
            self.append(item)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self.values:
            return self.values[name]
        raise AttributeError(f"no update gave this {self.kind} a {name!r}")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        stream: Any = other
        return (self.kind, self.key, self.values, self.items) == (stream.kind, stream.key, stream.values, stream.items)

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __repr__(self) -> str:
        return f"{type(self).__name__}(kind={self.kind!r}, key={self.key!r}, items={self.items!r})"


class Pieces(Streamed[str]):
    """An entry with one text that comes in pieces; `encoded`: each is bytes in base64, of which all have no more than one text.

    `items` is that text, if there is one, `data` its bytes. A piece that is not base64 counts as none.
    """

    __slots__ = ("_encoded",)

    def __init__(self, kind: str, key: Any, *, encoded: bool) -> None:
        super().__init__(kind, key, {})
        self._encoded = encoded

    @property
    def items(self) -> list[str]:
        """The text of all pieces; empty where there is none."""
        if len(self._items) > 1:
            whole = binascii.b2a_base64(self.data, newline=False).decode() if self._encoded else "".join(self._items)
            self._items = [whole]
        return self._items

    @property
    def data(self) -> bytes:
        """The bytes of all pieces."""
        return b"".join(_decoded(piece) if self._encoded else piece.encode() for piece in self._items)

    @property
    def text(self) -> str:
        """The bytes, read as UTF-8."""
        return self.data.decode(errors="replace")

    def append(self, item: str) -> None:
        """Add a piece at the end."""
        self._items.append(item)


def _decoded(piece: str) -> bytes:
    try:
        return binascii.a2b_base64(piece)
    except (binascii.Error, ValueError):
        return b""
