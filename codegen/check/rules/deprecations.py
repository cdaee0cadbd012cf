"""Deprecation: marked, not marked any more, and said in a way that nobody can read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...document.jsonvalue import is_json_object
from ...document.read import join
from ...errors import quoted
from ...findings.finding import Level
from ...findings.ledger import is_release
from ...findings.rule import Effect, Hit
from ..deprecation import KEYWORD
from ..pairs import DeprecationPair
from ..schemas import Raw
from .rows import change, lint

_KEYS = ("since", "until", "instead")


def _invalid(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        if KEYWORD in node:
            problem = _problem(node)
            if problem:
                yield Hit(message=f"`{KEYWORD}` {problem}", pointer=join(pointer, KEYWORD))


def _problem(node: dict[str, Any]) -> str:
    """What is wrong with the keyword; empty where nothing is."""
    said = node[KEYWORD]
    if node.get("deprecated") is not True:
        return "needs `deprecated: true` beside it"
    if not is_json_object(said):
        return f"must be an object, not {quoted(said)}"
    for key, value in said.items():
        if key not in _KEYS:
            return f"has no {quoted(key)}; there are {', '.join(_KEYS)}"
        if not isinstance(value, str) or not value.strip():
            return f"must have a text for {quoted(key)}, not {quoted(value)}"
        if key != "instead" and not is_release(value):
            return f"must have a release for {quoted(key)}{' or a date' if key == 'until' else ''}, not {quoted(value)}"
    return ""


ROWS = (
    change(
        "deprecation",
        "deprecated-added",
        Effect.ADDS,
        DeprecationPair,
        "{p.subject} is {p.new}",
        "A part of the protocol was marked as deprecated.",
        "It stays on the wire as it was. When its window has ended (`until` in `x-deprecated`), its removal is accepted.",
        "nothing to do",
        "deprecated-removed",
        became="added",
    ),
    change(
        "deprecation",
        "deprecated-removed",
        Effect.ADDS,
        DeprecationPair,
        "{p.subject} is not deprecated any more",
        "A part of the protocol is no longer deprecated.",
        "It stays on the wire as it was.",
        "nothing to do",
        "deprecated-added",
        became="removed",
    ),
    change(
        "deprecation",
        "deprecation-shortened",
        Effect.SOURCE,
        DeprecationPair,
        "{p.subject} was to stay until {p.old.until} and now stays until {p.new.until}",
        "A deprecated part ends earlier than announced.",
        "Programs that planned for the announced end lose the part sooner. After the window has ended, nothing "
        "reports the removal.",
        "keep `until` as it was, or move it to a later date",
        became="kept",
    ),
    lint(
        "deprecation",
        "deprecation-invalid",
        Level.error,
        Raw,
        _invalid,
        "`x-deprecated` is not an object with `since`, `until` and `instead`.",
        'write `"deprecated": true, "x-deprecated": {"since": "v1.4.0", "until": "2027-01-31", "instead": "..."}`',
        "The window between `since` and `until` decides whether a removal is accepted.",
    ),
)
