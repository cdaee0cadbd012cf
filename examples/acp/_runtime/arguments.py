# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""What the typed calls take, made what the records hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, overload

from msgspec import UnsetType

__all__ = ["listed"]

T = TypeVar("T")
Absent = TypeVar("Absent", bound=UnsetType | None)


@overload
def listed(items: Sequence[T]) -> list[T]: ...
@overload
def listed(items: Absent) -> Absent: ...
def listed(items: Sequence[T] | UnsetType | None) -> list[T] | UnsetType | None:
    """The items as a list; what was left out, or null, as it is."""
    if items is None or isinstance(items, (list, UnsetType)):
        return items
    return list(items)
