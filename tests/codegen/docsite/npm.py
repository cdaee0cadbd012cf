"""Packages of the npm registry that judge what we write, pinned, installed once a session."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

PINNED = {
    "axe-core": "4.14.1",
    "@vscode/vsce": "3.9.2",
    "@open-rpc/schema-utils-js": "2.2.1",
    "json-schema-to-typescript": "16.0.0",
    "quicktype": "26.0.0",
    "typescript": "7.0.2",
}


def installed(*names: str) -> Path:
    """The folder in which packages are in `node_modules`; skips where they cannot be had."""
    home = _installed(names)
    if isinstance(home, str):
        pytest.skip(home)
    return home


@cache
def _installed(names: tuple[str, ...]) -> Path | str:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return "needs Node.js and npm, and there is no `npm` on the PATH"
    home = Path(mkdtemp(prefix="acp-npm-"))
    command = [
        npm,
        "install",
        "--prefix",
        str(home),
        "--no-audit",
        "--no-fund",
        *(f"{name}@{PINNED[name]}" for name in names),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return home if ran.returncode == 0 else f"npm cannot install {names}: {ran.stderr[-300:]}"


def node(home: Path, program: str, given: str, *more: str) -> str:
    """What a program prints that is run with the packages of a folder; the file of its first argument holds what is given."""
    file, data = home / "program.mjs", home / "given.json"
    file.write_text(program, encoding="utf-8")
    data.write_text(given, encoding="utf-8")
    ran = subprocess.run(["node", file, data, *more], capture_output=True, text=True, check=False, cwd=home)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return ran.stdout
