"""Form of the hand-written pages: short lines, short paragraphs, short cells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")))
COLUMNS, PARAGRAPH, CELL = 120, 5, 25
HIDDEN = re.compile(r"<!--.*?-->|^```.*?^```$|^<picture>.*?</picture>$", re.DOTALL | re.MULTILINE)


def problems(text: str) -> list[str]:
    """The lines, paragraphs and table cells of a page that are too long."""
    prose = HIDDEN.sub(lambda hidden: "\n" * hidden[0].count("\n"), text)
    found, paragraph = [], 0
    for number, line in enumerate(prose.splitlines(), 1):
        row, code = line.startswith("|"), line.startswith("    ")
        paragraph = (
            0 if row or code or not line.strip() else 1 if re.match(r" *([-*#]|\d+\.) ", line) else paragraph + 1
        )
        if paragraph == PARAGRAPH + 1:
            found.append(f"{number}: the paragraph has more than {PARAGRAPH} lines")
        if (
            len(line) > COLUMNS
            and not row
            and not code
            and not re.fullmatch(r"\S+|.*!\[.*", re.sub(r"^( *[-*])? *", "", line))
        ):
            found.append(f"{number}: {len(line)} characters")
        cells = re.split(r"(?<!\\)\|", re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", line)) if row else ()
        found += [
            f"{number}: a cell of {words} words" for words in (len(cell.split()) for cell in cells) if words > CELL
        ]
    return found


@pytest.mark.parametrize("page", PAGES)
def test_lines_paragraphs_and_cells_are_short(page: str) -> None:
    assert problems((ROOT / page).read_text(encoding="utf-8")) == []


def test_what_is_too_long_is_found() -> None:
    long = "word " * 30
    text = f"- {long}\n\n" + "line\n" * 6 + f"| a | {long} |\n\n```\n{long}\n```\n<!-- {long} -->\n"
    assert [problem.partition(":")[0] for problem in problems(text)] == ["1", "8", "9"]
