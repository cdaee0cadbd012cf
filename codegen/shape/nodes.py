"""The node tables of shapes, which drive the codec (`runtime/schema/definitions.py`)."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ..contracts import definitions as nodes
from ..model.algebra.discriminators import single
from ..model.nodes import types as t
from .shapes import Attribute, Leaf, Record, Shapes


def node_tables(shapes: Shapes) -> dict[str, nodes.Node]:
    """The nodes of all named types."""
    tables: dict[str, nodes.Node] = {}
    uses = _uses(shapes)
    for name, record in shapes.records.items():
        tables[name] = _record(record, shapes, _constants_from_outside(record, shapes, uses[name]))
    for name, choice in shapes.choices.items():
        variants = tuple(_variant(leaf, shapes) for leaf in choice.leaves)
        tables[name] = nodes.Choice(tag=choice.tag, variants=variants)
    for name, alias in shapes.aliases.items():
        tables[name] = nodes.Alias(type=type_node(alias.type))
    return tables


def type_node(type_: t.Type) -> Any:
    """The node of a type."""
    match type_:
        case t.Anything() | t.Object():
            return "any"
        case t.Null():
            return "null"
        case t.Boolean():
            return "bool"
        case t.Integer() | t.Number():
            return _limited(
                "int" if isinstance(type_, t.Integer) else "num",
                minimum=type_.minimum,
                maximum=type_.maximum,
                above=type_.above,
                below=type_.below,
                multiple_of=type_.multiple_of,
            )
        case t.String():
            lengths = {"min_length": type_.min_length, "max_length": type_.max_length}
            return _limited("str", **lengths, pattern=type_.checked_pattern)
        case t.Enumeration(values, base):
            constants = tuple(value.constant for value in values)
            gates = {value.constant: value.capability for value in values if value.capability is not None} or None
            return _limited("enum", constants, base=None if base is None else type_node(base), gates=gates)
        case t.Array():
            prefix = tuple(type_node(item) for item in type_.prefix) or None
            item = type_node(type_.items)
            return _limited("list", item, min_items=type_.min_items, max_items=type_.max_items, prefix=prefix)
        case t.Map(inner):
            return ("map", type_node(inner))
        case t.Nullable(inner):
            return ("opt", type_node(inner))
        case t.Reference(name):
            return ("ref", name)
        case t.Union(variants, exclusive):
            members = tuple(type_node(variant.type) for variant in variants)
            return _limited("union", members, exclusive=exclusive or None)


def _limited(kind: str, *made_of: Any, **limits: Any) -> Any:
    """A node with its limits."""
    given = {name: limit for name, limit in limits.items() if limit is not None}
    if given:
        return (kind, *made_of, given)
    return (kind, *made_of) if made_of else kind


def _uses(shapes: Shapes) -> defaultdict[str, list[Leaf]]:
    """The leaves that each class represents."""
    found: defaultdict[str, list[Leaf]] = defaultdict(list)
    for choice in shapes.choices.values():
        for leaf in choice.leaves:
            found[leaf.record.name].append(leaf)
    return found


def _constants_from_outside(record: Record, shapes: Shapes, uses: list[Leaf]) -> frozenset[str]:
    """The constants of a class that only a surrounding union requires. `uses`: the leaves that the class represents.

    One class may be a definition, a variant of a union, and so a variant of a union around that union.
    """
    definition = f"/$defs/{record.name}/"
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


def _record(record: Record, shapes: Shapes, from_outside: frozenset[str] = frozenset()) -> nodes.Record:
    found = tuple(_field(attribute, shapes, attribute.wire in from_outside) for attribute in record.attributes)
    tagged = record.strict_tag and record.tag is not None
    if tagged and record.tag is not None:
        tag, value = record.tag
        found = (nodes.Field(wire=tag, name="", type=("enum", (value,)), required=True), *found)
    extra = None if record.extra is None else type_node(record.extra)
    return nodes.Record(fields=found, closed=record.closed, tagged=tagged, extra=extra)


def _field(attribute: Attribute, shapes: Shapes, from_outside: bool) -> nodes.Field:
    field = attribute.field
    if from_outside:
        return nodes.Field(wire=attribute.wire, name=attribute.name, type=type_node(attribute.type), fixed=True)
    mended = field.default_on_error or field.default_on_null
    type_ = without_aliases(attribute.type, shapes) if mended or field.skip_invalid_items else attribute.type
    return nodes.Field(
        wire=attribute.wire,
        name=attribute.name,
        type=type_node(type_),
        required=field.required,
        default=field.default if field.has_default and mended else nodes.ABSENT,
        default_on_error=field.default_on_error,
        default_on_null=field.default_on_null,
        skip_invalid_items=field.skip_invalid_items,
        gate=field.capability or "",
    )


def without_aliases(type_: t.Type, shapes: Shapes) -> t.Type:
    """A type with aliases resolved, because the replacement for a bad value depends on the kind of type."""
    if isinstance(type_, t.Nullable):
        return t.Nullable(without_aliases(type_.inner, shapes))
    while isinstance(type_, t.Reference) and type_.name in shapes.aliases:
        type_ = shapes.aliases[type_.name].type
    return type_


def _variant(leaf: Leaf, shapes: Shapes) -> nodes.Variant:
    record = _record(leaf.record, shapes) if leaf.marks.open else leaf.record.name
    return nodes.Variant(
        record=record,
        constants=dict(leaf.marks.constants),
        excludes=leaf.marks.excludes,
        group=leaf.group,
        gate=leaf.capability or "",
    )
