"""Transcripts: one message per line, of any length, read as a stream.

    {"t": seconds, "dir": "<side>-to-<side>", "msg": message}    written by the frame hook of a connection
    {"t": seconds, "dir": "<side>-to-<side>", "raw": text}       a frame that was not JSON
    {"jsonrpc": "2.0", ...}                                      a message alone
    [{"jsonrpc": "2.0", ...}, ...]                               a batch, which is a finding; each message is validated

No content of a line raises an exception. Only one line is in memory at a time.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any
from typing import Protocol as Interface

from ...document.json_parser import TOO_DEEP, NotJson, Parsed, Parser, Path
from ...document.json_types import is_json_array, is_json_object
from ...errors import quoted
from ...findings.finding import Finding
from ...limits import LINE
from ...time_limit import working_at
from ..conversation.conversation import Conversation
from ..conversation.envelopes import Envelope, kind_of
from ..results.summary import Summary, is_invalid
from ..values.notes import Note
from ..values.schema import Protocol
from ..values.values import value_notes
from .positions import Text
from .type_guess import Guess

_GIVE_UP = 20
"""Number of leading lines that are not JSON after which a file is not treated as a transcript."""


class Lines(Interface):
    """The source of a transcript: a binary file."""

    def readline(self, size: int, /) -> bytes:
        """The next line, or its first bytes."""
        ...


Emit = Callable[[Finding], None]
Tick = Callable[[int], None]
"""A function that is called with the number of bytes read so far."""


class Reader:
    """Reads messages from texts as one conversation."""

    def __init__(
        self, protocol: Protocol, summary: Summary, emit: Emit, *, recorded: bool, foreign: bool = False
    ) -> None:
        self.protocol, self.summary, self.emit = protocol, summary, emit
        self.conversation = Conversation(protocol, recorded=recorded, foreign=foreign)
        self._seconds: float = 0
        self.parser = Parser(protocol.session)

    @cached_property
    def guess(self) -> Guess:
        """Guesses the types of values without context."""
        return Guess(self.protocol)

    def found(self, finding: Finding) -> None:
        """Count a finding and pass it on."""
        self.summary.finding(finding)
        self.emit(finding)

    def judged(self, text: Text, parsed: Parsed) -> None:
        """Process a line of JSON: deviations in its text, then its content."""
        if parsed.duplicates or parsed.halves or parsed.huge:
            for finding in text.oddities(parsed):
                self.found(finding)
        self.line(text, parsed)

    def message(self, text: Text, value: Any, parsed: Parsed, prefix: Path, direction: str | None) -> None:
        """Process a message at a path of a text."""
        conversation, invalid = self.conversation, False
        try:
            notes = conversation.message(value, parsed, text.data, direction, text.start)
        except RecursionError:
            self.found(text.told("message-not-json", TOO_DEEP))
            return
        for note in notes:
            self.found(text.finding(note, prefix))
            invalid = invalid or is_invalid(note.rule)
        self.summary.message(conversation.label, invalid=invalid)

    def value(self, text: Text, value: Any, parsed: Parsed, name: str, prefix: Path) -> None:
        """Process a value of a named definition."""
        invalid = False
        try:
            for note in value_notes(self.protocol, name, value, parsed, path=(), rule="value-invalid"):
                self.found(text.finding(note, prefix))
                invalid = invalid or is_invalid(note.rule)
        except RecursionError:
            self.found(text.told("message-not-json", TOO_DEEP))
            return
        self.summary.message(name, invalid=invalid)

    def expect_result(self, text: Text, value: Any, stem: str = "") -> None:
        """For a response without its request, derive the method from the file's name or its fields."""
        if kind_of(value) is not Envelope.RESPONSE or "result" not in value:
            return
        if self.conversation.answered(value["id"]) is None:
            row = self.guess.by_result(value["result"], stem)
            if row is not None:
                self.conversation.expect(value["id"], row, text.place(0))

    def line(self, text: Text, parsed: Parsed) -> None:
        """Process one line of a transcript, or one item of a collection."""
        value = parsed.value
        if is_json_object(value) and is_line(value):
            self.recorded_line(text, value, parsed, ())
        elif is_json_array(value):
            self.found(text.told("batch", f"an array of {len(value)} on one line"))
            for index, item in enumerate(value):
                self.message(text, item, parsed, (index,), None)
        else:
            self.message(text, value, parsed, (), None)

    def recorded_line(self, text: Text, value: dict[str, Any], parsed: Parsed, prefix: Path) -> None:
        """Process a line in the format of the frame hook."""
        seconds = value.get("t")
        if isinstance(seconds, (int, float)):
            if seconds < self._seconds:  # the hook counts from the first line of its connection
                self.conversation.anew = True
            self._seconds = seconds
        direction = value.get("dir")
        if not isinstance(direction, str) or "-to-" not in direction:
            if "dir" in value:
                expected = "a direction, <side>-to-<side>"
                note = f"dir: expected {expected}, found {quoted(direction)}"
                path = ("dir",)
                self.found(text.finding(Note("envelope-invalid", note, path, expected), prefix))
            direction = None
        if "msg" in value:
            self.message(text, value["msg"], parsed, (*prefix, "msg"), direction)
        elif isinstance(value.get("raw"), str):
            self.found(text.told("frame-not-json", f"a frame that is not valid JSON: {quoted(value['raw'])}"))
        else:
            self.found(text.told("envelope-invalid", 'a line with neither "msg" nor "raw"'))


def is_line(value: dict[str, Any]) -> bool:
    """Return whether an object is a transcript line instead of a message."""
    return "jsonrpc" not in value and ("msg" in value or "raw" in value) and "method" not in value


def read_transcript(
    file: Lines, name: str, protocol: Protocol, summary: Summary, emit: Emit, tick: Tick = lambda _: None
) -> None:
    """Validate a transcript line by line."""
    reader = Reader(protocol, summary, emit, recorded=True)
    number = read = bad = 0
    cut = False
    parse = reader.parser.parse
    for number, (data, whole) in enumerate(whole_lines(file), 1):
        read += len(data)
        working_at(name, number)
        if not number & 1023:
            tick(read)
        if number == 1:
            data = data.removeprefix(codecs.BOM_UTF8)  # noqa: PLW2901
        if data.isspace() or not data:
            continue
        ended = data.endswith(b"\n")
        text = Text(name, data.rstrip(b"\r\n"), number)
        if not whole:
            reader.found(text.told("message-not-json", LINE.problem))
            bad += 1
        else:
            try:
                parsed = parse(text.data)
            except NotJson as error:
                cut = error.truncated and not ended
                reader.found(_broken(text, error, cut=cut))
                bad += 1
            else:
                reader.judged(text, parsed)
        if bad == _GIVE_UP and not summary.messages:
            reader.found(text.told("message-not-json", f"none of the first {_GIVE_UP} lines is JSON; skipped the rest"))
            cut = True
            break
    end = Text(name, b"", max(number, 1))
    if not number:
        reader.found(end.told("nothing-to-validate", "the transcript is empty"))
    for note in reader.conversation.end(cut=cut):
        reader.found(end.finding(note))


def _broken(text: Text, error: NotJson, *, cut: bool) -> Finding:
    if cut:
        return text.told("line-truncated", "the message in the last line is incomplete", len(text.data))
    return text.not_json(error)


def whole_lines(file: Lines) -> Iterator[tuple[bytes, bool]]:
    """The lines of a file including their ends, and whether each is complete."""
    while line := file.readline(LINE.most + 1):
        whole = len(line) <= LINE.most or line.endswith(b"\n")
        yield line, whole
        while not whole and (rest := file.readline(2**20)):
            whole = rest.endswith(b"\n")
