"""The peers of `make interop`, and their installation."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
from pathlib import Path

from msgspec import Struct, field

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docs" / "interop"
CACHE = ROOT / ".interop"
HOME = "/tmp/acp-probe"  # noqa: S108  # a name in transcripts
"""The name of the clean home in transcripts. Sessions use its `work` directory; create that before a replay."""


class Peer(Struct):
    """One row of peers.toml."""

    name: str
    file: str
    command: list[str]
    install: str = ""
    environment: dict[str, str] = field(default_factory=dict[str, str])
    reads: list[str] = field(default_factory=list[str])
    prompts: list[str] = field(default_factory=lambda: ["Hello"])


def peers() -> list[Peer]:
    """All rows of peers.toml."""
    read = tomllib.loads((FOLDER / "peers.toml").read_text(encoding="utf-8"))
    return [Peer(**entry) for entry in read["peer"]]


def installed(peer: Peer) -> dict[str, str]:
    """Install a peer's package on first use. Returns the values of the names in its command."""
    places = {"python": sys.executable, "root": str(ROOT)}
    kind, _, package = peer.install.partition(":")
    if not kind:
        return places
    home = CACHE / ("peer-" + re.sub(r"[^\w.-]+", "-", package.strip("@")))
    if not home.exists():
        mine = home.with_name(f"{home.name}.{os.getpid()}")
        mine.mkdir(parents=True)
        (_npm if kind == "npm" else _pip)(mine, package)
        mine.rename(home)
    source = next(home.glob("source/*/"), home)
    return {**places, "home": str(home), "source": str(source)}


def _npm(home: Path, package: str) -> None:
    (home / "package.json").write_text('{"private": true}')
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", "--save-exact", package],
        cwd=home,
        check=True,
        timeout=600,
    )


def _pip(home: Path, package: str) -> None:
    venv.create(home, with_pip=True)
    pip = [str(home / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", package], check=True, timeout=600)
    subprocess.run(
        [*pip, "download", "--no-deps", "--no-binary", ":all:", "--dest", str(home), package], check=True, timeout=600
    )
    for archive in home.glob("*.tar.gz"):
        with tarfile.open(archive) as packed:
            packed.extractall(home / "source", filter="data")
        archive.unlink()


def without_places(text: str, home: Path, places: dict[str, str]) -> str:
    """A text without the paths of this machine."""
    names = {str(home): HOME, str(Path(home).resolve()): HOME}
    for name, shown in (("source", "/peer"), ("home", "/peer"), ("root", "/acp-codegen")):
        if name in places:
            names |= {places[name]: shown, str(Path(places[name]).resolve()): shown}
    names |= {sys.prefix: "/python", sys.base_prefix: "/python", str(Path.home()): "/home/user"}
    for place in sorted(names, key=len, reverse=True):
        # A place is no part of a longer name: `/root` does not stand in `/roots`, nor `/usr` in `/opt/usr`.
        if len(place) > len("/usr"):
            text = re.sub(rf"(?<![\w./-]){re.escape(place)}(?![\w.-])", names[place], text)
    return re.sub(r"\bregistry(?:\.\w+)+(?::\d+)?", "a package registry", text)
