"""The releases of a schema, which are the tags of its repository. They decide whether a window has ended and was long
enough.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..document.read import parse
from ..errors import SchemaError
from ..findings.suppressions import Policy
from .git import Repository
from .impact.deprecation import Deprecation, deprecation
from .parts.promotion import counterpart
from .parts.reserved import names

NEWEST = 10
"""Maximum number of live releases of a pattern."""


class Release(Struct, frozen=True):
    """A tag with its day of creation."""

    name: str
    day: date


class Releases:
    """The releases of a schema. SOURCE_DATE_EPOCH overrides the current day."""

    def __init__(self, schema: Path, policy: Policy | None = None) -> None:
        self.policy = policy or Policy()
        self._schema = schema
        epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
        self.today = (datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)).date()

    @cached_property
    def repository(self) -> Repository | None:
        """The repository around the schema."""
        return Repository.around(self._schema.parent)

    @cached_property
    def all(self) -> list[Release]:
        """The releases that match the pattern or are listed, the oldest first."""
        found = self.repository.tagged(self.policy.pattern) if self.repository is not None else []
        return [Release(name, datetime.fromtimestamp(seconds, UTC).date()) for name, seconds in found]

    def ended(self, until: str) -> bool:
        """Return whether a date is past or a release exists."""
        day = _day(until)
        if day is not None:
            return day < self.today
        return self.repository is not None and self.repository.has_tag(until)

    def live(self) -> list[tuple[str, bytes]]:
        """The live releases with their schemas, the oldest first. Those without a schema are skipped."""
        return self._live

    @cached_property
    def _live(self) -> list[tuple[str, bytes]]:
        listed = self.policy.live
        if listed is not None:
            names = [name for name, last in listed.items() if last >= self.today]
        else:
            names = [release.name for release in self.all][-NEWEST:]
        return [(name, text) for name, text in self._texts(names) if text]

    def _texts(self, names: Sequence[str]) -> list[tuple[str, bytes]]:
        """The schema in each release; empty if it has none."""
        path = self.repository.path(self._schema) if self.repository is not None and names else None
        if self.repository is None or path is None:
            return [(name, b"") for name in names]
        return list(zip(names, self.repository.texts([f"refs/tags/{name}" for name in names], path), strict=True))

    @cached_property
    def _announcing(self) -> list[tuple[Release, Any]]:
        """The releases with a readable schema and deprecated parts, with their schemas."""
        found: list[tuple[Release, Any]] = []
        for release, (name, text) in zip(self.all, self._texts([each.name for each in self.all]), strict=True):
            if b'"deprecated"' in text:
                with contextlib.suppress(SchemaError):
                    found.append((release, parse(text, name).value))
        return found

    def had(self, freed: Sequence[str]) -> dict[str, str]:
        """The names that live releases had, each with the newest of them."""
        found: dict[str, str] = {}
        for release, text in reversed(self.live() if freed else []):
            with contextlib.suppress(SchemaError):
                there = {name for name, _ in names(parse(text, release).value)}
                found = {**{name: release for name in freed if name in there}, **found}
        return found

    # --- deprecation ------------------------------------------------------------------------------------------------------

    def fault(self, said: Deprecation) -> str:
        """The problem with a new deprecation; empty if there is none, or if the schema is in no repository."""
        policy = self.policy
        if self.repository is None or not self.repository.has_commits():
            return ""
        if said.since and self.all and not self.repository.has_tag(said.since):
            return f"`since` must be an existing release, found {said.since}; the newest is {self.all[-1].name}"
        if not said.until:
            return ""  # nothing can be removed without one
        if self.ended(said.until):
            return f"`until` must be in the future, found {said.until}"
        first = self.today + timedelta(days=policy.minimum)
        if policy.unit == "days" and said.until < first.isoformat() and _day(said.until) is not None:
            return f"it must stay for {policy}: `until` must be {first} or later, found {said.until}"
        return ""

    def early(self, old: Any, pointer: str) -> str:
        """The reason why a part may not be removed although its window has ended; empty if it may. `old`: baseline."""
        if self.repository is None:
            return ""
        policy = self.policy
        carrying = [release for release, schema in self._announcing if _deprecates(schema, old, pointer)]
        if policy.unit == "releases":
            if len(carrying) >= policy.minimum:
                return ""
            return f"{len(carrying)} of {policy} announced its deprecation"
        if not carrying:
            return "no release announced its deprecation"
        first = carrying[0].day + timedelta(days=policy.minimum)
        return (
            ""
            if first <= self.today
            else f"{carrying[0].name} announced its deprecation, so it must stay until {first}"
        )


def _deprecates(schema: Any, old: Any, pointer: str) -> bool:
    """Return whether a release deprecates a part of the baseline `old`."""
    there = counterpart(old, schema, pointer)
    return there is not None and deprecation(there[1]) is not None


def _day(text: str) -> date | None:
    """The day in a text; None if it is not a date."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
