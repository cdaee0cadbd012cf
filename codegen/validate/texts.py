"""Texts with a place: where in a file a piece of JSON stands, and what notes about it become there."""

from __future__ import annotations

from msgspec import Struct

from ..document.jsontext import NotJson, Parsed, Path, first_huge, line_column, offset, second_key
from ..errors import quoted
from ..findings.finding import Finding, Place
from .notes import Note, shown
from .rules import RULES


class Text(Struct, frozen=True):
    """JSON as it stands in a file: from which line on, and how many characters were cut off before each of its lines."""

    file: str
    data: bytes
    line: int = 1
    cut: tuple[int, ...] = ()

    def start(self) -> Place:
        """The place of the first byte."""
        return self.place(0)

    def place(self, at: int) -> Place:
        """The place of a byte."""
        line, column = line_column(self.data, at)
        cut = self.cut[line - 1] if line <= len(self.cut) else 0
        return Place(self.file, self.line + line - 1, column + cut)

    def part(self, start: int, end: int) -> Text:
        """A piece of the text, which starts at a byte of it."""
        line, column = line_column(self.data, start)
        cut = self.cut[line - 1] if line <= len(self.cut) else 0
        return Text(self.file, self.data[start:end], self.line + line - 1, (cut + column - 1, *self.cut[line:]))

    def finding(self, note: Note, prefix: Path = ()) -> Finding:
        """A note about a message that stands at a path of the text."""
        where = note.at
        if where is None:
            where = self.place(offset(self.data, (*prefix, *note.path), key=note.key))
        rule = RULES[note.rule]
        return Finding(
            id=rule.id,
            level=min(rule.level, note.ceiling),
            category=rule.category,
            pointer=note.pointer,
            place=where,
            message=note.text,
            instead=rule.instead,
            path=shown(note.path),
            expected=note.expected,
            found=note.found,
        )

    def told(self, rule_id: str, message: str, at: int = 0) -> Finding:
        """A finding about the text itself, at a byte of it."""
        rule = RULES[rule_id]
        return Finding(
            id=rule.id,
            level=rule.level,
            category=rule.category,
            pointer="",
            place=self.place(at),
            message=message,
            instead=rule.instead,
        )

    def not_json(self, error: NotJson, rule: str = "message-not-json") -> Finding:
        """The finding that this is no JSON."""
        return self.told(rule, f"no JSON: {error.problem}", error.offset)

    def oddities(self, parsed: Parsed) -> list[Finding]:
        """What was noted while the text was parsed."""
        found = [
            self.told("key-twice", f"the key {quoted(key)} stands twice in one object", second_key(self.data, key))
            for key in dict.fromkeys(parsed.duplicates)
        ]
        if parsed.halves:
            at = max(self.data.lower().find(b"\\ud"), 0)
            found.append(self.told("lone-surrogate", "half of a surrogate pair, read as U+FFFD", at))
        if parsed.huge:
            problem = "a number that no double holds, read as the largest one"
            found.append(self.told("number-out-of-range", problem, first_huge(self.data)))
        return found
