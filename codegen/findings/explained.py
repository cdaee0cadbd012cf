"""What is one edit is one finding: what rules say of one property from several sides, and lints of what a rule tells anyway."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from .finding import DIRECTIONS, Direction, Finding

ONE_EDIT = frozenset({"properties", "types", "defaults", "leniency", "constraints", "capabilities"})
"""The families of rules that look at one property, each from its own side."""

TYPES = frozenset({"property-renamed", "property-type-changed", "property-type-narrowed", "property-type-widened"})
"""What is told first where several things are as bad."""


def of_one_property(findings: Sequence[tuple[str, Finding]]) -> list[Finding]:
    """Findings, given with the family of their rule; what is said of one property is one, by the worst of them."""
    places: dict[tuple[str, str | None], list[Finding]] = {}
    found: list[Finding] = []
    for family, finding in findings:
        if family in ONE_EDIT and "/properties/" in finding.pointer:
            places.setdefault((finding.pointer, finding.base_pointer), []).append(finding)
        else:
            found.append(finding)
    return [*found, *(_merged(each) for each in places.values())]


def _merged(findings: Sequence[Finding]) -> Finding:
    worst, *rest = sorted(findings, key=lambda finding: (-finding.level, finding.id not in TYPES))
    if not rest:
        return worst
    details = [finding.message.removeprefix(f"{worst.subject} ").removeprefix(f"{worst.subject}: ") for finding in rest]
    return replace(
        worst,
        message="; ".join([worst.message, *details]),
        directions=in_order(d for f in findings for d in f.directions),
        breaks=tuple(dict.fromkeys(who for f in (worst, *rest) if f.level == worst.level for who in f.breaks)),
    )


def ungated_once(findings: Sequence[Finding]) -> list[Finding]:
    """A request that nothing gates, or no longer, is told by what it breaks, not also by what it does not say."""
    told = {
        finding.pointer for finding in findings if finding.id in ("request-added-ungated", "capability-gate-changed")
    }
    return [f for f in findings if f.id != "capability-missing" or f.pointer not in told]


def in_order(directions: Iterable[Direction]) -> tuple[Direction, ...]:
    """Directions, each once, as they are always listed."""
    given = set(directions)
    return tuple(d for d in DIRECTIONS if d in given)
