"""The notification that ends what a session does, and whether the requests that it ends have the result that says so.

Two streams cross on the way: an answer recorded after the notification may have been sent before the peer read it. Each stream
keeps its order, so a peer that answered a request sent after the notification had read the notification, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..document.jsonvalue import is_json_object
from ..errors import quoted
from ..findings.finding import Level
from ..model.combine import same
from ..model.types import Method, Schema
from .notes import Note, shown

Stream = str | None
"""A direction, None where it is not known."""


class Interrupts:
    """Follows these notifications; of `limit` sessions the oldest are forgotten."""

    def __init__(self, schema: Schema, limit: int) -> None:
        self._table = schema.interrupt
        self._limit = limit
        self.count = 0
        """How many have come; a request keeps the number that it began with."""
        self._last: dict[tuple[Stream, str], int] = {}
        self._read: dict[Stream, int] = {}

    def notification(self, row: Method, direction: Stream, session: str | None) -> None:
        """A notification was sent, this one or another."""
        if self._table is None or row.path != self._table.method or session is None:
            return
        self.count += 1
        self._last.pop((direction, session), None)
        self._last[direction, session] = self.count
        if len(self._last) > self._limit:
            del self._last[next(iter(self._last))]

    def answered(self, direction: Stream, began: int) -> None:
        """A request was answered that was sent in a direction when `began` notifications had come: those were read."""
        self._read[direction] = max(began, self._read.get(direction, 0))

    def result(self, row: Method, direction: Stream, session: str | None, began: int, result: Any) -> Iterator[Note]:
        """What is wrong with the valid result of a request that may have been ended."""
        if self._table is None or session is None or not is_json_object(result):
            return
        ended = self._last.get((direction, session), 0)
        if ended <= began:
            return
        ceiling = Level.error if self._read.get(direction, 0) >= ended else Level.warning
        for name, value in self._table.requests.get(row.path, {}).items():
            if name not in result or not same(result[name], value):
                path = ("result", name) if name in result else ("result",)
                found = quoted(result[name]) if name in result else f"no {quoted(name)}"
                text = f"{shown(('result', name))}: expected {quoted(value)} after {quoted(self._table.method)}, found {found}"
                yield Note(
                    rule="interrupt-ignored",
                    text=text,
                    path=path,
                    expected=quoted(value),
                    found=found,
                    ceiling=ceiling,
                )
