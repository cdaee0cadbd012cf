"""The table of rules has each rule once."""

from __future__ import annotations

import pytest

from codegen.check.rules import RULES
from codegen.findings.rule import table


def test_a_rule_is_found_by_its_id() -> None:
    rows = tuple(RULES.values())[:2]
    assert table(rows) == {row.id: row for row in rows}


def test_no_two_rules_have_one_id() -> None:
    (row,) = tuple(RULES.values())[:1]
    with pytest.raises(AssertionError, match="twice"):
        table((row, row))
