"""Every rule has a file that trips it and one that comes near and does not; the first states all its findings exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.check.rules import RULES as SCHEMA_RULES
from codegen.findings.finding import Level
from codegen.findings.rule import Effect
from codegen.validate.results.rules import RULES as TABLE

from .support import RULES, ids, of_file, shown


def fixture(rule: str, kind: str) -> Path:
    (found,) = (RULES / rule).glob(f"{kind}.*")
    return found


@pytest.mark.parametrize("rule", TABLE)
def test_what_trips_a_rule_has_exactly_the_findings_it_expects(rule: str) -> None:
    found = [shown(finding) for finding in of_file(fixture(rule, "trips"))]
    assert found == (RULES / rule / "expected").read_text().splitlines()
    assert any(f"[{rule}]" in line for line in found)


@pytest.mark.parametrize("rule", TABLE)
def test_what_comes_near_a_rule_has_no_finding(rule: str) -> None:
    assert ids(of_file(fixture(rule, "passes"))) == []


def test_there_is_no_fixture_without_a_rule() -> None:
    assert {path.name for path in RULES.iterdir()} == set(TABLE)


def test_no_rule_has_the_name_of_a_rule_about_schemas() -> None:
    assert set(TABLE) & set(SCHEMA_RULES) == set()


@pytest.mark.parametrize("rule", TABLE)
def test_a_rule_says_what_it_is_for_and_what_to_do_instead(rule: str) -> None:
    row = TABLE[rule]
    assert row.effect is Effect.MESSAGE
    assert row.purpose.endswith(".")
    assert row.instead
    assert isinstance(row.level, Level)
