"""JSON Schema to `Type`, one node at a time, with every keyword handled.

`TypeReader.type` returns the type or raises SchemaError at a keyword that is invalid or unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from .. import diagnostics
from ..document.json_types import is_json_array, is_json_object
from ..document.keywords import (
    BY_TYPE,
    GENERAL,
    TYPED,
    Place,
)
from ..document.read import Document, join, pointer_parts
from ..errors import SchemaError, quoted
from ..model.algebra.intersect import ClashError, admits_null, intersect, is_object, merge_fields
from ..model.nodes import types as t
from .nodes import Node
from .objects import REQUIRED, ObjectReader, negated
from .scalars import bounded, count, number, string
from .tolerance import wider

_OBJECT = BY_TYPE["object"]
_KIND_OF: tuple[tuple[type, str], ...] = (
    (t.Integer, "integer"),
    (t.Number, "number"),
    (t.String, "string"),
    (t.Array, "array"),
)
_NOT = "`not` is only supported in a variant that is an object"


class TypeReader(ObjectReader):
    """Reads the types of one document. `definition` returns the type of a definition and loads it on first use."""

    def __init__(
        self, document: Document, names: frozenset[str], definition: Callable[[str], t.Type], *, tolerant: bool = False
    ) -> None:
        super().__init__(document, names, tolerant=tolerant)
        self.definition = definition
        self.exact = not tolerant

    def resolve(self, type_: t.Type) -> t.Type:
        """A type with references at its root followed."""
        while isinstance(type_, t.Reference):
            type_ = self.definition(type_.name)
        return type_

    def type(self, node: Any, pointer: str, place: Place = "inner") -> t.Type:
        """The type of a schema node. For a tolerant reader, unreadable parts become the nearest wider type."""
        if self.exact:
            return self._exactly(node, pointer, place)
        while True:
            try:
                return self._exactly(node, pointer, place)
            except SchemaError as error:
                self.report(error)
                less = wider(node, pointer, error.pointer or "")
                if less == node:
                    return t.Anything()
                node = less

    def _exactly(self, node: Any, pointer: str, place: Place) -> t.Type:
        if node is True:
            return t.Anything()
        if node is False:
            problem = "`false` accepts no value; only `additionalProperties` may be false"
            raise self.error(pointer, problem, diagnostics.UNSATISFIABLE, instead="leave it out")
        if not is_json_object(node):
            problem = f"expected a schema (an object or true), got {quoted(node)}"
            raise self.error(pointer, problem, diagnostics.NOT_DRAFT, instead=_schema_advice(node, pointer))
        self.check_keywords(node, pointer, place)
        parts: list[t.Type] = [self.reference(node, pointer)] if "$ref" in node else []
        members = list(enumerate(self.list_of(node, pointer, "allOf")))
        for index, part in sorted(members, key=lambda member: _is_untyped(member[1])):
            where = join(pointer, "allOf", index)
            whole = (
                {**part, "type": self._type_beside(node, pointer, part, where, parts)} if _is_untyped(part) else part
            )
            parts.append(self.type(whole, where))
        if "enum" in node or "const" in node:
            parts.append(self.constants(node, pointer))
        choices = [self.union(node, pointer, keyword) for keyword in ("oneOf", "anyOf") if keyword in node]
        try:
            return self._combine(node, pointer, parts, choices)
        except ClashError as error:
            raise self.error(pointer, str(error), error.fault) from None

    def _type_beside(self, node: Node, pointer: str, part: Node, where: str, parts: list[t.Type]) -> str:
        """The type name that a bounds-only member of `allOf` implies, from the whole node or from earlier members."""
        names = self.type_names(node, pointer)
        used = [keyword for keyword in part if keyword in TYPED]
        return names[0] if len(names) == 1 else self._implied_type(where, used, parts, [])[0]

    # --- putting the keywords of one node together ---------------------------------------------------------------

    def _combine(self, node: Node, pointer: str, parts: list[t.Type], choices: list[t.Type]) -> t.Type:
        names = self.type_names(node, pointer)
        nullable = "null" in names and len(names) > 1
        used = [keyword for keyword in node if keyword in TYPED]
        self._check_typed(used, names, pointer)
        if nullable and (parts or choices):
            return self._combine_nullable(node, pointer, names, parts, choices)
        names = [name for name in names if name != "null"] if nullable else names
        if not names and used:
            names = self._implied_type(pointer, used, parts, choices)
            self._check_typed(used, names, pointer)
        type_ = self._by_names(node, pointer, names, parts, choices)
        if "not" in node:
            if not isinstance(type_, t.Object):
                raise self.error(pointer, _NOT, diagnostics.CONSTRUCT, "not")
            type_ = self._without(type_, node, pointer)
        return t.Nullable(type_) if nullable else type_

    def _without(self, type_: t.Object, node: Node, pointer: str) -> t.Object:
        """An object without the constants that `not` excludes."""
        found = list(negated(self, node["not"], join(pointer, "not"), partial(self._exactly, place="inner")))
        fields = {field.name: field for field in type_.fields}
        for part in found:
            if isinstance(part, t.Field):
                fields[part.name] = merge_fields(fields.get(part.name, part), part, self.resolve)
        return replace(
            type_,
            fields=tuple(fields.values()),
            excludes=tuple(part for part in found if isinstance(part, t.Exclusion)),
        )

    def _check_typed(self, used: list[str], names: list[str], pointer: str) -> None:
        """Check that every keyword applies to one of the types that a node states or implies."""
        known = {"format"}.union(*(BY_TYPE[name] for name in names))  # a format never rejects, so it may stand anywhere
        strange = next((keyword for keyword in used if names and keyword not in known), None)
        if strange is not None:
            problem = f"`{strange}` has no effect on the type {' or '.join(names)}"
            way = REQUIRED if strange == "required" else ""
            raise self.error(pointer, problem, diagnostics.MISPLACED, strange, way)

    def _combine_nullable(
        self, node: Node, pointer: str, names: list[str], parts: list[t.Type], choices: list[t.Type]
    ) -> t.Type:
        """`type: [X, null]` beside constants or unions."""
        if "not" in node:
            raise self.error(pointer, _NOT, diagnostics.CONSTRUCT, "not")
        plain = [self._typed(node, pointer, name) for name in names if name != "null"]
        base: t.Type = plain[0] if len(plain) == 1 else _union_of(plain)
        whole: t.Type = t.Nullable(base)
        for part in (*parts, *choices):
            whole = intersect(whole, part, self.resolve)
        if "$ref" in node and not admits_null(whole, self.resolve):
            self.warnings.append((pointer, "`type` lists null, but the target of `$ref` rejects it"))
        return whole

    def _by_names(
        self, node: Node, pointer: str, names: list[str], parts: list[t.Type], choices: list[t.Type]
    ) -> t.Type:
        if names == ["object"]:
            return self.object(node, pointer, parts, choices)
        typed = [self._typed(node, pointer, name) for name in names]
        whole: t.Type = t.Anything() if not typed else typed[0] if len(typed) == 1 else _union_of(typed)
        for part in (*parts, *choices):
            whole = intersect(whole, part, self.resolve)
        return whole

    def _implied_type(self, pointer: str, used: list[str], parts: list[t.Type], choices: list[t.Type]) -> list[str]:
        """The type that other keywords of the node imply, so that a bound beside a `$ref` needs no `type`."""
        for part in (*parts, *choices):
            if is_object(part, self.resolve) or isinstance(self.resolve(part), t.Map):
                return ["object"]
            for kind, name in _KIND_OF:
                if isinstance(self.resolve(part), kind):
                    return [name]
        problem = f"`{used[0]}` without `type` accepts values of every other type"
        (belongs, *_) = [name for name, keywords in BY_TYPE.items() if used[0] in keywords]
        raise self.error(pointer, problem, diagnostics.CONSTRUCT, used[0], f'add "type": "{belongs}"')

    def _plain(self, name: str) -> t.Type:
        plain: dict[str, t.Type] = {
            "integer": t.Integer(),
            "number": t.Number(),
            "string": t.String(),
            "boolean": t.Boolean(),
            "null": t.Null(),
            "array": t.Array(t.Anything()),
            "object": t.Object(),
        }
        return plain[name]

    def _typed(self, node: Node, pointer: str, name: str) -> t.Type:
        match name:
            case "integer" | "number":
                return number(self, node, pointer, t.Integer if name == "integer" else t.Number)
            case "string":
                return string(self, node, pointer)
            case "array":
                return self._array(node, pointer)
            case "object":
                return self.object(node, pointer, [], [])
            case _:
                return self._plain(name)

    # --- the types ------------------------------------------------------------------------------------------------

    def _array(self, node: Node, pointer: str) -> t.Type:
        items = node.get("items", True)
        prefix = self.list_of(node, pointer, "prefixItems")
        if items is False:
            if not prefix:
                problem = "`items: false` without `prefixItems` accepts only the empty array"
                raise self.error(pointer, problem, diagnostics.CONSTRUCT, "items", "state the type of the items")
            problem = "`items: false` is not supported"
            raise self.error(pointer, problem, diagnostics.CONSTRUCT, "items", "bound the array with `maxItems`")
        type_ = t.Array(
            self.type(items, join(pointer, "items")),
            prefix=tuple(self.type(item, join(pointer, "prefixItems", i)) for i, item in enumerate(prefix)),
            min_items=count(self, node, pointer, "minItems"),
            max_items=count(self, node, pointer, "maxItems"),
        )
        return bounded(self, node, pointer, type_)


def _is_untyped(part: object) -> bool:
    """Return whether a member of `allOf` constrains a type that another member states."""
    return is_json_object(part) and bool(TYPED & part.keys()) and GENERAL.isdisjoint(part)


def _schema_advice(node: object, pointer: str) -> str:
    """The advice for a value that is not a schema."""
    *_, place, name = pointer_parts(pointer)
    if name in GENERAL | TYPED | {"description", "title"} and place == "properties":
        return f"move `{name}` out of `properties`, beside it"
    if name == "items" and is_json_array(node):
        return "write `prefixItems` for a list of schemas, and `items` for the schema of all other items"
    if isinstance(node, str):
        return 'write {"type": ...}, or {"$ref": "#/$defs/..."} for a definition'
    return "write an object with `type`, `$ref` or the like; {} is any value"


def _union_of(types: Iterable[t.Type]) -> t.Union:
    return t.Union(tuple(t.Variant(type=type_, pointer="") for type_ in types))
