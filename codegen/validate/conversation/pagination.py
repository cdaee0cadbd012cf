"""Lists across messages: issued cursors, active filters, and deleted sessions.

`x-lists` names the properties. Requests are compared with earlier messages only if the record begins with the
connection.
"""

from __future__ import annotations

import json
import ntpath
import posixpath
import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from ...document.json_types import is_json_array, is_json_object
from ...errors import quoted
from ...model.nodes.root import Listing
from ...model.nodes.types import Schema
from ..values.notes import Note, remember, shown

_FREE = "_"
"""The prefix of properties for implementations, which filter nothing."""
WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")


class Asked(Struct, frozen=True):
    """A request for a page: its list, its filter, and the number of deletions confirmed before it."""

    listing: Listing
    filters: Mapping[str, Any]
    deletions: int
    pages: dict[str, int]
    """The entries of earlier pages, with their page numbers."""
    number: int = 0


class Lists:
    """Tracks the lists of a connection. At most `limit` cursors and deleted sessions are remembered."""

    def __init__(self, schema: Schema, limit: int) -> None:
        self._lists = schema.lists or {}
        self._session = schema.ordering or ""
        sessions = schema.sessions
        self._deletes = frozenset(sessions.delete if sessions is not None else ())
        self._openers = frozenset((*sessions.load, *sessions.resume) if sessions is not None else ())
        self._limit = limit
        self.clear()

    def clear(self) -> None:
        """Reset for a new connection."""
        self._given: dict[tuple[str, str], tuple[str, dict[str, int], int]] = {}
        self._deleted: dict[str, int] = {}
        self._deletions = 0
        self._forgot = False

    def asked(self, path: str, params: Any) -> Asked | None:
        """The page that a request asks for; None for other requests."""
        listing = self._lists.get(path)
        if listing is None or not is_json_object(params):
            return None
        filters = {
            name: value
            for name, value in params.items()
            if name != listing.cursor and value is not None and not name.startswith(_FREE)
        }
        cursor = params.get(listing.cursor)
        start: tuple[str, dict[str, int], int] = ("", {}, 0)
        _, pages, number = self._given.get((path, cursor), start) if isinstance(cursor, str) else start
        return Asked(listing, filters, self._deletions, pages, number)

    def request(self, path: str, params: Any, *, whole: bool) -> Iterator[Note]:
        """Problems with the cursor of a request. `whole`: the record begins with the connection."""
        asked = self.asked(path, params)
        cursor = params.get(asked.listing.cursor) if asked is not None else None
        if asked is None or not isinstance(cursor, str):
            return
        place = ("params", asked.listing.cursor)
        filters, *_ = self._given.get((path, cursor), ("",))
        if not filters:
            if whole and not self._forgot:
                text = f"{shown(place)}: no response on this connection contained the cursor {quoted(cursor)}"
                expected = f"a {quoted(asked.listing.next)} of a response, unchanged"
                yield Note("cursor-unknown", text, place, expected, quoted(cursor))
        elif filters != _key(asked.filters):
            text = f"{shown(place)}: the cursor belongs to {filters}, not to {_key(asked.filters)}"
            yield Note("cursor-of-another-list", text, place, filters, _key(asked.filters))

    def answer(self, path: str, asked: Asked, result: Any) -> Iterator[Note]:
        """Problems with the items of a page."""
        if not is_json_object(result):
            return
        cursor = result.get(asked.listing.next)
        if isinstance(cursor, str):
            self._forgot |= remember(
                self._given, (path, cursor), (_key(asked.filters), asked.pages, asked.number + 1), self._limit
            )
        items = result.get(asked.listing.items)
        names: set[str] = set()
        for index, item in enumerate(items if is_json_array(items) else ()):
            if is_json_object(item):
                place = ("result", asked.listing.items, index)
                yield from self._filtered(asked, item, place)
                yield from self._gone(asked, item, place)
                yield from self._repeated(asked, item, place, names)
                yield from _timed(asked, item, place)

    def _filtered(self, asked: Asked, item: Mapping[str, Any], place: tuple[str | int, ...]) -> Iterator[Note]:
        for name, property_ in asked.listing.equal.items():
            wanted, found = asked.filters.get(name), item.get(property_)
            if isinstance(wanted, str) and isinstance(found, str) and not _alike(wanted, found):
                path = (*place, property_)
                text = f"{shown(path)}: the filter of the request is {quoted(wanted)}, found {quoted(found)}"
                yield Note("filter-ignored", text, path, quoted(wanted), quoted(found))

    def _gone(self, asked: Asked, item: Mapping[str, Any], place: tuple[str | int, ...]) -> Iterator[Note]:
        name = item.get(self._session)
        if isinstance(name, str) and self._deleted.get(name, asked.deletions) < asked.deletions:
            path = (*place, self._session)
            text = f"{shown(path)}: the session {quoted(name)} was deleted before the list was requested"
            yield Note("deleted-listed", text, path, found=quoted(name))

    def _repeated(
        self, asked: Asked, item: Mapping[str, Any], place: tuple[str | int, ...], names: set[str]
    ) -> Iterator[Note]:
        name = item.get(self._session)
        if not isinstance(name, str):
            return
        first = asked.pages.get(name, asked.number)
        if first < asked.number or name in names:
            path = (*place, self._session)
            text = f"{shown(path)}: the session {quoted(name)} is already on page {first + 1} of this list"
            yield Note("entry-repeated", text, path, found=quoted(name))
        names.add(name)
        if len(asked.pages) < self._limit:
            asked.pages.setdefault(name, asked.number)

    def settled(self, path: str, session: str | None) -> None:
        """Record a successful request about a session: it is deleted, or reopened and may be listed again."""
        if session is not None and path in self._openers:
            self._deleted.pop(session, None)
        if session is not None and path in self._deletes:
            remember(self._deleted, session, self._deletions, self._limit)
            self._deletions += 1


def _timed(asked: Asked, item: Mapping[str, Any], place: tuple[str | int, ...]) -> Iterator[Note]:
    name = asked.listing.changed
    value = item.get(name) if name else None
    if not isinstance(value, str):
        return
    try:
        datetime.fromisoformat(value)
    except ValueError:
        path = (*place, name or "")
        text = f"{shown(path)}: {quoted(value)} is not a time in ISO 8601"
        yield Note("time-invalid", text, path, "a time such as 2025-10-29T14:22:15Z", quoted(value))


def _key(filters: Mapping[str, Any]) -> str:
    """Filters as a canonical string."""
    return json.dumps(filters, sort_keys=True, ensure_ascii=False)


def _alike(wanted: str, found: str) -> bool:
    """Return whether two texts are equal or spellings of one path."""
    return wanted == found or _spelled(wanted) == _spelled(found)


def _spelled(text: str) -> str:
    plain = unicodedata.normalize("NFC", text)
    if WINDOWS.match(plain):
        return ntpath.normpath(plain).lower()
    return posixpath.normpath(plain) if plain.startswith("/") else plain
