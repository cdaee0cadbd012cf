"""docs/vendoring.md: the table of parts has their sizes as they are."""

from __future__ import annotations

from codegen.emit.parts import PARTS
from scripts.parts_table import BEGIN, PAGE, page


def test_it_is_up_to_date() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "run `make generate`"


def test_it_has_a_row_for_every_part() -> None:
    rows = [
        line for line in PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].splitlines() if line.startswith("| `")
    ]
    assert [row.split("`")[1] for row in rows[: len(PARTS) + 1]] == [*PARTS, "all"]
