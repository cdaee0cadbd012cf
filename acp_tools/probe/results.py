"""The result of each requirement in a run.

Invariants: a later pass does not clear a failure; an untested requirement does not pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct, field

from .frame_log import Frame
from .requirements import Requirement

MOST_FINDINGS = 3
UNTRIED = "the probe had no occasion to test it"


class Status(Enum):
    """The result of a requirement."""

    FAIL = "fail"
    PASS = "pass"  # noqa: S105  # a verdict
    UNREACHABLE = "not reachable without an account"
    SKIPPED = "skipped"


class Finding(Struct, frozen=True):
    """A violation: a description, the frames that show it, and the place in the schema, if any."""

    text: str
    frames: tuple[Frame, ...] = ()
    pointer: str = ""
    path: str = ""


class Result(Struct):
    """The result of one requirement. `count`: number of violations. Only the first few findings are kept."""

    requirement: Requirement
    status: Status = Status.SKIPPED
    reason: str = UNTRIED
    findings: list[Finding] = field(default_factory=list[Finding])
    count: int = 0


class Sheet:
    """The results of a run by requirement, and notices that violate none."""

    def __init__(self, requirements: Iterable[Requirement]) -> None:
        self.results: dict[str, Result] = {row.id: Result(row) for row in requirements}
        self.notices: dict[str, str] = {}

    def add(self, row: Requirement) -> None:
        """Add a requirement that follows from the peer's capabilities."""
        self.results.setdefault(row.id, Result(row))

    def failed(
        self, id_: str, text: str, frames: Sequence[Frame | None] = (), *, pointer: str = "", path: str = ""
    ) -> None:
        """Record a violation with the frames that show it."""
        result = self.results[id_]
        result.status, result.reason = Status.FAIL, ""
        result.count += 1
        if len(result.findings) < MOST_FINDINGS:
            shown = tuple(frame for frame in frames if frame is not None)
            result.findings.append(Finding(text, shown, pointer, path))

    def passed(self, id_: str) -> None:
        """Record that a requirement was met."""
        result = self.results[id_]
        if result.status is not Status.FAIL:
            result.status, result.reason = Status.PASS, ""

    def skipped(self, id_: str, reason: str) -> None:
        """Record why a requirement was not tested."""
        self._open(id_, Status.SKIPPED, reason)

    def unreachable(self, id_: str, reason: str) -> None:
        """Record that a requirement cannot be tested without a login, with the peer's message."""
        self._open(id_, Status.UNREACHABLE, reason)

    def _open(self, id_: str, status: Status, reason: str) -> None:
        result = self.results[id_]
        if result.status in (Status.SKIPPED, Status.UNREACHABLE):
            result.status, result.reason = status, reason

    def judged(self, id_: str, *, good: bool, text: str, frames: Sequence[Frame | None] = ()) -> bool:
        """Record the result of a test: met, or violated with a description."""
        if good:
            self.passed(id_)
        else:
            self.failed(id_, text, frames)
        return good

    def notice(self, id_: str, text: str) -> None:
        """Record an observation that violates nothing, under a permanent id."""
        self.notices.setdefault(id_, text)

    def of(self, status: Status) -> list[Result]:
        """The results with a status, in the order of the table."""
        return [result for result in self.results.values() if result.status is status]
