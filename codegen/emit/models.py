"""Turns shapes into the classes and aliases of `models.py`.

Annotations come from datamodel-code-generator (`annotations`); names, defaults and docstrings come from the shapes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from ..model.types import Enumeration, Field, Schema
from ..model.walk import references
from ..runtime._base import first_sentence
from .annotations import annotations_of
from .hints import hint
from .shapes import Alias, Choice, Record, Shapes
from .text import docstring, literal

_FROM_COLLECTIONS = ("Sequence",)
_FROM_TYPING = ("TYPE_CHECKING", "Annotated", "Any", "Literal", "TypeAlias")
_FROM_MSGSPEC = ("UNSET", "Meta", "Struct", "UnsetType", "_field")
_FROM_BASE = ("Extensible", "Marker", "UnknownVariant", "documented")


def model_context(schema: Schema, shapes: Shapes) -> dict[str, Any]:
    """What the template of `models.py` needs."""
    written = annotations_of(shapes)
    classes = [_class_context(shapes.records[name], fields, schema) for name, fields in written.records.items()]
    aliases = [_alias_context(name, written.aliases.get(name), schema, shapes) for name in _alias_order(shapes)]
    return {
        "classes": classes,
        "aliases": aliases,
        "imports": imports_of(classes, aliases, shapes)[0],
        "former": shapes.former.items(),
    }


def imports_of(classes: list[dict[str, Any]], aliases: list[dict[str, Any]], shapes: Shapes) -> tuple[list[str], str]:
    """The imports of some classes and aliases, and the code that needs them."""
    code = [f"{each['bases']} {each['extra']}" for each in classes]
    code += [f"{field['annotation']} {field['default']}" for each in classes for field in each["fields"]]
    code += [f"{alias['static']} {alias['runtime'] or ''}" for alias in aliases]
    whole = "\n".join(code)
    used = set(re.findall(r"\b[A-Za-z_]+\b", whole))
    used |= {"_field"} if any(each["extra"] for each in classes) else set()
    used |= {"TypeAlias"} if aliases or shapes.former else set()
    used |= {"TYPE_CHECKING"} if any(alias["runtime"] is not None for alias in aliases) else set()
    used |= {"documented"} if any(alias["runtime"] for alias in aliases) else set()
    used |= {"Marker"} if any(alias["runtime"] == "" for alias in aliases) else set()
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
            # Renamed to something no property can be called: inside a class body a property `field` would hide it.
            text = ", ".join("field as _field" if name == "_field" else name for name in found)
            imports += [*([""] if imports else []), f"from {module} import {text}"]
    return imports, whole


# --- the classes -----------------------------------------------------------------------------------------------------


def _class_context(record: Record, annotated: Mapping[str, str], schema: Schema) -> dict[str, Any]:
    names = tuple(annotated)
    camel = dict(zip(names, _camel(names), strict=True))
    by_rule = record.extra is None and any(attribute.name != attribute.wire for attribute in record.attributes)
    fields: list[dict[str, str]] = []
    for attribute in sorted(record.attributes, key=lambda attribute: not attribute.field.required):
        default = None
        if attribute.constant is not None:
            default = literal(attribute.constant)
        elif not attribute.field.required:
            default = "UNSET"
        by_name = camel[attribute.name] if by_rule else attribute.name
        if record.extra is None and by_name != attribute.wire:
            default = f"_field(name={literal(attribute.wire)}{'' if default is None else f', default={default}'})"
        fields.append(
            {
                "name": attribute.name,
                "annotation": _unhidden(annotated[attribute.name], names),
                "default": "" if default is None else f" = {default}",
                "docstring": _docstring(field_text(attribute.field, schema)),
            }
        )
    return {
        "name": record.name,
        "bases": ", ".join(_bases(record, by_rule=by_rule)),
        "docstring": docstring(_record_text(record, schema)),
        "fields": fields,
        "extra": _unhidden(f"dict[str, {hint(record.extra)}]", names) if record.extra is not None else "",
    }


def _unhidden(annotation: str, names: tuple[str, ...]) -> str:
    """An annotation for use in a class body, where a field named `list` or `dict` hides the builtin type."""
    for hidden in {"dict", "list"} & {*names}:
        annotation = re.sub(rf"\b{hidden}\[", f"builtins.{hidden}[", annotation)
    return annotation


def _bases(record: Record, *, by_rule: bool) -> list[str]:
    if record.extra is not None:
        renamed = {a.name: a.wire for a in record.attributes if a.name != a.wire}
        return ["Extensible", *([f"rename={literal(renamed)}"] if renamed else [])]
    # Messages are trees, so the garbage collector need not track them; that saves memory in each of them.
    options = ["Struct", "kw_only=True", "gc=False", "repr_omit_defaults=True"]
    if by_rule:
        options.append('rename="camel"')
    if record.tag is not None:
        options += [f"tag_field={literal(record.tag[0])}", f"tag={literal(record.tag[1])}"]
    if record.closed:
        options.append("forbid_unknown_fields=True")
    return options


def _camel(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names on the wire that msgspec's `rename="camel"` gives to fields."""
    if not names:
        return ()
    renamed: Any = msgspec.defstruct("Renamed", [(name, int) for name in names], rename="camel")
    return tuple(renamed.__struct_encode_fields__)


def _record_text(record: Record, schema: Schema) -> str:
    text = record.description or f"{record.name}."
    definition = schema.definitions.get(record.name)
    return text + _stage_note(definition.rfd if definition is not None else None, schema)


def _docstring(text: str) -> str:
    return docstring(text) if text else ""


def field_text(field: Field, schema: Schema) -> str:
    """What is said of a property in its docstring: description, default, gate, and the RFD in progress that brought it."""
    parts = [field.description] if field.description else []
    if field.has_default and field.default not in (None, "", [], {}, False):
        parts.append(f"Default: `{json.dumps(field.default, ensure_ascii=True)}`.")
    elif field.has_default and field.default is False:
        parts.append("Default: false.")
    if field.capability is not None:
        parts.append(f"Gate: `{field.capability}`.")
    return (" ".join(parts) + _stage_note(field.rfd, schema)).strip()


def _stage_note(rfd: str | None, schema: Schema) -> str:
    found = (schema.rfds or {}).get(rfd or "")
    return f" Unstable: RFD {found.name} ({found.stage})." if found is not None and not found.stable else ""


# --- the aliases -----------------------------------------------------------------------------------------------------


def _alias_order(shapes: Shapes) -> list[str]:
    """The aliases in an order in which each can be evaluated. Markers are classes and evaluate no other alias."""
    ordered: dict[str, None] = {}
    waiting = [*reversed((*shapes.choices, *shapes.aliases))]
    opened: set[str] = set()
    while waiting:
        name = waiting[-1]
        alias = shapes.aliases.get(name)
        needed = references(alias.type) if alias is not None and not alias.marker and name not in opened else ()
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
    """What a union may be, as the list in its docstring: each class, its tag, and what it is."""
    items: dict[str, str] = {}
    for leaf in choice.leaves:
        if not leaf.marks.open:
            record = leaf.record
            tag = f" ({json.dumps(record.tag[1])})" if record.tag is not None else ""
            items.setdefault(record.name, f"- `{record.name}`{tag}{_said(first_sentence(record.description))}")
    if "UnknownVariant" in _choice_texts(choice)[0]:
        what = f"any other `{choice.tag}`" if choice.tag is not None else "any other object"
        items["UnknownVariant"] = f"- `UnknownVariant`: {what}, kept as it came."
    return "\n".join(items.values())


def _values(alias: Alias) -> str:
    """What an enumeration may be, as the list in its docstring."""
    values = alias.type.values if isinstance(alias.type, Enumeration) else ()
    return "\n".join(f"- `{json.dumps(v.constant)}`{_said(v.description)}" for v in values if v.description)


def _said(description: str | None) -> str:
    return f": {' '.join(description.split())}" if description else ""


def _with_docs(named: Alias | Choice, static: str, runtime: str | None, schema: Schema) -> dict[str, Any]:
    definition = schema.definitions.get(named.name)
    description = (named.description or f"{named.name}.") + _stage_note(definition.rfd if definition else None, schema)
    text = description
    items = _variants(named) if isinstance(named, Choice) else _values(named)
    text += f"\n\n{items}" if items else ""
    return {
        "name": named.name,
        "static": static,
        "runtime": runtime,
        # What a marker among other types is made of may come later.
        "evaluates": isinstance(named, Choice) or runtime is None,
        "docstring": docstring(text, 0),
        "indented": docstring(text, 4),
        "deeper": docstring(text, 8),
        "text": literal(" ".join(description.split())),
    }
