# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Idempotency keys: a request that carries one is carried out once, however often it is sent.

Both sides agree on this in the handshake, by a member of `_meta`:

- The client offers it. A server that remembers keys answers with the seconds for which it does.
- A request that a session takes one at a time then carries a key.
- The updates of a session say where they are in it, so that the client recognises those that it has heard.
"""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["KEY", "META", "OFFER", "PLACE", "key_in", "meta_field", "place_in", "value_in", "with_meta", "without_meta"]

OFFER = "acp-remote/idempotency"
"""In the handshake: True from the client, a number of seconds from the server."""
KEY = "acp-remote/idempotency-key"
PLACE = "acp-remote/place"
"""In an update: the number of its turn, and its own number in that."""

META = "_meta"
"""Where a record has room for what no schema declares."""
_LONGEST = 200
"""Characters of a key that is taken."""


_fields: dict[Any, str | None] = {}


def meta_field(record: Any) -> str | None:
    """The attribute of a record with its `_meta`; None if it has none."""
    if record not in _fields:
        known = msgspec.structs.fields(record) if hasattr(record, "__struct_fields__") else ()
        _fields[record] = next((field.name for field in known if field.encode_name == META), None)
    return _fields[record]


def value_in(record: Any, name: str) -> Any:
    """A member of the `_meta` of a record; None if there is none."""
    found = getattr(record, meta_field(type(record)) or "", None)
    return found.get(name) if isinstance(found, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def key_in(params: Any) -> str | None:
    """The key of a request; None if it carries none that can be one."""
    key = value_in(params, KEY)
    return key if isinstance(key, str) and 0 < len(key) <= _LONGEST else None


def place_in(params: Any) -> tuple[int, int] | None:
    """Where an update is in its session; None if it does not say so."""
    place = value_in(params, PLACE)
    if place is None:
        return None
    try:
        return msgspec.convert(place, tuple[int, int])
    except msgspec.ValidationError:
        return None


def without_meta(record: Any) -> Any:
    """A record without its `_meta`."""
    attribute = meta_field(type(record))
    return record if attribute is None else msgspec.structs.replace(record, **{attribute: msgspec.UNSET})


def with_meta(record: Any, name: str, value: Any) -> Any:
    """A record with a member in its `_meta`; unchanged if it has no room for one, or has the member."""
    attribute = meta_field(type(record))
    if attribute is None:
        return record
    given = getattr(record, attribute)
    return msgspec.structs.replace(record, **{attribute: {name: value, **(given or {})}})
