"""A checkout with CRLF, the default of Git for Windows, is as current as any other, and stays so for everyone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.write.manifest import inputs

ROOT = Path(__file__).resolve().parents[3]


def test_line_ends_of_the_generator_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for end in ("\n", "\r\n"):
        source = tmp_path / "source.py"
        source.write_bytes(f"a = 1{end}b = 2{end}".encode())
        monkeypatch.setattr("codegen.write.manifest.generator_sources", lambda source=source: [source])
        made.append(inputs(f"{{}}{end}".encode(), (), names=f"{{}}{end}".encode()))
    assert made[0] == made[1]


@pytest.mark.environment
@pytest.mark.parametrize("attributes", [True, False], ids=["with our .gitattributes", "without"])
def test_a_clone_with_crlf_is_current_and_regenerating_changes_nothing(tmp_path: Path, *, attributes: bool) -> None:
    clone = tmp_path / "clone"

    def git(*arguments: str) -> str:
        command = ["git", "-c", "core.autocrlf=true", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def codegen(*arguments: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": ""}
        command = [sys.executable, "-m", "codegen", *arguments]
        return subprocess.run(command, cwd=clone, env=env, capture_output=True, text=True, check=False)

    git("clone", "--quiet", "--no-checkout", str(ROOT), str(clone))
    if not attributes:
        (clone / ".git" / "info" / "attributes").write_text("* text=auto !eol\n")
    git("-C", str(clone), "checkout", "--quiet", "HEAD", "--", ".")
    assert (b"\r\n" in (clone / "codegen" / "pipeline.py").read_bytes()) == (not attributes)
    checked = codegen("--check")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    codegen()
    assert git("-C", str(clone), "status", "--porcelain", "--untracked-files=no") == ""
