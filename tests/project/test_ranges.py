"""The wheel beside its users' dependencies: it installs over the ranges that its metadata names, and writes the same bytes everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codegen.vendor.conftest import ROOT, SCRIPTS, run, wheel

__all__ = ["wheel"]  # a fixture

OLDEST = ("black==24.1.0", "jinja2==3.1.0", "pydantic==2.0", "msgspec==0.18.4")
"""The low ends. Later Pythons need later releases of these: wheels of the first ones exist for 3.11 alone."""


SUPPORTED = [f"python3.{minor}" for minor in range(11, 15)]


def found(name: str) -> Path:
    """The Python of that name; skips the test where there is none."""
    homes = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep)]
    homes += sorted(Path.home().glob(".pyenv/versions/*/bin"), reverse=True)
    python = next((home / name for home in homes if _runs(home / name)), None)
    if python is None:
        pytest.skip(f"there is no {name} here")
    return python


def _runs(python: Path) -> bool:
    """Whether it is a Python and not a shim of one that is not chosen."""
    if not python.is_file():
        return False
    return subprocess.run([python, "-c", "import venv"], capture_output=True, check=False).returncode == 0


def installed(python: Path, folder: Path, *what: str | Path) -> Path:
    """A fresh environment of a Python with packages, and nothing that constrains them; its folder of programs."""
    run(python, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    pip = (sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check")
    if what:
        run(*pip, "--python", folder / SCRIPTS / "python", "install", "--only-binary", ":all:", *what, cwd=folder)
    return folder / SCRIPTS


def check_output(programs: Path, folder: Path) -> None:
    """What the tool writes is what is committed."""
    run(programs / "acp-codegen", "--out", "generated", cwd=folder)
    written = {p.relative_to(folder): p.read_bytes() for p in (folder / "generated").rglob("*") if p.is_file()}
    assert written == {
        p.relative_to(ROOT): p.read_bytes()
        for p in (ROOT / "generated").rglob("*")
        if p.is_file() and p.suffix != ".pyc"
    }


@pytest.mark.environment
def test_the_oldest_of_each_range_writes_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    check_output(installed(found("python3.11"), tmp_path / "env", wheel, *OLDEST), tmp_path)


@pytest.mark.environment
@pytest.mark.parametrize("python", SUPPORTED)
def test_the_newest_of_each_range_writes_the_same_bytes_on_every_python(
    wheel: Path, tmp_path: Path, python: str
) -> None:
    programs = installed(found(python), tmp_path / "env", f"{wheel}[check]")
    check_output(programs, tmp_path)
    assert run(
        programs / "acp-codegen", "validate", ROOT / "examples" / "messages" / "agent" / "initialize", cwd=tmp_path
    )


@pytest.mark.environment
def test_a_package_called_codegen_stays_whole_beside_it(wheel: Path, tmp_path: Path) -> None:
    programs = installed(Path(sys.executable), tmp_path / "env")
    place = run(programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path)
    theirs = Path(place.strip()) / "codegen"
    theirs.mkdir()
    (theirs / "__init__.py").write_text("OTHER = 1\n")
    (theirs / "cli.py").write_text("OTHER = 2\n")
    pip = (sys.executable, "-m", "pip", "--quiet", "--python", programs / "python")
    run(*pip, "install", "--no-deps", wheel, cwd=tmp_path)
    run(
        programs / "python",
        "-c",
        "import codegen.cli, acp_codegen; assert codegen.cli.OTHER == 2",
        cwd=tmp_path,
    )
    run(*pip, "uninstall", "--yes", "acp-codegen", cwd=tmp_path)
    assert sorted(path.name for path in theirs.glob("*.py")) == ["__init__.py", "cli.py"]
