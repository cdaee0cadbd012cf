"""Rules for deprecation and for reserved names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...document.json_types import is_json_object
from ...document.read import join
from ...errors import quoted
from ...findings.accepted_breaks import is_release
from ...findings.rule import Effect, Hit
from ..impact.deprecation import KEYWORD
from ..parts.pairs import DeprecationPair, RootPair
from ..parts.reserved import KEYWORD as RESERVED
from ..parts.reserved import names, reserved
from ..parts.schemas import Raw
from .rows import Rows

_KEYS = ("since", "until", "instead")


def _invalid(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        if KEYWORD in node:
            problem = _problem(node)
            if problem:
                yield Hit(f"`{KEYWORD}` {problem}", join(pointer, KEYWORD))


def _problem(node: dict[str, Any]) -> str:
    """The problem with the keyword; empty if there is none."""
    said = node[KEYWORD]
    if node.get("deprecated") is not True:
        return "needs `deprecated: true` beside it"
    if not is_json_object(said):
        return f"must be an object, found {quoted(said)}"
    for key, value in said.items():
        if key not in _KEYS:
            return f"has the unknown key {quoted(key)}; expected {', '.join(_KEYS)}"
        if not isinstance(value, str) or not value.strip():
            return f"must have a string for {quoted(key)}, found {quoted(value)}"
        if key != "instead" and not is_release(value):
            return (
                f"must have a release{' or a date' if key == 'until' else ''} for {quoted(key)}, found {quoted(value)}"
            )
    return ""


def _reused(raw: Raw) -> Iterator[Hit]:
    value = raw.document.value
    taken = reserved(value)
    found = dict(reversed([*names(value)])) if taken else {}  # the first place of each
    for name in sorted(taken.keys() & found.keys()):
        yield Hit(f"{name} is reserved, because release {taken[name]} used it", found[name])


def _released(pair: RootPair) -> Iterator[Hit]:
    if pair.keyword == RESERVED:
        yield from (Hit(f"{name} is no longer reserved") for name in pair.differences)


_rules = Rows(
    """
# deprecation

deprecated-added
    A part of the protocol was marked as deprecated.
    Says: {p.subject} is {p.new}
    Why: The wire format does not change. After its window (`until` in `x-deprecated`), its removal is accepted.
    Instead: nothing to do
    Mirror: deprecated-removed

deprecated-removed
    A part of the protocol is no longer deprecated.
    Says: {p.subject} is no longer deprecated
    Why: The wire format does not change.
    Instead: nothing to do
    Mirror: deprecated-added

deprecation-shortened
    A deprecated part ends earlier than announced.
    Says: the end of {p.subject} was moved from {p.old.until} to {p.new.until}
    Why: Programs that rely on the announced end lose the part sooner. After the window, the removal is not
    reported.
    Instead: keep `until` as it was, or move it to a later date

deprecation-invalid (error)
    `x-deprecated` is not an object with `since`, `until` and `instead`.
    Why: The window between `since` and `until` decides whether a removal is accepted.
    Instead: write `"deprecated": true, "x-deprecated": {"since": "v1.4.0", "until": "2027-01-31", "instead": "..."}`

# reserved names

reserved-name-used (error)
    A name that `x-reserved` lists was given to a new part.
    Why: Peers of that release interpret the new part as the old one.
    Instead: choose another name

reservation-removed
    A name was removed from `x-reserved`.
    Why: The name can then be reused. Peers of the release that had it would interpret a new part of that name as the
    old one.
    Instead: keep the entry
"""
)

ROWS = (
    _rules.change("deprecated-added", Effect.ADDS, DeprecationPair, became="added"),
    _rules.change("deprecated-removed", Effect.ADDS, DeprecationPair, became="removed"),
    _rules.change("deprecation-shortened", Effect.SOURCE, DeprecationPair, became="kept"),
    _rules.lint("deprecation-invalid", Raw, _invalid),
    _rules.lint("reserved-name-used", Raw, _reused),
    _rules.change("reservation-removed", Effect.SOURCE, RootPair, _released),
)
