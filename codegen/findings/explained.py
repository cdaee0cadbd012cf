"""One edit, one finding: the table of which finding explains which, and the one place that applies it.

A row names the findings that explain, the findings they explain, and how the places of the two are related. An explained
finding is dropped; with `folds` its message is added to the one that explains it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..faults import COLLISION, METHOD_NAME, NAME, NO_RESPONSE, NO_SIDE, NOT_DRAFT, SIDE, SUFFIX, UNNAMED, UNSATISFIABLE
from ..faults import FAULTS as ALL
from .finding import DIRECTIONS, Category, Direction, Finding, Level

FAULTS, PROJECTION = "faults", "projection"
"""The families of what reading, loading or shaping a schema refused, and of what its stable projection refused."""

Where = Callable[[Finding, Finding], bool]
"""Whether an explaining finding and an explained one stand where the row asks for it."""


class Which(Struct, frozen=True, kw_only=True):
    """Some findings: by rule, by family, by category; each that is given must fit."""

    rules: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    category: Category | None = None
    least: Level = Level.info
    inside: str = ""
    """What the pointer must hold, or, after a `!`, must not hold."""

    def __contains__(self, finding: Finding) -> bool:
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


def same_pointer(explainer: Finding, explained: Finding) -> bool:
    """Both findings stand at one place."""
    return explainer.pointer == explained.pointer


def same_base(explainer: Finding, explained: Finding) -> bool:
    """Both findings are about one place of the old schema."""
    return explainer.base_pointer == explained.base_pointer


def same_part(explainer: Finding, explained: Finding) -> bool:
    """Both findings are about one part, in both schemas."""
    return same_pointer(explainer, explained) and same_base(explainer, explained)


def variant_of(explainer: Finding, explained: Finding) -> bool:
    """The explaining finding is about the same type of the old schema, or about a variant of it."""
    base, other = explained.base_pointer or "", explainer.base_pointer or ""
    return other == base or other.startswith((f"{base}/anyOf/", f"{base}/oneOf/"))


def below(explainer: Finding, explained: Finding) -> bool:
    """The explaining finding stands at the place of the explained one or inside it."""
    return f"{explainer.pointer}/".startswith(f"{explained.pointer}/")


def on_one_path(explainer: Finding, explained: Finding) -> bool:
    """One of the two places is inside the other."""
    return below(explainer, explained) or below(explained, explainer)


def same_rule_below(explainer: Finding, explained: Finding) -> bool:
    """One rule found both, and the explaining finding stands at the place of the other or inside it."""
    return explainer.rule == explained.rule and below(explainer, explained)


def anywhere(_explainer: Finding, _explained: Finding) -> bool:
    """Both findings are about one schema."""
    return True


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
    Row(_TYPE_CHANGED, _families("defaults"), same_base),
    Row(_TYPE_CHANGED, _rules(*_NULL, inside="!/properties/"), same_base),
    # What messages look like matters more than what the class is called.
    Row(Which(category=Category.WIRE), _rules("alias-became-object"), variant_of),
    # A request that nothing gates, or no longer, says by this very edit no `x-capability`.
    Row(
        _rules("request-added-ungated", "capability-gate-changed", least=Level.warning),
        _rules("capability-missing"),
        same_pointer,
    ),
    # A name that cannot be used need not be spelled well, too.
    Row(_fault(NAME.id), _rules("property-not-camel-case"), same_pointer),
    Row(_fault(METHOD_NAME.id), _rules("method-name-format"), same_pointer),
    # Lints and loading meet the same mistake; the lint knows more about it. Of the meta-schema loading knows more.
    Row(Which(category=Category.LINT, least=Level.error), _faults_but(NOT_DRAFT.id), same_rule_below),
    Row(_rules("union-tag-duplicate", least=Level.error), _fault(COLLISION.id, UNSATISFIABLE.id), below),
    Row(_rules("union-tag-not-required", least=Level.error), _fault(UNNAMED.id), below),
    Row(_rules(NO_SIDE.id, SIDE.id, SUFFIX.id, NO_RESPONSE.id), _fault(NO_RESPONSE.id), anywhere),
    # The meta-schema repeats, in its words, what has been said about the place.
    Row(
        Which(category=Category.LINT, least=Level.error),
        Which(rules=frozenset({NOT_DRAFT.id}), families=frozenset({"shapes"})),
        on_one_path,
    ),
    # A schema with errors has a stable projection with errors.
    Row(Which(least=Level.error, category=Category.LINT), _families(PROJECTION), anywhere),
    # What several rules say of one property is one edit; the worst of them speaks first.
    Row(_PROPERTY, _PROPERTY, same_part, folds=True),
)


def _excused_none(_finding: Finding) -> bool:
    return False


def explained(
    findings: Iterable[Finding],
    excused: Callable[[Finding], bool] = _excused_none,
    table: Sequence[Row] = TABLE,
) -> list[Finding]:
    """The findings that no other explains, each once, in the order of the file.

    `excused`: whether a finding is suppressed. What keeps a package from being made cannot be suppressed, and so needs a
    finding that is shown to explain it.
    """
    kept = _once(findings)
    for row in table:
        kept = (_folded if row.folds else _dropped)(row, kept, excused)
    return sorted(kept, key=Finding.order)


def _once(findings: Iterable[Finding]) -> list[Finding]:
    """The findings without those that say the same of the same place."""
    return list({(f.rule, f.pointer, f.base_pointer, f.message): f for f in findings}.values())


def _dropped(row: Row, findings: Sequence[Finding], excused: Callable[[Finding], bool]) -> list[Finding]:
    explainers = [f for f in findings if f in row.explainer and f not in row.explained]
    if not explainers:
        return list(findings)

    def explains(explainer: Finding, finding: Finding) -> bool:
        silent = finding.family in (FAULTS, PROJECTION) and excused(explainer)
        return row.where(explainer, finding) and not silent

    return [f for f in findings if f not in row.explained or not any(explains(e, f) for e in explainers)]


def _folded(row: Row, findings: Sequence[Finding], _excused: Callable[[Finding], bool]) -> list[Finding]:
    """The findings, with those of one part as one, by the worst of them."""
    families: list[list[Finding]] = []
    for finding in findings:
        family = next((f for f in families if finding in row.explained and row.where(f[0], finding)), None)
        if family is not None and family[0] in row.explainer:
            family.append(finding)
        else:
            families.append([finding])
    return [_merged(family) for family in families]


_FIRST = frozenset({"property-renamed", "property-type-changed", "property-type-narrowed", "property-type-widened"})
"""What speaks first where several findings are as bad."""


def _merged(findings: Sequence[Finding]) -> Finding:
    worst, *rest = sorted(findings, key=lambda finding: (-finding.level, -finding.worst, finding.id not in _FIRST))
    if not rest:
        return worst
    details = [finding.message.removeprefix(f"{worst.subject} ").removeprefix(f"{worst.subject}: ") for finding in rest]
    return replace(
        worst,
        message="; ".join([worst.message, *details]),
        directions=in_order(d for f in findings for d in f.directions),
        breaks=tuple(dict.fromkeys(who for f in (worst, *rest) if f.level == worst.level for who in f.breaks)),
    )


def in_order(directions: Iterable[Direction]) -> tuple[Direction, ...]:
    """Directions, each once, as they are always listed."""
    given = set(directions)
    return tuple(d for d in DIRECTIONS if d in given)
