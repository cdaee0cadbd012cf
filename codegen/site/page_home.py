"""The first page: what the protocol is, and the ways into the site."""

from __future__ import annotations

from collections.abc import Mapping

from .address import SECTIONS
from .blocks import Block, Cards, Facts, Heading, Page, Text, listed, said
from .book import Book

_ABOUT: Mapping[str, str] = {
    "guides": "How to use the tools and the generated package.",
    "methods": "Every call on the wire: params, result, errors, examples of both sides, and its Python.",
    "types": "Every object, union and enumeration: what it holds, who sends it, and what uses it.",
    "capabilities": "What peers advertise in the handshake, and what each opens.",
    "rfds": "Proposed changes, how far they are, and what completing them changes.",
    "versions": "What changed from release to release, and which release has which method.",
    "rules": "What `check`, `diff` and `validate` find, why it matters, and what to do instead.",
}


def home(book: Book, counts: Mapping[str, int]) -> Page:
    """The first page. `counts`: how many pages each section has."""
    cards = tuple(
        (f"{SECTIONS[section]} ({count})", f"{section}/index", said(_ABOUT[section]))
        for section, count in counts.items()
        if count
    )
    blocks: list[Block] = [Cards(cards)]
    if tables := tuple(_glance(book)):
        blocks += [Heading("At a glance", "at-a-glance"), Facts(tables)]
    return Page(at="index", title=book.title, kind="home", lead=book.prose(_description(book)), blocks=tuple(blocks))


def _description(book: Book) -> str:
    found = book.document.value.get("description")
    return found if isinstance(found, str) else ""


def _glance(book: Book) -> list[tuple[str, Text]]:
    schema = book.schema
    found: list[tuple[str, Text]] = []
    if schema.handshake is not None:
        opening = next((m for m in schema.methods if m.path == schema.handshake.method), None)
        found.append(("Protocol version", said(str(schema.handshake.version_number))))
        if opening is not None:
            found.append(("Opens with", book.method(opening.key)))
    if schema.sessions is not None:
        opens = [book.method(m.key) for m in schema.methods if m.path in schema.sessions.open]
        found.append(("A session begins with", listed(opens)))
    updates = schema.updates
    reports = [m for m in schema.methods if updates is not None and m.path == updates.method]
    return [*found, *(("Reports", book.method(method.key)) for method in reports)]
