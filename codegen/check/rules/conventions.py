"""Lints of properties that differ from similar ones in leniency, null, named types or formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from ...document.keywords import DEFAULT_ON_ERROR, DEFAULT_ON_NULL, SKIP_INVALID
from ...findings.rule import Hit
from ...model.analysis.leniency import forgives, is_anything, replaces_null
from ...model.naming.wire_names import NameError_, pascal, words
from ...model.nodes.types import Array, Field, Nullable, Object, Reference, String, Type
from ..parts.phrases import owner
from ..parts.schemas import Loaded
from .rows import Rows

_TIMES = frozenset({"at", "date", "time", "timestamp"})
"""The last words of names of timestamps."""
_LEAST = 2
"""The minimum number of similar properties that establish a convention."""


def _subject(field: Field) -> str:
    return f"{owner(field.pointer)}.{field.name}"


# --- leniency --------------------------------------------------------------------------------------------------------------


def _useless(loaded: Loaded) -> Iterator[Hit]:
    forms = loaded.forms
    for field in loaded.fields():
        reasons = (
            (DEFAULT_ON_ERROR, field.default_on_error, is_anything(forms, field), "it takes any value"),
            (
                DEFAULT_ON_ERROR,
                field.default_on_error,
                not forgives(forms, field),
                "it is required and has no default as a replacement",
            ),
            (DEFAULT_ON_NULL, field.default_on_null, forms.nullable(field.type), "null is a valid value"),
            (
                DEFAULT_ON_NULL,
                field.default_on_null,
                not replaces_null(forms, field),
                "it has neither a default nor an empty value",
            ),
        )
        told: set[str] = set()
        for keyword, is_there, is_useless, why in reasons:
            if is_there and is_useless and keyword not in told:
                told.add(keyword)
                yield Hit(f"{keyword} has no effect in {_subject(field)}: {why}", field.pointer)


class _Asked(Struct, frozen=True):
    """A keyword, the properties that it suits, and those that have it."""

    keyword: str
    applies: Callable[[Loaded, Field], bool]
    has: Callable[[Field], bool]


def _lacking(loaded: Loaded) -> Iterator[Hit]:
    """New properties that lack a keyword of all similar ones."""
    if loaded.base is None:
        return
    known = {field.pointer for field in Loaded(loaded.raw, loaded.base, loaded.forms, annotated=True).fields()}
    for type_ in loaded.types:
        own = type_.fields if isinstance(type_, Object) else ()
        for field in own:
            lacks = [each.keyword for each in _ASKED if _is_unlike(loaded, field, own, each)]
            if lacks and field.pointer not in known:
                text = f"{_subject(field)} lacks {' and '.join(lacks)}, unlike all properties beside it"
                yield Hit(text, field.pointer)


def _is_unlike(loaded: Loaded, field: Field, own: tuple[Field, ...], asked: _Asked) -> bool:
    """Return whether a property lacks a keyword that all similar properties have."""
    alike = [each for each in own if not each.name.startswith("_") and asked.applies(loaded, each)]
    others = [each for each in alike if each is not field]
    return field in alike and not asked.has(field) and len(others) >= _LEAST and all(map(asked.has, others))


def _may_forgive(loaded: Loaded, field: Field) -> bool:
    return not field.required and not is_anything(loaded.forms, field)


def _may_skip(loaded: Loaded, field: Field) -> bool:
    return isinstance(loaded.forms.core(field.type), Array)


_ASKED = (
    _Asked(DEFAULT_ON_ERROR, _may_forgive, lambda field: field.default_on_error),
    _Asked(SKIP_INVALID, _may_skip, lambda field: field.skip_invalid_items),
)


# --- capabilities -----------------------------------------------------------------------------------------------------------


def _never_null(loaded: Loaded) -> Iterator[Hit]:
    forms = loaded.forms
    for field in loaded.capabilities():
        if forms.is_object(forms.core(field.type)) and not forms.nullable(field.type) and not field.has_default:
            yield Hit(
                f"the capability {_subject(field)} cannot be null, but peers send null for an unsupported capability",
                field.pointer,
            )


# --- types ------------------------------------------------------------------------------------------------------------------


def _plain_ids(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        if isinstance(_bare(field.type), String):
            name = _id_type(loaded, field.name)
            if name and name != owner(field.pointer):
                text = f"{_subject(field)} accepts any string, although the schema has the type {name} for such ids"
                instead = f'write {{"$ref": "#/$defs/{name}"}}'
                yield Hit(text, field.pointer, instead=instead)


def _bare(type_: Type) -> Type:
    """A type without null and an enclosing array."""
    while isinstance(type_, (Nullable, Array)):
        type_ = type_.inner if isinstance(type_, Nullable) else type_.items
    return type_


def _id_type(loaded: Loaded, name: str) -> str | None:
    """The id type that a property's name refers to: `parentThingId` and `thingIds` refer to `ThingId`."""
    parts = _words(name)
    if len(parts) < _LEAST or parts[-1].lower() not in ("id", "ids"):
        return None
    parts[-1] = "Id"
    for start in range(len(parts) - 1):
        found = pascal("_".join(parts[start:]))
        if found in loaded.schema.definitions and isinstance(loaded.forms.core(Reference(found)), String):
            return found
    return None


def _words(name: str) -> list[str]:
    """The words of a name; empty if it is not valid in Python."""
    try:
        return words(name)
    except NameError_:
        return []


def _without_format(loaded: Loaded) -> Iterator[Hit]:
    for field in loaded.fields():
        type_ = _bare(field.type)
        is_time = (_words(field.name) or [""])[-1].lower() in _TIMES
        if is_time and isinstance(type_, String) and type_.format is None and type_.pattern is None:
            yield Hit(f"{_subject(field)} holds a time, but has no format", field.pointer)


_rules = Rows(
    """
# conventions

leniency-useless (warning)
    A leniency keyword without effect.
    Why: A receiver can replace a bad value only if the property has a default or may be absent. Where null is allowed,
    null is not a bad value. Readers may think that the property is lenient; `diff` does not treat it so.
    Instead: remove the keyword, or give the property a default

leniency-missing (warning)
    A new property without the leniency keyword that all properties beside it have.
    Why: A bad value of this property makes the whole message invalid, unlike a bad value of the others.
    Instead: add the keyword

capability-not-nullable (warning)
    A capability that cannot be null.
    Why: An object means yes; null or absence means no. A peer that writes all capabilities needs null for the
    unsupported ones.
    Instead: write "anyOf": [{"$ref": ...}, {"type": "null"}]

id-without-type (warning)
    An id that is a plain string, although the schema has a type for such ids.
    Why: The type states the meaning of the id, in one place.
    Instead: refer to the type

time-without-format (warning)
    A property that holds a time, without a format.
    Why: Peers may guess different formats and read different times, or none.
    Instead: write "format": "date-time"
"""
)

ROWS = (
    _rules.lint("leniency-useless", Loaded, _useless),
    _rules.lint("leniency-missing", Loaded, _lacking),
    _rules.lint("capability-not-nullable", Loaded, _never_null),
    _rules.lint("id-without-type", Loaded, _plain_ids),
    _rules.lint("time-without-format", Loaded, _without_format),
)
