"""Filtering of a list by typed letters, and its order."""

from __future__ import annotations

import math
from collections.abc import Sequence

from textual.fuzzy import FuzzySearch

import acp_generated as acp

from ..sanitize import one_line

ORDERS = ("the agent's order", "newest first", "by title", "by directory")

_MOST = 2_000
"""Maximum number of ways to match the letters that are compared. The total number can be astronomical."""
_SEARCH = FuzzySearch()


def likeness(query: str, text: str) -> float:
    """Score how well a text matches the typed filter; 0 means no match."""
    wanted, text = query.lower(), text.lower()
    if not wanted:
        return 1.0
    at = 0
    for letter in wanted:
        at = text.find(letter, at) + 1
        if not at:
            return 0.0
    if wanted not in text and math.prod(text.count(letter) for letter in wanted) > _MOST:
        return 0.1
    return _SEARCH.match(wanted, text)[0]


def _score(query: str, info: acp.SessionInfo) -> float:
    return max(likeness(query, one_line(info.title or "", 200)), likeness(query, info.cwd[-100:]) / 2)


def arranged(sessions: Sequence[acp.SessionInfo], query: str, order: str) -> tuple[acp.SessionInfo, ...]:
    """The matching sessions in the chosen order. Without a chosen order, the best matches come first."""
    found = list(sessions)
    if query:
        scored = [(_score(query, info), info) for info in found]
        fitting = [pair for pair in scored if pair[0] > 0]
        if order == ORDERS[0]:
            fitting.sort(key=lambda pair: -pair[0])
        found = [info for _, info in fitting]
    if order == ORDERS[1]:
        found.sort(key=lambda info: info.updated_at or "", reverse=True)
    elif order == ORDERS[2]:
        found.sort(key=lambda info: (not info.title, (info.title or "").lower()))
    elif order == ORDERS[3]:
        found.sort(key=lambda info: info.cwd)
    return tuple(found)
