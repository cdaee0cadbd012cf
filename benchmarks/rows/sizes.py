"""The size of a vendored package: files, lines of Python, bytes, distributions, and the time to import it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from ..model import Opener, Row, Setting, Target
from .generation import codegen
from .opening import first_line

__all__ = ["ROWS"]

_CORE, _INSTALLED, _ALL, _SDK = "ours", "ours, installed runtime", "ours, all parts", "sdk"
_OPTIONS: Mapping[str, tuple[str, ...]] = {
    _CORE: (),
    _INSTALLED: ("--runtime", "installed"),
    _ALL: ("--with", "all"),
}
_NEEDED: Mapping[str, tuple[str, tuple[str, ...], int]] = {
    _CORE: ("ours", ("msgspec",), 0),
    _INSTALLED: ("ours", ("msgspec",), 1),
    _ALL: ("remote", ("msgspec", "httptools", "httpx[http2]", "hypercorn", "websockets"), 1),
    _SDK: ("sdk", ("agent-client-protocol",), 0),
}
"""The environment, what is needed of it, and the number of our own distributions: the runtime, or networking."""


@cache
def _package(scratch: Path, root: Path, name: str) -> Path:
    """A vendored package; its folder."""
    parent = scratch / f"sizes-{name}"
    subprocess.run(codegen("vendor", parent / "acp", *_OPTIONS[name]), cwd=root, check=True, capture_output=True)
    if name == _INSTALLED:
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(parent)]
        subprocess.run(build, cwd=root / "wheels" / "runtime", check=True, capture_output=True)
        with zipfile.ZipFile(next(parent.glob("*.whl"))) as wheel:
            wheel.extractall(parent)
    return parent / "acp"


def _folder(setting: Setting, name: str) -> Path:
    if name == _SDK:
        return next((setting.environments / _SDK).rglob("site-packages/acp"))
    return _package(setting.scratch, setting.root, name)


def _counted(of: Callable[[Path], float], suffix: str = "") -> Mapping[str, Opener]:
    """The sum over the files of each package."""

    def opener(name: str) -> Opener:
        def open_(setting: Setting) -> Callable[[], float]:
            files = [path for path in _folder(setting, name).rglob(f"*{suffix}") if path.is_file()]
            total = sum(of(path) for path in files if path.suffix != ".pyc")
            return lambda: total

        return open_

    return {name: opener(name) for name in (*_OPTIONS, _SDK)}


def _importing(name: str) -> Opener:
    def open_(setting: Setting) -> Callable[[], float]:
        parent = str(_folder(setting, name).parent)
        code = f"import sys; sys.path.insert(0, {parent!r}); import acp; acp.Agent; print(flush=True)"
        return first_line(_SDK if name == _SDK else "ours", "-c", code)(setting)

    return open_


def _distributions(name: str) -> Opener:
    """The distributions that a package needs, with all that these need."""
    environment, needed, own = _NEEDED[name]

    def open_(setting: Setting) -> Callable[[], float]:
        sites = [str(path) for path in (setting.environments / environment).rglob("site-packages")]
        there = {canonicalize_name(each.metadata["Name"]): each for each in distributions(path=sites)}
        total = own + len(closure(there, needed))
        return lambda: total

    return open_


def closure(there: Mapping[NormalizedName, Distribution], needed: tuple[str, ...]) -> set[NormalizedName]:
    """The names of some distributions and of all that they need. Those that are not installed are not needed here."""
    found: set[tuple[NormalizedName, str]] = set()
    open_ = [Requirement(text) for text in needed]
    while open_:
        requirement = open_.pop()
        name = canonicalize_name(requirement.name)
        new = {(name, extra) for extra in ("", *requirement.extras)} - found
        if name in there:
            found |= new
            for text in (there[name].requires or ()) if new else ():
                below = Requirement(text)
                if below.marker is None or any(below.marker.evaluate({"extra": extra}) for _, extra in new):
                    open_.append(below)
    return {name for name, _ in found}


_TARGETS = (Target(_INSTALLED, "of"), Target(_ALL, "of"), Target(_SDK, "of"))


def _count(name: str, what: str, unit: Literal["B", ""], contenders: Mapping[str, Opener]) -> Row:
    return Row(f"size/{name}", what, unit, contenders, _TARGETS, rounds=1)


ROWS = (
    _count("files", "files of a vendored package", "", _counted(lambda path: float(path.is_file()))),
    _count(
        "lines",
        "lines of Python of a vendored package",
        "",
        _counted(lambda path: path.read_bytes().count(b"\n"), ".py"),
    ),
    _count("bytes", "bytes of a vendored package", "B", _counted(lambda path: path.stat().st_size)),
    _count("distributions", "distributions that it needs", "", {name: _distributions(name) for name in _NEEDED}),
    Row(
        "size/import",
        "start Python and import the base class",
        "s",
        {name: _importing(name) for name in _NEEDED},
        _TARGETS,
    ),
)
