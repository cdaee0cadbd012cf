"""The index of the search: one row for each page and each part of a page, in a script file, so that it works from `file://`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from .blocks import Block, Entries, Fields, Folded, Heading, Page, Parts, plain

Row = tuple[str, str, str, str]
"""The address, the title, the kind, and more words to search by."""

_LONGEST = 160


def rows(pages: Sequence[Page], extension: str) -> Iterator[Row]:
    """The rows of some pages."""
    for page in pages:
        address = f"{page.at}{extension}"
        more = " ".join((*page.also, plain(page.lead)))[:_LONGEST]
        yield address, page.title, page.kind, more
        if page.kind != "list":
            yield from _parts(page, page.blocks, address)


def _parts(page: Page, blocks: Sequence[Block], address: str) -> Iterator[Row]:
    for block in blocks:
        match block:
            case Parts(parts) | Fields(parts=parts) if page.kind in ("type", "RFD"):
                for part in parts:
                    kind = part.anchor.partition("-")[0]
                    yield f"{address}#{part.anchor}", f"{page.title}: {part.name}", kind, _words(part.text, part.notes)
            case Entries(entries):
                for entry in entries:
                    yield (
                        f"{address}#{entry.anchor}",
                        f"{page.title}: {plain(entry.message)}"[:_LONGEST],
                        "change",
                        entry.rule,
                    )
            case Folded(blocks=inner):
                yield from _parts(page, inner, address)
            case Heading(text, anchor, 2) if page.kind in ("method", "RFD"):
                yield f"{address}#{anchor}", f"{page.title}: {text}", "section", " ".join(page.also)[:_LONGEST]
            case Heading(text, anchor) if page.kind == "guide":
                yield f"{address}#{anchor}", f"{page.title}: {text}", "guide", ""
            case _:
                pass


def _words(text: object, notes: object) -> str:
    names = [plain(said) for label, said in notes if label == "Python"]  # type: ignore[attr-defined]
    return " ".join((*names, plain(text)))[:_LONGEST]  # type: ignore[arg-type]


def script(found: Sequence[Row]) -> str:
    """The index as a script: nothing in it can end the script element of a page, or its line."""
    text = json.dumps([list(row) for row in found], ensure_ascii=True, separators=(",", ":"))
    return f"window.acpSearch={text.replace('<', chr(92) + 'u003c')};\n"
