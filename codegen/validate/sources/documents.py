"""JSON in documents: find the definition of each fenced block, and validate the block against it.

    an info string with a type        ```json type=Name, ```json Name, ```json title="Name"
    the file name of an example       ```json agent/<method>/<name>.request.json
    a message                         recognised by its fields; a response belongs to the last request with its id.
                                      Without a request, its fields determine the result
    the nearest heading with a name   a type, or a method: then its params or its result, whichever fits better
    a value with a tag of a union     if it conforms, or if no other JSON could have such a tag

Any other JSON is counted and not validated.

A fence may be indented (in lists, in components of MDX) or quoted, with backticks or tildes, of any length from three.
The indentation of its lines is removed and remembered, so that places in a block are places in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from ...document.json_parser import NotJson, Parsed
from ...document.json_types import is_json_array, is_json_object
from ...document.positions import pieces
from ...errors import quoted
from ..conversation.envelopes import kind_of
from ..results.summary import Summary
from ..values.schema import ENVELOPE, Protocol
from .positions import Text
from .transcripts import Emit, Reader, is_line
from .type_guess import definition_of

LANGUAGES = frozenset({"json", "jsonc", "json5", "jsonl", "ndjson"})
_TYPE = re.compile(r"""(?:^|[\s,{])(?P<key>type|title)\s*=\s*["']?(?P<name>[^\s"',}]+)["']?""")
_WORD = re.compile(r"""(?:^|\s)(?P<name>[A-Z]\w*(?:\[\])?)(?=\s|$)""")
_SKETCH = re.compile(rb"//|/\*|\.\.\.|\xe2\x80\xa6|<[A-Za-z][^<>\n]*>|\{\{|^\s*#", re.MULTILINE)
_STRING = re.compile(rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"')
_QUOTE = r"(?:[ \t]*>)*"
_OPENING = re.compile(
    rf"(?P<quote>{_QUOTE})(?P<indent>[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)*)(?P<fence>`{{3,}}|~{{3,}})(?P<info>.*)"
)
_HEADING = re.compile(r"[ \t>]*#{1,6}[ \t]+(?P<text>.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r"[ \t>]*(?:={2,}|-{2,})[ \t]*$")
_TAG = re.compile(r"<[^<>]*>|\{[^{}]*\}|\[(?=[^\]]*\]\()|\]\([^)]*\)|[`*\\]")
_LONGEST = 2000  # characters of a line that opens a block or is a heading; the patterns take the square of it at worst
_LANGUAGE = re.compile(r"[\w+#.-]+")


def read_document(data: bytes, name: str, protocol: Protocol, summary: Summary, emit: Emit) -> None:
    """Validate the JSON in a document."""
    _Document(protocol, summary, emit).read(data, name)


class _Document:
    def __init__(self, protocol: Protocol, summary: Summary, emit: Emit) -> None:
        self._protocol, self._summary = protocol, summary
        self._reader = Reader(protocol, summary, emit, recorded=False, foreign=True)
        self._guess = self._reader.guess

    def read(self, data: bytes, name: str) -> None:
        try:
            data.decode()
        except UnicodeDecodeError as error:
            problem = f"the document is not UTF-8: byte 0x{data[error.start]:02x}"
            self._reader.found(Text(name, data).told("message-not-json", problem, error.start))
        for block in blocks(data, name):
            if block.language in LANGUAGES:
                self._block(block)

    def _block(self, block: Block) -> None:
        if not block.closed:
            problem = f"the block that starts at line {block.line} is not closed"
            self._reader.found(block.text.told("fence-unclosed", problem))
        if not block.text.data.strip():
            return
        try:
            values = list(self._values(block.text))
        except NotJson as error:
            self._unparsable(block, error)
            return
        named = self._named(block)
        for text, parsed in values:
            for finding in text.oddities(parsed):
                self._reader.found(finding)
            self._judge(text, parsed, block, named)

    def _values(self, text: Text) -> Iterator[tuple[Text, Parsed]]:
        """The values in a block. Examples may contain several in a row."""
        try:
            yield text, self._reader.parser.parse(text.data)
        except NotJson as error:
            parts = list(pieces(text.data))
            if len(parts) < 2:
                raise
            try:
                found = [(text.part(*part), self._reader.parser.parse(text.data[slice(*part)])) for part in parts]
            except NotJson:
                raise error from None
            yield from found

    def _unparsable(self, block: Block, error: NotJson) -> None:
        """Report invalid JSON, unless the block is a sketch."""
        text, data = block.text, _STRING.sub(b'""', block.text.data)
        if _SKETCH.search(data) or b'"..."' in block.text.data:
            self._reader.found(text.told("example-unparsable", "an example with comments or ellipses", error.offset))
        elif block.language != "json":
            self._reader.found(text.told("example-unparsable", f"an example in {block.language}", error.offset))
        elif data.lstrip()[:1] not in (b"{", b"["):
            self._reader.found(text.told("example-unparsable", "a piece of JSON", error.offset))
        else:
            self._reader.found(text.not_json(error))

    # --- what a value is ----------------------------------------------------------------------------------------------

    def _judge(self, text: Text, parsed: Parsed, block: Block, named: str | None) -> None:
        value = parsed.value
        if named is not None:
            items = value if named.endswith("[]") and is_json_array(value) else None
            for index, item in enumerate(items if items is not None else [value]):
                prefix = (index,) if items is not None else ()
                name = self._guess.whole(named.removesuffix("[]"), item)
                self._reader.value(text, item, parsed, name, prefix)
        elif is_json_array(value) and value and all(map(_is_message, value)):
            for index, item in enumerate(value):
                self._message(text, item, parsed, (index,))
        elif _is_message(value):
            self._message(text, value, parsed, ())
        else:
            guessed = self._guess.by_heading(block.heading, value) or self._guess.by_tag(value)
            if guessed is not None:
                self._reader.value(text, value, parsed, guessed, ())
            else:
                self._summary.other += 1

    def _message(self, text: Text, value: Any, parsed: Parsed, prefix: tuple[int, ...]) -> None:
        if is_line(value):
            self._reader.recorded_line(text, value, parsed, prefix)
            return
        self._reader.expect_result(text, value)
        self._reader.message(text, value, parsed, prefix, None)

    def _named(self, block: Block) -> str | None:
        """The definition in an info string."""
        definitions = self._protocol.schema.definitions
        for found in _TYPE.finditer(block.info):
            if found["name"].removesuffix("[]") in definitions:
                return found["name"]
            if found["key"] == "type":
                text = f"the schema has no type {quoted(found['name'])}"
                self._reader.found(block.text.told("type-unknown", text))
        words = [found["name"] for found in _WORD.finditer(block.info)]
        files = [definition_of(Path(word.strip("\"'")), self._protocol) for word in re.split(r"[\s=]+", block.info)]
        return next((word for word in [*words, *filter(None, files)] if word.removesuffix("[]") in definitions), None)


def _is_message(value: Any) -> bool:
    if not is_json_object(value):
        return False
    if "jsonrpc" in value or is_line(value):
        return True
    return kind_of(value) is not None and value.keys() <= ENVELOPE and len(value) > 1


# --- fenced blocks of a text, with the heading above each --------------------------------------------------------------


class Block(Struct, frozen=True):
    """A fenced block: its language in lower case, the rest of the info string, its lines, and the heading above."""

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
    """A line of a block without the block's indentation, and the number of removed characters."""
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
