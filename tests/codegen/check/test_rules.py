"""Every rule has a fixture that trips it and one that comes near and does not; both state all findings exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.check.rules import RULES
from codegen.findings.finding import Level
from codegen.findings.rule import Effect, Rule

from .support import FIXTURES, run, shown

# Rules whose opposite needs no rule, with the reason.
WITHOUT_MIRROR = {
    "meaning-reworded": "the reverse is the same change",
    "error-code-reassigned": "the reverse is the same change",
    "method-renamed": "the reverse of a rename is a rename",
    "method-side-changed": "the reverse is the same change",
    "method-kind-changed": "the reverse is the same change",
    "capability-gate-changed": "the reverse is the same change",
    "property-renamed": "the reverse of a rename is a rename",
    "property-type-changed": "the reverse is the same change",
    "map-value-changed": "the reverse is the same change",
    "const-changed": "the reverse is the same change",
    "default-changed": "the reverse is the same change",
    "union-tag-value-changed": "the reverse is the same change",
    "union-tag-property-changed": "the reverse is the same change",
    "union-default-variant-changed": "the reverse is the same change",
    "type-renamed": "the reverse of a rename is a rename",
    "alias-became-object": "the reverse is given by the same rule",
    "python-name-changed": "the reverse is the same change",
    "handshake-changed": "the reverse is the same change",
    "cancel-changed": "the reverse is the same change",
    "ordering-changed": "the reverse is the same change",
    "interrupt-changed": "the reverse is the same change",
    "sessions-changed": "the reverse is the same change",
    "lists-changed": "the reverse is the same change",
    "permission-changed": "the reverse is the same change",
    "handles-changed": "the reverse is the same change",
    "reservation-removed": "a name that is reserved breaks nobody",
    "deprecation-shortened": "a longer window breaks nobody",
    "trace-changed": "the reverse is the same change",
    "remote-changed": "the reverse is the same change",
    "update-changed": "the reverse is the same change",
    "stable-became-unstable": "what becomes stable is an addition to the stable protocol and breaks nobody",
    "stable-without-rfd": "what is gone from the stable protocol has rules of its own",
    "rfd-withdrawn": "a new RFD is given by its parts, each of which stands somewhere",
    "rfd-stage-reversed": "what becomes stable is an addition to the stable protocol and breaks nobody",
    "capability-shape-changed": "the reverse is the same change",
    "capability-removed": "a new capability is an optional property, which nobody has to be told of twice",
    "capability-default-enabled": "switching a default off is a changed default",
    "union-became-ambiguous": "telling variants apart again breaks nobody",
    "error-code-removed": "a new code is a new value of an open enumeration",
    "type-removed": "a new type breaks no import",
}


@pytest.mark.parametrize("trips", [True, False], ids=["trips", "passes"])
@pytest.mark.parametrize("rule", RULES)
def test_a_fixture_has_exactly_the_findings_it_expects_and_only_the_first_trips_the_rule(
    rule: str, trips: bool
) -> None:
    directory = FIXTURES / rule if trips else FIXTURES / rule / "passes"
    expected = (directory / "expected").read_text()
    assert [shown(finding) for finding in run(directory, rule)] == expected.splitlines()
    assert (f"[{rule}]" in expected) is trips


def test_there_is_no_fixture_without_a_rule() -> None:
    assert {path.name for path in FIXTURES.iterdir()} == set(RULES)


def test_a_rule_about_changes_has_its_mirror_in_the_table_or_a_reason_why_not() -> None:
    changes = [rule for rule in RULES.values() if rule.effect is not Effect.LINT]
    unanswered = [rule.id for rule in changes if rule.mirror is None and rule.id not in WITHOUT_MIRROR]
    assert unanswered == []
    assert [rule.id for rule in changes if rule.mirror is not None and rule.mirror not in RULES] == []
    assert [id_ for id_ in WITHOUT_MIRROR if id_ not in RULES or RULES[id_].mirror is not None] == []


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if rule.mirror is not None], ids=lambda rule: rule.id)
def test_the_fixture_of_a_rule_read_backwards_trips_its_mirror(rule: Rule, tmp_path: Path) -> None:
    (tmp_path / "before.json").write_text((FIXTURES / rule.id / "after.json").read_text())
    (tmp_path / "after.json").write_text((FIXTURES / rule.id / "before.json").read_text())
    assert rule.mirror in {finding.id for finding in run(tmp_path, rule.id)}


def test_a_rule_says_what_it_is_for_and_what_to_do_instead() -> None:
    assert [rule for rule, row in RULES.items() if not row.purpose.endswith(".")] == []
    assert [rule for rule, row in RULES.items() if not row.instead] == []
    assert [rule for rule, row in RULES.items() if not isinstance(row.level, Level)] == []
