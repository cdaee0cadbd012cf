"""The table of parts: it names what is there, and no part is imported from outside of it."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import generated
from codegen.emit.parts import ALL, PARTS, is_in, part_of, with_needed

PACKAGE = Path(__file__).resolve().parents[3] / "generated"
CHOOSERS = {
    "__init__.py",
    "agent.py",
    "blocking.py",
    "client.py",
    "connection.py",
    "mcp.py",
    "sessions.py",
    "transports.py",
}
"""The modules that are written otherwise where a part is missing: they pass on names of parts."""


def imported(path: Path) -> Iterator[str]:
    """The files of the package that a module imports, wherever it does so."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            targets = (base, *(base / alias.name for alias in node.names))
            yield from (f"{found.relative_to(PACKAGE).as_posix()}.py" for found in targets)


def owners(path: str) -> list[str]:
    """The parts that a file belongs to; the core has an empty name."""
    return [""] if is_in(path, ()) else [part for part in ALL if is_in(path, {part})]


def test_no_module_imports_a_part_that_is_neither_its_own_nor_needed_by_it() -> None:
    modules = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).as_posix() not in CHOOSERS]
    wrong = [
        (path.name, target)
        for path in modules
        for owner in owners(path.relative_to(PACKAGE).as_posix())
        for target in imported(path)
        if not is_in(target, with_needed({owner}))
    ]
    assert (len(modules) > 100, wrong) == (True, [])


@pytest.mark.parametrize("name", ALL)
def test_what_the_table_says_of_a_part_is_there(name: str) -> None:
    part = PARTS[name]
    files = [path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")]
    owned = [path for path in files if part_of(path) == name]
    for place in (*part.modules, *(f"_runtime/{each}" for each in part.runtime)):
        assert [path for path in owned if path == f"{place}.py" or path.startswith(f"{place}/")], place
    offered = {key for module in part.modules for key in vars(importlib.import_module(f"generated.{module}"))}
    passed_on = vars(importlib.import_module("generated.connection")).keys() | {*generated.__all__}
    of_addition = {*importlib.import_module("examples.acp").__all__}
    assert {*part.names} <= offered | passed_on | of_addition


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("stores.py", "stores"),
        ("_runtime/stores/sql.py", "stores"),
        ("_runtime/reconnect/supervisor.py", "reconnecting"),
        ("_runtime/reconnect/backoff.py", ""),
        ("_runtime/testing.py", "testing"),
        ("client.py", "client"),
        ("agent.py", ""),
        ("METHODS.md", ""),
    ],
)
def test_each_file_belongs_to_a_part_or_to_the_core(path: str, part: str) -> None:
    assert part_of(path) == part


def test_a_module_of_two_parts_is_there_with_either() -> None:
    path = "_runtime/reconnect/sessions.py"
    assert [is_in(path, {part}) for part in ("networking", "reconnecting", "testing")] == [True, True, False]
    assert not is_in(path, ())
