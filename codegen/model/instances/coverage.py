"""Which parts of a schema its messages can show, and which a message shows: definitions, properties, nulls, variants, values.

A part has a key: its pointer; below it `/null` for a property that is null, and `/-` for a value that an open enumeration does
not list. A value shows the first variant that it fits: what also fits a later one shows nothing of that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from ..document.jsonvalue import is_json_array, is_json_object
from ..document.read import join
from ..errors import quoted
from .combine import same
from .fits import fits
from .types import (
    Anything,
    Array,
    Definition,
    Enumeration,
    Field,
    Map,
    Null,
    Nullable,
    Object,
    Reference,
    Type,
    Union,
    Variant,
)
from .wireform import WireForms


class Part(Struct, frozen=True):
    """Something that a message can show: its key, where it is in the schema, and what it is called."""

    key: str
    pointer: str
    words: str


class Shown:
    """The parts of one schema. `nulls`: the pointers of properties and definitions of which null is a variant of its own."""

    def __init__(self, forms: WireForms, nulls: Collection[str] = ()) -> None:
        self.forms = forms
        self.nulls = nulls
        self._own: dict[str, tuple[dict[str, Part], frozenset[str]]] = {}

    def parts(self, roots: Collection[str]) -> dict[str, Part]:
        """What messages of some definitions can show, by key."""
        found: dict[str, Part] = {}
        for name in self.reached(roots):
            found |= self.of_definition(name)[0]
        return found

    def reached(self, roots: Collection[str]) -> dict[str, None]:
        """The definitions that messages of some definitions hold, themselves among them."""
        found = dict.fromkeys(roots)
        waiting = list(roots)
        while waiting:
            for name in self.of_definition(waiting.pop(0))[1]:
                if name not in found:
                    found[name] = None
                    waiting.append(name)
        return found

    def of_definition(self, name: str) -> tuple[dict[str, Part], frozenset[str]]:
        """The parts of one definition itself, and the definitions that it names."""
        if name not in self._own:
            definition = self.forms.schema.definitions[name]
            names: list[str] = []
            parts = [Part(definition.pointer, definition.pointer, name), *self.inside(definition.type, name, names)]
            if definition.pointer in self.nulls:
                parts.append(Part(null_of(definition), definition.pointer, f"{name} as null"))
            self._own[name] = ({part.key: part for part in parts}, frozenset(names))
        return self._own[name]

    def inside(self, type_: Type, owner: str, names: list[str]) -> Iterator[Part]:
        """The parts inside a type, references not followed; what they name is added to `names`."""
        match type_:
            case Reference(name):
                names.append(name)
            case Nullable(held) | Map(held):
                yield from self.inside(held, owner, names)
            case Array():
                for item in (*type_.prefix, type_.items):
                    yield from self.inside(item, owner, names)
            case Union(variants):
                for variant in variants:
                    words = f"the variant {self.label(variant)} of {owner}"
                    yield Part(variant.pointer, variant.pointer, words)
                    yield from self.inside(variant.type, owner, names)
            case Enumeration() if is_choice(type_):
                for value in type_.values:
                    yield Part(value.pointer, value.pointer, f"the value {quoted(value.constant)} of {owner}")
                if type_.base is not None:
                    pointer = type_.values[0].pointer
                    yield Part(_other(type_), pointer, f"a value of {owner} that is not listed")
            case Object():
                for field in type_.fields:
                    yield from self._field(field, owner, names)
                for base in (*type_.bases, *type_.unions, *([type_.extra] if type_.extra is not None else [])):
                    yield from self.inside(base, owner, names)
            case _:
                pass

    def _field(self, field: Field, owner: str, names: list[str]) -> Iterator[Part]:
        words = f"{owner}.{field.name}"
        if is_tag(field) or not is_declared(field):
            return
        yield Part(field.pointer, field.pointer, words)
        if field.pointer in self.nulls:
            yield Part(null_of(field), field.pointer, f"{words} as null")
        yield from self.inside(field.type, words, names)

    def label(self, variant: Variant) -> str:
        """What a variant is called: by its tag, its title, what it refers to."""
        if self.forms.is_object(variant.type):
            constants = list(self.forms.form(variant.type).constants().values())
            if len(constants) == 1:
                return quoted(constants[0])
        if variant.title:
            return variant.title
        return (
            variant.type.name if isinstance(variant.type, Reference) else f"number {variant.pointer.rpartition('/')[2]}"
        )

    # --- of a value ---------------------------------------------------------------------------------------------------

    def by(self, type_: Type, value: Any) -> set[str]:
        """The keys of what a value of a type shows; the value has to fit."""
        found: set[str] = set()
        self._show(type_, value, found)
        return found

    def _show(self, type_: Type, value: Any, found: set[str]) -> None:
        match type_:
            case Reference(name):
                definition = self.forms.schema.definitions[name]
                found.add(null_of(definition) if value is None else definition.pointer)
                self._show(definition.type, value, found)
            case Nullable(held) if value is not None:
                self._show(held, value, found)
            case Array() if is_json_array(value):
                for index, item in enumerate(value):
                    self._show(type_.prefix[index] if index < len(type_.prefix) else type_.items, item, found)
            case Map(held) if is_json_object(value):
                for item in value.values():
                    self._show(held, item, found)
            case Union(variants):
                variant = next((v for v in variants if fits(self.forms, v.type, value)), None)
                if variant is not None:
                    found.add(variant.pointer)
                    self._show(variant.type, value, found)
            case Enumeration() if is_choice(type_):
                listed = next((v.pointer for v in type_.values if same(v.constant, value)), None)
                found.add(listed or _other(type_))
            case Object() if is_json_object(value):
                self._show_object(type_, value, found)
            case _:
                pass

    def _show_object(self, type_: Object, value: dict[str, Any], found: set[str]) -> None:
        for field in type_.fields:
            if field.name in value:
                held = value[field.name]
                is_null = held is None and not isinstance(field.type, (Anything, Null))
                found.add(null_of(field) if is_null else field.pointer)
                self._show(field.type, held, found)
        for base in (*type_.bases, *type_.unions):
            self._show(base, value, found)
        if type_.extra is not None:
            declared = self.forms.form(type_).fields
            for name, held in value.items():
                if name not in declared:
                    self._show(type_.extra, held, found)


def is_choice(type_: Enumeration) -> bool:
    """Whether an enumeration leaves a choice."""
    return len(type_.values) > 1 or type_.base is not None


def is_tag(field: Field) -> bool:
    """Whether a property has one value only: then the variant counts that it names."""
    return isinstance(field.type, Enumeration) and not is_choice(field.type)


def is_declared(field: Field) -> bool:
    """Whether a property has a schema, and is not only named in `required`."""
    return field.pointer.rpartition("/")[0].endswith("/properties")


def null_of(part: Field | Definition) -> str:
    """The key of a property, or of what a definition names, that is null."""
    return join(part.pointer, "null")


def _other(type_: Enumeration) -> str:
    return join(type_.values[0].pointer.rpartition("/")[0], "-")
