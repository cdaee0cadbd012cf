"""Objects with unions in them, flattened: one leaf per combination of variants, with its merged fields and its name.

The name of a variant of a union U is the first of these:

0. its `x-name`; the name from the other rules stays as an alias;
1. the name of its payload definition, if only this variant uses that definition and the union adds no properties;
2. with a payload and if the union adds nothing, the tag (`Chunk` with the tag `user_chunk` is `UserChunk`), or U + tag
   if that name is taken;
3. U + tag, U + title, or U + payload.

A union inside a variant is flattened under the variant's name; there, leaves that differ in only one constant are
merged. Names depend on the enclosing definition, never on the order.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ... import diagnostics
from ...limits import PROPERTIES, TAKEN_OVER, VARIANTS
from ..algebra.discriminators import single, tag_of
from ..algebra.intersect import ClashError, merge_fields
from ..algebra.structure import Structure, payload_of
from ..nodes.capabilities import fields
from ..nodes.types import Field, Object, Reference, Schema, Type, Union, Variant
from .leaves import Name, RawLeaf, ShapeError, merge_constants, over
from .wire_names import NameError_, pascal


class Flattener:
    """Flattens the object types of one schema, with a cache."""

    def __init__(self, schema: Schema, structure: Structure) -> None:
        self.schema = schema
        self.structure = structure
        self._leaves: dict[str, tuple[RawLeaf, ...]] = {}
        self._active: list[str] = []
        self._taken = 0

    def definition(self, name: str) -> tuple[RawLeaf, ...]:
        """The leaves of a definition that is an object or a union of objects."""
        if name not in self._leaves:
            definition = self.schema.definitions[name]
            if name in self._active:
                raise ShapeError(
                    definition.pointer, "the definition contains itself as a variant or a base", diagnostics.CIRCULAR
                )
            self._active.append(name)
            leaves = self.expand(definition.type, name, definition.pointer)
            self._leaves[name] = merge_constants(leaves, name) if name in self.structure.inner else leaves
            self._active.pop()
        return self._leaves[name]

    def expand(self, type_: Type, owner: str, pointer: str) -> tuple[RawLeaf, ...]:
        """The leaves of an object type. `owner`: its definition, or the name given to an inline type."""
        match type_:
            case Reference(name):
                return self.definition(name)
            case Union():
                return self._union(type_, owner, adds=False)
            case Object():
                return self._object(type_, owner, pointer)
            case _:
                raise ShapeError(pointer, "expected an object here")

    # --- objects ---------------------------------------------------------------------------------------------------

    def _object(self, type_: Object, owner: str, pointer: str) -> tuple[RawLeaf, ...]:
        own = RawLeaf(
            fields=type_.fields,
            name=Name(owner),
            pointer=pointer,
            excludes=type_.excludes,
            extra=type_.extra,
            closed=type_.closed,
        )
        self._count(len(type_.fields), pointer, taken=0)
        adds = bool(type_.fields or type_.bases)
        factors = [self.expand(base, owner, pointer) for base in type_.bases]
        factors += [self._union(union, owner, adds=adds or len(type_.unions) > 1) for union in type_.unions]
        leaves: tuple[RawLeaf, ...] = (own,)
        for factor in factors:
            leaves = self._product(leaves, factor, owner, pointer)
        return leaves

    def _product(
        self, left: Iterable[RawLeaf], right: tuple[RawLeaf, ...], owner: str, pointer: str
    ) -> tuple[RawLeaf, ...]:
        found: list[RawLeaf] = []
        clash: ClashError | None = None
        for one in left:
            for other in right:
                if len(found) == VARIANTS.most:
                    raise over(pointer, VARIANTS)
                try:
                    found.append(self._both(one, other, owner))
                except ClashError as error:
                    clash = error
                    continue
                self._count(len(found[-1].fields), pointer)
        if not found:
            raise ShapeError(pointer, f"no object can satisfy all parts of this: {clash}", diagnostics.UNSATISFIABLE)
        return tuple(found)

    def _count(self, fields: int, pointer: str, *, taken: int | None = None) -> None:
        """Count the properties of a leaf, including inherited ones, against the limit."""
        self._taken += fields if taken is None else taken
        if fields > PROPERTIES.most:
            raise over(pointer, PROPERTIES)
        if self._taken > TAKEN_OVER.most:
            raise over(pointer, TAKEN_OVER)

    def _both(self, one: RawLeaf, other: RawLeaf, owner: str) -> RawLeaf:
        label = one.label + other.label
        plain = not one.fields and one.extra is None and not one.closed and not one.excludes
        return RawLeaf(
            fields=self._merge(one.fields, other.fields),
            name=other.name if plain and not one.label else Name(owner, label),
            pointer=other.pointer if one.pointer in other.pointer else one.pointer,
            label=label,
            excludes=(*one.excludes, *other.excludes),
            extra=_first(one.extra, other.extra),
            closed=one.closed or other.closed,
            tag=one.tag or other.tag,
            own_tag=one.own_tag or other.own_tag,
            steps=max(one.steps, other.steps),
            indices=(*one.indices, *other.indices),
            title=other.title or one.title,
            description=other.description or one.description,
            capability=one.capability or other.capability,
            update=one.update or other.update,
            call=one.call or other.call,
        )

    def _merge(self, first: tuple[Field, ...], second: tuple[Field, ...]) -> tuple[Field, ...]:
        merged = {field.name: field for field in first}
        for field in second:
            if field.name in merged:
                merged[field.name] = merge_fields(merged[field.name], field, self.schema.resolve)
            else:
                merged[field.name] = field
        return tuple(merged.values())

    # --- unions ----------------------------------------------------------------------------------------------------

    def _union(self, union: Union, owner: str, *, adds: bool) -> tuple[RawLeaf, ...]:
        tag = tag_of(single(fields(self.schema, variant.type)) for variant in union.variants)
        leaves: list[RawLeaf] = []
        for index, variant in enumerate(union.variants):
            leaves += [
                msgspec.structs.replace(leaf, indices=(index, *leaf.indices)) if union.exclusive else leaf
                for leaf in self._variant(variant, owner, tag, adds=adds)
            ]
            if len(leaves) > VARIANTS.most:
                raise over(variant.pointer, VARIANTS)
        return tuple(leaves)

    def _variant(self, variant: Variant, owner: str, tag: str | None, *, adds: bool) -> Iterable[RawLeaf]:
        payload, added = payload_of(variant.type)
        nested = self._nested(variant, owner, payload, added)
        constant = self._constant(nested, tag)
        own = isinstance(variant.type, Reference)
        label = self._label(variant, constant, payload)
        # A plain reference that the union adds nothing to, not even a place to keep a tag, needs no class of its own.
        alone = payload is not None and (
            self.structure.uses[payload] == 1 or (own and (constant is not None or tag is None))
        )
        for leaf in nested:
            is_open = bool(leaf.excludes)
            separate = variant.name is not None or (owner, label + leaf.label) in self.structure.separate
            if alone and not separate and not adds and len(added) <= 1 and not is_open:
                name = leaf.name
            elif payload is not None and not adds and constant is not None and not leaf.label and not is_open:
                name = Name(owner, label, short=pascal(constant))
            else:
                name = Name(owner, label + leaf.label)
            if not label and not is_open:
                raise ShapeError(
                    variant.pointer,
                    "a variant without a constant of its own needs a `title` as its name",
                    diagnostics.UNNAMED,
                )
            yield msgspec.structs.replace(
                leaf,
                name=name if variant.name is None else self._given(variant, name, len(nested)),
                label=label + leaf.label,
                tag=(tag, constant) if tag is not None and constant is not None else leaf.tag,
                own_tag=own and constant is not None,
                steps=leaf.steps + 1,
                pointer=variant.pointer,
                title=variant.title or leaf.title,
                description=variant.description or leaf.description,
                capability=variant.capability or leaf.capability,
                update=variant.update or leaf.update,
                call=variant.call or leaf.call,
            )

    def _given(self, variant: Variant, name: Name, leaves: int) -> Name:
        """The name of a leaf with the schema's explicit name, which requires a variant with exactly one leaf."""
        if leaves > 1:
            raise ShapeError(
                variant.pointer,
                f"the variant becomes {leaves} classes, so it cannot have one `x-name`",
                diagnostics.EXTENSION_VALUE,
                instead="remove `x-name`, and name its variants",
            )
        return msgspec.structs.replace(name, given=variant.name)

    def _nested(
        self, variant: Variant, owner: str, payload: str | None, added: tuple[Field, ...]
    ) -> tuple[RawLeaf, ...]:
        """The leaves of a variant, with their names from its payload."""
        if payload is None:
            leaves = self.expand(variant.type, owner, variant.pointer)
            return merge_constants(leaves, owner) if len(leaves) > 1 else leaves
        inner = self.definition(payload)
        if not added:
            return inner
        constants = RawLeaf(fields=added, name=Name(owner), pointer=variant.pointer)
        named: list[RawLeaf] = []
        for leaf in inner:
            (both,) = self._product([constants], (leaf,), owner, variant.pointer)
            named.append(msgspec.structs.replace(both, name=leaf.name, label=leaf.label))
        return tuple(named)

    def _constant(self, leaves: tuple[RawLeaf, ...], tag: str | None) -> str | None:
        """The tag's value, if it is the same string in all leaves of a variant."""
        if tag is None:
            return None
        found = {values[0].constant for leaf in leaves if len(values := leaf.constants().get(tag, ())) == 1}
        value = next(iter(found)) if len(found) == 1 else None
        complete = all(tag in leaf.constants() for leaf in leaves)
        return value if isinstance(value, str) and complete else None

    def _label(self, variant: Variant, constant: str | None, payload: str | None) -> str:
        try:
            return pascal(constant or variant.title or payload or "")
        except NameError_:
            if constant or variant.title:
                raise ShapeError(
                    variant.pointer, f"{constant or variant.title!r} cannot name a class", diagnostics.NAME
                ) from None
            return ""


def _first(left: Type | None, right: Type | None) -> Type | None:
    return left if left is not None else right
