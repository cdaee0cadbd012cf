"""docs/testing.md: every test on it passes, and every one fails where what it is about goes wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from peers import ROOT

PAGE = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r'^```python title="(\w+\.py)"\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL))
RUNNER = """
import asyncio, inspect

def pytest_pyfunc_call(pyfuncitem):
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        names = inspect.signature(pyfuncitem.obj).parameters
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
        return True
"""


def run(folder: Path, **changed: str) -> tuple[int, str]:
    (folder / "generated").symlink_to(ROOT / "generated")
    (folder / "conftest.py").write_text(RUNNER)
    for name, text in {**BLOCKS, **changed}.items():
        (folder / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir=."]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    return ran.returncode, ran.stdout + ran.stderr


def test_every_block_of_python_is_a_file() -> None:
    assert PAGE.count("```") == 2 * len(BLOCKS)
    assert list(BLOCKS) == ["agent.py", "test_both.py", "test_scripted.py", "test_any.py", "test_fixtures.py"]


@pytest.mark.environment
def test_the_tests_of_the_page_pass(tmp_path: Path) -> None:
    code, text = run(tmp_path)
    assert code == 0, text
    assert "6 passed" in text


@pytest.mark.environment
def test_they_fail_for_an_agent_that_says_something_else(tmp_path: Path) -> None:
    code, text = run(tmp_path, **{"agent.py": BLOCKS["agent.py"].replace('"world"', '"moon"')})
    assert code == 1
    assert sorted(set(re.findall(r"FAILED (\w+\.py)", text))) == ["test_both.py", "test_fixtures.py"]
