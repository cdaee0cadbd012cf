"""Build the files of a site from its page context, the first page among them. A page with unchanged blocks is not rendered again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from ..resources import resource
from ..write.manifest import digest
from .book.blocks import Block, Cards, Facts, Heading, Page, Text, listed, said
from .book.cache import Memory, Recalled, wire_digest
from .book.context import Book
from .book.urls import SECTIONS
from .pages.capabilities import Capabilities
from .pages.guides import Guides
from .pages.methods import Methods
from .pages.rfds import Changes, Rfds, promotions
from .pages.rules import Rules
from .pages.types import TypeBlocks, Types
from .pages.versions import Versions
from .render.html import Html
from .render.mdx import Mdx


def pages(book: Book, pictures: frozenset[str], recalled: Recalled) -> list[Page]:
    """Every page of a book, the first one last."""
    wire = wire_digest(book.document.value)
    types = TypeBlocks(book)
    promotion = promotions(book)

    def promoted(name: str) -> Changes | str:
        return recalled.get(f"{name}\0{wire}", Changes | str, lambda: promotion(name))

    makers = (
        Guides(book, pictures, recalled),
        Methods(book, types),
        Types(book, types),
        Capabilities(book),
        Rfds(book, promoted),
        Versions(book),
        Rules(book),
    )
    found = [page for maker in makers for page in maker.pages()]
    counts: dict[str, int] = {}
    for page in found:
        if page.kind not in ("list", "examples"):
            counts[page.section] = counts.get(page.section, 0) + 1
    return [*found, home(book, counts)]


def render(
    writer: Html | Mdx, made: list[Page], memory: Memory, current: Callable[[str], str | None]
) -> tuple[dict[str, str], dict[str, str]]:
    """The texts of pages by path, and the digests of their blocks. `current`: the file that the last run wrote, if it is as it was."""
    base = digest((fingerprint() + writer.base()).encode("utf-8", "surrogatepass"))
    files: dict[str, str] = {}
    digests: dict[str, str] = {}
    for page in made:
        path = writer.path(page)
        assert path not in files, path
        digests[path] = hashlib.sha256(base.encode() + msgspec.json.encode(page)).hexdigest()[:16]
        before = current(path) if memory.pages.get(path) == digests[path] else None
        files[path] = before if before is not None else writer.page(page)
    return {**files, **writer.assets()}, digests


def fingerprint() -> str:
    """A digest of what writes pages down: this folder and its templates."""
    found = hashlib.sha256()
    for path in sorted([*Path(__file__).parent.rglob("*.py"), *(resource("templates") / "site").iterdir()]):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def pictures_of(folder: Path | None) -> Mapping[str, str]:
    """The vector pictures in a folder of documents, by name."""
    if folder is None or not folder.is_dir():
        return {}
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.svg")) if path.is_file()}


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
