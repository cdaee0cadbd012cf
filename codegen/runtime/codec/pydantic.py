"""Pydantic schemas for the types of `models.py`: validation, serialization and JSON Schema.

The codec reads and writes values. pydantic gets the result, or the errors with their paths. A pydantic model with
`strict` in its config reads strictly. A pydantic-core schema is a dict, so this module needs pydantic only for its
error classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

import msgspec

from ..schema.definitions import (
    ABSENT,
    Alias,
    Choice,
    Extensible,
    Record,
    UnknownVariant,
    Variant,
    limits_of,
    type_kind,
    within,
)
from ..schema.registry import Tables, tables_of
from .codec import from_dict, to_dict
from .readers import reader_of
from .values import LENIENT, STRICT, Fault

_INSTANCES = (msgspec.Struct, Extensible, UnknownVariant)
_LIMITS: Mapping[str, str] = {
    "minimum": "minimum",
    "maximum": "maximum",
    "above": "exclusiveMinimum",
    "below": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "min_items": "minItems",
    "max_items": "maxItems",
}
_TYPES: Mapping[str, str] = {"bool": "boolean", "int": "integer", "num": "number", "str": "string", "null": "null"}


def core_schema(type: Any) -> dict[str, Any]:
    """pydantic's schema of a type: accepts instances, reads JSON values, and writes both as JSON values."""
    tables, name = _found(type)
    classes = tuple(_classes(tables, name))

    def read(value: Any, info: Any) -> Any:
        config: Any = info.config
        strict = config is not None and config.get("strict") is True
        return value if isinstance(value, classes) else _read(type, value, strict=strict)

    read.__name__ = name  # pydantic shows it where several types were tried
    return {
        "type": "function-plain",
        "ref": _name_in_schemas(tables, name),
        "function": {"type": "with-info", "function": read},
        "serialization": {"type": "function-plain", "function": to_dict},
    }


def json_schema(type: Any, handler: Any) -> dict[str, Any]:
    """The JSON Schema of a type, as a reference. The type and all types that it refers to become definitions of the
    whole schema.
    """
    tables, name = _found(type)
    parts = within(tables.nodes, ("ref", name))
    names = dict.fromkeys(part[1] for part in parts if part.__class__ is tuple and part[0] == "ref")
    references = {each: handler(_to_be_defined(tables, each)) for each in names}
    for each, reference in references.items():
        handler.resolve_ref_schema(reference).update(_definition(tables, each, references))
    return dict(references[name])


def _to_be_defined(tables: Tables, name: str) -> dict[str, Any]:
    """A placeholder that makes pydantic add an empty definition and return a reference to it."""
    return {"type": "definitions", "definitions": [], "schema": {"type": "any", "ref": _name_in_schemas(tables, name)}}


def _name_in_schemas(tables: Tables, name: str) -> str:
    """The name from which pydantic derives the name of a definition: the last part, unless another type shares it."""
    return f"{tables.packages[0]}.models.{name}:0"


def _found(type: Any) -> tuple[Tables, str]:
    try:
        tables = tables_of(type)
    except KeyError:
        raise TypeError(f"{type!r} is not a type of this package") from None
    return tables, tables.names[type]


# --- reading ---------------------------------------------------------------------------------------------------------


def _classes(tables: Tables, name: str) -> Iterator[type]:
    """The classes whose instances are valid values of a type."""
    match tables.nodes[name]:
        case Record():
            yield tables.type_of(name)
        case Choice(variants=variants):
            yield from (tables.type_of(each.record) for each in variants if isinstance(each.record, str))
            yield UnknownVariant
        case Alias():
            pass


def _read(type: Any, value: Any, *, strict: bool) -> Any:
    plain = _plain(value)
    try:
        _check_tag(type, plain)
        return from_dict(type, plain, strict=strict)
    except msgspec.ValidationError:
        pass
    except Fault as fault:
        _refuse(fault, plain)
    try:
        return reader_of(type)(plain, STRICT if strict else LENIENT)
    except Fault as fault:
        _refuse(fault, plain)


def _check_tag(type: Any, value: Any) -> None:
    """Raise Fault for an object whose tag names another class. pydantic tries the classes of a union in turn."""
    for wire, constant in _tag(type).items() if value.__class__ is dict else ():
        if wire not in value:
            raise Fault(f"Object missing required field `{wire}`")
        if value[wire] != constant:
            raise Fault(f"Expected {constant!r}, got {value[wire]!r}", wire)


def _tag(type: Any) -> Mapping[str, Any]:
    """The property that a class writes by itself, with its constant; empty if there is none."""
    config = getattr(type, "__struct_config__", None)
    return {} if config is None or config.tag is None else {config.tag_field: config.tag}


def _plain(value: Any) -> Any:
    """Convert a value to JSON, including all instances in it."""
    if value.__class__ is dict:
        return {key: _plain(each) for key, each in value.items()}
    if value.__class__ is list or value.__class__ is tuple:
        return [_plain(each) for each in value]
    return to_dict(value) if isinstance(value, _INSTANCES) else value


def _refuse(fault: Fault, value: Any) -> NoReturn:
    """Raise pydantic's error. pydantic appends the place of the fault to the place of the value."""
    core = import_module("pydantic_core")
    place = tuple(reversed(fault.path))
    for step in place:
        value = value[step]
    error = core.PydanticCustomError("value_error", fault.problem)
    raise core.ValidationError.from_exception_data("message", [{"type": error, "loc": place, "input": value}])


# --- JSON Schema -----------------------------------------------------------------------------------------------------


def _definition(tables: Tables, name: str, references: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of a named type."""
    schema = partial(_type_schema, references)
    made = tables.type_of(name)
    match tables.nodes[name]:
        case Record() as record:
            found = _record_schema(record, schema, _tag(made))
        case Choice(variants=variants):
            found = {"anyOf": [_variant_schema(each, schema, tables) for each in variants]}
        case Alias(type=type):
            return {"title": name, **schema(type)}
    return {"title": name, "description": (made.__doc__ or "").strip(), **found}


def _type_schema(references: Mapping[str, Any], type: Any) -> dict[str, Any]:
    schema = partial(_type_schema, references)
    limits = {_LIMITS[key]: value for key, value in limits_of(type).items() if key in _LIMITS and value is not None}
    match type_kind(type):
        case "any":
            return {}
        case "ref":
            return dict(references[type[1]])
        case "opt":
            return {"anyOf": [schema(type[1]), {"type": "null"}]}
        case "map":
            return {"type": "object", "additionalProperties": schema(type[1])}
        case "list":
            first = [schema(each) for each in limits_of(type).get("prefix", ())]
            return {"type": "array", **({"prefixItems": first} if first else {}), "items": schema(type[1]), **limits}
        case "enum":
            base = limits_of(type).get("base")
            constants = {"enum": [*type[1]]}
            return constants if base is None else {"anyOf": [constants, schema(base)]}
        case "union":
            word = "oneOf" if limits_of(type).get("exclusive") else "anyOf"
            return {word: [schema(each) for each in type[1]]}
        case kind:
            return {"type": _TYPES[kind], **limits}


def _record_schema(record: Record, schema: Callable[[Any], dict[str, Any]], tag: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object. `tag`: properties that its class writes by itself."""
    properties = {wire: {"const": constant} for wire, constant in tag.items()} | {
        field.wire: schema(field.type) | ({} if field.default is ABSENT else {"default": field.default})
        for field in record.fields
    }
    found: dict[str, Any] = {"type": "object", "properties": properties}
    if required := [*dict.fromkeys((*tag, *(field.wire for field in record.fields if field.required)))]:
        found["required"] = required
    if record.closed or record.extra is not None:
        found["additionalProperties"] = False if record.closed else schema(record.extra)
    return found


def _variant_schema(variant: Variant, schema: Callable[[Any], dict[str, Any]], tables: Tables) -> dict[str, Any]:
    if isinstance(variant.record, str):
        found, known = schema(("ref", variant.record)), _tag(tables.type_of(variant.record))
    else:
        found, known = _record_schema(variant.record, schema, {}), _tag(None)
    constants = {wire: [*of] for wire, of in variant.constants.items() if [*of] != [known.get(wire)]}
    if constants:
        properties = {wire: {"enum": of} for wire, of in constants.items()}
        found = {"allOf": [found, {"properties": properties, "required": [*properties]}]}
    if variant.excludes:
        others = [{"properties": {wire: {"const": value}}, "required": [wire]} for wire, value in variant.excludes]
        found = {"allOf": [found, {"not": {"anyOf": others}}]}
    return found
