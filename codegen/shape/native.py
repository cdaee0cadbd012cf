"""Decide which types msgspec can decode by itself.

A type is *native* if msgspec accepts exactly the values that the schema accepts. For a union, msgspec may also reject
valid values, which the node tables then assign to a variant. Every other type becomes a marker, which the node tables
resolve at run time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import msgspec

from ..model.algebra.discriminators import unrivalled
from ..model.nodes import types as t
from ..model.nodes.cycles import Cycles
from ..model.nodes.walk import references
from .shapes import Alias, Choice, Leaf, Record

INT64 = range(-(2**63), 2**63)


class Native:
    """Decides which types are native, for the tables that shaping fills."""

    def __init__(
        self, schema: t.Schema, records: dict[str, Record], choices: dict[str, Choice], aliases: dict[str, Alias]
    ) -> None:
        self.schema = schema
        self.records = records
        self.choices = choices
        self.aliases = aliases

    def decide(self) -> None:
        """Decide which unions msgspec reads by their tag and which aliases are markers, after all shapes exist."""
        self._decide_choices()
        self._decide_markers()

    def _decide_choices(self) -> None:
        for name, choice in self.choices.items():
            leaves = tuple(
                leaf if leaf.marks.open else msgspec.structs.replace(leaf, record=self.records[leaf.record.name])
                for leaf in choice.leaves
            )
            self.choices[name] = msgspec.structs.replace(choice, leaves=leaves, native=_told_by_tag(leaves))
        self._keep_apart()
        for name in {name for choice in self.choices.values() for name in choice.native}:
            # Given a default, msgspec would accept a message without the constant, so in these classes it has none.
            record = self.records[name]
            attributes = tuple(msgspec.structs.replace(a, constant=None) for a in record.attributes)
            self.records[name] = msgspec.structs.replace(record, attributes=attributes)

    def _keep_apart(self) -> None:
        """Make unions of the same classes but different meanings markers: at run time they would be one type."""
        meanings: defaultdict[frozenset[str], set[str]] = defaultdict(set)
        for name, choice in self.choices.items():
            complete = len(choice.native) == len(choice.leaves)
            meanings[frozenset(choice.native)].add("" if complete else name)
        for name, choice in self.choices.items():
            if len(meanings[frozenset(choice.native)]) > 1:
                self.choices[name] = msgspec.structs.replace(choice, native=())

    def _decide_markers(self) -> None:
        """Make an alias a marker if its type is not native, or if it contains itself without a class in between."""
        circular = Cycles(self._evaluated)
        changed = True
        while changed:
            changed = False
            for name, alias in self.aliases.items():
                marker = alias.marker or not self.accepts(alias.type) or name in circular
                if marker != alias.marker:
                    self.aliases[name] = msgspec.structs.replace(alias, marker=marker)
                    circular.broken(name)
                    changed = True

    def _evaluated(self, name: str) -> Iterator[str]:
        """The aliases that evaluating an alias evaluates too. Markers are classes and evaluate none."""
        if not self.aliases[name].marker:
            yield from (other for other in references(self.aliases[name].type) if other in self.aliases)

    def accepts(self, type_: t.Type) -> bool:
        """Return whether msgspec decodes a type by itself."""
        match type_:
            case t.Anything() | t.Null() | t.Boolean():
                return True
            case t.Integer() | t.Number():
                return _native_number(type_)
            case t.String():
                return True
            case t.Enumeration():
                return _native_enumeration(type_)
            case t.Array():
                return not type_.prefix and self.accepts(type_.items)
            case t.Map(inner) | t.Nullable(inner):
                return self.accepts(inner)
            case t.Union():
                return self._native_union(type_)
            case t.Reference():
                return True
            case _:
                return False

    def _native_union(self, union: t.Union) -> bool:
        """Return whether msgspec can distinguish the members by JSON type. A member with limits would need a name of
        its own.
        """
        kinds: list[str] = []
        for variant in union.variants:
            kind = self._json_kind(variant.type)
            if kind is None or is_limited(variant.type) or not self.accepts(variant.type):
                return False
            kinds.append(kind)
        overlapping = union.exclusive and {"integer", "number"} <= set(kinds)
        return len(set(kinds)) == len(kinds) and not overlapping

    def _json_kind(self, type_: t.Type) -> str | None:
        """The only JSON type of a type's values; None if there are several or a marker decides."""
        match type_:
            case t.Boolean():
                return "boolean"
            case t.Integer():
                return "integer"
            case t.Number():
                return "number"
            case t.String():
                return "string"
            case t.Array():
                return "array"
            case t.Map():
                return "object"
            case t.Enumeration(values, base):
                kinds = {self._json_kind(base)} if base is not None else set[str | None]()
                kinds |= {"string" if isinstance(v.constant, str) else "integer" for v in values}
                return kinds.pop() if len(kinds) == 1 else None
            case t.Reference(name):
                if name in self.records:
                    return "object" if self.records[name].extra is None else None
                if name in self.aliases and not self.aliases[name].marker:
                    return self._json_kind(self.aliases[name].type)
                definition = self.schema.definitions.get(name)
                if definition is not None and name not in self.aliases and name not in self.choices:
                    return self._json_kind_unseen(definition.type)
                return "object" if name in self.choices and self.choices[name].native else None
            case _:
                return None

    def _json_kind_unseen(self, type_: t.Type) -> str | None:
        """The JSON type of a definition that is not shaped yet; only known for objects."""
        return "object" if isinstance(type_, t.Object) and not type_.unions and type_.extra is None else None


def _told_by_tag(leaves: tuple[Leaf, ...]) -> tuple[str, ...]:
    """The records among the leaves that msgspec can discriminate by a tag, if they are the majority.

    They are Structs that write their own tag, and no other leaf matches a value with that tag. msgspec rejects any
    other value, and the node table then finds its leaf.
    """
    known = [leaf for leaf in leaves if not leaf.marks.open]
    field = next((leaf.record.tag[0] for leaf in known if leaf.record.tag is not None), "")
    tags = [leaf.record.tag[1] for leaf in known if leaf.record.tag is not None]
    alone = unrivalled(field, tags, [leaf.marks for leaf in leaves])
    told = {
        leaf.record.name: tag
        for leaf in known
        if (tag := leaf.record.tag) is not None
        and tag[0] == field
        and leaf.record.extra is None
        and leaf.marks.constants.get(field) == (tag[1],)
        and tag[1] in alone
    }
    if any(leaf.group for leaf in leaves) or len(told) < 2 or 2 * len(told) <= len(known):
        return ()
    return tuple(told)


def _native_number(type_: t.Integer | t.Number) -> bool:
    bounds = [b for b in (type_.minimum, type_.maximum, type_.above, type_.below, type_.multiple_of) if b is not None]
    if isinstance(type_, t.Number):
        # int | float keeps integers exact, and a union cannot carry bounds.
        return not bounds
    return all(isinstance(bound, int) and bound in INT64 for bound in bounds)


def _native_enumeration(type_: t.Enumeration) -> bool:
    constants = [value.constant for value in type_.values]
    if any(isinstance(c, (bool, float)) or c is None or (isinstance(c, int) and c not in INT64) for c in constants):
        return False
    match type_.base:
        case None:
            return True
        case (t.String() | t.Integer() | t.Number()) as base:
            return not is_limited(base)
        case _:
            return False


def is_limited(type_: t.Type) -> bool:
    """Return whether a type has bounds, lengths or a pattern of its own."""
    match type_:
        case t.Integer() | t.Number():
            return type(type_)(format=type_.format) != type_
        case t.String():
            return t.String(format=type_.format, encoding=type_.encoding) != type_
        case t.Array():
            return type_.min_items is not None or type_.max_items is not None
        case t.Nullable(inner):
            return is_limited(inner)
        case _:
            return False


def _plain_constant(constant: object) -> bool:
    """Return whether a constant is safe in any annotation. Other constants get an alias."""
    return not isinstance(constant, str) or (constant.isascii() and re.fullmatch(r"[\w ./:$-]*", constant) is not None)


def expressible(type_: t.Type) -> bool:
    """Return whether a type can be part of a field's annotation without a name of its own."""
    match type_:
        case t.Anything() | t.Null() | t.Boolean() | t.Reference():
            return True
        case t.Integer() | t.Number() | t.String():
            return not is_limited(type_)
        case t.Enumeration(values, base):
            return base is None and _native_enumeration(type_) and all(_plain_constant(v.constant) for v in values)
        case t.Array():
            return not type_.prefix and not is_limited(type_) and expressible(type_.items)
        case t.Map(inner) | t.Nullable(inner):
            return expressible(inner)
        case t.Union(variants):
            return all(expressible(variant.type) for variant in variants)
        case _:
            return False
