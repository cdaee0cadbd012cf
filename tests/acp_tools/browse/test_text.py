"""Text from an agent never does anything to the terminal but are there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from acp_tools.browse.sanitize import clean, one_line
from acp_tools.browse.styling import fit


@settings(max_examples=40)
@given(st.text())
def test_only_printable_characters_and_line_feeds_are_left(text: str) -> None:
    assert clean(text).replace("\n", "").isprintable()


@settings(max_examples=40)
@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert one_line(text).isprintable()


@settings(max_examples=40)
@given(st.text(alphabet="ab日\u0301\u200d👩🏽ﷺ\u202e", max_size=40), st.integers(1, 30))
def test_a_column_has_exactly_its_width(text: str, width: int) -> None:
    assert cell_len(fit(one_line(text), width)) == width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;a title\x07text", "text"),
        ("lone \x1b escape", "lone ␛ escape"),
        ("bell \x07", "bell ␇"),
        ("8-bit \x9b31m", "8-bit \ufffd31m"),
        ("rm \u202efdp.exe", "rm \ufffdfdp.exe"),
        ("zero\u200bwidth\u2060", "zerowidth"),
        ("tag \U000e0041", "tag \ufffd"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 3),
        ("\U0001f1eb\U0001f1f7", "FR"),
        ("a\r\nb\u2028c", "a\nb\nc"),
        ("[red]not markup[/]", "[red]not markup[/]"),
        ("مرحبا", "مرحبا"),
    ],
)
def test_what_would_act_on_the_terminal_is_replaced_or_dropped(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_a_long_text_ends_with_how_much_is_missing() -> None:
    assert clean("x" * 1_000, 10) == "x" * 10 + "… (990 more characters)"
