"""Files: the kind of each, and its reader."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from ...document.json_parser import NotJson, Parsed, Parser
from ...document.json_types import is_json_array, is_json_object
from ...errors import InputError
from ...findings.finding import Finding
from ...limits import FILE
from ...time_limit import working_at
from ..conversation.envelopes import kind_of
from ..results.summary import Summary
from ..values.schema import Protocol
from .documents import read_document
from .positions import Text
from .transcripts import Emit, Reader, Tick, is_line, read_transcript
from .type_guess import definition_of

DOCUMENTS = (".md", ".mdx", ".markdown")
TRANSCRIPTS = (".ndjson", ".jsonl")
STDIN = "-"
_SNIFFED = 2**16


def expanded(paths: Sequence[Path]) -> list[Path]:
    """The named files, and the files with a known extension in named directories. Raises InputError."""
    found: list[Path] = []
    for path in paths:
        if str(path) == STDIN:
            found.append(path)
        elif path.is_dir():
            inside = (p for p in path.rglob("*") if p.suffix.lower() in (*DOCUMENTS, *TRANSCRIPTS, ".json"))
            files = sorted(p for p in inside if p.is_file() and not _is_hidden(p.relative_to(path)))
            if not files:
                raise InputError(str(path), "contains no messages, transcripts or documents")
            found += files
        elif not path.exists():
            raise InputError(str(path), "no such file")
        else:
            found.append(path)
    return found


def _is_hidden(path: Path) -> bool:
    """Return whether a file below a directory belongs to tools or packages, so that it is skipped."""
    return any(part.startswith(".") or part == "node_modules" for part in path.parts)


def read_file(path: Path, protocol: Protocol, summary: Summary, emit: Emit, tick: Tick) -> None:
    """Validate a file. Raises InputError."""
    if str(path) == STDIN:
        if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
            raise InputError("<stdin>", "is closed")
        _read(_Source(sys.stdin.buffer, "<stdin>"), "<stdin>", path, protocol, summary, emit, tick)
        return
    try:
        file = open(path, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise _unreadable(str(path), error) from None
    with file:
        _read(_Source(file, str(path)), str(path), path, protocol, summary, emit, tick)


def findings_of(data: bytes, path: Path, protocol: Protocol) -> list[Finding]:
    """The findings of a text as if it were in a file."""
    found: list[Finding] = []
    _read_messages(data, str(path), path, protocol, Summary(), found.append, lambda _: None)
    return found


def _unreadable(name: str, error: OSError | ValueError) -> InputError:
    return InputError(name, f"cannot be read: {getattr(error, 'strerror', None) or error}")


class _Source:
    """A file whose errors become InputError, and whose beginning can be read without consuming it."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file, self._name, self._start = file, name, b""

    def start(self) -> bytes:
        """The first line and the beginning of the second, up to a limit, without consuming them."""
        start = self.readline(_SNIFFED)
        self._start = start + self.readline(1) if start.endswith(b"\n") else start
        return self._start

    def read(self) -> bytes:
        """The rest of the file, up to the limit."""
        try:
            start, self._start = self._start, b""
            data = start + self._file.read(FILE.most + 1)
        except OSError as error:
            raise _unreadable(self._name, error) from None
        if len(data) > FILE.most:
            raise InputError(self._name, f"{FILE.problem}; {FILE.instead}")
        return data

    def readline(self, size: int, /) -> bytes:
        """The next line, or its first `size` bytes."""
        try:
            if not self._start:
                return self._file.readline(size)
        except OSError as error:
            raise _unreadable(self._name, error) from None
        line, end, self._start = self._start.partition(b"\n")
        return line + end if end else line + self.readline(size - len(line))


def _read(source: _Source, name: str, path: Path, protocol: Protocol, summary: Summary, emit: Emit, tick: Tick) -> None:
    working_at(name)
    suffix = path.suffix.lower()
    if suffix in DOCUMENTS:
        read_document(source.read(), name, protocol, summary, emit)
    elif suffix in TRANSCRIPTS or (suffix != ".json" and _is_transcript(source.start())):
        read_transcript(source, name, protocol, summary, emit, tick)
    else:
        _read_messages(source.read(), name, path, protocol, summary, emit, tick)


def _is_transcript(start: bytes) -> bool:
    """Return whether a text begins with a value on its own line, followed by more lines."""
    first, end, more = start.removeprefix(codecs.BOM_UTF8).partition(b"\n")
    opening = first.lstrip()[:1]
    if not end:
        return len(start) >= _SNIFFED and opening != b"["
    return bool(more) if _is_value(first) else opening not in (b"{", b"[", b"")


# --- one JSON value -----------------------------------------------------------------------------------------------------


def _read_messages(
    data: bytes, name: str, path: Path, protocol: Protocol, summary: Summary, emit: Emit, tick: Tick
) -> None:
    """Read a message, an array of messages, or the params or result that the path names."""
    reader = Reader(protocol, summary, emit, recorded=False)
    text = Text(name, data.removeprefix(codecs.BOM_UTF8))
    if not text.data.strip():
        reader.found(text.told("nothing-to-validate", "the file is empty"))
        return
    try:
        parsed = reader.parser.parse(text.data)
    except NotJson as error:
        lines = text.data.strip().split(b"\n", 1)
        if len(lines) > 1 and _is_value(lines[0]):
            read_transcript(io.BytesIO(data), name, protocol, summary, emit, tick)
        else:
            reader.found(text.not_json(error))
        return
    for finding in text.oddities(parsed):
        reader.found(finding)
    named = definition_of(path, protocol)
    if named is None and parsed.value == []:
        named = reader.guess.by_file(path.stem, [])
    if named is not None:
        reader.value(text, parsed.value, parsed, named, ())
    elif is_json_array(parsed.value):
        if not parsed.value:
            reader.found(text.told("nothing-to-validate", "the array is empty"))
        for index, item in enumerate(parsed.value):
            _item(reader, text, item, parsed, (index,), path)
    else:
        _item(reader, text, parsed.value, parsed, (), path)


def _item(reader: Reader, text: Text, value: Any, parsed: Parsed, prefix: tuple[int, ...], path: Path) -> None:
    """Process an item: a transcript line, a message, or a value whose type follows from the file's name, its tag or
    its shape.
    """
    if is_json_object(value) and is_line(value):
        reader.recorded_line(text, value, parsed, prefix)
        return
    name = None
    if not is_json_object(value) or not ({"jsonrpc", "method"} & value.keys() or kind_of(value) is not None):
        name = reader.guess.by_file(path.stem, value)
    if name is None:
        reader.expect_result(text, value, path.stem)
        reader.message(text, value, parsed, prefix, None)
    else:
        reader.value(text, value, parsed, name, prefix)


def _is_value(data: bytes) -> bool:
    try:
        Parser().parse(data)
    except NotJson:
        return False
    return True
