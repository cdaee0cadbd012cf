# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Small packages that add types to this one: their node tables are read as parts of this package's, on first need."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

__all__ = ["add", "announced", "take"]

_waiting: list[str] = []
_announced: list[str] = []


def add(package: str) -> None:
    """Announce a package, by its name, whose `_nodes` and `models` belong to this one's tables."""
    _waiting.append(package)
    _announced.append(package)


def announced() -> tuple[str, ...]:
    """All packages that were announced."""
    return tuple(_announced)


def take(tables: Any, models: dict[str, Any]) -> bool:
    """Merge what was announced into the tables of this package, a module, and into its types by name; whether there was any.

    Raises ImportError where two packages mean different things by one name.
    """
    news = bool(_waiting)
    while _waiting:
        package = _waiting.pop()
        theirs, types = import_module(f"{package}._nodes"), import_module(f"{package}.models")
        for ours, others in ((tables.NODES, theirs.NODES), (tables.META, theirs.META)):
            _merge(ours, others, package)
        models.update({name: getattr(types, name) for name in theirs.NODES})
    return news


def _merge(ours: dict[str, Any], others: Mapping[str, Any], package: str) -> None:
    for name, meaning in others.items():
        if ours.setdefault(name, meaning) != meaning:
            raise ImportError(f"{package} has a type {name}, and another package has a different one of that name")
