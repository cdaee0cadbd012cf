"""JSON Schema to `Type`: one node, every keyword of it accounted for.

`TypeReader.type` is total: it returns the type or raises SchemaError at the keyword that is wrong or not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from .. import faults
from ..document.jsonvalue import is_json_array, is_json_object
from ..document.keywords import (
    BY_TYPE,
    DEFAULT_ON_ERROR,
    DEFAULT_ON_NULL,
    GENERAL,
    SKIP_INVALID,
    TYPED,
    Place,
)
from ..document.read import Document, join, pointer_parts
from ..errors import SchemaError, quoted
from ..limits import VALUES
from ..model.combine import ClashError, admits, admits_null, as_base, exact, intersect, is_object, merge_fields
from ..model.types import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Exclusion,
    Field,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Object,
    Reference,
    Scalar,
    String,
    Type,
    Union,
    Value,
    Variant,
)
from .negation import negated
from .nodes import Node, NodeReader
from .scalars import bounded, count, number, string
from .tolerance import wider
from .updates import update

_OBJECT = BY_TYPE["object"]
_KIND_OF: tuple[tuple[type, str], ...] = (
    (Integer, "integer"),
    (Number, "number"),
    (String, "string"),
    (Array, "array"),
)
# msgspec writes the names of properties as they are, so it refuses those that JSON would have to escape.
_REQUIRED = "list the property's name in `required` of the object that holds it"
_NOT = "`not` is only understood in a variant that is an object"
_UNWRITABLE = re.compile(r'["\\\x00-\x1f]')


class TypeReader(NodeReader):
    """Reads the types of one document. `definition` gives the type of a definition, loading it on first need."""

    def __init__(
        self, document: Document, names: frozenset[str], definition: Callable[[str], Type], *, tolerant: bool = False
    ) -> None:
        super().__init__(document, names, tolerant=tolerant)
        self.definition = definition
        self.exact = not tolerant

    def resolve(self, type_: Type) -> Type:
        """A type with references at its root followed."""
        while isinstance(type_, Reference):
            type_ = self.definition(type_.name)
        return type_

    def type(self, node: Any, pointer: str, place: Place = "inner") -> Type:
        """The type a schema node stands for; for a tolerant reader of what it cannot read the nearest wider one."""
        if self.exact:
            return self._exactly(node, pointer, place)
        while True:
            try:
                return self._exactly(node, pointer, place)
            except SchemaError as error:
                self.report(error)
                less = wider(node, pointer, error.pointer or "")
                if less == node:
                    return Anything()
                node = less

    def _exactly(self, node: Any, pointer: str, place: Place) -> Type:
        if node is True:
            return Anything()
        if node is False:
            problem = "`false` admits nothing; only `additionalProperties` may be false"
            raise self.error(pointer, problem, faults.UNSATISFIABLE, instead="leave it out")
        if not is_json_object(node):
            problem = f"expected a schema (an object or true), got {quoted(node)}"
            raise self.error(pointer, problem, faults.NOT_DRAFT, instead=_schema_advice(node, pointer))
        self.check_keywords(node, pointer, place)
        parts: list[Type] = [self.reference(node, pointer)] if "$ref" in node else []
        for index, part in enumerate(self.list_of(node, pointer, "allOf")):
            parts.append(self.type(part, join(pointer, "allOf", index)))
        if "enum" in node or "const" in node:
            parts.append(self._constants(node, pointer))
        choices = [self._union(node, pointer, keyword) for keyword in ("oneOf", "anyOf") if keyword in node]
        try:
            return self._combine(node, pointer, parts, choices)
        except ClashError as error:
            raise self.error(pointer, str(error), error.fault) from None

    # --- putting the keywords of one node together ---------------------------------------------------------------

    def _combine(self, node: Node, pointer: str, parts: list[Type], choices: list[Type]) -> Type:
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
            if not isinstance(type_, Object):
                raise self.error(pointer, _NOT, faults.CONSTRUCT, "not")
            type_ = self._without(type_, node, pointer)
        return Nullable(type_) if nullable else type_

    def _without(self, type_: Object, node: Node, pointer: str) -> Object:
        """An object without what `not` keeps out."""
        found = list(negated(self, node["not"], join(pointer, "not"), partial(self._exactly, place="inner")))
        fields = {field.name: field for field in type_.fields}
        for part in found:
            if isinstance(part, Field):
                fields[part.name] = merge_fields(fields.get(part.name, part), part, self.resolve)
        return replace(
            type_,
            fields=tuple(fields.values()),
            excludes=tuple(part for part in found if isinstance(part, Exclusion)),
        )

    def _check_typed(self, used: list[str], names: list[str], pointer: str) -> None:
        """Every keyword must say something about one of the types that a node states or implies."""
        known = {"format"}.union(*(BY_TYPE[name] for name in names))  # a format never rejects, so it may stand anywhere
        strange = next((keyword for keyword in used if names and keyword not in known), None)
        if strange is not None:
            problem = f"`{strange}` says nothing about the type {' or '.join(names)}"
            way = _REQUIRED if strange == "required" else ""
            raise self.error(pointer, problem, faults.MISPLACED, strange, way)

    def _combine_nullable(
        self, node: Node, pointer: str, names: list[str], parts: list[Type], choices: list[Type]
    ) -> Type:
        """`type: [X, null]` beside constants or unions."""
        if "not" in node:
            raise self.error(pointer, _NOT, faults.CONSTRUCT, "not")
        plain = [self._typed(node, pointer, name) for name in names if name != "null"]
        base: Type = plain[0] if len(plain) == 1 else _union_of(plain)
        whole: Type = Nullable(base)
        for part in (*parts, *choices):
            whole = intersect(whole, part, self.resolve)
        if "$ref" in node and not admits_null(whole, self.resolve):
            self.warnings.append((pointer, "`type` names null, but `$ref` does not admit it, so null is refused here"))
        return whole

    def _by_names(self, node: Node, pointer: str, names: list[str], parts: list[Type], choices: list[Type]) -> Type:
        if names == ["object"]:
            return self._object(node, pointer, parts, choices)
        typed = [self._typed(node, pointer, name) for name in names]
        whole: Type = Anything() if not typed else typed[0] if len(typed) == 1 else _union_of(typed)
        for part in (*parts, *choices):
            whole = intersect(whole, part, self.resolve)
        return whole

    def _implied_type(self, pointer: str, used: list[str], parts: list[Type], choices: list[Type]) -> list[str]:
        """The type that other keywords of the node fix, so that a bound beside a `$ref` needs no `type` of its own."""
        for part in (*parts, *choices):
            if is_object(part, self.resolve) or isinstance(self.resolve(part), Map):
                return ["object"]
            for kind, name in _KIND_OF:
                if isinstance(self.resolve(part), kind):
                    return [name]
        problem = f"`{used[0]}` without `type` admits values of every other type"
        (belongs, *_) = [name for name, keywords in BY_TYPE.items() if used[0] in keywords]
        raise self.error(pointer, problem, faults.CONSTRUCT, used[0], f'add "type": "{belongs}"')

    def _plain(self, name: str) -> Type:
        plain: dict[str, Type] = {
            "integer": Integer(),
            "number": Number(),
            "string": String(),
            "boolean": Boolean(),
            "null": Null(),
            "array": Array(Anything()),
            "object": Object(),
        }
        return plain[name]

    def _typed(self, node: Node, pointer: str, name: str) -> Type:
        match name:
            case "integer" | "number":
                return number(self, node, pointer, Integer if name == "integer" else Number)
            case "string":
                return string(self, node, pointer)
            case "array":
                return self._array(node, pointer)
            case "object":
                return self._object(node, pointer, [], [])
            case _:
                return self._plain(name)

    # --- the types ------------------------------------------------------------------------------------------------

    def _array(self, node: Node, pointer: str) -> Type:
        items = node.get("items", True)
        prefix = self.list_of(node, pointer, "prefixItems")
        if items is False:
            if not prefix:
                problem = "`items: false` without `prefixItems` admits only the empty array"
                raise self.error(pointer, problem, faults.CONSTRUCT, "items", "say what the items are")
            problem = "`items: false` is not supported"
            raise self.error(pointer, problem, faults.CONSTRUCT, "items", "bound the array with `maxItems`")
        type_ = Array(
            self.type(items, join(pointer, "items")),
            prefix=tuple(self.type(item, join(pointer, "prefixItems", i)) for i, item in enumerate(prefix)),
            min_items=count(self, node, pointer, "minItems"),
            max_items=count(self, node, pointer, "maxItems"),
        )
        return bounded(self, node, pointer, type_)

    def _constants(self, node: Node, pointer: str) -> Type:
        keyword = "const" if "const" in node else "enum"
        constants = [node["const"]] if keyword == "const" else self.list_of(node, pointer, "enum")
        if keyword == "const" and "enum" in node:
            raise self.error(pointer, "`const` and `enum` side by side", faults.CONSTRUCT, "enum", "keep one of them")
        if len(constants) > VALUES.most:
            raise self.document.over(join(pointer, keyword, VALUES.most), VALUES)
        values: list[Value] = []
        seen: set[tuple[bool, Scalar]] = set()
        for index, constant in enumerate(constants):
            at = join(pointer, keyword) if keyword == "const" else join(pointer, keyword, index)
            if is_json_object(constant) or is_json_array(constant):
                problem = f"a constant must be a string, a number, true, false or null, not {quoted(constant)}"
                raise self.error(at, problem, faults.CONSTRUCT)
            if exact(constant) in seen:
                self.report(self.error(at, f"{quoted(constant)} appears twice", faults.VALUE_TWICE))
                continue
            seen.add(exact(constant))
            values.append(
                Value(
                    constant=constant,
                    pointer=pointer if keyword == "const" else at,
                    title=node.get("title") if keyword == "const" else None,
                    name=self.text(node, pointer, "x-name") if keyword == "const" else None,
                    description=node.get("description") if keyword == "const" else None,
                )
            )
        if len(values) > 1 and any(value.constant is None for value in values):
            return Nullable(Enumeration(tuple(value for value in values if value.constant is not None)))
        return Null() if values[0].constant is None else Enumeration(tuple(values))

    # --- unions -----------------------------------------------------------------------------------------------------

    def _union(self, node: Node, pointer: str, keyword: str) -> Type:
        exclusive = keyword == "oneOf"
        variants: list[Variant] = []
        known = len(self.problems)
        for index, member in enumerate(self.list_of(node, pointer, keyword)):
            at = join(pointer, keyword, index)
            is_value = is_json_object(member) and "const" in member
            type_ = self.type(member, at, "value" if is_value else "variant")
            details = member if is_json_object(member) else {}
            variants.append(
                Variant(
                    type=type_,
                    pointer=at,
                    title=details.get("title"),
                    description=details.get("description"),
                    rfd=self.text(details, at, "x-rfd"),
                    capability=self.text(details, at, "x-capability"),
                    update=update(self, details, at),
                )
            )
        if self.tolerant:
            # A wider member would take values from its neighbours, and a sole one needs no name of its own.
            exclusive = exclusive and len(self.problems) == known
            if len(variants) == 1 and not variants[0].title:
                return variants[0].type
        return self._simplify(variants, pointer, keyword, exclusive=exclusive)

    def _simplify(self, variants: list[Variant], pointer: str, keyword: str, *, exclusive: bool) -> Type:
        """The plainest type a union stands for: an enumeration, a nullable type, or a union."""
        rest = [variant for variant in variants if not isinstance(variant.type, Null)]
        nulls = len(variants) - len(rest)
        seen: set[str] = set()
        for variant in rest if exclusive else ():
            words = "" if isinstance(variant.type, Enumeration) else repr(variant.type)
            if words and words in seen:
                problem = "this member of `oneOf` is the same as another, so no value fits but one of them"
                raise self.error(variant.pointer, problem, faults.OVERLAP, instead="remove either")
            seen.add(words)
        exclusive = exclusive and not self._overlapping(rest)
        if exclusive and nulls and (nulls > 1 or any(admits(self.resolve(v.type), None) for v in rest)):
            raise self.error(pointer, "null fits more than one member of `oneOf`", faults.OVERLAP, keyword)
        if not rest:
            return Null()
        enumeration = self._enumeration(rest, pointer, keyword, exclusive=exclusive)
        if enumeration is not None:
            type_: Type = enumeration
        elif nulls and len(rest) == 1:
            type_ = rest[0].type
        else:
            type_ = Union(tuple(rest), exclusive=exclusive)
        return Nullable(type_) if nulls and not isinstance(type_, Nullable) else type_

    def _overlapping(self, variants: list[Variant]) -> bool:
        """Whether a number fits two members of a `oneOf`, which is reported: it then fits the whole no more."""
        numbers = [variant for variant in variants if isinstance(variant.type, (Integer, Number))]
        for position, variant in enumerate(numbers):
            for other in numbers[:position]:
                if _share_numbers(variant.type, other.type):
                    problem = "some numbers fit this member of `oneOf` and another, and so not the whole"
                    self.report(self.error(variant.pointer, problem, faults.OVERLAP))
                    return True
        return False

    def _enumeration(
        self, variants: list[Variant], pointer: str, keyword: str, *, exclusive: bool
    ) -> Enumeration | None:
        """Constants, with at most one bare type beside them, are an enumeration."""
        values: list[Value] = []
        bases: list[Type] = []
        seen: set[tuple[bool, Scalar]] = set()
        for variant in variants:
            match variant.type:
                case Enumeration(members, None):
                    for value in members:
                        if exact(value.constant) in seen:
                            problem = f"{quoted(value.constant)} appears twice"
                            raise self.error(variant.pointer, problem, faults.VALUE_TWICE)
                        seen.add(exact(value.constant))
                        if len(values) == VALUES.most:
                            raise self.document.over(value.pointer, VALUES)
                        values.append(
                            Value(
                                constant=value.constant,
                                pointer=value.pointer,
                                title=value.title or variant.title,
                                name=value.name,
                                description=value.description or variant.description,
                                rfd=variant.rfd,
                                capability=variant.capability,
                            )
                        )
                case String() | Integer() | Number() as base:
                    bases.append(base)
                case _:
                    return None
        if not values or len(bases) > 1:
            return None
        if bases and exclusive and any(admits(bases[0], value.constant) for value in values):
            problem = "a constant fits both itself and the bare type beside it in `oneOf`"
            raise self.error(
                pointer, problem, faults.OVERLAP, keyword, "write anyOf: then the type takes what no constant is"
            )
        return Enumeration(tuple(values), bases[0] if bases else None)

    # --- objects ----------------------------------------------------------------------------------------------------

    def _object(self, node: Node, pointer: str, parts: list[Type], choices: list[Type]) -> Type:
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
            raise self.error(pointer, problem, faults.NOT_DRAFT, "required", _REQUIRED)
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


def _schema_advice(node: object, pointer: str) -> str:
    """The way out where something else is in the place of a schema."""
    *_, place, name = pointer_parts(pointer)
    if name in GENERAL | TYPED | {"description", "title"} and place == "properties":
        return f"move `{name}` out of `properties`, beside it"
    if name == "items" and is_json_array(node):
        return "write `prefixItems` for a list of schemas, `items` for that of all others"
    if isinstance(node, str):
        return 'write {"type": ...}, or {"$ref": "#/$defs/..."} for a definition'
    return "write an object with `type`, `$ref` or the like; {} is any value"


def _share_numbers(left: Type, right: Type) -> bool:
    """Whether some number fits both types."""
    if not isinstance(left, (Integer, Number)) or not isinstance(right, (Integer, Number)):
        return False
    if left.multiple_of is not None or right.multiple_of is not None:
        return False
    try:
        intersect(left, right, lambda type_: type_)
    except ClashError:
        return False
    return True


def _union_of(types: Iterable[Type]) -> Union:
    return Union(tuple(Variant(type=type_, pointer="") for type_ in types))
