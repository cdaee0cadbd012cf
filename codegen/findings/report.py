"""Reports of findings: text for people, JSON lines, GitHub annotations, and SARIF 2.1.0."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from ..escape import as_json as json_of
from ..escape import command_data, command_property
from ..escape import line as printable
from .audience import Release, affected, json_version
from .finding import Category, Finding, Level, Place
from .rule import Rule
from .sarif import Exists, sarif
from .traffic import Traffic
from .traffic import in_text as traffic_text
from .verdict import Gap, Verdict

Source = Callable[[str], bytes | None]
"""A function that returns the text of a file by name; None if it is unavailable."""

FORMATS = ("text", "json", "github", "sarif")
_GITHUB_LEVELS = {Level.error: "error", Level.warning: "warning", Level.info: "notice"}
_COLOURS = {Level.error: "31", Level.warning: "33", Level.info: "36"}


def render(
    findings: Sequence[Finding],
    format_: str,
    *,
    rules: Mapping[str, Rule],
    version: str = "",
    source: Source | None = None,
    colour: bool = False,
    verdict: Verdict | None = None,
    gaps: Sequence[Gap] = (),
    against: str = "",
    exists: Exists = lambda _: True,
    release: Release | None = None,
    traffic: Traffic | None = None,
) -> str:
    """Findings in one of `FORMATS`. With `source`, the text format quotes the lines.

    `verdict`: the outcome, which is printed first. `gaps`: failed comparisons. `against`: the baseline. `release`:
    the required version bump. `traffic`: the outcome of replayed messages.
    """
    match format_:
        case "json":
            head = [] if verdict is None else [_json_verdict(verdict, gaps, findings, against, release)]
            if head and traffic is not None:
                head[0]["replay"] = traffic.json()
            return "".join(json_of(line) + "\n" for line in [*head, *map(as_json, findings)])
        case "github":
            asked = [] if release is None else [f"::notice title=version::{command_data(str(release))}"]
            return "".join(
                f"{line}\n" for line in [*map(_gap_command, gaps), *asked, *map(_command, findings), *_traffic(traffic)]
            )
        case "sarif":
            return json_of(sarif(findings, rules, version, verdict, gaps, exists, release, traffic), indent=2) + "\n"
        case _:
            recorded = traffic_text(traffic) if traffic is not None else ""
            missing = "".join(_gap_text(gap) for gap in gaps)
            clean = "no findings\n" if verdict is not None and not findings else ""
            baseline = f"compared with {printable(against, 400)}\n" if against and verdict is Verdict.PASS else ""
            needed = f"version: {printable(str(release), 400)}\n" if release is not None else ""
            if release is not None and release.meant:
                return missing + needed + _migration(findings, source, colour=colour) + recorded + baseline
            return missing + needed + (_text(findings, source, colour=colour) or clean) + recorded + baseline


def _traffic(traffic: Traffic | None) -> list[str]:
    """The result of replaying recorded messages, as workflow commands."""
    said = [] if traffic is None else [(str(sent), bool(sent.count)) for sent in traffic.sent]
    said += [] if traffic is None else [(words, False) for words in traffic.left_out()]
    said += [] if traffic is None else [(": ".join(row), False) for row in traffic.table()[1:]]
    return [f"::{'error' if bad else 'notice'} title=replay::{command_data(words)}" for words, bad in said]


def _gap_text(gap: Gap) -> str:
    place = f"{gap.place}: " if gap.place is not None else ""
    instead = f"    instead: {gap.instead}\n" if gap.instead else ""
    return f"{place}{printable(str(gap), 400)}\n{instead}"


def _gap_command(gap: Gap) -> str:
    text = f"{gap}. Instead: {gap.instead}." if gap.instead else f"{gap}."
    place = ""
    if gap.place is not None:
        place = f"file={command_property(gap.place.file)},line={gap.place.line},col={gap.place.column},"
    return f"::error {place}title=not-compared::{command_data(text)}"


def _json_verdict(
    verdict: Verdict, gaps: Sequence[Gap], findings: Sequence[Finding], against: str, release: Release | None
) -> dict[str, Any]:
    """The first line of the JSON report."""
    return {
        "verdict": verdict.value,
        "version": None if release is None else json_version(release),
        "against": against or None,
        "notCompared": [
            {
                "what": gap.what,
                "why": gap.why,
                "instead": gap.instead,
                "pointer": gap.pointer,
                **(asdict(gap.place) if gap.place else dict.fromkeys(Place.__struct_fields__)),
            }
            for gap in gaps
        ],
        "counts": {level.name: sum(f.level is level for f in findings) for level in sorted(Level, reverse=True)},
    }


# --- text ---------------------------------------------------------------------------------------------------------------


def _text(findings: Sequence[Finding], source: Source | None, *, colour: bool) -> str:
    shown = "".join(in_text(finding, source, colour=colour) for finding in findings)
    return f"{shown}{summary(findings)}\n" if findings else ""


_WHO = ("agent", "client"), ("agent",), ("client",)


def _migration(findings: Sequence[Finding], source: Source | None, *, colour: bool) -> str:
    """The changes for a next protocol version, by the peers that must adapt. Breaks are intended, so no advice is
    given.
    """
    shown = ""
    changes = [finding for finding in findings if finding.category is Category.WIRE]
    for who in _WHO:
        found = [finding for finding in changes if sorted(affected(finding)) == sorted(who)]
        if found:
            shown += f"what {' and '.join(f'{peer}s' for peer in who)} must adapt to: {len(found)}\n"
            shown += "".join(in_text(finding, source, colour=colour, way_out=False) for finding in found)
    rest = [finding for finding in findings if finding.category is not Category.WIRE or not affected(finding)]
    if rest:
        shown += f"changes that affect neither: {len(rest)}\n" if shown else ""
        shown += "".join(in_text(finding, source, colour=colour) for finding in rest)
    return shown


def in_text(finding: Finding, source: Source | None = None, *, colour: bool, way_out: bool = True) -> str:
    """One finding as text with a final line end. `way_out`: include the advice and the cost."""
    level = f"{finding.level.name if way_out else 'change'}[{finding.id}]"
    if colour:
        level = f"\x1b[1;{_COLOURS[finding.level]}m{level}\x1b[0m"
    lines = [f"{finding.place}: {level} {printable(finding.message, 400)}"]
    if source is not None:
        lines += _excerpt(source(finding.place.file), finding.place)
    if finding.path and finding.pointer:
        lines.append(f"    schema: {printable(finding.pointer)}")
    elif finding.worst > Level.info and finding.pointer:
        lines.append(f"    at: {_some((finding.pointer, *finding.also))}")
    if finding.stood is not None and finding.base is not None:
        lines.append(f"    was at: {finding.base}")
    if finding.breaks:
        lines.append(f"    breaks: {printable('; '.join(finding.breaks), 400)}")
        if finding.lost:
            lines.append(f"    lost: {finding.lost}")
        if finding.releases:
            lines.append(f"    releases: {_some(finding.releases)}")
        if finding.via:
            lines.append(f"    carried by: {_some(finding.via)}")
    if finding.example is not None:
        shown = f"{printable(json_of(finding.example.message), 300)} in {finding.example.carrier}"
        lines.append(f"    for example: {shown}: {finding.example.told()}")
        if finding.example.says:
            lines.append(f"    {finding.example.saying}: {printable(finding.example.says, 300)}")
    if way_out and finding.completed is not None:
        lines.append(f"    once the RFD is completed: {finding.completed.name}")
    if finding.accepted:
        lines.append(f"    accepted: {printable(finding.accepted, 400)}")
    if way_out and finding.worst > Level.info and finding.instead:
        lines.append(f"    instead: {printable(finding.instead, 400)}")
    return "\n".join(lines) + "\n"


def summary(findings: Sequence[Finding]) -> str:
    """The number of findings per level, in words."""
    counts = [(level.name, sum(f.level == level for f in findings)) for level in sorted(Level, reverse=True)]
    words = [f"{count} {name}{'s' if count != 1 and name != 'info' else ''}" for name, count in counts if count]
    return ", ".join(words) or "no findings"


def _some(names: Sequence[str], most: int = 6) -> str:
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(printable(name) for name in names[:most]) + rest


def _excerpt(text: bytes | None, place: Place) -> list[str]:
    """The line itself, and a caret below the column."""
    lines = text.split(b"\n") if text is not None else []
    if not 0 < place.line <= len(lines):
        return []
    line = lines[place.line - 1].decode(errors="replace").rstrip("\r")
    start = max(0, place.column - 60)
    shown = "".join(c if c.isprintable() else " " for c in line[start : start + 100])
    before = sum(map(_width, shown[: place.column - 1 - start]))
    return [f"    | {shown}", f"    | {' ' * before}^"]


def _width(character: str) -> int:
    """The number of terminal columns that a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


# --- for programs -------------------------------------------------------------------------------------------------------


def as_json(finding: Finding) -> dict[str, Any]:
    """A finding as the JSON report shows it."""
    base = finding.base
    inside = {"path": finding.path, "expected": finding.expected, "found": finding.found} if finding.path else {}
    return {
        "id": finding.id,
        "level": finding.level.name,
        "levelAtCompletion": finding.at_completion.name,
        "category": finding.category.value,
        "pointer": finding.pointer,
        **asdict(finding.place),
        "base": None if base is None else {"pointer": finding.base_pointer, **asdict(base)},
        "directions": list(finding.directions),
        "breaks": list(finding.breaks),
        "lost": finding.lost or None,
        "releases": list(finding.releases),
        "rfd": finding.rfd or None,
        "stood": None if finding.stood is None else {"file": finding.stood.file, "line": finding.stood.line},
        "affects": list(affected(finding)),
        "accepted": finding.accepted or None,
        "carriers": list(finding.via),
        "example": None
        if finding.example is None
        else {
            "message": finding.example.message,
            "in": finding.example.carrier,
            "sentBy": "released" if finding.example.sender == "old" else "new",
            "outcome": finding.example.outcome,
            "says": finding.example.says or None,
        },
        "also": list(finding.also),
        **inside,
        "message": finding.message,
        "instead": finding.instead,
        "fingerprint": finding.fingerprint,
    }


def _command(finding: Finding) -> str:
    """A workflow command, which GitHub shows at the line in the pull request. Removed parts are shown at their former
    place.
    """
    place = finding.stood or finding.place
    properties = {"file": place.file, "line": str(place.line), "col": str(place.column), "title": finding.id}
    shown = ",".join(f"{key}={command_property(value)}" for key, value in properties.items())
    details = [finding.message]
    if finding.breaks:
        details.append(f"Breaks: {'; '.join(finding.breaks)}.")
    if finding.releases:
        details.append(f"Releases: {', '.join(finding.releases)}.")
    if finding.completed is not None:
        details.append(f"Once the RFD is completed: {finding.completed.name}.")
    if finding.accepted:
        details.append(f"Accepted: {finding.accepted}.")
    if finding.worst > Level.info and finding.instead:
        details.append(f"Instead: {finding.instead}.")
    return f"::{_GITHUB_LEVELS[finding.level]} {shown}::{command_data(chr(10).join(details))}"
