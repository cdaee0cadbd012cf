"""Objects: properties, required ones, the rule for undeclared ones, and `not`.

`not` of an object excludes constants of a property, or lists its only allowed ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from .. import diagnostics
from ..document.json_types import is_json_array, is_json_object
from ..document.keywords import ANNOTATIONS, DEFAULT_ON_ERROR, DEFAULT_ON_NULL, SKIP_INVALID
from ..document.read import join
from ..errors import quoted
from ..model.algebra.intersect import ClashError, as_base, is_object
from ..model.nodes.types import Anything, Array, Enumeration, Exclusion, Field, Map, Object, Reference, Type, Union
from ..model.nodes.walk import plain
from .nodes import Node, NodeReader
from .unions import UnionReader
from .updates import update

REQUIRED = "list the property's name in `required` of its object"
ReadType = Callable[[Any, str], Type]
_FORM = "`not` must be an object with one required property that is a constant, or `anyOf` of such objects"
# msgspec writes the names of properties as they are, so it refuses those that JSON would have to escape.
_UNWRITABLE = re.compile(r'["\\\x00-\x1f]')


class ObjectReader(UnionReader):
    """Reads `properties` and the related keywords."""

    def object(self, node: Node, pointer: str, parts: list[Type], choices: list[Type]) -> Type:
        """An object, including the types from `allOf`, `$ref` and unions beside its properties. Raises ClashError."""
        fields = self._fields(node, pointer)
        extra, closed = self._undeclared(node, pointer, alone=not parts and not choices)
        if not fields and not parts and not choices and extra is not None and "not" not in node:
            return Map(extra)
        unions: list[Union] = []
        bases: list[Reference | Object] = []
        for choice in choices:
            if isinstance(choice, Union) and is_object(choice, self.resolve):
                unions.append(choice)
            elif is_object(choice, self.resolve):
                bases.append(as_base(choice))
            else:
                raise ClashError("the variants of a union beside `properties` must be objects", diagnostics.CONSTRUCT)
        for part in parts:
            if not is_object(part, self.resolve) and not isinstance(self.resolve(part), Map):
                raise ClashError("an object cannot also be something else")
            bases.append(as_base(part if isinstance(part, Reference) else self.resolve(part)))
        return Object(fields=fields, bases=tuple(bases), unions=tuple(unions), extra=extra, closed=closed)

    def _fields(self, node: Node, pointer: str) -> tuple[Field, ...]:
        properties = node.get("properties", {})
        required = node.get("required", [])
        if not is_json_object(properties):
            problem = f"`properties` must be an object, not {quoted(properties)}"
            way = 'write {"name": {...}}, a schema by name'
            raise self.error(pointer, problem, diagnostics.NOT_DRAFT, "properties", way)
        if not is_json_array(required) or not all(isinstance(name, str) for name in required):
            problem = f"`required` must be a list of property names, not {quoted(required)}"
            raise self.error(pointer, problem, diagnostics.NOT_DRAFT, "required", REQUIRED)
        if len(set(required)) != len(required):
            raise self.error(
                pointer, "`required` names a property twice", diagnostics.NOT_DRAFT, "required", "name it once"
            )
        names: list[str] = required
        places = [(name, join(pointer, "properties", name)) for name in properties]
        places += [(name, join(pointer, "required", index)) for index, name in enumerate(names)]
        for name, at in places:
            if _UNWRITABLE.search(name):
                problem = "a property name must not contain quotes, backslashes or control characters"
                raise self.error(at, problem, diagnostics.NAME)
        declared = [
            self._attempted(name, schema, join(pointer, "properties", name), required=name in required)
            for name, schema in properties.items()
        ]
        elsewhere = [
            Field(name=name, type=Anything(), required=True, pointer=join(pointer, "required", index))
            for index, name in enumerate(required)
            if name not in properties
        ]
        return (*declared, *elsewhere)

    def _attempted(self, name: str, schema: Any, pointer: str, *, required: bool) -> Field:
        """A property. If it is invalid, its error is reported and its type is any, so that the rest of the object can
        be read.
        """
        found = self.attempt(partial(self._field, name, schema, pointer, required=required))
        return found or Field(name=name, type=Anything(), required=required, pointer=pointer)

    def _field(self, name: str, schema: Any, pointer: str, *, required: bool) -> Field:
        type_ = self.type(schema, pointer, "property")
        node: Node = schema if is_json_object(schema) else {}
        field = Field(
            name=name,
            type=type_,
            required=required,
            pointer=pointer,
            description=self.text(node, pointer, "description"),
            default=node.get("default"),
            has_default="default" in node,
            default_on_error=self.flag(node, pointer, DEFAULT_ON_ERROR),
            default_on_null=self.flag(node, pointer, DEFAULT_ON_NULL),
            skip_invalid_items=self.flag(node, pointer, SKIP_INVALID),
            rfd=self.text(node, pointer, "x-rfd"),
            capability=self.text(node, pointer, "x-capability"),
            deprecated=self.flag(node, pointer, "deprecated"),
            update=update(self, node, pointer),
        )
        # Nothing is resolved unless it must be: a property may hold the definition it belongs to.
        if field.skip_invalid_items and not isinstance(plain(type_, self.resolve), Array):
            raise self.error(pointer, f"`{SKIP_INVALID}` belongs to an array", diagnostics.MISPLACED, SKIP_INVALID)
        return field

    def _undeclared(self, node: Node, pointer: str, *, alone: bool) -> tuple[Type | None, bool]:
        """The handling of undeclared properties: their type if they are kept, and whether they are rejected."""
        found = [k for k in ("additionalProperties", "unevaluatedProperties") if k in node]
        if not found:
            return None, False
        if len(found) == 2:
            problem = "`additionalProperties` and `unevaluatedProperties` cannot be combined"
            raise self.error(pointer, problem, diagnostics.CONSTRUCT, found[1], "keep one of them")
        keyword, value = found[0], node[found[0]]
        if keyword == "additionalProperties" and value is not True and not alone:
            problem = "`additionalProperties` ignores the properties of `$ref`, `allOf` and unions beside it"
            raise self.error(pointer, problem, diagnostics.MISPLACED, keyword, "write `unevaluatedProperties`")
        if value is False:
            return None, True
        return self.type(value, join(pointer, keyword)), False


def negated(reader: NodeReader, node: Any, pointer: str, read: ReadType) -> Iterator[Exclusion | Field]:
    """The meaning of a `not`: excluded constants, and properties with only one allowed constant. Raises SchemaError.

    For example, `not` with `{"required": ["p"], "properties": {"p": {"not": {"const": "c"}}}}` allows only the constant
    c.
    """
    members: list[tuple[Any, str]] = [(node, pointer)]
    if is_json_object(node) and set(node) == {"anyOf"} and is_json_array(node["anyOf"]):
        members = [(member, join(pointer, "anyOf", index)) for index, member in enumerate(node["anyOf"])]
    for member, at in members:
        name, schema = _sole_property(reader, member, at)
        inside = join(at, "properties", name)
        only = is_json_object(schema) and set(schema) - ANNOTATIONS == {"not"}
        constants = read(schema["not"], join(inside, "not")) if only else read(schema, inside)
        if not isinstance(constants, Enumeration) or constants.base is not None:
            raise reader.error(at, _FORM, diagnostics.CONSTRUCT)
        if only:
            yield Field(name=name, type=constants, required=False, pointer=inside)
        else:
            yield from (Exclusion(name, value.constant) for value in constants.values)


def _sole_property(reader: NodeReader, node: Any, pointer: str) -> tuple[str, Any]:
    if not is_json_object(node) or set(node) - ANNOTATIONS - {"type", "properties", "required"}:
        raise reader.error(pointer, _FORM, diagnostics.CONSTRUCT)
    properties = node.get("properties")
    if not is_json_object(properties) or len(properties) != 1 or node.get("required") != list(properties):
        raise reader.error(pointer, _FORM, diagnostics.CONSTRUCT)
    if node.get("type", "object") != "object":
        raise reader.error(pointer, _FORM, diagnostics.CONSTRUCT)
    return next(iter(properties.items()))
