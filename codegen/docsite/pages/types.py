"""Pages of types, and the blocks that describe a type, which pages of methods contain too."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...model.nodes import types as t
from ..book.blocks import (
    Badge,
    Block,
    Bullets,
    Code,
    Facts,
    Fields,
    Folded,
    Heading,
    Listing,
    Page,
    Part,
    Prose,
    Span,
    Text,
    code,
    said,
)
from ..book.context import Book
from ..book.urls import TYPES
from ..content.descriptions import Words
from ..content.requirements import Requirements
from ..content.usage import Usage

_PLURAL = {"Property": "Properties", "Variant": "Variants", "Value": "Values"}
_LINE = 90
_PORTION = 250
"""How many types one list has."""
_ALL = 500
"""How many uses are listed at all."""
_MOST = 12
"""How many uses are shown before they are folded."""


class TypeBlocks:
    """What types hold, as blocks."""

    def __init__(self, book: Book) -> None:
        self.book, self.words = book, Words(book)

    def of(self, name: str, prefix: str = "") -> Iterator[Block]:
        """What a definition holds: its properties, its variants, its constants, or what else it is.

        `prefix` goes before each anchor, where a page shows two definitions.
        """
        for block in self._of(name):
            match block:
                case Fields(parts=parts) if prefix:
                    yield replace(block, parts=tuple(replace(each, anchor=f"{prefix}{each.anchor}") for each in parts))
                case Heading(text, anchor, level) if prefix:
                    yield Heading(text, f"{prefix}{anchor}", level)
                case _:
                    yield block

    def _of(self, name: str) -> Iterator[Block]:
        book, words = self.book, self.words
        type_ = book.forms.core(t.Reference(name))
        if isinstance(type_, t.Enumeration):
            yield self._table("Value", name, words.values(type_))
        elif book.forms.is_object(type_):
            form = book.forms.form(type_)
            if form.fields:
                yield self._table("Property", name, words.fields(form.fields.values(), name))
            elif not form.unions:
                yield Prose(said("An object without properties of its own: `{}`."))
            for index, union in enumerate(form.unions):
                if form.fields or len(form.unions) > 1:
                    yield Heading("One of", f"one-of-{index + 1}" if index else "one-of", 3)
                yield self._table("Variant", name, words.variants(union, name))
            if form.extra is not None:
                yield Prose(said("Properties that are not listed are kept: ", words.type(form.extra), "."))
            if form.closed:
                yield Prose(said("Properties that are not listed are refused."))
        elif isinstance(type_, t.Union):
            yield self._table("Variant", name, words.variants(type_, name))
        else:
            yield Prose(said("Is: ", words.type(type_), "."))
        if book.forms.nullable(t.Reference(name)) and not isinstance(type_, (t.Null, t.Anything)):
            yield Prose(said("May be null."))

    @staticmethod
    def _table(head: str, owner: str, parts: Iterator[Part]) -> Fields:
        return Fields(said(f"{_PLURAL[head]} of ", code(owner)), head, tuple(parts))


class Types:
    """The pages of the types of one book."""

    def __init__(self, book: Book, blocks: TypeBlocks) -> None:
        self.book, self.blocks = book, blocks
        self.usage, self.requirements = Usage(book), Requirements(book)

    def pages(self) -> Iterator[Page]:
        """A page for each definition, and the list of all."""
        for definition in self.book.schema.definitions.values():
            yield self._page(definition)
        yield from self._index()

    def _index(self) -> Iterator[Page]:
        """The list of all types, in portions that a page can hold."""
        ordered = sorted(self.book.schema.definitions.values(), key=lambda d: d.name.casefold())
        portions = [ordered[start : start + _PORTION] for start in range(0, len(ordered), _PORTION)] or [[]]
        at = [f"{TYPES}/index" if number == 0 else f"{TYPES}/index~{number + 1}" for number in range(len(portions))]
        names = [f"{each[0].name} to {each[-1].name}" for each in portions if each]
        ways = (
            (Bullets(tuple((Span(name, to=to),) for name, to in zip(names, at, strict=True))),) if len(at) > 1 else ()
        )
        for number, each in enumerate(portions):
            items = tuple(
                (code(d.name, self.book.at.types[d.name]), said(self.kind(d)), self.book.prose(_first(d.description)))
                for d in each
            )
            title = "Types" if number == 0 else f"Types: {names[number]}"
            yield Page(at=at[number], title=title, kind="list", blocks=(*ways, Listing("Types", items)))

    def kind(self, definition: t.Definition) -> str:
        """What a definition is, in a word."""
        type_ = self.book.forms.core(t.Reference(definition.name))
        if isinstance(type_, t.Enumeration):
            return "enumeration"
        if isinstance(type_, t.Union):
            return "union"
        if self.book.forms.is_object(type_):
            return "object" if not self.book.forms.form(type_).unions else "object with variants"
        return "any JSON" if isinstance(type_, t.Anything) else type(type_).__name__.lower()

    def _page(self, definition: t.Definition) -> Page:
        badges = [Badge(self.kind(definition))]
        badges += self.book.since_badges(lambda release: definition.name in release.definitions)
        badges += [Badge("deprecated", "deprecated")] if definition.deprecated else []
        return Page(
            at=self.book.at.types[definition.name],
            title=definition.name,
            kind="type",
            code=True,
            lead=self.book.prose(definition.description),
            badges=(*badges, *self.book.rfd_badges(definition.rfd)),
            blocks=tuple(self._blocks(definition)),
        )

    def _blocks(self, definition: t.Definition) -> Iterator[Block]:
        book = self.book
        if facts := tuple(self._facts(definition)):
            yield Facts(facts)
        yield Heading("What it holds", "holds")
        yield from self.blocks.of(definition.name)
        if not any(definition.name in (m.params, m.result) for m in book.schema.methods):
            yield from self.requirements.of_definition(definition.name)
        uses = self.usage.of(definition.name)
        yield Heading("Used by", "used-by")
        yield from _folded(uses, "uses") if uses else [Prose(said("Nothing refers to it."))]
        carried = self.usage.carried_by(definition.name)
        if len(carried) > sum(definition.name in (m.params, m.result) for m in book.schema.methods):
            yield Heading("Messages that carry it", "carried-by")
            yield from _folded(carried, "messages")
        examples = book.examples.get(definition.name, [])
        if examples:
            from ..content.messages import shown  # noqa: PLC0415

            yield Heading("Example", "example")
            yield Code(shown(examples[0][1]), "json", said(examples[0][0].replace("-", " ")))

    def _facts(self, definition: t.Definition) -> Iterator[tuple[str, Text]]:
        book = self.book
        senders = self.usage.senders(definition.name)
        yield "Sent by", said(senders) if senders else said("nobody: no message carries it")
        yield from book.rfd_fact(definition.rfd)
        since = book.history.since(lambda release: definition.name in release.definitions)
        if since:
            yield "Since", said(since)
        choice = book.shapes.choices.get(definition.name)
        if choice is not None and choice.tag is not None:
            yield "Told apart by", code(choice.tag)
        if definition.name in (*book.shapes.records, *book.shapes.choices, *book.shapes.aliases):
            yield "Python", code(f"acp.{definition.name}")


def _first(text: str | None) -> str:
    """The first sentence of a description, as far as a list has room for it."""
    sentence = (text or "").partition(". ")[0].partition("; ")[0].rstrip(".")
    return (
        f"{sentence}." if 0 < len(sentence) <= _LINE else f"{sentence[:_LINE].rpartition(' ')[0]} …" if sentence else ""
    )


def _folded(items: tuple[Text, ...], what: str) -> Iterator[Block]:
    """A list, of which only the beginning is shown where it is long."""
    yield Bullets(items[:_MOST])
    if len(items) > _MOST:
        rest = items[_MOST:_ALL]
        left = said(f"and {len(items) - _ALL} more") if len(items) > _ALL else ()
        yield Folded(said(f"{len(items) - _MOST} more {what}"), (Bullets((*rest, *([left] if left else []))),))
