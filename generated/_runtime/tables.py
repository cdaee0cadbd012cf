# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The node tables of the package, and which type each node is of. They are imported on first need.

A package that adds types to this one (``additions``) has its tables joined to these.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from .additions import take
from .nodes import Node

__all__ = ["is_named", "names", "node_name", "table", "type_of"]


def table() -> Mapping[str, Node]:
    """Types to their nodes, by name."""
    tables = import_module(".._nodes", __package__)
    if take(tables, _added):
        names.cache_clear()
    found: Mapping[str, Node] = tables.NODES
    return found


_added: dict[str, Any] = {}
"""The types of packages that add to this one, by name."""


def type_of(name: str) -> Any:
    """The class or alias of a name."""
    return _added[name] if name in _added else getattr(import_module("..models", __package__), name)


@lru_cache(maxsize=1)
def names() -> Mapping[Any, str]:
    """Types to the names of their nodes; several aliases of one type share a meaning."""
    return {type_of(name): name for name in table()}


def node_name(type: Any) -> str:
    """The name of a type's node; KeyError where the tables do not have it."""
    table()  # which may bring further names
    return names()[type]


def is_named(type: Any) -> bool:
    """Whether the tables have a type."""
    table()  # which may bring further names
    try:
        return type in names()
    except TypeError:  # not hashable
        return False
