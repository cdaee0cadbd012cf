"""The official Python SDK in an environment of its own: the first test run that needs it installs it into `.interop`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Callable
from pathlib import Path

PYTHON_SDK = "agent-client-protocol==0.12.1"
CACHE = Path(__file__).resolve().parents[1] / ".interop"


def python() -> Path:
    """The interpreter of an environment that has the SDK."""

    def install(home: Path) -> None:
        venv.create(home, with_pip=True)
        _pip(home / interpreter, "install", PYTHON_SDK)

    interpreter = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    return cached(PYTHON_SDK, install) / interpreter


def examples() -> Path:
    """The directory with the SDK's own examples, which only its source archive has."""

    def fetch(home: Path) -> None:
        home.mkdir(parents=True)
        _pip(sys.executable, "download", "--no-deps", "--no-binary", ":all:", "--dest", str(home), PYTHON_SDK)
        (archive,) = home.glob("*.tar.gz")
        with tarfile.open(archive) as packed:
            packed.extractall(home, filter="data")
        archive.unlink()

    (folder,) = cached(f"{PYTHON_SDK}-source", fetch).glob("*/examples")
    return folder


def cached(requirement: str, install: Callable[[Path], None]) -> Path:
    """The directory with a requirement installed; the first test run that needs it installs it."""
    home = CACHE / re.sub(r"[^\w.]+", "-", requirement).strip("-")
    if not home.exists():
        # Another worker may be at it: whoever is done first wins.
        mine = home.with_name(f"{home.name}.{os.getpid()}")
        install(mine)
        try:
            mine.rename(home)
        except OSError:
            shutil.rmtree(mine)
    return home


def _pip(interpreter: Path | str, *arguments: str) -> None:
    subprocess.run(
        [interpreter, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments], check=True, timeout=300
    )
