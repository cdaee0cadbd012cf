"""A reviewer's report: findings by RFD, then by affected peers. Changes that break nobody are listed separately.

The result is data; `templates` turns it into documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from ..escape import as_json
from .audience import Peer, affected, json_version
from .finding import Category, Finding, Level
from .report import as_json as finding_json
from .report import summary
from .verdict import Outcome

Fails = Callable[[Finding], bool]

WHO: Mapping[tuple[Peer, ...], str] = {
    ("client", "agent"): "Agent authors and client authors",
    ("agent",): "Agent authors",
    ("client",): "Client authors",
}
SCHEMA, PYTHON, OTHERS = "Authors of the schema", "Users of the Python package", "Nobody"
_SECTIONS = (*WHO.values(), PYTHON, SCHEMA)
_NOBODY = "Outside any RFD"


class Section(Struct, frozen=True):
    """Findings that require action from one group of peers."""

    title: str
    findings: Sequence[Finding]


class Group(Struct, frozen=True, kw_only=True):
    """Findings about one RFD, or about none. `quiet`: the findings that break nobody."""

    title: str
    sections: Sequence[Section]
    quiet: Sequence[Finding]


class Review(Struct, frozen=True, kw_only=True):
    """The contents of a report. `notes`: sentences for release notes; `left_out`: the number of omitted findings."""

    outcome: Outcome
    verdict: str
    version: str
    counts: str
    groups: Sequence[Group]
    notes: Sequence[str]
    left_out: int = 0


def review(outcome: Outcome, verdict: str, most: int | None = None) -> Review:
    """The report on a comparison. `most`: the maximum number of findings, the most severe first."""
    findings = outcome.findings
    kept = set(map(id, sorted(findings, key=lambda f: (-f.level, -f.worst))[:most]))
    shown = [finding for finding in findings if id(finding) in kept]
    names = sorted({finding.rfd for finding in shown}, key=lambda name: (name == "", name))
    return Review(
        outcome=outcome,
        verdict=verdict,
        version=str(outcome.release or ""),
        counts=_counts(outcome),
        groups=[_group(_title(name, outcome.rfds), [f for f in shown if f.rfd == name]) for name in names],
        notes=_notes(outcome),
        left_out=len(findings) - len(shown),
    )


def _counts(outcome: Outcome) -> str:
    if not outcome.next_version:
        return summary(outcome.findings)
    asking = sum(f.category is Category.WIRE and f.worst > Level.info for f in outcome.findings)
    return f"{asking} of {len(outcome.findings)} changes require{'s' if asking == 1 else ''} action"


def _title(name: str, titles: Mapping[str, str]) -> str:
    if not name:
        return _NOBODY
    return f"{name}: {titles[name]}" if name in titles else name


def _group(title: str, findings: Sequence[Finding]) -> Group:
    by_who: dict[str, list[Finding]] = {}
    for finding in sorted(findings, key=lambda f: -f.worst):
        by_who.setdefault(who(finding), []).append(finding)
    sections = [Section(title, by_who[title]) for title in _SECTIONS if title in by_who]
    return Group(title=title, sections=sections, quiet=by_who.get(OTHERS, []))


def label(review: Review, finding: Finding) -> str:
    """The severity of a finding, in one word."""
    if finding.accepted:
        return "accepted"
    if review.outcome.next_version and finding.category is Category.WIRE and finding.worst > Level.info:
        return "change"
    return finding.level.name


def way_out(review: Review, finding: Finding) -> str:
    """The advice; empty if a break is accepted or intended."""
    return "" if label(review, finding) in ("accepted", "change") or finding.worst is Level.info else finding.instead


def who(finding: Finding) -> str:
    """The peers that must act on a finding, now or once its RFD is completed."""
    if finding.category is Category.LINT:
        return SCHEMA
    if finding.worst is Level.info and not finding.accepted:
        return OTHERS
    if finding.category is Category.SOURCE:
        return PYTHON
    return WHO[affected(finding) or ("client", "agent")]


def step_json(old: str, new: str, found: Review) -> str:
    """One step of a changelog as a line of JSON."""
    release = found.outcome.release
    return (
        as_json(
            {
                "from": old,
                "to": new,
                "version": json_version(release) if release is not None else None,
                "notCompared": [str(gap) for gap in found.outcome.gaps],
                "notes": list(found.notes),
                "findings": [finding_json(finding) for finding in found.outcome.findings],
            }
        )
        + "\n"
    )


# --- release notes --------------------------------------------------------------------------------------------------------

_BREAKING = {
    ("client", "agent"): "Breaking for agents and clients",
    ("agent",): "Breaking for agents",
    ("client",): "Breaking for clients",
}


def _notes(outcome: Outcome) -> list[str]:
    """Sentences for release notes, the most severe first."""
    wire = [finding for finding in outcome.findings if finding.category is Category.WIRE]
    if not wire:
        return ["Nothing changed on the wire."]
    version = str(outcome.release or "")
    notes = [f"{version[:1].upper()}{version[1:]}."]
    breaks = [f for f in wire if f.level is Level.error or f.accepted]
    for peers, words in _BREAKING.items():
        notes += _sentence(words, [f for f in breaks if (affected(f) or ("client", "agent")) == peers])
    rest = [f for f in wire if f not in breaks]
    notes += _sentence("Read differently", [f for f in rest if f.level is Level.warning])
    quiet = [f for f in rest if f.level is Level.info and f.id not in REPEATS]
    for words in ("New", "Deprecated", "Also changed"):
        notes += _sentence(words, [f for f in quiet if _news(f) == words])
    return notes


def _news(finding: Finding) -> str:
    """The name of a change that breaks nobody, for release notes."""
    if finding.family == "deprecation":
        return "Deprecated" if finding.id.endswith("-added") else "Also changed"
    return "New" if "-added" in finding.id else "Also changed"


REPEATS = frozenset({"stable-without-rfd"})
"""Rules that only repeat another finding in more detail."""

_MOST = 12


def _sentence(words: str, findings: Iterable[Finding]) -> list[str]:
    found = list(dict.fromkeys(finding.message for finding in findings))
    if not found:
        return []
    rest = f"; and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return [f"{words}: {'; '.join(found[:_MOST])}{rest}."]
