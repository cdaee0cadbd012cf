"""The rule table: one small module per family, one row per rule."""

from __future__ import annotations

from collections.abc import Mapping

from ...findings.rule import Effect, Rule, table
from . import (
    agreements,
    conventions,
    declarations,
    deprecations,
    documentation,
    elsewhere,
    examples,
    methods,
    properties,
    requirements,
    shapes,
    source,
    suppressions,
    types,
    unions,
    values,
)

_JUDGES: tuple[Rule, ...] = (
    *methods.ROWS,
    *properties.ROWS,
    *types.ROWS,
    *unions.ROWS,
    *agreements.ROWS,
    *requirements.ROWS,
    *source.ROWS,
    *deprecations.ROWS,
    *declarations.ROWS,
    *documentation.ROWS,
    *conventions.ROWS,
    *shapes.ROWS,
    *values.ROWS,
    *examples.ROWS,
    *elsewhere.EXTENSIONS,
    *suppressions.ROWS,
)
ROWS = (*_JUDGES, *elsewhere.faults({row.id for row in _JUDGES}))


def _by_type(rows: tuple[Rule, ...]) -> Mapping[type, tuple[Rule, ...]]:
    found: dict[type, tuple[Rule, ...]] = {}
    for row in rows:
        found[row.on] = (*found.get(row.on, ()), row)
    return found


RULES = table(ROWS)
COMPATIBILITY = _by_type(tuple(row for row in ROWS if row.effect is not Effect.LINT))
LINTS = _by_type(tuple(row for row in ROWS if row.effect is Effect.LINT))
