"""From a book to the files of its site. A page whose blocks are as they were is not written down again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from ..emit.manifest import digest
from ..resources import resource
from .blocks import Page
from .book import Book
from .html import Html
from .mdx import Mdx
from .memory import Memory, Recalled, wire_digest
from .page_capabilities import Capabilities
from .page_guides import Guides
from .page_home import home
from .page_methods import Methods
from .page_rfds import Changes, Rfds, promotions
from .page_rules import Rules
from .page_types import TypeBlocks, Types
from .page_versions import Versions


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
    for path in sorted([*Path(__file__).parent.glob("*.py"), *(resource("templates") / "site").iterdir()]):
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def pictures_of(folder: Path | None) -> Mapping[str, str]:
    """The vector pictures in a folder of documents, by name."""
    if folder is None or not folder.is_dir():
        return {}
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.svg")) if path.is_file()}
