"""Example messages for uncovered parts: as many parts as possible in each message, and otherwise minimal values.

Strings and other scalars are taken from the same property of other messages, so that new messages resemble existing
ones.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ...document.json_types import is_json_array, is_json_object
from ..algebra.conformance import fits
from ..algebra.intersect import same
from ..algebra.normal_form import ObjectForm
from ..nodes.types import (
    Anything,
    Array,
    Enumeration,
    Map,
    Null,
    Nullable,
    Object,
    Reference,
    String,
    Type,
    Union,
    Variant,
)
from ..nodes.walk import inner, references
from .coverage import Shown, is_choice, null_of
from .minimal import Leaf, Smallest, joined
from .samples import scalars

_FORMATS: Mapping[str, str] = {
    "date-time": "2026-01-31T12:00:00Z",
    "date": "2026-01-31",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "byte": "aGk=",
}
_ROOM = {"example.com/note": "Any JSON value."}
"""Values for places that accept any value."""


class Body(Struct, frozen=True):
    """A message for a definition, and the keys of the parts that it covers first."""

    definition: str
    value: Any
    shows: tuple[str, ...]


class _EndlessError(Exception):
    """A value would have to contain itself."""


class Bodies:
    """Creates messages that cover parts of a schema. `known`: values in other messages, by property name."""

    def __init__(self, shown: Shown, known: Mapping[str, Sequence[Any]]) -> None:
        self.shown = shown
        self.forms = shown.forms
        self.known = known
        self.smallest = Smallest(self.forms)
        self.wanted: set[str] = set()
        self._reach: dict[str, frozenset[str]] = {}

    def showing(self, ends: Iterable[str], wanted: Iterable[str]) -> Iterator[Body]:
        """Messages of some definitions that cover the wanted parts, as far as possible."""
        ends, order = list(ends), list(wanted)
        left = set(order)
        for tried in (order, *([key] for key in order)):  # what stands in the way of others is tried by itself
            for end in ends:
                self.wanted = left & set(tried)
                while self._leads(Reference(end)):
                    value = self._message(end)
                    shows = self.shown.by(Reference(end), value) & left if value is not None else set[str]()
                    if not shows & self.wanted:
                        break
                    left -= shows
                    self.wanted -= shows
                    yield Body(end, value, tuple(key for key in order if key in shows))

    def _message(self, end: str) -> Any:
        try:
            value = self._make(Reference(end), end, frozenset())
        except _EndlessError:
            return None
        return value if fits(self.forms, Reference(end), value) else None

    # --- what leads to what is wanted -----------------------------------------------------------------------------------

    def _leads(self, type_: Type) -> bool:
        """Return whether a wanted part is inside a type."""
        own = {part.key for part in self.shown.inside(type_, "", [])}
        return bool(own & self.wanted) or any(self._reached(name) & self.wanted for name in references(type_))

    def _reached(self, name: str) -> frozenset[str]:
        if name not in self._reach:
            self._reach[name] = frozenset(self.shown.parts([name]))
        return self._reach[name]

    # --- values -----------------------------------------------------------------------------------------------------------

    def _make(self, type_: Type, name: str, busy: frozenset[str]) -> Any:
        """Create a value of a type. `name`: its property or definition; `busy`: the enclosing definitions."""
        match type_:
            case Reference():
                return self._of_definition(type_, name, busy)
            case Nullable(held):
                return self._or(held, name, busy, None)
            case Array():
                return self._of_array(type_, name, busy)
            case Map(Anything()):
                return self._usual(type_, name, _ROOM)
            case Map(held):
                return {"key": self._make(held, name, busy)}
            case _ if self.forms.is_object(type_):
                return self._object(self.forms.form(type_), busy)
            case Union():
                return self._of_union(type_, name, busy)
            case Enumeration() if is_choice(type_):
                return self._constant(type_)
            case Object():
                return {}
            case Anything():
                return self._usual(type_, name, _ROOM)
            case Null():
                return None
            case _:
                return self._scalar(type_, name, [])

    def _of_definition(self, type_: Reference, name: str, busy: frozenset[str]) -> Any:
        if type_.name in busy:
            return self._small(type_)
        part = self.forms.schema.definitions[type_.name]
        if null_of(part) in self.wanted and part.pointer not in self.wanted and not self._leads(part.type):
            return None
        return self._make(part.type, name, busy | {type_.name})

    def _of_array(self, type_: Array, name: str, busy: frozenset[str]) -> list[Any]:
        least = max(type_.min_items or 0, len(type_.prefix))
        items = [self._make(item, name, busy) for item in type_.prefix]
        more = [self._or(type_.items, name, busy, _NOTHING)] * max(1, least - len(items))
        return [*items, *(item for item in more if item is not _NOTHING)]

    def _of_union(self, type_: Union, name: str, busy: frozenset[str]) -> Any:
        """A value of the wanted variant that no earlier variant accepts."""
        variant = self._chosen(type_.variants, busy)
        earlier = [v.type for v in type_.variants[: type_.variants.index(variant)]]
        made = self._make(variant.type, name, busy)
        if any(fits(self.forms, t, made) for t in earlier):
            others = (v for v in scalars(variant.type, earlier) if fits(self.forms, variant.type, v))
            made = next((v for v in others if not any(fits(self.forms, t, v) for t in earlier)), made)
        return made

    def _small(self, type_: Type) -> Any:
        """The minimal value of a type that is nested in itself."""
        found = self.smallest.value(type_)
        if found is None:
            raise _EndlessError
        return found.value

    def _or(self, type_: Type, name: str, busy: frozenset[str], instead: Any) -> Any:
        try:
            return self._make(type_, name, busy)
        except _EndlessError:
            return instead

    def _usual(self, type_: Type, name: str, instead: Any) -> Any:
        """The value of other messages under a name, if it is valid."""
        return next((value for value in self.known.get(name, ()) if fits(self.forms, type_, value)), instead)

    def _scalar(self, type_: Type, name: str, kept_out: Sequence[Any]) -> Any:
        formats = (t.format for t in inner(type_) if isinstance(t, String))
        usual = [
            *self.known.get(name, ()),
            *(_FORMATS[f] for f in formats if f is not None and f in _FORMATS),
            name,
            1,
            True,
        ]
        for value in (*usual, *scalars(type_, [])):
            if not any(same(value, out) for out in kept_out) and fits(self.forms, type_, value):
                return value
        raise _EndlessError

    def _constant(self, type_: Enumeration) -> Any:
        for value in type_.values:
            if value.pointer in self.wanted:
                return value.constant
        if type_.base is not None and any(part.key in self.wanted for part in self.shown.inside(type_, "", [])):
            return self._scalar(type_.base, "other", [value.constant for value in type_.values])
        return type_.values[0].constant

    def _chosen(self, variants: Sequence[Variant], busy: frozenset[str]) -> Variant:
        """The first variant that leads to a wanted part; otherwise the first that has a value."""
        leading = [v for v in variants if v.pointer in self.wanted or self._leads(v.type)]
        for variant in (*leading, *variants):
            if not isinstance(variant.type, Reference) or variant.type.name not in busy:
                return variant
        raise _EndlessError

    # --- objects ----------------------------------------------------------------------------------------------------------

    def _object(self, form: ObjectForm, busy: frozenset[str]) -> dict[str, Any]:
        leaf = self._leaf(form, busy)
        found: dict[str, Any] = {}
        for field in leaf.fields.values():
            kept_out = [e.constant for e in leaf.excludes if e.property == field.name]
            try:
                if kept_out:
                    found[field.name] = self._scalar(field.type, field.name, kept_out)
                elif field.pointer in self.wanted or self._leads(field.type):
                    found[field.name] = self._make(field.type, field.name, busy)
                elif null_of(field) in self.wanted:
                    found[field.name] = None
                elif field.required:
                    found[field.name] = self._make(field.type, field.name, busy)
            except _EndlessError:
                if field.required:
                    raise
        if leaf.extra is not None and self._leads(leaf.extra):
            found["key"] = self._make(leaf.extra, "key", busy)
        return found

    def _leaf(self, form: ObjectForm, busy: frozenset[str]) -> Leaf:
        """An object with one variant chosen for each of its unions."""
        leaf = Leaf(form.fields, form.excludes, form.extra, form.closed)
        for union in form.unions:
            variant = self._chosen(union.variants, busy)
            leaf = joined(leaf, self._leaf(self.forms.form(variant.type), busy))
        return leaf


_NOTHING = object()


def known_values(messages: Iterable[Any]) -> dict[str, list[Any]]:
    """The values of properties in messages, by name, the most frequent first. Objects are included only for reserved
    names.
    """
    counts: dict[str, Counter[str]] = {}
    waiting = list(messages)
    while waiting:
        value = waiting.pop()
        if is_json_object(value):
            for name, held in value.items():
                if name.startswith("_") or not isinstance(held, (dict, list)):
                    counts.setdefault(name, Counter())[json.dumps(held)] += 1
                else:
                    waiting.append(held)
        elif is_json_array(value):
            waiting += value
    usual = {
        name: sorted(found, key=lambda text: (text == '""', -found[text], len(text), text))
        for name, found in counts.items()
    }
    return {name: [v for v in map(json.loads, texts[:_MOST]) if v is not None] for name, texts in usual.items()}


_MOST = 8
"""Maximum number of values per name to try."""
