"""Cursors of `session/list`: opaque to clients, and of no use to anyone who changes, borrows or keeps one.

A cursor says how far a listing has come and when it was given out, signed with a key that stays in the store. The
identity and the filter it belongs to are signed with it, not written into it: under another identity or another
filter the signature does not fit. Nothing is kept for a cursor, so handing out millions costs nothing.

    base64url( version:1  updated_at:8  id:8  given_at:8  HMAC-SHA256 of all that, identity and filter:16 )
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import struct
from dataclasses import dataclass
from typing import Final

from .store import Position
from .titles import days

__all__ = ["LIFETIME", "BadCursor", "Cursors"]

LIFETIME: Final = days(1)
"""Microseconds for which a cursor is good: clients must not keep them."""

_VERSION: Final = 1
_BODY: Final = struct.Struct(">Bqqq")
_MAC: Final = 16


class BadCursor(Exception):
    """A cursor that was not given out here, for this list, or not lately; the message says which."""


@dataclass(frozen=True, slots=True)
class Cursors:
    """Gives out cursors and reads them back."""

    key: bytes

    def write(self, position: Position, identity: str, cwd: str | None, now: int) -> str:
        """The cursor for what comes behind a position."""
        body = _BODY.pack(_VERSION, position.updated_at, position.id, now)
        return base64.urlsafe_b64encode(body + self._sign(body, identity, cwd)).decode().rstrip("=")

    def read(self, cursor: str, identity: str, cwd: str | None, now: int) -> Position:
        """The position in a cursor; BadCursor for anything that `write` did not return for the same list."""
        token = _bytes(cursor)
        if token is None or len(token) != _BODY.size + _MAC:
            raise BadCursor("this is not a cursor of this agent")
        body, mac = token[: _BODY.size], token[_BODY.size :]
        if not hmac.compare_digest(mac, self._sign(body, identity, cwd)):
            raise BadCursor("the cursor was not given out for this list")
        version, updated_at, row, given_at = _BODY.unpack(body)
        if version != _VERSION or now - given_at > LIFETIME:
            raise BadCursor("the cursor is out of date: start from the first page")
        return Position(updated_at, row)

    def _sign(self, body: bytes, identity: str, cwd: str | None) -> bytes:
        signed = repr((identity, cwd)).encode("utf-8", "surrogatepass") + b"\0" + body
        return hmac.digest(self.key, signed, hashlib.sha256)[:_MAC]


def _bytes(cursor: str) -> bytes | None:
    """The bytes that a cursor spells, None where it spells none, or not as we would have."""
    try:
        token = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except (binascii.Error, ValueError):
        return None
    return token if base64.urlsafe_b64encode(token).decode().rstrip("=") == cursor else None
