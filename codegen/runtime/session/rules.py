"""Tables of what messages do to the state of a session, and what a message did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

__all__ = ["Reading", "Rule", "StateChange", "StateValues"]


class Rule(Struct, frozen=True, kw_only=True):
    """What an update of one class does. All names are attributes; `key` are the steps to the key of the entry.

    `kind` is what its entries are of: the tag of the update, or of that whose entries it appends to.
    """

    part: str
    does: str
    kind: str = ""
    key: tuple[str, ...] = ()
    item: str = ""
    fields: tuple[str, ...] = ()
    """What an upsert or patch may change."""
    merged: frozenset[str] = frozenset()
    """Those of them that are objects with any keys, and are patched key by key."""
    needed: frozenset[str] = frozenset()
    """Attributes that the entry cannot be without, so null does not clear them."""
    maker: type | None = None
    """The class of the entries, where that is another one than the update's."""
    blank: Mapping[str, Any] = {}
    """What its needed attributes are until an update gives them."""
    named: bool = False
    """Whether the key is a string, so that an entry without one can be given one."""
    keeps_null: bool = False
    streamed: str = ""
    """The attribute of the update that is the list of a `Streamed` entry; `-`: the entry has no other record."""
    inside: str = ""
    """Where the entry is `Pieces`: the attribute with their text, in an object that is the attribute `streamed`."""
    holder: type | None = None
    """The class of that object."""
    encoded: bool = False
    """Whether each piece is bytes in base64."""


class Reading(Struct, frozen=True):
    """A part that the value at some steps into a message replaces.

    With `kind`, its items make an entry. With `update`, it acts as an update of that class would.
    """

    path: tuple[str, ...]
    part: str
    kind: str = ""
    update: type | None = None


class StateChange(Struct, frozen=True):
    """What a message changed: the part, what was done (`create`, `patch`, `append`, `replace`, `remove`, or `stray`
    for the removal of an entry that does not exist and for an update without a usable key), the key, the entry or value as it is now, and the item that was appended.
    """

    part: str
    does: str
    key: Any = None
    entry: Any = None
    item: Any = None


class StateValues(Struct, frozen=True):
    """Values that no update carries, such as what only the result of a call said: the last message of `replay`.

    `continues`: pieces without a key continue the last entry.
    """

    values: Mapping[str, Any]
    continues: bool = False
