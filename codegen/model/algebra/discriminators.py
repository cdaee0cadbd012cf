"""Discriminators of unions of objects, for the emitter, the codec tables, `check` and `validate`. A variant is
recognised by its constants (required properties with one or a few possible values) and by the constants that its `not`
excludes. The *tag* of a union is the property that is a string constant in most of its variants; if several qualify,
the first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..nodes.capabilities import fields
from ..nodes.types import Enumeration, Exclusion, Field, Object, Scalar, Schema, Type, Union, Value
from ..nodes.walk import inner
from .intersect import exact


class Marks(Struct, frozen=True):
    """The discriminator of a variant: constants that properties must have, and constants that they must not have."""

    constants: Mapping[str, tuple[Scalar, ...]]
    excludes: tuple[tuple[str, Scalar], ...] = ()

    @property
    def open(self) -> bool:
        """Return whether this variant accepts objects with an unknown tag."""
        return bool(self.excludes)


def constants(fields: Iterable[Field]) -> dict[str, tuple[Value, ...]]:
    """The required properties that are constants."""
    return {
        field.name: field.type.values
        for field in fields
        if field.required and isinstance(field.type, Enumeration) and field.type.base is None
    }


def single(fields: Iterable[Field]) -> dict[str, Scalar]:
    """The required properties that have only one possible value."""
    return {name: values[0].constant for name, values in constants(fields).items() if len(values) == 1}


def tag_of(variants: Iterable[Mapping[str, Scalar]]) -> str | None:
    """The tag of a union, from the single constants of each variant."""
    counts: Counter[str] = Counter()
    for known in variants:
        counts.update(name for name, constant in known.items() if isinstance(constant, str))
    return max(counts, key=lambda name: counts[name]) if counts else None


def tag_of_all(tags: Iterable[str], variants: Sequence[Marks]) -> str | None:
    """The first of the given properties that is a constant in every variant, so that it alone discriminates; None for
    an open union.
    """
    return next((tag for tag in tags if all(not v.open and tag in v.constants for v in variants)), None)


def unrivalled(tag: str, constants: Iterable[Scalar], variants: Iterable[Marks]) -> set[Scalar]:
    """Those of the given constants that the tag has in at most one variant."""
    anything, taking = 0, Counter[Scalar]()
    for marks in variants:
        kept_out = {constant for property_, constant in marks.excludes if property_ == tag}
        known = marks.constants.get(tag)
        if known is None:
            anything += 1
            taking.subtract(kept_out)
        else:
            taking.update(set(known) - kept_out)
    return {constant for constant in constants if anything + taking[constant] <= 1}


def unseparated(variants: Sequence[Marks]) -> Iterator[tuple[int, int]]:
    """The positions of all pairs of variants, except those that the constants of one property discriminate."""
    counts = Counter(name for marks in variants for name in marks.constants)
    tag = max(counts, key=lambda name: counts[name], default="")
    with_constant: defaultdict[object, dict[int, None]] = defaultdict(dict)
    with_none: dict[int, None] = {}
    for position, marks in enumerate(variants):
        keys = [exact(constant) for constant in marks.constants.get(tag, ())]
        rivals = (
            {other: None for key in keys for other in with_constant[key]} if keys else dict.fromkeys(range(position))
        )
        yield from ((other, position) for other in rivals | with_none)
        if not keys:
            with_none[position] = None
        for key in keys:
            with_constant[key][position] = None


def marks_by_pointer(schema: Schema) -> dict[str, Marks]:
    """The discriminators of all variants in a schema, and of all other objects with properties, by pointer."""
    found: dict[str, Marks] = {}
    for definition in schema.definitions.values():
        for type_ in inner(definition.type):
            if isinstance(type_, Object) and type_.fields:
                place, properties, _ = type_.fields[0].pointer.rpartition("/properties/")
                found.update({place: _marks(schema, type_)} if properties else {})
            for variant in type_.variants if isinstance(type_, Union) else ():
                found[variant.pointer] = _marks(schema, variant.type)
    return found


def _marks(schema: Schema, type_: Type) -> Marks:
    known = constants(fields(schema, type_))
    excluded = tuple((e.property, e.constant) for e in _exclusions(schema, type_))
    return Marks({name: tuple(value.constant for value in values) for name, values in known.items()}, excluded)


def _exclusions(schema: Schema, type_: Type) -> Iterator[Exclusion]:
    plain = schema.resolve(type_)
    if isinstance(plain, Object):
        yield from plain.excludes
        for base in plain.bases:
            yield from _exclusions(schema, base)
