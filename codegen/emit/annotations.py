"""The Python annotations of all fields and aliases, from datamodel-code-generator: types and constraints.

Its input is a JSON Schema in which all names are settled: every class and alias is a definition, and every property has its
Python name. It renames things that clash, so its output is checked for exactly our names.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..document.jsonvalue import is_json_array
from ..errors import CodegenError
from ..model import types as t
from .covariance import is_sequence
from .shapes import Attribute, Shapes

_PLACEHOLDER: Mapping[str, Any] = {"type": "object", "properties": {}}


class Annotations(Struct, frozen=True):
    """Annotations as Python source in ASCII.

    `records` holds the annotations of each class by field, in the order of the schema. `aliases` holds those of the aliases
    that are not markers.
    """

    records: Mapping[str, Mapping[str, str]]
    aliases: Mapping[str, str]


def annotations_of(shapes: Shapes) -> Annotations:
    """The annotations of all shapes; raises CodegenError if datamodel-code-generator changed a name."""
    if not shapes.records and not shapes.aliases:
        return Annotations({}, {})
    plain = {name: alias.type for name, alias in shapes.aliases.items() if not alias.marker}
    written = _written(
        {
            **{
                name: {
                    "type": "object",
                    "properties": {a.name: _property_schema(a, shapes) for a in record.attributes},
                    "required": [a.name for a in record.attributes if a.field.required],
                }
                for name, record in shapes.records.items()
            },
            **dict.fromkeys((*shapes.choices, *shapes.aliases), _PLACEHOLDER),
            **{name: type_schema(type_) for name, type_ in plain.items()},
        }
    )
    wanted = {name: [attribute.name for attribute in record.attributes] for name, record in shapes.records.items()}
    wanted |= {name: [""] if name in plain else [] for name in (*shapes.choices, *shapes.aliases)}
    for name in sorted({*written, *wanted}):
        fields = list(written[name]) if name in written else None
        if fields != wanted.get(name):
            shown = "no class" if fields is None else f"a class with the fields {fields}"
            raise CodegenError(f"internal error: datamodel-code-generator wrote {shown} for {name}")
    return Annotations(
        records={name: written[name] for name in shapes.records},
        aliases={name: written[name][""] for name in plain},
    )


def _written(schemas: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The annotations that datamodel-code-generator gives some definitions, by field; an alias has one, under `""`."""
    from datamodel_code_generator.enums import DataModelType  # noqa: PLC0415  # slow to import
    from datamodel_code_generator.format import PythonVersion  # noqa: PLC0415
    from datamodel_code_generator.model import get_data_model_types  # noqa: PLC0415
    from datamodel_code_generator.parser import LiteralType  # noqa: PLC0415
    from datamodel_code_generator.parser.openapi import OpenAPIParser  # noqa: PLC0415

    # Python 3.14 evaluates annotations late, as our `from __future__ import annotations` does: nothing is quoted.
    version = PythonVersion.PY_314
    types = get_data_model_types(DataModelType.MsgspecStruct, target_python_version=version)
    # OpenAPI, because a JSON Schema document would itself become a class.
    document = {
        "openapi": "3.1.0",
        "info": {"title": "models", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    parser = OpenAPIParser(
        json.dumps(document),
        data_model_type=types.data_model,
        data_model_root_type=types.root_model,
        data_model_field_type=types.field_model,
        data_type_manager_type=types.data_type_manager,
        target_python_version=version,
        enum_field_as_literal=LiteralType.All,
        use_union_operator=True,
        use_standard_collections=True,
        use_annotated=True,
        field_constraints=True,
        strip_default_none=True,
        formatters=[],
    )
    # Not `parse`: its further passes write modules, which our templates do, and take four times as long.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # early releases of pydantic 2 warn about the generator's own types
        parser.parse_raw()
    # Nor its sorting: annotations are evaluated late, and it costs the length of the longest chain for each class.
    return {
        model.class_name: {field.name or "": _ascii(field.annotated or field.type_hint) for field in model.fields}
        for model in parser.results
    }


def _ascii(annotation: str) -> str:
    """An annotation with everything beyond ASCII escaped, because some characters are invisible or look like others."""
    return annotation.encode("ascii", "backslashreplace").decode()


# --- types as JSON Schema --------------------------------------------------------------------------------------------


def _property_schema(attribute: Attribute, shapes: Shapes) -> dict[str, Any]:
    python = {"x-python-type": "Sequence"} if is_sequence(attribute.type, shapes) else {}
    return type_schema(attribute.type) | python


def type_schema(type_: t.Type) -> dict[str, Any]:
    """The JSON Schema from which a shaped type gets its annotation."""
    match type_:
        case t.Anything() | t.Object():
            return {}
        case t.Null():
            return {"type": "null"}
        case t.Boolean():
            return {"type": "boolean"}
        case t.Integer():
            return _limited(
                "integer",
                minimum=type_.minimum,
                maximum=type_.maximum,
                exclusiveMinimum=type_.above,
                exclusiveMaximum=type_.below,
                multipleOf=type_.multiple_of,
            )
        case t.Number():
            return {"type": ["integer", "number"]}
        case t.String():
            return _limited(
                "string", minLength=type_.min_length, maxLength=type_.max_length, pattern=type_.checked_pattern
            )
        case t.Enumeration(values, base):
            constants = {"enum": [value.constant for value in values]}
            return constants if base is None else {"anyOf": [constants, type_schema(base)]}
        case t.Array():
            return _limited("array", items=type_schema(type_.items), minItems=type_.min_items, maxItems=type_.max_items)
        case t.Map(inner):
            return {"type": "object", "additionalProperties": type_schema(inner)}
        case t.Nullable(inner):
            return _nullable(type_schema(inner))
        case t.Reference(name):
            return {"$ref": f"#/components/schemas/{name}"}
        case t.Union(variants):
            return {"anyOf": [type_schema(variant.type) for variant in variants]}


def _limited(type_: str, **keywords: Any) -> dict[str, Any]:
    return {"type": type_, **{keyword: value for keyword, value in keywords.items() if value is not None}}


def _nullable(inner: dict[str, Any]) -> dict[str, Any]:
    if not inner:
        return {}
    if "type" in inner and "additionalProperties" not in inner:
        names = inner["type"] if is_json_array(inner["type"]) else [inner["type"]]
        return {**inner, "type": [*names, "null"]}
    if "anyOf" in inner:
        return {"anyOf": [*inner["anyOf"], {"type": "null"}]}
    return {"anyOf": [inner, {"type": "null"}]}
