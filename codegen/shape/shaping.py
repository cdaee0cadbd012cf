"""Turn a `Schema` into `Shapes`: determine the classes and aliases.

Every object and every union gets a name. `native` then decides which types msgspec can decode by itself.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from .. import diagnostics
from ..model.algebra.discriminators import constants, tag_of_all, unseparated
from ..model.algebra.intersect import is_object
from ..model.naming.leaves import RawLeaf, ShapeError, disjoint
from ..model.naming.settle import Settled, settle
from ..model.naming.variants import Flattener
from ..model.naming.wire_names import pascal
from ..model.nodes import types as t
from ..model.nodes.walk import children, contents, inner, without_null
from .naming import check_apart, check_class_name, member_label, property_hint, python_name
from .native import Native, expressible
from .shapes import Alias, Attribute, Choice, Leaf, Record, Shapes

META = "_meta"
"""The property reserved for implementations."""


def shape(schema: t.Schema, whole: t.Schema | None = None) -> Shapes:
    """The shapes of a schema without resolved names. Raises ShapeError. `whole`: the schema that this is a projection
    of.
    """
    return shape_settled(settle(schema, whole))


def shape_settled(settled: Settled) -> Shapes:
    """The shapes of a schema with resolved names. Raises ShapeError."""
    return _Shaper(settled).shapes()


class _Shaper:
    def __init__(self, settled: Settled) -> None:
        self.settled = settled
        self.schema = schema = settled.schema
        self.flattener = Flattener(schema, settled.structure)
        self.records: dict[str, Record] = {}
        self.origins: dict[str, RawLeaf] = {}
        self.choices: dict[str, Choice] = {}
        self.aliases: dict[str, Alias] = {}
        self.native = Native(schema, self.records, self.choices, self.aliases)
        self.hoisted: dict[str, t.Type] = {}
        self.plain_uses = _plain_uses(settled.whole)
        self.names = settled.leaves
        self.views: dict[str, dict[str, bool]] = {}

    def shapes(self) -> Shapes:
        for definition in self.schema.definitions.values():
            check_class_name(definition.name, definition.pointer)
        for definition in self.schema.definitions.values():
            self._definition(definition.name)
        self.native.decide()
        return Shapes(
            records=self.records,
            choices=self.choices,
            aliases=self.aliases,
            methods=self.settled.methods,
            former=self.settled.former,
            longer={old: new for old, new in self.settled.longer.items() if new in self.records},
            lock=self.settled.lock,
            views=self.views,
            definitions=frozenset(self.schema.definitions),
        )

    # --- definitions -------------------------------------------------------------------------------------------------

    def _definition(self, name: str) -> None:
        definition = self.schema.definitions[name]
        if not isinstance(definition.type, t.Reference) and is_object(definition.type, self.schema.resolve):
            self._object(name, definition.type, definition.pointer, definition.description)
            return
        type_ = self._whole(definition.type, name)
        self._take(name, definition.pointer)
        self.aliases[name] = Alias(
            name=name, pointer=definition.pointer, type=type_, description=definition.description
        )

    def _whole(self, type_: t.Type, name: str) -> t.Type:
        """The shaped form of a type that is itself called `name`; only objects inside it need further names."""
        match type_:
            case t.Nullable(inner) if is_object(inner, self.schema.resolve) and not isinstance(inner, t.Reference):
                return t.Nullable(self._hoist_object(inner, f"{name}Value"))
            case t.Nullable(inner):
                return t.Nullable(self._whole(inner, name))
            case t.Union(variants, exclusive):
                return t.Union(
                    tuple(
                        msgspec.structs.replace(variant, type=self._member(variant.type, name + member_label(variant)))
                        for variant in variants
                    ),
                    exclusive=exclusive,
                )
            case _:
                return self._inside(type_, name)

    def _object(self, name: str, type_: t.Type, pointer: str, description: str | None) -> None:
        """Add an object as a record, or as a choice with its records."""
        leaves = (
            self.flattener.definition(name)
            if name in self.schema.definitions
            else self.flattener.expand(type_, name, pointer)
        )
        if len(leaves) == 1 and leaves[0].steps == 0:
            self._record(leaves[0], name, pointer, description)
            return
        kept = self._tags(leaves)
        grouped = self._overlapping(leaves)
        found: list[Leaf] = []
        for leaf in leaves:
            leaf_name = "" if leaf.excludes else self.names.get(leaf.name, leaf.name.full)
            record = self._build(leaf, leaf_name, pointer=leaf.pointer, tags=kept)
            if leaf_name:
                self._register(record, leaf)
            found.append(
                Leaf(
                    record=record,
                    marks=leaf.marks(),
                    group=leaf.indices if grouped else (),
                    capability=leaf.capability,
                    update=leaf.update,
                    call=leaf.call,
                )
            )
        tag = tag_of_all(kept, [leaf.marks for leaf in found])
        self._take(name, pointer)
        self.choices[name] = Choice(name=name, pointer=pointer, leaves=tuple(found), description=description, tag=tag)

    def _tags(self, leaves: Iterable[RawLeaf]) -> tuple[str, ...]:
        """The properties that discriminate leaves, outermost first."""
        found: dict[str, None] = {}
        for leaf in leaves:
            if leaf.tag is not None and not leaf.excludes:
                found[leaf.tag[0]] = None
        for leaf in leaves:
            found.update(dict.fromkeys(e.property for e in leaf.excludes))
        return tuple(found)

    def _overlapping(self, leaves: tuple[RawLeaf, ...]) -> bool:
        """Return whether a value might match leaves from different variants of a `oneOf`."""
        return any(
            leaves[one].indices != leaves[other].indices and not disjoint(self.schema, leaves[one], leaves[other])
            for one, other in unseparated([leaf.marks() for leaf in leaves])
        )

    # --- records -----------------------------------------------------------------------------------------------------

    def _record(self, leaf: RawLeaf, name: str, pointer: str, description: str | None) -> None:
        record = self._build(leaf, name, pointer=pointer, tags=())
        self._register(msgspec.structs.replace(record, description=description), leaf)

    def _register(self, record: Record, leaf: RawLeaf) -> None:
        """Add a record. A leaf that is a definition's own class replaces the definition's plain record."""
        before = self.origins.get(record.name)
        if before is None:
            self._take(record.name, record.pointer)
        elif before.steps == leaf.steps and before.fields != leaf.fields:
            raise ShapeError(
                leaf.pointer, f"two different classes would be called {record.name}", diagnostics.COLLISION
            )
        elif before.steps >= leaf.steps:
            return
        if before is not None or record.name in self.schema.definitions:
            definition = self.schema.definitions.get(record.name)
            if definition is not None:
                record = msgspec.structs.replace(record, description=definition.description, pointer=definition.pointer)
        self.records[record.name] = record
        self.origins[record.name] = leaf

    def _take(self, name: str, pointer: str) -> None:
        if name in self.records or name in self.choices or name in self.aliases:
            raise ShapeError(pointer, f"two different types would be called {name}", diagnostics.COLLISION)
        if name not in self.schema.definitions:
            check_class_name(name, pointer)

    def _build(self, leaf: RawLeaf, name: str, *, pointer: str, tags: tuple[str, ...]) -> Record:
        tag = self._struct_tag(leaf, name)
        owner = name or leaf.name.full
        attributes = [
            self._attribute(field, leaf, owner)
            for field in leaf.fields
            if not (tag is not None and field.name == tag[0])
        ]
        if tags and not leaf.excludes and not leaf.closed and leaf.extra is None:
            for kept in tags:
                if leaf.field(kept) is None:
                    field = t.Field(name=kept, type=t.Anything(), required=False, pointer=leaf.pointer)
                    attributes.append(Attribute(name=python_name(kept, leaf.pointer), type=t.Anything(), field=field))
        check_apart(attributes, pointer, extra=leaf.extra is not None)
        return Record(
            name=name,
            pointer=pointer,
            attributes=tuple(attributes),
            description=leaf.description,
            tag=tag,
            strict_tag=leaf.own_tag,
            closed=leaf.closed,
            extra=None if leaf.extra is None else self.type(leaf.extra, f"{owner}Extra"),
        )

    def _struct_tag(self, leaf: RawLeaf, name: str) -> tuple[str, str] | None:
        """The tag that the class writes by itself: a property and its constant."""
        if leaf.tag is None or leaf.extra is not None:
            return None
        values = leaf.constants().get(leaf.tag[0], ())
        if len(values) != 1 or (leaf.own_tag and name in self.plain_uses):
            return None
        return leaf.tag

    def _attribute(self, field: t.Field, leaf: RawLeaf, owner: str) -> Attribute:
        values = constants([field]).get(field.name, ())
        # A definition may also be decoded by itself, and there a default would hide that the constant is missing.
        alone = leaf.steps > 0 and owner not in self.schema.definitions
        constant = values[0].constant if alone and len(values) == 1 else None
        return Attribute(
            name=python_name(field.name, field.pointer),
            type=self._property_type(field, owner),
            field=field,
            constant=constant,
        )

    def _property_type(self, field: t.Field, owner: str) -> t.Type:
        """The shaped type of a property; its own bounds may be part of its annotation."""
        type_, hint = field.type, property_hint(field, owner)
        inner = without_null(type_)
        match inner:
            case t.Object(fields=(_, *_), extra=t.Anything()) if field.name == META:
                self._view(inner, property_hint(field, owner).removesuffix(pascal(META)))
                return t.Nullable(t.Map(t.Anything())) if isinstance(type_, t.Nullable) else t.Map(t.Anything())
            case t.Integer() | t.String() if self.native.accepts(inner):
                return type_
            case t.Array():
                inside = self._inside(inner, hint)
                assert isinstance(inside, t.Array)
                bare = msgspec.structs.replace(inside, min_items=None, max_items=None)
                whole = t.Nullable(inside) if isinstance(type_, t.Nullable) else inside
                return whole if expressible(bare) else self._hoist(whole, hint)
            case _:
                return self.type(type_, hint)

    def _view(self, meta: t.Object, owner: str) -> None:
        """Record the types of declared `_meta` keys. `_meta` stays a dict, so that extensions compose and each key is
        read separately.
        """
        for field in meta.fields:
            inner = without_null(field.type)
            if isinstance(inner, t.Object):
                inner = self._hoist_object(inner, property_hint(field, owner))
            if isinstance(inner, t.Reference):
                self.views.setdefault(inner.name, {})[field.name] = field.default_on_error

    # --- types inside ------------------------------------------------------------------------------------------------

    def type(self, type_: t.Type, hint: str) -> t.Type:
        """The shaped form of a type inside a record or alias; if it needs a name, that is `hint`."""
        match type_:
            case t.Object(fields=(), bases=(), unions=(), excludes=(), extra=None, closed=False):
                return t.Map(t.Anything())
            case t.Object():
                return self._hoist_object(type_, hint)
            case t.Union(variants=(only,)) if not is_object(type_, self.schema.resolve):
                return self.type(only.type, hint)
            case t.Union():
                return self._inline_union(type_, hint)
            case t.Array() | t.Map() | t.Nullable():
                inside = self._inside(type_, hint)
                return inside if expressible(inside) else self._hoist(inside, hint)
            case _:
                return type_ if expressible(type_) else self._hoist(type_, hint)

    def _inside(self, type_: t.Type, hint: str) -> t.Type:
        match type_:
            case t.Array():
                return t.Array(
                    self.type(type_.items, f"{hint}Item"),
                    prefix=tuple(self.type(item, f"{hint}Item{n}") for n, item in enumerate(type_.prefix, 1)),
                    min_items=type_.min_items,
                    max_items=type_.max_items,
                )
            case t.Map(values):
                return t.Map(self.type(values, f"{hint}Value"))
            case t.Nullable(inner):
                return t.Nullable(self.type(inner, hint))
            case _:
                return type_

    def _member(self, type_: t.Type, hint: str) -> t.Type:
        """The shaped form of a member of a named union; only objects in it need names of their own."""
        match type_:
            case t.Object() | t.Union():
                return self.type(type_, hint)
            case _:
                return self._inside(type_, hint)

    def _inline_union(self, type_: t.Union, hint: str) -> t.Type:
        if is_object(type_, self.schema.resolve):
            return self._hoist_object(type_, hint)
        union = self._whole(type_, hint)
        assert isinstance(union, t.Union)
        plain = all(isinstance(v.type, (t.String, t.Integer, t.Number, t.Boolean)) for v in union.variants)
        return union if plain and expressible(union) and self.native.accepts(union) else self._hoist(union, hint)

    def _hoist(self, type_: t.Type, hint: str) -> t.Reference:
        if hint in self.hoisted and self.hoisted[hint] == type_:
            return t.Reference(hint)
        self._take(hint, self._pointer_of(hint))
        self.hoisted[hint] = type_
        self.aliases[hint] = Alias(name=hint, pointer=self._pointer_of(hint), type=type_)
        return t.Reference(hint)

    def _hoist_object(self, type_: t.Type, hint: str) -> t.Reference:
        if self.hoisted.get(hint) != type_:
            if hint in self.schema.definitions or hint in self.hoisted:
                problem = f"two different types would be called {hint}"
                raise ShapeError(self._pointer_of(hint), problem, diagnostics.COLLISION)
            self.hoisted[hint] = type_
            self._object(hint, type_, self._pointer_of(hint), None)
        return t.Reference(hint)

    def _pointer_of(self, hint: str) -> str:
        """The pointer of the definition that contains an inline type: the longest definition name at the start of the
        hint.
        """
        starts = (hint[:length] for length in range(len(hint), 0, -1))
        owner = next((start for start in starts if start in self.schema.definitions), None)
        return self.schema.definitions[owner].pointer if owner is not None else ""


def _plain_uses(schema: t.Schema) -> frozenset[str]:
    """The definitions that are used other than as a union's variant or an object's base."""
    found = {name for method in schema.methods for name in (method.params, method.result) if name}
    for definition in schema.definitions.values():
        held: list[t.Type] = [definition.type]
        for type_ in inner(definition.type):
            if not isinstance(type_, t.Union):
                held += contents(type_) if isinstance(type_, t.Object) else children(type_)
        found |= {type_.name for type_ in held if isinstance(type_, t.Reference)}
    return frozenset(found)
