"""The comparison of two schemas: pair their parts, walk them once, and return every pair that differs.

Parts are paired by meaning. Types are compared in their normal form (`model/algebra/normal_form.py`), so inlining a
definition, wrapping a reference in `allOf` or reordering properties makes no difference. Every pair of types is
compared only once; `flow` then finds the messages that contain it.
"""

from __future__ import annotations

from typing import Any

from ...model.algebra.change_kind import Kind
from ...model.algebra.conformance import fits
from ...model.algebra.normal_form import Alternative
from ...model.analysis.leniency import replaces_null
from ...model.nodes.types import Array, Enumeration, Nullable, Object, Reference, Type
from ...model.nodes.walk import without_null
from ..parts.pairs import Context, Edge, Node, NullPair, Pair, at, common
from .counterparts import Pairing
from .objects import Objects


class Comparison(Objects):
    """The walk over both schemas, type by type. It skips definitions that are `unchanged` at any depth."""

    # --- types ---------------------------------------------------------------------------------------------------------

    def types(self, old: Type, new: Type, context: Pair, *, skip: tuple[bool, bool] = (False, False)) -> Node:
        """Compare two types; `skip`: whether either side drops items it cannot read."""
        old_name, new_name = _outer_name(old), _outer_name(new)
        if old_name is not None or new_name is not None:
            self.definitions.setdefault((old_name, new_name))
        inner_names = self.old.deepest(old), self.new.deepest(new)
        if inner_names not in {(old_name, new_name), (None, None)}:
            self.definitions.setdefault(inner_names)
        stable = self.stable(old_name, self.old.schema) and self.stable(new_name, self.new.schema)
        old_plain, new_plain = self.old.core(old), self.new.core(new)
        key = (id(old_plain), id(new_plain))
        node = self.nodes.get(key)
        known = node is not None
        if node is None:
            self.kept += [old_plain, new_plain]
            node = self.nodes[key] = Node(pointer=context.pointer, base=context.base, stable=stable)
            node.same = self._one_definition(*inner_names)
            if self._one_definition(old_name, new_name):
                node.pointer = self.place(new_name, self.new.schema) or context.pointer
                node.base = self.place(old_name, self.old.schema) or context.base
        for parent in context.nodes:
            label = context.field_new.name if isinstance(context, Context) and context.field_new is not None else ""
            parent.edges.append(Edge(node, context.lenient_old, context.lenient_new, context.stable, label))
        # Null is the context's own affair: what takes it is the place, not the type.
        here = (
            context
            if isinstance(context, Context)
            else Context(nodes=[node], pointer=context.pointer, base=context.base, subject=context.subject)
        )
        self._nullability(old, new, here, node)
        if not known and not (old_name == new_name and new_name in self.unchanged):
            self._alternatives(*_named(old, new), node, here)
        if isinstance(old_plain, Array) and isinstance(new_plain, Array):
            # An array that several places share drops bad items only where all of them say so.
            for edge in node.edges:
                edge.lenient_old = skip[0] and (not known or edge.lenient_old)
                edge.lenient_new = skip[1] and (not known or edge.lenient_new)
        return node

    def _nullability(self, old: Type, new: Type, context: Context, node: Node) -> None:
        before, after = fits(self.old, old, None), fits(self.new, new, None)
        if before == after or self.old.anything(old) or self.new.anything(new):
            return
        if not isinstance(old, Nullable) and not isinstance(new, Nullable) and node.pointer.count("/") == 2:
            # The definition itself takes null or not; that is one change, however many places use it.
            if node.nulls:
                return
            node.nulls = True
            context = at(context, node)
        field = context.field_new if before else context.field_old
        place: dict[str, Any] = {**common(context), "nodes": context.nodes or [node]}
        accepted = field is not None and replaces_null(self.new if before else self.old, field)
        self.add(NullPair(**place, kind=Kind.of(lost=before, gained=after), accepted=accepted))

    def _alternatives(self, old: Type, new: Type, node: Node, context: Context) -> None:
        """Compare the alternatives of two types, ignoring null."""
        olds, news = self.old.alternatives(old), self.new.alternatives(new)
        inner = at(context, node)
        if any(each.kind == "any" for side in (olds, news) for each in side):
            self.type_differs(old, new, inner)
            return
        if len(olds) == 1 and len(news) == 1:
            self._one(olds[0], news[0], node, inner)
            return
        pairing = Pairing(olds, news)
        pairing.take(lambda a, b: a.kind == b.kind and self.equal(a.type, b.type))
        pairing.take(lambda a, b: a.kind == b.kind and _titles(a) & _titles(b) != set())
        pairing.take(lambda a, b: a.kind == b.kind)
        pairing.take(lambda a, b: {a.kind, b.kind} == {"map", "object"})
        for one, other, _ in pairing.found:
            place = inner
            if one.variant is not None and other.variant is not None:
                place = at(context, node, pointer=other.variant.pointer, base=one.variant.pointer)
            self._one(one, other, node, place)
        if not pairing.found and (olds or news):
            self.type_differs(old, new, inner)
        elif pairing.found:
            choice = self.old.is_union(old) and self.new.is_union(new)
            for gone in pairing.left:
                if choice and gone.variant is not None:
                    self.plain_variant(gone, None, inner)
                else:
                    self.type_differs(old, new, inner, Kind.NARROWER)
            for fresh in pairing.right:
                if choice and fresh.variant is not None:
                    self.plain_variant(None, fresh, inner)
                else:
                    self.type_differs(old, new, inner, Kind.WIDER)

    def _one(self, old: Alternative, new: Alternative, node: Node, context: Context) -> None:
        """Compare two types without alternatives: part by part if they are of one kind, otherwise as a whole."""
        left, right = old.type, new.type
        if isinstance(left, Enumeration) is not isinstance(right, Enumeration):
            left, right = (t.base or t if isinstance(t, Enumeration) else t for t in (left, right))
        match left, right:
            case Enumeration(), Enumeration() if self.enumerations(left, right, context):
                pass
            case Array(), Array() if len(left.prefix) == len(right.prefix):
                self.arrays(left, right, node, context)
            case _ if {old.kind, new.kind} <= {"map", "object"}:
                self.objects(old, new, node, context)
            case _ if Enumeration in (type(left), type(right)) or old.kind != new.kind:
                self.type_differs(left, right, context)
            case _:
                self.scalars(left, right, context)


def _outer_name(type_: Type) -> str | None:
    """The definition of a named type, ignoring null and wrappers."""
    match type_:
        case Reference(name):
            return name
        case Nullable(inner):
            return _outer_name(inner)
        case Object(fields=(), bases=(Reference(name),), unions=(), excludes=(), extra=None, closed=False):
            return name
        case _:
            return None


def _named(old: Type, new: Type) -> tuple[Type, Type]:
    """Compare two definitions, ignoring null, which is compared separately."""
    if isinstance(old, (Nullable, Reference)) and isinstance(new, (Nullable, Reference)):
        inner = tuple(without_null(t) for t in (old, new))
        if all(isinstance(t, Reference) for t in inner):
            return inner[0], inner[1]
    return old, new


def _titles(alternative: Alternative) -> set[str]:
    found: set[str] = set()
    if alternative.variant is not None and alternative.variant.title:
        found.add(alternative.variant.title)
    if isinstance(alternative.type, Object) and alternative.form is not None:
        found.update(alternative.form.sources)
    return found
