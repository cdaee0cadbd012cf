"""The ledger of accepted breaks: what an entry names, when its window ends, and what a file must look like."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from codegen.check.rules import RULES
from codegen.errors import InputError
from codegen.findings.accepted_breaks import Ledger, read_ledger
from codegen.findings.finding import Category, Finding, Level, Place

ENTRY = """\
[[break]]
rule = "enum-value-removed"
pointer = "/$defs/Color"
what = 'lost "green"'
why = "nobody used it"
since = "v1.4.0"
until = "2027-01-31"
"""
FINDING = Finding(
    id="enum-value-removed",
    level=Level.error,
    category=Category.WIRE,
    pointer="/$defs/Color",
    base_pointer="/$defs/Color/oneOf/1",
    place=Place("schema.json", 3, 1),
    message='Color lost "green"',
    instead="keep the value",
)


def ledger(tmp_path: Path, text: str, *, ended: bool = False) -> Ledger:
    path = tmp_path / "accepted-breaks.toml"
    path.write_text(text)
    return read_ledger(None, tmp_path / "schema.json", RULES, lambda _: ended)


def test_an_accepted_break_is_information_with_its_reason(tmp_path: Path) -> None:
    found = ledger(tmp_path, ENTRY)
    (accepted,) = found.judged([FINDING])
    assert (accepted.level, accepted.completed) == (Level.info, None)
    assert accepted.accepted == "nobody used it (since v1.4.0, until 2027-01-31)"
    assert found.over() == []


def test_an_accepted_break_of_a_draft_is_accepted_for_the_day_of_completion(tmp_path: Path) -> None:
    draft = replace(FINDING, level=Level.info, completed=Level.error)
    (accepted,) = ledger(tmp_path, ENTRY).judged([draft])
    assert (accepted.level, accepted.at_completion) == (Level.info, Level.info)


NAMED = {
    "its place in the new schema": ("/$defs/Color", 'lost "green"', True),
    "its place in the old schema": ("/$defs/Color/oneOf/*", 'lost "green"', True),
    "a part of its words": ("/$defs/**", "green", True),
    "another place": ("/$defs/Colour", "green", False),
    "other words": ("/$defs/Color", 'lost "red"', False),
}


@pytest.mark.parametrize(("pointer", "what", "expected"), NAMED.values(), ids=NAMED)
def test_an_entry_names_a_break_by_place_and_words(pointer: str, what: str, expected: bool, tmp_path: Path) -> None:
    text = ENTRY.replace("/$defs/Color", pointer).replace('lost "green"', what)
    (finding,) = ledger(tmp_path, text).judged([FINDING])
    assert bool(finding.accepted) is expected


def test_an_entry_of_another_rule_accepts_nothing(tmp_path: Path) -> None:
    assert ledger(tmp_path, ENTRY.replace("enum-value-removed", "enum-closed")).judged([FINDING]) == [FINDING]


def test_an_open_window_that_nothing_matches_is_no_finding(tmp_path: Path) -> None:
    assert ledger(tmp_path, ENTRY).over() == []


def test_an_ended_window_accepts_nothing_and_says_so_while_something_matches(tmp_path: Path) -> None:
    found = ledger(tmp_path, f"# breaks\n{ENTRY}", ended=True)
    (finding,) = found.judged([FINDING])
    place = f"{tmp_path}/accepted-breaks.toml:2"
    assert (finding.level, finding.accepted) == (Level.error, "")
    assert finding.instead == f"keep the value; it was accepted until 2027-01-31 ({place}), which has passed"
    assert found.over() == []


def test_an_ended_window_that_nothing_matches_is_over_at_its_line(tmp_path: Path) -> None:
    found = ledger(tmp_path, f"{ENTRY}\n{ENTRY}", ended=True)
    assert found.judged([]) == []
    assert [found.place(entry.index).line for entry in found.over()] == [1, 9]


def test_a_day_needs_no_quotes(tmp_path: Path) -> None:
    assert ledger(tmp_path, ENTRY.replace('"2027-01-31"', "2027-01-31")).entries[0].until == "2027-01-31"


def test_where_there_is_no_ledger_nothing_is_accepted(tmp_path: Path) -> None:
    assert read_ledger(None, tmp_path / "schema.json", RULES, lambda _: False).judged([FINDING]) == [FINDING]


MALFORMED = {
    "no reason": (ENTRY.replace('why = "nobody used it"\n', ""), "1:1: error: accepted break 1 has no why"),
    "no window": (ENTRY.replace('until = "2027-01-31"\n', ""), "1:1: error: accepted break 1 has no until"),
    "nothing said": (ENTRY.replace('lost "green"', " "), "1:1: error: accepted break 1 has no what"),
    "the second one": (
        ENTRY + ENTRY.replace("enum-value-removed", "enum-value-remved"),
        '8:1: error: accepted break 2: unknown rule "enum-value-remved"; did you mean enum-value-removed?',
    ),
    "a lint": (
        ENTRY.replace("enum-value-removed", "def-unused"),
        "1:1: error: accepted break 1: def-unused is not a rule about changes; suppress it in pyproject.toml",
    ),
    "a key too many": (
        ENTRY + "who = 'me'\n",
        '1:1: error: accepted break 1 has the unknown setting "who"; expected rule, pointer, what, why, since, until',
    ),
    "a pointer that is none": (
        ENTRY.replace("/$defs/Color", "Color"),
        '1:1: error: accepted break 1: "Color" is not a valid JSON pointer; expected a pointer that begins with `/`, as in reports',
    ),
    "a window that is none": (
        ENTRY.replace("2027-01-31", "next year"),
        '1:1: error: accepted break 1: until must be a date (2027-01-31) or a release, found "next year"',
    ),
    "a number": (ENTRY.replace('"v1.4.0"', "1.4"), "1:1: error: accepted break 1: since must be a string"),
    "no table": (
        "break = [1]",
        "1:1: error: accepted break 1 must be a table of rule, pointer, what, why, since, until",
    ),
    "no TOML": ("[[break]]\nrule = \n", "2:8: error: is not valid TOML: Invalid value"),
}


@pytest.mark.parametrize(("text", "expected"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_entry_is_an_error_at_its_line(text: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        ledger(tmp_path, text)
    assert str(error.value) == f"{tmp_path}/accepted-breaks.toml:{expected}"


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "another setting": ("breaks = 1", 'has the unknown setting "breaks"; expected a list of [[break]]'),
        "no list": ("break = 1", "`break` must be a list: [[break]]"),
        "too deep": ("break = " + "[" * 50_000, "is nested too deeply"),
    }.values(),
    ids=str,
)
def test_a_file_that_is_no_ledger_is_an_error(text: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=expected.replace("[", r"\[")):
        ledger(tmp_path, text)
