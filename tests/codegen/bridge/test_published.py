"""The bridge between the published versions 1 and 2: its table, its round trips, and messages of real agents."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codegen.bridge import changes, table
from codegen.bridge.bridge import Bridge, Problem
from codegen.contracts import convert
from codegen.contracts import plan as p
from codegen.model.algebra.conformance import fits
from codegen.model.nodes.types import Reference

from .conftest import ROOT, Published, Way

steadily = settings(
    derandomize=True, database=None, deadline=None, max_examples=40, suppress_health_check=list(HealthCheck)
)


def test_every_problem_of_the_table_has_a_message_that_shows_it(published: Published) -> None:
    rows = [(m.old, m.new, each) for m in published.bridge.messages for each in (*(m.forward or ()), *(m.back or ()))]
    assert len(rows) > 100
    assert [row for row in rows if row[2].example is None] == []


def test_the_overlay_leaves_nothing_out_of_what_both_versions_have(published: Published) -> None:
    """Methods without a counterpart are those that one version alone has."""
    alone = {(m.old, m.new) for m in published.bridge.messages if m.forward is None and m.role != "response"}
    assert {new for old, new in alone if not old} == {"tool_call/cancel", "terminal/cancel"}
    assert {old.partition("/")[0] for old, new in alone if not new} == {"fs", "terminal", "session"}


def _value(published: Published, way: Way, chance: Random) -> Any:
    value = published.instances[not way.forward].of(way.name, chance)
    return value if fits(published.forms[not way.forward], Reference(way.name), value) else None


def converted(direction: p.Direction, way: Way, value: Any) -> tuple[convert.Converted | None, list[convert.Problem]]:
    """The converted value, or the reasons to reject it."""
    try:
        return convert.convert(direction, way.node, value), []
    except convert.Rejected as error:
        return None, error.problems


def _listed(rows: Sequence[Problem], found: convert.Problem, lost: bool) -> bool:
    """Return whether the table has a problem: by its text, or by the property, since each definition is named once."""
    steps = [step for step in found.path if isinstance(step, str)]
    ends = [[s for s in row.path.split(".") if s != "*" and not s.isdecimal()] for row in rows if row.lost is lost]
    same = any(row.lost is lost and row.what == found.what for row in rows)
    return same or (bool(steps) and any(end[-1:] == steps[-1:] for end in ends))


@pytest.mark.parametrize("forward", [True, False], ids=["1 to 2", "2 to 1"])
@steadily
@given(seed=st.integers(0, 2**32))
def test_what_is_converted_conforms_and_comes_back_unless_a_loss_is_reported(
    published: Published, forward: bool, seed: int
) -> None:
    """A seed instead of hypothesis' own source of chance: that one is a hundred times as slow for so many values."""
    here, there = published.directions if forward else published.directions[::-1]
    for way in published.ways:
        if way.forward is not forward or (value := _value(published, way, Random(seed))) is None:
            continue
        rows = published.problems(way)
        made, rejected = converted(here, way, value)
        assert all(_listed(rows, each, False) for each in rejected), (way.name, value, rejected)
        if made is None:
            continue
        assert fits(published.forms[forward], Reference(way.other), made.value), (way.name, value, made.value)
        assert all(_listed(rows, each, True) for each in made.losses), (way.name, value, made.losses)
        if not made.losses:
            assert convert.convert(there, way.back, made.value).value == value, (way.name, value, made.value)


def test_an_exact_row_loses_and_rejects_nothing(published: Published) -> None:
    exact = [way for way in published.ways if not published.problems(way)]
    assert len(exact) > 20
    for way in exact:
        here, there = published.directions if way.forward else published.directions[::-1]
        for seed in range(40):
            value = _value(published, way, Random(seed))
            made = convert.convert(here, way.node, value)
            assert made.losses == []
            assert convert.convert(there, way.back, made.value).value == value


EXPECTED: list[tuple[bool, str, Any, Any]] = [
    (True, "PromptRequest", {"sessionId": "s", "prompt": [{"type": "text", "text": "x"}], "y": 1}, "same"),
    (
        True,
        "NewSessionRequest",
        {"cwd": "/", "mcpServers": [{"name": "n", "command": "/c", "args": [], "env": []}]},
        {"cwd": "/", "mcpServers": [{"type": "stdio", "name": "n", "command": "/c", "args": [], "env": []}]},
    ),
    (
        True,
        "SessionNotification",
        {"sessionId": "s", "update": {"sessionUpdate": "plan", "entries": [], "_meta": {"k": 1}}},
        {
            "sessionId": "s",
            "update": {
                "sessionUpdate": "plan_update",
                "plan": {"type": "items", "planId": "plan", "entries": []},
                "_meta": {"k": 1},
            },
        },
    ),
    (
        False,
        "RequestPermissionRequest",
        {
            "sessionId": "s",
            "title": "Run it?",
            "subject": {"type": "tool_call", "toolCall": {"toolCallId": "t", "title": "Run it?"}},
            "options": [{"optionId": "o", "name": "Yes", "kind": "allow_once"}],
        },
        {
            "sessionId": "s",
            "toolCall": {"toolCallId": "t", "title": "Run it?"},
            "options": [{"optionId": "o", "name": "Yes", "kind": "allow_once"}],
        },
    ),
    (
        False,
        "RequestPermissionRequest",
        {"sessionId": "s", "title": "?", "subject": {"type": "command", "command": "ls", "cwd": "/"}, "options": []},
        "rejected: /subject/type: only 'tool_call' has a counterpart",
    ),
    (
        True,
        "InitializeRequest",
        {
            "protocolVersion": 1,
            "clientCapabilities": {"auth": {"terminal": True}},
            "clientInfo": {"name": "c", "version": "1"},
        },
        {
            "protocolVersion": 2,
            "capabilities": {"auth": {"terminal": {}}},
            "info": {"name": "c", "version": "1"},
        },
    ),
]


@pytest.mark.parametrize(("forward", "name", "value", "expected"), EXPECTED, ids=lambda each: str(each)[:30])
def test_a_message_becomes(published: Published, forward: bool, name: str, value: Any, expected: Any) -> None:
    way = next(way for way in published.ways if (way.forward, way.name) == (forward, name))
    direction = published.directions[not forward]
    before = json.dumps(value)
    made, rejected = converted(direction, way, value)
    found = made.value if made is not None else f"rejected: {rejected[0]}"
    assert found == (value if expected == "same" else expected)
    assert json.dumps(value) == before, "the value that was given is unchanged"


@pytest.mark.parametrize(("page", "write"), [("bridge", table.in_markdown), ("version-2", changes.in_markdown)])
def test_a_page_has_the_lists(published: Published, page: str, write: Callable[[Bridge], str]) -> None:
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    written = text.partition("a test compares it. -->\n\n")[2].partition("\n<!-- The end")[0]
    assert written.strip() == write(published.bridge).strip()
