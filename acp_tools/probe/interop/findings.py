"""Findings of the probe with the frames that show them, copied from the record of the run."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from ..codegen_api import line
from ..context import Settings
from ..frame_log import Frame
from ..isolation.home import Home
from ..isolation.network import Network
from ..isolation.shutdown import finished
from ..peer import Command
from ..results import Status
from ..runner import examine

MOST_OF_A_CONNECTION = 24_000
"""Maximum bytes of a connection. Above it, the longest frames that no finding quotes are omitted."""
MOST_OF_A_FRAME = 6_000
_BEGINNING = 2
"""Number of first frames that are always kept: the handshake."""


class Failed(Struct):
    """A violated requirement: a description, and the transcript lines that show it."""

    id: str
    level: str
    statement: str
    source: str
    text: str
    lines: list[int] = field(default_factory=list[int])


class Found(Struct):
    """The results of a run."""

    failed: list[Failed]
    counts: dict[str, int]
    information: dict[str, str]
    info: str = ""
    locked: str = ""
    network: str = ""


def found(command: list[str], home: Home, prompts: tuple[str, ...], reads: Sequence[Path] = ()) -> tuple[Found, bytes]:
    """Probe an agent. Returns the violations, and a transcript of the connections that show them."""
    record, network = io.BytesIO(), Network(reads=reads)
    launcher = Command(command, home, network)
    outcome = finished(examine(launcher, Settings(count=2, bound=240.0, prompts=prompts), record=record))
    broken = outcome.sheet.of(Status.FAIL)
    quoted = {frame.number for result in broken for frame in result.findings[0].frames}
    text, places = cut(record.getvalue(), outcome.log.frames, quoted)
    rows = [
        Failed(
            result.requirement.id,
            result.requirement.level.name,
            result.requirement.text,
            result.requirement.source,
            line(result.findings[0].text.replace(str(home.root), "/probe"), 160),
            [places[frame.number] for frame in result.findings[0].frames if frame.number in places],
        )
        for result in broken
    ]
    facts = outcome.facts
    told = " ".join(str(facts.info[key]) for key in ("name", "version") if facts.info.get(key))
    counts = {status.value: len(outcome.sheet.of(status)) for status in Status}
    locked = facts.locked or facts.silent
    return Found(rows, counts, outcome.sheet.notices, line(told, 80), line(locked, 200), network.text), text


def cut(record: bytes, frames: Sequence[Frame], quoted: set[int]) -> tuple[bytes, dict[int, int]]:
    """Cut a record to the connections with quoted frames. Returns the transcript lines and the line of each frame.

    The lines of `record` are all frames, in their order.
    """
    lines = dict(enumerate(record.split(b"\n")[:-1], 1))
    connections: dict[int, list[int]] = {}
    for frame in frames:
        connections.setdefault(frame.connection, []).append(frame.number)
    kept: list[bytes] = []
    places: dict[int, int] = {}
    for numbers in connections.values():
        shown = [number for number in numbers if number in quoted]
        if shown:
            for number in _fitting(numbers[: numbers.index(shown[-1]) + 1], lines, set(shown)):
                kept.append(_short(lines[number]))
                places[number] = len(kept)
    return b"".join(row + b"\n" for row in kept), places


def _fitting(numbers: list[int], lines: dict[int, bytes], quoted: set[int]) -> Iterator[int]:
    """The frames that fit. The longest are omitted first."""
    always = quoted | set(numbers[:_BEGINNING])
    size = sum(min(len(lines[number]), MOST_OF_A_FRAME) for number in numbers)
    gone: set[int] = set()
    for number in sorted(set(numbers) - always, key=lambda number: len(lines[number]), reverse=True):
        if size <= MOST_OF_A_CONNECTION:
            break
        gone.add(number)
        size -= min(len(lines[number]), MOST_OF_A_FRAME)
    return (number for number in numbers if number not in gone)


def _short(row: bytes) -> bytes:
    """A transcript line. If it is too long, it contains the beginning of its frame as invalid JSON."""
    if len(row) <= MOST_OF_A_FRAME:
        return row
    head, name, rest = row.partition(b',"msg":')
    if not name:
        head, _, rest = row.partition(b',"raw":')
    text = rest[:500].decode("utf-8", "replace")
    return head + b',"raw":' + json.dumps(f"{text} ... (cut: {len(rest):,} bytes)").encode() + b"}"
