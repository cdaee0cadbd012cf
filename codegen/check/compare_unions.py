"""Compares unions of objects: which variant is which, and what becomes of those that have no partner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..model.combine import same
from ..model.kind import Kind
from ..model.wireform import Member, WireForms
from .compare_values import Values
from .context import Context, common
from .counterparts import constant_tag, match_members
from .pairs import (
    Edge,
    Node,
    UnionPair,
    VariantPair,
)
from .phrases import label


class Unions(Values):
    """Choices of several objects."""

    def unions(self, olds: list[Member], news: list[Member], node: Node, context: Context) -> None:
        tags = (constant_tag(olds), constant_tag(news))
        matched = match_members(olds, news, tags, self._alike)
        is_open = (any(m.open for m in olds), any(m.open for m in news))
        kind = Kind.of(lost=is_open[0] and not is_open[1], gained=is_open[1] and not is_open[0])
        union = UnionPair(old=olds, new=news, kind=kind, tags=tags, **common(context))
        union.default = next((how for _, _, how in matched if how == "default"), "")
        union.ambiguous = self._ambiguity(olds, news, tags)
        self.add(union)
        for old, new, how in matched:
            if (old is None or new is None) and (old or new).open:  # type: ignore[union-attr]
                continue
            shared = self.parts(context, old.variant if old else None, new.variant if new else None)
            self.add(
                VariantPair(
                    old=old,
                    new=new,
                    how=how,
                    label=label(new or old, tags[1] if new else tags[0]),
                    other=label(old, tags[0]) if old else "",
                    kind=Kind.DISJOINT if how == "tag" else Kind.of(lost=new is None, gained=old is None),
                    accepted=all(is_open)
                    if old is not None and new is not None
                    else is_open[0 if new is not None else 1],
                    gate=new.variant.capability if new is not None else None,
                    **shared,
                )
            )
            if old is not None and new is not None:
                text = f"the variant {label(new, tags[1])} of {context.subject}"
                self.standing(old.variant, new.variant, "variant", [node], text, is_open=is_open[1])
                self._members(old, new, node, shared, tags)

    def _members(
        self, old: Member, new: Member, node: Node, shared: dict[str, Any], tags: tuple[str | None, str | None]
    ) -> None:
        for one, other in zip(old.names[:1], new.names[:1], strict=False):
            self.definitions.setdefault((one, other))
        key = (id(old.form.type), id(new.form.type))
        below = self.nodes.get(key)
        if below is None:
            below = self.nodes[key] = Node(pointer=new.variant.pointer, base=old.variant.pointer)
            below.stable = all(self.stable(n, self.old.schema) for n in old.names) and all(
                self.stable(n, self.new.schema) for n in new.names
            )
            inside: dict[str, Any] = {
                **shared,
                "nodes": [below],
                "lenient_old": False,
                "lenient_new": False,
                "stable": below.stable,
            }
            context = Context(**inside)
            self.properties(old.form, new.form, below, context, tag=tags)
        node.edges.append(Edge(below, stable=shared["stable"]))

    def _alike(self, old: Member, new: Member, tags: tuple[str | None, str | None]) -> bool:
        """Whether two variants are the same object but for their tags."""
        left = {k: f for k, f in old.form.declared().items() if k != tags[0]}
        right = {k: f for k, f in new.form.declared().items() if k != tags[1]}
        if set(old.names[:1]) & set(new.names[:1]):
            return True
        return (
            bool(left)
            and left.keys() == right.keys()
            and all(self.equal(left[k].type, right[k].type) and left[k].required == right[k].required for k in left)
        )

    def _ambiguity(self, olds: list[Member], news: list[Member], tags: tuple[str | None, str | None]) -> str:
        before = set(_ambiguous(olds, tags[0], self.old))
        found = [pair for pair in _ambiguous(news, tags[1], self.new) if pair not in before]
        return " and ".join(found[0]) if found else ""


def _ambiguous(members: list[Member], tag: str | None, forms: WireForms) -> Iterator[tuple[str, str]]:
    """Untagged variants that one message can match: what either requires, the other requires too."""
    untagged = [m for m in members if not m.open and (tag is None or tag not in m.constants)]
    for index, one in enumerate(untagged):
        for other in untagged[index + 1 :]:
            left, right = ({n for n, f in m.form.fields.items() if f.required} for m in (one, other))
            apart = any(
                name in other.constants and not same(value, other.constants[name])
                for name, value in one.constants.items()
            )
            if not apart and left == right and not one.form.unions and not other.form.unions:
                kinds = [
                    {a.kind for a in forms.alternatives(one.form.fields[n].type)}
                    & {a.kind for a in forms.alternatives(other.form.fields[n].type)}
                    for n in left
                ]
                if all(kinds):
                    yield (label(one, tag), label(other, tag))
