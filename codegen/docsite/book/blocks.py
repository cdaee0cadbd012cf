"""The blocks of a page, independent of a format: spans of text, blocks, pages. Frozen, comparable, and JSON, so a page has a digest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from msgspec import Struct


class Span(Struct, frozen=True, array_like=True):
    """A piece of a line. `to`: the page it leads to, as `section/name` or `section/name#anchor`; `strong`: a word that obliges.

    `tone` colours it, as `stable` or `draft`.
    """

    text: str
    code: bool = False
    to: str = ""
    strong: bool = False
    tone: str = ""


Text: TypeAlias = tuple[Span, ...]


class Badge(Struct, frozen=True):
    """A word or two about a part, beside its name. `kind` says how it looks; `hint` says it at length."""

    text: str
    kind: Literal[
        "plain", "required", "gate", "draft", "stable", "deprecated", "release", "error", "warning", "info"
    ] = "plain"
    to: str = ""
    code: bool = False


class Part(Struct, frozen=True, kw_only=True):
    """A property, variant, constant or statement: its name, what it takes, and what there is to say of it, by label.

    `cells`: what a table shows in columns of their own.
    """

    name: str
    anchor: str
    type: Text = ()
    badges: tuple[Badge, ...] = ()
    text: Text = ()
    cells: tuple[tuple[str, Text], ...] = ()
    notes: tuple[tuple[str, Text], ...] = ()
    depth: int = 0


class Block(Struct, frozen=True, tag=True):
    """A part of a page."""


class Prose(Block, frozen=True):
    """A paragraph."""

    text: Text


class Heading(Block, frozen=True):
    """A heading below that of the page; `level` is 2 or 3."""

    text: str
    anchor: str
    level: int = 2


class Facts(Block, frozen=True):
    """Short facts, each with a label."""

    rows: tuple[tuple[str, Text], ...]


class Parts(Block, frozen=True):
    """Statements, one below the other."""

    parts: tuple[Part, ...]


class Fields(Block, frozen=True):
    """A table of properties, variants or constants. `head`: what its first column has."""

    caption: Text
    head: str
    parts: tuple[Part, ...]

    @property
    def typed(self) -> bool:
        """Whether any part says what it takes."""
        return any(part.type for part in self.parts)

    @property
    def columns(self) -> tuple[str, ...]:
        """The labels of the cells, in the order of the parts."""
        return tuple(dict.fromkeys(label for part in self.parts for label, _ in part.cells))


class Code(Block, frozen=True):
    """Code in a language (`python`, `json`, `diff`, `text`), with a caption."""

    code: str
    language: str
    caption: Text = ()


class Message(Struct, frozen=True):
    """A message on the wire: which side sends it to which, what it is, and its JSON as text."""

    sender: str
    receiver: str
    what: str
    json: str


class Exchange(Block, frozen=True):
    """Messages of both sides, in order. `first`: the side on the left."""

    first: str
    messages: tuple[Message, ...]


class Bullets(Block, frozen=True):
    """A list."""

    items: tuple[Text, ...]


class Table(Block, frozen=True):
    """A table; the first cell of each row is its heading. `caption` says what it shows."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Text, ...], ...]


class Listing(Block, frozen=True):
    """Pages or parts of them, each with a few words beside its name and a sentence below."""

    label: str
    items: tuple[tuple[Text, Text, Text], ...]


class Entry(Struct, frozen=True, kw_only=True):
    """One change of a report: how bad it is, its rule, what it breaks, a message before and after, and what to do instead."""

    anchor: str
    label: str
    message: Text
    rule: str
    breaks: str = ""
    carrier: str = ""
    wire: str = ""
    refused: Text = ()
    instead: Text = ()


class Entries(Block, frozen=True):
    """Changes of a report."""

    entries: tuple[Entry, ...]


class Document(Block, frozen=True):
    """A page that somebody wrote as Markdown; `links` says where its links lead here, and leaves out those that lead nowhere."""

    markdown: str
    links: dict[str, str]


class Cards(Block, frozen=True):
    """Ways into the site: a title, where it leads, and what is there."""

    cards: tuple[tuple[str, str, Text], ...]


class Folded(Block, frozen=True):
    """Blocks that are shown on demand."""

    summary: Text
    blocks: tuple[Block, ...]


class Page(Struct, frozen=True, kw_only=True):
    """A page. `at`: `section/name`; `kind`: what it is about, in a word; `also`: other words by which it is searched."""

    at: str
    title: str
    kind: str
    blocks: tuple[Block, ...]
    lead: Text = ()
    badges: tuple[Badge, ...] = ()
    code: bool = False
    also: tuple[str, ...] = ()

    @property
    def section(self) -> str:
        """The section that the page is in; empty for the first page."""
        return self.at.rpartition("/")[0]


def plain(text: Text) -> str:
    """The words of a text."""
    return "".join(span.text for span in text)


def words(text: str) -> Text:
    """A text without code or links."""
    return (Span(text),)


def code(text: str, to: str = "") -> Text:
    """A text that is code."""
    return (Span(text, code=True, to=to),)


def listed(texts: Iterable[Text], between: str = ", ") -> Text:
    """Several texts, with something in between."""
    found: list[Span] = []
    for text in texts:
        found += [*((Span(between),) if found else ()), *text]
    return tuple(found)


def said(*parts: str | Text) -> Text:
    """Texts in a row; in a plain one, what is between backticks is code."""
    found: list[Any] = []
    for part in parts:
        if isinstance(part, str):
            pieces = part.split("`")
            found += [Span(piece, code=bool(index % 2)) for index, piece in enumerate(pieces) if piece]
        else:
            found += part
    return tuple(found)
