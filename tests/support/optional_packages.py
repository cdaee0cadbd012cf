"""What shows that a folder of `codegen/` can be left out: a copy without it, and programs that run there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with its modules first."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def loaded(command: list[str], *prefixes: str) -> list[str]:
    """The modules with such names that a command loads."""
    program = (
        f"import sys; from codegen.cli.main import main; main({command!r}); "
        f"print(*(m for m in sys.modules if m.startswith({prefixes!r})))"
    )
    return python(ROOT, "-c", program).stdout.splitlines()[-1].split()


def without(folder: str, place: Path) -> None:
    """Put a copy of the tool into a place, without one of its folders."""
    shutil.copytree(ROOT / "codegen", place / "codegen", ignore=shutil.ignore_patterns(folder, "__pycache__"))
    shutil.copytree(ROOT / "examples" / "starters", place / "examples" / "starters")
    for name in ("schema.json", "names.lock.json"):
        shutil.copy(ROOT / name, place)


def checks_and_has_no(command: str, place: Path) -> None:
    """Assert that a copy of the tool can check, and does not know a command."""
    ran = python(place, "-m", "codegen", "check", "--no-compare", "--config", str(ROOT / "pyproject.toml"))
    assert (ran.returncode, ran.stdout) == (0, "no findings\n")
    ran = python(place, "-m", "codegen", command)
    assert ran.returncode == 2
    assert f"No such command '{command}'" in ran.stderr
