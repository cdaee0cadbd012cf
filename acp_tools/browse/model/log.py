"""The log: the last lines of the agent's standard error, connection warnings and failures, safe for display."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Self

import acp_generated as acp

from ..sanitize import one_line

LINES = 500
_LONGEST = 64 * 1024
_PACKAGE = acp.connection.Connection.__module__.partition("._runtime")[0]
"""The name of the runtime's package, and so of the connection's logger."""


class Log(logging.Handler):
    """A stderr hook and log handler. It prevents both from writing over the screen."""

    def __init__(self, changed: Callable[[], object] = lambda: None) -> None:
        super().__init__(logging.WARNING)
        self.lines: deque[str] = deque(maxlen=LINES)
        self._changed = changed
        self._rest = b""

    def feed(self, piece: bytes) -> None:
        """Add a piece of stderr."""
        *lines, rest = (self._rest + piece).split(b"\n")
        self._rest = rest[-_LONGEST:]
        for line in lines[-LINES:]:
            self.add(line.decode(errors="replace"))

    def emit(self, record: logging.LogRecord) -> None:
        """Add a record of the connection's log."""
        self.add(f"connection: {record.getMessage()}")

    def add(self, line: str) -> None:
        """Add a line."""
        if shown := one_line(line):
            self.lines.append(shown)
            self._changed()

    def tail(self, count: int) -> list[str]:
        """The last lines, including an incomplete one."""
        lines = [*self.lines]
        if unfinished := one_line(self._rest.decode(errors="replace")):
            lines.append(unfinished)
        return lines[-count:]

    def __enter__(self) -> Self:
        logging.getLogger(_PACKAGE).addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger(_PACKAGE).removeHandler(self)
