"""Texts of RFDs: `rfds/NAME.md` beside the schema. Each sentence with MUST refers to a requirement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from ...document.read import read_bytes
from ...errors import InputError

FOLDER = "rfds"
_FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"(?:^(?!\s*$).*\n?)+", re.MULTILINE)
_SENTENCE = re.compile(r".+?(?:[.!?](?:\s*\(`[^)]*\)\.?)?(?=\s|$)|\n(?=\s*(?:[-*+]|\d+\.)\s)|$(?!\n))", re.DOTALL)
_MUST = re.compile(r"\bMUST\b")


class Demand(Struct, frozen=True):
    """A sentence with MUST: its line in the text, and the ids of the requirements that it names."""

    line: int
    text: str
    names: tuple[str, ...]


def read_texts(folder: Path) -> Mapping[str, str]:
    """The texts beside a schema by RFD. Unreadable files and links are skipped."""
    found: dict[str, str] = {}
    for file in sorted((folder / FOLDER).glob("*.md")):
        try:
            if file.is_file() and file.resolve().parent == (folder.resolve() / FOLDER):
                found[file.stem] = read_bytes(file).decode(errors="replace")
        except (OSError, InputError):
            continue
    return found


def demands(rfd: str, text: str) -> Iterator[Demand]:
    """The sentences of an RFD's text that contain MUST, outside fenced code."""
    named = re.compile(rf"`({re.escape(rfd)}/[a-z0-9-]+)`")
    shown = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text)
    for block in _BLOCK.finditer(shown):
        for sentence in _SENTENCE.finditer(block[0]):
            must = _MUST.search(sentence[0])
            if must is not None:
                line = shown.count("\n", 0, block.start() + sentence.start() + must.start()) + 1
                yield Demand(line, " ".join(sentence[0].split()).removeprefix("- "), tuple(named.findall(sentence[0])))
