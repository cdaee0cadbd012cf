"""Suggestions for misspelt names: the nearest known name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

_ALIKE = 0.75


def nearest(name: str, candidates: Iterable[str]) -> str:
    """The candidate that a name was likely mistaken for; empty if none is similar.

    Case and separators are ignored. The beginning and the end of a multi-word name count as similar to it.
    """
    scored = [(_likeness(name, other), other) for other in candidates if other != name]
    best = max(scored, default=(0.0, ""))
    return best[1] if best[0] >= _ALIKE else ""


def _likeness(one: str, other: str) -> float:
    a, b = _letters(one), _letters(other)
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0
    short, long = sorted((a, b), key=len)
    if len(short) > 2 and (long.startswith(short) or long.endswith(short)):
        return 0.9
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.ratio() if len(short) > 2 and matcher.quick_ratio() >= _ALIKE else 0.0


def _letters(name: str) -> str:
    return "".join(c for c in name[:80].lower() if c.isalnum())
