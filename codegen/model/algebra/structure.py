"""The classes of a schema's parts, derived from the whole schema so that every projection has the same ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from ..nodes.types import Enumeration, Field, Object, Reference, Schema, Type, Union
from ..nodes.walk import aspects, references
from .intersect import is_object


class Structure(Struct, frozen=True):
    """The classes of a whole schema's parts, which every projection of it shares. `uses`: the number of references to
    each definition. `inner`: unions whose leaves differ in more than a constant. `separate`: variants, by definition
    and label, that have their own class even if their payload is also used elsewhere.
    """

    uses: Mapping[str, int]
    inner: frozenset[str]
    separate: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(
        cls, whole: Schema, base: Schema | None = None, separate: frozenset[tuple[str, str]] = frozenset()
    ) -> Structure:
        """The structure of a schema. `base`, the schema without extensions, alone determines the layout of its
        unions.
        """
        uses = Counter(name for d in whole.definitions.values() for name in references(d.type))
        uses.update(name for method in whole.methods for name in (method.params, method.result) if name)
        inner = frozenset(_inner_definitions(whole))
        if base is not None:
            inner = (inner - base.definitions.keys()) | frozenset(_inner_definitions(base))
        return cls(uses, inner, separate)


def payload_of(type_: Type) -> tuple[str | None, tuple[Field, ...]]:
    """The definition that a variant refers to, and the constants that it adds; None if it adds anything else."""
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
    """Definitions that are unions of objects and payloads of another union's variants."""
    for definition in whole.definitions.values():
        for union in _unions(definition.type):
            for variant in union.variants:
                payload, _ = payload_of(variant.type)
                if payload is not None and is_object(Reference(payload), whole.resolve):
                    yield payload


def _unions(type_: Type) -> Iterable[Union]:
    """The unions in a type that contribute to its leaves."""
    if isinstance(type_, Union):
        yield type_
    if isinstance(type_, (Object, Union)):
        for part in aspects(type_):
            yield from _unions(part)
