"""Turn shapes into the node tables that drive the codec, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import fields

from ..contracts import definitions as nodes
from ..document.json_types import is_json_array, is_json_object
from .kinds import Identifier, identifiers
from .text import literal

_PARTS = (nodes.Field, nodes.Variant)


def node_data(node: Struct) -> dict[str, Any]:
    """A node as its class and its fields: literals, nodes and lists of nodes. Defaults are omitted."""
    members = {
        name: _value(value)
        for name, default in _defaults(type(node))
        if (value := getattr(node, name)) is not default and (value or value != default)
    }
    return {"class": Identifier(type(node).__name__), "members": members}


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """The attributes of a kind of node with their defaults. Looking them up costs more than a whole node."""
    return tuple((field.name, field.default) for field in fields(kind))


def _value(value: Any) -> Any:
    if isinstance(value, Struct):
        return node_data(value)
    if isinstance(value, tuple) and value and isinstance(value[0], _PARTS):
        return [node_data(part) for part in cast("tuple[Struct, ...]", value)]
    return literal(value)


def _kinds(data: Any) -> Iterator[str]:
    """The classes of some nodes."""
    if is_json_object(data):
        yield data["class"]
        data = [*data["members"].values()]
    if is_json_array(data):
        for each in data:
            yield from _kinds(each)


def nodes_context(table: Mapping[str, nodes.Node], views: Mapping[str, Mapping[str, bool]]) -> dict[str, Any]:
    """The context of the template of `_nodes.py`. `views`: the types of `_meta` keys."""
    found = {literal(name): node_data(node) for name, node in table.items()}
    return {
        "nodes": found,
        "kinds": identifiers({"Node", *_kinds([*found.values()])}),
        "views": literal({name: dict(keys) for name, keys in views.items()}),
    }
