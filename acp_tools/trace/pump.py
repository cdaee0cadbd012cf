"""Bytes from one descriptor into another, unchanged and at once, and on the way the frames that they were.

The law: the pump waits for nobody but its two pipes. What it tells about frames is told before the bytes go on, so that a
request is told of before its answer; whoever is told may not wait and may not raise.
"""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Callable
from threading import Thread

__all__ = ["Pump"]

_PIECE = 1 << 16


class Pump(Thread):
    """Moves bytes until there are no more, then closes both ends. ``tell`` gets each piece, and none at the end."""

    def __init__(self, source: int, sink: int, tell: Callable[[bytes], None]) -> None:
        super().__init__(daemon=True)
        self._source, self._sink, self._tell = source, sink, tell
        self.moved = 0
        """Bytes, so far."""
        self.offering = False
        """Whether it has bytes that the sink has not taken yet."""

    def run(self) -> None:
        """Move, until one end closes: then the other learns of it, as it would without us."""
        try:
            while piece := self._read():
                self._tell(piece)
                self.offering = True
                self._write(piece)
                self.offering = False
                self.moved += len(piece)
        except OSError:
            pass  # nobody reads any more, or the terminal is gone: both ends close
        finally:
            self.offering = False
            self._tell(b"")
            for end in (self._sink, self._source):
                with contextlib.suppress(OSError):
                    os.close(end)

    def _read(self) -> bytes:
        while True:
            try:
                return os.read(self._source, _PIECE)
            except BlockingIOError:  # whoever started us does not want to wait at this pipe, and we share it
                select.select([self._source], [], [])

    def _write(self, piece: bytes) -> None:
        left = memoryview(piece)
        while left:
            try:
                left = left[os.write(self._sink, left) :]
            except BlockingIOError:
                select.select([], [self._sink], [])
