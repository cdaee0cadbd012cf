"""Session lists: the directory, title and time of each session, and the cursors between pages.

Cursors are opaque to clients. A modified, borrowed or outdated cursor is rejected. A cursor contains the position in
the list and the time of its creation, signed with the store's secret. The signature also covers the identity and the
filter of the list. Cursors are not stored.

base64url( version:1  changed_at:8  made_at:8  session id  HMAC-SHA256 of all that, identity and filter:16 )
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import struct
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from .base import Position

LENGTH: Final = 80
"""Maximum length of a title, in characters."""


def clock() -> int:
    """Microseconds since 1970, UTC."""
    return time.time_ns() // 1_000


def days(count: float) -> int:
    """A number of days, in microseconds."""
    return int(count * 86_400_000_000)


def iso(moment: int) -> str:
    """ISO 8601 in UTC: `2026-04-15T09:01:17.000250Z`."""
    return datetime.fromtimestamp(moment / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def first_line(text: str) -> str | None:
    """A title from the user's message: one line without control characters, at most `LENGTH` long. None if nothing is
    left.
    """
    printable = "".join(character if character.isprintable() else " " for character in text[: LENGTH * 50])
    line = " ".join(printable.split())
    return (line if len(line) <= LENGTH else line[: LENGTH - 1].rstrip() + "…") or None


def place_of(path: str) -> str:
    """The normalised form of a directory: `/srv/` and `/srv/a/..` become `/srv`. Relative paths are unchanged.

    The file system is not accessed, because a client may have one of its own.
    """
    if not os.path.isabs(path):
        return path
    place = os.path.normcase(os.path.normpath(path))
    # normpath keeps two slashes in front, whose meaning POSIX leaves open.
    return place[1:] if os.name == "posix" and place.startswith("//") else place


LIFETIME: Final = days(1)
"""Microseconds for which a cursor is valid. Clients must not keep cursors."""

_VERSION: Final = 2
_HEAD: Final = struct.Struct(">Bqq")
_MAC: Final = 16


class BadCursor(Exception):
    """An invalid cursor: of another agent, of another list, or expired. The message states the reason."""


@dataclass(frozen=True, slots=True)
class Cursors:
    """Creates and reads cursors."""

    key: bytes

    def write(self, position: Position, identity: str, place: str | None, now: int) -> str:
        """The cursor for the sessions after a position."""
        body = _HEAD.pack(_VERSION, position.changed_at, now) + position.session_key.encode()
        return base64.urlsafe_b64encode(body + self._sign(body, identity, place)).decode().rstrip("=")

    def read(self, cursor: str, identity: str, place: str | None, now: int) -> Position:
        """The position in a cursor. Raises BadCursor unless `write` returned the cursor for the same list."""
        token = _bytes(cursor)
        if token is None or len(token) <= _HEAD.size + _MAC:
            raise BadCursor("the cursor is not from this agent")
        body, mac = token[:-_MAC], token[-_MAC:]
        if not hmac.compare_digest(mac, self._sign(body, identity, place)):
            raise BadCursor("the cursor was not made for this list")
        version, changed_at, made_at = _HEAD.unpack(body[: _HEAD.size])
        if version != _VERSION or now - made_at > LIFETIME:
            raise BadCursor("the cursor has expired: start from the first page")
        return Position(changed_at, body[_HEAD.size :].decode())

    def _sign(self, body: bytes, identity: str, place: str | None) -> bytes:
        signed = repr((identity, place)).encode("utf-8", "surrogatepass") + b"\0" + body
        return hmac.digest(self.key, signed, hashlib.sha256)[:_MAC]


def _bytes(cursor: str) -> bytes | None:
    """The bytes of a cursor; None if it is not in the form that `write` uses."""
    try:
        token = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except (binascii.Error, ValueError):
        return None
    return token if base64.urlsafe_b64encode(token).decode().rstrip("=") == cursor else None
