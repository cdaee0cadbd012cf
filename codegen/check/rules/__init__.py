"""The rule table: one small module per family, one row per rule.

Compatibility rules compare two schemas:

methods        methods added, removed, renamed, moved, or gated otherwise
properties     properties added, removed, renamed; required or not; defaults and leniency
types          types changed, narrowed, widened; bounds; objects and maps
unions         enumerations and unions: values, variants, tags, open and closed
agreements     the keywords of the root: handshake, cancellation, order, stages of RFDs
requirements   requirements of RFDs and vendors
meanings       error codes and statements in prose
source         names that programs import
deprecations   deprecation marks

Lints judge one schema:

declarations   keywords, references, methods, capabilities and RFDs
documentation  names and descriptions
conventions    leniency, null, named types and formats that similar properties have
shapes         unions without discriminators, invalid defaults, integers that are too large
values         values that can never be sent
examples       the example messages beside a schema
suppressions   suppressions and accepted breaks without use
extensions     extension documents: changes that vendors may make

Tables:

rows           constructors of rows
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
