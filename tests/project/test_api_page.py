"""docs/api.md: what the package exports, no more and no less."""

from __future__ import annotations

import re
import tomllib

import pytest

import generated as acp
from scripts.api_page import CONNECTION, PAGE, page
from tests.conftest import ROOT

TEXT = PAGE.read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `((?:acp\.|connection\.)?[\w.]+)` \| (.*) \|$", TEXT, re.MULTILINE)
NEW = ("state.StateValues",)
"""Names of modules that never were names of the package itself."""


def test_it_is_up_to_date() -> None:
    assert page() == TEXT, "run `make generate`"


def test_every_name_has_one_row() -> None:
    public = [name.removeprefix("acp.") for name, _ in ROWS]
    assert sorted(name for name in public if name in acp.__all__) == sorted(acp.__all__)


@pytest.mark.parametrize("module", ["agent", "codec", "connection", "errors", "methods", "state"])
def test_every_name_that_fewer_programs_need_has_a_row_with_its_module(module: str) -> None:
    moved = tomllib.loads((ROOT / "codegen" / "upgrade" / "renamed.toml").read_text(encoding="utf-8"))["names"]
    listed = [name for name, _ in ROWS if name.startswith(f"acp.{module}.")]
    places = {*moved.values(), *NEW}
    assert sorted(listed) == sorted(f"acp.{place}" for place in places if place.startswith(f"{module}."))


def test_every_row_says_something() -> None:
    assert [name for name, words in ROWS if len(words) < 4] == []


@pytest.mark.parametrize("name", re.findall(r"`(\w+)`", CONNECTION))
def test_a_member_of_a_connection_is_one(name: str) -> None:
    assert hasattr(acp.connection.Connection, name)
