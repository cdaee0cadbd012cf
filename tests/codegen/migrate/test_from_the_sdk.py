"""docs/from-the-sdk.md: every name in its tables exists, none is missing, and every program runs as it is shown."""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from fnmatch import fnmatchcase
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

import generated as acp
from tests.support import official_sdks

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "from-the-sdk.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r'^```python title="(\w+\.py)"\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?', PAGE, re.MULTILINE | re.DOTALL
)
PROGRAMS = {name: text for name, text, _ in BLOCKS}
SHOWN = {name: output for name, _, output in BLOCKS if output}
ROWS = [re.split(r" \| ?", line[2:-2]) for line in PAGE.splitlines() if re.match(r"\| `acp\.", line)]
CODE = re.compile(r"`([^`]+)`")
NAME = re.compile(r"\bacp\.([\w.]*\w)")

THEIRS = [name for row in ROWS for name in CODE.findall(row[0])]
OURS = [code for row in ROWS if len(row) > 2 for code in CODE.findall(" ".join(row[1:])) if code.startswith("acp.")]

SDK = """
import importlib, json, sys, warnings
import acp, acp.contrib, acp.schema
warnings.simplefilter("ignore")

def there(name):
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            if not hasattr(value, part):
                return False
            value = getattr(value, part)
        return True
    return False

own = [name for name, value in vars(acp.schema).items() if getattr(value, "__module__", "") == "acp.schema"]
public = [f"acp.{name}" for name in acp.__all__] + [f"acp.contrib.{name}" for name in acp.contrib.__all__]
public += [f"acp.schema.{name}" for name in own if name.isidentifier() and name[0] != "_"]
print(json.dumps([[name for name in json.load(sys.stdin) if not there(name)], public]))
"""


@pytest.fixture(scope="session")
def sdk() -> list[list[str]]:
    """Which names of the page the SDK does not have, and which it has."""
    names = json.dumps([name for name in THEIRS if "*" not in name])
    ran = subprocess.run([official_sdks.python(), "-c", SDK], input=names, capture_output=True, text=True, check=True)
    found: list[list[str]] = json.loads(ran.stdout)
    return found


def test_the_tables_are_read_whole() -> None:
    by_hand = re.sub(r"^<!-- Written by .*?^<!-- The end ", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert len(ROWS) == len(re.findall(r"^\| (?!official SDK|---)", by_hand, re.MULTILINE))
    assert all(CODE.findall(row[0]) for row in ROWS)
    assert len(THEIRS) == len(set(THEIRS)), "a name stands in two rows"


@pytest.mark.parametrize("code", sorted(set(OURS)))
def test_a_name_of_ours_exists_and_a_class_takes_what_it_is_shown_with(code: str) -> None:
    found = NAME.match(code)
    assert found is not None, code
    value: Any = reduce(getattr, found[1].split("."), acp)
    attributes = set(re.findall(r"(\w+)=\.\.\.", code))
    assert attributes <= set(getattr(value, "__struct_fields__", ())), code


@pytest.mark.slow
def test_every_name_of_theirs_exists(sdk: list[list[str]]) -> None:
    assert sdk[0] == []


@pytest.mark.slow
def test_a_name_of_theirs_is_ours_or_in_a_table(sdk: list[list[str]]) -> None:
    told = {name.rpartition(".")[2] for name in THEIRS}
    patterns = [name for name in THEIRS if "*" in name]
    missing = [
        name
        for name in sdk[1]
        if not hasattr(acp, name.rpartition(".")[2])
        and name.rpartition(".")[2] not in told
        and not any(fnmatchcase(name, pattern) for pattern in patterns)
    ]
    assert missing == []


@pytest.mark.slow
def test_a_pattern_stands_for_something_that_we_do_not_have(sdk: list[list[str]]) -> None:
    for pattern in (name for name in THEIRS if "*" in name):
        names = [name.rpartition(".")[2] for name in sdk[1] if fnmatchcase(name, pattern)]
        assert names, pattern
        assert [name for name in names if hasattr(acp, name)] == [], pattern


def test_a_name_that_both_have_is_in_no_table_of_other_names() -> None:
    table = PAGE.partition("## Classes with other names")[2].partition("\n## ")[0]
    names = re.findall(r"acp\.schema\.(\w+)", table)
    assert [name for name in names if hasattr(acp, name)] == []


def run(name: str, folder: Path, *arguments: str) -> str:
    (folder / "generated").symlink_to(ROOT / "generated")
    for each, text in PROGRAMS.items():
        (folder / each).write_text(text, encoding="utf-8")
    command = [sys.executable, name, *arguments]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_every_program_that_prints_shows_it() -> None:
    assert PAGE.count("```") == 2 * (len(PROGRAMS) + len(SHOWN))
    assert sorted(set(PROGRAMS) - set(SHOWN)) == ["after.py", "before.py"]


@pytest.mark.parametrize("name", SHOWN)
def test_a_program_prints_what_the_page_shows(name: str, tmp_path: Path) -> None:
    assert run(name, tmp_path) == SHOWN[name]


@pytest.mark.slow
def test_the_client_gets_the_same_from_the_agent_as_it_was(tmp_path: Path) -> None:
    assert run("client.py", tmp_path, str(official_sdks.python()), "before.py") == SHOWN["client.py"]


def lines_of_code(text: str) -> set[int]:
    """Lines that are not blank, nor a comment, nor documentation."""
    tree = ast.parse(text)
    documented = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    first = [node.body[0] for node in documented if ast.get_docstring(node) is not None]
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in silent]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    return lines - {line for node in first for line in within(node)}


def within(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


@pytest.mark.slow
def test_the_examples_have_as_many_lines_as_the_page_says() -> None:
    ports = list((ROOT / "tests" / "codegen" / "migrate" / "ports").glob("*.py"))
    originals = [official_sdks.examples() / port.name for port in ports]
    ours, theirs = (sum(len(lines_of_code(path.read_text())) for path in paths) for paths in (ports, originals))
    assert f"shrink from {theirs} to {ours} lines of code" in PAGE
