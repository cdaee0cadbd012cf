"""The sessions of a connection: known, closed and busy ones, and the notification that interrupts their work.

An interrupted request must have the corresponding result. Messages of both directions may cross: a response recorded
after the notification may have been sent before the peer read it. Each direction keeps its order. If the peer has
answered a request that was sent after the notification, it has also read the notification.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...contracts import Sessions as Table
from ...document.json_types import is_json_array, is_json_object
from ...errors import quoted
from ...findings.finding import Level
from ...model.algebra.intersect import same
from ...model.nodes.types import Method, Schema
from ..values.notes import Note, remember, shown
from .pagination import WINDOWS

_OVER = {"closed": "was closed", "ended": "has ended"}
"""Reasons why a session accepts no more messages."""


class Sessions:
    """Tracks sessions by name. At most `limit` names are remembered."""

    def __init__(self, schema: Schema, limit: int) -> None:
        self._property = schema.ordering
        self._table = schema.sessions or Table(open=(), close=())
        self._limit = limit
        self._lists = frozenset(schema.lists or {})
        absolute = frozenset(self._table.absolute)
        self._paths = dict.fromkeys(self._table.open, absolute)
        self._paths |= {path: absolute & listing.equal.keys() for path, listing in (schema.lists or {}).items()}
        self._fresh = frozenset(self._table.open) - {*self._table.load, *self._table.resume}
        self._openers = {method.side for method in schema.methods if method.path in self._table.open}
        self._closers = frozenset(self._table.close) - frozenset(self._table.delete)
        self.exclusive = frozenset(self._table.exclusive)
        self.clear()

    def clear(self) -> None:
        """Reset for a new connection."""
        self._state: dict[str, str] = {}
        self._busy: set[tuple[str, str | None]] = set()
        self._opening: dict[str | None, int] = {}
        self._forgot = False

    def is_open(self, name: Any) -> bool:
        """Return whether a session is open."""
        return isinstance(name, str) and self._state.get(name) == "open"

    def opens(self, path: str) -> bool:
        """Return whether a request opens a session."""
        return path in self._table.open

    def matters(self, path: str) -> bool:
        """Return whether the response to a request changes the state of sessions."""
        return path in self.exclusive or path in self._table.open or path in self._table.close

    def closes(self, path: str) -> bool:
        """Return whether a request closes a session."""
        return path in self._closers

    def relative(self, path: str, params: Any) -> Iterator[Note]:
        """Relative paths in a request that must be absolute."""
        for name in sorted(self._paths.get(path, ())) if is_json_object(params) else ():
            value = params.get(name)
            places = (
                [((name, at), each) for at, each in enumerate(value)] if is_json_array(value) else [((name,), value)]
            )
            for place, text in places:
                if isinstance(text, str) and not (text.startswith("/") or WINDOWS.match(text)):
                    where = ("params", *place)
                    words = f"{shown(where)}: {quoted(text)} is not an absolute path"
                    yield Note("path-relative", words, where, "an absolute path", quoted(text))

    def opened(self, path: str, original: str | None, result: Any) -> Iterator[Note]:
        """Problems with the result of a request that opens a session from another."""
        if path in self._fresh and original is not None and self._top(result) == original:
            place = ("result", self._property or "")
            text = f"{shown(place)}: {quoted(original)} is the id of the session in the request"
            yield Note("session-not-new", text, place, "another id", quoted(original))

    def rejected(self, path: str, error: Any) -> Iterator[Note]:
        """Problems with an error."""
        if path in self._table.delete and is_json_object(error) and error.get("code") == self._table.error_code:
            text = f"$.error: {quoted(path)} of a nonexistent session was rejected"
            yield Note("deletion-rejected", text, ("error", "code"), "a result", quoted(error["code"]))

    def named(self, row: Method, params: Any, names: Sequence[Any], *, whole: bool) -> Iterator[Note]:
        """Problems with a message that names a session. Only a request that opens sessions may introduce a name.

        `whole`: the record begins with the connection.
        """
        top = self._top(params)
        if len(names) > (top is not None):
            self._announce(names, top)
        if top is None or not self._openers:
            return
        if self.opens(row.path):
            self._know(top, "open")
            return
        state = self._state.get(top)
        if row.side in self._openers and row.path not in self.exclusive:
            return  # a client may know sessions from an earlier time
        path = ("params", self._property or "")
        if state is None:
            self._know(top, "told")
            # Whoever opens one may speak of it before the answer has named it.
            if not self._forgot and not self._opening:
                text = f"{shown(path)}: no earlier message names the session {quoted(top)}"
                yield Note("session-unknown", text, path, found=quoted(top))
        elif state == "listed" and row.path in self.exclusive and whole and not self._opening:
            self._know(top, "told")
            text = f"{shown(path)}: the session {quoted(top)} was listed, but not opened on this connection"
            yield Note("session-unopened", text, path, found=quoted(top))
        elif state == "ended" or (state in _OVER and row.path not in self._table.end):
            text = f"{shown(path)}: the session {quoted(top)} {_OVER[state]}"
            yield Note("session-closed", text, path, found=quoted(top))
        if row.path in self._table.end:
            self._know(top, "ended")

    def announced(self, params: Any, names: Sequence[Any]) -> None:
        """Record a message that may name further sessions."""
        if names:
            self._announce(names, self._top(params))

    def of(self, params: Any) -> str | None:
        """The session of a message."""
        return self._top(params)

    def take(self, path: str, session: str | None) -> bool:
        """Mark a session as busy. Returns whether it was free."""
        if path in self._table.open:
            self._opening[session] = self._opening.get(session, 0) + 1
        if session is None or path not in self.exclusive:
            return True
        free = (path, session) not in self._busy
        self._busy.add((path, session))
        return free

    def settled(self, path: str, session: str | None, names: Sequence[Any], *, failed: bool) -> None:
        """Record the end of a request. `names`: the sessions in its result."""
        if path in self._table.open and session in self._opening:
            self._opening[session] -= 1
            if not self._opening[session]:
                del self._opening[session]
        if path in self.exclusive:
            self._busy.discard((path, session))
        if failed:
            return
        for name in names:
            if isinstance(name, str) and (path in self._table.open or name not in self._state):
                self._know(name, "listed" if path in self._lists else "open")
        if path in self._closers and session is not None and session not in self._opening:
            self._know(session, "closed")

    def _top(self, params: Any) -> str | None:
        name = params.get(self._property) if is_json_object(params) and self._property else None
        return name if isinstance(name, str) else None

    def _announce(self, names: Sequence[Any], top: Any) -> None:
        for name in names:
            if isinstance(name, str) and name != top and name not in self._state:
                self._know(name, "open")

    def _know(self, name: str, state: str) -> None:
        self._forgot |= remember(self._state, name, state, self._limit)


Stream = str | None
"""A direction; None if unknown."""


class Interrupts:
    """Tracks interrupting notifications. At most `limit` sessions are remembered."""

    def __init__(self, schema: Schema, limit: int) -> None:
        self._table = schema.interrupt
        self._limit = limit
        self.count = 0
        """Number of notifications so far. A request stores the number at its start."""
        self._last: dict[tuple[Stream, str], tuple[int, str]] = {}
        self._read: dict[Stream, int] = {}

    def notification(self, row: Method, direction: Stream, session: str | None) -> None:
        """Process a notification."""
        if self._table is None or row.path != self._table.method or session is None:
            return
        self._ended(direction, session, row.path)

    def closed(self, direction: Stream, session: str | None, path: str) -> None:
        """Record a successful close request, which ends the session's running work."""
        if session is not None:
            self._ended(direction, session, path)
            self._read[direction] = self.count

    def _ended(self, direction: Stream, session: str, path: str) -> None:
        self.count += 1
        remember(self._last, (direction, session), (self.count, path), self._limit)

    def answered(self, direction: Stream, began: int) -> None:
        """Record the response to a request sent after `began` notifications, which shows that those were read."""
        self._read[direction] = max(began, self._read.get(direction, 0))

    def result(self, row: Method, direction: Stream, session: str | None, began: int, result: Any) -> Iterator[Note]:
        """Problems with the valid result of a request that may have been interrupted."""
        if self._table is None or session is None or not is_json_object(result):
            return
        ended, by = self._last.get((direction, session), (0, ""))
        if ended <= began:
            return
        ceiling = Level.error if self._read.get(direction, 0) >= ended else Level.warning
        for name, value in self._table.requests.get(row.path, {}).items():
            if name not in result or not same(result[name], value):
                path = ("result", name) if name in result else ("result",)
                found = quoted(result[name]) if name in result else f"no {quoted(name)}"
                text = f"{shown(('result', name))}: expected {quoted(value)} after {quoted(by)}, found {found}"
                yield Note("interrupt-ignored", text, path, quoted(value), found, ceiling=ceiling)
