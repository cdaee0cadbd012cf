"""The outcome of a comparison: pass, fail, or not compared, because a baseline is missing or cannot be read.

A failed comparison never counts as passed. It is a `Gap`, which has its own exit code and is the first line of every
report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec import Struct

from .audience import Release, release
from .finding import Category, Finding, Level, Place
from .traffic import Traffic


class Verdict(Enum):
    """The result of a run. A finding that fails the run outweighs a gap in the comparison."""

    PASS = "pass"  # noqa: S105  # a verdict
    FAIL = "fail"
    NOT_COMPARED = "not compared"

    @property
    def code(self) -> int:
        """0 pass, 1 fail, 3 not compared; 2 is for wrong usage and files that cannot be read."""
        return {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.NOT_COMPARED: 3}[self]


class Gap(Struct, frozen=True, kw_only=True):
    """A comparison that failed: its subject, the reason, the advice, and the place of the reason if it is in a file."""

    what: str
    why: str
    instead: str = ""
    place: Place | None = None
    pointer: str = ""

    def __str__(self) -> str:
        return f"not compared: {self.what}: {self.why}"


class Outcome(Struct, frozen=True, kw_only=True):
    """The result of a comparison: its findings, gaps, baseline, and the source texts.

    `rfds`: title and stage of each RFD. `next_version`: the schema of the next protocol version, which no wire format
    change fails. `traffic`: the outcome of replayed messages; a rejected one fails it. `numbers`: both protocol
    versions, if known.
    """

    findings: Sequence[Finding] = ()
    gaps: Sequence[Gap] = ()
    against: str = ""
    sources: Mapping[str, bytes] = {}
    rfds: Mapping[str, str] = {}
    next_version: bool = False
    traffic: Traffic | None = None
    numbers: tuple[int, int] | None = None
    unreserved: Mapping[str, str] = {}
    """The names freed by removals, each with the newest release that had it."""

    @property
    def release(self) -> Release | None:
        """The version bump that the findings require; None if nothing changed on the wire."""
        return release(self.findings, whole=not self.gaps, meant=self.next_version, numbers=self.numbers)

    def verdict(self, fail_on: Level, at_completion: Level | None = None) -> Verdict:
        """The verdict, given the level of findings that fails it, now or once their RFDs are completed."""
        if self.traffic is not None and self.traffic.count and not self.next_version:
            return Verdict.FAIL
        if any(self.fails(finding, fail_on, at_completion) for finding in self.findings):
            return Verdict.FAIL
        return Verdict.NOT_COMPARED if self.gaps else Verdict.PASS

    def fails(self, finding: Finding, fail_on: Level, at_completion: Level | None = None) -> bool:
        """Return whether a finding alone would fail the comparison."""
        if self.next_version and finding.category in (Category.WIRE, Category.SOURCE):
            return False
        return finding.level >= fail_on or (at_completion is not None and finding.at_completion >= at_completion)
