"""Options, checked where they are given: a misspelt one would be ignored, and a value that makes no sense would fail much later."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, cast

__all__ = ["check_options"]


def check_options(given: Mapping[str, Any], known: Collection[str]) -> None:
    """TypeError for an option that is not among those known, ValueError for a value that makes no sense."""
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"{name} is not an option of a connection{_instead(name, known)}")
        if name in _CHECKS:
            makes_sense, expected = _CHECKS[name]
            several = cast("Mapping[str, Any]", value).values() if isinstance(value, Mapping) else (value,)
            for each in several:
                if not makes_sense(each):
                    raise ValueError(f"{name} is {each!r}, expected {expected}")


def _instead(name: str, known: Collection[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  # for a fault alone

    near = get_close_matches(name, known, 1)
    return f"; did you mean {near[0]}?" if near else f". Options: {', '.join(sorted(known))}"


def _is_count(value: Any) -> bool:
    return type(value) is int and value > 0


def _is_time(value: Any) -> bool:
    return type(value) in (int, float) and value >= 0


def _is_patience(value: Any) -> bool:
    return value is None or (_is_time(value) and value > 0)


_COUNT = (_is_count, "an integer from 1 on")
_PATIENCE = (_is_patience, "seconds, a number above 0")
_CHECKS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "frame_limit": _COUNT,
    "queue_limit": _COUNT,
    "hard_queue_limit": _COUNT,
    "request_limit": _COUNT,
    "backlog_limit": _COUNT,
    "memory_limit": _COUNT,
    "call_timeout": _PATIENCE,
    "report_after": _PATIENCE,
    "linger": (_is_time, "seconds, a number from 0 on"),
    "grace": (_is_time, "seconds, a number from 0 on"),
}
