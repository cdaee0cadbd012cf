"""Compares types that are neither objects nor unions of them: numbers, strings, arrays, constants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import quoted
from ..model.bounds import bare
from ..model.combine import same
from ..model.kind import Kind
from ..model.types import Array, Enumeration, Integer, Number, String, Type, Value
from ..model.wireform import Alternative
from .context import Context, below, common
from .pairs import (
    BoundsPair,
    ConstantPair,
    EnumPair,
    Node,
    TypePair,
    ValuePair,
    VariantPair,
)
from .phrases import in_words
from .walk import Walk


class Values(Walk):
    """Values that have no properties."""

    def arrays(self, old: Array, new: Array, node: Node, context: Context) -> None:
        """Compare two arrays, item by item and by how many there may be."""
        self._bounds(old, new, context)
        for one, other in zip((*old.prefix, old.items), (*new.prefix, new.items), strict=True):
            self.types(one, other, below(node, context, f"an item of {context.subject}"))

    def enumerations(self, old: Enumeration, new: Enumeration, context: Context) -> bool:
        """Compare two enumerations, value by value; False where their values are of other kinds."""
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

    def _value(self, old: Value | None, new: Value | None, context: Context, *, accepted: bool) -> None:
        kind = Kind.of(lost=new is None, gained=old is None)
        gate = new.capability if new is not None else None
        self.add(ValuePair(old=old, new=new, kind=kind, accepted=accepted, gate=gate, **self.parts(context, old, new)))

    def scalars(self, old: Type, new: Type, context: Context) -> None:
        """Compare two types of one kind whose values have no parts."""
        if isinstance(old, (Integer, Number, String)) and type(old) is type(new):
            self._bounds(old, new, context)
        elif old != new:
            self.type_differs(old, new, context)

    def _bounds(self, old: Any, new: Any, context: Context) -> None:
        before, after = bare(old), bare(new)
        if before == after:
            return
        kind = self.related(before, after)
        if kind is Kind.EQUAL and getattr(old, "pattern", None) != getattr(new, "pattern", None):
            kind = (
                Kind.OVERLAPPING
            )  # no text was found that tells the patterns apart, which does not say that there is none
        self.add(BoundsPair(old=old, new=new, kind=kind, **common(context)))

    def type_differs(self, old: Type, new: Type, context: Context, kind: Kind | None = None) -> None:
        """Note how two types are related, if they are not equal; `kind`: it is known."""
        kind = kind or self.related(old, new)
        if kind is Kind.EQUAL:
            return
        before, after = in_words(old), in_words(new)
        if before == after:
            before, after = in_words(self.old.plain(old)), in_words(self.new.plain(new))
        self.add(TypePair(old=old, new=new, kind=kind, before=before, after=after, **common(context)))

    def plain_variant(self, old: Alternative | None, new: Alternative | None, context: Context) -> None:
        """A member of a union that is not one of objects alone."""
        part = new or old
        assert part is not None
        variants = (old.variant if old else None, new.variant if new else None)
        gate = variants[1].capability if variants[1] is not None else None
        self.add(
            VariantPair(
                kind=Kind.of(lost=new is None, gained=old is None),
                old=old.type if old is not None else None,
                new=new.type if new is not None else None,
                label=in_words(part.type),
                gate=gate,
                **self.parts(context, *variants),
            )
        )


def _kinds(values: Iterable[Value]) -> set[str]:
    return {"number" if isinstance(v.constant, float) else type(v.constant).__name__ for v in values}
