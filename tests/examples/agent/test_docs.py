"""docs/sessions.md: every test and piece of code that it names exists, and no test of an RFD is missing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from examples.session_agent.__main__ import arguments

from .wire import ROOT

PAGE = ROOT / "docs" / "sessions.md"
TEXT = PAGE.read_text(encoding="utf-8")
LINKS = sorted(set(re.findall(r"\[`([\w.]+)`\]\((\.\./[\w/.]+\.py)\)", TEXT)))
SUITES = ("list", "delete", "close", "fork", "termination")


def names(file: Path) -> set[str]:
    """What a module defines, methods as `Class.method`."""
    found: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name, body=body):
                found |= {name, *(f"{name}.{inner.name}" for inner in body if hasattr(inner, "name"))}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case _:
                pass
    return found


@pytest.mark.parametrize("file", sorted({file for _, file in LINKS}))
def test_every_test_and_every_piece_of_code_that_the_table_names_exists(file: str) -> None:
    assert {name for name, where in LINKS if where == file} <= names((PAGE.parent / file).resolve())


@pytest.mark.parametrize("suite", SUITES)
def test_every_test_of_a_suite_stands_in_the_table(suite: str) -> None:
    tests = {name for name in names(Path(__file__).with_name(f"test_{suite}.py")) if name.startswith("test_")}
    assert tests <= {name for name, _ in LINKS}


def test_every_row_has_a_statement_a_test_and_code() -> None:
    rows = [line.strip("|").split(" | ") for line in TEXT.partition("## Statement")[2].splitlines() if "](.." in line]
    assert len(rows) > 60
    assert all(len(row) == 4 and "test_" in row[2] and "session_agent/" in row[3] for row in rows)


def test_every_option_is_described() -> None:
    options = {option for action in arguments()._actions for option in action.option_strings} - {"-h", "--help"}
    assert options == set(re.findall(r"^\| `(--[\w-]+)", TEXT, re.MULTILINE))
