"""The log: the agent's standard error, warnings of the connection, and failures. It keeps the last lines, safe to show."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Self

import acp_generated as acp

from ..sanitize import one_line

__all__ = ["Log"]

LINES = 500
_LONGEST = 64 * 1024
_PACKAGE = acp.connection.Connection.__module__.partition("._runtime")[0]
"""The package that has the runtime, and so the name of the connection's log."""


class Log(logging.Handler):
    """A hook for an agent's stderr, and the handler of the connection's log, which must not write over the screen."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        super().__init__(logging.WARNING)
        self.lines: deque[str] = deque(maxlen=LINES)
        self._changed = changed
        self._rest = b""

    def feed(self, piece: bytes) -> None:
        """Take in a piece of stderr."""
        *lines, rest = (self._rest + piece).split(b"\n")
        self._rest = rest[-_LONGEST:]
        for line in lines[-LINES:]:
            self.add(line.decode(errors="replace"))

    def emit(self, record: logging.LogRecord) -> None:
        """Take in a line of the connection's log."""
        self.add(f"connection: {record.getMessage()}")

    def add(self, line: str) -> None:
        """Add a line."""
        if shown := one_line(line):
            self.lines.append(shown)
            self._changed()

    def tail(self, count: int) -> list[str]:
        """The last lines, a last one without a line feed among them."""
        lines = [*self.lines]
        if unfinished := one_line(self._rest.decode(errors="replace")):
            lines.append(unfinished)
        return lines[-count:]

    def __enter__(self) -> Self:
        logging.getLogger(_PACKAGE).addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger(_PACKAGE).removeHandler(self)
