"""Accepted breaking changes: the change, the reason, the release it begins with, and the end of its window.

    [[break]]
    rule = "enum-value-removed"
    pointer = "/$defs/Color"
    what = 'lost "green"'
    why = "no released peer ever sent it"
    since = "v1.4.0"
    until = "2027-01-31"

The file is `accepted-breaks.toml` beside the schema. Unlike a suppression, an entry stays after the merge. During its
window, it accepts the break against every baseline. After its window, it has no effect, and is reported if no finding
matches it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..document.json_types import is_json_array, is_json_object
from ..document.read import read_bytes
from ..errors import InputError, quoted
from .finding import Category, Finding, Level, Place
from .rule import Rule
from .suppressions import check_entry, check_pointer, entry_places, leads_to, parse_toml

NAME = "accepted-breaks.toml"
_KEYS = ("rule", "pointer", "what", "why", "since", "until")
_RELEASE = re.compile(r"[\w.+/-]{1,100}")


def is_release(text: str) -> bool:
    """Return whether a string may be the name of a release or a date."""
    return _RELEASE.fullmatch(text) is not None


Ended = Callable[[str], bool]
"""A function that returns whether the window until a date or release has ended."""


class Accepted(Struct, frozen=True, kw_only=True):
    """One entry; `index` counts from 0. `until` is a date, or the name of a release."""

    rule: str
    pointer: str
    what: str
    why: str
    since: str
    until: str
    index: int

    def matches(self, finding: Finding) -> bool:
        """Return whether it matches a finding: the rule, the place in either schema, and a part of the text."""
        return (
            self.rule in (finding.id, finding.rule)
            and any(leads_to(self.pointer, p) for p in (finding.pointer, finding.base_pointer) if p is not None)
            and self.what in finding.message
        )


class Ledger:
    """The accepted breaks of a file, and whether each was used."""

    def __init__(self, path: Path | None, text: bytes, entries: Sequence[Accepted], ended: Ended) -> None:
        self.path, self.text, self.entries, self.ended = path, text, tuple(entries), ended
        self.matched: set[int] = set()

    def judged(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings. An accepted one becomes information; one whose window has ended gets a hint."""
        return [self._judged(finding) for finding in findings]

    def _judged(self, finding: Finding) -> Finding:
        if finding.worst is Level.info:
            return finding
        entries = [entry for entry in self.entries if entry.matches(finding)]
        self.matched.update(entry.index for entry in entries)
        current = next((entry for entry in entries if not self.ended(entry.until)), None)
        if current is not None:
            words = f"{current.why} (since {current.since}, until {current.until})"
            return replace(finding, level=Level.info, completed=None, accepted=words)
        if entries:
            over = f"it was accepted until {entries[0].until} ({self._named(entries[0].index)}), which has passed"
            return replace(finding, instead=f"{finding.instead}; {over}")
        return finding

    def over(self) -> list[Accepted]:
        """The unused entries whose window has ended."""
        return [entry for entry in self.entries if entry.index not in self.matched and self.ended(entry.until)]

    def place(self, index: int) -> Place:
        """The position of an entry."""
        line, column = entry_places(self.text, len(self.entries), "break")[index]
        return Place(str(self.path), line, column)

    def _named(self, index: int) -> str:
        place = self.place(index)
        return f"{place.file}:{place.line}"


def read_ledger(path: Path | None, schema: Path, known: Mapping[str, Rule], ended: Ended) -> Ledger:
    """The accepted breaks in a file, or in the one beside the schema. Raises InputError."""
    found = path or schema.parent / NAME
    if path is None and not found.is_file():
        return Ledger(None, b"", (), ended)
    text = read_bytes(found)
    value = parse_toml(text, found)
    entries = value.get("break", [])
    for key in value:
        if key != "break":
            raise InputError(str(found), f"has the unknown setting {quoted(key)}; expected a list of [[break]]")
    if not is_json_array(entries):
        raise InputError(str(found), "`break` must be a list: [[break]]")
    places = entry_places(text, len(entries), "break")
    named = [f"{found}:{':'.join(map(str, places[index]))}" for index in range(len(entries))]
    return Ledger(found, text, [_entry(e, index, named[index], known) for index, e in enumerate(entries)], ended)


def _entry(entry: Any, index: int, place: str, known: Mapping[str, Rule]) -> Accepted:
    which = f"accepted break {index + 1}"
    settings = ", ".join(_KEYS)
    if not is_json_object(entry):
        raise InputError(place, f"{which} must be a table of {settings}")
    entry = {key: value.isoformat() if type(value) is date else value for key, value in entry.items()}
    for key, value in entry.items():
        if key not in _KEYS:
            raise InputError(place, f"{which} has the unknown setting {quoted(key)}; expected {settings}")
        if not isinstance(value, str):
            raise InputError(place, f"{which}: {key} must be a string")
    check_entry(entry, _KEYS, known, place, which)
    if known[entry["rule"]].category is Category.LINT:
        raise InputError(place, f"{which}: {entry['rule']} is not a rule about changes; suppress it in pyproject.toml")
    check_pointer(entry["pointer"], place, which)
    for key in ("since", "until"):
        if not is_release(entry[key]):
            allowed = "a release" if key == "since" else "a date (2027-01-31) or a release"
            raise InputError(place, f"{which}: {key} must be {allowed}, found {quoted(entry[key])}")
    return Accepted(**entry, index=index)
