"""The relation of two types: the values that one side writes and the other rejects, with a JSON value as evidence.

A type *writes* values that its declared properties describe; a map also writes any key. A type *takes* all values that
conform to it. Therefore, an optional property that only one of two open objects declares makes no difference: only a
peer that knows the property writes it.

The search is coinductive: two recursive types count as related until a value shows a difference. It looks for the
smallest such value. It checks every value against both types (`conformance`), so a witness is always correct. If there
is no witness, the result is only as certain as the tested values. These are the ends of every range, the constants of
both sides, each property present and absent, and pairs of properties if several variants might match an object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Any

from msgspec import Struct

from ..algebra.change_kind import Kind
from ..algebra.conformance import fits
from ..algebra.identity import Identity
from ..algebra.normal_form import ObjectForm, WireForms
from ..instances.minimal import Leaf, Smallest, Witness, arrays, leaves, unused
from ..instances.samples import scalars
from ..nodes.types import Anything, Array, Map, Null, Nullable, Schema, Type, Union
from ..nodes.walk import item_of

_MOST_PAIRS = 400
_ANY_KIND: tuple[Any, ...] = (None, True, 0, 0.5, "", [], {})


class Relation(Struct, frozen=True, kw_only=True):
    """The relation of a new type to an old one. `lost`: a value that only the old one writes; `gained`: one that only
    the new one writes.
    """

    kind: Kind
    lost: Witness | None = None
    gained: Witness | None = None


def relation(old: Schema, old_type: Type, new: Schema, new_type: Type) -> Relation:
    """The relation of types from two schemas."""
    return Relations(WireForms(old), WireForms(new)).between(old_type, new_type)


class Relations:
    """The relations of the types of two schemas, with a cache."""

    def __init__(self, old: WireForms, new: WireForms) -> None:
        self._lost, self._gained = _Escapes(old, new), _Escapes(new, old)
        self.identical = Identity(old, new).same

    def between(self, old: Type, new: Type) -> Relation:
        """The relation of a new type to an old one."""
        lost, gained = self._lost.first(old, new), self._gained.first(new, old)
        shared = lost is None or gained is None or self._lost.common(old, new) is not None
        kind = Kind.of(lost=lost is not None, gained=gained is not None, shared=shared)
        return Relation(kind=kind, lost=lost, gained=gained)

    def disjoint(self, old: Type, new: Type) -> bool:
        """Return whether the relation is DISJOINT. A shared value, which is cheap to find, decides first."""
        return self.common(old, new) is None and self.between(old, new).kind is Kind.DISJOINT

    def common(self, old: Type, new: Type) -> Witness | None:
        """A value that both types accept; None if none was found."""
        return self._lost.common(old, new)


_Key = tuple[int, int]


class _Escapes:
    """Values that types of one schema write and types of another reject."""

    def __init__(self, forms: WireForms, other: WireForms) -> None:
        self.forms, self.other = forms, other
        self._known: dict[_Key, Witness | None] = {}
        self._tentative: list[_Key] = []
        self._busy: set[_Key] = set()
        self.samples = Smallest(forms)
        self._kept: list[Type] = []
        self._identical = Identity(forms, other).same

    # --- refused by the other side --------------------------------------------------------------------------------------

    def first(self, type_: Type, other: Type) -> Witness | None:
        """The first value that a type writes and the other rejects; None if the other accepts all."""
        type_, other = self.forms.plain(type_), self.other.plain(other)
        key = (id(type_), id(other))
        if key in self._known:
            return self._known[key]
        if key in self._busy or self._identical(type_, other):
            return None  # as long as nothing else speaks against it
        self._kept += [type_, other]
        self._busy.add(key)
        assumed = len(self._tentative)
        tried = (value for value in self._values(type_, other) if fits(self.forms, type_, value))
        found = next((Witness(value) for value in tried if not fits(self.other, other, value)), None)
        self._busy.discard(key)
        self._known[key] = found
        if found is not None:
            # What was taken for granted while this was not known may rest on it.
            for doubtful in self._tentative[assumed:]:
                del self._known[doubtful]
            del self._tentative[assumed:]
        else:
            self._tentative.append(key)
        if not self._busy:
            self._tentative.clear()
        return found

    def _values(self, type_: Type, other: Type) -> Iterator[Any]:
        """Candidate values of a type that another may reject, the simplest first. Some may not be values of the
        type.
        """
        match type_:
            case Null():
                yield None
            case Nullable(inner):
                yield None
                yield from self._values(self.forms.plain(inner), other)
            case Anything():
                yield from _ANY_KIND
                yield from scalars(type_, self._scalars(other))
                yield from self._arrays(Array(type_), other)
                yield from self._objects(Map(type_), other)
            case Array():
                yield from self._arrays(type_, other)
            case _ if isinstance(type_, Map) or self.forms.is_object(type_):
                yield from self._objects(type_, other)
            case Union(variants):
                for variant in variants:
                    yield from self._values(self.forms.plain(variant.type), other)
            case _:
                yield from scalars(type_, self._scalars(other))

    def _scalars(self, other: Type) -> list[Type]:
        return [each.type for each in self.other.alternatives(other) if not self.other.is_object(each.type)]

    def _arrays(self, type_: Array, other: Type) -> Iterator[Any]:
        smallest = [self.samples.value(each) for each in (*type_.prefix, type_.items)]
        facing = [each.type for each in self.other.alternatives(other) if isinstance(each.type, Array)]
        edges = {
            n + step for a in facing for n in (a.min_items or 0, a.max_items or 0, len(a.prefix)) for step in (-1, 0, 1)
        }
        for count in sorted({type_.min_items or 0, *(n for n in edges if 0 <= n <= 1000)}):
            yield from arrays([smallest[min(index, len(smallest) - 1)] for index in range(count)])
        for array in facing:
            for index in range(max(len(type_.prefix), len(array.prefix)) + 1):
                found = self.first(item_of(type_, index), item_of(array, index))
                items = [smallest[min(i, len(smallest) - 1)] for i in range(max(index + 1, type_.min_items or 0))]
                items[index] = found
                yield from arrays(items)

    def _objects(self, type_: Type, other: Type) -> Iterator[dict[str, Any]]:
        facing = [leaf for each in objects_of(self.other, other) for leaf in leaves(self.other, each)]
        for leaf in leaves(self.forms, self.forms.form(type_)):
            base = self.samples.required(leaf)
            if base is not None:
                yield base
                yield from self._varied(leaf, base, facing)

    def _varied(self, leaf: Leaf, base: dict[str, Any], facing: list[Leaf]) -> Iterator[dict[str, Any]]:
        """Variations of an object in one property, or in two if several variants could match."""
        rivals = [each for each in facing if _could_be(base, each)]
        changes: list[list[tuple[str, Any]]] = []
        for each in rivals:
            found = list(self._changes(leaf, each))
            yield from ({**base, name: value} for name, value in found)
            changes.append(found)
        if len(rivals) > 1:
            for chosen in islice(product(*changes[:3]), _MOST_PAIRS):
                yield {**base, **dict(chosen)}

    def _changes(self, leaf: Leaf, other: Leaf) -> Iterator[tuple[str, Any]]:
        """Properties of an object with values that another object may reject."""
        for name, field in leaf.fields.items():
            smallest = self.samples.value(field.type)
            if smallest is not None and not field.required:
                yield name, smallest.value
            facing = other.fields[name].type if name in other.fields else other.extra
            found = self.first(field.type, facing) if facing is not None else None
            if found is not None:
                yield name, found.value
            yield from ((e.property, e.constant) for e in other.excludes if e.property == name)
        if leaf.extra is not None:
            for name in [name for name in other.fields if name not in leaf.fields]:
                found = self.first(leaf.extra, other.fields[name].type)
                if found is not None:
                    yield name, found.value
            found = self.first(leaf.extra, other.extra) if other.extra is not None else self.samples.value(leaf.extra)
            if found is not None:
                yield unused(leaf, other), found.value

    # --- taken by both ----------------------------------------------------------------------------------------------------

    def common(self, type_: Type, other: Type) -> Witness | None:
        """A value that both types accept; None if none was found."""
        type_, other = self.forms.plain(type_), self.other.plain(other)
        key = (~id(type_), ~id(other))
        if key in self._busy:
            return None
        self._busy.add(key)
        both = (v for v in self._shared(type_, other) if fits(self.forms, type_, v) and fits(self.other, other, v))
        found = next((Witness(value) for value in both), None)
        self._busy.discard(key)
        return found

    def _shared(self, type_: Type, other: Type) -> Iterator[Any]:
        yield from _ANY_KIND
        for form, facing in product(objects_of(self.forms, type_), objects_of(self.other, other)):
            yield from self._both(leaves(self.forms, form), leaves(self.other, facing))
        for one, another in product(self.forms.alternatives(type_), self.other.alternatives(other)):
            if isinstance(one.type, Array) and isinstance(another.type, Array):
                count = max(one.type.min_items or 0, another.type.min_items or 0)
                items = [self.common(item_of(one.type, i), item_of(another.type, i)) for i in range(count)]
                yield [item.value for item in items if item is not None]
            else:
                yield from scalars(one.type, [another.type])
        smallest = (self.samples.value(type_), Smallest(self.other).value(other))
        yield from (witness.value for witness in smallest if witness is not None)

    def _both(self, olds: Iterable[Leaf], news: list[Leaf]) -> Iterator[dict[str, Any]]:
        for one, another in product(olds, news):
            names = [n for side in (one, another) for n, field in side.fields.items() if field.required]
            found: dict[str, Any] = {}
            for name in dict.fromkeys(names):
                types = [
                    side.fields[name].type if name in side.fields else side.extra or Anything()
                    for side in (one, another)
                ]
                value = self.common(types[0], types[1])
                if value is not None:
                    found[name] = value.value
            yield found


def objects_of(forms: WireForms, type_: Type) -> list[ObjectForm]:
    """The objects and maps among the alternatives of a type."""
    types = [each.type for each in forms.alternatives(type_)]
    return [forms.form(each) for each in types if forms.is_object(each) or isinstance(each, Map)]


def _could_be(value: dict[str, Any], leaf: Leaf) -> bool:
    """Return whether the constants of an object match no other variant."""
    constants = ObjectForm(Anything(), leaf.fields).constants()
    return all(name not in value or value[name] == constant for name, constant in constants.items())
