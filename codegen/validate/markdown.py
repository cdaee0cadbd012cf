"""Fenced blocks of a Markdown or MDX text, with the heading above each. Knows nothing of what is in them.

A fence may be indented (in lists, in components of MDX) or quoted, of backticks or tildes, of any length from three; what
its lines are indented by is cut off, and remembered, so that places in a block are places in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from .texts import Text

_QUOTE = r"(?:[ \t]*>)*"
_OPENING = re.compile(
    rf"(?P<quote>{_QUOTE})(?P<indent>[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(?P<fence>`{{3,}}|~{{3,}})(?P<info>.*)"
)
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]+(?P<text>.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r"[ \t>]*(?:={2,}|-{2,})[ \t]*$")
_TAG = re.compile(r"<[^<>]*>|\{[^{}]*\}|\[(?=[^\]]*\]\()|\]\([^)]*\)|[`*\\]")
_LONGEST = 2000  # characters of a line that opens a block or is a heading; the patterns take the square of it at worst
_LANGUAGE = re.compile(r"[\w+#.-]+")


class Block(Struct, frozen=True):
    """A fenced block: language in lower case, the rest of the info string, the lines, the text of the heading above."""

    language: str
    info: str
    text: Text
    heading: str
    line: int
    closed: bool


class _Fence(Struct):
    mark: str
    quoted: int
    indent: int
    info: str
    line: int


def blocks(data: bytes, name: str) -> Iterator[Block]:
    """The fenced blocks of a text, in order."""
    lines = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    heading = before = ""
    fence: _Fence | None = None
    kept: list[str] = []
    cuts: list[int] = []
    for number, line in enumerate(lines, 1):
        if fence is None and len(line) > _LONGEST:
            before = ""
            continue
        if fence is None:
            opening = _OPENING.fullmatch(line)
            if opening is not None and not (opening["fence"][0] == "`" and "`" in opening["info"]):
                indent = len(opening["indent"].expandtabs(4))
                fence = _Fence(opening["fence"], opening["quote"].count(">"), indent, opening["info"], number)
                kept, cuts = [], []
            elif (found := _HEADING.fullmatch(line)) is not None:
                heading = plain(found["text"])
            elif before.strip() and "|" not in before and _UNDERLINE.fullmatch(line):
                heading = plain(before)
            before = line
            continue
        inner, cut = _inside(line, fence)
        if inner is None:  # the quotation ends, and with it the block
            yield _block(name, fence, kept, cuts, heading, closed=True)
            fence, before = None, line
        elif _closes(inner, fence):
            yield _block(name, fence, kept, cuts, heading, closed=True)
            fence, before = None, ""
        else:
            kept.append(inner)
            cuts.append(cut)
    if fence is not None:
        yield _block(name, fence, kept, cuts, heading, closed=False)


def plain(text: str) -> str:
    """A heading's text without tags, links and emphasis."""
    return " ".join(_TAG.sub("", text).split())


def _inside(line: str, fence: _Fence) -> tuple[str | None, int]:
    """A line of a block without what the block is indented by, and how many characters that were."""
    cut = 0
    for _ in range(fence.quoted):
        found = re.match(r"[ \t]*>", line[cut:])
        if found is None:
            return None, 0
        cut += found.end()
    width = 0
    while cut < len(line) and line[cut] in " \t" and width < fence.indent:
        width += 4 - width % 4 if line[cut] == "\t" else 1
        cut += 1
    return line[cut:], cut


def _closes(line: str, fence: _Fence) -> bool:
    stripped = line.strip()
    return len(stripped) >= len(fence.mark) and set(stripped) == {fence.mark[0]}


def _block(name: str, fence: _Fence, kept: list[str], cuts: list[int], heading: str, *, closed: bool) -> Block:
    info = fence.info.strip()
    language = _LANGUAGE.match(info)
    word = language[0] if language is not None else ""
    data = "\n".join(kept).encode("utf-8", "surrogatepass")
    text = Text(name, data, fence.line + 1, tuple(cuts))
    return Block(word.lower(), info[len(word) :].strip(), text, heading, fence.line, closed)
