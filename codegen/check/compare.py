"""Two schemas side by side: pairs their parts, walks them once, and hands out every pair that differs.

Parts are paired by meaning. Types are compared in the form they have on the wire (`views`), so a definition that was
moved inline, a reference wrapped in `allOf` or another order of members is no difference. Every pair of types is
compared once, however many places refer to it; `flow` says afterwards which messages carry it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from ..schema.combine import same
from ..schema.model import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Field,
    Integer,
    Map,
    Nullable,
    Number,
    Object,
    Reference,
    Rfd,
    Schema,
    String,
    Type,
    Value,
)
from ..schema.read import pointer_parts
from .defaults import expanded
from .match import constant_tag, match_fields, match_members
from .pairs import (
    BoundsPair,
    ConstantPair,
    Edge,
    EnumPair,
    FieldPair,
    MapPair,
    Node,
    ObjectPair,
    Pair,
    TypePair,
    UnionPair,
    ValuePair,
    VariantPair,
)
from .views import Alternative, Member, View, Views
from .words import in_words, label, owner


class Site(Pair, kw_only=True):
    """Where a type stands: the pair it belongs to, as far as messages and levels need it."""

    field_old: Field | None = None
    field_new: Field | None = None


class Comparison:
    """The walk over both schemas. `pairs` collects what differs; `definitions` which named types faced which."""

    def __init__(self, old: Schema, new: Schema) -> None:
        self.old, self.new = Views(old), Views(new)
        self.pairs: list[Pair] = []
        self.definitions: dict[tuple[str | None, str | None], None] = {}
        self._nodes: dict[tuple[int, int], Node] = {}
        self._kept: list[object] = []
        self._equal: dict[tuple[int, int], bool] = {}

    # --- equality -----------------------------------------------------------------------------------------------------

    def equal(self, old: Type, new: Type) -> bool:
        """Whether two types take the same values, names and words aside."""
        key = (id(old), id(new))
        if key not in self._equal:
            probe = Comparison.__new__(Comparison)
            probe.old, probe.new = self.old, self.new
            probe.pairs, probe.definitions, probe._nodes, probe._kept = [], {}, {}, []  # noqa: SLF001
            probe._equal = self._equal  # noqa: SLF001
            self._kept += [old, new]
            self._equal[key] = True
            probe.types(old, new, Site(nodes=[], pointer="", base="", subject=""))
            self._equal[key] = not probe.pairs
        return self._equal[key]

    # --- types ---------------------------------------------------------------------------------------------------------

    def types(self, old: Type, new: Type, site: Pair, *, skip: tuple[bool, bool] = (False, False)) -> Node:
        """Compare two types; `skip`: whether either side drops items it cannot read."""
        old_name, new_name = _outer_name(old), _outer_name(new)
        if old_name is not None or new_name is not None:
            self.definitions.setdefault((old_name, new_name))
        inner_names = self.old.deepest(old), self.new.deepest(new)
        if inner_names not in {(old_name, new_name), (None, None)}:
            self.definitions.setdefault(inner_names)
        stable = self._stable(old_name, self.old.schema) and self._stable(new_name, self.new.schema)
        old_plain, new_plain = self.old.plain(old), self.new.plain(new)
        key = (id(old_plain), id(new_plain))
        node = self._nodes.get(key)
        known = node is not None
        if node is None:
            self._kept += [old_plain, new_plain]
            node = self._nodes[key] = Node(pointer=site.pointer, base=site.base, stable=stable)
            node.same = self._one_definition(*inner_names)
            if self._one_definition(old_name, new_name):
                node.pointer = self._place(new_name, self.new.schema) or site.pointer
                node.base = self._place(old_name, self.old.schema) or site.base
        for parent in site.nodes:
            label = site.field_new.name if isinstance(site, Site) and site.field_new is not None else ""
            parent.edges.append(Edge(node, site.lenient_old, site.lenient_new, site.stable, label))
        # Null is the site's own affair: what takes it is the place, not the type.
        at = (
            site
            if isinstance(site, Site)
            else Site(nodes=[node], pointer=site.pointer, base=site.base, subject=site.subject)
        )
        self._nullability(old, new, at, node)
        if not known:
            self._alternatives(old, new, node, at)
        elif skip != (False, False):
            for edge in list(node.edges):
                edge.lenient_old, edge.lenient_new = edge.lenient_old and skip[0], edge.lenient_new and skip[1]
        if not known and skip != (False, False):
            for edge in node.edges:
                edge.lenient_old, edge.lenient_new = skip
        return node

    def _one_definition(self, old: str | None, new: str | None) -> bool:
        """Whether two names stand for the same definition, which then is the place of what changed in it."""
        if old == new:
            return True
        renamed = old not in self.new.schema.definitions and new not in self.old.schema.definitions
        return old is not None and new is not None and renamed

    def _stable(self, name: str | None, schema: Schema) -> bool:
        return name is None or is_stable(schema, schema.definitions[name].rfd)

    def _place(self, name: str | None, schema: Schema) -> str | None:
        return schema.definitions[name].pointer if name is not None else None

    def _nullability(self, old: Type, new: Type, site: Site, node: Node) -> None:
        before, after = self.old.nullable(old), self.new.nullable(new)
        if before == after or self.old.anything(old) or self.new.anything(new):
            return
        if not isinstance(old, Nullable) and not isinstance(new, Nullable) and node.pointer.count("/") == 2:
            # The definition itself takes null or not; that is one change, however many places use it.
            if node.nulls:
                return
            node.nulls = True
            site = _at(site, node)
        field = site.field_new if before else site.field_old
        self._add(
            TypePair(
                old=old,
                new=new,
                how="not-nullable" if before else "nullable",
                null_accepted=field is not None and field.default_on_null,
                nodes=site.nodes or [node],
                pointer=site.pointer,
                base=site.base,
                subject=site.subject,
                lenient_old=site.lenient_old,
                lenient_new=site.lenient_new,
                stable=site.stable,
            )
        )

    def _alternatives(self, old: Type, new: Type, node: Node, site: Site) -> None:
        """Compare what remains of two types when null is taken off."""
        olds, news = self.old.alternatives(old), self.new.alternatives(new)
        inner = _at(site, node)
        taken = tuple(any(a.kind == "any" for a in side) for side in (olds, news))
        if any(taken):
            # What takes any value takes it whatever is listed beside.
            if taken != (True, True):
                self._type(old, new, "widened" if taken[1] else "narrowed", inner)
            return
        if len(olds) == 1 and len(news) == 1:
            if not self._one(olds[0], news[0], node, inner):
                self._type(old, new, "changed", inner)
            return
        pairs, removed, added = self._pair_alternatives(olds, news)
        for one, other in pairs:
            at = inner
            if one.variant is not None and other.variant is not None:
                at = _at(site, node, pointer=other.variant.pointer, base=one.variant.pointer)
            if not self._one(one, other, node, at):
                self._type(one.type, other.type, "changed", at)
        if not pairs and (olds or news):
            if olds and news:
                self._type(old, new, "changed", inner)
            return
        was_union, is_union = self.old.is_union(old), self.new.is_union(new)
        for gone in removed:
            if is_union and was_union and gone.variant is not None:
                self._variant(gone, None, inner)
            else:
                self._type(old, new, "narrowed", inner)
        for fresh in added:
            if is_union and was_union and fresh.variant is not None:
                self._variant(None, fresh, inner)
            else:
                self._type(old, new, "widened", inner)

    def _pair_alternatives(
        self, olds: list[Alternative], news: list[Alternative]
    ) -> tuple[list[tuple[Alternative, Alternative]], list[Alternative], list[Alternative]]:
        left, right = list(olds), list(news)
        pairs: list[tuple[Alternative, Alternative]] = []

        def take(fits: Callable[[Alternative, Alternative], bool]) -> None:
            for one in list(left):
                other = next((candidate for candidate in right if fits(one, candidate)), None)
                if other is not None:
                    pairs.append((one, other))
                    left.remove(one)
                    right.remove(other)

        take(lambda a, b: a.kind == b.kind and self.equal(a.type, b.type))
        take(lambda a, b: a.kind == b.kind and _titles(a) & _titles(b) != set())
        take(lambda a, b: a.kind == b.kind)
        take(lambda a, b: {a.kind, b.kind} == {"map", "object"})
        return pairs, left, right

    def _one(self, old: Alternative, new: Alternative, node: Node, site: Site) -> bool:
        """Compare two types that are no choice; False where nothing fits both."""
        left, right = old.type, new.type
        match left, right:
            case Enumeration(), Enumeration():
                return self._enumerations(left, right, site)
            case Enumeration(base=base), _ if old.kind == new.kind:
                if base is None:
                    self._type(left, right, "widened", site)
                    return True
                return self._one(_alternative(base, old), new, node, site)
            case _, Enumeration(base=base) if old.kind == new.kind:
                if base is None:
                    self._type(left, right, "narrowed", site)
                    return True
                return self._one(old, _alternative(base, new), node, site)
            case (Integer() | Number(), Integer() | Number()):
                if type(left) is not type(right):
                    self._type(left, right, "widened" if isinstance(left, Integer) else "narrowed", site)
                else:
                    self._add(BoundsPair(old=left, new=right, **_common(site)))
                return True
            case String(), String():
                self._add(BoundsPair(old=left, new=right, **_common(site)))
                return True
            case Boolean(), Boolean():
                return True
            case Array(), Array():
                return self._arrays(left, right, node, site)
            case _:
                pass
        if old.kind in ("map", "object") and new.kind in ("map", "object"):
            self._objects(old, new, node, site)
            return True
        return False

    def _arrays(self, old: Array, new: Array, node: Node, site: Site) -> bool:
        if len(old.prefix) != len(new.prefix):
            return False
        self._add(BoundsPair(old=old, new=new, **_common(site)))
        for one, other in zip((*old.prefix, old.items), (*new.prefix, new.items), strict=True):
            self.types(one, other, _below(node, site, f"an item of {site.subject}"))
        return True

    def _enumerations(self, old: Enumeration, new: Enumeration, site: Site) -> bool:
        olds, news = old.values, new.values
        if _kinds(olds).isdisjoint(_kinds(news)):
            return False
        if len(olds) == len(news) == 1 and old.base is None and new.base is None:
            if not same(olds[0].constant, news[0].constant):
                self._add(ConstantPair(old=olds[0].constant, new=news[0].constant, **_common(site)))
            return True
        for value in olds:
            if not any(same(value.constant, other.constant) for other in news):
                self._value(value, None, site, is_open=new.base is not None)
        for value in news:
            if not any(same(value.constant, other.constant) for other in olds):
                self._value(None, value, site, is_open=old.base is not None)
        if (old.base is None) != (new.base is None):
            self._add(EnumPair(old=old, new=new, **_common(site)))
        elif old.base is not None and new.base is not None and type(old.base) is type(new.base):
            self._add(BoundsPair(old=old.base, new=new.base, **_common(site)))  # type: ignore[arg-type]
        return True

    def _value(self, old: Value | None, new: Value | None, site: Site, *, is_open: bool) -> None:
        common: dict[str, Any] = {**_common(site), "stable": site.stable and self._all_stable(old, new)}
        if new is not None:
            common["pointer"] = new.pointer
        if old is not None:
            common["base"] = old.pointer
        self._add(ValuePair(old=old, new=new, open=is_open, **common))

    def _all_stable(self, old: Any, new: Any) -> bool:
        return (old is None or is_stable(self.old.schema, old.rfd)) and (
            new is None or is_stable(self.new.schema, new.rfd)
        )

    def _type(self, old: Type, new: Type, how: str, site: Site) -> None:
        before, after = in_words(old), in_words(new)
        if before == after:
            before, after = in_words(self.old.plain(old)), in_words(self.new.plain(new))
        self._add(TypePair(old=old, new=new, how=how, before=before, after=after, **_common(site)))

    def _variant(self, old: Alternative | None, new: Alternative | None, site: Site) -> None:
        """A member of a union that is not one of objects alone."""
        part = new or old
        assert part is not None
        common = _common(site)
        variants = (old.variant if old else None, new.variant if new else None)
        common["stable"] = site.stable and self._all_stable(*variants)
        if variants[1] is not None:
            common["pointer"] = variants[1].pointer
        if variants[0] is not None:
            common["base"] = variants[0].pointer
        gate = variants[1].capability if variants[1] is not None else None
        self._add(
            VariantPair(
                old=old.type if old is not None else None,
                new=new.type if new is not None else None,
                label=in_words(part.type),
                gate=gate,
                **common,
            )
        )

    # --- objects ---------------------------------------------------------------------------------------------------------

    def _objects(self, old: Alternative, new: Alternative, node: Node, site: Site) -> None:
        if old.kind != new.kind and self._spelled_out(old, new, node, site):
            return
        if old.kind != new.kind and not (old.view is not None and new.view is not None):
            declares = old.view if old.kind == "object" else new.view
            other = new.type if old.kind == "object" else old.type
            if isinstance(other, Map) and not isinstance(other.values, Anything):
                self._type(old.type, new.type, "changed", site)
            elif declares is not None:
                self._type(old.type, new.type, "narrowed" if new.kind == "object" else "widened", site)
            return
        if self._unrelated(old, new, node):
            self._type(old.type, new.type, "changed", site)
        elif isinstance(old.type, Map) and isinstance(new.type, Map):
            self._maps(old.type, new.type, node, site)
        elif old.view is not None and new.view is not None:
            self.views(old.view, new.view, node, site)

    def _unrelated(self, old: Alternative, new: Alternative, node: Node) -> bool:
        """Whether a property holds another object than before, not the same one with other properties."""
        if old.view is None or new.view is None or old.view.unions or new.view.unions:
            return False
        if node.same:
            return False
        left, right = old.view.declared(), new.view.declared()
        return bool(left) and bool(right) and left.keys().isdisjoint(right)

    def _spelled_out(self, old: Alternative, new: Alternative, node: Node, site: Site) -> bool:
        """Compare a free object with one that says what some optional properties of it are, and takes all others."""
        declared = new.view or old.view
        free = old.type if old.view is None else new.type
        if declared is None or not isinstance(free, Map) or not isinstance(free.values, Anything):
            return False
        if not isinstance(declared.extra, Anything) or any(field.required for field in declared.fields.values()):
            return False
        bare = View(free, {}, extra=free.values)
        self.views(old.view or bare, new.view or bare, node, site)
        return True

    def _maps(self, old: Map, new: Map, node: Node, site: Site) -> None:
        olds = {a.kind for a in self.old.alternatives(old.values)}
        news = {a.kind for a in self.new.alternatives(new.values)}
        simple = olds | news <= {"string", "number", "boolean", "any"} and len(olds) == len(news) == 1
        if self.equal(old.values, new.values) or (olds & news and not simple):
            self.types(old.values, new.values, _below(node, site, f"a value of {site.subject}"))
        else:
            self._add(MapPair(old=old.values, new=new.values, **_common(site)))

    def views(
        self, old: View, new: View, node: Node, site: Site, *, tag: tuple[str | None, str | None] = (None, None)
    ) -> None:
        """Compare two objects; `tag`: the properties that told them apart from other variants."""
        subject = site.subject
        whole = (old, new)
        if bool(old.unions) != bool(new.unions):
            how, old, new = self._counterpart(old, new)
            if how == "variant":
                self._others(whole, old, new, site)
            else:
                self._add(ObjectPair(old=whole[0], new=whole[1], same_default=how == "default", **_common(site)))
        elif old.closed != new.closed:
            self._add(ObjectPair(old=old, new=new, **_common(site)))
        moved = self._moved(old, new)
        for one, other in match_fields(without(old, moved), without(new, moved), self.equal, tag):
            self._field(one, other, old, new, node, site)
        for one_union, other_union in zip(old.unions, new.unions, strict=False):
            olds, news = self.old.members(one_union), self.new.members(other_union)
            if moved:
                olds, news = given(olds, old, moved), given(news, new, moved)
                self._kept += [olds, news]
            self._unions(olds, news, node, site)
        if len(old.unions) != len(new.unions) and old.unions and new.unions:
            self._type(old.type, new.type, "changed", site)
        if old.extra is not None and new.extra is not None:
            self.types(old.extra, new.extra, _below(node, site, f"an undeclared property of {subject}"))

    def _moved(self, old: View, new: View) -> set[str]:
        """Properties that one side declares once beside a union and the other in the variants."""
        found: set[str] = set()
        for side, other, views in ((old, new, self.new), (new, old, self.old)):
            if side.unions and other.unions:
                inside = {n for u in other.unions for m in views.members(u) for n in m.view.fields}
                found |= {n for n in side.fields if n not in other.fields and n in inside}
        return found

    def _counterpart(self, old: View, new: View) -> tuple[str, View, View]:
        """An object that became a union, or was one: how, and both sides with the variant that is the object.

        default: it is the untagged variant. variant: it is one with the same tag. other: it is none of them; then only
        what the union's object declares for all its variants is compared.
        """
        grown = bool(new.unions)
        alone, choice, views = (old, new, self.new) if grown else (new, old, self.old)
        for member in views.members(choice.unions[0]):
            fields = {**choice.fields, **member.view.fields}
            both = View(choice.type, fields, sources=(*choice.sources, *member.view.sources))
            tag = constant_tag(views.members(choice.unions[0]))
            tagged = tag in member.constants
            if member.open or (tagged and alone.constants().get(tag or "") != member.constants[tag or ""]):
                continue
            alike = fields.keys() == alone.fields.keys() and all(
                self._equal_fields(*((alone.fields[name], f) if grown else (f, alone.fields[name])))
                for name, f in fields.items()
            )
            if alike or tagged:
                pair = (alone, both) if grown else (both, alone)
                return ("variant" if tagged else "default", *pair)
        shared = {name: field for name, field in alone.fields.items() if name in choice.fields}
        one, other = View(alone.type, shared), View(choice.type, choice.fields)
        return ("other", one, other) if grown else ("other", other, one)

    def _equal_fields(self, old: Field, new: Field) -> bool:
        return old.required == new.required and self.equal(old.type, new.type)

    def _others(self, whole: tuple[View, View], old: View, new: View, site: Site) -> None:
        """The variants beside the one that was, or stays, the whole object."""
        choice, views = (whole[1], self.new) if whole[1].unions else (whole[0], self.old)
        kept = new if whole[1].unions else old
        members = views.members(choice.unions[0])
        rest = [m for m in members if not {**choice.fields, **m.view.fields}.items() <= kept.fields.items()]
        for member in rest:
            common = _common(site)
            variant = member.variant
            added = choice is whole[1]
            common["stable"] = site.stable and self._all_stable(None if added else variant, variant if added else None)
            common["pointer" if added else "base"] = variant.pointer
            self._add(
                VariantPair(
                    old=None if added else member,
                    new=member if added else None,
                    label=label(member, constant_tag(members)),
                    gate=variant.capability if added else None,
                    **common,
                )
            )

    def _field(self, old: Field | None, new: Field | None, before: View, after: View, node: Node, site: Site) -> None:
        field = new or old
        assert field is not None
        place = owner(field.pointer) or site.subject
        pair = FieldPair(
            old=old,
            new=new,
            renamed=old is not None and new is not None and old.name != new.name,
            closed=before.closed if old is None else after.closed,
            gate=new.capability if new is not None else None,
            kept=after.extra is not None,
            nodes=[node],
            pointer=new.pointer if new is not None else self._home(field, self.new.schema) or site.pointer,
            base=old.pointer if old is not None else self._home(field, self.old.schema) or site.base,
            subject=f"{place}.{field.name}" if place else field.name,
            lenient_old=old is not None and old.default_on_error,
            lenient_new=new is not None and new.default_on_error,
            stable=self._all_stable(old, new) and site.stable,
        )
        if old is not None and new is not None:
            pair.default_old = expanded(self.old, old)
            pair.default_new = expanded(self.new, new)
        self._add(pair)
        if old is not None and new is not None:
            below = Site(
                field_old=old,
                field_new=new,
                **{key: getattr(pair, key) for key in Pair.__struct_fields__},
            )
            self.types(old.type, new.type, below, skip=(old.skip_invalid_items, new.skip_invalid_items))

    def _home(self, field: Field, schema: Schema) -> str | None:
        """The definition that declares a property in the other schema, where it is there too."""
        parts = pointer_parts(field.pointer)
        declared = len(parts) == 4 and parts[0] == "$defs" and parts[2] == "properties"
        return self._place(parts[1], schema) if declared and parts[1] in schema.definitions else None

    # --- unions ----------------------------------------------------------------------------------------------------------

    def _unions(self, olds: list[Member], news: list[Member], node: Node, site: Site) -> None:
        tags = (constant_tag(olds), constant_tag(news))
        matched = match_members(olds, news, tags, self._alike)
        is_open = (any(m.open for m in olds), any(m.open for m in news))
        union = UnionPair(old=olds, new=news, tags=tags, **_common(site))
        union.default = next((how for _, _, how in matched if how == "default"), "")
        union.ambiguous = self._ambiguity(olds, news, tags)
        self._add(union)
        for old, new, how in matched:
            if (old is None or new is None) and (old or new).open:  # type: ignore[union-attr]
                continue
            common = _common(site)
            common["stable"] = site.stable and self._all_stable(old and old.variant, new and new.variant)
            if new is not None:
                common["pointer"] = new.variant.pointer
            if old is not None:
                common["base"] = old.variant.pointer
            self._add(
                VariantPair(
                    old=old,
                    new=new,
                    how=how,
                    label=label(new or old, tags[1] if new else tags[0]),
                    other=label(old, tags[0]) if old else "",
                    open=all(is_open) if old is not None and new is not None else is_open[0 if new is not None else 1],
                    gate=new.variant.capability if new is not None else None,
                    **common,
                )
            )
            if old is not None and new is not None:
                self._members(old, new, node, common, tags)

    def _members(
        self, old: Member, new: Member, node: Node, common: dict[str, Any], tags: tuple[str | None, str | None]
    ) -> None:
        for one, other in zip(old.names[:1], new.names[:1], strict=False):
            self.definitions.setdefault((one, other))
        key = (id(old.view.type), id(new.view.type))
        below = self._nodes.get(key)
        if below is None:
            below = self._nodes[key] = Node(pointer=new.variant.pointer, base=old.variant.pointer)
            below.stable = all(self._stable(n, self.old.schema) for n in old.names) and all(
                self._stable(n, self.new.schema) for n in new.names
            )
            inside: dict[str, Any] = {
                **common,
                "nodes": [below],
                "lenient_old": False,
                "lenient_new": False,
                "stable": below.stable,
            }
            site = Site(**inside)
            self.views(old.view, new.view, below, site, tag=tags)
        node.edges.append(Edge(below, stable=common["stable"]))

    def _alike(self, old: Member, new: Member, tags: tuple[str | None, str | None]) -> bool:
        """Whether two variants are the same object but for their tags."""
        left = {k: f for k, f in old.view.declared().items() if k != tags[0]}
        right = {k: f for k, f in new.view.declared().items() if k != tags[1]}
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

    # --- the rest ----------------------------------------------------------------------------------------------------------

    def _add(self, pair: Pair) -> None:
        if _differs(pair):
            self.pairs.append(pair)


def without(view: View, names: set[str]) -> View:
    """An object less some of its properties."""
    if not names:
        return view
    return msgspec.structs.replace(view, fields={n: f for n, f in view.fields.items() if n not in names})


def given(members: list[Member], view: View, names: set[str]) -> list[Member]:
    """Variants with properties that the object around their union declares for all of them."""
    shared = {n: f for n, f in view.fields.items() if n in names}
    if not shared:
        return members
    return [
        msgspec.structs.replace(m, view=msgspec.structs.replace(m.view, fields={**shared, **m.view.fields}))
        for m in members
    ]


def is_stable(schema: Schema, rfd: str | None) -> bool:
    """Whether nothing says that a part belongs to an RFD in progress."""
    found: Rfd | None = (schema.rfds or {}).get(rfd) if rfd is not None else None
    return found is None or found.stable


def _differs(pair: Pair) -> bool:
    """Whether a pair has anything to show to the rules; the cheap test that keeps equal schemas fast."""
    match pair:
        case BoundsPair(old=old, new=new):
            return _bare(old) != _bare(new)
        case FieldPair(old=Field() as old, new=Field() as new):
            return (
                pair.renamed
                or old.required != new.required
                or (old.default_on_error, old.default_on_null, old.skip_invalid_items)
                != (new.default_on_error, new.default_on_null, new.skip_invalid_items)
                or pair.default_old != pair.default_new
                or old.capability != new.capability
            )
        case ObjectPair(old=old, new=new):
            return old.closed != new.closed or bool(old.unions) != bool(new.unions)
        case VariantPair(old=old, new=new):
            return old is None or new is None or pair.how != "same"
        case UnionPair(old=old, new=new):
            return (
                any(m.open for m in old) != any(m.open for m in new)
                or pair.tags[0] != pair.tags[1]
                or bool(pair.default or pair.ambiguous)
            )
        case _:
            return True


def _bare(type_: Any) -> tuple[Any, ...]:
    return tuple(getattr(type_, name) for name in type_.__struct_fields__ if name not in ("items", "prefix"))


def _common(site: Pair) -> dict[str, Any]:
    return {key: getattr(site, key) for key in Pair.__struct_fields__}


def _at(site: Pair, node: Node, *, pointer: str | None = None, base: str | None = None) -> Site:
    """The same place, as seen from inside its type: what is forgiven there is said by the edge that led here."""
    return Site(
        nodes=[node],
        pointer=pointer or (site.pointer if not node.pointer else node.pointer),
        base=base or (site.base if not node.base else node.base),
        subject=owner(node.pointer) or site.subject if node.pointer.count("/") == 2 else site.subject,
        stable=node.stable,  # the way here is the edge's affair
    )


def _below(node: Node, site: Pair, subject: str) -> Pair:
    return Pair(nodes=[node], pointer=site.pointer, base=site.base, subject=subject, stable=True)


def _outer_name(type_: Type) -> str | None:
    """The definition a type is, where it is one by name; null beside it and wrappers do not count."""
    match type_:
        case Reference(name):
            return name
        case Nullable(inner):
            return _outer_name(inner)
        case Object(fields=(), bases=(Reference(name),), unions=(), excludes=(), extra=None, closed=False):
            return name
        case _:
            return None


def _titles(alternative: Alternative) -> set[str]:
    found: set[str] = set()
    if alternative.variant is not None and alternative.variant.title:
        found.add(alternative.variant.title)
    if isinstance(alternative.type, Object) and alternative.view is not None:
        found.update(alternative.view.sources)
    return found


def _alternative(type_: Type, like: Alternative) -> Alternative:
    return Alternative(type_, like.kind, like.variant)


def _kinds(values: Iterable[Value]) -> set[str]:
    return {"number" if isinstance(v.constant, float) else type(v.constant).__name__ for v in values}


def _ambiguous(members: list[Member], tag: str | None, views: Views) -> Iterator[tuple[str, str]]:
    """Untagged variants that one message can match: what either requires, the other requires too."""
    untagged = [m for m in members if not m.open and (tag is None or tag not in m.constants)]
    for index, one in enumerate(untagged):
        for other in untagged[index + 1 :]:
            left, right = ({n for n, f in m.view.fields.items() if f.required} for m in (one, other))
            apart = any(
                name in other.constants and not same(value, other.constants[name])
                for name, value in one.constants.items()
            )
            if not apart and left == right and not one.view.unions and not other.view.unions:
                kinds = [
                    {a.kind for a in views.alternatives(one.view.fields[n].type)}
                    & {a.kind for a in views.alternatives(other.view.fields[n].type)}
                    for n in left
                ]
                if all(kinds):
                    yield (label(one, tag), label(other, tag))
