"""Reports of a run as text, JSON, JUnit or Markdown. Text of a peer is escaped here or when it is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from .codegen_api import as_json, line, markdown, markdown_code
from .frame_log import TO_AGENT, Frame
from .requirements import Level
from .results import Finding, Result, Sheet, Status

_WIDTH = 300
_ORDER = (Status.FAIL, Status.PASS, Status.UNREACHABLE, Status.SKIPPED)


class Report(Struct, frozen=True):
    """The report: the peer, its capabilities, the result of each requirement. `reasons`: expected failures, by id."""

    subject: str
    offers: tuple[str, ...]
    sheet: Sheet
    reasons: Mapping[str, str]
    version: str
    verbose: bool = False
    network: str = ""
    """A description of the peer's network; empty if unknown."""
    files: str = ""
    """A description of the files that the peer could see."""

    def counts(self) -> dict[str, int]:
        """Results by status."""
        return {status.value: len(self.sheet.of(status)) for status in _ORDER}


def _frame(frame: Frame) -> str:
    arrow = "->" if frame.direction == TO_AGENT else "<-"
    return f"{frame.connection}:{frame.number} {arrow} {line(frame.text, _WIDTH)}"


def _place(finding: Finding) -> str:
    return f" (schema: {finding.pointer})" if finding.pointer else ""


def text(report: Report) -> str:
    """The report as text."""
    rows = [line(f"{report.subject}"), line(f"offers: {', '.join(report.offers) or 'what is mandatory'}", 2000)]
    rows += [f"network: {report.network}"] if report.network else []
    rows += [f"files: {line(report.files, 2000)}"] if report.files else []
    rows.append("")
    for result in report.sheet.of(Status.FAIL):
        row = result.requirement
        expected = report.reasons.get(row.id)
        rows.append(f"{'expected' if expected else 'FAIL'} {row.level.name} {row.id}: {row.text}")
        rows.append(f"    required by: {row.source}")
        if expected:
            rows.append(f"    expected: {line(expected)}")
        for finding in result.findings:
            rows.append(f"    {line(finding.text, 600)}{line(_place(finding))}")
            rows += [f"        {_frame(frame)}" for frame in finding.frames]
        if result.count > len(result.findings):
            rows.append(f"    and {result.count - len(result.findings)} more like it")
    rows += _groups(report.sheet, Status.UNREACHABLE) + _groups(report.sheet, Status.SKIPPED)
    if report.verbose:
        rows += [
            f"pass {result.requirement.level.name} {result.requirement.id}: {result.requirement.text}"
            for result in report.sheet.of(Status.PASS)
        ]
    rows += [f"information {id_}: {line(told, 600)}" for id_, told in report.sheet.notices.items()]
    rows += ["", summary(report)]
    return "\n".join(rows) + "\n"


def _groups(sheet: Sheet, status: Status) -> list[str]:
    """Combine requirements with the same reason into one line."""
    groups: dict[str, list[str]] = {}
    for result in sheet.of(status):
        groups.setdefault(result.reason, []).append(result.requirement.id)
    return [f"{status.value}: {', '.join(ids)}: {line(reason)}" for reason, ids in groups.items()]


def summary(report: Report) -> str:
    """The counts in one line."""
    failed = report.sheet.of(Status.FAIL)
    levels = [f"{sum(r.requirement.level is level for r in failed)} {level.name}" for level in reversed(Level)]
    counts = ", ".join(f"{count} {name}" for name, count in report.counts().items())
    return f"{len(report.sheet.results)} requirements: {counts}" + (f"; failed: {', '.join(levels)}" if failed else "")


def json_(report: Report) -> str:
    """The report as JSON."""
    value = {
        "subject": report.subject,
        "probe": report.version,
        "offers": report.offers,
        **({"network": report.network} if report.network else {}),
        **({"files": report.files} if report.files else {}),
        "counts": report.counts(),
        "requirements": [_result(result, report.reasons) for result in report.sheet.results.values()],
        "information": [{"id": id_, "text": told} for id_, told in report.sheet.notices.items()],
    }
    return as_json(value, indent=1) + "\n"


def _result(result: Result, reasons: Mapping[str, str]) -> dict[str, Any]:
    row = result.requirement
    return {
        "id": row.id,
        "level": row.level.name,
        "text": row.text,
        "source": row.source,
        "status": result.status.value,
        **({"reason": result.reason} if result.reason else {}),
        **({"expected": reasons[row.id]} if row.id in reasons else {}),
        **(
            {"count": result.count, "findings": [_finding(finding) for finding in result.findings]}
            if result.findings
            else {}
        ),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    frames = [
        {
            "connection": f.connection,
            "number": f.number,
            "dir": f.direction,
            "frame": f.text.encode("utf-8", "replace").decode(),
        }
        for f in finding.frames
    ]
    return {"text": finding.text, "schema": finding.pointer, "path": finding.path, "frames": frames}


def junit(report: Report) -> str:
    """The report as JUnit XML, for CI servers."""
    counts = report.counts()
    skipped = counts[Status.SKIPPED.value] + counts[Status.UNREACHABLE.value]
    unexpected = [r for r in report.sheet.of(Status.FAIL) if r.requirement.id not in report.reasons]
    head = f'tests="{len(report.sheet.results)}" failures="{len(unexpected)}" skipped="{skipped}"'
    rows = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuite name={quoteattr(line(report.subject))} {head}>"]
    for result in report.sheet.results.values():
        row = result.requirement
        rows.append(f"<testcase classname={quoteattr(row.level.name)} name={quoteattr(row.id)}>")
        if result.status is Status.FAIL and row.id not in report.reasons:
            details = "\n".join(
                line(x, 2000) for finding in result.findings for x in (finding.text, *map(_frame, finding.frames))
            )
            rows.append(f"<failure message={quoteattr(line(row.text))}>{escape(details)}</failure>")
        elif result.status is not Status.PASS:
            rows.append(
                f"<skipped message={quoteattr(line(report.reasons.get(row.id) or f'{result.status.value}: {result.reason}'))}/>"
            )
        rows.append("</testcase>")
    return "\n".join([*rows, "</testsuite>"]) + "\n"


def markdown_(report: Report) -> str:
    """The report as a Markdown table for a README: one row per family of requirements, then the failures."""
    families: dict[str, list[Result]] = {}
    for result in report.sheet.results.values():
        families.setdefault(result.requirement.id.partition("/")[0], []).append(result)
    rows = [
        f"**{markdown(report.subject)}**: {markdown(summary(report))}",
        "",
        "| | result | pass | fail | not reachable | skipped |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for family, results in families.items():
        counts = [sum(result.status is status for result in results) for status in _ORDER]
        badge = "❌" if counts[0] else "✅" if counts[1] else "-"
        rows.append(f"| {markdown(family)} | {badge} | {counts[1]} | {counts[0]} | {counts[2]} | {counts[3]} |")
    for result in report.sheet.of(Status.FAIL):
        row = result.requirement
        rows += ["", f"- {row.level.name} {markdown_code(row.id)}: {markdown(row.text)}"]
        for finding in result.findings[:1]:
            rows.append(f"  {markdown(finding.text)}")
            rows += [f"  - {markdown_code(_frame(frame))}" for frame in finding.frames]
    return "\n".join(rows) + "\n"


FORMATS: Mapping[str, Callable[[Report], str]] = {"text": text, "json": json_, "junit": junit, "markdown": markdown_}
