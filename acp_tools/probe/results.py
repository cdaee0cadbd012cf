"""The result of each requirement in a run.

Invariants: a failure stays, whatever passes later; a requirement that was not tested does not pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct, field

from .frame_log import Frame
from .requirements import Requirement

MOST_FINDINGS = 3
UNTRIED = "there was no occasion"


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
    """A requirement, and what became of it. `count`: how often it was broken; the first few findings are kept."""

    requirement: Requirement
    status: Status = Status.SKIPPED
    reason: str = UNTRIED
    findings: list[Finding] = field(default_factory=list[Finding])
    count: int = 0


class Sheet:
    """The results of a run, by requirement, and what was noticed that breaks none."""

    def __init__(self, requirements: Iterable[Requirement]) -> None:
        self.results: dict[str, Result] = {row.id: Result(row) for row in requirements}
        self.notices: dict[str, str] = {}

    def add(self, row: Requirement) -> None:
        """Another requirement, one that follows from what the peer offers."""
        self.results.setdefault(row.id, Result(row))

    def failed(
        self, id_: str, text: str, frames: Sequence[Frame | None] = (), *, pointer: str = "", path: str = ""
    ) -> None:
        """A requirement is broken: how, and the frames that show it."""
        result = self.results[id_]
        result.status, result.reason = Status.FAIL, ""
        result.count += 1
        if len(result.findings) < MOST_FINDINGS:
            shown = tuple(frame for frame in frames if frame is not None)
            result.findings.append(Finding(text, shown, pointer, path))

    def passed(self, id_: str) -> None:
        """A requirement was seen to be kept."""
        result = self.results[id_]
        if result.status is not Status.FAIL:
            result.status, result.reason = Status.PASS, ""

    def skipped(self, id_: str, reason: str) -> None:
        """A requirement was not tried: why."""
        self._open(id_, Status.SKIPPED, reason)

    def unreachable(self, id_: str, reason: str) -> None:
        """A requirement cannot be tried without a login: what the peer said."""
        self._open(id_, Status.UNREACHABLE, reason)

    def _open(self, id_: str, status: Status, reason: str) -> None:
        result = self.results[id_]
        if result.status in (Status.SKIPPED, Status.UNREACHABLE):
            result.status, result.reason = status, reason

    def judged(self, id_: str, *, good: bool, text: str, frames: Sequence[Frame | None] = ()) -> bool:
        """A requirement was tried: kept, or broken as the text says."""
        if good:
            self.passed(id_)
        else:
            self.failed(id_, text, frames)
        return good

    def notice(self, id_: str, text: str) -> None:
        """Something that is the peer's choice, or worth knowing, by a stable id."""
        self.notices.setdefault(id_, text)

    def of(self, status: Status) -> list[Result]:
        """The results of one status, in the order of the table."""
        return [result for result in self.results.values() if result.status is status]
