"""Which findings a suppression names, and what a file of suppressions must look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.errors import InputError
from codegen.findings.finding import Category, Finding, Level, Place
from codegen.findings.suppressions import Suppression, read_config

HERE = Place("schema.json", 1, 1)
KNOWN = {"union-untagged": None, "def-unused": None, "suppression-unused": None, "not-json": None}


def finding(pointer: str, rule: str = "union-untagged") -> Finding:
    return Finding(
        id=rule, level=Level.warning, category=Category.LINT, pointer=pointer, place=HERE, message="", instead=""
    )


def names(pattern: str, pointer: str, rule: str = "union-untagged") -> bool:
    return Suppression(rule="union-untagged", pointer=pattern, reason="so", index=0).matches(finding(pointer, rule))


MATCHING = {
    "the pointer itself": ("/$defs/A", "/$defs/A", True),
    "no other": ("/$defs/A", "/$defs/B", False),
    "nothing below it": ("/$defs/A", "/$defs/A/oneOf/0", False),
    "nothing above it": ("/$defs/A/oneOf/0", "/$defs/A", False),
    "* is one step": ("/$defs/*/oneOf", "/$defs/A/oneOf", True),
    "* is not two steps": ("/$defs/*/oneOf", "/$defs/A/properties/oneOf", False),
    "* at the end is one step": ("/$defs/*", "/$defs/A", True),
    "* at the end is not two steps": ("/$defs/*", "/$defs/A/oneOf", False),
    "* is a part of a step": ("/$defs/A*", "/$defs/Answer", True),
    "** is any number of steps": ("/$defs/**", "/$defs/A/oneOf/0", True),
    "** is a step in the middle": ("/$defs/**/0", "/$defs/A/oneOf/0", True),
    "** alone is everything": ("**", "/$defs/A", True),
    "a dot is a dot": ("/$defs/A.B", "/$defs/AxB", False),
}


@pytest.mark.parametrize(("pattern", "pointer", "expected"), MATCHING.values(), ids=MATCHING)
def test_a_suppression_matches_the_places_its_pointer_names(pattern: str, pointer: str, expected: bool) -> None:
    assert names(pattern, pointer) is expected


def test_a_suppression_names_one_rule() -> None:
    assert not names("/$defs/A", "/$defs/A", "def-unused")


def config(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    return path


ENTRY = '{ rule = "union-untagged", pointer = "/$defs/A", reason = "published so" }'
TWO = f"[tool.acp-codegen.check]\nsuppress = [\n  {ENTRY},\n  {ENTRY.replace('A', 'B')},\n]\n"


def test_findings_that_are_suppressed_are_not_kept_and_an_entry_without_use_is_known(tmp_path: Path) -> None:
    settings = read_config(config(tmp_path, TWO), tmp_path / "schema.json", KNOWN)
    shown, hidden = finding("/$defs/C"), finding("/$defs/A")
    assert settings.excuses(hidden)
    assert not settings.excuses(shown)
    assert settings.keep([shown, hidden]) == [shown]
    assert [entry.pointer for entry in settings.unused()] == ["/$defs/B"]
    assert (settings.place(1).line, settings.place(1).column) == (4, 3)


def test_an_entry_for_a_rule_that_did_not_run_is_not_unused(tmp_path: Path) -> None:
    settings = read_config(config(tmp_path, TWO), tmp_path / "schema.json", KNOWN)
    settings.judged = {"def-unused"}
    assert settings.unused() == []


def test_a_table_in_brackets_has_its_place_too(tmp_path: Path) -> None:
    text = '# one\n[[tool.acp-codegen.check.suppress]]\nrule = "def-unused"\npointer = "/$defs/A"\nreason = "soon"\n'
    settings = read_config(config(tmp_path, text), tmp_path / "schema.json", KNOWN)
    assert (settings.place(0).line, settings.place(0).column) == (2, 1)


def test_without_a_file_nothing_is_suppressed(tmp_path: Path) -> None:
    assert read_config(None, tmp_path / "schema.json", KNOWN).suppressions == ()


REFUSED = {
    "no TOML": ("[", "is not valid TOML"),
    "a setting that is none": ("[tool.acp-codegen.check]\nother = 1", 'has the unknown setting "other"'),
    "no list": ('[tool.acp-codegen.check]\nsuppress = "x"', "must be a list"),
    "no table": ("[tool.acp-codegen.check]\nsuppress = [1]", "must be a table of strings"),
    "a key too many": (TWO.replace("reason", "why = '', reason", 1), 'has the unknown setting "why"'),
    "no reason": (TWO.replace("published so", " ", 1), "suppression 1 has no reason"),
    "a misspelt rule": (TWO.replace("untagged", "untaged", 1), "did you mean union-untagged?"),
    "a fault": (TWO.replace("union-untagged", "not-json", 1), "cannot be suppressed"),
    "the rule about suppressions": (
        TWO.replace("union-untagged", "suppression-unused", 1),
        "cannot be suppressed; remove it",
    ),
    "no pointer": (TWO.replace("/$defs/A", "$defs/A", 1), "begins with `/`"),
}


@pytest.mark.parametrize(("text", "problem"), REFUSED.values(), ids=REFUSED)
def test_an_entry_that_is_not_of_its_form_is_an_error_that_says_what_is_wrong(
    tmp_path: Path, text: str, problem: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_config(config(tmp_path, text), tmp_path / "schema.json", KNOWN)
    assert problem in str(caught.value)


BROKEN = {b"[tool": "1:6", b"[tool.ruff]\nx = [1\n": "2:7", b"a = 1\nb = 'c": "2:7", b"# \xff": "1:3"}


@pytest.mark.parametrize(("text", "place"), BROKEN.items())
def test_a_broken_project_file_is_an_error_at_its_place_whatever_it_mentions(
    tmp_path: Path, text: bytes, place: str
) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        read_config(None, tmp_path / "schema.json", KNOWN)
    assert str(caught.value).startswith(f"{path}:{place}: error: is not valid TOML: ")


def test_the_file_beside_the_schema_is_read_unless_another_is_named(tmp_path: Path) -> None:
    config(tmp_path, TWO)
    assert len(read_config(None, tmp_path / "schema.json", KNOWN).suppressions) == 2
    other = tmp_path / "other.toml"
    other.write_text(TWO.replace("union-untagged", "def-unused"))
    assert read_config(other, tmp_path / "schema.json", KNOWN).suppressions[0].rule == "def-unused"
