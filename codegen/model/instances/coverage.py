"""Coverage of a schema by messages: the definitions, properties, nulls, variants and values that a message contains.

The key of a part is its pointer, followed by `/null` for a null value and `/-` for a value that an open enumeration
does not list. A value covers only the first variant that it conforms to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from ...document.json_types import is_json_array, is_json_object
from ...document.read import join
from ...errors import quoted
from ..algebra.conformance import declared_by, fits
from ..algebra.intersect import same
from ..algebra.normal_form import WireForms
from ..nodes import types as t
from ..nodes.walk import aspects, children, item_of


class Part(Struct, frozen=True):
    """A part that a message can cover: its key, its pointer and its name."""

    key: str
    pointer: str
    words: str


class Shown:
    """The parts of one schema. `nulls`: the pointers of properties and definitions with a separate null variant."""

    def __init__(self, forms: WireForms, nulls: Collection[str] = ()) -> None:
        self.forms = forms
        self.nulls = nulls
        self._own: dict[str, tuple[dict[str, Part], tuple[str, ...]]] = {}

    def parts(self, roots: Collection[str]) -> dict[str, Part]:
        """The parts that messages of some definitions can cover, by key."""
        found: dict[str, Part] = {}
        for name in self.reached(roots):
            found |= self.of_definition(name)[0]
        return found

    def reached(self, roots: Collection[str]) -> dict[str, None]:
        """The definitions that messages of some definitions contain, including themselves."""
        found = dict.fromkeys(roots)
        waiting = list(roots)
        while waiting:
            for name in self.of_definition(waiting.pop(0))[1]:
                if name not in found:
                    found[name] = None
                    waiting.append(name)
        return found

    def of_definition(self, name: str) -> tuple[dict[str, Part], tuple[str, ...]]:
        """The parts of one definition itself, and the definitions that it refers to, in the order of the document."""
        if name not in self._own:
            definition = self.forms.schema.definitions[name]
            names: list[str] = []
            parts = [Part(definition.pointer, definition.pointer, name), *self.inside(definition.type, name, names)]
            if definition.pointer in self.nulls:
                parts.append(Part(null_of(definition), definition.pointer, f"{name} as null"))
            self._own[name] = ({part.key: part for part in parts}, tuple(dict.fromkeys(names)))
        return self._own[name]

    def inside(self, type_: t.Type, owner: str, names: list[str]) -> Iterator[Part]:
        """The parts inside a type, without references. Referenced definitions are added to `names`."""
        match type_:
            case t.Reference(name):
                names.append(name)
            case t.Union(variants):
                for variant in variants:
                    words = f"the variant {self.label(variant)} of {owner}"
                    yield Part(variant.pointer, variant.pointer, words)
                    yield from self.inside(variant.type, owner, names)
            case t.Enumeration() if is_choice(type_):
                for value in type_.values:
                    yield Part(value.pointer, value.pointer, f"the value {quoted(value.constant)} of {owner}")
                if type_.base is not None:
                    pointer = type_.values[0].pointer
                    yield Part(_other(type_), pointer, f"a value of {owner} that is not listed")
            case t.Object():
                for field in type_.fields:
                    yield from self._field(field, owner, names)
                for part in (*aspects(type_), *(() if type_.extra is None else (type_.extra,))):
                    yield from self.inside(part, owner, names)
            case _:
                for part in children(type_):
                    yield from self.inside(part, owner, names)

    def _field(self, field: t.Field, owner: str, names: list[str]) -> Iterator[Part]:
        words = f"{owner}.{field.name}"
        if is_tag(field) or not is_declared(field):
            return
        yield Part(field.pointer, field.pointer, words)
        if field.pointer in self.nulls:
            yield Part(null_of(field), field.pointer, f"{words} as null")
        yield from self.inside(field.type, words, names)

    def label(self, variant: t.Variant) -> str:
        """The name of a variant: its tag, its title, or its reference."""
        if self.forms.is_object(variant.type):
            constants = list(self.forms.form(variant.type).constants().values())
            if len(constants) == 1:
                return quoted(constants[0])
        if variant.title:
            return variant.title
        return (
            variant.type.name
            if isinstance(variant.type, t.Reference)
            else f"number {variant.pointer.rpartition('/')[2]}"
        )

    # --- of a value ---------------------------------------------------------------------------------------------------

    def by(self, type_: t.Type, value: Any) -> set[str]:
        """The keys of the parts that a valid value covers."""
        found: set[str] = set()
        self._show(type_, value, found)
        return found

    def _show(self, type_: t.Type, value: Any, found: set[str]) -> None:
        match type_:
            case t.Reference(name):
                definition = self.forms.schema.definitions[name]
                found.add(null_of(definition) if value is None else definition.pointer)
                self._show(definition.type, value, found)
            case t.Nullable(held) if value is not None:
                self._show(held, value, found)
            case t.Array() if is_json_array(value):
                for index, item in enumerate(value):
                    self._show(item_of(type_, index), item, found)
            case t.Map(held) if is_json_object(value):
                for item in value.values():
                    self._show(held, item, found)
            case t.Union(variants):
                variant = next((v for v in variants if fits(self.forms, v.type, value)), None)
                if variant is not None:
                    found.add(variant.pointer)
                    self._show(variant.type, value, found)
            case t.Enumeration() if is_choice(type_):
                listed = next((v.pointer for v in type_.values if same(v.constant, value)), None)
                found.add(listed or _other(type_))
            case t.Object() if is_json_object(value):
                self._show_object(type_, value, found)
            case _:
                pass

    def _show_object(self, type_: t.Object, value: dict[str, Any], found: set[str]) -> None:
        for field in type_.fields:
            if field.name in value:
                held = value[field.name]
                is_null = held is None and not isinstance(field.type, (t.Anything, t.Null))
                found.add(null_of(field) if is_null else field.pointer)
                self._show(field.type, held, found)
        for part in aspects(type_):
            self._show(part, value, found)
        if type_.extra is not None:
            declared = declared_by(self.forms, self.forms.form(type_), value)
            for name in value.keys() - declared:
                self._show(type_.extra, value[name], found)


def is_choice(type_: t.Enumeration) -> bool:
    """Return whether an enumeration has several values."""
    return len(type_.values) > 1 or type_.base is not None


def is_tag(field: t.Field) -> bool:
    """Return whether a property has only one possible value. The variant that it names is then counted instead."""
    return isinstance(field.type, t.Enumeration) and not is_choice(field.type)


def is_declared(field: t.Field) -> bool:
    """Return whether a property has a schema, and is not only named in `required`."""
    return field.pointer.rpartition("/")[0].endswith("/properties")


def null_of(part: t.Field | t.Definition) -> str:
    """The key of a null value of a property or definition."""
    return join(part.pointer, "null")


def _other(type_: t.Enumeration) -> str:
    return join(type_.values[0].pointer.rpartition("/")[0], "-")
