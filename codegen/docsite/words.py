"""Types in words, and tables of properties, variants and constants, including the meaning of absence, null and bad
values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from markupsafe import Markup
from msgspec import Struct

from ..model.analysis.leniency import forgives, is_anything, replaces_null
from ..model.nodes import types as t
from ..model.nodes.walk import children, inner
from .book import Book
from .labels import constant, payload_of, tags_of
from .text import code, escaped, listed, said
from .urls import anchor_of

_MOST_CONSTANTS = 8
_DOES = {
    "create": "begins an entry of ",
    "upsert": "begins or replaces an entry of ",
    "patch": "changes an entry of ",
    "append": "adds to an entry of ",
    "replace": "replaces ",
    "remove": "removes an entry of ",
}


class Part(Struct, frozen=True, kw_only=True):
    """A row of a table: a property, variant or constant. `notes` are shown below its description."""

    name: str
    anchor: str
    type: Markup
    text: Markup
    notes: tuple[Markup, ...]


class Words:
    """Words for the types of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def type(self, type_: t.Type) -> Markup:
        """The possible values of a type, with links."""
        match type_:
            case t.Anything():
                return escaped("any JSON")
            case t.Null():
                return code("null")
            case t.Boolean():
                return escaped("boolean")
            case t.Integer() | t.Number():
                return escaped(_number(type_))
            case t.String():
                return _string(type_)
            case t.Enumeration(values, base):
                shown = [code(constant(v.constant)) for v in values[:_MOST_CONSTANTS]]
                more = len(values) - _MOST_CONSTANTS
                return listed(
                    [*shown, *([f"{more} more"] if more > 0 else []), *([self.type(base)] if base else [])], " | "
                )
            case t.Array(items, prefix, least, most):
                inside = listed([*map(self.type, prefix), self._grouped(items)])
                return said("array of ", inside, _limits(least, most, "item"))
            case t.Map(values):
                return said("map of string to ", self._grouped(values))
            case t.Reference(name):
                return self.book.type(name)
            case t.Nullable(inside):
                return said(self.type(inside), " | ", code("null"))
            case t.Union(variants):
                return listed((self.type(v.type) for v in variants), " | ")
            case t.Object(fields=(), bases=(only,), unions=(), extra=None):
                return self.type(only)
            case t.Object():
                return escaped("object")

    def _grouped(self, type_: t.Type) -> Markup:
        is_choice = isinstance(type_, (t.Nullable, t.Union)) or (
            isinstance(type_, t.Enumeration) and len(type_.values) > 1
        )
        return said("(", self.type(type_), ")") if is_choice else self.type(type_)

    def kind(self, definition: t.Definition) -> str:
        """The kind of a definition, in one word."""
        forms, type_ = self.book.forms, self.book.forms.core(t.Reference(definition.name))
        if forms.is_object(type_):
            return "object with variants" if forms.form(type_).unions else "object"
        return "any JSON" if isinstance(type_, t.Anything) else type(type_).__name__.lower()

    # --- properties ------------------------------------------------------------------------------------------------

    def fields(self, fields: Iterable[t.Field], owner: str, prefix: str = "", depth: int = 0) -> Iterator[Part]:
        """Properties, each followed by the properties of its inline object."""
        record = self.book.shapes.records.get(owner) if not depth else None
        python = {each.wire: each.name for each in record.attributes} if record is not None else {}
        for field in fields:
            name = f"{prefix}{field.name}"
            notes = self._notes(owner, name, field, python.get(field.name, ""))
            yield Part(
                name=name,
                anchor=anchor_of("field", name),
                type=self.type(field.type),
                text=self.book.prose(field.description),
                notes=(*self._presence(field, owner), *notes),
            )
            for inside in _objects(field.type) if depth < 3 else ():
                form = self.book.forms.form(inside)
                yield from self.fields(form.fields.values(), owner, f"{name}.", depth + 1)

    def _notes(self, owner: str, name: str, part: t.Field | t.Variant | t.Value, python: str) -> tuple[Markup, ...]:
        """Facts about a part in addition to its description."""
        found = [*self.book.badges(part.rfd), *self.book.changes(owner, name)]
        if part.capability is not None:
            found.append(said("gate ", self.book.gate_of_anyone(part.capability)))
        update = None if isinstance(part, t.Value) else part.update
        if update is not None and update.does in _DOES and update.part:
            found.append(said(_DOES[update.does], code(update.part)))
        if python and python != name:
            found.append(said("Python ", code(python)))
        return tuple(found)

    def _presence(self, field: t.Field, owner: str) -> Iterator[Markup]:
        """Describe whether a property is required, and the meaning of absence, null and bad values."""
        yield Markup("<strong>required</strong>") if field.required else escaped("optional")
        yield from (escaped("deprecated"),) if field.deprecated else ()
        cases = {"absent": self._absent(field), "null": self._null(field, owner), "bad value": self._bad(field)}
        rejected = [case for case, meaning in cases.items() if meaning == "rejected"]
        yield from (said(case, ": ", meaning) for case, meaning in cases.items() if case not in rejected)
        if rejected:
            yield said(listed(rejected), ": rejected")

    def _absent(self, field: t.Field) -> Markup:
        if field.required and not (field.default_on_error and field.has_default):
            return escaped("rejected")
        if field.has_default and field.default is not None:
            return said("default ", code(constant(field.default)))
        return escaped("allowed")

    def _null(self, field: t.Field, owner: str) -> Markup:
        forms = self.book.forms
        if is_anything(forms, field):
            return escaped("a value like any other")
        if forms.nullable(field.type):
            if owner in self._patches:
                return escaped("clears it" if self._patches[owner] == "clear" else "changes nothing")
            return escaped("same as absent" if field.has_default and field.default is None else "allowed")
        if replaces_null(forms, field):
            given = field.has_default and field.default is not None
            return said("read as ", self._fallback(field) if given else "the empty value")
        return said("read as ", self._fallback(field)) if forgives(forms, field) else escaped("rejected")

    @cached_property
    def _patches(self) -> dict[str, str]:
        """The definitions whose nullable properties patch an entry, each with the effect of null."""
        return {
            payload.name: variant.update.null
            for definition in self.book.schema.definitions.values()
            for type_ in inner(definition.type)
            if isinstance(type_, t.Union)
            for variant in type_.variants
            if variant.update is not None and variant.update.does in ("patch", "upsert")
            if (payload := payload_of(variant.type)) is not None
        }

    def _bad(self, field: t.Field) -> Markup:
        if is_anything(self.book.forms, field):
            return escaped("any value fits")
        parts = ["invalid items are dropped"] if field.skip_invalid_items else []
        read = [said("read as ", self._fallback(field))] if forgives(self.book.forms, field) else []
        return listed([*parts, *read] or ["rejected"], "; ")

    def _fallback(self, field: t.Field) -> Markup:
        """The replacement of a bad value."""
        if field.has_default and field.default is not None:
            return code(constant(field.default))
        is_list = field.required and isinstance(self.book.forms.core(field.type), t.Array)
        return code("[]") if is_list else escaped("absent")

    # --- variants and constants ---------------------------------------------------------------------------------------

    def variants(self, union: t.Union, owner: str) -> Iterator[Part]:
        """The variants of a union, each followed by its own properties."""
        for index, variant in enumerate(union.variants):
            label, payload, held = self.book.label(variant, index), payload_of(variant.type), variant.type
            choices = held.unions if isinstance(held, t.Object) else ()
            inside = [said("and one of ", listed(self.type(v.type) for v in choice.variants)) for choice in choices]
            notes = (*self._notes(owner, label, variant, self._classes.get(variant.pointer, "")), *inside)
            yield Part(
                name=label,
                anchor=anchor_of("variant", label),
                type=self.type(payload if payload is not None else held),
                text=self.book.prose(variant.description),
                notes=notes,
            )
            if isinstance(held, t.Object):
                tags = tags_of(self.book.forms, held)
                own = [field for field in held.fields if field.name not in tags]
                yield from self.fields(own, owner, f"{label}.", 1)

    @cached_property
    def _classes(self) -> dict[str, str]:
        """The Python classes of variants, by pointer."""
        choices = self.book.shapes.choices.values()
        return {leaf.record.pointer: leaf.record.name for choice in choices for leaf in choice.leaves}

    def values(self, enumeration: t.Enumeration, owner: str) -> Iterator[Part]:
        """The constants of an enumeration."""
        for value in enumeration.values:
            shown = constant(value.constant)
            yield Part(
                name=shown,
                anchor=anchor_of("value", shown),
                type=escaped(value.title or ""),
                text=self.book.prose(value.description),
                notes=self._notes(owner, shown, value, ""),
            )
        if enumeration.base is not None:
            kept = escaped("Other values are allowed and kept unchanged.")
            yield Part(
                name="any other", anchor="value-any-other", type=self.type(enumeration.base), text=kept, notes=()
            )


def _objects(type_: t.Type) -> Iterator[t.Type]:
    """The inline objects of a type."""
    if isinstance(type_, t.Object) and type_.fields:
        yield type_
    if isinstance(type_, (t.Nullable, t.Array, t.Map)):
        for part in children(type_):
            yield from _objects(part)


def _number(type_: t.Integer | t.Number) -> str:
    name = "integer" if isinstance(type_, t.Integer) else "number"
    bounds = (("≥", type_.minimum), (">", type_.above), ("≤", type_.maximum), ("<", type_.below))
    limits = [f"{sign} {value}" for sign, value in (*bounds, ("multiple of", type_.multiple_of)) if value is not None]
    text = f"{name} ({type_.format})" if type_.format else name
    return f"{text} {', '.join(limits)}" if limits else text


def _string(type_: t.String) -> Markup:
    kind = type_.format or type_.encoding
    text = said(f"string ({kind})" if kind else "string", _limits(type_.min_length, type_.max_length, "character"))
    return said(text, " matching ", code(type_.pattern)) if type_.pattern is not None else text


def _limits(least: int | None, most: int | None, what: str) -> str:
    if least is None or most is None:
        shown = f"at least {least}" if most is None else f"at most {most}"
    else:
        shown = f"{least} to {most}"
    return "" if least is most is None else f", {shown} {what}{'s' if 1 not in (least, most) else ''}"
