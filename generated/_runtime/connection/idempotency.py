# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Idempotency keys: a peer handles a request with a key only once, however often it is sent.

Both sides agree on this in the handshake, by a field of `_meta`:

- The client offers keys. A server that supports them responds with the number of seconds for which it remembers a key.
- Requests that a session handles one at a time then carry a key.
- Updates carry their position in the session, so that the client recognises updates that it has already handled.
"""

from __future__ import annotations

from typing import Any

import msgspec

OFFER = "acp-remote/idempotency"
"""In the handshake: True from the client, a number of seconds from the server."""
KEY = "acp-remote/idempotency-key"
PLACE = "acp-remote/place"
"""The position of an update: the number of its turn, and its own number in the turn."""

META = "_meta"
"""The field of a record for metadata that no schema declares."""
_LONGEST = 200
"""Maximum length of a key, in characters."""


_fields: dict[Any, str | None] = {}


def meta_field(record: Any) -> str | None:
    """The attribute of a record for its `_meta`; None if it has none."""
    if record not in _fields:
        known = msgspec.structs.fields(record) if hasattr(record, "__struct_fields__") else ()
        _fields[record] = next((field.name for field in known if field.encode_name == META), None)
    return _fields[record]


def value_in(record: Any, name: str) -> Any:
    """The value of a field in the `_meta` of a record; None if it is absent."""
    found = getattr(record, meta_field(type(record)) or "", None)
    return found.get(name) if isinstance(found, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def key_in(params: Any) -> str | None:
    """The idempotency key of a request; None if it has no valid one."""
    key = value_in(params, KEY)
    return key if isinstance(key, str) and 0 < len(key) <= _LONGEST else None


def place_in(params: Any) -> tuple[int, int] | None:
    """The position of an update in its session; None if it has none."""
    place = value_in(params, PLACE)
    if place is None:
        return None
    try:
        return msgspec.convert(place, tuple[int, int])
    except msgspec.ValidationError:
        return None


def without_meta(record: Any) -> Any:
    """A copy of a record without its `_meta`."""
    attribute = meta_field(type(record))
    return record if attribute is None else msgspec.structs.replace(record, **{attribute: msgspec.UNSET})


def with_meta(record: Any, name: str, value: Any) -> Any:
    """A copy of a record with a field added to its `_meta`; unchanged if it has no `_meta` or already has the field."""
    attribute = meta_field(type(record))
    if attribute is None:
        return record
    given = getattr(record, attribute)
    return msgspec.structs.replace(record, **{attribute: {name: value, **(given or {})}})
