"""Pages of methods."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...contracts import MESSAGES
from ...model.nodes.types import Enumeration, Method, Reference, Type
from ...model.nodes.walk import inner, members, references
from ...shape.error_codes import error_codes
from ..book.blocks import (
    Badge,
    Block,
    Bullets,
    Code,
    Facts,
    Folded,
    Heading,
    Listing,
    Page,
    Prose,
    Span,
    Table,
    Text,
    code,
    listed,
    plain,
    said,
)
from ..book.context import Book, implementers, opposite
from ..book.urls import METHODS, VERSIONS, anchor_of
from ..content.messages import Wire, shown
from ..content.python import Python
from ..content.requirements import Requirements
from .types import TypeBlocks

_CODE = re.compile(r"-3[0-9]{4}\b")
_ROOM = 9_000
"""How much JSON a page shows beside its first exchange; the rest is on a page of its own."""


class Methods:
    """The pages of the methods of one book."""

    def __init__(self, book: Book, types: TypeBlocks) -> None:
        self.book, self.types = book, types
        self.wire, self.python, self.requirements = Wire(book), Python(book), Requirements(book)
        self.codes = {**MESSAGES, **{each.code: each.message for each in error_codes(book.schema)}}

    def pages(self) -> Iterator[Page]:
        """A page for each method, the further examples of those that have many, and the list of all."""
        for method in self.book.schema.methods:
            yield self._page(method)
            yield from self._examples(method)
        yield self._index()

    def _index(self) -> Page:
        blocks: list[Block] = []
        for side in dict.fromkeys(method.side for method in self.book.schema.methods):
            found = [m for m in self.book.schema.methods if m.side == side]
            title = implementers(side)
            items = tuple((self.book.method(m.key), self._short(m), self._text(m)) for m in found)
            blocks += [Heading(title, f"side-{side}"), Listing(title, items)]
        return Page(at=f"{METHODS}/index", title="Methods", kind="list", blocks=tuple(blocks))

    def _text(self, method: Method) -> Text:
        return self.book.prose(self.book.schema.definitions[method.params].description)

    def _short(self, method: Method) -> Text:
        return said(method.kind, " · " if method.capability is not None else "", self._gate(method))

    def _gate(self, method: Method) -> Text:
        return self.book.gate(method.side, method.capability) if method.capability is not None else ()

    def _page(self, method: Method) -> Page:
        row = self.book.row(method)
        badges = [Badge(method.kind)]
        badges += [Badge(row.stage, "stable" if row.stage == "completed" else "draft")] if row.stage else []
        badges += self.book.since_badges(lambda release: method.key in release.methods)
        return Page(
            at=self.book.at.methods[method.key],
            title=method.path,
            kind="method",
            code=True,
            lead=self._text(method),
            badges=tuple(badges),
            blocks=tuple(self._blocks(method)),
            also=(row.python_name, method.params, method.result or ""),
        )

    def _blocks(self, method: Method) -> Iterator[Block]:
        yield Facts(tuple(self._facts(method)))
        yield from self._end("Params", method.params)
        if method.result is not None:
            yield from self._end("Result", method.result)
        yield from self._on_the_wire(method)
        yield from self._in_python(method)
        if before := tuple(self._before(method)):
            yield Heading("Before the answer", "before-the-answer")
            yield Bullets(before)
        if method.kind == "request":
            yield Heading("Errors", "errors")
            yield Table("Errors", ("Code", "Meaning", "When"), tuple(self._errors(method)))
        yield from self.requirements.of_method(method)

    # --- facts --------------------------------------------------------------------------------------------------------

    def _facts(self, method: Method) -> Iterator[tuple[str, Text]]:
        book = self.book
        yield "Direction", said(f"{book.senders(method)} → {book.receivers(method)}")
        if method.capability is not None:
            who = book.side_of(method.capability, method.side)
            yield "Gate", said(self._gate(method), f", advertised by the {who}")
        elif method.gated is False:
            yield "Gate", said("none: every peer has it")
        if gated := tuple(self._gated_parts(method)):
            yield "Gates of parts", listed(gated)
        yield from book.rfd_fact(method.rfd)
        since = book.history.since(lambda release: method.key in release.methods)
        if since:
            yield "Since", (Span(since, to=f"{VERSIONS}/index#methods"),)
        yield "Params", code(method.params, book.at.types[method.params])
        if method.result is not None:
            yield "Result", code(method.result, book.at.types[method.result])
        yield from self._session(method)

    def _session(self, method: Method) -> Iterator[tuple[str, Text]]:
        """What the schema says of the method and sessions."""
        sessions, interrupt = self.book.schema.sessions, self.book.schema.interrupt
        told: list[str] = []
        if sessions is not None:
            told += ["opens a session"] if method.path in sessions.open else []
            told += ["ends a session"] if method.path in sessions.close else []
            told += ["a session takes one at a time"] if method.path in sessions.exclusive else []
        if interrupt is not None and method.path == interrupt.method:
            told.append("interrupts " + ", ".join(f"`{path}`" for path in interrupt.requests))
        if told:
            yield "Sessions", said("; ".join(told))

    def _gated_parts(self, method: Method) -> Iterator[Text]:
        """The gates of properties, variants and values of the params themselves, and of the types they name."""
        seen: set[str] = set()
        definition = self.book.schema.definitions[method.params]
        names = dict.fromkeys(references(definition.type))
        types: list[Type] = [definition.type, *(self.book.schema.definitions[name].type for name in names)]
        for type_ in types:
            for part in inner(type_):
                for member in members(part):
                    if member.capability is not None and member.capability not in seen:
                        seen.add(member.capability)
                        yield self.book.gate_of_anyone(member.capability)

    def _end(self, title: str, definition: str) -> Iterator[Block]:
        yield Heading(title, title.lower())
        yield from self.types.of(definition, "" if title == "Params" else "result-")

    # --- behaviour ----------------------------------------------------------------------------------------------------

    def _before(self, method: Method) -> Iterator[Text]:
        """What may come before the answer, as far as the schema says it."""
        schema = self.book.schema
        if method.kind != "request" or schema.ordering is None:
            return
        opens = schema.sessions is not None and method.path in schema.sessions.open
        if not opens and not self._has(method.params, schema.ordering):
            return
        update = self.wire.report(method)
        if update is not None:
            who = self.book.receivers(method)
            yield said(
                f"While the request is open, the {who} reports with ", self.book.method(update.key), " notifications."
            )
        for note in schema.methods:
            back = note.kind == "notification" and note.side == opposite(method.side)
            if back and note is not update and self._has(note.params, schema.ordering):
                yield said(self.book.method(note.key), " notifications of the session can arrive.")
        yield said(
            f"Notifications with the same `{schema.ordering}` are handled in the order in which they were sent, before the answer that follows them."
        )

    def _has(self, definition: str, name: str) -> bool:
        """Whether an object has a property."""
        forms, type_ = self.book.forms, Reference(definition)
        return forms.is_object(type_) and name in forms.form(type_).fields

    def _errors(self, method: Method) -> Iterator[tuple[Text, ...]]:
        schema = self.book.schema
        gate = f", or does not advertise `{method.capability}`" if method.capability is not None else ""
        who = self.book.receivers(method)
        told = {-32601: f"The {who} does not implement it{gate}.", -32602: "The params do not fit their type."}
        if schema.cancel is not None:
            told[schema.cancel.error_code] = f"The request was cancelled (`{schema.cancel.method}`)."
        told[-32603] = "The handler failed."
        texts = [
            self.book.schema.definitions[name].description or "" for name in (method.params, method.result) if name
        ]
        for number in map(int, _CODE.findall(" ".join(texts))):
            told.setdefault(number, "Its description says when.")
        at = self._error_page()
        for number, when in told.items():
            yield (
                code(str(number), f"{at}#{anchor_of('value', str(number))}" if at and number in self.codes else ""),
                said(self.codes.get(number, "")),
                said(when),
            )

    def _error_page(self) -> str:
        for definition in self.book.schema.definitions.values():
            type_ = definition.type
            if isinstance(type_, Enumeration) and MESSAGES.keys() <= {v.constant for v in type_.values}:
                return self.book.at.types[definition.name]
        return ""

    # --- examples -------------------------------------------------------------------------------------------------------

    def _on_the_wire(self, method: Method) -> Iterator[Block]:
        found = self.wire.exchange(method)
        if found is None:
            return
        yield Heading("On the wire", "on-the-wire")
        if found.is_made_up:
            yield Prose(said("No example shows this method. These are the smallest messages that fit the schema."))
        yield found.exchange
        more = self._more(method, found.names)
        if not more:
            return
        if sum(len(each.code) for each in more) <= _ROOM:
            yield Folded(said(f"{len(more)} more example{'s' if len(more) > 1 else ''}"), tuple(more))
        else:
            at = f"{self.book.at.methods[method.key]}~examples"
            yield Prose((Span(f"{len(more)} more examples", to=at),))

    def _more(self, method: Method, seen: frozenset[tuple[str, str]]) -> list[Code]:
        """The examples that the first exchange does not show."""
        return [
            Code(shown(value), "json", said(f"{what}: {name.replace('-', ' ')}"))
            for what, definition in (("params", method.params), ("result", method.result or ""))
            for name, value in self.wire.examples(definition)
            if (definition, name) not in seen
        ]

    def _examples(self, method: Method) -> Iterator[Page]:
        """The pages of further examples, where one page cannot hold them."""
        found = self.wire.exchange(method)
        more = self._more(method, found.names) if found is not None else []
        if sum(len(each.code) for each in more) <= _ROOM:
            return
        at = f"{self.book.at.methods[method.key]}~examples"
        portions = _split(more)
        for number, part in enumerate(portions, 1):
            blocks: list[Block] = [Prose(said("Examples of ", self.book.method(method.key), "."))]
            for index, each in enumerate(part):
                blocks += [Heading(plain(each.caption), f"example-{index + 1}"), Code(each.code, each.language)]
            if len(portions) > number:
                blocks.append(Prose((Span("More examples", to=f"{at}-{number + 1}"),)))
            yield Page(
                at=at if number == 1 else f"{at}-{number}",
                title=f"{method.path}: examples{f' ({number})' if number > 1 else ''}",
                kind="examples",
                blocks=tuple(blocks),
            )

    def _in_python(self, method: Method) -> Iterator[Block]:
        row = self.book.row(method)
        handler, call = self.python.handler(row), self.python.call(row)
        if not (handler or call):
            return
        yield Heading("In Python", "in-python")
        if handler:
            yield Code(handler, "python", said(f"The {row.side} implements it."))
        if call:
            yield Code(call, "python", said(f"The caller sends it: a method of `{self.python.caller(row)}`."))


def _split(examples: list[Code]) -> list[list[Code]]:
    found: list[list[Code]] = [[]]
    size = 0
    for each in examples:
        if size + len(each.code) > _ROOM and found[-1]:
            found.append([])
            size = 0
        found[-1].append(each)
        size += len(each.code)
    return found
