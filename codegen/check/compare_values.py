"""Compares types that are neither objects nor unions of them: numbers, strings, arrays, constants."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import quoted
from ..model.combine import same
from ..model.types import (
    Array,
    Enumeration,
    Type,
    Value,
)
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

    def _arrays(self, old: Array, new: Array, node: Node, context: Context) -> bool:
        if len(old.prefix) != len(new.prefix):
            return False
        self.add(BoundsPair(old=old, new=new, **common(context)))
        for one, other in zip((*old.prefix, old.items), (*new.prefix, new.items), strict=True):
            self.types(one, other, below(node, context, f"an item of {context.subject}"))
        return True

    def _enumerations(self, old: Enumeration, new: Enumeration, context: Context) -> bool:
        olds, news = old.values, new.values
        if _kinds(olds).isdisjoint(_kinds(news)):
            return False
        if len(olds) == len(news) == 1 and old.base is None and new.base is None:
            if not same(olds[0].constant, news[0].constant):
                self.add(ConstantPair(old=olds[0].constant, new=news[0].constant, **common(context)))
            return True
        for value in olds:
            other = next((each for each in news if same(value.constant, each.constant)), None)
            if other is None:
                self._value(value, None, context, is_open=new.base is not None)
            else:
                text = f"the value {quoted(value.constant)} of {context.subject}"
                self.standing(value, other, "value", context.nodes, text, is_open=new.base is not None)
        for value in news:
            if not any(same(value.constant, other.constant) for other in olds):
                self._value(None, value, context, is_open=old.base is not None)
        if (old.base is None) != (new.base is None):
            self.add(EnumPair(old=old, new=new, **common(context)))
        elif old.base is not None and new.base is not None and type(old.base) is type(new.base):
            self.add(BoundsPair(old=old.base, new=new.base, **common(context)))  # type: ignore[arg-type]
        return True

    def _value(self, old: Value | None, new: Value | None, context: Context, *, is_open: bool) -> None:
        self.add(ValuePair(old=old, new=new, open=is_open, **self.parts(context, old, new)))

    def type_differs(self, old: Type, new: Type, how: str, context: Context) -> None:
        before, after = in_words(old), in_words(new)
        if before == after:
            before, after = in_words(self.old.plain(old)), in_words(self.new.plain(new))
        self.add(TypePair(old=old, new=new, how=how, before=before, after=after, **common(context)))

    def plain_variant(self, old: Alternative | None, new: Alternative | None, context: Context) -> None:
        """A member of a union that is not one of objects alone."""
        part = new or old
        assert part is not None
        variants = (old.variant if old else None, new.variant if new else None)
        gate = variants[1].capability if variants[1] is not None else None
        self.add(
            VariantPair(
                old=old.type if old is not None else None,
                new=new.type if new is not None else None,
                label=in_words(part.type),
                gate=gate,
                **self.parts(context, *variants),
            )
        )


def _kinds(values: Iterable[Value]) -> set[str]:
    return {"number" if isinstance(v.constant, float) else type(v.constant).__name__ for v in values}
