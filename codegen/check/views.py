"""What a type takes on the wire, however it was spelled: objects with their bases merged in, unions of one unwrapped.

Everything that compares types does so over these forms; pointers and words stay with the parts.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ..model.apart import single
from ..model.combine import ClashError, is_object, merge_fields
from ..model.types import (
    Anything,
    Enumeration,
    Exclusion,
    Field,
    Map,
    Null,
    Nullable,
    Object,
    Reference,
    Scalar,
    Schema,
    Type,
    Union,
    Variant,
)


class View(Struct, eq=False):
    """An object: all its properties by name, the unions it is one of each of, and what of undeclared ones."""

    type: Type
    fields: dict[str, Field]
    unions: tuple[Union, ...] = ()
    excludes: tuple[Exclusion, ...] = ()
    extra: Type | None = None
    closed: bool = False
    closed_by: str = ""
    """The definition that refuses them, where it is not the object itself."""
    sources: tuple[str, ...] = ()

    def constants(self) -> dict[str, Scalar]:
        """The required properties that have one value only."""
        return single(self.fields.values())

    def declared(self) -> dict[str, Field]:
        """The properties that say something: all but those whose name is reserved for implementations."""
        return {name: field for name, field in self.fields.items() if not name.startswith("_")}


class Member(Struct, eq=False):
    """A variant of a union of objects, with the object it stands for and the definitions it refers to."""

    variant: Variant
    view: View
    constants: dict[str, Scalar]
    names: tuple[str, ...]

    @property
    def open(self) -> bool:
        """Whether this is what unknown tags become."""
        return bool(self.view.excludes)


class Alternative(Struct, eq=False):
    """One of the types a value may have; `variant` where a union lists it."""

    type: Type
    kind: str
    variant: Variant | None = None
    view: View | None = None


class Views:
    """The views of one schema, each made once."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self._views: dict[int, View] = {}
        self._members: dict[int, list[Member]] = {}
        self._alternatives: dict[int, list[Alternative]] = {}
        self._kept: list[Type] = []

    def plain(self, type_: Type) -> Type:
        """A type with references followed, and unions of one and objects that only wrap another taken off."""
        while True:
            type_ = self.schema.resolve(type_)
            match type_:
                case Union(variants=(only,)):
                    type_ = only.type
                case Object(fields=(), bases=(only_base,), unions=(), excludes=(), extra=None, closed=False):
                    type_ = only_base
                case Object(fields=(), bases=(), unions=(union,), excludes=(), extra=None, closed=False):
                    type_ = union
                case Nullable(inner) if isinstance(self.schema.resolve(inner), (Nullable, Anything)):
                    type_ = inner
                case _:
                    return type_

    def core(self, type_: Type) -> Type:
        """A type's plain form without null."""
        type_ = self.plain(type_)
        while isinstance(type_, Nullable):
            type_ = self.plain(type_.inner)
        return type_

    def deepest(self, type_: Type) -> str | None:
        """The last definition on the way to a type's plain form."""
        name: str | None = None
        while True:
            match type_:
                case Reference(name):
                    type_ = self.schema.definitions[name].type
                case Nullable(inner):
                    type_ = inner
                case Union(variants=(only,)):
                    type_ = only.type
                case Object(fields=(), bases=(base,), unions=(), excludes=(), extra=None, closed=False):
                    type_ = base
                case _:
                    return name

    def is_object(self, type_: Type) -> bool:
        """Whether every value of a type is an object with declared properties."""
        return is_object(type_, self.schema.resolve)

    def view(self, type_: Type) -> View:
        """The object a type stands for; the type must be one."""
        type_ = self.plain(type_)
        key = id(type_)
        if key not in self._views:
            self._kept.append(type_)
            self._views[key] = View(type_, {})
            self._views[key] = self._object(type_)
        return self._views[key]

    def _object(self, type_: Type) -> View:
        view = View(type_, {})
        match type_:
            case Union():
                view.unions = (type_,)
            case Map(values):
                view.extra = values
            case Object():
                view.fields = {field.name: field for field in type_.fields}
                view.unions, view.excludes = type_.unions, type_.excludes
                view.extra, view.closed = type_.extra, type_.closed
                for base in type_.bases:
                    self._add(view, base)
                view.unions = tuple(self._spread(view, view.unions))
            case _:
                pass
        return view

    def _spread(self, view: View, unions: tuple[Union, ...]) -> list[Union]:
        """Unions of one are bases in other words."""
        kept: list[Union] = []
        for union in unions:
            if len(union.variants) == 1:
                self._add(view, union.variants[0].type)
                kept += [u for u in view.unions if u not in unions]
            else:
                kept.append(union)
        return kept

    def _add(self, view: View, base: Type) -> None:
        if isinstance(base, Reference):
            view.sources += (base.name,)
        other = self.view(base)
        for name, field in other.fields.items():
            view.fields[name] = self._merged(view.fields[name], field) if name in view.fields else field
        view.unions += other.unions
        view.excludes += other.excludes
        view.extra = view.extra if view.extra is not None else other.extra
        if other.closed and not view.closed:
            view.closed_by = other.closed_by or (base.name if isinstance(base, Reference) else "")
        view.closed = view.closed or other.closed
        view.sources += other.sources

    def _merged(self, first: Field, second: Field) -> Field:
        """A property declared twice; one that only `required` names is the other, required."""
        for one, other in ((first, second), (second, first)):
            if isinstance(one.type, Anything) and one.required:
                return msgspec.structs.replace(other, required=True)
        try:
            return merge_fields(first, second, self.schema.resolve)
        except ClashError:
            return first

    def members(self, union: Union) -> list[Member]:
        """The variants of a union of objects; a variant that is but another union gives its own."""
        key = id(union)
        if key not in self._members:
            self._kept.append(union)
            found: list[Member] = []
            self._members[key] = found
            for variant in union.variants:
                found += self._member(variant, ())
        return self._members[key]

    def _member(self, variant: Variant, seen: tuple[int, ...]) -> list[Member]:
        inner = self.plain(variant.type)
        if isinstance(inner, Union) and id(inner) not in seen:
            return [m for v in inner.variants for m in self._member(_inherit(v, variant), (*seen, id(inner)))]
        view = self.view(variant.type)
        names = (variant.type.name,) if isinstance(variant.type, Reference) else ()
        return [Member(variant, view, view.constants(), (*names, *view.sources))]

    def alternatives(self, type_: Type) -> list[Alternative]:
        """The types a value may have; null is told by `nullable`, and several objects are one choice of them."""
        type_ = self.plain(type_)
        key = id(type_)
        if key not in self._alternatives:
            self._kept.append(type_)
            self._alternatives[key] = self._listed(type_)
        return self._alternatives[key]

    def _listed(self, type_: Type) -> list[Alternative]:
        match type_:
            case Nullable(inner):
                return self.alternatives(inner)
            case Union(variants) if not self.is_object(type_):
                found: list[Alternative] = []
                for variant in variants:
                    found += [
                        Alternative(each.type, each.kind, each.variant or variant, each.view)
                        for each in self.alternatives(variant.type)
                    ]
                return self._objects_joined(_joined(found))
            case Null():
                return []
            case _:
                view = self.view(type_) if self.is_object(type_) else None
                kind = "map" if view is not None and _takes_any(view) else _kind(type_)
                return [Alternative(type_, kind, None, view)]

    def _objects_joined(self, found: list[Alternative]) -> list[Alternative]:
        """Objects, with values of other kinds beside them, are one union of objects, whose variants are told apart as ever."""
        objects = [each for each in found if each.kind == "object" and each.variant is not None]
        if len(objects) < 2:
            return found
        union = Union(tuple(each.variant for each in objects if each.variant is not None))
        self._kept.append(union)
        whole = Alternative(union, "object", None, self.view(union))
        return [whole, *(each for each in found if each not in objects)]

    def nullable(self, type_: Type) -> bool:
        """Whether a type takes null."""
        type_ = self.plain(type_)
        match type_:
            case Nullable() | Null() | Anything():
                return True
            case Union(variants):
                return any(self.nullable(variant.type) for variant in variants)
            case _:
                return False

    def anything(self, type_: Type) -> bool:
        """Whether a type takes every value, by itself or as one of its alternatives."""
        return any(alternative.kind == "any" for alternative in self.alternatives(type_))

    def is_union(self, type_: Type) -> bool:
        """Whether a type is a choice between several."""
        type_ = self.plain(type_)
        return self.is_union(type_.inner) if isinstance(type_, Nullable) else isinstance(type_, Union)


def _joined(found: list[Alternative]) -> list[Alternative]:
    """Constants, with a bare type of their kind beside them, are one enumeration, wherever each was written."""
    listed = [each for each in found if isinstance(each.type, Enumeration) and each.type.base is None]
    if len(found) < 2 or not listed:
        return found
    kinds = {each.kind for each in listed}
    bare = [each for each in found if each.kind in kinds and not isinstance(each.type, Enumeration)]
    if len(kinds) != 1 or len(bare) > 1 or len(listed) + len(bare) < 2:
        return found
    values = tuple(
        msgspec.structs.replace(
            value,
            rfd=value.rfd or (each.variant.rfd if each.variant is not None else None),
            capability=value.capability or (each.variant.capability if each.variant is not None else None),
        )
        for each in listed
        if isinstance(each.type, Enumeration)
        for value in each.type.values
    )
    whole = Alternative(Enumeration(values, bare[0].type if bare else None), listed[0].kind, listed[0].variant)
    return [whole, *(each for each in found if each not in listed and each not in bare)]


def _takes_any(view: View) -> bool:
    """Whether an object declares nothing but room for implementations."""
    said = view.declared() or view.unions or view.closed or view.excludes
    return not said and (view.extra is None or isinstance(view.extra, Anything))


def _inherit(inner: Variant, outer: Variant) -> Variant:
    return msgspec.structs.replace(inner, rfd=inner.rfd or outer.rfd, capability=inner.capability or outer.capability)


_KINDS: dict[type, str] = {str: "string", bool: "boolean"}


def _kind(type_: Type) -> str:
    match type_:
        case Enumeration(values, base):
            if base is not None:
                return _kind(base)
            kinds = {_KINDS.get(type(value.constant), "number") for value in values}
            return kinds.pop() if len(kinds) == 1 else "enumeration"
        case Object() | Union():
            return "object"
        case _:
            return {"Integer": "number", "Anything": "any"}.get(name := type(type_).__name__, name.lower())
