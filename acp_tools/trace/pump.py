"""Copies bytes from one descriptor to another, unchanged and immediately, and reports their frames.

Invariant: the pump waits only for its two pipes. It reports frames before it passes the bytes on, so that a request
is reported before its response. The receiver of these reports must not wait and must not raise.
"""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Callable
from threading import Thread

_PIECE = 1 << 16


class Pump(Thread):
    """Copies bytes until the source ends, then closes both ends. ``tell`` gets each piece, and none at the end."""

    def __init__(self, source: int, sink: int, tell: Callable[[bytes], None]) -> None:
        super().__init__(daemon=True)
        self._source, self._sink, self._tell = source, sink, tell
        self.moved = 0
        """Number of bytes copied so far."""
        self.offering = False
        """True if it is about to read, or holds bytes that the sink has not taken yet."""

    def run(self) -> None:
        """Copy bytes until one end closes, then close the other."""
        try:
            while piece := self._read():
                self._tell(piece)
                self._write(piece)
                self.moved += len(piece)
                self.offering = False
        except OSError:
            pass  # nobody reads any more, or the terminal is gone: both ends close
        finally:
            self.offering = False
            self._tell(b"")
            for end in (self._sink, self._source):
                with contextlib.suppress(OSError):
                    os.close(end)

    def behind(self) -> bool:
        """Return whether bytes wait at the source or the sink. On a busy machine, the thread may be delayed."""
        if self.offering:
            return True
        try:
            return bool(select.select([self._source], [], [], 0)[0]) or self.offering
        except (OSError, ValueError):  # it has closed both ends
            return False

    def _read(self) -> bytes:
        while True:
            select.select([self._source], [], [])
            self.offering = True  # before they are read: bytes are at the source, or offered
            try:
                return os.read(self._source, _PIECE)
            except BlockingIOError:  # whoever started us shares this pipe, and was faster
                self.offering = False

    def _write(self, piece: bytes) -> None:
        left = memoryview(piece)
        while left:
            try:
                left = left[os.write(self._sink, left) :]
            except BlockingIOError:
                select.select([], [self._sink], [])
