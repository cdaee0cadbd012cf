"""The numbered frames of a run, with direction and time. The log is bounded, and can also write to a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

from msgspec import Struct

import acp_generated as acp

MOST = 50_000
"""Maximum number of frames that are kept. Further ones are only counted."""
KEPT = 4_000
"""Bytes of a frame that are kept for the report."""

TO_AGENT, TO_CLIENT = "client-to-agent", "agent-to-client"


class Frame(Struct, frozen=True):
    """One frame; `t`: seconds since its connection began."""

    number: int
    connection: int
    t: float
    direction: str
    data: bytes

    @property
    def text(self) -> str:
        """The kept part of the text."""
        return self.data.decode("utf-8", "surrogateescape")


class Log:
    """The frames of all connections of a run."""

    def __init__(self, clock: Callable[[], float], record: IO[bytes] | None = None) -> None:
        self._clock, self._record = clock, record
        self._write: acp.Transcript | None = None
        self._copy: acp.Transcript | None = None
        self._start = 0.0
        self.lost = ""
        """The reason of an early end of the record; empty if it is complete."""
        self.frames: list[Frame] = []
        self.count = self.connections = 0

    def copy(self, file: IO[bytes] | None) -> None:
        """Also write all following frames to a file, until the next call."""
        self._copy = None if file is None else acp.Transcript(file)

    def connect(self) -> None:
        """Begin another connection. Its times restart at 0, which tells `validate` that the connection is new."""
        self.connections += 1
        self._start = self._clock()
        self._write = None if self._record is None else acp.Transcript(self._record)

    def add(self, direction: str, data: bytes) -> Frame:
        """Add a sent or received frame."""
        self.count += 1
        frame = Frame(self.count, self.connections, self._clock() - self._start, direction, data[:KEPT])
        if len(self.frames) < MOST:
            self.frames.append(frame)
        if self._copy is not None:
            self._copy(direction, data)
        if self._write is not None and not self.lost:
            try:
                self._write(direction, data)
            except OSError as error:
                self.lost = error.strerror or str(error)
        return frame
