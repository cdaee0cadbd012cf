"""The rule table: one small module per family, one row per rule.

Compatibility rules compare two schemas:

methods        rules of methods added, removed, renamed, moved or gated otherwise
properties     rules of properties: added, removed, renamed, required; defaults and leniency. Each rules module has ids,
               texts, effects and caps of levels
types          rules of types changed, narrowed or widened; bounds, objects, maps
unions         rules of enumerations and unions: values, variants, tags, openness
agreements     rules of root keywords: handshake, cancellation, order, sessions, updates, stages of RFDs
requirements   rules of requirements, their changes, and whether the named tests exist
meanings       rules of error codes and statements in prose
source         rules of names that programs import
deprecations   rules of deprecation marks and reserved names

Lints judge one schema:

declarations   lints of keywords, references, methods, sides, capabilities and RFDs
documentation  lints of missing descriptions, case of names, `_meta`, and statements about null
conventions    lints of properties unlike similar ones: leniency, null, ids without a named type, times without a format
shapes         lints of unions without discriminators, invalid defaults, integers that are too large
values         lints of values that can never be sent
examples       lints of missing and invalid example messages
suppressions   lints of unused suppressions and ended accepted breaks
extensions     the changes that a vendor's extension may make

Tables:

rows           constructors of rows: how text, effect and check become a rule
"""

from __future__ import annotations

from collections.abc import Mapping

from ...diagnostics import FAULTS
from ...findings.rule import Effect, Rule, silent, table
from ..parts.schemas import Loaded
from . import (
    agreements,
    conventions,
    declarations,
    deprecations,
    documentation,
    examples,
    extensions,
    meanings,
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
from .rows import fault_lint

_OF_CHANGES = (methods, properties, types, unions, agreements, requirements, meanings, source, deprecations)
_OF_ONE_SCHEMA = (declarations, documentation, conventions, shapes, values, examples, extensions, suppressions)
_JUDGES: tuple[Rule, ...] = tuple(row for family in (*_OF_CHANGES, *_OF_ONE_SCHEMA) for row in family.ROWS)
_TOLD = {row.id for row in _JUDGES}
ROWS = (*_JUDGES, *(fault_lint("faults", fault, Loaded, silent) for fault in FAULTS if fault.id not in _TOLD))
"""All rules. Errors of reading, loading and shaping are included unless a lint has the same name."""


def _by_type(rows: tuple[Rule, ...]) -> Mapping[type, tuple[Rule, ...]]:
    found: dict[type, tuple[Rule, ...]] = {}
    for row in rows:
        found[row.on] = (*found.get(row.on, ()), row)
    return found


RULES = table(ROWS)
COMPATIBILITY = _by_type(tuple(row for row in ROWS if row.effect is not Effect.LINT))
LINTS = _by_type(tuple(row for row in ROWS if row.effect is Effect.LINT))
