"""docs/cookbook.md: every program runs as it is."""

from __future__ import annotations

import logging
import re

import pytest
from peers import ROOT

PAGE = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^## ([^\n]+)\n.*?^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_every_section_has_one_program() -> None:
    assert PAGE.count("\n## ") == len(RECIPES) == PAGE.count("```python") == PAGE.count("```") / 2


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_does_what_it_asserts(recipe: str) -> None:
    text = RECIPES[recipe]
    assert "assert " in text
    try:
        exec(compile(text, f"docs/cookbook.md: {recipe}", "exec"), {"__name__": "__main__"})
    finally:
        logging.disable(logging.NOTSET)  # for whoever comes after it
