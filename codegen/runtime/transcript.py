"""A connection's frames, written down: one JSON line for each, in the order in which they were sent and received.

    {"t": 0.001204, "dir": "<side>-to-<side>", "msg": <the frame>}
    {"t": 0.001391, "dir": "<side>-to-<side>", "raw": "<a frame that is not valid JSON>"}

``t`` counts seconds from the first line. A frame is there as it went over the wire, except that an escaped lone
surrogate is written as U+FFFD.
"""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from .codec import repair_surrogates

__all__ = ["Transcript"]


class Transcript:
    """A frame hook that writes to a file: ``on_frame=Transcript("session.jsonl")``.

    Takes a path, whose file is replaced, or a binary file, which stays open. Every line is flushed: what a crashed
    program left is whole.
    """

    def __init__(self, target: str | Path | IO[bytes]) -> None:
        self._owned = isinstance(target, str | Path)
        self._file = open(target, "wb") if isinstance(target, str | Path) else target  # noqa: SIM115
        self._start: float | None = None

    def __call__(self, direction: str, frame: bytes) -> None:
        now = time.monotonic()
        self._start = now if self._start is None else self._start
        name, value = _content(frame)
        where = msgspec.json.encode(direction)
        self._file.write(b'{"t":%.6f,"dir":%b,"%b":%b}\n' % (now - self._start, where, name, value))
        self._file.flush()

    def close(self) -> None:
        """Close the file, if this transcript opened it."""
        if self._owned:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _content(frame: bytes) -> tuple[bytes, bytes]:
    """The property that a frame goes into, and its JSON there."""
    whole = repair_surrogates(frame)
    try:
        msgspec.json.decode(whole)
    except msgspec.ValidationError:
        pass  # JSON with a number that Python has no room for
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return b"raw", msgspec.json.encode(frame.decode(errors="replace"))
    return b"msg", whole
