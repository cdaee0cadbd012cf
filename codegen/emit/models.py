"""Turn shapes into the classes and aliases of `models.py`.

datamodel-code-generator renders the classes (`dmcg`); names on the wire, defaults and docstrings come from the shapes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from ..document.read import pointer_parts
from ..model.naming.wire_names import attribute_name
from ..model.nodes.types import Array, Boolean, Enumeration, Field, Integer, Number, Schema, String
from ..model.nodes.walk import references, without_null
from ..shape.nodes import without_aliases
from ..shape.shapes import Alias, Attribute, Choice, Record, Shapes
from .dmcg import PYDANTIC, written
from .kinds import Expression, Identifier, identifiers
from .normalised import in_order
from .text import docstring, first_sentence, literal
from .type_hints import hint

_EMPTY: Mapping[type, Any] = {Array: [], String: "", Integer: 0, Number: 0, Boolean: False}
"""Replacements for null if the schema has no default, by type. All other types get an empty object."""


def model_context(schema: Schema, shapes: Shapes, left_out: Collection[str] = ()) -> dict[str, Any]:
    """The context of the template of `models.py`. `left_out`: names of types from another package."""
    data = {name: _record(record, schema) for name, record in shapes.records.items() if name not in left_out}
    made = written(shapes, data)
    names = [name for name in _alias_order(shapes) if name not in left_out]
    return {
        "models": identifiers(left_out),
        "base_models": [],
        "classes": made.classes.values(),
        "aliases": [_alias_context(name, made.aliases.get(name), schema, shapes) for name in names],
        "former": [] if left_out else [(Identifier(old), Identifier(new)) for old, new in shapes.former.items()],
        "longer": [(Identifier(o), Identifier(n)) for o, n in shapes.longer.items() if n not in left_out],
    }


def pydantic_context(schema: Schema, shapes: Shapes) -> dict[str, Any]:
    """The context of the template of `pydantic_models.py`."""
    data = {name: _record(record, schema) for name, record in shapes.records.items()}
    for name, record in shapes.records.items():
        if record.tag is not None:
            data[name]["tag"]["name"] = Identifier(PYDANTIC.form.name(attribute_name(record.tag[0])))
        data[name]["members"] = {
            PYDANTIC.form.name(a.name): _pydantic_member(a, data[name]["members"], shapes) for a in in_order(record)
        }
    made = written(shapes, data, PYDANTIC)
    aliases = [
        _alias_context(name, made.aliases.get(name), schema, shapes) for name in _alias_order(shapes, markers=True)
    ]
    return {
        "classes": made.classes.values(),
        "aliases": [{**alias, "picked": alias["name"] in shapes.choices} for alias in aliases],
        "former": [(Identifier(old), Identifier(new)) for old, new in (*shapes.former.items(), *shapes.longer.items())],
    }


def _pydantic_member(attribute: Attribute, members: dict[str, Any], shapes: Shapes) -> dict[str, Any]:
    """The context of a pydantic field: the context of the msgspec field, an alias if the rule does not produce it, and
    the leniency.
    """
    name, field = PYDANTIC.form.name(attribute.name), attribute.field
    first, *rest = name.split("_")
    by_rule = first + "".join(word.capitalize() for word in rest)
    resolved = without_aliases(attribute.type, shapes)
    kind = type(without_null(resolved))
    on_null = on_error = None
    if field.default_on_null:
        on_null = literal(field.default if field.has_default else _EMPTY.get(kind, {}))
    if field.default_on_error and field.has_default:
        on_error = literal(field.default)
    elif field.default_on_error and field.required and kind is Array:
        on_error = literal([])
    return {
        **members[attribute.name],
        "wire": literal(attribute.wire) if by_rule != attribute.wire else None,
        "skip": field.skip_invalid_items,
        "on_null": on_null,
        "on_error": on_error,
        "absent_on_error": field.default_on_error and on_error is None and not field.required,
    }


# --- the classes -----------------------------------------------------------------------------------------------------


def _record(record: Record, schema: Schema) -> dict[str, Any]:
    """The context of the template of a class, without the types of its fields."""
    order = in_order(record)
    by_rule = record.extra is None and any(attribute.name != attribute.wire for attribute in order)
    names = tuple(attribute.name for attribute in order)
    known = dict(zip(names, _camel(names) if by_rule else names, strict=True))
    renamed = {a.name: a.wire for a in record.attributes if a.name != a.wire}
    extra = None if record.extra is None else Expression(f"dict[str, {hint(record.extra)}]")
    return {
        "docstring": docstring(_record_text(record, schema)),
        "members": {
            a.name: {
                "wire": literal(a.wire) if extra is None and known[a.name] != a.wire else None,
                "constant": literal(a.constant) if a.constant is not None else None,
                "optional": not a.field.required,
                "docstring": docstring(text) if (text := field_text(a.field, schema)) else None,
            }
            for a in order
        },
        "hidden": identifiers({"dict", "list"} & {*names}),
        "camel": by_rule,
        "renamed": literal(renamed) if renamed else None,
        "tag": record.tag and {"property": literal(record.tag[0]), "constant": literal(record.tag[1])},
        "closed": record.closed,
        "extra": extra,
    }


def _camel(names: tuple[str, ...]) -> tuple[str, ...]:
    """The wire names that msgspec's `rename="camel"` gives to fields."""
    if not names:
        return ()
    renamed: Any = msgspec.defstruct("Renamed", [(name, int) for name in names], rename="camel")
    return tuple(renamed.__struct_encode_fields__)


def _record_text(record: Record, schema: Schema) -> str:
    owner = (*pointer_parts(record.pointer), "", "")[1]  # the definition with the variant that the class is
    return (record.description or f"{record.name}.") + (stage_of(record.name, schema) or stage_of(owner, schema))


def field_text(field: Field, schema: Schema) -> str:
    """The docstring of a property: description, default, gate, and the RFD in progress that added it."""
    parts = [field.description] if field.description else []
    if field.has_default and field.default not in (None, "", [], {}, False):
        parts.append(f"Default: `{json.dumps(field.default, ensure_ascii=True)}`.")
    elif field.has_default and field.default is False:
        parts.append("Default: false.")
    if field.capability is not None:
        parts.append(f"Gate: `{field.capability}`.")
    return (" ".join(parts) + stage_note(field.rfd, schema)).strip()


def stage_of(name: str, schema: Schema) -> str:
    """The note on the RFD that adds a definition; empty for a stable one."""
    definition = schema.definitions.get(name)
    return stage_note(definition.rfd if definition is not None else None, schema)


def stage_note(rfd: str | None, schema: Schema) -> str:
    """The note on an RFD in progress, to append to a text; empty if there is none."""
    found = (schema.rfds or {}).get(rfd or "")
    return f" Unstable: RFD {found.name} ({found.stage})." if found is not None and not found.stable else ""


# --- the aliases -----------------------------------------------------------------------------------------------------


def _alias_order(shapes: Shapes, *, markers: bool = False) -> list[str]:
    """The aliases in an order in which each can be evaluated. Unless `markers` is true, markers are classes and do not
    depend on other aliases.
    """
    ordered: dict[str, None] = {}
    waiting = [*reversed((*shapes.choices, *shapes.aliases))]
    opened: set[str] = set()
    while waiting:
        name = waiting[-1]
        alias = shapes.aliases.get(name)
        needed = (
            references(alias.type) if alias is not None and (markers or not alias.marker) and name not in opened else ()
        )
        opened.add(name)
        missing = [other for other in needed if other not in ordered and other not in shapes.records]
        waiting += reversed(missing)
        if not missing:
            ordered[waiting.pop()] = None
    return list(ordered)


def _alias_context(name: str, annotation: str | None, schema: Schema, shapes: Shapes) -> dict[str, Any]:
    if name in shapes.choices:
        choice = shapes.choices[name]
        static, runtime = _choice_texts(choice)
        return _with_docs(choice, static, runtime, schema)
    alias = shapes.aliases[name]
    return _with_docs(alias, annotation or hint(alias.type), "" if alias.marker else None, schema)


def _choice_texts(choice: Choice) -> tuple[str, str]:
    """A union as type checkers see it, and as msgspec sees it at run time."""
    members = list(dict.fromkeys(leaf.record.name for leaf in choice.leaves if not leaf.marks.open))
    unknown = ["UnknownVariant"] if choice.tag is not None or any(leaf.marks.open for leaf in choice.leaves) else []
    return " | ".join([*members, *unknown]), " | ".join(choice.native)


def _variants(choice: Choice) -> str:
    """The list of a union's classes for its docstring: each class, its tag, and its description."""
    items: dict[str, str] = {}
    for leaf in choice.leaves:
        if not leaf.marks.open:
            record = leaf.record
            tag = f" ({json.dumps(record.tag[1])})" if record.tag is not None else ""
            items.setdefault(record.name, f"- `{record.name}`{tag}{_said(first_sentence(record.description))}")
    if "UnknownVariant" in _choice_texts(choice)[0]:
        what = f"any other `{choice.tag}`" if choice.tag is not None else "any other object"
        items["UnknownVariant"] = f"- `UnknownVariant`: {what}, kept unchanged."
    return "\n".join(items.values())


def _values(alias: Alias) -> str:
    """The list of an enumeration's values for its docstring."""
    values = alias.type.values if isinstance(alias.type, Enumeration) else ()
    return "\n".join(f"- `{json.dumps(v.constant)}`{_said(v.description)}" for v in values if v.description)


def _said(description: str | None) -> str:
    return f": {' '.join(description.split())}" if description else ""


def _with_docs(named: Alias | Choice, static: str, runtime: str | None, schema: Schema) -> dict[str, Any]:
    description = (named.description or f"{named.name}.") + stage_of(named.name, schema)
    text = description
    items = _variants(named) if isinstance(named, Choice) else _values(named)
    text += f"\n\n{items}" if items else ""
    return {
        "name": Identifier(named.name),
        "static": Expression(static),
        "marker": runtime == "",
        "native": Expression(runtime) if runtime else None,
        # A marker that is no union of classes may name types that come later.
        "evaluates": isinstance(named, Choice) or runtime is None,
        "docstring": docstring(text, 0),
        "indented": docstring(text, 4),
        "deeper": docstring(text, 8),
    }
