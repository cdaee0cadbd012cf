"""The language server stands apart: no other command imports it, and without its folder all others work."""

from __future__ import annotations

import os
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


def test_check_imports_nothing_of_it() -> None:
    program = (
        "import sys; from codegen.cli import main; main(['check', '--no-compare']); "
        "print([m for m in sys.modules if m.startswith(('pygls', 'lsprotocol', 'codegen.editor'))])"
    )
    assert python(ROOT, "-c", program).stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_without_its_folder_the_other_commands_are_there(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "codegen", tmp_path / "codegen", ignore=shutil.ignore_patterns("editor", "__pycache__"))
    shutil.copytree(ROOT / "examples" / "starters", tmp_path / "examples" / "starters")
    for name in ("schema.json", "names.lock.json"):
        shutil.copy(ROOT / name, tmp_path)
    ran = python(tmp_path, "-m", "codegen", "check", "--no-compare", "--config", str(ROOT / "pyproject.toml"))
    assert (ran.returncode, ran.stdout) == (0, "no findings\n")
    ran = python(tmp_path, "-m", "codegen", "lsp")
    assert ran.returncode == 2
    assert "invalid choice: 'lsp'" in ran.stderr


def test_without_pygls_the_command_says_what_is_missing(tmp_path: Path) -> None:
    program = "import sys; sys.modules['pygls'] = None; from codegen.cli import main; sys.exit(main(['lsp']))"
    ran = python(ROOT, "-c", program)
    assert ran.returncode == 2
    assert 'this Python has no module "pygls' in ran.stderr
    assert "Traceback" not in ran.stderr
