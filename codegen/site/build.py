"""From a book to the files of its site. A page whose blocks are as they were is not written down again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..document.walk import rewrite
from ..emit.manifest import digest
from ..resources import resource
from .blocks import Page
from .book import Book
from .html import Html
from .mdx import Mdx
from .page_capabilities import Capabilities
from .page_guides import Guides
from .page_home import home
from .page_methods import Methods
from .page_rfds import Changes, Rfds, promotions
from .page_rules import Rules
from .page_types import TypeBlocks, Types
from .page_versions import Versions

T = TypeVar("T")

MEMORY = ".memory.json"
"""What a run leaves for the next one, so that it is quick; deleting the file only costs time."""


class Memory(msgspec.Struct, forbid_unknown_fields=True):
    """What was made from what: by path the digest of a page's blocks, and by digest what takes long to work out."""

    pages: dict[str, str] = {}
    found: dict[str, Any] = {}

    def text(self) -> str:
        """The memory as JSON."""
        return msgspec.json.format(msgspec.json.encode(self, order="sorted"), indent=1).decode() + "\n"


def parse_memory(data: bytes | None) -> Memory:
    """A memory from its bytes; an empty one if they are not one."""
    try:
        return msgspec.json.decode(data or b"", type=Memory)
    except (msgspec.DecodeError, RecursionError):
        return Memory()


class Recalled:
    """Values that were worked out in an earlier run, by what they follow from; keeps only those that are asked for."""

    def __init__(self, memory: Memory, base: str) -> None:
        self._before, self._base = memory.found, base
        self.kept: dict[str, Any] = {}

    def get(self, key: str, type_: Any, make: Callable[[], T]) -> T:
        """The value of a key, made where no earlier run has left one."""
        key = digest(f"{self._base}\0{key}".encode("utf-8", "surrogatepass"))
        found: T
        try:
            found = msgspec.convert(self._before[key], type_)
        except (KeyError, msgspec.ValidationError):
            found = make()
        self.kept[key] = msgspec.to_builtins(found)
        return found


def pages(book: Book, pictures: frozenset[str], recalled: Recalled) -> list[Page]:
    """Every page of a book, the first one last."""
    wire = wire_digest(book)
    types = TypeBlocks(book)
    promotion = promotions(book)

    def promoted(name: str) -> Changes | str:
        return recalled.get(f"{name}\0{wire}", Changes | str, lambda: promotion(name))

    makers = (
        Guides(book, pictures),
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


def wire_digest(book: Book) -> str:
    """A digest of a schema without its descriptions, which change nothing on the wire."""
    return digest(msgspec.json.encode(rewrite(book.document.value, _undescribed, "root")))


def _undescribed(_: Any, node: dict[str, Any]) -> dict[str, Any]:
    return {keyword: child for keyword, child in node.items() if keyword != "description"}


def pictures_of(folder: Path | None) -> Mapping[str, str]:
    """The vector pictures in a folder of documents, by name."""
    if folder is None or not folder.is_dir():
        return {}
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.svg")) if path.is_file()}
