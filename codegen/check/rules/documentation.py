"""Lints of names and descriptions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...diagnostics import TYPE_NAME
from ...document.read import pointer_parts
from ...errors import quoted
from ...findings.rule import Hit
from ...model.algebra.normal_form import ObjectForm
from ...model.nodes.types import Definition, Enumeration, Field, Nullable, Object, Reference, Value, Variant
from ...model.nodes.walk import contents, inner, without_null
from ..parts.schemas import Loaded
from .rows import Rows, fault_lint

_PASCAL = re.compile(r"[A-Z][A-Za-z0-9]*")
_CAMEL = re.compile(r"[a-z][a-zA-Z0-9]*")
_SNAKE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")


def _place(pointer: str) -> str:
    """A property's name with its owner's."""
    parts = [p for p in pointer_parts(pointer)[1:] if p not in ("properties", "oneOf", "anyOf", "allOf")]
    return ".".join(p for p in parts if not p.isdecimal())


def _unsaid(part: Definition | Field | Value | Variant) -> str:
    """The problem with the description of a part; empty if there is none."""
    words = (part.description or "").strip()
    return "has no description" if not words else "has a TODO as its description" if words.startswith("TODO") else ""


def _definition(loaded: Loaded) -> Iterator[Hit]:
    for definition in loaded.definitions():
        if unsaid := _unsaid(definition):
            yield Hit(f"{definition.name} {unsaid}", definition.pointer)


def _property(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        constant = isinstance(field.type, Enumeration) and len(field.type.values) == 1 and field.type.base is None
        unsaid = _unsaid(field)
        if unsaid and not constant and "/not/" not in field.pointer:
            yield Hit(f"{_place(field.pointer)} {unsaid}", field.pointer)


def _value(loaded: Loaded) -> Iterator[Hit]:
    for value in loaded.values():
        if unsaid := _unsaid(value):
            yield Hit(f"the value {quoted(value.constant)} {unsaid}", value.pointer)
    for definition, union in loaded.unions():
        for variant in union.variants:
            bare = isinstance(variant.type, Reference) and len(union.variants) > 1
            target = (
                loaded.schema.definitions[variant.type.name].description if isinstance(variant.type, Reference) else ""
            )
            unsaid = _unsaid(variant)
            if unsaid and not (bare and target and not variant.description):
                yield Hit(f"a variant of {definition.name} {unsaid}", variant.pointer)


def _pascal(loaded: Loaded) -> Iterator[Hit]:
    for definition in loaded.definitions():
        if not _PASCAL.fullmatch(definition.name):
            yield Hit(f"the definition {quoted(definition.name)} is not in PascalCase", definition.pointer)


def _camel(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        if not _CAMEL.fullmatch(field.name) and not field.name.startswith("_"):
            yield Hit(f"the property {quoted(field.name)} is not in camelCase", field.pointer)


def _snake(loaded: Loaded) -> Iterator[Hit]:
    for type_ in loaded.types:
        if isinstance(type_, Enumeration):
            for value in type_.values:
                constant = value.constant
                if isinstance(constant, str) and not _SNAKE.fullmatch(constant) and not constant.startswith("_"):
                    yield Hit(f"the value {quoted(constant)} is not in snake_case", value.pointer)


def _meta(loaded: Loaded) -> Iterator[Hit]:
    whole = _sent_whole(loaded)
    for definition in loaded.definitions():
        if definition.name in whole and loaded.forms.is_object(definition.type):
            form = loaded.forms.form(definition.type)
            for name, pointer in _without_meta(loaded, form, definition.name, definition.pointer, ()):
                yield Hit(f"{name} has no _meta, the property for data of implementations", pointer)


def _sent_whole(loaded: Loaded) -> set[str]:
    """The definitions that are whole messages instead of parts."""
    found = {name for m in loaded.schema.methods for name in (m.params, m.result) if name}
    for type_ in loaded.types:
        found.update(part.name for part in map(without_null, contents(type_)) if isinstance(part, Reference))
    return found


def _without_meta(
    loaded: Loaded, form: ObjectForm, name: str, pointer: str, seen: tuple[int, ...]
) -> Iterator[tuple[str, str]]:
    """The objects that declare properties but not the one for implementations, with their definitions and places."""
    if "_meta" in form.fields or form.extra is not None or id(form.type) in seen:
        return
    for union in form.unions:
        for member in loaded.forms.members(union):
            if not member.open:
                named = loaded.schema.definitions[member.names[0]] if member.names else None
                inside = (
                    (named.name, named.pointer)
                    if named is not None
                    else (f"a variant of {name}", member.variant.pointer)
                )
                yield from _without_meta(loaded, member.form, *inside, (*seen, id(form.type)))
    if not form.unions and not _is_constant(form):
        yield name, pointer


def _is_constant(form: ObjectForm) -> bool:
    """Return whether an object consists only of its tag."""
    return bool(form.fields) and form.fields.keys() == form.constants().keys()


def _null(loaded: Loaded) -> Iterator[Hit]:
    if loaded.base is None:
        return
    before = _nullable_fields(loaded.base.definitions)
    for key, field in _nullable_fields(loaded.schema.definitions).items():
        old = before.get(key)
        said = old is not None and old.description == field.description and old.required == field.required
        if not said and not field.name.startswith("_") and "null" not in (field.description or "").lower():
            yield Hit(f"the description of {_place(field.pointer)} does not explain null", field.pointer)


def _nullable_fields(definitions: Mapping[str, Definition]) -> dict[tuple[str, str], Field]:
    found: dict[tuple[str, str], Field] = {}
    for definition in definitions.values():
        for type_ in inner(definition.type):
            if isinstance(type_, Object):
                for field in type_.fields:
                    if isinstance(field.type, Nullable):
                        found[definition.name, _place(field.pointer)] = field
    return found


_rules = Rows(
    """
# documentation

def-undocumented (warning)
    A definition without a description, or with one that starts with TODO.
    Instead: describe it in a sentence

property-undocumented (warning)
    A property without a description, or with one that starts with TODO.
    Instead: state its meaning, and the meaning of its absence

value-undocumented (warning)
    A value or variant without a description, or with one that starts with TODO.
    Instead: say when a sender uses it

property-not-camel-case (warning)
    A property whose name is not in camelCase.
    Instead: write it in camelCase

value-not-snake-case (warning)
    A value that is not in snake_case.
    Instead: write it in snake_case; if another standard defines the name, suppress the finding with that reason

meta-field-missing (warning)
    An object without `_meta`, the property for data of implementations.
    Instead: add the property _meta

null-meaning-unstated (warning)
    A new or changed nullable property whose description does not explain null.
    Instead: state the meaning of null, or remove null
"""
)

ROWS = (
    _rules.lint("def-undocumented", Loaded, _definition),
    _rules.lint("property-undocumented", Loaded, _property),
    _rules.lint("value-undocumented", Loaded, _value),
    fault_lint("documentation", TYPE_NAME, Loaded, _pascal),
    _rules.lint("property-not-camel-case", Loaded, _camel),
    _rules.lint("value-not-snake-case", Loaded, _snake),
    _rules.lint("meta-field-missing", Loaded, _meta),
    _rules.lint("null-meaning-unstated", Loaded, _null),
)
