"""Find the smallest value of a type, and the smallest one that contains a given value of a definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..algebra.conformance import fits
from ..algebra.normal_form import ObjectForm, WireForms
from ..nodes.types import Anything, Array, Exclusion, Field, Map, Null, Nullable, Object, Reference, Type, Union
from ..nodes.walk import item_of
from .samples import scalars

_MOST_LEAVES = 64


class Witness(Struct, frozen=True):
    """A JSON value (possibly null) that one type writes and the other rejects."""

    value: Any


class Leaf(Struct, frozen=True):
    """An object without choices: its properties, its exclusions, and its rule for undeclared properties."""

    fields: dict[str, Field]
    excludes: tuple[Exclusion, ...]
    extra: Type | None
    closed: bool


class Smallest:
    """The smallest values of the types of one schema, each computed once."""

    def __init__(self, forms: WireForms) -> None:
        self.forms = forms
        self._known: dict[int, Witness] = {}
        self._busy: set[int] = set()
        self._kept: list[Type] = []

    def value(self, type_: Type) -> Witness | None:
        """A minimal value of a type; None if there is none or none was found."""
        type_ = self.forms.plain(type_)
        key = id(type_)
        if key in self._known:
            return self._known[key]
        if key in self._busy:
            return None
        self._kept.append(type_)
        self._busy.add(key)
        found = next((Witness(v) for v in self._small(type_) if fits(self.forms, type_, v)), None)
        self._busy.discard(key)
        if found is not None:
            self._known[key] = found
        return found

    def _small(self, type_: Type) -> Iterator[Any]:
        match type_:
            case Nullable(inner):
                yield from self._small(self.forms.plain(inner))
                yield None
            case Array():
                yield from arrays([self.value(item_of(type_, index)) for index in range(type_.min_items or 0)])
            case Null():
                yield None
            case Anything():
                yield {}
            case _ if self.forms.is_object(type_) or isinstance(type_, Map):
                for leaf in leaves(self.forms, self.forms.form(type_)):
                    base = self.required(leaf)
                    if base is not None:
                        yield base
            case Union(variants):
                for variant in variants:
                    yield from self._small(self.forms.plain(variant.type))
            case _:
                yield from scalars(type_, [])

    def required(self, leaf: Leaf) -> dict[str, Any] | None:
        found: dict[str, Any] = {}
        for name, field in leaf.fields.items():
            if field.required:
                kept_out = [e.constant for e in leaf.excludes if e.property == name]
                values = (w.value for w in self._choices(field.type))
                value = next((Witness(v) for v in values if v not in kept_out), None)
                if value is None:
                    return None
                found[name] = value.value
        return found

    def _choices(self, type_: Type) -> Iterator[Witness]:
        smallest = self.value(type_)
        if smallest is not None:
            yield smallest
        plain = self.forms.core(type_)
        if not self.forms.is_object(plain) and not isinstance(plain, (Map, Array)):
            yield from (Witness(value) for value in scalars(plain, []) if fits(self.forms, plain, value))

    # --- around a value -----------------------------------------------------------------------------------------------

    def holding(self, type_: Type, definition: str, value: Any, seen: frozenset[str] = frozenset()) -> Witness | None:
        """A value of a type that contains the given value of a definition; None if that is impossible."""
        match type_:
            case Reference(name) if name == definition:
                return Witness(value)
            case Reference(name) if name in seen:
                return None
            case Reference(name):
                return self.holding(self.forms.schema.definitions[name].type, definition, value, seen | {name})
            case Nullable(inner):
                return self.holding(inner, definition, value, seen)
            case Array():
                return self._array_holding(type_, definition, value, seen)
            case Union(variants) if not self.forms.is_object(type_):
                inside = (self.holding(variant.type, definition, value, seen) for variant in variants)
                return next((found for found in inside if found is not None), None)
            case Object() | Union() | Map():
                return self._object_holding(self.forms.form(type_), definition, value, seen)
            case _:
                return None

    def _array_holding(self, type_: Array, definition: str, value: Any, seen: frozenset[str]) -> Witness | None:
        for index in range(len(type_.prefix) + 1):
            found = self.holding(item_of(type_, index), definition, value, seen)
            if found is not None:
                rest = index == len(type_.prefix)
                items = [
                    found if at == index or (rest and at > index) else self.value(item_of(type_, at))
                    for at in range(max(index + 1, type_.min_items or 0))
                ]
                made = next(arrays(items), None)
                if made is not None:
                    return Witness(made)
        return None

    def _object_holding(self, form: ObjectForm, definition: str, value: Any, seen: frozenset[str]) -> Witness | None:
        members = [member for union in form.unions for member in self.forms.members(union)]
        for part in (form, *(member.form for member in members)):
            for leaf in leaves(self.forms, _with_fields(form, part)):
                base = self.required(leaf)
                if base is None:
                    continue
                names = next((member.names for member in members if member.form is part), part.sources)
                if definition in names and isinstance(value, dict):
                    return Witness({**base, **value})
                for name, field in leaf.fields.items():
                    found = self.holding(field.type, definition, value, seen)
                    if found is not None:
                        return Witness({**base, name: found.value})
                found = self.holding(leaf.extra, definition, value, seen) if leaf.extra is not None else None
                if found is not None:
                    return Witness({**base, unused(leaf): found.value})
        return None


def _with_fields(form: ObjectForm, part: ObjectForm) -> ObjectForm:
    """An object with one variant chosen: the variant's properties added to its own."""
    return form if part is form else replace(part, fields={**form.fields, **part.fields})


def leaves(forms: WireForms, form: ObjectForm) -> list[Leaf]:
    """One object for each way to choose a variant of each union."""
    found = [Leaf(form.fields, form.excludes, form.extra, form.closed)]
    for union in form.unions:
        inside = [leaf for member in forms.members(union) for leaf in leaves(forms, member.form)]
        found = [joined(one, other) for one, other in islice(product(found, inside), _MOST_LEAVES)]
    return found


def joined(one: Leaf, other: Leaf) -> Leaf:
    """An object that satisfies two others: the properties of both."""
    fields = {**one.fields, **other.fields}
    for name in one.fields.keys() & other.fields.keys():
        left, right = one.fields[name], other.fields[name]
        narrow = left if isinstance(right.type, Anything) else right
        fields[name] = replace(narrow, required=left.required or right.required)
    extra = one.extra if one.extra is not None else other.extra
    return Leaf(fields, one.excludes + other.excludes, extra, one.closed or other.closed)


def arrays(items: Sequence[Witness | None]) -> Iterator[list[Any]]:
    """The array of some items, if there is a value for each."""
    if all(item is not None for item in items):
        yield [item.value for item in items if item is not None]


def unused(*sides: Leaf) -> str:
    """A name that no object declares."""
    name = "key"
    while any(name in side.fields for side in sides):
        name += "_"
    return name
