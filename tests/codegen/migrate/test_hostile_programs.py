"""`migrate` answers every program in a line: no signal, no internal error, no endless work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import RunCli

DEEP = "is nested too deeply to be rewritten"
PROGRAMS = {
    "brackets": (f"x = {'(' * 1500}1{')' * 1500}", "is not valid Python"),
    "lists": (f"x = {'[' * 170}1{']' * 170}", DEEP),
    "signs": (f"x = {'-' * 60_000}1", DEEP),
    "attributes": (f"x = a{'.b' * 100_000}", DEEP),
    "branches": ("if a: pass\n" + "elif a: pass\n" * 600, DEEP),
    "an unknown coding": (
        "# coding: klingon",
        "is not valid Python: unknown encoding: klingon",
    ),
    "a zero byte": ("x = 1\0", "is not valid Python"),
}


@pytest.mark.parametrize(("program", "told"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_hostile_program_is_answered_in_a_line(program: str, told: str, tmp_path: Path, run_cli: RunCli) -> None:
    path = tmp_path / "a.py"
    path.write_text(f"{program}\n" if program.startswith("#") else f"import acp\n{program}\n")
    ran = run_cli("migrate", path)
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err
    assert told in ran.err
