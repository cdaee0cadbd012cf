"""Objects: properties, which of them are required, and what happens to those that are not declared."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from .. import faults
from ..document.jsonvalue import is_json_array, is_json_object
from ..document.keywords import DEFAULT_ON_ERROR, DEFAULT_ON_NULL, SKIP_INVALID
from ..document.read import join
from ..errors import quoted
from ..model.combine import ClashError, as_base, is_object
from ..model.types import Anything, Array, Field, Map, Nullable, Object, Reference, Type, Union
from .nodes import Node
from .unions import UnionReader
from .updates import update

REQUIRED = "list the property's name in `required` of the object that holds it"
# msgspec writes the names of properties as they are, so it refuses those that JSON would have to escape.
_UNWRITABLE = re.compile(r'["\\\x00-\x1f]')


class ObjectReader(UnionReader):
    """Reads `properties` and what belongs to them."""

    def object(self, node: Node, pointer: str, parts: list[Type], choices: list[Type]) -> Type:
        """An object, with the types that `allOf`, `$ref` and unions beside its properties add; raises ClashError."""
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
                raise ClashError("the members of a union beside `properties` must be objects", faults.CONSTRUCT)
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
            raise self.error(pointer, problem, faults.NOT_DRAFT, "properties", way)
        if not is_json_array(required) or not all(isinstance(name, str) for name in required):
            problem = f"`required` must be a list of property names, not {quoted(required)}"
            raise self.error(pointer, problem, faults.NOT_DRAFT, "required", REQUIRED)
        if len(set(required)) != len(required):
            raise self.error(pointer, "`required` names a property twice", faults.NOT_DRAFT, "required", "name it once")
        names: list[str] = required
        places = [(name, join(pointer, "properties", name)) for name in properties]
        places += [(name, join(pointer, "required", index)) for index, name in enumerate(names)]
        for name, at in places:
            if _UNWRITABLE.search(name):
                problem = "a property name may not hold quotes, backslashes or control characters"
                raise self.error(at, problem, faults.NAME)
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
        """A property; one of any type where it cannot be read, so that the rest of the object can."""
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
        if field.skip_invalid_items:  # else nothing is resolved: a property may hold the definition it belongs to
            plain = self.resolve(type_)
            plain = self.resolve(plain.inner) if isinstance(plain, Nullable) else plain
            if not isinstance(plain, Array):
                raise self.error(pointer, f"`{SKIP_INVALID}` belongs to an array", faults.MISPLACED, SKIP_INVALID)
        return field

    def _undeclared(self, node: Node, pointer: str, *, alone: bool) -> tuple[Type | None, bool]:
        """What happens to undeclared properties: their type where they are kept, and whether they are refused."""
        found = [k for k in ("additionalProperties", "unevaluatedProperties") if k in node]
        if not found:
            return None, False
        if len(found) == 2:
            problem = "`additionalProperties` and `unevaluatedProperties` side by side"
            raise self.error(pointer, problem, faults.CONSTRUCT, found[1], "keep one of them")
        keyword, value = found[0], node[found[0]]
        if keyword == "additionalProperties" and value is not True and not alone:
            problem = "`additionalProperties` does not see the properties of `$ref`, `allOf` and unions beside it"
            raise self.error(pointer, problem, faults.MISPLACED, keyword, "write `unevaluatedProperties`")
        if value is False:
            return None, True
        return self.type(value, join(pointer, keyword)), False
