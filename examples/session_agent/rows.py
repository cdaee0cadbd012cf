"""A session as it is stored, read with care: something else may have written to the file."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Annotated

import msgspec

__all__ = ["COLUMNS", "SessionRow", "Unreadable", "readable", "session_row"]

logger = logging.getLogger(__name__)


class Unreadable(Exception):
    """A session is stored, and not in a form that this agent would have written; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as it is stored; `settings` is the agent's own JSON, `ended` why and by whom it was ended."""

    id: int
    identity: str
    session_id: str
    cwd: str
    directories: tuple[str, ...]
    settings: str
    title: str | None
    updated_at: Annotated[int, msgspec.Meta(ge=0, lt=253_402_300_800_000_000)]
    """Up to the end of the year 9999."""
    ended: str | None


_FIELDS = tuple(field.name for field in fields(SessionRow))
COLUMNS = ", ".join({"cwd": "coalesce(given, cwd)"}.get(name, name) for name in _FIELDS)


def session_row(values: Sequence[object]) -> SessionRow:
    """A row of the table; Unreadable where something else has written it."""
    row = dict(zip(_FIELDS, values, strict=True))
    try:
        row["directories"] = msgspec.json.decode(str(row["directories"]))
        return msgspec.convert(row, SessionRow)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Unreadable(f"the session store: what is stored of the session cannot be read: {error}") from None


def readable(values: Sequence[object]) -> SessionRow | None:
    """The same; None, and a line in the log, where it cannot be read."""
    try:
        return session_row(values)
    except Unreadable as error:
        logger.warning("session %s is left out of a list: %s", values[_FIELDS.index("session_id")], error)
        return None
