"""Usage of a type: the types that refer to it, and the messages that contain it, with their senders."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from ...model.nodes.types import Definition, Field, Method, Object, Reference, Type
from ...model.nodes.walk import children, reached, references
from ..book.blocks import Span, Text, code, said
from ..book.context import Book
from ..book.urls import anchor_of


class Carrier(Struct, frozen=True):
    """A message that may hold a type: its method, whether it is the answer, and who sends it to whom."""

    method: tuple[str, str, str]
    answer: bool
    sender: str
    receiver: str


class Usage:
    """The uses of the types of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def of(self, name: str) -> tuple[Text, ...]:
        """The places that refer to a type, as links."""
        return tuple(self._direct.get(name, {}))

    def carriers(self, name: str) -> tuple[Carrier, ...]:
        """The messages that may hold a type."""
        return tuple(self._carriers.get(name, {}))

    def senders(self, name: str) -> str:
        """Who sends a type, in words; empty where no message holds it."""
        found = {carrier.sender for carrier in self.carriers(name)}
        if not found:
            return ""
        if {"agent", "client"} <= found or "either side" in found:
            return "agent and client"
        return " and ".join(sorted(found))

    @cached_property
    def _direct(self) -> dict[str, dict[Text, None]]:
        found: dict[str, dict[Text, None]] = {}
        for method in self.book.schema.methods:
            for end, words in ((method.params, "params of "), (method.result, "result of ")):
                if end is not None:
                    found.setdefault(end, {})[said(words, self.book.method(method.key))] = None
        for definition in self.book.schema.definitions.values():
            for used, link in self._uses(definition):
                found.setdefault(used, {})[link] = None
        return found

    def _uses(self, definition: Definition) -> Iterator[tuple[str, Text]]:
        page = self.book.at.types[definition.name]
        for field, type_ in _named(definition.type):
            name = f"{definition.name}.{field.name}" if field is not None else definition.name
            to = f"{page}#{anchor_of('field', field.name)}" if field is not None else page
            for used in [type_.name] if isinstance(type_, Reference) else references(type_):
                yield used, code(name, to)

    @cached_property
    def _carriers(self) -> dict[str, dict[Carrier, None]]:
        reach = {
            name: reached(self.book.schema.definitions, (name,))
            for method in self.book.schema.methods
            for name in (method.params, method.result)
            if name
        }
        found: dict[str, dict[Carrier, None]] = {}
        for method in self.book.schema.methods:
            for end, answer in ((method.params, False), (method.result, True)):
                for name in reach[end] if end is not None else ():
                    found.setdefault(name, {})[self._carrier(method, answer=answer)] = None
        return found

    def _carrier(self, method: Method, *, answer: bool) -> Carrier:
        ends = (self.book.senders(method), self.book.receivers(method))
        sender, receiver = reversed(ends) if answer else ends
        return Carrier(method.key, answer, sender, receiver)

    def carried_by(self, name: str) -> tuple[Text, ...]:
        """The messages that may hold a type, as links with their direction."""
        return tuple(
            said(
                (Span(f"{carrier.sender} → {carrier.receiver}: "),),
                "result of " if carrier.answer else "",
                self.book.method(carrier.method),
            )
            for carrier in self.carriers(name)
        )


def _named(type_: Type) -> Iterator[tuple[Field | None, Type]]:
    """The types that a type names, with the outermost property that does."""
    if isinstance(type_, Object):
        yield from ((field, field.type) for field in type_.fields)
        for base in type_.bases:
            yield from _named(base)
        for part in (*type_.unions, *(() if type_.extra is None else (type_.extra,))):
            yield from ((None, each) for _, each in _named(part))
    elif isinstance(type_, Reference):
        yield None, type_
    else:
        for child in children(type_):
            yield from ((None, each) for _, each in _named(child))
