"""Rules whose findings are made elsewhere: what reading, loading and shaping refuse, and what is wrong with extensions."""

from __future__ import annotations

from collections.abc import Collection

from ...faults import FAULTS
from ...findings.rule import Rule
from ..extension_rules import RULES as EXTENSION_RULES
from ..schemas import Loaded
from .rows import fault_lint, lint, silent

EXTENSIONS = tuple(
    lint("extensions", row.id, row.level, Loaded, silent, row.purpose, row.instead) for row in EXTENSION_RULES
)


def faults(told: Collection[str]) -> tuple[Rule, ...]:
    """A row for each fault that no lint of the same name tells already."""
    return tuple(fault_lint("faults", fault, Loaded, silent) for fault in FAULTS if fault.id not in told)
