"""The tool as users have it: a wheel, installed into an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def run(*command: str | Path, cwd: Path, code: int = 0, env: Mapping[str, str] | None = None) -> str:
    """What a command prints; fails where it ends with another exit code."""
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    ran = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**outside, **(env or {})},
    )
    assert ran.returncode == code, f"{command} ended with {ran.returncode}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


def install(environment: Path, *what: str | Path) -> Path:
    """A new virtual environment with packages as constraints.txt pins them; its directory of programs."""
    venv.create(environment, with_pip=False, symlinks=True)
    programs = environment / SCRIPTS
    pip = (sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check")
    run(*pip, "--python", programs / "python", "install", "-c", ROOT / "constraints.txt", *what, cwd=environment)
    return programs


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT, cwd=folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def tool(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `acp-codegen`, in an environment that has the wheel and what it asks for."""
    return install(tmp_path_factory.mktemp("tool"), wheel) / "acp-codegen"


@pytest.fixture(scope="session")
def user_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has msgspec and nothing else."""
    return install(tmp_path_factory.mktemp("user"), "msgspec") / "python"
