"""Findings as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from msgspec.structs import replace

from .audience import Release, json_version
from .finding import Finding, Level, Place
from .rule import Rule
from .traffic import Traffic
from .verdict import Gap, Verdict

Exists = Callable[[str], bool]
"""A function that returns whether a name is a file that readers of the report can open."""

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Level.error: "error", Level.warning: "warning", Level.info: "note"}


def sarif(
    findings: Sequence[Finding],
    rules: Mapping[str, Rule],
    version: str,
    verdict: Verdict | None,
    gaps: Sequence[Gap],
    exists: Exists,
    release: Release | None,
    traffic: Traffic | None,
) -> dict[str, Any]:
    """The log of one run, as JSON."""
    used = sorted({finding.id for finding in findings})
    index = {id_: position for position, id_ in enumerate(used)}
    driver: dict[str, Any] = {"name": "acp-codegen", "rules": [_sarif_rule(id_, rules.get(id_)) for id_ in used]}
    if version:
        driver["version"] = version
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
    if verdict is not None:
        notes = [{"level": "error", "message": {"text": f"{gap}. {gap.instead}."}} for gap in gaps]
        said = {} if release is None else {"version": json_version(release)}
        sent = [] if traffic is None else [{"level": "note", "message": {"text": str(each)}} for each in traffic.sent]
        run["properties"] = {
            "verdict": verdict.value,
            **said,
            **({} if traffic is None else {"replay": traffic.json()}),
        }
        run["invocations"] = [{"executionSuccessful": not gaps, "toolExecutionNotifications": [*notes, *sent]}]
    run["results"] = [_sarif_result(finding, index[finding.id], exists) for finding in findings]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


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
    properties: dict[str, Any] = {}
    if finding.completed is not None:
        properties["levelAtCompletion"] = finding.completed.name
    if finding.accepted:
        properties["accepted"] = finding.accepted
    result: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": index,
        "level": _LEVELS[finding.level],
        "message": {"text": f"{text}."},
        "locations": [location],
        "partialFingerprints": {"acpCodegen/v1": finding.fingerprint},
    }
    if properties:
        result["properties"] = properties
    if finding.base is not None:
        # A file of another revision is at no place that a reader of the report could open.
        base, was = finding.base, f"the part in the baseline, at {finding.base}"
        known = {"physicalLocation": _physical(base)} if exists(base.file) else {}
        result["relatedLocations"] = [{**known, "message": {"text": "as it was before" if known else was}}]
    return result


def _readable(file: str, exists: Exists) -> str | None:
    """The path for opening a file. For a file in a revision, the path in the repository."""
    return next((name for name in (file, file.partition(":")[2]) if name and exists(name)), None)


def _physical(place: Place) -> dict[str, Any]:
    uri = quote(place.file.replace("\\", "/"), safe="/~!$&'()*+,;=@-._", errors="surrogateescape")
    return {
        "artifactLocation": {"uri": uri},
        "region": {"startLine": place.line, "startColumn": place.column},
    }
