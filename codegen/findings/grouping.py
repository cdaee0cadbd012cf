"""One finding in place of many alike: one edit repeated in many definitions, one missing thing that many places name."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ..document.read import pointer_parts
from .finding import DIRECTIONS, Finding, Level

ONE_CAUSE = frozenset({"ref-unresolved", "rfd-unknown"})
"""Rules of which findings in the same words have one cause: what is missing there."""


def grouped(findings: Sequence[Finding], least: int = 4) -> list[Finding]:
    """One finding, at the first place of it, for one edit made to the properties of one name in many definitions, and
    for one missing thing that many places name.
    """
    families: dict[tuple[str, str, str, Level, Level], list[Finding]] = {}
    for finding in sorted(findings, key=Finding.order):
        _, dot, name = finding.subject.rpartition(".")
        if dot:
            words = finding.message.replace(finding.subject, name) + finding.alike
        else:
            words = finding.message if finding.id in ONE_CAUSE else finding.pointer + finding.message
        key = (finding.id, finding.rfd, words, finding.level, finding.at_completion)
        families.setdefault(key, []).append(finding)
    found: list[Finding] = []
    for family in families.values():
        first, *rest = family
        if len(family) < (2 if first.id in ONE_CAUSE else least):
            found += family
            continue
        owners = [f.subject.rpartition(".")[0] or _definition(f.pointer) for f in rest]
        others = list(dict.fromkeys(owners))
        shown = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        found.append(
            replace(
                first,
                message=f"{first.message} (also in {shown})",
                breaks=tuple(dict.fromkeys(who for f in family for who in f.breaks)),
                directions=tuple(d for d in DIRECTIONS if any(d in f.directions for f in family)),
                via=tuple(sorted({message for f in family for message in f.via})),
                also=tuple(f.pointer for f in rest),
            )
        )
    return sorted(found, key=Finding.order)


def _definition(pointer: str) -> str:
    """The definition that a pointer leads into, in words."""
    steps = pointer_parts(pointer)
    return steps[1] if len(steps) > 1 and steps[0] == "$defs" else "the root"
