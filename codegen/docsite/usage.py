"""Usage of a type: the types that refer to it, and the messages that contain it, with their senders."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from markupsafe import Markup

from ..model.nodes.types import Definition, Field, Method, Object, Reference, Type
from ..model.nodes.walk import children, reached, references
from .book import Book
from .text import code, said
from .urls import anchor_of


class Usage:
    """The uses of the types of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def senders(self, name: str) -> str:
        """The senders of a type, in words."""
        ends = ((self.book.sender(method), self.book.receiver(method)) for method, _ in self._carriers.get(name, ()))
        answers = (answer for _, answer in self._carriers.get(name, ()))
        found = {pair[answer] for pair, answer in zip(ends, answers, strict=True)}
        if {"agent", "client"} <= found or "either side" in found:
            return "agent and client"
        return " and ".join(sorted(found)) or "nobody (no message contains it)"

    @cached_property
    def _carriers(self) -> dict[str, list[tuple[Method, bool]]]:
        """The messages that may contain each type, and whether each is a response."""
        found: dict[str, list[tuple[Method, bool]]] = {}
        for method in self.book.schema.methods:
            for end, answer in ((method.params, False), (method.result, True)):
                for name in reached(self.book.schema.definitions, (end,)) if end is not None else ():
                    found.setdefault(name, []).append((method, answer))
        return found

    @cached_property
    def by(self) -> dict[str, dict[Markup, None]]:
        """The places that refer to each type, as links."""
        found: dict[str, dict[Markup, None]] = {}
        for method in self.book.schema.methods:
            for end, words in ((method.params, "params of "), (method.result, "result of ")):
                if end is not None:
                    found.setdefault(end, {})[said(words, self.book.method(method))] = None
        for definition in self.book.schema.definitions.values():
            for used, place in self._places(definition):
                found.setdefault(used, {})[place] = None
        return found

    def _places(self, definition: Definition) -> Iterator[tuple[str, Markup]]:
        page = self.book.types_at[definition.name]
        for field, type_ in _named(definition.type):
            name = f"{definition.name}.{field.name}" if field is not None else definition.name
            to = f"{page}#{anchor_of('field', field.name)}" if field is not None else page
            for used in [type_.name] if isinstance(type_, Reference) else references(type_):
                yield used, code(name, to)


def _named(type_: Type) -> Iterator[tuple[Field | None, Type]]:
    """The types that a type refers to, with the outermost property that does."""
    if isinstance(type_, Object):
        yield from ((field, field.type) for field in type_.fields)
        others = (*type_.bases, *type_.unions, *(() if type_.extra is None else (type_.extra,)))
    elif isinstance(type_, Reference):
        yield None, type_
        return
    else:
        others = tuple(children(type_))
    for child in others:
        yield from ((None, each) for _, each in _named(child))
