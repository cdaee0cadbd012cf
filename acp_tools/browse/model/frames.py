"""The frames of a connection in order, with their kinds and partners (requests and responses).

Invariants: every frame is included, and nothing is raised. Memory is bounded: beyond FRAMES frames or BYTES bytes,
the oldest are dropped. `read` builds the same data from a recorded transcript.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

import acp_generated as acp

from ..errors import Trouble, trouble_with
from ..json_types import members

FRAMES = 50_000
BYTES = 256 * 1024 * 1024
CLIENT_TO_AGENT, AGENT_TO_CLIENT = "client-to-agent", "agent-to-client"

Kind = Literal["request", "notification", "answer", "refusal", "junk"]
Hear = Callable[["Frame", Any], object]
"""A function that gets every frame with its value as plain JSON."""


@dataclass(eq=False)
class Frame:
    """One frame. A response has the `method` of its request, its `partner`; empty if there is none."""

    number: int
    """Its number, from 1."""
    at: float
    """Seconds since the first frame."""
    direction: str
    data: bytes
    kind: Kind = "junk"
    method: str = ""
    id: Any = None
    session_id: str = ""
    tag: str = ""
    """The kind of update that a notification carries."""
    partner: Frame | None = field(default=None, repr=False)
    findings: list[Any] = field(default_factory=list[Any])
    """The findings of `validate` about the frame."""

    @property
    def from_agent(self) -> bool:
        """True if the agent sent it."""
        return self.direction == AGENT_TO_CLIENT

    @property
    def is_answer(self) -> bool:
        """True for a response, with a result or an error."""
        return self.kind in ("answer", "refusal")

    @property
    def subject(self) -> str:
        """The name by which a breakpoint matches it: `METHOD`, `METHOD UPDATE` or `answer METHOD`."""
        return f"answer {self.method}" if self.is_answer else f"{self.method} {self.tag}".strip()

    @property
    def label(self) -> str:
        """A label of one or two words for the frame."""
        if self.is_answer:
            return f"{self.method or '(no request)'} {'✓' if self.kind == 'answer' else '✗'}"
        if self.kind == "junk":
            return "(no message)"
        return f"{self.method} · {self.tag}" if self.tag else self.method

    def shown(self) -> str:
        """The frame for display: indented JSON, or the raw text if it is not JSON."""
        try:
            return msgspec.json.format(self.data, indent=2).decode(errors="replace")
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return self.data.decode(errors="replace")


class Tape:
    """The frames of an agent's connection, including reconnections."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.hears: list[Hear] = []
        self.before_dropping: Callable[[], object] = lambda: None
        self.dropped = 0
        """Number of dropped frames at the beginning."""
        self._start: float | None = None
        self._bytes = 0
        self._open: dict[tuple[str, bool, Any], Frame] = {}

    def __call__(self, direction: str, data: bytes) -> None:
        """Add a frame, as the frame hook of a connection."""
        now = time.monotonic()
        self._start = now if self._start is None else self._start
        self.add(direction, bytes(data), now - self._start)

    def add(self, direction: str, data: bytes, at: float) -> Frame:
        """Add a frame. `at`: seconds since the first frame."""
        frame = Frame(self.dropped + len(self.frames) + 1, at, direction, data)
        value = self._understand(frame)
        self.frames.append(frame)
        self._bytes += len(data)
        if len(self.frames) > FRAMES or self._bytes > BYTES:
            self._drop()
        for hear in self.hears:
            hear(frame, value)
        return frame

    def identify(self, direction: str, data: bytes) -> Frame:
        """Parse an unsent frame without adding it."""
        frame = Frame(0, 0.0, direction, data)
        self._understand(frame, peek=True)
        return frame

    def anew(self) -> None:
        """Begin another connection: earlier requests get no more responses."""
        self._open.clear()

    def find(self, number: int) -> Frame | None:
        """The frame with a number, if it was not dropped."""
        at = number - self.dropped - 1
        return self.frames[at] if 0 <= at < len(self.frames) else None

    def _drop(self) -> None:
        self.before_dropping()
        leaving = max(len(self.frames) // 5, 1)
        self._bytes -= sum(len(frame.data) for frame in self.frames[:leaving])
        del self.frames[:leaving]
        self.dropped += leaving

    def _understand(self, frame: Frame, peek: bool = False) -> Any:
        try:
            value: Any = msgspec.json.decode(frame.data)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        value = members(value)
        method, id_ = value.get("method"), value.get("id")
        key = isinstance(id_, str), id_ if isinstance(id_, str | int | float) else None
        if isinstance(method, str):
            frame.kind, frame.method, frame.id = "request" if "id" in value else "notification", method, id_
            frame.direction = frame.direction or _direction_of(method)
            frame.session_id, frame.tag = _subject(value.get("params"))
            if frame.kind == "request" and not peek:
                self._open[frame.direction, *key] = frame
        elif "result" in value or "error" in value:
            frame.kind, frame.id = "refusal" if value.get("error") is not None else "answer", id_
            asked = self._asked(frame, key, peek)
            if asked is not None:
                if not peek:
                    asked.partner, frame.partner = frame, asked
                frame.method, frame.session_id = asked.method, asked.session_id
                if not frame.session_id:
                    frame.session_id = _subject(value.get("result"))[0]
        return value

    def _asked(self, frame: Frame, key: tuple[bool, Any], peek: bool) -> Frame | None:
        both = (CLIENT_TO_AGENT, AGENT_TO_CLIENT)
        for direction in [other for other in both if other != frame.direction]:
            find = self._open.get if peek else self._open.pop
            if (asked := find((direction, *key), None)) is not None:
                frame.direction = frame.direction or next(other for other in both if other != direction)
                return asked
        return None


def _subject(params: Any) -> tuple[str, str]:
    """The session in params, and the tag of their update."""
    session_id, tag = members(params).get("sessionId"), members(members(params).get("update")).get("sessionUpdate")
    return session_id if isinstance(session_id, str) else "", tag if isinstance(tag, str) else ""


def _direction_of(method: str) -> str:
    """The receiver of a method; the agent if no table lists the method."""
    known = any(row.method == method for row in acp.methods.CLIENT_METHODS.values())
    return AGENT_TO_CLIENT if known else CLIENT_TO_AGENT


class _Line(msgspec.Struct):
    """A line of a transcript."""

    t: float = 0.0
    dir: str = ""
    msg: msgspec.Raw = msgspec.Raw()
    raw: str | None = None


def read(path: str | Path, tape: Tape) -> None:
    """Load a recorded transcript, or a file with one message per line. Raises Trouble."""
    before = len(tape.frames)
    try:
        with open(path, "rb") as file:
            for line in file:
                if line.strip():
                    _read_line(line.strip(), tape)
    except OSError as error:
        raise trouble_with(str(path), error) from error
    if not any(frame.kind != "junk" for frame in tape.frames[before:]):
        raise Trouble(f"{path}: contains no message; expected one JSON object per line")


def _read_line(line: bytes, tape: Tape) -> None:
    try:
        known = msgspec.json.decode(line, type=_Line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        tape.add("", line, 0.0)
        return
    whole = bytes(known.msg) if known.raw is None else known.raw.encode(errors="replace")
    tape.add(known.dir, whole or line, known.t)
