"""The command `validate`, step by step. No argument parsing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import printable
from ..findings.finding import Finding
from .results.summary import Summary
from .sources.files import STDIN, expanded, read_file
from .values.schema import Protocol

Say = Callable[[str], None]
_EVERY = 0.2


def validate(
    files: Sequence[Path],
    schema: Path,
    *,
    extend: Sequence[Path] = (),
    lenient: bool = False,
    emit: Callable[[Finding], None],
    progress: Say,
    brief: bool = False,
) -> Summary:
    """Read files, pass their findings to `emit` immediately, and return the counts. Raises CodegenError.

    `brief`: pass on only the first of similar findings and count the others.
    """
    paths = expanded(files)
    protocol = Protocol.read(schema, extend, tolerant=lenient)
    summary = Summary()

    def show(finding: Finding) -> None:
        if not (brief and summary.crowded(finding)):
            emit(finding)

    for path in paths:
        read_file(path, protocol, summary, show, _Progress(path, progress))
    return summary


class _Progress:
    """Reports the progress of reading a long file five times a second."""

    def __init__(self, path: Path, say: Say) -> None:
        self._say, self._name = say, printable(str(path))
        self._size = 0 if str(path) == STDIN else os.stat(path).st_size
        self._next = time.monotonic() + 1

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _EVERY
        share = f"{100 * done // self._size}% of {self._size / 1e6:,.0f} MB" if self._size else f"{done / 1e6:,.0f} MB"
        self._say(f"{self._name}: {share}")
