"""Many findings alike are one, which names the others."""

from __future__ import annotations

from codegen.findings.cascades import grouped
from codegen.findings.finding import Category, Finding, Level, Place


def removed(line: int, owner: str) -> Finding:
    return Finding(
        id="optional-property-removed",
        level=Level.warning,
        category=Category.WIRE,
        pointer=f"/$defs/Base{line}/properties/x",
        place=Place("schema.json", line, 1),
        message=f"{owner}.x was removed",
        instead="keep it",
        subject=f"{owner}.x",
    )


def test_one_edit_of_many_definitions_names_those_that_its_words_are_about() -> None:
    (finding,) = grouped([removed(line, owner) for line, owner in enumerate("ABCDEF", 1)])
    assert "B, C, D and 2 more" in finding.message
