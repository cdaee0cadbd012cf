"""Derive the plan of a bridge: a converter for each pair of types that two schemas have in the same place of a message.

Types that are identical (`model/algebra/identity`) stay as they are. Objects are paired property by property, unions by
their tags; the overlay states what has another name or place. A pair that nothing covers is rejected. For each loss and
each rejection, the derivation keeps a value that shows it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from msgspec.structs import replace

from ..contracts import convert
from ..contracts import plan as p
from ..model.algebra.normal_form import Alternative, Member, ObjectForm, WireForms
from ..model.analysis.relation import Relations
from ..model.instances.minimal import Witness
from ..model.nodes import types as t
from ..model.nodes.walk import without_null
from .alternatives import any_item, check_of, json_kind, worded
from .overlay import Place, Statement
from .places import Samples
from .records import Paired, Pairing
from .variants import counterpart, joined, tag_in, telling

_NOTHING = Statement()


class Issue(NamedTuple):
    """Information that one definition loses, or a value of it that is rejected. `sample` shows it."""

    lost: bool
    path: p.Path
    what: str
    sample: Witness | None


class Edge(NamedTuple):
    """A part of a definition that has its own converter: its path, and how to build a value of the definition with it."""

    key: str
    path: p.Path
    wrap: Callable[[Any], Any]


class Spot(NamedTuple):
    """A place in the definition of a converter."""

    key: str
    path: p.Path
    wrap: Callable[[Any], Any]

    def inside(self, step: str | int, wrap: Callable[[Any], Any]) -> Spot:
        """A place inside this place."""
        return self.into((step,), wrap)

    def into(self, path: p.Path, wrap: Callable[[Any], Any]) -> Spot:
        """A place some steps inside this place."""

        def whole(value: Any) -> Any:
            return self.wrap(wrap(value))

        return Spot(self.key, (*self.path, *path), whole)


def _itself(value: Any) -> Any:
    return value


class Derivation:
    """The converters from one schema to another. `statements`: those of the overlay, by pairs of definitions."""

    def __init__(
        self, forms: WireForms, other: WireForms, statements: Mapping[tuple[str, str], Statement], *, forward: bool
    ) -> None:
        self.forms, self.other, self.statements, self.forward = forms, other, statements, forward
        self.relations = Relations(forms, other)
        self.samples, self.facing = Samples(forms), Samples(other)
        self.types: dict[str, p.Node] = {}
        self.issues: defaultdict[str, list[Issue]] = defaultdict(list)
        self.edges: defaultdict[str, list[Edge]] = defaultdict(list)

    def message(self, name: str, other: str) -> tuple[str, p.Node]:
        """The converter of a message, and the key of its issues."""
        key = f"{name} > {other}"
        return key, self.node(t.Reference(name), t.Reference(other), Spot("", (), _itself))

    # --- types ----------------------------------------------------------------------------------------------------------

    def node(self, one: t.Type, other: t.Type, spot: Spot) -> p.Node:
        """The converter from a type to another."""
        if self.relations.identical(one, other) or self.other.anything(other):
            return p.Same()
        names = self.forms.deepest(one), self.other.deepest(other)
        if names[0] and names[1] and self.forms.is_object(self.forms.core(one)):
            key = f"{names[0]} > {names[1]}"
            self.edges[spot.key].append(Edge(key, spot.path, spot.wrap))
            if key not in self.types:
                self.types[key] = p.Same()  # until it is known: a recursive type refers to itself by name
                self.types[key] = self._cases(one, other, Spot(key, (), _itself))
            return p.Use(key)
        return self._cases(one, other, spot)

    def _cases(self, one: t.Type, other: t.Type, spot: Spot) -> p.Node:
        """One converter for each kind of JSON value that a type has."""
        facing = self.other.alternatives(other)
        grouped: dict[str, list[Alternative]] = {}
        for each in self.forms.alternatives(one):
            grouped.setdefault(json_kind(each.kind), []).append(each)
        cases = {kind: self._alternative(kind, found, facing, (one, other), spot) for kind, found in grouped.items()}
        if self.forms.nullable(one) and "any" not in cases:
            cases["null"] = (
                p.Same()
                if self.other.nullable(other)
                else self._rejected(spot, "null has no counterpart", Witness(None))
            )
        return next(iter(cases.values())) if len(cases) == 1 else p.Kinds(cases)

    def _alternative(
        self, kind: str, found: list[Alternative], facing: list[Alternative], whole: tuple[t.Type, t.Type], spot: Spot
    ) -> p.Node:
        one = found[0]
        others = [each for each in facing if json_kind(each.kind) == kind]
        if kind == "any":
            return self._of_anything(facing, whole, spot)
        if not others:
            return self._rejected(spot, f"{worded(kind)} has no counterpart", self.samples.values.value(one.type))
        another = others[0]
        if kind == "array" and len(found) + len(others) > 2:
            return self._alternative(kind, [any_item(found)], [any_item(others)], whole, spot)
        if kind == "object" and (self.forms.is_object(one.type) or self.other.is_object(another.type)):
            stated = self._stated(self._names(self.forms, whole[0]), self._names(self.other, whole[1]))
            return self._objects(self.forms.form(one.type), self.other.form(another.type), stated, spot)
        match one.type, another.type:
            case t.Map(values), t.Map(facing_values):
                return p.Entries(self.node(values, facing_values, spot.inside("*", lambda value: {"key": value})))
            case t.Array(), t.Array() if not (one.type.prefix or another.type.prefix):
                item = self.node(one.type.items, another.type.items, spot.inside("*", lambda value: [value]))
                node = p.Items(item, another.type.min_items or 0, another.type.max_items)
                self._count(one.type, node, spot)
                return node
            case _:
                return self._scalar(found, others, whole, spot)

    def _count(self, array: t.Array, node: p.Items, spot: Spot) -> None:
        """Note the numbers of items that only this version accepts."""
        inside = self.samples.values.value(array.items)
        counts = [array.min_items or 0] if (array.min_items or 0) < node.least else []
        if node.most is not None and (array.max_items is None or array.max_items > node.most):
            counts.append(node.most + 1)
        for count in counts if inside is not None else ():
            assert inside is not None
            issue = Issue(
                False,
                spot.path,
                f"an array of {count} items is not allowed",
                Witness(spot.wrap([inside.value] * count)),
            )
            self.issues[spot.key].append(issue)

    def _scalar(
        self, found: list[Alternative], others: list[Alternative], whole: tuple[t.Type, t.Type], spot: Spot
    ) -> p.Node:
        lost = [self.relations.between(each.type, whole[1]).lost for each in found]
        shown = next((each for each in lost if each is not None), None)
        if shown is None:
            return p.Same()
        stated = self._stated(self._names(self.forms, whole[0]), self._names(self.other, whole[1]))
        if stated.values or stated.other is not None:
            return self._values(found[0].type, others[0].type, stated, shown, spot)
        check = check_of(others[0].type)
        if len(others) > 1 or check is None:
            return self._rejected(spot, "the value has no counterpart", shown)
        self.issues[spot.key].append(Issue(False, spot.path, f"expected {check.expected}", _wrapped(spot, shown)))
        return check

    def _values(self, one: t.Type, other: t.Type, stated: Statement, unknown: Witness, spot: Spot) -> p.Node:
        """The converter of an enumeration whose constants the overlay pairs."""
        own, theirs = ([v.constant for v in e.values] if isinstance(e, t.Enumeration) else [] for e in (one, other))
        merged = [value for value, _ in stated.values if value not in theirs]
        made = {value: value for value in own if value in theirs} | dict(stated.values)
        for value in merged:
            what = f"{value!r} becomes {made[value]!r}"
            self.issues[spot.key].append(Issue(True, spot.path, what, Witness(spot.wrap(value))))
        if stated.other is None:
            return p.Values(tuple(made.items()), merged=tuple(merged))
        what = f"any other value becomes {stated.other!r}"
        shown = Witness("other") if unknown.value in made else unknown
        self.issues[spot.key].append(Issue(True, spot.path, what, _wrapped(spot, shown)))
        return p.Values(tuple(made.items()), other=stated.other, merged=tuple(merged))

    def _of_anything(self, facing: list[Alternative], whole: tuple[t.Type, t.Type], spot: Spot) -> p.Node:
        lost = self.relations.between(*whole).lost
        self.issues[spot.key].append(
            Issue(False, spot.path, "a value of another type has no counterpart", _wrapped(spot, lost))
        )
        checks = {json_kind(each.kind): check_of(each.type) for each in facing}
        return p.Kinds({kind: check for kind, check in checks.items() if check is not None})

    def _rejected(self, spot: Spot, reason: str, sample: Witness | None) -> p.Node:
        self.issues[spot.key].append(Issue(False, spot.path, reason, _wrapped(spot, sample)))
        return p.Reject(reason)

    # --- unions ---------------------------------------------------------------------------------------------------------

    def _stated(self, names: Sequence[str], others: Sequence[str]) -> Statement:
        found = _NOTHING
        for pair in product(names, others):
            found += self.statements.get(pair, _NOTHING)
        return found

    @staticmethod
    def _names(forms: WireForms, type_: t.Type) -> list[str]:
        """The definitions on the path to a type's plain form."""
        found: list[str] = []
        while True:
            match type_:
                case t.Reference(name):
                    found.append(name)
                    type_ = forms.schema.definitions[name].type
                case t.Nullable(held):
                    type_ = held
                case t.Union(variants=(only,)):
                    type_ = only.type
                case t.Object(bases=bases):
                    return [*found, *forms.form(type_).sources, *(b.name for b in bases if isinstance(b, t.Reference))]
                case _:
                    return found

    def _objects(self, one: ObjectForm, other: ObjectForm, stated: Statement, spot: Spot) -> p.Node:
        if not one.unions and not other.unions:
            return self._record(one, other, stated, spot)
        members = list(self.forms.members(one.unions[0])) if one.unions else []
        facing = list(self.other.members(other.unions[0])) if other.unions else []
        tags = (tag_in(members), tag_in(facing))
        if not members:
            target = counterpart("", None, facing, tags[1], stated, forward=self.forward)
            return self._pair(one, other, None, target, stated, spot)
        cases: dict[str, p.Node] = {}
        bare_: list[tuple[tuple[str, ...], p.Node]] = []
        unknown: p.Node | None = None
        names = ["" if member.open else str(member.constants.get(tags[0], "")) for member in members]
        targets = [
            counterpart(name, member, facing, tags[1], stated, forward=self.forward)
            for name, member in zip(names, members, strict=True)
        ]
        for name, member, target in zip(names, members, targets, strict=True):
            merged = targets.count(target) > 1 and target is not None and target.constants.get(tags[1]) != name
            node = self._pair(one, other, member, target, stated, spot, None if facing else other, merged=merged)
            if member.open:
                unknown = node
            elif name:
                cases[name] = node
            else:
                bare_.append((telling(member, members, tags[0]), node))
        if isinstance(unknown, p.Reject):
            unknown = None
        return p.Choice(tags[0], cases, tuple(sorted(bare_, key=lambda each: -len(each[0]))), unknown)

    def _pair(
        self,
        one: ObjectForm,
        other: ObjectForm,
        member: Member | None,
        target: Member | None,
        stated: Statement,
        spot: Spot,
        alone: ObjectForm | None = None,
        *,
        merged: bool = False,
    ) -> p.Node:
        """The converter of one variant. `alone`: the other version's object, if it is not a union. `merged`: another
        variant becomes the same.
        """
        whole = one if member is None else joined(one, member)
        tag = "" if member is None or member.open else next(iter(map(str, member.constants.values())), "")
        is_open = member is not None and member.open
        if target is None and (alone is None or is_open or stated.tags.get(tag, tag)):
            sample = self.samples.smallest(whole)
            name = next((e.property for e in whole.excludes), "") if is_open else tag_in([member])
            named = f"{tag!r} has no counterpart" if tag else f"an object without {name} has no counterpart"
            if is_open:
                named = f"an unknown {name} has no counterpart"
            at = spot.into((name,), _itself) if is_open else spot
            return self._rejected(at, named, sample)
        facing = alone if target is None else joined(other, target)
        assert facing is not None
        if member is not None and target is not None:
            stated += self._stated(member.names, target.names)
        node = self._objects(whole, facing, stated, spot)
        if merged and isinstance(node, p.Record):
            what = f"the tag {tag!r} is replaced"
            self.issues[spot.key].append(Issue(True, spot.path, what, _wrapped(spot, self.samples.smallest(whole))))
            return replace(node, always=what)
        return node

    # --- objects --------------------------------------------------------------------------------------------------------

    def _record(self, one: ObjectForm, other: ObjectForm, stated: Statement, spot: Spot) -> p.Node:
        pairing = Pairing(self.samples, self.facing, self.relations, one, other, stated)
        for lost, path, what, sample in pairing.notes():
            shown = None if sample is None else Witness(spot.wrap(sample))
            self.issues[spot.key].append(Issue(lost, (*spot.path, *path), what, shown))
        if pairing.impossible:
            return p.Reject(f"the other version requires `{convert.dotted(pairing.impossible)}`")

        def moved(pair: Paired) -> p.Move:
            type_, facing = pairing.types(pair.source, pair.target)
            at = spot.into(pair.source, lambda value: pairing.having(pair.source, value))
            taken = without_null(self.forms.plain(type_)) if pair.null_lost else type_
            node = self._form(pair.place, at) or self.node(taken, facing, at)
            return p.Move(pair.source, pair.target, node, pair.null_lost)

        moves = [moved(each) for each in pairing.moves]
        return p.Record(
            moves=tuple(each for each in moves if each != p.Move(each.source, each.source, p.Same())),
            copies=tuple(map(moved, pairing.copies)),
            fills=tuple(pairing.filling),
            expects=pairing.expected(),
            lost=tuple(pairing.lost),
            only=tuple(pairing.only),
            taken=pairing.taken,
            needed=tuple(pairing.needed),
            closed=other.closed,
            edit=stated.edit,
        )

    def _form(self, place: Place | None, spot: Spot) -> p.Node | None:
        """The converter that the overlay states for a property."""
        if place is None:
            return None
        if place.flag:
            if not self.forward:
                sample = Witness(spot.wrap({"key": True}))
                self.issues[spot.key].append(Issue(True, spot.path, "the object's properties are dropped", sample))
            return p.Values(flag="to object" if self.forward else "to boolean")
        if place.numbers:
            here, there = place.numbers if self.forward else reversed(place.numbers)
            what = f"any other value becomes {there}"
            self.issues[spot.key].append(Issue(True, spot.path, what, Witness(spot.wrap(0))))
            return p.Values(((here, there),), other=there)
        if place.entries:
            if not self.forward:
                twice = Witness(spot.wrap([dict.fromkeys(place.entries, "")] * 2))
                what = f"expected only `{place.entries[0]}`, used once, and `{place.entries[1]}`"
                self.issues[spot.key].append(Issue(False, (*spot.path, 1), what, twice))
            return p.Entries(p.Same(), *place.entries, to_map=not self.forward)
        return None


def _wrapped(spot: Spot, value: Witness | None) -> Witness | None:
    return None if value is None else Witness(spot.wrap(value.value))
