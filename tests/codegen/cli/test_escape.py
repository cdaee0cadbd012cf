"""One function for each place that text is shown at: what comes out can only be read, and says what went in."""

from __future__ import annotations

import json

import markdown_it
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.escape import (
    SINKS,
    as_json,
    coloured,
    command_data,
    command_property,
    line,
    markdown,
    markdown_block,
    markdown_code,
    terminal,
)

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


MARKUP = st.text(alphabet=st.sampled_from("`*_[]()<>!#&;|~-+=1. \\\n@ab$"), max_size=20)


def read(text: str, kind: str) -> list[str]:
    """The contents of the tokens of a kind that a reader of Markdown makes of a text."""
    tokens = markdown_it.MarkdownIt().parse(text)
    return [part.content for token in tokens for part in (token, *(token.children or ())) if part.type == kind]


@given(MARKUP)
def test_text_in_markdown_is_read_as_it_was_written(text: str) -> None:
    shown = line(text).strip()
    (paragraph,) = read(f"x {markdown(shown)} y", "inline")
    assert paragraph
    assert "".join(read(f"x {markdown(shown)} y", "text")).replace("\u200b", "") == f"x {shown} y"


@given(MARKUP)
def test_code_in_markdown_is_read_as_it_was_written(text: str) -> None:
    shown = line(text).strip()
    assert [code.strip() for code in read(f"x {markdown_code(shown)} y", "code_inline")] == [shown]


@given(MARKUP)
def test_a_block_of_code_in_markdown_ends_where_it_should(text: str) -> None:
    (content,) = read(f"{markdown_block(text)}\nafter", "fence")
    assert content.rstrip("\n") == terminal(text).rstrip("\n")
    assert read(f"{markdown_block(text)}\nafter", "text") == ["after"]


def test_a_mention_or_a_reference_in_markdown_reaches_nobody() -> None:
    assert markdown("@team #12 www.a.b GH-1 http://a :tada: 0123abc") == (
        "@&#8203;team \\#&#8203;12 www&#8203;.a.b GH&#8203;-1 http:&#8203;//a :&#8203;tada: 0123ab&#8203;c"
    )


@pytest.mark.parametrize("text", ["- a", "+ a", "= a", "1. a", "10) a", "# a", "> a"])
def test_text_at_the_beginning_of_a_line_of_markdown_is_text(text: str) -> None:
    assert "".join(read(markdown(text), "text")).replace("\u200b", "") == text
