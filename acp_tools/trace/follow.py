"""A live view of a transcript: a line for each frame, with the findings of the validator below it."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from ..codegen_api import console, errors, escape, finding, json_types, pipeline, report, summary, transcripts
from ..codegen_api import schema as protocol
from .recorder import default_folder, held_by_its_writer

_PAUSE = 0.05
_SLOW = 100.0
"""Milliseconds above which the time of a response is shown."""


def newest() -> Path:
    """The newest transcript. Raises InputError if there is none."""
    found = sorted(default_folder().glob("*.ndjson"), key=_age)
    if not found:
        raise errors.InputError(
            str(default_folder()), "contains no transcript: start an agent with `acp-codegen trace -- COMMAND`"
        )
    return found[-1]


def _age(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # deleted meanwhile
        return 0


def follow(path: Path, schema: Path | None = None, extend: Sequence[Path] = (), *, findings_only: bool) -> int:
    """Show a transcript until its writer ends. Returns 1 if validation found an error.

    `schema` and `extend` name the schema and the extensions to validate against.
    """
    counts, colour = summary.Summary(), console.has_colour()

    def tell(found: finding.Finding) -> None:
        console.put(report.in_text(found, colour=colour), "coloured" if colour else "text")
        console.flush()

    try:
        if path.exists() and not path.is_file():  # a FIFO would be waited for, /dev/zero read for ever
            raise errors.InputError(str(path), "is not a file; expected a recording")
        file = open(path, "rb")  # noqa: SIM115
    except OSError as error:
        raise errors.InputError(str(path), f"cannot be read: {error.strerror}") from None
    with file:
        lines = _Growing(file, None if findings_only else _Shown())
        judge = protocol.Protocol.read(schema or pipeline.default_schema(), extend)
        transcripts.read_transcript(lines, str(path), judge, counts, tell, lambda _: None)
    console.say(counts.text().splitlines()[-1].strip())
    console.flush()
    return 1 if counts.failed(finding.Level.error) else 0


class _Growing:
    """The lines of a growing file, until its writer ends. Each is shown before it is validated."""

    def __init__(self, file: IO[bytes], shown: _Shown | None) -> None:
        self._file, self._shown = file, shown

    def readline(self, size: int, /) -> bytes:
        """The next line, or up to `size` bytes of it."""
        begun = b""
        while True:
            held = held_by_its_writer(self._file.fileno())
            begun += self._file.readline(size - len(begun))
            if begun.endswith(b"\n") or len(begun) >= size or not held:
                if self._shown is not None and begun:
                    console.say(self._shown.text(begun))
                    console.flush()
                return begun
            time.sleep(_PAUSE)


class _Shown:
    """Describe a frame in one line: time, direction, content, and the time until the response."""

    def __init__(self) -> None:
        self._asked: dict[tuple[str, str], tuple[str, float]] = {}

    def text(self, line: bytes) -> str:
        """Describe a line of the transcript."""
        try:
            read: Any = json.loads(line)
            seconds, direction = float(read["t"]), str(read["dir"])
            message = read["msg"] if "msg" in read else read["raw"]
            arrow = "->" if direction.startswith("client") else "<-"
            return f"{seconds:10.3f} {arrow} {self._what(seconds, direction, message)}"
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return f"not a line of a transcript: {escape.line(line.decode(errors='replace'), 60)}"

    def _what(self, seconds: float, direction: str, message: Any) -> str:
        if not json_types.is_json_object(message):
            return f"not a message: {escape.quoted(message)}"
        method, id_ = message.get("method"), json.dumps(message.get("id"))
        if method is not None:
            detail = ""
            params = message.get("params")
            if json_types.is_json_object(params) and json_types.is_json_object(update := params.get("update")):
                detail = f" {escape.line(str(update.get('sessionUpdate')))}"
            if "id" not in message:
                return f"{escape.line(str(method))}{detail}"
            if len(self._asked) < 10_000:
                self._asked[direction, id_] = (str(method), seconds)
            return f"{escape.line(str(method))}{detail} #{escape.line(id_)}"
        other = "-to-".join(reversed(direction.split("-to-")))
        asked, since = self._asked.pop((other, id_), ("", seconds))
        took = 1000 * (seconds - since)
        tail = f" after {took:,.0f} ms" if took >= _SLOW else ""
        error = message.get("error")
        if json_types.is_json_object(error):
            return f"{escape.line(asked)} #{escape.line(id_)}: error {escape.line(str(error.get('code')))}: {escape.line(str(error.get('message')))}{tail}"
        return f"{escape.line(asked)} #{escape.line(id_)}: answered{tail}"
