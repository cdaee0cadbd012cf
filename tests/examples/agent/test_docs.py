"""COVERAGE.md: its tables match the schema, its links exist, and it lists every test of an RFD."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from codegen.model.nodes.root import Requirement
from examples.session_agent.__main__ import arguments

from .statements import CODE, MARK, rendered, schema
from .wire import ROOT

PAGE = Path(__file__).with_name("COVERAGE.md")
MANUAL = ROOT / "docs" / "sessions.md"
TEXT = PAGE.read_text(encoding="utf-8")
LINKS = sorted(set(re.findall(r"\[`([\w.]+)`\]\(((?:\.\./){3}[\w/.]+\.py)\)", TEXT)))
OURS = "| ours |"
SUITES = ("list", "delete", "close", "fork", "termination")


def served() -> list[Requirement]:
    """The requirements of the methods that the agent serves: those of the session RFDs and of the extension."""
    requirements = schema().requirements
    binding = {each.source for each in requirements if each.binds == "agent"}
    return [
        each
        for each in requirements
        if each.source in binding and each.source.startswith(("session-", "_sandboxagent"))
    ]


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


def test_what_the_agent_adds_has_a_test_and_code() -> None:
    rows = [line.strip("|").split(" | ") for line in TEXT.splitlines() if line.startswith(OURS)]
    assert len(rows) > 8
    assert all(
        len(row) == 4 and "test_" in row[2] and ("session_agent/" in row[3] or "runtime/stores/" in row[3])
        for row in rows
    )


def test_the_tables_of_requirements_are_those_of_the_schema() -> None:
    assert rendered(TEXT) == TEXT


def test_every_requirement_is_in_a_table_and_the_code_that_meets_it_is_of_one() -> None:
    ids = {each.id for each in served()}
    shown = {
        f"{source}/{name}"
        for _, source, rows, _ in MARK.findall(TEXT)
        for name in re.findall(r"^\| ([\w-]+) \| [MS]", rows, re.MULTILINE)
    }
    assert ids == shown
    assert set(CODE) <= ids


def test_a_statement_that_binds_the_agent_names_its_code_unless_the_package_meets_it() -> None:
    by_package = {"optional", "capability-object", "without-load", "entry-meta"}
    with_processes = {"own-process", "details", "stderr"}  # of agents that run a process for each session
    bound = {each.id for each in served() if each.binds == "agent"}
    assert {id_ for id_ in bound - set(CODE) if id_.partition("/")[2] not in by_package | with_processes} == set()


def test_every_link_leads_to_a_file() -> None:
    links = set(re.findall(r"\]\((\.\./[^)#]+)", TEXT))
    assert [link for link in links if not (PAGE.parent / link).resolve().exists()] == []


def test_every_option_is_described() -> None:
    options = {option for action in arguments()._actions for option in action.option_strings} - {"-h", "--help"}
    assert options == set(re.findall(r"^\| `(--[\w-]+)", MANUAL.read_text(encoding="utf-8"), re.MULTILINE))
