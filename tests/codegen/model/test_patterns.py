"""Which patterns a backtracking engine may run, and that the others are matched in linear time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.model.nodes.patterns import is_rewritten, is_tame, matches

TAME = [
    *("^[a-z]+$", "^_", "x", "a|b", "^(a|b)*$", "^[a-z]+(-[a-z]+)*$", r"^\d{4}-\d{2}-\d{2}$", "[0-9]{3}", "^.*$", ""),
    *("^a?b$", "^(?:[a-z0-9]+/)+$", r"^\$/[a-z_]+$", "^[^/]+(/[^/]+)*$", "^a+b+c+$", "é|è{2}x"[:1]),
]
WILD = [
    *(
        "^(a+)+$",
        "^(a|a)*$",
        "^(a*)*$",
        "a+$",
        "^a*a*a*$",
        r"^(\w+\s?)*$",
        "^(a|ab)*b$",
        "^.*,.*$",
        "^(?=a+)a",
        r"^(a)\1$",
    ),
    *(
        "(?i)^a+$",
        "[a-z]*x",
        "^a+?$",
        "^(a{1,9}){1,9}$",
        r"^[\w-]+\w$",
        r"^\d+\w",
        "^([é]+[è]*)*$",
        "(x{900}){2}",
        "(?s:.)",
    ),
]


@pytest.mark.parametrize("pattern", TAME)
def test_a_pattern_in_which_one_character_decides_is_tame(pattern: str) -> None:
    assert is_tame(pattern)


@pytest.mark.parametrize("pattern", WILD)
def test_a_pattern_that_may_go_back_is_wild(pattern: str) -> None:
    assert not is_tame(pattern)


@pytest.mark.parametrize(
    ("pattern", "text"), [("^(a+)+$", "a" * 41 + "b"), (r"^(\w+\s?)*$", "a" * 60 + "!"), ("a+$", "a" * 99_999 + "b")]
)
def test_a_wild_pattern_is_matched_at_once(pattern: str, text: str) -> None:
    assert not matches(pattern, text)
    assert matches(pattern, text[:-1])


def test_a_pattern_that_only_a_backtracking_engine_reads_ends_too() -> None:
    assert not matches(r"^(?=(a+)+$)a", "a" * 60 + "b")


@given(st.sampled_from([p for p in TAME + WILD if "?=" not in p and "\\1" not in p]), st.text("ab-/x é0", max_size=8))
def test_both_engines_agree(pattern: str, text: str) -> None:
    assert matches(pattern, text) == (re.search(pattern, text) is not None)


SAME = [
    ("[a-c]", "[cba]"),
    ("[a-cb-e]x", "[a-e]x"),
    ("^(ab)+$", "^(?:ab)+$"),
    ("a{1,}", "a+"),
    ("a*?b", "a*b"),
    ("^[^a-b]", "^[^ab]"),
    ("ab|ac", "a[bc]"),
    (r"[\d_]", r"[_\d]"),
]
OTHER = [
    ("[a-c]", "[a-d]"),
    ("[a-c]", "[^a-c]"),
    ("^a", "a"),
    ("a|b", "a|c"),
    ("a+", "a*"),
    (r"(a)(b)\1", r"(a)(?:b)\1"),
    ("(?i:a)", "a"),
    (r"[\d]", r"[\D]"),
    ("a", "[a"),
    ("(?=a)b", "(?=c)b"),
]


@pytest.mark.parametrize(
    ("one", "other", "same"), [*((*pair, True) for pair in SAME), *((*pair, False) for pair in OTHER)]
)
def test_patterns_in_other_words_are_the_same(one: str, other: str, same: bool) -> None:
    assert (is_rewritten(one, other), is_rewritten(other, one), is_rewritten(one, one)) == (same, same, True)
