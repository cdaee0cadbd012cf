"""The documentation site stands apart: nothing imports it but its command, and without its folder all others work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.codegen.docsite.walls import project
from tests.support.optional_packages import ROOT, checks_and_has_no, loaded, python, without


def test_nothing_imports_it_but_its_command() -> None:
    sources = [path for path in (ROOT / "codegen").rglob("*.py") if "docsite" not in path.parts]
    wanted = re.compile(
        r"^\s*(from \.+docsite[. ]|from \.+ import .*\bdocsite\b|import .*codegen\.docsite)", re.MULTILINE
    )
    assert [path.name for path in sources if wanted.search(path.read_text(encoding="utf-8"))] == ["docs.py"]


def test_another_command_loads_nothing_of_it() -> None:
    assert loaded(["rules"], "zensical", "codegen.docsite") == []


@pytest.mark.slow
def test_without_its_folder_the_other_commands_are_there(tmp_path: Path) -> None:
    without("docsite", tmp_path)
    checks_and_has_no("docs", tmp_path)


def test_without_the_generator_the_command_says_what_to_install(tmp_path: Path) -> None:
    project(tmp_path)
    options = ["docs", "--schema", str(tmp_path / "schema.json"), "--out", str(tmp_path / "site")]
    program = (
        f"import sys; sys.modules['zensical'] = None; from codegen.cli.main import main; sys.exit(main({options}))"
    )
    ran = python(ROOT, "-c", program)
    assert ran.returncode == 2
    assert 'needs the module "zensical' in ran.stderr
    assert "acp-codegen[docs]" in ran.stderr
    assert ran.stderr.count("\n") == 1
