"""docs/runtime.md: every program runs and prints what the page shows, and the tables of options are those of the code."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from peers import ROOT

from generated._runtime.connection import options
from generated._runtime.entrypoints import process
from generated._runtime.transport.limits import Limits

PAGE = (ROOT / "docs" / "runtime.md").read_text(encoding="utf-8")
BLOCKS = re.findall(
    r'^```python title="(\w+\.py)"\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?', PAGE, re.MULTILINE | re.DOTALL
)
PROGRAMS = {name: (text, output) for name, text, output in BLOCKS}
SHOWN = [name for name, (_, output) in PROGRAMS.items() if output]
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)+)", PAGE, re.MULTILINE))
TABLES = {
    name: dict(re.findall(r"^\| `(\w+)` \| (.+)$", SECTIONS[name], re.MULTILINE))
    for name in ("Options of a connection", "Limits of a connection", "Options of a process")
}
ROWS = {**TABLES["Options of a connection"], **TABLES["Options of a process"]}
LIMIT_ROWS = TABLES["Limits of a connection"]
UNITS = {"MiB": 1 << 20}


def test_every_program_but_the_agents_shows_what_it_prints() -> None:
    assert [name for name in PROGRAMS if name not in SHOWN] == ["agent.py", "newer_agent.py"]
    assert PAGE.count("```") == 2 * (len(PROGRAMS) + len(SHOWN))


@pytest.mark.environment
@pytest.mark.parametrize("name", SHOWN)
def test_a_program_prints_what_the_page_shows(name: str, tmp_path: Path) -> None:
    (tmp_path / "generated").symlink_to(ROOT / "generated")
    for each, (text, _) in PROGRAMS.items():
        (tmp_path / each).write_text(text, encoding="utf-8")
    ran = subprocess.run([sys.executable, name], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.stdout, ran.stderr) == (PROGRAMS[name][1], "")


def test_the_tables_have_every_option_and_no_other() -> None:
    assert set(ROWS) == set(process.SpawnOptions.__annotations__) | set(options.Options.__annotations__)


@pytest.mark.parametrize("option", ROWS)
def test_an_option_has_the_type_that_the_page_says(option: str) -> None:
    declared = {**options.Options.__annotations__, **process.SpawnOptions.__annotations__}[option]
    assert cells(option)[0] == declared.__forward_arg__


@pytest.mark.parametrize("option", ROWS)
def test_an_option_has_the_default_that_the_page_says(option: str) -> None:
    assert value(cells(option)[1]) == defaults()[option]


def test_a_limit_has_the_type_and_the_default_that_the_page_says() -> None:
    declared = {field.name: field for field in structs.fields(Limits)}
    assert set(LIMIT_ROWS) == set(declared)
    for name, field in declared.items():
        assert cells(name)[:1] == [field.type.__name__], name
        assert value(cells(name)[1]) == field.default, name


def cells(option: str) -> list[str]:
    row = {**ROWS, **LIMIT_ROWS}[option]
    return [cell.strip().strip("`").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)]


def value(cell: str) -> Any:
    """A default as the page writes it."""
    if cell == "Limits()":
        return Limits()
    number, _, unit = cell.replace(",", "").partition(" ")
    return ast.literal_eval(number) * UNITS[unit] if unit else ast.literal_eval(number)


@cache
def defaults() -> dict[str, Any]:
    """What the runtime takes where an option is not given."""
    found = {
        name: parameter.default
        for name, parameter in inspect.signature(process.spawn).parameters.items()
        if parameter.default is not parameter.empty
    }
    for path in (ROOT / "generated" / "_runtime").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="options"), attr="get"), args=[ast.Constant(value=name), *rest]
                ):
                    if name in ROWS and found.get(name) is None:
                        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
                        found[name] = eval(ast.unparse(rest[0]), vars(module)) if rest else None
                case _:
                    pass
    return found
