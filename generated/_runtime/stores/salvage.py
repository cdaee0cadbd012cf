# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Reading a damaged file: one bad row or page does not hide the other sessions."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, Final

from .sqlite_file import complaint, is_damaged

__all__ = ["salvaged"]

logger = logging.getLogger(__name__)

_LAST_ID: Final = 1 << 62


def salvaged(database: sqlite3.Connection, columns: str, where: str, arguments: Sequence[object]) -> list[Any]:
    """Sessions that fit, without an index, in the order of their rows.

    What cannot be read of the table is skipped. If nothing at all can be read, the error of the database is raised.
    """
    rows = f"SELECT rowid, {columns} FROM sessions NOT INDEXED WHERE rowid > ? AND {where} ORDER BY rowid"
    found: list[Any] = []
    failure: sqlite3.DatabaseError | None = None

    def next_row(place: int) -> tuple[Any, ...] | None:
        """The first row behind a place; Python's cursors read ahead, and lose a row to what is wrong with the next."""
        row: tuple[Any, ...] | None = database.execute(f"{rows} LIMIT 1", (place, *arguments)).fetchone()
        return row

    def is_good(place: int) -> bool:
        try:
            next_row(place)
        except sqlite3.DatabaseError as error:
            if not is_damaged(error):
                raise
            return False
        return True

    last = 0
    while last < _LAST_ID:
        try:
            for number, *values in database.execute(rows, (last, *arguments)):
                found.append(values)
                last = number
            break
        except sqlite3.DatabaseError as error:
            if not is_damaged(error):
                raise
            failure = error
        if not is_good(last):
            last = _behind(last, is_good)
        elif row := next_row(last):
            last, *values = row
            found.append(values)
    if failure is not None:
        if not found:
            raise failure
        logger.warning("%s; %d sessions of a list could be read", complaint(failure), len(found))
    return found


def _behind(bad: int, is_good: Callable[[int], bool]) -> int:
    """The first place behind a bad one that is good, found by steps that grow, then by halves; the end if none is."""
    step = 1
    while not is_good(good := bad + step):
        bad, step = good, step * 2
        if bad >= _LAST_ID:
            return bad
    while good - bad > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if is_good(middle) else (good, middle)
    return good
