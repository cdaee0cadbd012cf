"""Every rule has a fixture that trips it and one that comes near and does not; both state all findings exactly."""

from __future__ import annotations

import shutil
from difflib import unified_diff
from pathlib import Path

import pytest

from codegen.check.fixes import FIXES, fix
from codegen.check.rules import RULES
from codegen.findings.finding import Level
from codegen.findings.rule import Effect, Rule

from .support import FIXTURES, document, run, shown, told

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
    "tunnel-changed": "the reverse is the same change",
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


# Rules without a single remedy, by the reason.
WITHOUT_FIX = {
    rule: reason
    for reason, rules in {
        "an addition breaks nobody, or needs a capability or an RFD that the author chooses": """request-added request-added-ungated notification-added optional-property-added former-name-added default-added leniency-added additional-properties-opened enum-value-added union-variant-added requirement-added deprecated-added deprecated-removed stable-without-rfd""",
        "the author chooses between two remedies": """def-unused required-with-default unsafe-integer value-excluded one-of-overlap duplicate-key keyword-misplaced null-meaning-unstated update-unsaid required-endless union-tag-duplicate union-untagged method-duplicate python-name-collision variant-unnamed unknown-extension-keyword requirement-coverage-unknown suppression-unused rfd-withdrawn python-name-changed type-contains-itself type-unsatisfiable default-invalid example-invalid""",
        "the author knows the name that is missing; a misspelling has a fix": """ref-unresolved capability-unknown capability-missing side-invalid method-without-side method-type-suffix required-undeclared root-keyword-unresolved requirement-unresolved unsupported-keyword reserved-name-used python-name-invalid method-name-invalid former-name-invalid""",
        "only the author can write the text": """request-without-response requirement-uncovered requirement-missing rfd-text-unbound deprecation-invalid def-undocumented property-undocumented value-undocumented root-keyword-invalid rfd-entry-invalid requirement-invalid extension-keyword-value update-invalid""",
        "only the author can write the schema": """not-draft-2020-12 pattern-dangerous pattern-invalid not-json nested-too-deep limit-exceeded definitions-missing construct-unsupported""",
        "the fix is another file: an extension, or the ledger": """extension-method-name extension-narrows extension-alters extension-capability extension-removes extension-invalid extension-target extension-conflict accepted-break-over""",
        "the language server offers to write the example (tests/codegen/lsp)": """example-missing""",
    }.items()
    for rule in rules.split()
}


@pytest.mark.parametrize("trips", [True, False], ids=["trips", "passes"])
@pytest.mark.parametrize("rule", RULES)
def test_a_fixture_has_exactly_the_findings_it_expects_and_only_the_first_trips_the_rule(
    rule: str, trips: bool
) -> None:
    directory = FIXTURES / rule if trips else FIXTURES / rule / "passes"
    expected = (directory / "expected").read_text()
    assert "\n".join(told(finding) for finding in run(directory, rule)) == expected.rstrip("\n")
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


def fixed(rule: str, directory: Path) -> str:
    """The titles and edits of all fixes of a rule, one after the other, which are made in a copy of its fixture."""
    after, before = directory / "after.json", directory / "before.json"
    old = document(before) if before.exists() else None
    lines: list[str] = []
    for _ in [finding for finding in run(directory, rule) if finding.id == rule]:
        left = [finding for finding in run(directory, rule) if finding.id == rule]
        made = next(filter(None, (fix(finding, document(after), old) for finding in left)), None)
        if made is not None:
            texts = (text.decode().splitlines() for text in (after.read_bytes(), made[1]))
            lines += [
                made[0].title + (" (safe)" if made[0].safe else ""),
                *[*unified_diff(*texts, n=0, lineterm="")][2:],
            ]
            after.write_bytes(made[1])
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("rule", FIXES)
def test_the_fixes_of_a_rule_make_exactly_these_edits_and_leave_no_finding_of_it(rule: str, tmp_path: Path) -> None:
    """A text that the author has yet to write is still a finding."""
    directory = shutil.copytree(FIXTURES / rule, tmp_path / rule)
    assert fixed(rule, directory) == (FIXTURES / rule / "fixed").read_text()
    left = [shown(finding) for finding in run(directory, rule) if finding.id == rule]
    assert bool(left) is (rule in WITHOUT_FIX)


def test_each_rule_has_a_fix_or_a_reason_why_it_has_none() -> None:
    assert [rule for rule in RULES if rule not in FIXES and rule not in WITHOUT_FIX] == []
    assert [rule for rule in (*FIXES, *WITHOUT_FIX) if rule not in RULES] == []
