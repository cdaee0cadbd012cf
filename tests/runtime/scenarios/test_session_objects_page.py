"""docs/session-objects.md: every program runs as it is, and the contract's tests pass."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from peers import ROOT

import generated as acp
from generated import stores
from generated.sessions import AgentSession, ClientSession

PAGE = (ROOT / "docs" / "session-objects.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r"^##+ ([^\n]+)\n(?:(?!^#).)*?^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
(CONTRACT,) = re.findall(r'^```python title="test_my_store.py"\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)


def test_every_block_is_a_program_of_its_section_or_the_contract() -> None:
    assert PAGE.count("```") == 2 * (len(PROGRAMS) + 1)


@pytest.mark.parametrize("section", PROGRAMS)
def test_a_program_does_what_it_asserts(section: str) -> None:
    assert "assert " in PROGRAMS[section]
    exec(compile(PROGRAMS[section], f"docs/session-objects.md: {section}", "exec"), {"__name__": "__main__"})


@pytest.mark.slow
def test_the_contract_runs_as_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "test_my_store.py").write_text(CONTRACT, encoding="utf-8")
    (tmp_path / "generated").symlink_to(ROOT / "generated")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir=."]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert re.search(r"^\d+ passed", ran.stdout, re.MULTILINE)


def test_the_names_of_its_tables_exist() -> None:
    rows = re.findall(r"^\| (`[^|]+`[^|]*) \|", PAGE, re.MULTILINE)
    names = {name for row in rows for name in re.findall(r"`(\w+)[(`]", row)}
    places = (AgentSession, ClientSession, acp.stores.SessionAgent, stores)
    assert [name for name in sorted(names) if not any(hasattr(place, name) for place in places)] == []
