"""Gates of parts inside definitions, for a file that states none: taken from our own schema by name and tag.

`schema.borrow` does this for methods and their params; a diff needs it for every variant, value and property.
"""

from __future__ import annotations

import msgspec

from ..schema.capabilities import resolve_gate
from ..schema.model import (
    Array,
    Definition,
    Enumeration,
    Field,
    Map,
    Nullable,
    Object,
    Reference,
    Schema,
    Type,
    Union,
    Value,
    Variant,
)
from .views import Views

SIDES = ("agent", "client")


def with_gates(schema: Schema, ours: Schema) -> Schema:
    """The schema with every gate of ours that has a place in it and points at something there."""
    return _Borrower(schema, ours).schema()


class _Borrower:
    def __init__(self, schema: Schema, ours: Schema) -> None:
        self.given, self.views, self.others = schema, Views(schema), Views(ours)

    def schema(self) -> Schema:
        definitions = {name: self._definition(d) for name, d in self.given.definitions.items()}
        return msgspec.structs.replace(self.given, definitions=definitions)

    def _definition(self, definition: Definition) -> Definition:
        other = self.others.schema.definitions.get(definition.name)
        if other is None:
            return definition
        return msgspec.structs.replace(definition, type=self._type(definition.type, other.type))

    def _fits(self, gate: str | None) -> str | None:
        if gate is None or not any(resolve_gate(self.given, side, gate) for side in SIDES):
            return None
        return gate

    def _type(self, given: Type, other: Type) -> Type:
        match given, other:
            case Nullable(inner), Nullable(inner=facing):
                return Nullable(self._type(inner, facing))
            case Array(), Array():
                return msgspec.structs.replace(given, items=self._type(given.items, other.items))
            case Map(values), Map(values=facing):
                return Map(self._type(values, facing))
            case Enumeration(), Enumeration():
                gates = {repr(value.constant): value.capability for value in other.values}
                return msgspec.structs.replace(given, values=tuple(self._value(v, gates) for v in given.values))
            case Union(), Union():
                return self._union(given, other)
            case Object(), Object():
                fields = {field.name: field for field in other.fields}
                unions = [self._union(a, b) for a, b in zip(given.unions, other.unions, strict=False)]
                return msgspec.structs.replace(
                    given,
                    fields=tuple(self._field(field, fields.get(field.name)) for field in given.fields),
                    unions=(*unions, *given.unions[len(unions) :]),
                )
            case _:
                return given

    def _field(self, field: Field, other: Field | None) -> Field:
        if other is None:
            return field
        gate = field.capability or self._fits(other.capability)
        return msgspec.structs.replace(field, capability=gate, type=self._type(field.type, other.type))

    def _value(self, value: Value, gates: dict[str, str | None]) -> Value:
        return msgspec.structs.replace(value, capability=self._fits(gates.get(repr(value.constant))))

    def _union(self, given: Union, other: Union) -> Union:
        facing = {self._key(self.others, variant): variant for variant in other.variants}
        return msgspec.structs.replace(
            given,
            variants=tuple(self._variant(v, facing.get(self._key(self.views, v))) for v in given.variants),
        )

    def _variant(self, variant: Variant, other: Variant | None) -> Variant:
        if other is None:
            return variant
        return msgspec.structs.replace(variant, capability=variant.capability or self._fits(other.capability))

    def _key(self, views: Views, variant: Variant) -> object:
        """What a variant is known by: its constants, else its definition, else its title."""
        if views.is_object(variant.type):
            constants = views.view(variant.type).constants()
            if constants:
                return tuple(sorted((name, repr(value)) for name, value in constants.items()))
        return variant.type.name if isinstance(variant.type, Reference) else variant.title
