"""The generator as a command, from the start of Python to its end."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from ..environments import GENERATOR, python
from ..model import Opener, Row, Setting, Target
from .opening import Ready, timed

_MSGSPEC = "Python importing msgspec"
_OFFICIAL = "official generator"


def codegen(*arguments: str | Path) -> list[str]:
    """A command of ours."""
    return [sys.executable, "-m", "codegen", *map(str, arguments)]


def _source(setting: Setting) -> Path:
    return setting.environments / GENERATOR / "source"


def _official(setting: Setting) -> Ready:
    """In a fresh copy of its tree each time, from the schema that it comes with."""
    tree = setting.scratch / "official"

    def ready() -> tuple[list[str], Path]:
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(_source(setting), tree)
        variables = ["env", "PYTHONPATH=src"]
        return [*variables, python(setting.environments / GENERATOR), "scripts/gen_all.py", "--no-download"], tree

    return ready


def _cold(setting: Setting) -> Ready:
    """The same schema, to where nothing is."""
    out = setting.scratch / "cold"

    def ready() -> tuple[list[str], Path]:
        shutil.rmtree(out, ignore_errors=True)
        return codegen("--schema", _source(setting) / "schema" / "schema.json", "--out", out), setting.root

    return ready


def _unchanged(setting: Setting) -> Ready:
    out = setting.scratch / "unchanged"
    command = codegen("--schema", _source(setting) / "schema" / "schema.json", "--out", out)
    return lambda: (command, setting.root)


def _ours(*arguments: str) -> Opener:
    return timed(lambda setting: lambda: (codegen(*arguments), setting.root), codes=(0, 1))


def _diff(setting: Setting) -> Ready:
    stable = setting.scratch / "stable.json"
    with stable.open("wb") as file:
        subprocess.run(codegen("schema", "--stable"), cwd=setting.root, stdout=file, check=True)
    return lambda: (codegen("diff", "schema.json", stable), setting.root)


_START = timed(lambda setting: lambda: ([sys.executable, "-c", "import msgspec"], setting.root))


def _over_start(name: str, what: str, command: Opener, limit: float) -> Row:
    targets = (Target(_MSGSPEC, "over", limit), Target(_MSGSPEC, "of"))
    return Row(f"generation/{name}", what, "s", {"ours": command, _MSGSPEC: _START}, targets, rounds=9)


ROWS = (
    Row(
        "generation/cold",
        "generate where nothing is",
        "s",
        {"ours": timed(_cold), _OFFICIAL: timed(_official)},
        (Target(_OFFICIAL, "of", 0.5),),
        rounds=5,
    ),
    Row(
        "generation/unchanged",
        "generate what is up to date",
        "s",
        {"ours": timed(_unchanged), _OFFICIAL: timed(_official)},
        (Target(_OFFICIAL, "of", 0.05),),
        rounds=5,
    ),
    _over_start("check", "`check`, nothing to find", _ours("check"), 0.5),
    _over_start("diff_equal", "`diff` of two equal schemas", _ours("diff", "schema.json", "schema.json"), 1),
    _over_start("diff", "`diff` of the schema and its stable part", timed(_diff, codes=(0, 1)), 1),
)
