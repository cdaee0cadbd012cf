"""Objects with unions in them, flattened: one leaf per combination of variants, with its merged fields and its name.

The naming rules, for a variant of a union U:

1. it is its payload definition, where it is that definition's sole user and the union adds no properties of its own;
2. else, with a payload and nothing added by the union, the tag (`Chunk` told apart as `user_chunk` is `UserChunk`),
   or U + tag where that name is taken;
3. else U + tag, else U + title, else U + payload.

A union inside a variant is flattened under the variant's name; there, leaves that differ in one constant alone are one
leaf. A name follows from the definition it belongs to and never from order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from .. import faults
from ..errors import Fault
from ..limits import PROPERTIES, TAKEN_OVER, VARIANTS, Limit
from .apart import Marks, constants, single, tag_of
from .capabilities import fields
from .combine import ClashError, admits, is_object, merge_fields, same
from .names import RESERVED_TYPES, NameError_, pascal
from .types import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Exclusion,
    Field,
    Integer,
    Map,
    Number,
    Object,
    Reference,
    Schema,
    String,
    Type,
    Union,
    Update,
    Value,
    Variant,
    references,
)


class ShapeError(Exception):
    """A construct that cannot become classes, with the pointer of the place and the kind of fault."""

    def __init__(self, pointer: str, problem: str, fault: Fault = faults.CONSTRUCT, *, instead: str = "") -> None:
        super().__init__(problem)
        self.pointer, self.fault, self.instead = pointer, fault, instead or fault.instead


def over(pointer: str, limit: Limit) -> ShapeError:
    """What to raise for what exceeds a limit."""
    return ShapeError(pointer, limit.problem, faults.TOO_MUCH, instead=limit.instead)


class Name(Struct, frozen=True):
    """How a leaf is called: `short` where that is free, else owner + label."""

    owner: str
    label: str = ""
    short: str | None = None

    @property
    def full(self) -> str:
        """The name that nothing else can have."""
        return self.owner + self.label


class RawLeaf(Struct, frozen=True, kw_only=True):
    """One combination of variants. `tag` is the constant of the outermost union; `steps` counts the unions around it."""

    fields: tuple[Field, ...]
    name: Name
    pointer: str
    label: str = ""
    excludes: tuple[Exclusion, ...] = ()
    extra: Type | None = None
    closed: bool = False
    tag: tuple[str, str] | None = None
    own_tag: bool = False
    steps: int = 0
    indices: tuple[int, ...] = ()
    title: str | None = None
    description: str | None = None
    capability: str | None = None
    update: Update | None = None

    def field(self, wire: str) -> Field | None:
        """The field of a property, if the leaf declares it."""
        return next((field for field in self.fields if field.name == wire), None)

    def constants(self) -> dict[str, tuple[Value, ...]]:
        """The required properties that are constants."""
        return constants(self.fields)

    def marks(self) -> Marks:
        """What leads to the leaf."""
        known = {name: tuple(value.constant for value in values) for name, values in self.constants().items()}
        return Marks(known, tuple((e.property, e.constant) for e in self.excludes))


class Structure(Struct, frozen=True):
    """What a whole schema says about the classes of its parts, so that every projection of it has the same ones.

    `uses` counts who refers to a definition; `inner` are the unions whose leaves differ in more than a constant; `separate` are
    the variants, by definition and label, that have a class of their own whatever else uses their payload.
    """

    uses: Mapping[str, int]
    inner: frozenset[str]
    separate: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(
        cls, whole: Schema, base: Schema | None = None, separate: frozenset[tuple[str, str]] = frozenset()
    ) -> Structure:
        """The structure of a schema; what it extends, `base`, alone says how its own unions are laid out."""
        uses = Counter(name for d in whole.definitions.values() for name in references(d.type))
        uses.update(name for method in whole.methods for name in (method.params, method.result) if name)
        inner = frozenset(_inner_definitions(whole))
        if base is not None:
            inner = (inner - base.definitions.keys()) | frozenset(_inner_definitions(base))
        return cls(uses, inner, separate)


class Flattener:
    """Flattens the object types of one schema; the leaves of a definition are worked out once."""

    def __init__(self, schema: Schema, structure: Structure) -> None:
        self.schema = schema
        self.structure = structure
        self._leaves: dict[str, tuple[RawLeaf, ...]] = {}
        self._active: list[str] = []
        self._taken = 0

    def definition(self, name: str) -> tuple[RawLeaf, ...]:
        """The leaves of a definition that is an object or a union of objects."""
        if name not in self._leaves:
            definition = self.schema.definitions[name]
            if name in self._active:
                raise ShapeError(
                    definition.pointer, "the definition contains itself as a variant or a base", faults.CIRCULAR
                )
            self._active.append(name)
            leaves = self.expand(definition.type, name, definition.pointer)
            self._leaves[name] = self._merge_constants(leaves, name) if name in self.structure.inner else leaves
            self._active.pop()
        return self._leaves[name]

    def expand(self, type_: Type, owner: str, pointer: str) -> tuple[RawLeaf, ...]:
        """The leaves of an object type that belongs to `owner` (a definition, or the name given to an inline type)."""
        match type_:
            case Reference(name):
                return self.definition(name)
            case Union():
                return self._union(type_, owner, adds=False)
            case Object():
                return self._object(type_, owner, pointer)
            case _:
                raise ShapeError(pointer, "expected an object here")

    # --- objects ---------------------------------------------------------------------------------------------------

    def _object(self, type_: Object, owner: str, pointer: str) -> tuple[RawLeaf, ...]:
        own = RawLeaf(
            fields=type_.fields,
            name=Name(owner),
            pointer=pointer,
            excludes=type_.excludes,
            extra=type_.extra,
            closed=type_.closed,
        )
        self._count(len(type_.fields), pointer, taken=0)
        adds = bool(type_.fields or type_.bases)
        factors = [self.expand(base, owner, pointer) for base in type_.bases]
        factors += [self._union(union, owner, adds=adds or len(type_.unions) > 1) for union in type_.unions]
        leaves: tuple[RawLeaf, ...] = (own,)
        for factor in factors:
            leaves = self._product(leaves, factor, owner, pointer)
        return leaves

    def _product(
        self, left: Iterable[RawLeaf], right: tuple[RawLeaf, ...], owner: str, pointer: str
    ) -> tuple[RawLeaf, ...]:
        found: list[RawLeaf] = []
        clash: ClashError | None = None
        for one in left:
            for other in right:
                if len(found) == VARIANTS.most:
                    raise over(pointer, VARIANTS)
                try:
                    found.append(self._both(one, other, owner))
                except ClashError as error:
                    clash = error
                    continue
                self._count(len(found[-1].fields), pointer)
        if not found:
            raise ShapeError(pointer, f"no object can satisfy all parts of this: {clash}", faults.UNSATISFIABLE)
        return tuple(found)

    def _count(self, fields: int, pointer: str, *, taken: int | None = None) -> None:
        """Count the properties of a leaf, which are taken over from others where nothing else is said."""
        self._taken += fields if taken is None else taken
        if fields > PROPERTIES.most:
            raise over(pointer, PROPERTIES)
        if self._taken > TAKEN_OVER.most:
            raise over(pointer, TAKEN_OVER)

    def _both(self, one: RawLeaf, other: RawLeaf, owner: str) -> RawLeaf:
        label = one.label + other.label
        plain = not one.fields and one.extra is None and not one.closed and not one.excludes
        return RawLeaf(
            fields=self._merge(one.fields, other.fields),
            name=other.name if plain and not one.label else Name(owner, label),
            pointer=other.pointer if one.pointer in other.pointer else one.pointer,
            label=label,
            excludes=(*one.excludes, *other.excludes),
            extra=_first(one.extra, other.extra),
            closed=one.closed or other.closed,
            tag=one.tag or other.tag,
            own_tag=one.own_tag or other.own_tag,
            steps=max(one.steps, other.steps),
            indices=(*one.indices, *other.indices),
            title=other.title or one.title,
            description=other.description or one.description,
            capability=one.capability or other.capability,
            update=one.update or other.update,
        )

    def _merge(self, first: tuple[Field, ...], second: tuple[Field, ...]) -> tuple[Field, ...]:
        merged = {field.name: field for field in first}
        for field in second:
            if field.name in merged:
                merged[field.name] = merge_fields(merged[field.name], field, self.schema.resolve)
            else:
                merged[field.name] = field
        return tuple(merged.values())

    # --- unions ----------------------------------------------------------------------------------------------------

    def _union(self, union: Union, owner: str, *, adds: bool) -> tuple[RawLeaf, ...]:
        tag = tag_of(single(fields(self.schema, variant.type)) for variant in union.variants)
        leaves: list[RawLeaf] = []
        for index, variant in enumerate(union.variants):
            leaves += [
                msgspec.structs.replace(leaf, indices=(index, *leaf.indices)) if union.exclusive else leaf
                for leaf in self._variant(variant, owner, tag, adds=adds)
            ]
            if len(leaves) > VARIANTS.most:
                raise over(variant.pointer, VARIANTS)
        return tuple(leaves)

    def _variant(self, variant: Variant, owner: str, tag: str | None, *, adds: bool) -> Iterable[RawLeaf]:
        payload, added = _payload(variant.type)
        nested = self._nested(variant, owner, payload, added)
        constant = self._constant(nested, tag)
        own = isinstance(variant.type, Reference)
        label = self._label(variant, constant, payload)
        # A plain reference that the union adds nothing to, not even a place to keep a tag, needs no class of its own.
        alone = payload is not None and (
            self.structure.uses[payload] == 1 or (own and (constant is not None or tag is None))
        )
        for leaf in nested:
            is_open = bool(leaf.excludes)
            separate = (owner, label + leaf.label) in self.structure.separate
            if alone and not separate and not adds and len(added) <= 1 and not is_open:
                name = leaf.name
            elif payload is not None and not adds and constant is not None and not leaf.label and not is_open:
                name = Name(owner, label, short=pascal(constant))
            else:
                name = Name(owner, label + leaf.label)
            if not label and not is_open:
                raise ShapeError(
                    variant.pointer,
                    "a variant without a constant of its own needs a `title` to be named by",
                    faults.UNNAMED,
                )
            yield msgspec.structs.replace(
                leaf,
                name=name,
                label=label + leaf.label,
                tag=(tag, constant) if tag is not None and constant is not None else leaf.tag,
                own_tag=own and constant is not None,
                steps=leaf.steps + 1,
                pointer=variant.pointer,
                title=variant.title or leaf.title,
                description=variant.description or leaf.description,
                capability=variant.capability or leaf.capability,
                update=variant.update or leaf.update,
            )

    def _nested(
        self, variant: Variant, owner: str, payload: str | None, added: tuple[Field, ...]
    ) -> tuple[RawLeaf, ...]:
        """The leaves of a variant, still with the names they have in its payload."""
        if payload is None:
            leaves = self.expand(variant.type, owner, variant.pointer)
            return self._merge_constants(leaves, owner) if len(leaves) > 1 else leaves
        inner = self.definition(payload)
        if not added:
            return inner
        constants = RawLeaf(fields=added, name=Name(owner), pointer=variant.pointer)
        named: list[RawLeaf] = []
        for leaf in inner:
            (both,) = self._product([constants], (leaf,), owner, variant.pointer)
            named.append(msgspec.structs.replace(both, name=leaf.name, label=leaf.label))
        return tuple(named)

    def _constant(self, leaves: tuple[RawLeaf, ...], tag: str | None) -> str | None:
        """The tag's value, where it is one string in all leaves of a variant."""
        if tag is None:
            return None
        found = {values[0].constant for leaf in leaves if len(values := leaf.constants().get(tag, ())) == 1}
        value = next(iter(found)) if len(found) == 1 else None
        complete = all(tag in leaf.constants() for leaf in leaves)
        return value if isinstance(value, str) and complete else None

    def _label(self, variant: Variant, constant: str | None, payload: str | None) -> str:
        try:
            return pascal(constant or variant.title or payload or "")
        except NameError_:
            if constant or variant.title:
                raise ShapeError(
                    variant.pointer, f"{constant or variant.title!r} cannot name a class", faults.NAME
                ) from None
            return ""

    # --- leaves that differ in one constant ------------------------------------------------------------------------

    def _merge_constants(self, leaves: tuple[RawLeaf, ...], owner: str) -> tuple[RawLeaf, ...]:
        """Leaves that are alike but for the constant of one property become one leaf with all those constants."""
        merged: list[RawLeaf] = []
        for leaf in leaves:
            for index, other in enumerate(merged):
                name = _only_difference(leaf, other)
                if name is not None:
                    merged[index] = _with_constants(other, leaf, name, owner)
                    break
            else:
                merged.append(leaf)
        return tuple(merged)

    def disjoint(self, left: RawLeaf, right: RawLeaf) -> bool:
        """Whether it is certain that no object fits both leaves."""
        return self._rejects(left, right) or self._rejects(right, left)

    def _rejects(self, one: RawLeaf, other: RawLeaf) -> bool:
        """Whether a property that `one` requires keeps every object of it out of `other`."""
        facing = {field.name: field for field in other.fields}
        for field in (field for field in one.fields if field.required):
            if field.name not in facing:
                if other.closed or _excluded(field, other):
                    return True
            elif not self._overlap(field.type, facing[field.name].type) or _excluded(field, other):
                return True
        return False

    def _overlap(self, left: Type, right: Type) -> bool:
        left, right = self.schema.resolve(left), self.schema.resolve(right)
        if isinstance(left, Enumeration) and left.base is None:
            return any(admits(right, value.constant) for value in left.values) or isinstance(right, (Union, Anything))
        if isinstance(right, Enumeration) and right.base is None:
            return self._overlap(right, left)
        kinds = (String, Boolean, (Integer, Number), (Array,), (Object, Map))
        for kind in kinds:
            if isinstance(left, kind):
                return not any(isinstance(right, other) for other in kinds if other is not kind)
        return True


def final_names(schema: Schema, leaves: Iterable[RawLeaf], taken: Iterable[str] = ()) -> dict[Name, str]:
    """Every leaf's name as it is emitted: the short one where only one leaf asks for it and nothing else has it."""
    names = {leaf.name for leaf in leaves}
    claimed = Counter(name.short for name in names if name.short is not None)
    fixed = {*schema.definitions, *RESERVED_TYPES, *taken, *(name.full for name in names if name.short is None)}
    return {
        name: name.short
        if name.short is not None and claimed[name.short] == 1 and name.short not in fixed
        else name.full
        for name in names
    }


def _payload(type_: Type) -> tuple[str | None, tuple[Field, ...]]:
    """The definition a variant carries, and the constants the variant adds to it; None where it adds anything else."""
    match type_:
        case Reference(name):
            return name, ()
        case Object(fields=fields, bases=(Reference(name),), unions=(), excludes=(), extra=None, closed=False):
            if all(isinstance(field.type, Enumeration) and field.required for field in fields):
                return name, fields
        case _:
            pass
    return None, ()


def _inner_definitions(whole: Schema) -> Iterable[str]:
    """Definitions that are unions of objects and stand as payload in a variant of another union."""
    for definition in whole.definitions.values():
        for union in _unions(definition.type):
            for variant in union.variants:
                payload, _ = _payload(variant.type)
                if payload is not None and is_object(Reference(payload), whole.resolve):
                    yield payload


def _first(left: Type | None, right: Type | None) -> Type | None:
    return left if left is not None else right


def _unions(type_: Type) -> Iterable[Union]:
    """The unions in a type that its leaves come from."""
    match type_:
        case Union():
            yield type_
            for variant in type_.variants:
                if not isinstance(variant.type, Reference):
                    yield from _unions(variant.type)
        case Object():
            for union in type_.unions:
                yield from _unions(union)
            for base in type_.bases:
                if not isinstance(base, Reference):
                    yield from _unions(base)
        case _:
            pass


def _excluded(field: Field, other: RawLeaf) -> bool:
    """Whether a leaf keeps out all constants of a required property."""
    excluded = [e.constant for e in other.excludes if e.property == field.name]
    values = constants([field]).get(field.name, ())
    return bool(values) and all(any(same(v.constant, c) for c in excluded) for v in values)


def _only_difference(left: RawLeaf, right: RawLeaf) -> str | None:
    """The one property whose constant tells two leaves apart, where nothing else does."""
    if left.excludes or right.excludes or left.extra != right.extra or left.closed != right.closed:
        return None
    if [f.name for f in left.fields] != [f.name for f in right.fields]:
        return None
    differing = [
        one.name
        for one, other in zip(left.fields, right.fields, strict=True)
        if (one.type, one.required) != (other.type, other.required)
    ]
    if len(differing) == 1 and differing[0] in left.constants() and differing[0] in right.constants():
        return differing[0]
    return None


def _with_constants(leaf: RawLeaf, other: RawLeaf, name: str, owner: str) -> RawLeaf:
    values = (*leaf.constants()[name], *other.constants()[name])
    fields = tuple(
        msgspec.structs.replace(field, type=Enumeration(values)) if field.name == name else field
        for field in leaf.fields
    )
    label = pascal(name)
    return msgspec.structs.replace(
        leaf, fields=fields, name=Name(owner, label), label=label, tag=None, title=None, description=None
    )
