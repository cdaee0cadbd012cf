"""What the typed calls take, made what the records hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, cast, overload

from msgspec import UNSET, UnsetType

__all__ = ["listed"]

T = TypeVar("T")
Absent = TypeVar("Absent", bound=UnsetType | None)


@overload
def listed(items: Sequence[T]) -> list[T]: ...
@overload
def listed(items: Absent) -> Absent: ...
def listed(items: Sequence[T] | UnsetType | None) -> list[T] | UnsetType | None:
    """The items as a list; what was left out, null, and what is not several items (a text, an object) as it is."""
    if items is UNSET or isinstance(items, (list, str, bytes)) or not isinstance(items, Iterable):
        return cast("list[T] | UnsetType | None", items)
    return list(items)
