"""Compare objects: properties, undeclared ones, variants of unions, and an object that is a union on one side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ...document.read import pointer_parts
from ...model.algebra.change_kind import Kind, presence
from ...model.algebra.intersect import same
from ...model.algebra.normal_form import Alternative, Member, ObjectForm, WireForms
from ...model.analysis.leniency import forgives
from ...model.nodes.types import Anything, Field, Map, Schema
from ..parts.defaults import expanded
from ..parts.pairs import (
    ChoicePair,
    Context,
    Edge,
    FieldPair,
    MapPair,
    Node,
    ObjectPair,
    UnionPair,
    VariantPair,
    below,
    common,
)
from ..parts.phrases import in_words, label, owner
from .counterparts import constant_tag, match_fields, match_members
from .values import Values


class Unions(Values):
    """Compares unions of objects."""

    def unions(self, olds: list[Member], news: list[Member], node: Node, context: Context) -> None:
        tags = (constant_tag(olds), constant_tag(news))
        matched = match_members(olds, news, tags, self._alike)
        is_open = (any(m.open for m in olds), any(m.open for m in news))
        kind = Kind.of(lost=is_open[0] and not is_open[1], gained=is_open[1] and not is_open[0])
        default = next((how for _, _, how in matched if how == "default"), "")
        ambiguous = self._ambiguity(olds, news, tags)
        place = common(context)
        self.add(UnionPair(old=olds, new=news, kind=kind, tags=tags, default=default, ambiguous=ambiguous, **place))
        for old, new, how in matched:
            if (old is None or new is None) and (old or new).open:  # type: ignore[union-attr]
                continue
            shared = self.parts(context, old.variant if old else None, new.variant if new else None)
            pair = VariantPair(old=old, new=new, how=how, **shared)
            pair.label = label(new or old, tags[1] if new else tags[0])
            pair.other = label(old, tags[0]) if old else ""
            pair.kind = Kind.DISJOINT if how == "tag" else Kind.of(lost=new is None, gained=old is None)
            pair.accepted = all(is_open) if old and new else is_open[0 if new else 1]
            pair.gate = new.variant.capability if new else None
            self.add(pair)
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
                "nodes": [below],
                "lenient_old": False,
                "lenient_new": False,
                "stable": below.stable,
            }
            context = Context(**{**shared, **inside})
            self.properties(old.form, new.form, below, context, tag=tags)
        node.edges.append(Edge(below, stable=shared["stable"]))

    def _alike(self, old: Member, new: Member, tags: tuple[str | None, str | None]) -> bool:
        """Return whether two variants are the same object except for their tags."""
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
    """Untagged variants that one message can match, because they have the same required properties."""
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


class Objects(Unions):
    """Objects and maps."""

    def objects(self, old: Alternative, new: Alternative, node: Node, context: Context) -> None:
        if old.kind != new.kind and self._spelled_out(old, new, node, context):
            return
        if self._unrelated(old, new, node):
            self.type_differs(old.type, new.type, context, Kind.DISJOINT)
        elif old.kind == new.kind == "map" and Map in (type(old.type), type(new.type)):
            one, other = (each if isinstance(each, Map) else Map(Anything()) for each in (old.type, new.type))
            self._maps(one, other, node, context)
        elif old.form is not None and new.form is not None:
            self.properties(old.form, new.form, node, context)
        else:
            self.type_differs(old.type, new.type, context)

    def _unrelated(self, old: Alternative, new: Alternative, node: Node) -> bool:
        """Return whether a property refers to an unrelated object instead of a changed one."""
        if old.form is None or new.form is None or old.form.unions or new.form.unions:
            return False
        if node.same:
            return False
        left, right = old.form.declared(), new.form.declared()
        return bool(left) and bool(right) and left.keys().isdisjoint(right)

    def _spelled_out(self, old: Alternative, new: Alternative, node: Node, context: Context) -> bool:
        """Compare an open object with one that declares some optional properties and accepts all others."""
        declared = new.form or old.form
        free = old.type if old.form is None else new.type
        if declared is None or not isinstance(free, Map) or not isinstance(free.values, Anything):
            return False
        if not isinstance(declared.extra, Anything) or any(field.required for field in declared.fields.values()):
            return False
        bare = ObjectForm(free, {}, extra=free.values)
        self.properties(old.form or bare, new.form or bare, node, context)
        return True

    def _maps(self, old: Map, new: Map, node: Node, context: Context) -> None:
        if self.relations.disjoint(self.old.core(old.values), self.new.core(new.values)):
            before, after = in_words(old.values), in_words(new.values)
            self.add(MapPair(before=before, after=after, kind=Kind.DISJOINT, **common(context)))
        else:
            self.types(old.values, new.values, below(node, context, f"a value of {context.subject}"))

    def properties(
        self,
        old: ObjectForm,
        new: ObjectForm,
        node: Node,
        context: Context,
        *,
        tag: tuple[str | None, str | None] = (None, None),
    ) -> None:
        """Compare two objects. `tag`: the properties that discriminated them from other variants."""
        subject = context.subject
        whole = (old, new)
        if len(old.sources) == len(new.sources):
            self.definitions.update(dict.fromkeys(zip(old.sources, new.sources, strict=True)))
        if bool(old.unions) != bool(new.unions):
            how, old, new = self._counterpart(old, new)
            if how == "variant":
                self._others(whole, old, new, context)
            else:
                kind = self.related(whole[0].type, whole[1].type)
                pair = ChoicePair(
                    union=bool(whole[1].unions), same_default=how == "default", kind=kind, **common(context)
                )
                self.pairs.append(pair)
        else:
            kind = Kind.of(lost=new.closed and not old.closed, gained=old.closed and not new.closed)
            self.add(ObjectPair(kind=kind, **self._closing(old, new, context)))
        moved = self._moved(old, new)
        for one, other in match_fields(without(old, moved), without(new, moved), self.equal, tag):
            self._field(one, other, old, new, node, context)
        for one_union, other_union in zip(old.unions, new.unions, strict=False):
            olds, news = self.old.members(one_union), self.new.members(other_union)
            if moved:
                olds, news = given(olds, old, moved), given(news, new, moved)
                self.kept += [olds, news]
            self.unions(olds, news, node, context)
        if len(old.unions) != len(new.unions) and old.unions and new.unions:
            self.type_differs(old.type, new.type, context)
        if not (old.closed or new.closed) and (old.extra is not None or new.extra is not None):
            # Where nothing is said of undeclared properties they may be anything.
            before, after = (Anything() if form.extra is None else form.extra for form in (old, new))
            self.types(before, after, below(node, context, f"an undeclared property of {subject}"))

    def _closing(self, old: ObjectForm, new: ObjectForm, context: Context) -> dict[str, Any]:
        """The places that reject undeclared properties in either schema."""
        shared = common(context)
        name = new.closed_by or old.closed_by
        if name in self.new.schema.definitions and name in self.old.schema.definitions:
            shared |= {"pointer": self.place(name, self.new.schema), "base": self.place(name, self.old.schema)}
            shared["subject"] = name
        return shared

    def _moved(self, old: ObjectForm, new: ObjectForm) -> set[str]:
        """Properties that one schema declares beside a union, and the other in its variants."""
        found: set[str] = set()
        for side, other, forms in ((old, new, self.new), (new, old, self.old)):
            if side.unions and other.unions:
                inside = {n for u in other.unions for m in forms.members(u) for n in m.form.fields}
                found |= {n for n in side.fields if n not in other.fields and n in inside}
        return found

    def _counterpart(self, old: ObjectForm, new: ObjectForm) -> tuple[str, ObjectForm, ObjectForm]:
        """An object that became a union, or the reverse: the kind, and both sides with the variant that corresponds to
        the object. Kinds: `default`, the untagged variant; `variant`, a variant with the same tag; `other`, none. For
        `other`, only the properties that the union declares for all its variants are compared.
        """
        grown = bool(new.unions)
        alone, choice, forms = (old, new, self.new) if grown else (new, old, self.old)
        tag = constant_tag(forms.members(choice.unions[0]))
        untagged = [m for m in forms.members(choice.unions[0]) if not m.open and tag not in m.constants]
        for member in forms.members(choice.unions[0]):
            fields = {**choice.fields, **member.form.fields}
            both = ObjectForm(choice.type, fields, sources=(*choice.sources, *member.form.sources))
            tagged = tag in member.constants
            if member.open or (tagged and alone.constants().get(tag or "") != member.constants[tag or ""]):
                continue
            alike = fields.keys() == alone.fields.keys() and all(
                self._equal_fields(*((alone.fields[name], f) if grown else (f, alone.fields[name])))
                for name, f in fields.items()
            )
            if (alike and all(m is member or self._fits(m, alone) for m in untagged)) or tagged:
                pair = (alone, both) if grown else (both, alone)
                return ("variant" if tagged else "default", *pair)
        shared = {name: field for name, field in alone.fields.items() if name in choice.fields}
        one, other = ObjectForm(alone.type, shared), ObjectForm(choice.type, choice.fields)
        return ("other", one, other) if grown else ("other", other, one)

    def _fits(self, member: Member, alone: ObjectForm) -> bool:
        """Return whether every message of a variant is also valid for an object."""
        fields = member.form.fields
        return all(
            (name not in fields and not field.required)
            or (
                name in fields and fields[name].required >= field.required and self.equal(field.type, fields[name].type)
            )
            for name, field in alone.fields.items()
        )

    def _equal_fields(self, old: Field, new: Field) -> bool:
        return old.required == new.required and self.equal(old.type, new.type)

    def _others(self, whole: tuple[ObjectForm, ObjectForm], old: ObjectForm, new: ObjectForm, context: Context) -> None:
        """The variants other than the one that was, or stays, the whole object."""
        choice, forms = (whole[1], self.new) if whole[1].unions else (whole[0], self.old)
        kept = new if whole[1].unions else old
        members = forms.members(choice.unions[0])
        rest = [m for m in members if not {**choice.fields, **m.form.fields}.items() <= kept.fields.items()]
        for member in rest:
            old_member, new_member = (None, member) if choice is whole[1] else (member, None)
            variants = (each.variant if each is not None else None for each in (old_member, new_member))
            shared = self.parts(context, *variants)
            pair = VariantPair(old=old_member, new=new_member, label=label(member, constant_tag(members)), **shared)
            pair.kind = Kind.WIDER if new_member else Kind.NARROWER
            pair.gate = new_member.variant.capability if new_member else None
            self.add(pair)

    def _field(
        self, old: Field | None, new: Field | None, before: ObjectForm, after: ObjectForm, node: Node, context: Context
    ) -> None:
        field = new or old
        assert field is not None
        place = owner(field.pointer) or context.subject
        pair = FieldPair(
            old=old,
            new=new,
            renamed=old is not None and new is not None and old.name != new.name,
            kind=presence(
                old.required if old is not None else None,
                new.required if new is not None else None,
                old_closed=before.closed,
                new_closed=after.closed,
            ),
            gate=new.capability if new is not None else None,
            kept=after.extra is not None,
            nodes=[node],
            pointer=new.pointer if new is not None else self._home(field, self.new.schema) or context.pointer,
            base=old.pointer if old is not None else self._home(field, self.old.schema) or context.base,
            subject=f"{place}.{field.name}" if place else field.name,
            lenient_old=old is not None and forgives(self.old, old),
            lenient_new=new is not None and forgives(self.new, new),
            stable=self.all_stable(old, new) and context.stable,
        )
        if old is not None and new is not None:
            pair.default_old = expanded(self.old, old)
            pair.default_new = expanded(self.new, new)
        self.add(pair)
        if old is not None and new is not None:
            self.standing(old, new, "required property" if old.required else "property", [node], pair.subject)
            below = Context(field_old=old, field_new=new, **common(pair))
            self.types(old.type, new.type, below, skip=(old.skip_invalid_items, new.skip_invalid_items))

    def _home(self, field: Field, schema: Schema) -> str | None:
        """The definition that declares a property in the other schema, if it exists there."""
        parts = pointer_parts(field.pointer)
        declared = len(parts) == 4 and parts[0] == "$defs" and parts[2] == "properties"
        return self.place(parts[1], schema) if declared and parts[1] in schema.definitions else None


def without(form: ObjectForm, names: set[str]) -> ObjectForm:
    """An object without some of its properties."""
    if not names:
        return form
    return msgspec.structs.replace(form, fields={n: f for n, f in form.fields.items() if n not in names})


def given(members: list[Member], form: ObjectForm, names: set[str]) -> list[Member]:
    """Variants with the properties that the enclosing object declares for all of them."""
    shared = {n: f for n, f in form.fields.items() if n in names}
    if not shared:
        return members
    return [
        msgspec.structs.replace(m, form=msgspec.structs.replace(m.form, fields={**shared, **m.form.fields}))
        for m in members
    ]
