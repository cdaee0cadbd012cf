"""Findings as text: for people, for programs (one JSON object a line), for GitHub, and as SARIF 2.1.0."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from msgspec.structs import replace

from ..escape import as_json as json_of
from ..escape import command_data, command_property
from ..escape import line as printable
from .finding import Finding, Level, Place
from .rule import Rule
from .verdict import Gap, Verdict

Exists = Callable[[str], bool]
"""Whether a name is that of a file that a reader of the report can open."""

Source = Callable[[str], bytes | None]
"""The text of a file that findings are in, by its name; None where there is none."""

FORMATS = ("text", "json", "github", "sarif")
_SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_SARIF_LEVELS = {Level.error: "error", Level.warning: "warning", Level.info: "note"}
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
) -> str:
    """Findings in one of `FORMATS`, ready to be written; `source` adds the lines themselves to the text.

    `verdict`: what a comparison comes to, which is said first. `gaps`: what was not compared. `against`: with what it was.
    """
    match format_:
        case "json":
            head = [] if verdict is None else [_json_verdict(verdict, gaps, findings, against)]
            return "".join(json_of(line) + "\n" for line in [*head, *map(as_json, findings)])
        case "github":
            return "".join(f"{line}\n" for line in [*map(_gap_command, gaps), *map(_command, findings)])
        case "sarif":
            return json_of(_sarif(findings, rules, version, verdict, gaps, exists), indent=2) + "\n"
        case _:
            missing = "".join(_gap_text(gap) for gap in gaps)
            clean = "no findings\n" if verdict is not None and not findings else ""
            return missing + (_text(findings, source, colour=colour) or clean)


def _gap_text(gap: Gap) -> str:
    place = f"{_at(gap.place)}: " if gap.place is not None else ""
    instead = f"    instead: {gap.instead}\n" if gap.instead else ""
    return f"{place}{printable(str(gap), 400)}\n{instead}"


def _gap_command(gap: Gap) -> str:
    text = f"{gap}. Instead: {gap.instead}." if gap.instead else f"{gap}."
    place = ""
    if gap.place is not None:
        place = f"file={command_property(gap.place.file)},line={gap.place.line},col={gap.place.column},"
    return f"::error {place}title=not-compared::{command_data(text)}"


def _json_verdict(verdict: Verdict, gaps: Sequence[Gap], findings: Sequence[Finding], against: str) -> dict[str, Any]:
    """The first line of the JSON report."""
    return {
        "verdict": verdict.value,
        "against": against or None,
        "notCompared": [
            {
                "what": gap.what,
                "why": gap.why,
                "instead": gap.instead,
                "pointer": gap.pointer,
                "file": gap.place.file if gap.place else None,
                "line": gap.place.line if gap.place else None,
                "column": gap.place.column if gap.place else None,
            }
            for gap in gaps
        ],
        "counts": {level.name: sum(f.level is level for f in findings) for level in sorted(Level, reverse=True)},
    }


# --- text ---------------------------------------------------------------------------------------------------------------


def _text(findings: Sequence[Finding], source: Source | None, *, colour: bool) -> str:
    shown = "".join(in_text(finding, source, colour=colour) for finding in findings)
    return f"{shown}{summary(findings)}\n" if findings else ""


def in_text(finding: Finding, source: Source | None = None, *, colour: bool) -> str:
    """One finding for people, line end and all."""
    level = f"{finding.level.name}[{finding.id}]"
    if colour:
        level = f"\x1b[1;{_COLOURS[finding.level]}m{level}\x1b[0m"
    lines = [f"{_at(finding.place)}: {level} {printable(finding.message, 400)}"]
    if source is not None:
        lines += _excerpt(source(finding.place.file), finding.place)
    if finding.path and finding.pointer:
        lines.append(f"    schema: {printable(finding.pointer)}")
    elif finding.worst > Level.info and finding.pointer:
        lines.append(f"    at: {_some((finding.pointer, *finding.also))}")
    if finding.breaks:
        lines.append(f"    breaks: {printable('; '.join(finding.breaks), 400)}")
        if finding.via:
            lines.append(f"    carried by: {_some(finding.via)}")
    if finding.example is not None:
        who, other = (
            ("a released peer", "a new one") if finding.example.sender == "old" else ("a new peer", "a released one")
        )
        shown = f"{printable(json_of(finding.example.message), 300)} in {finding.example.carrier}"
        lines.append(f"    for example: {shown}: {who} sends it, {other} refuses it")
    if finding.completed is not None:
        lines.append(f"    once the RFD is completed: {finding.completed.name}")
    if finding.worst > Level.info and finding.instead:
        lines.append(f"    instead: {printable(finding.instead, 400)}")
    return "\n".join(lines) + "\n"


def summary(findings: Sequence[Finding]) -> str:
    """How many of each level, in words."""
    counts = [(level.name, sum(f.level == level for f in findings)) for level in sorted(Level, reverse=True)]
    words = [f"{count} {name}{'s' if count != 1 and name != 'info' else ''}" for name, count in counts if count]
    return ", ".join(words) or "no findings"


def _at(place: Place) -> str:
    return f"{printable(place.file)}:{place.line}:{place.column}"


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
    """How many columns of a terminal a character takes."""
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
        "file": finding.place.file,
        "line": finding.place.line,
        "column": finding.place.column,
        "base": None
        if base is None
        else {"pointer": finding.base_pointer, "file": base.file, "line": base.line, "column": base.column},
        "directions": list(finding.directions),
        "breaks": list(finding.breaks),
        "carriers": list(finding.via),
        "example": None
        if finding.example is None
        else {
            "message": finding.example.message,
            "in": finding.example.carrier,
            "sentBy": "released" if finding.example.sender == "old" else "new",
        },
        "also": list(finding.also),
        **inside,
        "message": finding.message,
        "instead": finding.instead,
        "fingerprint": finding.fingerprint,
    }


def _command(finding: Finding) -> str:
    """A workflow command; GitHub shows it at the line, in the pull request."""
    properties = {
        "file": finding.place.file,
        "line": str(finding.place.line),
        "col": str(finding.place.column),
        "title": f"{finding.id}",
    }
    shown = ",".join(f"{key}={command_property(value)}" for key, value in properties.items())
    details = [finding.message]
    if finding.breaks:
        details.append(f"Breaks: {'; '.join(finding.breaks)}.")
    if finding.completed is not None:
        details.append(f"Once the RFD is completed: {finding.completed.name}.")
    if finding.worst > Level.info and finding.instead:
        details.append(f"Instead: {finding.instead}.")
    return f"::{_GITHUB_LEVELS[finding.level]} {shown}::{command_data(chr(10).join(details))}"


def _sarif(
    findings: Sequence[Finding],
    rules: Mapping[str, Rule],
    version: str,
    verdict: Verdict | None,
    gaps: Sequence[Gap],
    exists: Exists,
) -> dict[str, Any]:
    used = sorted({finding.id for finding in findings})
    index = {id_: position for position, id_ in enumerate(used)}
    driver: dict[str, Any] = {"name": "acp-codegen", "rules": [_sarif_rule(id_, rules.get(id_)) for id_ in used]}
    if version:
        driver["version"] = version
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
    if verdict is not None:
        notes = [{"level": "error", "message": {"text": f"{gap}. {gap.instead}."}} for gap in gaps]
        run["properties"] = {"verdict": verdict.value}
        run["invocations"] = [{"executionSuccessful": not gaps, "toolExecutionNotifications": notes}]
    run["results"] = [_sarif_result(finding, index[finding.id], exists) for finding in findings]
    return {"$schema": _SARIF, "version": "2.1.0", "runs": [run]}


def _sarif_rule(id_: str, rule: Rule | None) -> dict[str, Any]:
    if rule is None:
        return {"id": id_}
    return {
        "id": id_,
        "shortDescription": {"text": rule.purpose},
        "fullDescription": {"text": rule.reasoning or rule.purpose},
        "help": {"text": f"Instead: {rule.instead}."},
        "properties": {"category": rule.category.value, "family": rule.family},
    }


def _sarif_result(finding: Finding, index: int, exists: Exists) -> dict[str, Any]:
    text = finding.message
    if finding.breaks:
        text += f". Breaks {'; '.join(finding.breaks)}"
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": finding.pointer, "kind": "object"}]}
    file = _readable(finding.place.file, exists)
    if file is not None:
        location = {"physicalLocation": _physical(replace(finding.place, file=file)), **location}
    result: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": index,
        "level": _SARIF_LEVELS[finding.level],
        "message": {"text": f"{text}."},
        "locations": [location],
        "partialFingerprints": {"acpCodegen/v1": finding.fingerprint},
    }
    if finding.completed is not None:
        result["properties"] = {"levelAtCompletion": finding.completed.name}
    if finding.base is not None:
        # A file of another revision is at no place that a reader of the report could open.
        base, was = finding.base, f"as it was before, at {_at(finding.base)}"
        known = {"physicalLocation": _physical(base)} if exists(base.file) else {}
        result["relatedLocations"] = [{**known, "message": {"text": "as it was before" if known else was}}]
    return result


def _readable(file: str, exists: Exists) -> str | None:
    """A name under which a file can be opened: its own, or, for one of a revision, its path."""
    return next((name for name in (file, file.partition(":")[2]) if name and exists(name)), None)


def _physical(place: Place) -> dict[str, Any]:
    uri = quote(place.file.replace("\\", "/"), safe="/~!$&'()*+,;=@-._", errors="surrogateescape")
    return {
        "artifactLocation": {"uri": uri},
        "region": {"startLine": place.line, "startColumn": place.column},
    }
