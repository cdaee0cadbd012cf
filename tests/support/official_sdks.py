"""The official SDKs in environments of their own: the first test run that needs one installs it into `.interop`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

PYTHON_SDK = "agent-client-protocol==0.12.1"
REMOTE_PYTHON_SDK = "agent-client-protocol[http]==1.0.0rc3"
TYPESCRIPT_SDK = "@agentclientprotocol/sdk@2.4.0"
CACHE = Path(__file__).resolve().parents[2] / ".interop"


def python() -> Path:
    """The interpreter of an environment that has the SDK."""
    return environment(PYTHON_SDK)


def remote_python() -> Path:
    """That of one with the SDK that speaks over the network, and the server library that ours runs under."""
    return environment(REMOTE_PYTHON_SDK, f"hypercorn=={version('hypercorn')}")


def typescript() -> Path:
    """The directory of an npm project that has the TypeScript SDK, and the library of its WebSockets."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node is not installed")

    def install(home: Path) -> None:
        home.mkdir(parents=True)
        (home / "package.json").write_text('{"private": true}')
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--save-exact", TYPESCRIPT_SDK, "ws@8.18.3"]
        subprocess.run(command, cwd=home, check=True)

    return cached(f"{TYPESCRIPT_SDK}-ws", install)


def environment(*requirements: str) -> Path:
    """The interpreter of an environment with some packages."""

    def install(home: Path) -> None:
        venv.create(home, with_pip=True)
        _pip(home / interpreter, "install", *requirements)

    interpreter = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    return cached(requirements[0], install) / interpreter


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
    subprocess.run([interpreter, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments], check=True)
