"""Shapes to the node tables that the codec reads by: plain data, one definition a line."""

from __future__ import annotations

from typing import Any

from ..model.apart import single
from ..model.types import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Object,
    Reference,
    String,
    Type,
    Union,
)
from .shapes import Attribute, Leaf, Record, Shapes


def node_tables(shapes: Shapes) -> dict[str, Any]:
    """Every named type's node."""
    tables: dict[str, Any] = {}
    for name, record in shapes.records.items():
        tables[name] = _record(record, shapes, _constants_from_outside(record, shapes))
    for name, choice in shapes.choices.items():
        leaves = tuple(_leaf(leaf, shapes) for leaf in choice.leaves)
        tables[name] = ("choice", choice.tag, leaves)
    for name, alias in shapes.aliases.items():
        tables[name] = ("alias", type_node(alias.type))
    return tables


def type_node(type_: Type) -> Any:
    """The node of a type."""
    match type_:
        case Anything() | Object():
            return "any"
        case Null():
            return "null"
        case Boolean():
            return "bool"
        case Integer() | Number():
            kind = "int" if isinstance(type_, Integer) else "num"
            bounds = (type_.minimum, type_.maximum, type_.above, type_.below, type_.multiple_of)
            return _trimmed(kind, *bounds)
        case String():
            return _trimmed("str", type_.min_length, type_.max_length, type_.pattern)
        case Enumeration(values, base):
            constants = tuple(value.constant for value in values)
            return ("enum", constants) if base is None else ("enum", constants, type_node(base))
        case Array():
            prefix = tuple(type_node(item) for item in type_.prefix)
            return (
                "list",
                *_trimmed(type_node(type_.items), type_.min_items, type_.max_items, prefix or None, pack=True),
            )
        case Map(inner):
            return ("map", type_node(inner))
        case Nullable(inner):
            return ("opt", type_node(inner))
        case Reference(name):
            return ("ref", name)
        case Union(variants, exclusive):
            members = tuple(type_node(variant.type) for variant in variants)
            return ("union", members, True) if exclusive else ("union", members)


def _trimmed(first: Any, *rest: Any, pack: bool = False) -> Any:
    """A node without the trailing parts that say nothing."""
    values = [first, *rest]
    while len(values) > 1 and values[-1] is None:
        values.pop()
    return values[0] if len(values) == 1 and not pack else tuple(values)


def _constants_from_outside(record: Record, shapes: Shapes) -> frozenset[str]:
    """The constants of a class that a union around it asks for, and not all that the class stands for.

    One class may be a definition, the variant of a union, and thereby the variant of a union around that one.
    """
    definition = f"/$defs/{record.name}/"
    uses = [leaf for choice in shapes.choices.values() for leaf in choice.leaves if leaf.record.name == record.name]
    found: set[str] = set()
    for attribute in record.attributes:
        if single([attribute.field]):
            pointer = attribute.field.pointer
            in_a_variant = "/anyOf/" in pointer or "/oneOf/" in pointer
            of_another = in_a_variant and not pointer.startswith(definition)
            alone = record.name in shapes.definitions and of_another
            if alone or any(attribute.wire not in leaf.marks.constants for leaf in uses):
                found.add(attribute.wire)
    return frozenset(found)


def _record(record: Record, shapes: Shapes, from_outside: frozenset[str] = frozenset()) -> Any:
    flags = ("c" if record.closed else "") + ("t" if record.strict_tag and record.tag is not None else "")
    fields = [_field(attribute, shapes, attribute.wire in from_outside) for attribute in record.attributes]
    if "t" in flags and record.tag is not None:
        fields.insert(0, (record.tag[0], "", ("enum", (record.tag[1],)), "r"))
    node = ("record", flags, tuple(fields))
    return node if record.extra is None else (*node, type_node(record.extra))


def _field(attribute: Attribute, shapes: Shapes, from_outside: bool) -> Any:
    field = attribute.field
    if from_outside:
        return (attribute.wire, attribute.name, type_node(attribute.type), "k")
    letters = (
        ("r", field.required),
        ("e", field.default_on_error),
        ("n", field.default_on_null),
        ("s", field.skip_invalid_items),
    )
    flags = "".join(letter for letter, on in letters if on)
    type_ = _without_aliases(attribute.type, shapes) if set(flags) - {"r"} else attribute.type
    node = (attribute.wire, attribute.name, type_node(type_), flags)
    return (*node, field.default) if field.has_default and "e" in flags + flags.replace("n", "e") else node


def _without_aliases(type_: Type, shapes: Shapes) -> Type:
    """A type whose kind shows: what a bad value turns into depends on it."""
    if isinstance(type_, Nullable):
        return Nullable(_without_aliases(type_.inner, shapes))
    while isinstance(type_, Reference) and type_.name in shapes.aliases:
        type_ = shapes.aliases[type_.name].type
    return type_


def _leaf(leaf: Leaf, shapes: Shapes) -> Any:
    record = _record(leaf.record, shapes) if leaf.marks.open else leaf.record.name
    return (record, tuple(leaf.marks.constants.items()), leaf.marks.excludes, leaf.group)
