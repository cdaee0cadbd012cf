"""docs/api.md: what the package exports, no more and no less."""

from __future__ import annotations

import re

import pytest

import generated as acp
from tests.api_page import CONNECTION, PAGE, page

TEXT = page()
ROWS = re.findall(r"^\| `(?:acp\.|connection\.)?(\w+)` \| (.*) \|$", TEXT, re.MULTILINE)


def test_it_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == TEXT, "run `make generate`"


def test_every_name_has_one_row() -> None:
    public = [name for name, _ in ROWS if name in acp.__all__]
    assert sorted(public) == sorted(acp.__all__)


def test_every_row_says_something() -> None:
    assert [name for name, words in ROWS if len(words) < 4] == []


@pytest.mark.parametrize("name", re.findall(r"`(\w+)`", CONNECTION))
def test_a_member_of_a_connection_is_one(name: str) -> None:
    assert hasattr(acp.Connection, name)
