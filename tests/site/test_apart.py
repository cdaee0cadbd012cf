"""The documentation site stands apart: nothing imports it but its command, and without its folder all others work."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_nothing_imports_it_but_its_command() -> None:
    sources = [path for path in (ROOT / "codegen").rglob("*.py") if path.parent.name != "site"]
    wanted = re.compile(r"^\s*(from \.+site[. ]|from \.+ import .*\bsite\b|import .*codegen\.site)", re.MULTILINE)
    assert [path.name for path in sources if wanted.search(path.read_text(encoding="utf-8"))] == ["cli_site.py"]


def test_another_command_loads_nothing_of_it() -> None:
    program = (
        "import sys; from codegen.cli import main; main(['rules']); "
        "print([m for m in sys.modules if m.startswith(('pygments', 'markdown_it', 'codegen.site'))])"
    )
    assert python(ROOT, "-c", program).stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_without_its_folder_the_other_commands_are_there(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "codegen", tmp_path / "codegen", ignore=shutil.ignore_patterns("site", "__pycache__"))
    for name in ("schema.json", "names.lock.json"):
        shutil.copy(ROOT / name, tmp_path)
    ran = python(tmp_path, "-m", "codegen", "check", "--no-compare", "--config", str(ROOT / "pyproject.toml"))
    assert (ran.returncode, ran.stdout) == (0, "no findings\n")
    ran = python(tmp_path, "-m", "codegen", "docs")
    assert ran.returncode == 2
    assert "invalid choice: 'docs'" in ran.stderr


@pytest.mark.parametrize("module", ["pygments", "markdown_it"])
def test_without_its_extra_the_command_says_what_to_install(module: str) -> None:
    program = f"import sys; sys.modules['{module}'] = None; from codegen.cli import main; sys.exit(main(['docs']))"
    ran = python(ROOT, "-c", program)
    assert ran.returncode == 2
    assert f'this Python has no module "{module}' in ran.stderr
    assert "acp-codegen[docs]" in ran.stderr
    assert "Traceback" not in ran.stderr
