"""docs/api.md: what the package exports, no more and no less."""

from __future__ import annotations

import json
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


def test_what_comes_from_a_draft_is_marked() -> None:
    schema = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))
    drafts = {name for name, rfd in schema["x-rfds"].items() if rfd["stage"] != "completed"}
    named = {name: node.get("x-rfd") for name, node in schema["$defs"].items() if name in dict(ROWS)}
    rows = {name: re.findall(r"\*\w+: ([\w-]+)\*$", words) for name, words in ROWS}
    assert {name: rows[name] for name in named} == {n: [rfd] if rfd in drafts else [] for n, rfd in named.items()}
    calls = re.findall(r"^\| (agent|client) \| `(\w+)` \|.*\| (.*) \|$", TEXT, re.MULTILINE)
    assert all(
        bool(draft) == (row.rfd in drafts)
        for row in acp.methods.METHODS.values()
        for side, name, draft in calls
        if (side, name) == (row.side, row.python_name)
    )


@pytest.mark.parametrize("name", re.findall(r"`(\w+)`", CONNECTION))
def test_a_member_of_a_connection_is_one(name: str) -> None:
    assert hasattr(acp.connection.Connection, name)
