"""`Schema` to `Shapes`: which classes and aliases there are, and what msgspec can decode by itself.

A type is *native* where msgspec's own decoding accepts exactly what the schema accepts. Everything else becomes a marker,
resolved at run time by the node tables; nothing is approximated.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec

from . import faults
from .combine import is_object
from .model import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Field,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Object,
    Reference,
    Schema,
    String,
    Type,
    Union,
    Variant,
    references,
)
from .names import NameError_, check_type_name, pascal, snake
from .read import pointer_parts
from .shapes import Alias, Attribute, Choice, Leaf, Record, Shapes
from .variants import Flattener, Name, RawLeaf, ShapeError, final_names

INT64 = range(-(2**63), 2**63)


def shape(schema: Schema, whole: Schema | None = None) -> Shapes:
    """The shapes of a schema; raises ShapeError. `whole`: the schema that this one is a projection of."""
    return _Shaper(schema, whole or schema).shapes()


def _leaf_names(schema: Schema) -> dict[Name, str]:
    """The names of all variants of a schema."""
    flattener = Flattener(schema, schema)
    leaves = [
        leaf
        for definition in schema.definitions.values()
        if is_object(definition.type, schema.resolve) and not isinstance(definition.type, Reference)
        for leaf in flattener.definition(definition.name)
    ]
    return final_names(schema, leaves)


class _Shaper:
    def __init__(self, schema: Schema, whole: Schema) -> None:
        self.schema = schema
        self.flattener = Flattener(schema, whole)
        self.records: dict[str, Record] = {}
        self.origins: dict[str, RawLeaf] = {}
        self.choices: dict[str, Choice] = {}
        self.aliases: dict[str, Alias] = {}
        self.hoisted: dict[str, Type] = {}
        self.plain_uses = _plain_uses(whole)
        self.names = _leaf_names(whole)

    def shapes(self) -> Shapes:
        for definition in self.schema.definitions.values():
            self._name(definition.name, definition.pointer)
        for definition in self.schema.definitions.values():
            self._definition(definition.name)
        self._decide_native_choices()
        self._decide_markers()
        return Shapes(
            records=self.records,
            choices=self.choices,
            aliases=self.aliases,
            definitions=tuple(self.schema.definitions),
        )

    # --- definitions -------------------------------------------------------------------------------------------------

    def _name(self, name: str, pointer: str) -> None:
        try:
            check_type_name(name)
        except NameError_ as error:
            raise ShapeError(pointer, f"{name!r} {error}", error.fault) from None

    def _definition(self, name: str) -> None:
        definition = self.schema.definitions[name]
        if not isinstance(definition.type, Reference) and is_object(definition.type, self.schema.resolve):
            self._object(name, definition.type, definition.pointer, definition.description)
            return
        type_ = self._whole(definition.type, name)
        self._take(name, definition.pointer)
        self.aliases[name] = Alias(
            name=name, pointer=definition.pointer, type=type_, description=definition.description
        )

    def _whole(self, type_: Type, name: str) -> Type:
        """A type that has `name` for itself; only objects in it need further names."""
        match type_:
            case Nullable(inner) if is_object(inner, self.schema.resolve) and not isinstance(inner, Reference):
                return Nullable(self._hoist_object(inner, f"{name}Value"))
            case Nullable(inner):
                return Nullable(self._whole(inner, name))
            case Union(variants, exclusive):
                return Union(
                    tuple(
                        msgspec.structs.replace(
                            variant, type=self._member(variant.type, name + self._member_label(variant))
                        )
                        for variant in variants
                    ),
                    exclusive=exclusive,
                )
            case _:
                return self._inside(type_, name)

    def _member_label(self, variant: Variant) -> str:
        """What a member of a union adds to the union's name: its title."""
        try:
            return pascal(variant.title) if variant.title else ""
        except NameError_:
            raise ShapeError(variant.pointer, f"the title {variant.title!r} cannot name a class", faults.NAME) from None

    def _object(self, name: str, type_: Type, pointer: str, description: str | None) -> None:
        """A record, or a choice with its records."""
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
            constants = tuple((k, tuple(v.constant for v in values)) for k, values in leaf.constants().items())
            found.append(
                Leaf(
                    record=record,
                    constants=constants,
                    excludes=tuple((e.property, e.constant) for e in leaf.excludes),
                    open=bool(leaf.excludes),
                    group=leaf.indices if grouped else (),
                    capability=leaf.capability,
                )
            )
        tag = next((t for t in kept if all(not x.open and t in dict(x.constants) for x in found)), None)
        self._take(name, pointer)
        self.choices[name] = Choice(name=name, pointer=pointer, leaves=tuple(found), description=description, tag=tag)

    def _tags(self, leaves: Iterable[RawLeaf]) -> tuple[str, ...]:
        """The properties that tell leaves apart, outermost first."""
        found: dict[str, None] = {}
        for leaf in leaves:
            if leaf.tag is not None and not leaf.excludes:
                found[leaf.tag[0]] = None
        for leaf in leaves:
            found.update(dict.fromkeys(e.property for e in leaf.excludes))
        return tuple(found)

    def _overlapping(self, leaves: tuple[RawLeaf, ...]) -> bool:
        """Whether one value might fit leaves that come from different variants of a `oneOf`."""
        return any(
            one.indices != other.indices and not self.flattener.disjoint(one, other)
            for position, one in enumerate(leaves)
            for other in leaves[position + 1 :]
        )

    # --- records -----------------------------------------------------------------------------------------------------

    def _record(self, leaf: RawLeaf, name: str, pointer: str, description: str | None) -> None:
        record = self._build(leaf, name, pointer=pointer, tags=())
        self._register(msgspec.structs.replace(record, description=description), leaf)

    def _register(self, record: Record, leaf: RawLeaf) -> None:
        """Keep a record; a leaf that is a definition's own class replaces the definition's plain record."""
        before = self.origins.get(record.name)
        if before is None:
            self._take(record.name, record.pointer)
        elif before.steps == leaf.steps and before.fields != leaf.fields:
            raise ShapeError(leaf.pointer, f"two different classes would be called {record.name}", faults.COLLISION)
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
            raise ShapeError(pointer, f"two different types would be called {name}", faults.COLLISION)
        if name not in self.schema.definitions:
            self._name(name, pointer)

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
                    field = Field(name=kept, type=Anything(), required=False, pointer=leaf.pointer)
                    attributes.append(
                        Attribute(name=self._python_name(kept, leaf.pointer), type=Anything(), field=field)
                    )
        seen: dict[str, str] = {}
        for attribute in attributes:
            if attribute.name in seen:
                raise ShapeError(
                    attribute.field.pointer,
                    f"the properties {seen[attribute.name]!r} and {attribute.wire!r} would both be "
                    f"`{attribute.name}` in Python",
                    faults.COLLISION,
                )
            seen[attribute.name] = attribute.wire
        if leaf.extra is not None and "extra" in seen:
            problem = "a property called `extra` clashes with the place for undeclared properties"
            raise ShapeError(pointer, problem, faults.COLLISION)
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
        """The constant that the class writes by itself."""
        if leaf.tag is None or leaf.extra is not None:
            return None
        values = leaf.constants().get(leaf.tag[0], ())
        if len(values) != 1 or (leaf.own_tag and name in self.plain_uses):
            return None
        return leaf.tag

    def _attribute(self, field: Field, leaf: RawLeaf, owner: str) -> Attribute:
        constants = leaf.constants().get(field.name, ())
        # A definition may be decoded by itself, where a default would stand in for a missing constant.
        alone = leaf.steps > 0 and owner not in self.schema.definitions
        constant = constants[0].constant if alone and len(constants) == 1 else None
        return Attribute(
            name=self._python_name(field.name, field.pointer),
            type=self._property_type(field.type, self._hint(field, owner)),
            field=field,
            constant=constant,
        )

    def _property_type(self, type_: Type, hint: str) -> Type:
        """A property's type; bounds may stand in its own annotation."""
        inner = type_.inner if isinstance(type_, Nullable) else type_
        match inner:
            case Integer() | String() if self._native(inner):
                return type_
            case Array():
                inside = self._inside(inner, hint)
                assert isinstance(inside, Array)
                bare = msgspec.structs.replace(inside, min_items=None, max_items=None)
                whole = Nullable(inside) if isinstance(type_, Nullable) else inside
                return whole if _expressible(bare) else self._hoist(whole, hint)
            case _:
                return self.type(type_, hint)

    def _hint(self, field: Field, owner: str) -> str:
        """What an inline type of a property is called: by the definition that declares the property, or by the leaf."""
        parts = pointer_parts(field.pointer)
        declared = len(parts) == 4 and parts[0] == "$defs" and parts[2] == "properties"
        try:
            return (parts[1] if declared else owner) + pascal(field.name)
        except NameError_ as error:
            raise ShapeError(field.pointer, f"the property {field.name!r} {error}", error.fault) from None

    def _python_name(self, wire: str, pointer: str) -> str:
        try:
            return snake(wire)
        except NameError_ as error:
            raise ShapeError(pointer, f"the property {wire!r} {error}", error.fault) from None

    # --- types inside ------------------------------------------------------------------------------------------------

    def type(self, type_: Type, hint: str) -> Type:
        """A type for use inside a record or alias; what needs a name is called `hint`."""
        match type_:
            case Object(fields=(), bases=(), unions=(), excludes=(), extra=None, closed=False):
                return Map(Anything())
            case Object():
                return self._hoist_object(type_, hint)
            case Union(variants=(only,)) if not is_object(type_, self.schema.resolve):
                return self.type(only.type, hint)
            case Union():
                return self._inline_union(type_, hint)
            case Array() | Map() | Nullable():
                inside = self._inside(type_, hint)
                return inside if _expressible(inside) else self._hoist(inside, hint)
            case _:
                return type_ if _expressible(type_) else self._hoist(type_, hint)

    def _inside(self, type_: Type, hint: str) -> Type:
        match type_:
            case Array():
                return Array(
                    self.type(type_.items, f"{hint}Item"),
                    prefix=tuple(self.type(item, f"{hint}Item{n}") for n, item in enumerate(type_.prefix, 1)),
                    min_items=type_.min_items,
                    max_items=type_.max_items,
                )
            case Map(values):
                return Map(self.type(values, f"{hint}Value"))
            case Nullable(inner):
                return Nullable(self.type(inner, hint))
            case _:
                return type_

    def _member(self, type_: Type, hint: str) -> Type:
        """A member of a union that has a name itself: only objects in it need names of their own."""
        match type_:
            case Object() | Union():
                return self.type(type_, hint)
            case _:
                return self._inside(type_, hint)

    def _inline_union(self, type_: Union, hint: str) -> Type:
        if is_object(type_, self.schema.resolve):
            return self._hoist_object(type_, hint)
        union = self._whole(type_, hint)
        assert isinstance(union, Union)
        plain = all(isinstance(v.type, (String, Integer, Number, Boolean)) for v in union.variants)
        return union if plain and _expressible(union) and self._native_union(union) else self._hoist(union, hint)

    def _hoist(self, type_: Type, hint: str) -> Reference:
        if hint in self.hoisted and self.hoisted[hint] == type_:
            return Reference(hint)
        self._take(hint, self._pointer_of(hint))
        self.hoisted[hint] = type_
        self.aliases[hint] = Alias(name=hint, pointer=self._pointer_of(hint), type=type_)
        return Reference(hint)

    def _hoist_object(self, type_: Type, hint: str) -> Reference:
        if self.hoisted.get(hint) != type_:
            if hint in self.schema.definitions or hint in self.hoisted:
                problem = f"two different types would be called {hint}"
                raise ShapeError(self._pointer_of(hint), problem, faults.COLLISION)
            self.hoisted[hint] = type_
            self._object(hint, type_, self._pointer_of(hint), None)
        return Reference(hint)

    def _pointer_of(self, hint: str) -> str:
        """The definition an inline type belongs to: the longest definition name that starts the hint."""
        owners = [name for name in self.schema.definitions if hint.startswith(name)]
        return self.schema.definitions[max(owners, key=len)].pointer if owners else ""

    # --- what msgspec decodes by itself ------------------------------------------------------------------------------

    def _decide_native_choices(self) -> None:
        for name, choice in self.choices.items():
            leaves = tuple(
                leaf if leaf.open else msgspec.structs.replace(leaf, record=self.records[leaf.record.name])
                for leaf in choice.leaves
            )
            self.choices[name] = msgspec.structs.replace(choice, leaves=leaves, native=_told_by_tag(leaves))
        self._keep_apart()
        for name in {name for choice in self.choices.values() for name in choice.native}:
            # msgspec would take a missing constant for its default, so these classes ask for it.
            record = self.records[name]
            attributes = tuple(msgspec.structs.replace(a, constant=None) for a in record.attributes)
            self.records[name] = msgspec.structs.replace(record, attributes=attributes)

    def _keep_apart(self) -> None:
        """Unions of the same classes would be one type at run time: those that mean different things are markers."""
        meanings: defaultdict[frozenset[str], set[str]] = defaultdict(set)
        for name, choice in self.choices.items():
            complete = len(choice.native) == len(choice.leaves)
            meanings[frozenset(choice.native)].add("" if complete else name)
        for name, choice in self.choices.items():
            if len(meanings[frozenset(choice.native)]) > 1:
                self.choices[name] = msgspec.structs.replace(choice, native=())

    def _decide_markers(self) -> None:
        """An alias is a marker where its type is not native, or where it contains itself."""
        changed = True
        while changed:
            changed = False
            for name, alias in self.aliases.items():
                marker = alias.marker or not self._native(alias.type) or name in self._evaluated(alias.type, name)
                if marker != alias.marker:
                    self.aliases[name] = msgspec.structs.replace(alias, marker=marker)
                    changed = True

    def _evaluated(self, type_: Type, name: str) -> set[str]:
        """The aliases that are evaluated when an alias is: all it reaches without passing a class."""
        found: set[str] = set()
        stack = [type_]
        while stack:
            for reference in references(stack.pop()):
                if reference in self.aliases and reference not in found:
                    found.add(reference)
                    if not self.aliases[reference].marker and reference != name:
                        stack.append(self.aliases[reference].type)
        return found

    def _native(self, type_: Type) -> bool:
        match type_:
            case Anything() | Null() | Boolean():
                return True
            case Integer() | Number():
                return _native_number(type_)
            case String():
                return True
            case Enumeration():
                return _native_enumeration(type_)
            case Array():
                return not type_.prefix and self._native(type_.items)
            case Map(inner) | Nullable(inner):
                return self._native(inner)
            case Union():
                return self._native_union(type_)
            case Reference():
                return True
            case _:
                return False

    def _native_union(self, union: Union) -> bool:
        """msgspec tells the members apart by their JSON type alone."""
        kinds: list[str] = []
        for variant in union.variants:
            kind = self._json_kind(variant.type)
            if kind is None or not self._native(variant.type):
                return False
            kinds.append(kind)
        overlapping = {"integer", "number"} <= set(kinds) and (union.exclusive or not _bare_numbers(union))
        return len(set(kinds)) == len(kinds) and not overlapping

    def _json_kind(self, type_: Type) -> str | None:
        """The one JSON type of a type's values; None where there are several, or a marker has to decide."""
        match type_:
            case Boolean():
                return "boolean"
            case Integer():
                return "integer"
            case Number():
                return "number"
            case String():
                return "string"
            case Array():
                return "array"
            case Map():
                return "object"
            case Enumeration(values, base):
                kinds = {self._json_kind(base)} if base is not None else set[str | None]()
                kinds |= {"string" if isinstance(v.constant, str) else "integer" for v in values}
                return kinds.pop() if len(kinds) == 1 else None
            case Reference(name):
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

    def _json_kind_unseen(self, type_: Type) -> str | None:
        """The kind of a definition that has not been shaped yet; only records are certain."""
        return "object" if isinstance(type_, Object) and not type_.unions and type_.extra is None else None


def _plain_uses(schema: Schema) -> frozenset[str]:
    """Definitions that are used other than as the variant of a union."""
    found: set[str] = {name for method in schema.methods for name in (method.params, method.result) if name}

    def visit(type_: Type, *, variant: bool) -> None:
        match type_:
            case Reference(name):
                if not variant:
                    found.add(name)
            case Union(variants):
                for member in variants:
                    visit(member.type, variant=True)
            case Object():
                for field in type_.fields:
                    visit(field.type, variant=False)
                for base in type_.bases:
                    visit(base, variant=True)
                for union in type_.unions:
                    visit(union, variant=False)
            case Array():
                for item in (*type_.prefix, type_.items):
                    visit(item, variant=False)
            case Map(inner) | Nullable(inner):
                visit(inner, variant=False)
            case _:
                pass

    for definition in schema.definitions.values():
        visit(definition.type, variant=False)
    return frozenset(found)


def _told_by_tag(leaves: tuple[Leaf, ...]) -> tuple[str, ...]:
    """The records among leaves that msgspec tells apart by a tag, if those are most of them.

    They are Structs that write their tag themselves, and no other leaf fits a value with that tag. msgspec refuses every
    other value; the node table then finds its leaf.
    """
    known = [leaf for leaf in leaves if not leaf.open]
    field = next((leaf.record.tag[0] for leaf in known if leaf.record.tag is not None), "")
    tags = Counter(constant for leaf in known for constant in dict(leaf.constants).get(field, ()))
    told = {
        leaf.record.name: leaf.record.tag[1]
        for leaf in known
        if leaf.record.tag is not None
        and dict(leaf.constants).get(field) == (leaf.record.tag[1],)
        and leaf.record.tag[0] == field
        and leaf.record.extra is None
        and tags[leaf.record.tag[1]] == 1
    }
    others = [leaf for leaf in leaves if leaf.record.name not in told]
    apart = all(
        field in dict(leaf.constants) or {(field, tag) for tag in told.values()} <= set(leaf.excludes)
        for leaf in others
    )
    if not apart or any(leaf.group for leaf in leaves) or len(told) < 2 or 2 * len(told) <= len(known):
        return ()
    return tuple(told)


def _native_number(type_: Integer | Number) -> bool:
    bounds = [b for b in (type_.minimum, type_.maximum, type_.above, type_.below, type_.multiple_of) if b is not None]
    if isinstance(type_, Number):
        # int | float keeps integers exact, and a union cannot carry bounds.
        return not bounds
    return all(isinstance(bound, int) and bound in INT64 for bound in bounds)


def _native_enumeration(type_: Enumeration) -> bool:
    constants = [value.constant for value in type_.values]
    if any(isinstance(c, (bool, float)) or c is None or (isinstance(c, int) and c not in INT64) for c in constants):
        return False
    match type_.base:
        case None:
            return True
        case String() as base:
            return base == String(format=base.format, encoding=base.encoding)
        case Integer() | Number() as base:
            return type(base)(format=base.format) == base
        case _:
            return False


def _bare_numbers(union: Union) -> bool:
    return all(
        type(v.type)(format=v.type.format) == v.type for v in union.variants if isinstance(v.type, (Integer, Number))
    )


def _plain_constant(constant: object) -> bool:
    """Whether a constant may be left to other tools to write down; any other is written by us, escaped."""
    return not isinstance(constant, str) or (constant.isascii() and re.fullmatch(r"[\w ./:$-]*", constant) is not None)


def _expressible(type_: Type) -> bool:
    """Whether a type can stand in a field's annotation without a name of its own."""
    match type_:
        case Anything() | Null() | Boolean() | Reference():
            return True
        case Integer() | Number():
            return type(type_)(format=type_.format) == type_
        case String():
            return String(format=type_.format, encoding=type_.encoding) == type_
        case Enumeration(values, base):
            return base is None and _native_enumeration(type_) and all(_plain_constant(v.constant) for v in values)
        case Array():
            return (
                not type_.prefix and type_.min_items is None and type_.max_items is None and _expressible(type_.items)
            )
        case Map(inner) | Nullable(inner):
            return _expressible(inner)
        case Union(variants):
            return all(_expressible(variant.type) for variant in variants)
        case _:
            return False
