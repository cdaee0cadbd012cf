"""The normalised schema: every type resolved and named, for code generators of other languages.

The document is draft 2020-12. docs/normalised.md describes its form, which is stable. It has the types and names of a
generated package, and nothing is left to resolve: no `allOf`, no definition that only refers to another one, no union
with unnamed variants.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ..document.keywords import DEFAULT_ON_ERROR, DEFAULT_ON_NULL, SKIP_INVALID
from ..emit.normalised import PUBLISHED, type_schema
from ..load.root import DIALECT
from ..model.nodes import types as t
from ..shape.method_table import Row
from ..shape.package import Package
from ..shape.shapes import Alias, Attribute, Choice, Leaf, Record

FORMAT = 1
"""The version of the document's form. Changes that could break readers increment it."""


def normalised_schema(package: Package) -> str:
    """The document as JSON text."""
    schema, shapes = package.schema, package.shapes
    found: dict[str, Any] = {name: _record(record) for name, record in shapes.records.items()}
    found |= {name: _choice(choice) for name, choice in shapes.choices.items()}
    found |= {name: type_schema(alias.type, PUBLISHED) | _said(alias.type) for name, alias in shapes.aliases.items()}
    named: dict[str, Record | Choice | Alias] = {**shapes.records, **shapes.choices, **shapes.aliases}
    found = {name: node | _about(named[name], schema.definitions.get(name)) for name, node in found.items()}
    whole = {
        "$schema": DIALECT,
        "title": schema.title,
        "x-format": FORMAT,
        "x-methods": [_method(row) for row in package.rows],
        "x-rfds": {name: {"title": rfd.title, "stage": rfd.stage} for name, rfd in (schema.rfds or {}).items()},
        "$defs": dict(sorted(found.items())),
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def _about(named: Record | Choice | Alias, definition: t.Definition | None) -> dict[str, Any]:
    rfd, deprecated = (None, False) if definition is None else (definition.rfd, definition.deprecated)
    return _given({"description": named.description, "deprecated": deprecated, "x-rfd": rfd})


def _method(row: Row) -> dict[str, Any]:
    method = row.method
    ends = {"params": method.params, "result": method.result, "x-capability": row.capability, "x-rfd": method.rfd}
    return {"side": row.side, "method": method.path, "kind": method.kind, **_given(ends)}


def _record(record: Record) -> dict[str, Any]:
    tag, constant = record.tag or ("", "")
    properties = {tag: {"type": "string", "const": constant}} if tag else {}
    properties |= {each.wire: _property(each) for each in record.attributes}
    required = [*properties][: len(properties) - len(record.attributes)]
    required += [each.wire for each in record.attributes if each.field.required]
    found: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        found["required"] = required
    if record.closed or record.extra is not None:
        found["additionalProperties"] = not record.closed and type_schema(record.extra or t.Anything(), PUBLISHED)
    return found


def _property(attribute: Attribute) -> dict[str, Any]:
    field = attribute.field
    found = type_schema(attribute.type, PUBLISHED) | _said(attribute.type)
    if attribute.constant is not None:
        found = {**{key: found[key] for key in ("type",) if key in found}, "const": attribute.constant}
    found |= {"default": field.default} if field.has_default else {}
    return found | _given(
        {
            "description": field.description,
            "deprecated": field.deprecated,
            "x-capability": field.capability,
            "x-rfd": field.rfd,
            DEFAULT_ON_ERROR: field.default_on_error,
            DEFAULT_ON_NULL: field.default_on_null,
            SKIP_INVALID: field.skip_invalid_items,
        }
    )


def _choice(choice: Choice) -> dict[str, Any]:
    known = dict.fromkeys(leaf.record.name for leaf in choice.leaves if not leaf.marks.open)
    variants = [{"$ref": f"{PUBLISHED.definitions}{name}"} for name in known]
    others = [_open_variant(choice.name, leaf) for leaf in choice.leaves if leaf.marks.open]
    gates = {leaf.record.name: leaf.capability for leaf in choice.leaves if leaf.capability is not None}
    found: dict[str, Any] = {"anyOf": [*variants, *others]}
    if choice.tag is not None:
        tags = {leaf.marks.constants[choice.tag][0]: leaf.record.name for leaf in choice.leaves if not leaf.marks.open}
        mapping = {str(tag): f"{PUBLISHED.definitions}{name}" for tag, name in tags.items()}
        found["discriminator"] = {"propertyName": choice.tag, "mapping": mapping}
    return found | _given({"x-capabilities": gates or None})


def _open_variant(name: str, leaf: Leaf) -> dict[str, Any]:
    """The schema of unknown variants: objects that match no known variant."""
    known = [{"properties": {wire: {"const": value}}, "required": [wire]} for wire, value in leaf.marks.excludes]
    return {"title": f"Other{name}", **_record(leaf.record), "not": {"anyOf": known}}


def _said(type_: t.Type) -> dict[str, Any]:
    """The descriptions of an enumeration's constants, in order."""
    values: Iterable[t.Value] = type_.values if isinstance(type_, t.Enumeration) else ()
    texts = [value.description or "" for value in values]
    return {"x-enum-descriptions": texts} if any(texts) else {}


def _given(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords with a value."""
    return {keyword: value for keyword, value in keywords.items() if value is not None and value is not False}
