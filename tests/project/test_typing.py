"""What type checkers say of code that uses the package: nothing where it is right, and where it is wrong the line."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
TYPED = Path(__file__).parent / "typed"
MISTAKES = {
    number for number, line in enumerate((TYPED / "mistaken.py").read_text().splitlines(), 1) if "# mistake" in line
}


def test_mypy_finds_the_mistakes_and_nothing_else() -> None:
    pytest.importorskip("mypy")
    found = _run(
        "mypy", "--strict", "--config-file=", "--explicit-package-bases", *map(str, sorted(TYPED.glob("*.py")))
    )
    places = re.findall(r"(\w+\.py):(\d+): error", found)
    assert {(name, int(line)) for name, line in places} == {("mistaken.py", line) for line in MISTAKES}, found


def test_pyright_finds_the_mistakes_and_nothing_else(tmp_path: Path) -> None:
    if importlib.util.find_spec("pyright") is None or shutil.which("node") is None:
        pytest.skip("pyright or node is not here")
    # A project of its own, as a user has: pyright looks at nothing outside of one.
    shutil.copytree(TYPED, tmp_path / "app")
    config = {"typeCheckingMode": "strict", "include": ["app"], "extraPaths": [str(ROOT)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config))
    found = json.loads(_run("pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(tmp_path)))
    assert found["summary"]["filesAnalyzed"] == 2, found
    places = {(Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in found["generalDiagnostics"]}
    assert places == {("mistaken.py", line) for line in MISTAKES}, found


def _run(*command: str) -> str:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done.stdout
