"""docs/schema.md: its programs run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "schema.md").read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_does_what_it_asserts(program: str) -> None:
    assert "assert " in program
    exec(compile(program, "docs/schema.md", "exec"), {})


def test_the_page_has_programs() -> None:
    assert len(PROGRAMS) == 3
