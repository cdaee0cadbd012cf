"""Types and properties in words: the values they accept, and the meaning of absence, null and an invalid value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ...model.analysis.leniency import forgives, is_anything, replaces_null
from ...model.nodes import types as t
from ...model.nodes.walk import children, inner
from ..book.blocks import Badge, Part, Span, Text, code, listed, said
from ..book.context import Book
from ..book.labels import constant, label_of, payload_of, tags_of
from ..book.urls import anchor_of

_MOST_CONSTANTS = 8
_DOES = {
    "create": "begins an entry of {}",
    "upsert": "begins or replaces an entry of {}",
    "patch": "changes an entry of {}",
    "append": "adds to an entry of {}",
    "replace": "replaces {}",
    "remove": "removes an entry of {}",
}


class Words:
    """Words for the types of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def type(self, type_: t.Type) -> Text:
        """What a value may be, with links to the types that it names."""
        match type_:
            case t.Anything():
                return said("any JSON")
            case t.Null():
                return code("null")
            case t.Boolean():
                return said("boolean")
            case t.Integer() | t.Number():
                return said(_number(type_))
            case t.String():
                return _string(type_)
            case t.Enumeration(values, base):
                shown = [code(constant(v.constant)) for v in values[:_MOST_CONSTANTS]]
                more = len(values) - _MOST_CONSTANTS
                texts = [*shown, *([said(f"{more} more")] if more > 0 else []), *([self.type(base)] if base else [])]
                return listed(texts, " | ")
            case t.Array(items, prefix, least, most):
                inside = listed([*map(self.type, prefix), self._grouped(items)], ", ")
                return said("array of ", inside, _limits(least, most, "item"))
            case t.Map(values):
                return said("map of string to ", self._grouped(values))
            case t.Reference(name):
                return code(name, self.book.at.types.get(name, ""))
            case t.Nullable(inner):
                return said(self.type(inner), " | ", code("null"))
            case t.Union(variants):
                return listed((self.type(v.type) for v in variants), " | ")
            case t.Object(fields=(), bases=(only,), unions=(), extra=None):
                return self.type(only)
            case t.Object():
                return said("object")

    def _grouped(self, type_: t.Type) -> Text:
        text = self.type(type_)
        return said("(", text, ")") if sum(span.text == " | " for span in text) else text

    # --- properties ------------------------------------------------------------------------------------------------

    def fields(self, fields: Iterable[t.Field], owner: str, *, prefix: str = "", depth: int = 0) -> Iterator[Part]:
        """Properties, each followed by those of an object that is written inside it."""
        python = self._python(owner) if not depth else {}
        for field in fields:
            name = f"{prefix}{field.name}"
            yield self._field(field, name, owner, python.get(field.name, ""), depth)
            for inside in self._inline(field.type) if depth < 3 else ():
                form = self.book.forms.form(inside)
                yield from self.fields(form.fields.values(), owner, prefix=f"{name}.", depth=depth + 1)

    def _field(self, field: t.Field, name: str, owner: str, python: str, depth: int) -> Part:
        badges = [Badge("deprecated", "deprecated")] if field.deprecated else []
        badges += self.book.rfd_badges(field.rfd)
        badges += self.book.history.badges(owner, name, self.book.at.versions)
        return Part(
            name=name,
            anchor=anchor_of("field", name),
            type=self.type(field.type),
            badges=tuple(badges),
            text=self.book.prose(field.description),
            cells=tuple(self._cells(field, owner)),
            notes=tuple((label, text) for label, text in self._notes(field, python) if text),
            depth=depth,
        )

    def _cells(self, field: t.Field, owner: str) -> Iterator[tuple[str, Text]]:
        yield "Required", (Span("yes", tone="duty"),) if field.required else said("no")
        yield "Absent", self._absent(field)
        yield "Null", self._null(field, owner)
        yield "Bad value", self._bad(field)

    def _notes(self, field: t.Field, python: str) -> Iterator[tuple[str, Text]]:
        if field.capability is not None:
            yield "gate", self.book.gate_of_anyone(field.capability)
        yield "state", self._state(field.update)
        if python and python != field.name:
            yield "Python", code(python)

    def _absent(self, field: t.Field) -> Text:
        if field.required and not (field.default_on_error and field.has_default):
            return said("refused")
        if field.has_default and field.default is not None:
            return said("default ", code(constant(field.default)))
        return said("allowed")

    def _null(self, field: t.Field, owner: str) -> Text:
        forms = self.book.forms
        if is_anything(forms, field):
            return said("a value like any other")
        if forms.nullable(field.type):
            if owner in self._patches:
                return said("clears it" if self._patches[owner] == "clear" else "changes nothing")
            return said("same as absent") if field.has_default and field.default is None else said("allowed")
        if replaces_null(forms, field):
            given = field.has_default and field.default is not None
            return said("read as ", self._fallback(field) if given else said("the empty value"))
        if forgives(forms, field):
            return said("read as ", self._fallback(field))
        return said("refused")

    @cached_property
    def _patches(self) -> dict[str, str]:
        """The definitions whose nullable properties change an entry of the state, and what null does there."""
        return {
            payload.name: variant.update.null
            for definition in self.book.schema.definitions.values()
            for type_ in inner(definition.type)
            if isinstance(type_, t.Union)
            for variant in type_.variants
            if variant.update is not None and variant.update.does in ("patch", "upsert")
            if (payload := payload_of(variant.type)) is not None
        }

    def _bad(self, field: t.Field) -> Text:
        forms = self.book.forms
        if is_anything(forms, field):
            return said("any value fits")
        parts: list[Text] = []
        if field.skip_invalid_items:
            parts.append(said("items that do not fit are left out"))
        if forgives(forms, field):
            parts.append(said("read as ", self._fallback(field)))
        return listed(parts, "; ") if parts else said("refused")

    def _fallback(self, field: t.Field) -> Text:
        """What a bad value becomes."""
        if field.has_default and field.default is not None:
            return code(constant(field.default))
        if field.required and isinstance(self.book.forms.core(field.type), t.Array):
            return code("[]")
        return said("absent")

    def _state(self, update: t.Update | None) -> Text:
        if update is None or update.does not in _DOES or not update.part:
            return ()
        before, _, after = _DOES[update.does].partition("{}")
        return said(before, code(update.part), after)

    def _inline(self, type_: t.Type) -> Iterator[t.Type]:
        """The objects with properties that are written inside a type."""
        if isinstance(type_, t.Object) and type_.fields:
            yield type_
        if isinstance(type_, (t.Nullable, t.Array, t.Map)):
            for part in children(type_):
                yield from self._inline(part)

    def _python(self, owner: str) -> dict[str, str]:
        record = self.book.shapes.records.get(owner)
        return {a.wire: a.name for a in record.attributes} if record is not None else {}

    # --- variants and constants ---------------------------------------------------------------------------------------

    def variants(self, union: t.Union, owner: str) -> Iterator[Part]:
        """The variants of a union, each followed by the properties that only it has."""
        for index, variant in enumerate(union.variants):
            yield from self._variant(variant, owner, index)

    def _variant(self, variant: t.Variant, owner: str, index: int) -> Iterator[Part]:
        forms = self.book.forms
        tags, payload = tags_of(forms, variant.type), payload_of(variant.type)
        label = label_of(forms, variant, index)
        badges = [*self.book.rfd_badges(variant.rfd), *self.book.history.badges(owner, label, self.book.at.versions)]
        notes: list[tuple[str, Text]] = []
        if variant.capability is not None:
            notes.append(("gate", self.book.gate_of_anyone(variant.capability)))
        notes += [("state", text)] if (text := self._state(variant.update)) else []
        if isinstance(variant.type, t.Object):
            unions = variant.type.unions
            notes += [("and one of", listed((self.type(v.type) for v in union.variants), ", ")) for union in unions]
        record = self.classes.get(variant.pointer)
        notes += [("Python", code(record))] if record else []
        yield Part(
            name=label,
            anchor=anchor_of("variant", label),
            type=self.type(payload) if payload is not None else self.type(variant.type),
            badges=tuple(badges),
            text=self.book.prose(variant.description),
            notes=tuple(notes),
        )
        if isinstance(variant.type, t.Object):
            own = [field for field in variant.type.fields if field.name not in tags]
            yield from self.fields(own, owner, prefix=f"{label}.", depth=1)

    @cached_property
    def classes(self) -> dict[str, str]:
        """The Python classes of variants, by where the variants are."""
        return {
            leaf.record.pointer: leaf.record.name
            for choice in self.book.shapes.choices.values()
            for leaf in choice.leaves
        }

    def values(self, enumeration: t.Enumeration) -> Iterator[Part]:
        """The constants of an enumeration."""
        for value in enumeration.values:
            shown = constant(value.constant)
            notes = (("gate", self.book.gate_of_anyone(value.capability)),) if value.capability is not None else ()
            yield Part(
                name=shown,
                anchor=anchor_of("value", shown),
                type=said(value.title) if value.title else (),
                badges=self.book.rfd_badges(value.rfd),
                text=self.book.prose(value.description),
                notes=notes,
            )
        if enumeration.base is not None:
            yield Part(
                name="any other",
                anchor="value-any-other",
                type=self.type(enumeration.base),
                text=said("Values that are not listed are allowed and are kept as they are."),
            )


def _number(type_: t.Integer | t.Number) -> str:
    name = "integer" if isinstance(type_, t.Integer) else "number"
    limits = [
        f"{sign} {value}"
        for sign, value in (
            ("≥", type_.minimum),
            (">", type_.above),
            ("≤", type_.maximum),
            ("<", type_.below),
            ("multiple of", type_.multiple_of),
        )
        if value is not None
    ]
    text = f"{name} ({type_.format})" if type_.format else name
    return f"{text} {', '.join(limits)}" if limits else text


def _string(type_: t.String) -> Text:
    kind = type_.format or type_.encoding
    text = said(f"string ({kind})" if kind else "string", _limits(type_.min_length, type_.max_length, "character"))
    return said(text, " matching ", code(type_.pattern)) if type_.pattern is not None else text


def _limits(least: int | None, most: int | None, what: str) -> str:
    match least, most:
        case None, None:
            return ""
        case int(), None:
            return f", at least {least} {what}{'' if least == 1 else 's'}"
        case None, int():
            return f", at most {most} {what}{'' if most == 1 else 's'}"
        case _:
            return f", {least} to {most} {what}s"
