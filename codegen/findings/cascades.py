"""Reduces findings to one per edit, by a table of findings that explain other findings.

A row names the explaining findings, the explained findings, and the relation between their places. Explained findings
are dropped. With `folds`, their messages are added to the explaining finding.

`grouped` also combines an edit that is repeated in many definitions, and a missing name that many places use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..diagnostics import (
    COLLISION,
    METHOD_NAME,
    NAME,
    NO_RESPONSE,
    NO_SIDE,
    NOT_DRAFT,
    SIDE,
    SUFFIX,
    UNNAMED,
    UNSATISFIABLE,
)
from ..diagnostics import FAULTS as ALL
from ..document.read import definition_in
from .finding import DIRECTIONS, Category, Direction, Finding, Level

FAULTS, PROJECTION = "faults", "projection"
"""The families of errors in reading, loading or shaping a schema, and in its stable projection."""


class Where(Struct, frozen=True):
    """A relation between the places of two findings: they share a key.

    Keys allow each finding to be looked up instead of compared with all others.
    """

    explains: Callable[[Any], Iterable[Hashable]]
    explained: Callable[[Any], Iterable[Hashable]]


class Which(Struct, frozen=True, kw_only=True):
    """A selection of findings by rule, family and category. Each given criterion must match."""

    rules: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    category: Category | None = None
    least: Level = Level.info
    inside: str = ""
    """Text that the pointer must contain, or after a `!` must not contain."""

    def __contains__(self, finding: Said) -> bool:
        inside = self.inside.removeprefix("!")
        return (
            (not self.rules or finding.rule in self.rules)
            and (not self.families or finding.family in self.families)
            and (self.category is None or finding.category is self.category)
            and finding.worst >= self.least
            and (not inside or (inside in finding.pointer) is not self.inside.startswith("!"))
        )


class Row(Struct, frozen=True):
    """One row of the table."""

    explainer: Which
    explained: Which
    where: Where
    folds: bool = False


def _ways(pointer: str) -> list[str]:
    """A pointer and the pointers of all enclosing parts."""
    return [pointer, *(pointer[:at] for at, char in enumerate(pointer) if char == "/")]


def _variants(pointer: str | None) -> list[str]:
    """A pointer and the pointers of the unions that it is or lies in a variant of."""
    pointer = pointer or ""
    return [pointer, *(pointer[: found.start()] for found in _UNION.finditer(pointer))]


_UNION = re.compile(r"/(?=(?:anyOf|oneOf)/)")

SAME_POINTER = Where(lambda f: [f.pointer], lambda f: [f.pointer])
"""Both findings have the same place."""
SAME_BASE = Where(lambda f: [f.base_pointer], lambda f: [f.base_pointer])
"""Both findings have the same place in the old schema."""
SAME_PART = Where(lambda f: [(f.pointer, f.base_pointer)], lambda f: [(f.pointer, f.base_pointer)])
"""Both findings have the same place in both schemas."""
VARIANT_OF = Where(lambda f: _variants(f.base_pointer), lambda f: [f.base_pointer or ""])
"""The explaining finding is about the same type of the old schema, or one of its variants."""
BELOW = Where(lambda f: _ways(f.pointer), lambda f: [f.pointer])
"""The explaining finding is at the place of the explained one or inside it."""
ON_ONE_PATH = Where(
    lambda f: [("at", f.pointer), *(("in", way) for way in _ways(f.pointer))],
    lambda f: [("in", f.pointer), *(("at", way) for way in _ways(f.pointer))],
)
"""One of the two places is inside the other."""
SAME_RULE_BELOW = Where(lambda f: [(f.rule, way) for way in _ways(f.pointer)], lambda f: [(f.rule, f.pointer)])
"""Both have the same rule, and the explaining finding is at the same place or inside it."""
ANYWHERE = Where(lambda _: [()], lambda _: [()])
"""Both findings are about the same schema."""


def _rules(*ids: str, inside: str = "", least: Level = Level.info) -> Which:
    return Which(rules=frozenset(ids), inside=inside, least=least)


def _families(*names: str) -> Which:
    return Which(families=frozenset(names))


def _fault(*ids: str) -> Which:
    return Which(rules=frozenset(ids), families=frozenset({FAULTS, PROJECTION}))


def _faults_but(id_: str) -> Which:
    return Which(rules=frozenset(fault.id for fault in ALL) - {id_}, families=frozenset({FAULTS, PROJECTION}))


_TYPE_CHANGED = _rules("property-type-changed", "capability-shape-changed")
_NULL = ("property-became-nullable", "property-became-not-nullable")
_PROPERTY = Which(
    families=frozenset({"properties", "types", "defaults", "leniency", "constraints", "capabilities"}),
    inside="/properties/",
)

TABLE: tuple[Row, ...] = (
    # Of a new type nobody expects the old default, or the old answer to null.
    Row(_TYPE_CHANGED, _families("defaults"), SAME_BASE),
    Row(_TYPE_CHANGED, _rules(*_NULL, inside="!/properties/"), SAME_BASE),
    # What messages look like matters more than what the class is called.
    Row(Which(category=Category.WIRE), _rules("alias-became-object"), VARIANT_OF),
    # A request that nothing gates, or no longer, says by this very edit no `x-capability`.
    Row(
        _rules("request-added-ungated", "capability-gate-changed", least=Level.warning),
        _rules("capability-missing"),
        SAME_POINTER,
    ),
    # A name that cannot be used need not be spelled well, too.
    Row(_fault(NAME.id), _rules("property-not-camel-case"), SAME_POINTER),
    Row(_fault(METHOD_NAME.id), _rules("method-name-format"), SAME_POINTER),
    # Lints and loading meet the same mistake; the lint knows more about it. Of the meta-schema loading knows more.
    Row(Which(category=Category.LINT, least=Level.error), _faults_but(NOT_DRAFT.id), SAME_RULE_BELOW),
    Row(_rules("union-tag-duplicate", least=Level.error), _fault(COLLISION.id, UNSATISFIABLE.id), BELOW),
    Row(_rules("union-tag-not-required", least=Level.error), _fault(UNNAMED.id), BELOW),
    Row(_rules(NO_SIDE.id, SIDE.id, SUFFIX.id, NO_RESPONSE.id), _fault(NO_RESPONSE.id), ANYWHERE),
    # The meta-schema repeats, in its words, what has been said about the place.
    Row(
        Which(category=Category.LINT, least=Level.error),
        Which(rules=frozenset({NOT_DRAFT.id}), families=frozenset({"shapes"})),
        ON_ONE_PATH,
    ),
    # A schema with errors has a stable projection with errors.
    Row(Which(least=Level.error, category=Category.LINT), _families(PROJECTION), ANYWHERE),
    # What several rules say of one property is one edit; the worst of them speaks first.
    Row(_PROPERTY, _PROPERTY, SAME_PART, folds=True),
)


MEANT = Where(lambda note: [(*note.path, note.near)], lambda note: [note.path])
"""The explained note is about the key that the explaining one reports as misspelt."""

MESSAGES: tuple[Row, ...] = (
    # A required property that is missing because its name is misspelt: the misspelt one need not be reported as undeclared.
    Row(
        _rules("params-invalid", "result-invalid", "error-invalid", "value-invalid"),
        _rules("property-undeclared"),
        MEANT,
    ),
)
"""The table for findings of `validate` in one value."""


class Said(Protocol):
    """The interface of a finding or a note for a row."""

    @property
    def rule(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def category(self) -> Category: ...
    @property
    def worst(self) -> Level: ...
    @property
    def pointer(self) -> str: ...


S = TypeVar("S", bound=Said)


def unexplained(said: Iterable[S], table: Sequence[Row] = MESSAGES) -> list[S]:
    """The findings or notes that no other explains, in order."""
    kept = list(said)
    for row in table:
        kept = _dropped(row, kept, _excused_none)
    return kept


def _excused_none(_finding: Any) -> bool:
    return False


def explained(
    findings: Iterable[Finding],
    excused: Callable[[Finding], bool] = _excused_none,
    table: Sequence[Row] = TABLE,
) -> list[Finding]:
    """The findings that no other explains, without duplicates, in the order of the file.

    `excused`: whether a finding is suppressed. An error that prevents generation cannot be suppressed, so it is only
    dropped for a visible finding.
    """
    # A text counts once at a place.
    kept = list({(f.rule, f.pointer, f.base_pointer, f.message): f for f in findings}.values())
    for row in table:
        kept = (_folded if row.folds else _dropped)(row, kept, excused)
    return sorted(kept, key=Finding.order)


def _dropped(row: Row, findings: Sequence[S], excused: Callable[[S], bool]) -> list[S]:
    explainers = [f for f in findings if f in row.explainer and f not in row.explained]
    if not explainers:
        return list(findings)
    known = _worst(row, explainers)
    shown: dict[Hashable, Level] = {}
    if any(f.family in (FAULTS, PROJECTION) for f in findings):
        shown = _worst(row, (explainer for explainer in explainers if not excused(explainer)))

    def is_explained(finding: S) -> bool:
        levels = shown if finding.family in (FAULTS, PROJECTION) else known
        if finding not in row.explained:
            return False
        return any(levels[key] >= finding.worst for key in row.where.explained(finding) if key in levels)

    return [f for f in findings if not is_explained(f)]


def _worst(row: Row, explainers: Iterable[Said]) -> dict[Hashable, Level]:
    """The highest severity of the explaining findings, by place. A finding never explains a more severe one."""
    found: dict[Hashable, Level] = {}
    for explainer in explainers:
        for key in row.where.explains(explainer):
            found[key] = max(explainer.worst, found.get(key, Level.info))
    return found


def _folded(row: Row, findings: Sequence[Finding], _excused: Callable[[Finding], bool]) -> list[Finding]:
    """The findings, with all findings of one part folded into the most severe one."""
    families: list[list[Finding]] = []
    first: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        keys = row.where.explained(finding) if finding in row.explained else ()
        family = next((first[key] for key in keys if key in first), None)
        if family is not None and family[0] in row.explainer:
            family.append(finding)
            continue
        families.append([finding])
        for key in row.where.explains(finding):
            first.setdefault(key, families[-1])
    return [_merged(family) for family in families]


_FIRST = frozenset({"property-renamed", "property-type-changed", "property-type-narrowed", "property-type-widened"})
"""Rules that come first among equally severe findings."""


def _merged(findings: Sequence[Finding]) -> Finding:
    worst, *rest = sorted(findings, key=lambda finding: (-finding.worst, -finding.level, finding.id not in _FIRST))
    if not rest:
        return worst
    level, later = (max(each) for each in zip(*((f.level, f.at_completion) for f in findings), strict=True))
    details = [finding.message.removeprefix(f"{worst.subject} ").removeprefix(f"{worst.subject}: ") for finding in rest]
    return replace(
        worst,
        level=level,
        completed=later if later != level else None,
        message="; ".join([worst.message, *details]),
        directions=in_order(d for f in findings for d in f.directions),
        breaks=tuple(dict.fromkeys(who for f in (worst, *rest) if f.worst == worst.worst for who in f.breaks)),
        costs=tuple(dict.fromkeys(cost for f in (worst, *rest) for cost in f.costs)),
    )


def in_order(directions: Iterable[Direction]) -> tuple[Direction, ...]:
    """Directions without duplicates, in the standard order."""
    given = set(directions)
    return tuple(d for d in DIRECTIONS if d in given)


ONE_CAUSE = frozenset({"ref-unresolved", "rfd-unknown"})
"""Rules whose findings with equal texts have one cause: the missing part."""


def grouped(findings: Sequence[Finding], least: int = 4) -> list[Finding]:
    """Group findings: one for an edit that was made to equally named properties of many definitions, and one for a
    missing part that many places name.
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
        owners = [f.subject.rpartition(".")[0] or definition_in(f.pointer) or "the root" for f in rest]
        others = list(dict.fromkeys(owners))
        shown = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        found.append(
            replace(
                first,
                message=f"{first.message} (also in {shown})",
                breaks=tuple(dict.fromkeys(who for f in family for who in f.breaks)),
                costs=tuple(dict.fromkeys(cost for f in family for cost in f.costs)),
                directions=tuple(d for d in DIRECTIONS if any(d in f.directions for f in family)),
                via=tuple(sorted({message for f in family for message in f.via})),
                also=tuple(f.pointer for f in rest),
            )
        )
    return sorted(found, key=Finding.order)
