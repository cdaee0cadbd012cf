"""The shared state of a comparison, and types that are neither objects nor unions: numbers, strings, arrays, constants."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from ...errors import quoted
from ...model.algebra.bounds import bare
from ...model.algebra.change_kind import Kind
from ...model.algebra.intersect import same
from ...model.algebra.normal_form import Alternative, ObjectForm, WireForms
from ...model.analysis.relation import Relations
from ...model.nodes import types as t
from ...model.nodes.patterns import is_rewritten
from ..parts.pairs import (
    BoundsPair,
    ConstantPair,
    Context,
    EnumPair,
    FieldPair,
    GatePair,
    Node,
    ObjectPair,
    Pair,
    Place,
    TypePair,
    UnionPair,
    ValuePair,
    VariantPair,
    below,
    common,
)
from ..parts.phrases import in_words
from ..parts.stages import is_stable, stage_pair, withdrawn

Tags = tuple[str | None, str | None]
Part = t.Field | t.Value | t.Variant | t.Definition


class Walk:
    """The walk over both schemas. `pairs` collects differences; `definitions` the compared named types."""

    def __init__(self, old: t.Schema, new: t.Schema, unchanged: Collection[str] = frozenset()) -> None:
        self.old, self.new, self.unchanged = WireForms(old), WireForms(new), unchanged
        self.pairs: list[Pair] = []
        self.definitions: dict[tuple[str | None, str | None], None] = {}
        self.nodes: dict[tuple[int, int], Node] = {}
        self.kept: list[object] = []
        self.relations = Relations(self.old, self.new)

    def equal(self, old: t.Type, new: t.Type) -> bool:
        """Return whether two types are identical, ignoring names and texts."""
        return self.relations.identical(old, new)

    def related(self, old: t.Type, new: t.Type) -> Kind:
        """The relation of two types, ignoring null, which is compared separately."""
        return self.relations.between(self.old.core(old), self.new.core(new)).kind

    def types(self, old: t.Type, new: t.Type, context: Pair, *, skip: tuple[bool, bool] = (False, False)) -> Node:
        """Compare two types; `skip`: whether either side drops items it cannot read."""
        raise NotImplementedError

    def properties(
        self, old: ObjectForm, new: ObjectForm, node: Node, context: Context, *, tag: Tags = (None, None)
    ) -> None:
        """Compare two objects. `tag`: the properties that discriminated them from other variants."""
        raise NotImplementedError

    def _one_definition(self, old: str | None, new: str | None) -> bool:
        """Return whether two names refer to the same definition, which is then the place of its changes."""
        if old == new:
            return True
        renamed = old not in self.new.schema.definitions and new not in self.old.schema.definitions
        return old is not None and new is not None and renamed

    def stable(self, name: str | None, schema: t.Schema) -> bool:
        return name is None or is_stable(schema, schema.definitions[name].rfd)

    def place(self, name: str | None, schema: t.Schema) -> str | None:
        return schema.definitions[name].pointer if name is not None else None

    def add(self, pair: Pair) -> None:
        if _differs(pair):
            self.pairs.append(pair)

    def all_stable(self, old: Part | None, new: Part | None) -> bool:
        """Return whether no part on either side belongs to an RFD in progress."""
        return (old is None or is_stable(self.old.schema, old.rfd)) and (
            new is None or is_stable(self.new.schema, new.rfd)
        )

    def standing(
        self, old: Part, new: Part, part: str, nodes: list[Node], subject: str, *, is_open: bool = False
    ) -> None:
        """Record a part that was stable and now belongs to an RFD in progress, or has a different gate."""
        if withdrawn(self.old.schema, self.new.schema, old, new):
            pair = stage_pair(self.new.schema, old, new, part, nodes, subject)
            pair.open = is_open
            self.add(pair)
        before, after = (None if isinstance(each, t.Definition) else each.capability for each in (old, new))
        if before != after:
            shared = self.parts(Context(nodes=nodes, pointer="", base="", subject=subject), old, new)
            self.add(GatePair(old=before, new=after, optional=part == "property", **shared))

    def parts(self, context: Pair, old: Part | None, new: Part | None) -> dict[str, Any]:
        """The place of a pair, with its parts."""
        shared = {**common(context), "stable": context.stable and self.all_stable(old, new)}
        if new is not None:
            shared["pointer"] = new.pointer
        if old is not None:
            shared["base"] = old.pointer
        return shared


def _differs(pair: Pair) -> bool:
    """Return whether a pair may violate a rule. This cheap test keeps equal schemas fast."""
    if isinstance(pair, Place) and pair.kind is not Kind.EQUAL:
        return True
    match pair:
        case FieldPair(old=t.Field() as old, new=t.Field() as new):
            return (
                pair.renamed
                or old.required != new.required
                or (old.default_on_error, old.default_on_null, old.skip_invalid_items)
                != (new.default_on_error, new.default_on_null, new.skip_invalid_items)
                or pair.default_old != pair.default_new
            )
        case EnumPair() | ObjectPair() | VariantPair():
            return False
        case UnionPair():
            return pair.tags[0] != pair.tags[1] or bool(pair.default or pair.ambiguous)
        case _:
            return True


class Values(Walk):
    """Values without properties."""

    def arrays(self, old: t.Array, new: t.Array, node: Node, context: Context) -> None:
        """Compare two arrays by items and length."""
        self._bounds(old, new, context)
        for one, other in zip((*old.prefix, old.items), (*new.prefix, new.items), strict=True):
            self.types(one, other, below(node, context, f"an item of {context.subject}"))

    def enumerations(self, old: t.Enumeration, new: t.Enumeration, context: Context) -> bool:
        """Compare two enumerations by value. Returns False if their values have different types."""
        olds, news = old.values, new.values
        if _kinds(olds).isdisjoint(_kinds(news)):
            return False
        if len(olds) == len(news) == 1 and old.base is None and new.base is None:
            if not same(olds[0].constant, news[0].constant):
                before, after = olds[0].constant, news[0].constant
                self.add(ConstantPair(old=before, new=after, kind=Kind.DISJOINT, **common(context)))
            return True
        for value in olds:
            other = next((each for each in news if same(value.constant, each.constant)), None)
            if other is None:
                self._value(value, None, context, accepted=new.base is not None)
            else:
                text = f"the value {quoted(value.constant)} of {context.subject}"
                self.standing(value, other, "value", context.nodes, text, is_open=new.base is not None)
        for value in news:
            if not any(same(value.constant, other.constant) for other in olds):
                self._value(None, value, context, accepted=old.base is not None)
        if old.base is None or new.base is None:
            kind = Kind.of(
                lost=new.base is None and old.base is not None, gained=old.base is None and new.base is not None
            )
            self.add(EnumPair(old=old, new=new, kind=kind, **common(context)))
        else:
            self.scalars(old.base, new.base, context)
        return True

    def _value(self, old: t.Value | None, new: t.Value | None, context: Context, *, accepted: bool) -> None:
        kind = Kind.of(lost=new is None, gained=old is None)
        gate = new.capability if new is not None else None
        self.add(ValuePair(old=old, new=new, kind=kind, accepted=accepted, gate=gate, **self.parts(context, old, new)))

    def scalars(self, old: t.Type, new: t.Type, context: Context) -> None:
        """Compare two scalar types of one kind."""
        if isinstance(old, (t.Integer, t.Number, t.String)) and type(old) is type(new):
            self._bounds(old, new, context)
        elif old != new:
            self.type_differs(old, new, context)

    def _bounds(self, old: Any, new: Any, context: Context) -> None:
        before, after = bare(old), bare(new)
        if before == after:
            return
        kind = self.related(before, after)
        # Where no text was found that tells patterns apart, there may still be one.
        patterns = [getattr(each, "pattern", None) or "" for each in (old, new)]
        undecided = kind is Kind.EQUAL and not is_rewritten(*patterns)
        kind = Kind.OVERLAPPING if undecided else kind
        self.add(BoundsPair(old=old, new=new, kind=kind, undecided=undecided, **common(context)))

    def type_differs(self, old: t.Type, new: t.Type, context: Context, kind: Kind | None = None) -> None:
        """Record the relation of two types unless they are equal. `kind`: the relation if it is known."""
        kind = kind or self.related(old, new)
        if kind is Kind.EQUAL:
            return
        before, after = in_words(old), in_words(new)
        if before == after:
            before, after = in_words(self.old.plain(old)), in_words(self.new.plain(new))
        self.add(TypePair(old=old, new=new, kind=kind, before=before, after=after, **common(context)))

    def plain_variant(self, old: Alternative | None, new: Alternative | None, context: Context) -> None:
        """A union member that is not an object."""
        part = new or old
        assert part is not None
        variants = (old.variant if old else None, new.variant if new else None)
        types = (old.type if old is not None else None, new.type if new is not None else None)
        pair = VariantPair(old=types[0], new=types[1], **self.parts(context, *variants))
        pair.label = in_words(part.type)
        pair.kind = Kind.of(lost=new is None, gained=old is None)
        pair.gate = variants[1].capability if variants[1] is not None else None
        self.add(pair)


def _kinds(values: Iterable[t.Value]) -> set[str]:
    return {"number" if isinstance(v.constant, float) else type(v.constant).__name__ for v in values}
