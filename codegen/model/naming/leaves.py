"""Leaves of objects that contain unions: fields, paths of variants, merging of equal leaves, and names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from ... import diagnostics
from ...errors import Fault
from ...limits import Limit
from ..algebra.discriminators import Marks, constants
from ..algebra.intersect import admits, same
from ..nodes import types as t
from .wire_names import RESERVED_TYPES, pascal


class ShapeError(Exception):
    """A construct that cannot become classes, with its pointer and the kind of fault."""

    def __init__(self, pointer: str, problem: str, fault: Fault = diagnostics.CONSTRUCT, *, instead: str = "") -> None:
        super().__init__(problem)
        self.pointer, self.fault, self.instead = pointer, fault, instead or fault.instead


def over(pointer: str, limit: Limit) -> ShapeError:
    """The error for exceeding a limit."""
    return ShapeError(pointer, limit.problem, diagnostics.TOO_MUCH, instead=limit.instead)


class Name(Struct, frozen=True):
    """The name of a leaf: `given` if the schema names it, otherwise `short` if that is free, otherwise owner and label."""

    owner: str
    label: str = ""
    short: str | None = None
    given: str | None = None

    @property
    def full(self) -> str:
        """The unique name, owner and label."""
        return self.owner + self.label


class RawLeaf(Struct, frozen=True, kw_only=True):
    """One combination of variants. `tag` is the constant of the outermost union; `steps` counts the unions around it."""

    fields: tuple[t.Field, ...]
    name: Name
    pointer: str
    label: str = ""
    excludes: tuple[t.Exclusion, ...] = ()
    extra: t.Type | None = None
    closed: bool = False
    tag: tuple[str, str] | None = None
    own_tag: bool = False
    steps: int = 0
    indices: tuple[int, ...] = ()
    title: str | None = None
    description: str | None = None
    capability: str | None = None
    update: t.Update | None = None
    call: str | None = None

    def field(self, wire: str) -> t.Field | None:
        """The field of a property, if the leaf declares it."""
        return next((field for field in self.fields if field.name == wire), None)

    def constants(self) -> dict[str, tuple[t.Value, ...]]:
        """The required properties that are constants."""
        return constants(self.fields)

    def marks(self) -> Marks:
        """The discriminator of the leaf."""
        known = {name: tuple(value.constant for value in values) for name, values in self.constants().items()}
        return Marks(known, tuple((e.property, e.constant) for e in self.excludes))


def merge_constants(leaves: tuple[RawLeaf, ...], owner: str) -> tuple[RawLeaf, ...]:
    """Merge leaves that differ only in the constant of one property into one leaf with all these constants."""
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


def disjoint(schema: t.Schema, left: RawLeaf, right: RawLeaf) -> bool:
    """Return whether it is certain that no object matches both leaves."""
    return _rejects(schema, left, right) or _rejects(schema, right, left)


def _rejects(schema: t.Schema, one: RawLeaf, other: RawLeaf) -> bool:
    """Return whether a property that `one` requires excludes all its objects from `other`."""
    facing = {field.name: field for field in other.fields}
    for field in (field for field in one.fields if field.required):
        if field.name not in facing:
            if other.closed or _excluded(field, other):
                return True
        elif not _overlap(schema, field.type, facing[field.name].type) or _excluded(field, other):
            return True
    return False


def _overlap(schema: t.Schema, left: t.Type, right: t.Type) -> bool:
    left, right = schema.resolve(left), schema.resolve(right)
    if isinstance(left, t.Enumeration) and left.base is None:
        return any(admits(right, value.constant) for value in left.values) or isinstance(right, (t.Union, t.Anything))
    if isinstance(right, t.Enumeration) and right.base is None:
        return _overlap(schema, right, left)
    kinds = (t.String, t.Boolean, (t.Integer, t.Number), (t.Array,), (t.Object, t.Map))
    for kind in kinds:
        if isinstance(left, kind):
            return not any(isinstance(right, other) for other in kinds if other is not kind)
    return True


def final_names(schema: t.Schema, leaves: Iterable[RawLeaf], taken: Iterable[str] = ()) -> dict[Name, str]:
    """The default name of every leaf: the short one if only this leaf claims it and it is free."""
    names = {leaf.name for leaf in leaves}
    claimed = Counter(name.short for name in names if name.short is not None)
    fixed = {*schema.definitions, *RESERVED_TYPES, *taken, *(name.full for name in names if name.short is None)}
    return {
        name: name.short
        if name.short is not None and claimed[name.short] == 1 and name.short not in fixed
        else name.full
        for name in names
    }


def _excluded(field: t.Field, other: RawLeaf) -> bool:
    """Return whether a leaf excludes all constants of a required property."""
    excluded = [e.constant for e in other.excludes if e.property == field.name]
    values = constants([field]).get(field.name, ())
    return bool(values) and all(any(same(v.constant, c) for c in excluded) for v in values)


def _only_difference(left: RawLeaf, right: RawLeaf) -> str | None:
    """The one property whose constant distinguishes two otherwise equal leaves; None if there is no such property."""
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
        msgspec.structs.replace(field, type=t.Enumeration(values)) if field.name == name else field
        for field in leaf.fields
    )
    label = pascal(name)
    return msgspec.structs.replace(
        leaf, fields=fields, name=Name(owner, label), label=label, tag=None, title=None, description=None
    )
