"""Shapes to `models.py`: datamodel-code-generator writes the classes, the template the aliases behind them.

The generator gets a schema in which nothing is left to decide: every class is named, every field has its Python name, and what it
could not express is a reference. That its output holds just our names is checked, never assumed.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec

from ..document.jsonvalue import is_json_array
from ..model.types import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Object,
    Reference,
    Schema,
    String,
    Type,
    Union,
    references,
)
from .covariance import is_sequence
from .hints import hint
from .shapes import Alias, Choice, Record, Shapes
from .text import docstring, literal
from .verify import verify

_FROM_COLLECTIONS = ("Sequence",)
_FROM_TYPING = ("TYPE_CHECKING", "Annotated", "Any", "Literal", "TypeAlias")
_FROM_MSGSPEC = ("UNSET", "Meta", "Struct", "UnsetType", "_field")
_FROM_BASE = ("Extensible", "Marker", "UnknownVariant")


def model_context(schema: Schema, shapes: Shapes, templates: Path) -> dict[str, Any]:
    """What the template of `models.py` needs."""
    classes = _classes(schema, shapes, templates)
    aliases = [_alias_context(name, schema, shapes) for name in _alias_order(shapes)]
    text = "\n".join([classes, *(f"{alias['static']} {alias['runtime'] or ''}" for alias in aliases)])
    used = set(re.findall(r"\b[A-Za-z_]+\b", text))
    used |= {"TypeAlias"} if aliases or shapes.former else set()
    used |= {"TYPE_CHECKING"} if any(a["runtime"] is not None for a in aliases) else set()
    used |= {"Marker"} if any(a["runtime"] == "" for a in aliases) else set()
    sources = (
        ("collections.abc", _FROM_COLLECTIONS),
        ("typing", _FROM_TYPING),
        ("msgspec", _FROM_MSGSPEC),
        ("._runtime._base", _FROM_BASE),
    )
    imports = ["import builtins", ""] if "builtins" in used else []
    for module, names in sources:
        found = [name for name in names if name in used]
        if found:
            # Under a name that no property can have: inside a class body the property would hide it.
            text = ", ".join("field as _field" if name == "_field" else name for name in found)
            imports += [*([""] if imports else []), f"from {module} import {text}"]
    return {"classes": classes, "aliases": aliases, "imports": imports, "former": shapes.former.items()}


# --- the classes -----------------------------------------------------------------------------------------------------


def _classes(schema: Schema, shapes: Shapes, templates: Path) -> str:
    if not shapes.records:
        return ""
    plain: dict[str, Any] = {"type": "object", "properties": {}}
    schemas: dict[str, Any] = {name: _record_schema(record) for name, record in shapes.records.items()}
    schemas |= dict.fromkeys((*shapes.choices, *shapes.aliases), plain)
    extra: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for name, record in shapes.records.items():
        extra[name] = {"model": _record_context(record, schema, shapes)}
    text = _run_generator(schemas, extra, templates)
    verify(text, shapes)
    return text.strip()


def _run_generator(schemas: dict[str, Any], extra: defaultdict[str, dict[str, Any]], templates: Path) -> str:
    from datamodel_code_generator.enums import DataModelType  # noqa: PLC0415  # slow to import
    from datamodel_code_generator.format import PythonVersion  # noqa: PLC0415
    from datamodel_code_generator.model import get_data_model_types  # noqa: PLC0415
    from datamodel_code_generator.parser import LiteralType  # noqa: PLC0415
    from datamodel_code_generator.parser.openapi import OpenAPIParser  # noqa: PLC0415

    # Python 3.14 evaluates annotations late, as our `from __future__ import annotations` does: nothing is quoted.
    version = PythonVersion.PY_314
    types = get_data_model_types(DataModelType.MsgspecStruct, target_python_version=version)

    class Model(types.data_model):  # type: ignore[name-defined,misc]
        REQUIRES_EXPLICIT_DEFERRED_ANNOTATIONS_FOR_FORWARD_REFS = False

    # As OpenAPI, because a JSON Schema document would become a class of its own.
    document = {
        "openapi": "3.1.0",
        "info": {"title": "models", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    parser = OpenAPIParser(
        json.dumps(document),
        data_model_type=Model,
        data_model_root_type=types.root_model,
        data_model_field_type=types.field_model,
        data_type_manager_type=types.data_type_manager,
        custom_template_dir=templates,
        extra_template_data=extra,
        target_python_version=version,
        enum_field_as_literal=LiteralType.All,
        use_union_operator=True,
        use_standard_collections=True,
        use_annotated=True,
        field_constraints=True,
        strip_default_none=True,
        formatters=[],
    )
    return str(parser.parse(with_import=False, format_=False))


def _record_schema(record: Record) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {attribute.name: _type_schema(attribute.type) for attribute in record.attributes},
        "required": [attribute.name for attribute in record.attributes if attribute.field.required],
    }


def _type_schema(type_: Type) -> dict[str, Any]:
    """A shaped type as the JSON Schema that datamodel-code-generator turns into the annotation we mean."""
    match type_:
        case Anything() | Object():
            return {}
        case Null():
            return {"type": "null"}
        case Boolean():
            return {"type": "boolean"}
        case Integer():
            bounds = {
                "minimum": type_.minimum,
                "maximum": type_.maximum,
                "exclusiveMinimum": type_.above,
                "exclusiveMaximum": type_.below,
                "multipleOf": type_.multiple_of,
            }
            return {"type": "integer", **{k: v for k, v in bounds.items() if v is not None}}
        case Number():
            return {"type": ["integer", "number"]}
        case String():
            kept = {"minLength": type_.min_length, "maxLength": type_.max_length, "pattern": type_.checked_pattern}
            return {"type": "string", **{k: v for k, v in kept.items() if v is not None}}
        case Enumeration(values):
            return {"enum": [value.constant for value in values]}
        case Array():
            lengths = {"minItems": type_.min_items, "maxItems": type_.max_items}
            bounds = {k: v for k, v in lengths.items() if v is not None}
            return {"type": "array", "items": _type_schema(type_.items), **bounds}
        case Map(inner):
            return {"type": "object", "additionalProperties": _type_schema(inner) or True}
        case Nullable(inner):
            return _nullable_schema(_type_schema(inner))
        case Reference(name):
            return {"$ref": f"#/components/schemas/{name}"}
        case Union(variants):
            return {"anyOf": [_type_schema(variant.type) for variant in variants]}


def _nullable_schema(inner: dict[str, Any]) -> dict[str, Any]:
    if not inner:
        return {}
    if "type" in inner and "additionalProperties" not in inner:
        names = inner["type"] if is_json_array(inner["type"]) else [inner["type"]]
        return {**inner, "type": [*names, "null"]}
    if "anyOf" in inner:
        return {"anyOf": [*inner["anyOf"], {"type": "null"}]}
    return {"anyOf": [inner, {"type": "null"}]}


def _record_context(record: Record, schema: Schema, shapes: Shapes) -> dict[str, Any]:
    names = [attribute.name for attribute in record.attributes]
    camel = dict(zip(names, _camel(tuple(names)), strict=True))
    plain = all(a.name == a.wire for a in record.attributes)
    by_rule = not plain and record.extra is None
    fields: dict[str, Any] = {}
    for attribute in record.attributes:
        wire = camel[attribute.name] if by_rule else attribute.name
        arguments = [f"name={literal(attribute.wire)}"] if wire != attribute.wire and record.extra is None else []
        default = None
        if attribute.constant is not None:
            default = literal(attribute.constant)
        elif not attribute.field.required:
            default = "UNSET"
        if arguments:
            arguments += [f"default={default}"] if default is not None else []
            written = f" = _field({', '.join(arguments)})"
        else:
            written = f" = {default}" if default is not None else ""
        fields[attribute.name] = {"default": written, "docstring": _field_doc(attribute.field, schema)}
    options = _options(record, by_rule=by_rule)
    return {
        "bases": ", ".join(options),
        "docstring": docstring(_record_text(record, schema)),
        "fields": fields,
        "extra": f"dict[str, {hint(record.extra)}]" if record.extra is not None else "",
        "sequences": [a.name for a in record.attributes if is_sequence(a.type, shapes)],
        # Inside a class body an attribute hides the builtin type of its name.
        "hidden": [name for name in ("dict", "list") if name in names],
    }


def _options(record: Record, *, by_rule: bool) -> list[str]:
    if record.extra is not None:
        renamed = {a.name: a.wire for a in record.attributes if a.name != a.wire}
        return ["Extensible", *([f"rename={literal(renamed)}"] if renamed else [])]
    # A message is a tree: without the garbage collector's bookkeeping it is smaller, and many are kept for less.
    options = ["Struct", "kw_only=True", "gc=False", "repr_omit_defaults=True"]
    if by_rule:
        options.append('rename="camel"')
    if record.tag is not None:
        options += [f"tag_field={literal(record.tag[0])}", f"tag={literal(record.tag[1])}"]
    if record.closed:
        options.append("forbid_unknown_fields=True")
    return options


def _camel(names: tuple[str, ...]) -> tuple[str, ...]:
    """What msgspec's own `rename="camel"` makes of field names."""
    if not names:
        return ()
    renamed: Any = msgspec.defstruct("Renamed", [(name, int) for name in names], rename="camel")
    return tuple(renamed.__struct_encode_fields__)


def _record_text(record: Record, schema: Schema) -> str:
    text = record.description or f"{record.name}."
    definition = schema.definitions.get(record.name)
    return text + _stage_note(definition.rfd if definition is not None else None, schema)


def _field_doc(field: Any, schema: Schema) -> str:
    parts = [field.description] if field.description else []
    if field.has_default and field.default not in (None, "", [], {}, False):
        parts.append(f"Default: `{json.dumps(field.default, ensure_ascii=True)}`.")
    elif field.has_default and field.default is False:
        parts.append("Default: false.")
    if field.capability is not None:
        parts.append(f"Gate: `{field.capability}`.")
    text = " ".join(parts) + _stage_note(field.rfd, schema)
    return docstring(text) if text.strip() else ""


def _stage_note(rfd: str | None, schema: Schema) -> str:
    found = (schema.rfds or {}).get(rfd or "")
    return f" Unstable: RFD {found.name} ({found.stage})." if found is not None and not found.stable else ""


# --- the aliases -----------------------------------------------------------------------------------------------------


def _alias_order(shapes: Shapes) -> list[str]:
    """Aliases so that each comes after those it is evaluated with."""
    ordered: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in ordered or name in shapes.records:
            return
        if name in shapes.aliases and not shapes.aliases[name].marker:
            for other in references(shapes.aliases[name].type):
                visit(other)
        ordered[name] = None

    for name in (*shapes.choices, *shapes.aliases):
        visit(name)
    return list(ordered)


def _alias_context(name: str, schema: Schema, shapes: Shapes) -> dict[str, Any]:
    if name in shapes.choices:
        choice = shapes.choices[name]
        static, runtime = _choice_texts(choice)
        return _with_docs(choice, static, runtime, schema)
    alias = shapes.aliases[name]
    static = hint(alias.type, bounds=True) if not alias.marker else hint(alias.type)
    return _with_docs(alias, static, "" if alias.marker else None, schema)


def _choice_texts(choice: Choice) -> tuple[str, str]:
    """A union for type checkers, and what stands for it at run time."""
    members = list(dict.fromkeys(leaf.record.name for leaf in choice.leaves if not leaf.marks.open))
    unknown = ["UnknownVariant"] if choice.tag is not None or any(leaf.marks.open for leaf in choice.leaves) else []
    return " | ".join([*members, *unknown]), " | ".join(choice.native)


def _with_docs(named: Alias | Choice, static: str, runtime: str | None, schema: Schema) -> dict[str, Any]:
    definition = schema.definitions.get(named.name)
    text = (named.description or f"{named.name}.") + _stage_note(definition.rfd if definition else None, schema)
    if isinstance(named, Alias) and isinstance(named.type, Enumeration):
        described = [value for value in named.type.values if value.description]
        text += (
            "\n\n" + " ".join(f"`{json.dumps(v.constant)}`: {v.description}" for v in described) if described else ""
        )
    return {
        "name": named.name,
        "static": static,
        "runtime": runtime,
        "docstring": docstring(text, 0),
        "indented": docstring(text, 4),
        "deeper": docstring(text, 8),
    }
