"""Pages from hand-written Markdown files, with their links adapted to the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from msgspec import Struct

from ..book.blocks import Block, Document, Heading, Listing, Page, Prose, Span, Text, said, words
from ..book.cache import Recalled
from ..book.context import Book
from ..book.urls import GUIDES
from ..render.markdown import Found, headings

_LINK = re.compile(r"\]\(([^()\s]+)\)|^\[[^\]]+\]:[ \t]*(\S+)", re.MULTILINE)
_ROOM = 16_000
"""How many characters of a document a page shows; a longer one goes on on further pages."""


class Section(Struct, frozen=True):
    """A part of a document: its heading (level 1: the title; empty before the first), and its text."""

    title: str
    anchor: str
    level: int
    text: str


class Guides:
    """The pages of the documents of one book. `pictures`: the names of the pictures beside them."""

    def __init__(self, book: Book, pictures: frozenset[str], recalled: Recalled) -> None:
        self.book, self.pictures, self.recalled = book, pictures, recalled

    def pages(self) -> Iterator[Page]:
        """The pages of each document, and the list of all."""
        for name, pages in self._cut.items():
            at = self.book.at.guides[name]
            for number, sections in enumerate(pages, 1):
                blocks = list(self._blocks(sections))
                if number < len(pages):
                    blocks.append(Prose(said("Continued: ", _link(pages[number][0].title, f"{at}~{number + 1}"))))
                title = self._title(name)
                yield Page(
                    at=_numbered(at, number),
                    title=title if number == 1 else f"{title}: {sections[0].title}",
                    kind="guide",
                    blocks=tuple(blocks),
                )
        if self.book.guides:
            items = tuple(
                (
                    _link(self._title(n), self.book.at.guides[n]),
                    (),
                    words(", ".join(s.title for s in self._sections[n] if s.level == 2)),
                )
                for n in self.book.guides
            )
            yield Page(at=f"{GUIDES}/index", title="Guides", kind="list", blocks=(Listing("Guides", items),))

    def _title(self, name: str) -> str:
        return next((s.title for s in self._sections[name] if s.level == 1), name)

    @cached_property
    def _sections(self) -> dict[str, list[Section]]:
        return {name: list(_sections(text, self._found(text))) for name, text in self.book.guides.items()}

    def _found(self, text: str) -> list[Found]:
        """The headings of a document."""
        return self.recalled.get(f"headings\0{text}", list[Found], lambda: list(headings(text)))

    @cached_property
    def _cut(self) -> dict[str, list[list[Section]]]:
        """The sections of each document, by page."""
        return {name: _pages(sections) for name, sections in self._sections.items()}

    @cached_property
    def _anchors(self) -> dict[tuple[str, str], str]:
        """The page on which an anchor of a document is."""
        return {
            (name, section.anchor): _numbered(self.book.at.guides[name], number)
            for name, pages in self._cut.items()
            for number, sections in enumerate(pages, 1)
            for section in sections
        }

    def _blocks(self, sections: list[Section]) -> Iterator[Block]:
        name = next(n for n, pages in self._cut.items() if sections in pages)
        for section in sections:
            if section.level > 1:
                yield Heading(section.title, section.anchor, min(section.level, 3))
            if section.text.strip():
                yield Document(section.text, self._links(name, section.text))

    def _links(self, guide: str, text: str) -> dict[str, str]:
        """Where the links of a document lead here; those that leave the folder lead nowhere."""
        found: dict[str, str] = {}
        for match in _LINK.finditer(text):
            link = match[1] or match[2]
            path, _, anchor = link.partition("#")
            name = guide if not path else posixpath.normpath(path).removesuffix(".md")
            if re.match(r"https?://", link):
                found[link] = link
            elif path in self.pictures:
                found[link] = path
            elif name in self.book.guides and (not path or path.endswith(".md")):
                page = self._anchors.get((name, anchor), "") if anchor else self.book.at.guides[name]
                found |= {link: f"{page}#{anchor}" if anchor else page} if page else {}
        return found


def _link(title: str, to: str) -> Text:
    return (Span(title, to=to),)


def _numbered(at: str, number: int) -> str:
    return at if number == 1 else f"{at}~{number}"


def _sections(text: str, found: Iterable[Found]) -> Iterator[Section]:
    lines = text.splitlines(keepends=True)
    last = Section("", "", 0, "")
    start = 0
    for title, anchor, level, first, after in found:
        body = "".join(lines[start:first])
        if last.level or body.strip():
            yield Section(last.title, last.anchor, last.level, body)
        last, start = Section(title, anchor, level, ""), after
    yield Section(last.title, last.anchor, last.level, "".join(lines[start:]))


def _pages(sections: list[Section]) -> list[list[Section]]:
    """Sections in portions that a page can hold; a page begins with a section of the second level."""
    found: list[list[Section]] = [[]]
    size = 0
    for index, section in enumerate(sections):
        whole = len(section.text)
        if section.level == 2:
            rest = sections[index + 1 :]
            whole += sum(len(s.text) for s in rest[: next((n for n, s in enumerate(rest) if s.level <= 2), len(rest))])
            if found[-1] and size + whole > _ROOM and size > _ROOM // 3:
                found.append([])
                size = 0
        found[-1].append(section)
        size += len(section.text)
    return found
