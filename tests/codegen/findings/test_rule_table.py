"""The table of rules has each rule once."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import pytest

from codegen.check import rules
from codegen.check.rules import RULES
from codegen.check.rules.rows import Rows
from codegen.findings.finding import Level
from codegen.findings.rule import Text, table, texts


def test_a_rule_is_found_by_its_id() -> None:
    rows = tuple(RULES.values())[:2]
    assert table(rows) == {row.id: row for row in rows}


def test_no_two_rules_have_one_id() -> None:
    (row,) = tuple(RULES.values())[:1]
    with pytest.raises(AssertionError, match="twice"):
        table((row, row))


def test_the_texts_of_a_rule_may_go_over_several_lines() -> None:
    written = """
# family

one-rule (warning)
    What it is about,
    in two lines.
    Says: {p.subject} was removed
    Why: because
    it matters
    Instead: keep it
    Mirror: another-rule

another-rule
    What it is about.
    Instead: nothing to do
"""
    assert texts(written) == {
        "one-rule": Text(
            family="family",
            purpose="What it is about, in two lines.",
            says="{p.subject} was removed",
            reasoning="because it matters",
            instead="keep it",
            mirror="another-rule",
            level=Level.warning,
        ),
        "another-rule": Text(family="family", purpose="What it is about.", instead="nothing to do"),
    }


def test_no_two_texts_have_one_id() -> None:
    with pytest.raises(AssertionError, match="two texts"):
        texts("one-rule\n    Once.\n    Instead: no\none-rule\n    Twice.\n    Instead: no\n")


@pytest.mark.parametrize("missing", ["purpose", "instead"])
def test_a_rule_has_a_purpose_and_a_way_out(missing: str) -> None:
    lines = {"purpose": "    What it is about.\n", "instead": "    Instead: keep it\n"}
    with pytest.raises(TypeError, match=missing):
        texts("one-rule\n" + "".join(line for name, line in lines.items() if name != missing))


def test_every_text_has_a_row() -> None:
    modules = [import_module(f"{rules.__name__}.{each.name}") for each in iter_modules(rules.__path__)]
    written = [each for module in modules for each in vars(module).values() if isinstance(each, Rows)]
    assert len(written) >= 15
    assert {id_ for each in written for id_ in each.texts} <= RULES.keys()
