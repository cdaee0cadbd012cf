"""Validate a connection as it proceeds: each frame returns the findings that are certain by then.

    judge = Live.of(default_schema())
    for finding in judge.frame("client-to-agent", data): ...

A finding's `place.line` is the number of its frame, counted from 1. That may be an earlier frame than the current one,
because some findings are certain only later. Memory is bounded, as for a transcript.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from ..document.json_parser import NotJson
from ..document.json_types import is_json_array
from ..errors import quoted
from ..findings.finding import Finding
from .results.summary import Summary
from .sources.positions import Text
from .sources.transcripts import Reader
from .values.schema import Protocol


class Live:
    """The validator of one connection. `name` is the file name in its findings."""

    def __init__(self, protocol: Protocol, name: str = "frame") -> None:
        self.summary = Summary()
        self._name = name
        self._found: list[Finding] = []
        self._reader = Reader(protocol, self.summary, self._found.append, recorded=True)
        self._count = 0

    @classmethod
    def of(cls, schema: Path, extend: Sequence[Path] = ()) -> Self:
        """The validator of a schema with extensions. Takes some tenths of a second. Raises CodegenError."""
        return cls(Protocol.read(schema, extend))

    def frame(self, direction: str | None, data: bytes) -> list[Finding]:
        """Return the new findings after a frame. `direction`: `<side>-to-<side>`, None if it is unknown."""
        self._count += 1
        reader, text = self._reader, Text(self._name, data, self._count)
        try:
            parsed = reader.parser.parse(data)
        except NotJson:
            shown = quoted(data[:200].decode(errors="replace"))
            reader.found(text.told("frame-not-json", f"a frame that is not valid JSON: {shown}"))
            return self._taken()
        for finding in text.oddities(parsed):
            reader.found(finding)
        if is_json_array(parsed.value):
            reader.found(text.told("batch", f"an array of {len(parsed.value)} in one frame"))
            for index, item in enumerate(parsed.value):
                reader.message(text, item, parsed, (index,), direction)
        else:
            reader.message(text, parsed.value, parsed, (), direction)
        return self._taken()

    def end(self) -> list[Finding]:
        """Return the findings at the end of the connection, for instance requests without a response."""
        end = Text(self._name, b"", max(self._count, 1))
        for note in self._reader.conversation.end():
            self._reader.found(end.finding(note))
        return self._taken()

    def _taken(self) -> list[Finding]:
        found = list(self._found)
        self._found.clear()
        return found
