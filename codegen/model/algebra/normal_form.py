"""The normal form of a type, independent of its notation: bases merged in, one-member unions unwrapped.

All comparisons of types use these forms. Parts keep their pointers and descriptions.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ..nodes import types as t
from .discriminators import single
from .intersect import ClashError, admits_null, is_object, merge_fields


class ObjectForm(Struct, eq=False):
    """An object: all properties by name, its unions, and the rule for undeclared properties."""

    type: t.Type
    fields: dict[str, t.Field]
    unions: tuple[t.Union, ...] = ()
    excludes: tuple[t.Exclusion, ...] = ()
    extra: t.Type | None = None
    closed: bool = False
    closed_by: str = ""
    """The definition that rejects undeclared properties, if it is not the object itself."""
    sources: tuple[str, ...] = ()

    def constants(self) -> dict[str, t.Scalar]:
        """The required properties with only one possible value."""
        return single(self.fields.values())

    def declared(self) -> dict[str, t.Field]:
        """The properties with a meaning: all except those reserved for implementations."""
        return {name: field for name, field in self.fields.items() if not name.startswith("_")}


class Member(Struct, eq=False):
    """A variant of a union of objects, with its object form and the definitions it refers to."""

    variant: t.Variant
    form: ObjectForm
    constants: dict[str, t.Scalar]
    names: tuple[str, ...]

    @property
    def open(self) -> bool:
        """Return whether unknown tags match this variant."""
        return bool(self.form.excludes)


class Alternative(Struct, eq=False):
    """One of the types of a value. `variant` is set if a union lists it."""

    type: t.Type
    kind: str
    variant: t.Variant | None = None
    form: ObjectForm | None = None


class WireForms:
    """The normal forms of one schema, each computed once."""

    def __init__(self, schema: t.Schema) -> None:
        self.schema = schema
        self._forms: dict[int, ObjectForm] = {}
        self._members: dict[int, list[Member]] = {}
        self._alternatives: dict[int, list[Alternative]] = {}
        self._kept: list[t.Type] = []

    def plain(self, type_: t.Type) -> t.Type:
        """A type without references, one-member unions and wrapping objects."""
        while True:
            type_ = self.schema.resolve(type_)
            match type_:
                case t.Union(variants=(only,)):
                    type_ = only.type
                case t.Object(fields=(), bases=(only_base,), unions=(), excludes=(), extra=None, closed=False):
                    type_ = only_base
                case t.Object(fields=(), bases=(), unions=(union,), excludes=(), extra=None, closed=False):
                    type_ = union
                case t.Nullable(inner) if isinstance(self.schema.resolve(inner), (t.Nullable, t.Anything)):
                    type_ = inner
                case _:
                    return type_

    def core(self, type_: t.Type) -> t.Type:
        """A type's plain form without null."""
        type_ = self.plain(type_)
        while isinstance(type_, t.Nullable):
            type_ = self.plain(type_.inner)
        return type_

    def deepest(self, type_: t.Type) -> str | None:
        """The last definition on the path to a type's plain form."""
        name: str | None = None
        while True:
            match type_:
                case t.Reference(name):
                    type_ = self.schema.definitions[name].type
                case t.Nullable(inner):
                    type_ = inner
                case t.Union(variants=(only,)):
                    type_ = only.type
                case t.Object(fields=(), bases=(base,), unions=(), excludes=(), extra=None, closed=False):
                    type_ = base
                case _:
                    return name

    def is_object(self, type_: t.Type) -> bool:
        """Return whether every value of a type is an object with declared properties."""
        return is_object(type_, self.schema.resolve)

    def form(self, type_: t.Type) -> ObjectForm:
        """The normal form of an object type."""
        type_ = self.plain(type_)
        key = id(type_)
        if key not in self._forms:
            self._kept.append(type_)
            self._forms[key] = ObjectForm(type_, {})
            self._forms[key] = self._object(type_)
        return self._forms[key]

    def _object(self, type_: t.Type) -> ObjectForm:
        form = ObjectForm(type_, {})
        match type_:
            case t.Union():
                form.unions = (type_,)
            case t.Map(values):
                form.extra = values
            case t.Object():
                form.fields = {field.name: field for field in type_.fields}
                form.unions, form.excludes = type_.unions, type_.excludes
                form.extra, form.closed = type_.extra, type_.closed
                for base in type_.bases:
                    self._add(form, base)
                form.unions = tuple(self._spread(form, form.unions))
            case _:
                pass
        return form

    def _spread(self, form: ObjectForm, unions: tuple[t.Union, ...]) -> list[t.Union]:
        """The remaining unions, after one-member unions became bases."""
        kept: list[t.Union] = []
        for union in unions:
            if len(union.variants) == 1:
                self._add(form, union.variants[0].type)
                kept += [u for u in form.unions if u not in unions]
            else:
                kept.append(union)
        return kept

    def _add(self, form: ObjectForm, base: t.Type) -> None:
        if isinstance(base, t.Reference):
            form.sources += (base.name,)
        other = self.form(base)
        for name, field in other.fields.items():
            form.fields[name] = self._merged(form.fields[name], field) if name in form.fields else field
        form.unions += other.unions
        form.excludes += other.excludes
        form.extra = form.extra if form.extra is not None else other.extra
        if other.closed and not form.closed:
            form.closed_by = other.closed_by or (base.name if isinstance(base, t.Reference) else "")
        form.closed = form.closed or other.closed
        form.sources += other.sources

    def _merged(self, first: t.Field, second: t.Field) -> t.Field:
        """A property that is declared twice. If one declaration only lists it in `required`, the result is the other
        declaration, made required.
        """
        for one, other in ((first, second), (second, first)):
            if isinstance(one.type, t.Anything) and one.required:
                return msgspec.structs.replace(other, required=True)
        try:
            return merge_fields(first, second, self.schema.resolve)
        except ClashError:
            return first

    def members(self, union: t.Union) -> list[Member]:
        """The variants of a union of objects. A variant that is another union contributes its own variants."""
        key = id(union)
        if key not in self._members:
            self._kept.append(union)
            found: list[Member] = []
            self._members[key] = found
            for variant in union.variants:
                found += self._member(variant, ())
        return self._members[key]

    def _member(self, variant: t.Variant, seen: tuple[int, ...]) -> list[Member]:
        inner = self.plain(variant.type)
        if isinstance(inner, t.Union) and id(inner) not in seen:
            return [m for v in inner.variants for m in self._member(_inherit(v, variant), (*seen, id(inner)))]
        form = self.form(variant.type)
        names = (variant.type.name,) if isinstance(variant.type, t.Reference) else ()
        return [Member(variant, form, form.constants(), (*names, *form.sources))]

    def alternatives(self, type_: t.Type) -> list[Alternative]:
        """The types of a value, without null. Several objects become one choice."""
        type_ = self.plain(type_)
        key = id(type_)
        if key not in self._alternatives:
            self._kept.append(type_)
            self._alternatives[key] = self._listed(type_)
        return self._alternatives[key]

    def _listed(self, type_: t.Type) -> list[Alternative]:
        match type_:
            case t.Nullable(inner):
                return self.alternatives(inner)
            case t.Union(variants) if not self.is_object(type_):
                found: list[Alternative] = []
                for variant in variants:
                    found += [
                        Alternative(each.type, each.kind, each.variant or variant, each.form)
                        for each in self.alternatives(variant.type)
                    ]
                return self._objects_joined(_joined(found))
            case t.Null():
                return []
            case _:
                form = self.form(type_) if self.is_object(type_) else None
                kind = "map" if form is not None and _takes_any(form) else _kind(type_)
                return [Alternative(type_, kind, None, form)]

    def _objects_joined(self, found: list[Alternative]) -> list[Alternative]:
        """Alternatives in which all objects are joined to one union."""
        objects = [each for each in found if each.kind == "object" and each.variant is not None]
        if len(objects) < 2:
            return found
        union = t.Union(tuple(each.variant for each in objects if each.variant is not None))
        self._kept.append(union)
        whole = Alternative(union, "object", None, self.form(union))
        return [whole, *(each for each in found if each not in objects)]

    def nullable(self, type_: t.Type) -> bool:
        """Return whether a type accepts null."""
        return admits_null(type_, self.schema.resolve)

    def anything(self, type_: t.Type) -> bool:
        """Return whether a type accepts every value, by itself or through an alternative."""
        return any(alternative.kind == "any" for alternative in self.alternatives(type_))

    def is_union(self, type_: t.Type) -> bool:
        """Return whether a type has several alternatives."""
        type_ = self.plain(type_)
        return self.is_union(type_.inner) if isinstance(type_, t.Nullable) else isinstance(type_, t.Union)


def _joined(found: list[Alternative]) -> list[Alternative]:
    """Alternatives in which constants, with a bare type of their kind, are joined to one enumeration."""
    listed = [each for each in found if isinstance(each.type, t.Enumeration) and each.type.base is None]
    if len(found) < 2 or not listed:
        return found
    kinds = {each.kind for each in listed}
    bare = [each for each in found if each.kind in kinds and not isinstance(each.type, t.Enumeration)]
    if len(kinds) != 1 or len(bare) > 1 or len(listed) + len(bare) < 2:
        return found
    values = tuple(
        msgspec.structs.replace(
            value,
            rfd=value.rfd or (each.variant.rfd if each.variant is not None else None),
            capability=value.capability or (each.variant.capability if each.variant is not None else None),
        )
        for each in listed
        if isinstance(each.type, t.Enumeration)
        for value in each.type.values
    )
    whole = Alternative(t.Enumeration(values, bare[0].type if bare else None), listed[0].kind, listed[0].variant)
    return [whole, *(each for each in found if each not in listed and each not in bare)]


def _takes_any(form: ObjectForm) -> bool:
    """Return whether an object declares only properties reserved for implementations."""
    said = form.declared() or form.unions or form.closed or form.excludes
    return not said and (form.extra is None or isinstance(form.extra, t.Anything))


def _inherit(inner: t.Variant, outer: t.Variant) -> t.Variant:
    return msgspec.structs.replace(inner, rfd=inner.rfd or outer.rfd, capability=inner.capability or outer.capability)


_KINDS: dict[type, str] = {str: "string", bool: "boolean"}


def _kind(type_: t.Type) -> str:
    match type_:
        case t.Enumeration(values, base):
            if base is not None:
                return _kind(base)
            kinds = {_KINDS.get(type(value.constant), "number") for value in values}
            return kinds.pop() if len(kinds) == 1 else "enumeration"
        case t.Object() | t.Union():
            return "object"
        case _:
            return {"Integer": "number", "Anything": "any"}.get(name := type(type_).__name__, name.lower())
