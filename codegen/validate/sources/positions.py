"""Texts with positions: the place of JSON in a file, and the conversion of notes to findings."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ...document.json_parser import NotJson, Parsed, Path
from ...document.positions import index_of, lines_of
from ...errors import quoted
from ...findings.finding import Finding, Place
from ..results.rules import RULES
from ..values.notes import Note, shown


class Text(Struct, frozen=True):
    """JSON in a file: its first line, and the number of characters removed before each line.

    A part of a text starts `skipped` lines after what `cut` counts from, with `before` more characters before its first
    line.
    """

    file: str
    data: bytes
    line: int = 1
    cut: tuple[int, ...] = ()
    skipped: int = 0
    before: int = 0

    def start(self) -> Place:
        """The place of the first byte."""
        return self.place(0)

    def place(self, at: int) -> Place:
        """The place of a byte."""
        line, column = lines_of(self.data).at(at)
        return Place(self.file, self.line + line - 1, column + self._cut(line))

    def part(self, start: int, end: int) -> Text:
        """A part of the text."""
        line, column = lines_of(self.data).at(start)
        before = column - 1 + (self.before if line == 1 else 0)
        return Text(self.file, self.data[start:end], self.line + line - 1, self.cut, self.skipped + line - 1, before)

    def _cut(self, line: int) -> int:
        """The number of characters of the file before a line of the text."""
        index = self.skipped + line - 1
        return (self.cut[index] if index < len(self.cut) else 0) + (self.before if line == 1 else 0)

    def finding(self, note: Note, prefix: Path = ()) -> Finding:
        """Convert a note about a message at a path of the text to a finding."""
        where = note.at
        if where is None:
            where = self.place(index_of(self.data).offset((*prefix, *note.path), key=note.key))
        found = RULES[note.rule].finding(note.pointer, where, note.text, ceiling=note.ceiling)
        return replace(found, path=shown(note.path), expected=note.expected, found=note.found)

    def told(self, rule_id: str, message: str, at: int = 0) -> Finding:
        """A finding about the text itself, at a byte."""
        return RULES[rule_id].finding("", self.place(at), message)

    def not_json(self, error: NotJson) -> Finding:
        """The finding for invalid JSON."""
        return self.told("message-not-json", f"no JSON: {error.problem}", error.offset)

    def oddities(self, parsed: Parsed) -> list[Finding]:
        """Findings for deviations noted while parsing."""
        found = [
            self.told(
                "key-twice", f"the key {quoted(key)} appears twice in one object", index_of(self.data).second_key(key)
            )
            for key in dict.fromkeys(parsed.duplicates)
        ]
        if parsed.halves:
            at = max(self.data.lower().find(b"\\ud"), 0)
            found.append(self.told("lone-surrogate", "half of a surrogate pair, read as U+FFFD", at))
        if parsed.huge:
            problem = "a number too large for a double, read as the largest one"
            found.append(self.told("number-out-of-range", problem, index_of(self.data).first_huge))
        return found
