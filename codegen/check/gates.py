"""Gates and RFDs of parts inside definitions, for a file that states none: taken from another schema by name and tag.

`schema.borrow` does this for the gates of methods and their params; a diff needs it for every variant, value and property.
RFDs are taken only from the file that is compared with: what is in progress is a fact of a file, not of the protocol.
"""

from __future__ import annotations

import msgspec

from ..model.capabilities import resolve_gate
from ..model.types import (
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
from ..model.wireform import WireForms

SIDES = ("agent", "client")


def with_gates(schema: Schema, ours: Schema, *, rfds: bool = False) -> Schema:
    """The schema with every gate of ours that has a place in it and points at something there; `rfds`: the RFDs too."""
    return _Borrower(schema, ours, rfds=rfds and schema.rfds is None).schema()


class _Borrower:
    def __init__(self, schema: Schema, ours: Schema, *, rfds: bool) -> None:
        self.given, self.forms, self.others, self.rfds = schema, WireForms(schema), WireForms(ours), rfds

    def schema(self) -> Schema:
        definitions = {name: self._definition(d) for name, d in self.given.definitions.items()}
        found = msgspec.structs.replace(self.given, definitions=definitions)
        if not self.rfds:
            return found
        brought = {method.key: method.rfd for method in self.others.schema.methods}
        methods = tuple(msgspec.structs.replace(m, rfd=brought.get(m.key)) for m in found.methods)
        return msgspec.structs.replace(found, methods=methods, rfds=self.others.schema.rfds)

    def _rfd(
        self, part: Definition | Field | Value | Variant, other: Definition | Field | Value | Variant
    ) -> str | None:
        return other.rfd if self.rfds else part.rfd

    def _definition(self, definition: Definition) -> Definition:
        other = self.others.schema.definitions.get(definition.name)
        if other is None:
            return definition
        return msgspec.structs.replace(
            definition, type=self._type(definition.type, other.type), rfd=self._rfd(definition, other)
        )

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
                known = {repr(value.constant): value for value in other.values}
                return msgspec.structs.replace(
                    given, values=tuple(self._value(v, known.get(repr(v.constant))) for v in given.values)
                )
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
        return msgspec.structs.replace(
            field, capability=gate, rfd=self._rfd(field, other), type=self._type(field.type, other.type)
        )

    def _value(self, value: Value, other: Value | None) -> Value:
        if other is None:
            return value
        return msgspec.structs.replace(value, capability=self._fits(other.capability), rfd=self._rfd(value, other))

    def _union(self, given: Union, other: Union) -> Union:
        facing = {self._key(self.others, variant): variant for variant in other.variants}
        return msgspec.structs.replace(
            given,
            variants=tuple(self._variant(v, facing.get(self._key(self.forms, v))) for v in given.variants),
        )

    def _variant(self, variant: Variant, other: Variant | None) -> Variant:
        if other is None:
            return variant
        gate = variant.capability or self._fits(other.capability)
        return msgspec.structs.replace(variant, capability=gate, rfd=self._rfd(variant, other))

    def _key(self, forms: WireForms, variant: Variant) -> object:
        """What a variant is known by: its constants, else its definition, else its title."""
        if forms.is_object(variant.type):
            constants = forms.form(variant.type).constants()
            if constants:
                return tuple(sorted((name, repr(value)) for name, value in constants.items()))
        return variant.type.name if isinstance(variant.type, Reference) else variant.title
