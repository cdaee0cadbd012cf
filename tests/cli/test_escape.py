"""One function for each place that text is shown at: what comes out can only be read, and says what went in."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.escape import SINKS, as_json, coloured, command_data, command_property, line, terminal

TEXTS = st.text(alphabet=st.one_of(st.sampled_from("\n\r\x1b#[:%,`\u202e\udcff\u2028"), st.characters()), max_size=30)


@given(TEXTS)
def test_no_sink_lets_through_what_cannot_be_seen(text: str) -> None:
    for sink in SINKS.values():
        assert all(c.isprintable() or c == "\n" for c in sink(text))


@given(TEXTS)
def test_no_line_for_people_is_a_workflow_command(text: str) -> None:
    for shown in terminal(text).split("\n"):
        assert not shown.lstrip().startswith("::")
        assert "##[" not in shown


@given(st.recursive(TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=5))
def test_json_keeps_its_value(value: object) -> None:
    assert json.loads(as_json(value)) == value
    assert json.loads(as_json(value, indent=2)) == value
    assert "##[" not in as_json(value)


@given(TEXTS)
def test_a_line_is_one_line_and_stays_the_same_when_it_is_escaped_again(text: str) -> None:
    assert "\n" not in line(text)
    assert line(line(text)) == line(text)


@given(TEXTS)
def test_a_command_is_one_line(text: str) -> None:
    assert "\n" not in command_data(text) + command_property(text)
    assert not {":", ","} & set(command_property(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", "\\x3a:error::x"),
        (" \t::error::x", " \\t::error::x"),
        ("a ::error::x", "a ::error::x"),
        ("##[group]", "##\\x5bgroup]"),
        ("a##vso[x", "a##vso\\x5bx"),
        ("# [x] ##", "# [x] ##"),
        ("\x1b[2J", "\\x1b[2J"),
        ("caf\u00e9 \U0001f600", "caf\u00e9 \U0001f600"),
        ("\udcff", "\\xff"),
        ("\ud83d", "\\ud83d"),
    ],
)
def test_what_people_see(text: str, shown: str) -> None:
    assert terminal(text) == shown


def test_only_the_colours_of_a_report_pass() -> None:
    assert coloured("\x1b[1;31merror\x1b[0m \x1b[31m\x1b[2J") == "\x1b[1;31merror\x1b[0m \\x1b[31m\\x1b[2J"
