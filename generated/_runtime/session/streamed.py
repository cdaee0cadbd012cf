# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Streamed entries of a session's state, prompts that an agent may repeat, and tables of the effects of each update.

An entry joins consecutive text chunks when it is read. Comparing, copying or pickling an entry covers its full
contents.
"""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Generic, Self, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Joining(Struct, frozen=True):
    """A class of items whose consecutive texts are joined: the attribute with the text, and attributes that must be
    absent.
    """

    text: str
    absent: tuple[str, ...]


class Streamed(Generic[T]):
    """An entry to which items are appended. Consecutive texts form one item.

    `kind` is the tag of its update, `key` its id (UNSET if its updates have none). Other attributes come from updates;
    AttributeError if no update has set them.
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
        """All appended items."""
        if self._pieces:
            last: Any = self._items[-1]
            joining = self._joining[last.__class__]
            self._items[-1] = last.__class__(**{joining.text: getattr(last, joining.text) + "".join(self._pieces)})
            self._pieces.clear()
        return self._items

    @property
    def text(self) -> str:
        """The texts of all items, joined."""
        found = ((item, self._joining.get(item.__class__)) for item in self.items)
        return "".join(getattr(item, joining.text) for item, joining in found if joining is not None)

    def append(self, item: T) -> None:
        """Add an item at the end."""
        joining = self.joins(item)
        if joining is not None:
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
        """Replace all items."""
        self._pieces.clear()
        self._items = []
        for item in items or ():
            self.append(item)

    def joins(self, item: Any) -> Joining | None:
        """The rule by which an item is joined with its neighbours; None for an item that stays separate."""
        joining = self._joining.get(item.__class__)
        if joining is not None:
            for name in joining.absent:
                if getattr(item, name):
                    return None
        return joining

    def __getattr__(self, name: str) -> Any:
        # While a copy is made, `kind` and `values` are not there yet.
        if not name.startswith("_") and name not in ("kind", "values"):
            if name in self.values:
                return self.values[name]
            raise AttributeError(f"no update gave this {self.kind} a {name!r}")
        raise AttributeError(name)

    def __copy__(self) -> Self:
        return deepcopy(self)

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        stream: Any = other
        return (self.kind, self.key, self.values, self.items) == (stream.kind, stream.key, stream.values, stream.items)

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __repr__(self) -> str:
        return f"{type(self).__name__}(kind={self.kind!r}, key={self.key!r}, items={self.items!r})"


class Pieces(Streamed[str]):
    """An entry with one text that arrives in pieces. `encoded`: each piece is base64.

    `items` contains that text, if there is one, `data` its bytes. Invalid base64 is ignored. `beside`: the other
    properties of the object with the text, such as `_meta`.
    """

    __slots__ = ("_encoded", "beside")

    def __init__(self, kind: str, key: Any, *, encoded: bool) -> None:
        super().__init__(kind, key, {})
        self.beside: dict[str, Any] = {}
        self._encoded = encoded

    @property
    def items(self) -> list[str]:
        """The text of all pieces; empty if there is none."""
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
        """The bytes, decoded as UTF-8."""
        return self.data.decode(errors="replace")

    def append(self, item: str) -> None:
        """Add a piece at the end."""
        self._items.append(item)

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        return same if same is not True else self.beside == getattr(other, "beside", None)

    __hash__ = None  # mutable


def _decoded(piece: str) -> bytes:
    try:
        return binascii.a2b_base64(piece)
    except (binascii.Error, ValueError):
        return b""


class Echo:
    """A prompt that the agent may repeat as an update, and the part repeated so far."""

    __slots__ = ("_at", "_items", "_offset", "entry", "key")

    def __init__(self, entry: Streamed[Any]) -> None:
        self.entry = entry
        self.key = entry.key
        """The key of the entry before the repetition changed it."""
        self._items = [*entry.items]
        self._at = self._offset = 0

    @property
    def begun(self) -> bool:
        """True if a part was repeated."""
        return bool(self._at or self._offset)

    @property
    def done(self) -> bool:
        """True if the whole prompt was repeated."""
        return self._at == len(self._items)

    @property
    def heard(self) -> list[Any]:
        """The items repeated so far."""
        heard = self._items[: self._at]
        if not self._offset:
            return heard
        last = self._items[self._at]
        joining: Any = self.entry.joins(last)
        return [*heard, last.__class__(**{joining.text: getattr(last, joining.text)[: self._offset]})]

    def hear(self, item: Any) -> bool:
        """Return whether an item repeats the next part of the prompt."""
        if self.done:
            return False
        wanted = self._items[self._at]
        if not self._offset and item == wanted:
            self._at += 1
            return True
        joining = self.entry.joins(item)
        if joining is None or wanted.__class__ is not item.__class__ or self.entry.joins(wanted) is None:
            return False
        text, whole = getattr(item, joining.text), getattr(wanted, joining.text)
        if not whole.startswith(text, self._offset):
            return False
        self._offset += len(text)
        if self._offset == len(whole):
            self._at, self._offset = self._at + 1, 0
        return True


class Rule(Struct, frozen=True, kw_only=True):
    """The effect of updates of one class. All names are attributes; `key` lists the steps to the key of the entry.

    `kind` is the kind of entry: the tag of the update, or of the update whose entries it extends.
    """

    part: str
    does: str
    kind: str = ""
    key: tuple[str, ...] = ()
    item: str = ""
    fields: tuple[str, ...] = ()
    """The attributes that an upsert or patch may change."""
    merged: frozenset[str] = frozenset()
    """Those that are objects with arbitrary keys, patched key by key."""
    needed: frozenset[str] = frozenset()
    """Required attributes of the entry, which null does not clear."""
    maker: type | None = None
    """The class of the entries, if it differs from the update's."""
    blank: Mapping[str, Any] = {}
    """Initial values of required attributes."""
    named: bool = False
    """True if the key is a string, so that one can be created."""
    keeps_null: bool = False
    streamed: str = ""
    """The attribute of the update with the items of a `Streamed` entry; `-` if the entry has no other record."""
    inside: str = ""
    """For `Pieces`: the attribute with the text, in the object of the attribute `streamed`."""
    holder: type | None = None
    """The class of that object."""
    encoded: bool = False
    """True if each piece is base64."""


class Reading(Struct, frozen=True):
    """A part that is replaced by the value at some steps into a message.

    With `kind`, its items make an entry. With `update`, it acts as an update of that class would.
    """

    path: tuple[str, ...]
    part: str
    kind: str = ""
    update: type | None = None


class StateChange(Struct, frozen=True):
    """A change by a message. It has the part and the action: `create`, `patch`, `append`, `replace`, `remove`, or
    `stray` for an update without a usable key and for the removal of a missing entry. It also has the key, the
    current entry or value, and the appended item.
    """

    part: str
    does: str
    key: Any = None
    entry: Any = None
    item: Any = None


class StateValues(Struct, frozen=True):
    """Values that no update contains, such as values of results: the last message of `replay`.

    `continues`: pieces without a key continue the last entry.
    """

    values: Mapping[str, Any]
    continues: bool = False
