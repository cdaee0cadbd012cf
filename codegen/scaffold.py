"""`new`: create a small project from a starter in `examples/starters`. No argument parsing, no printing.

A starter is a complete project with a name such as `my_agent`; the new project replaces that name everywhere. The
directory is created completely or not at all. The project vendors the package, or depends on the distribution
`acp-generated`.
"""

from __future__ import annotations

import keyword
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from .errors import InputError
from .resources import resource
from .shape.public import PACKAGE_REQUIREMENT

PACKAGE = "acp"
"""The name of the vendored package in a new project."""
_DISTRIBUTION = "acp_generated"
_INSTALLED = (
    (r"import pytest\nfrom \w+ import acp\n", f"import {_DISTRIBUTION} as acp\nimport pytest\n"),
    (r"from \. import acp\n", f"import {_DISTRIBUTION} as acp\n"),
    (r"from \w+\.acp\.", f"from {_DISTRIBUTION}."),
    (r'"msgspec[^"]*"', f'"{PACKAGE_REQUIREMENT}"'),
    (
        r"(?s)- `src/\w+/acp/` is .*?adds other parts\.",
        "- The package of the protocol is the distribution `acp-generated`.",
    ),
)
"""Differences of a project that depends on the distribution: patterns with replacements."""


def begin(kind: str, target: Path, vendored: Callable[[Path], None] | None) -> list[str]:
    """Create a project in an empty or new directory and return its files, without the vendored package.

    `vendored` writes the package to the directory that it is given. If it is None, the project depends on the
    distribution. Raises InputError.
    """
    name = _name(target)
    _check_free(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        made = Path(scratch) / target.name
        files = _copied(resource("examples/starters") / kind, made, f"my_{kind}", name, () if vendored else _INSTALLED)
        if vendored:
            vendored(made / "src" / name / PACKAGE)
        if target.exists():
            target.rmdir()
        made.rename(target)
    return files


def _name(target: Path) -> str:
    """The package's name, derived from the directory."""
    name = re.sub(r"[^a-z0-9]+", "_", target.absolute().name.lower()).strip("_")
    if not name.isidentifier() or keyword.iskeyword(name) or name in sys.stdlib_module_names or name == PACKAGE:
        raise InputError(
            str(target), f"is not a valid name of a Python package ({name or 'empty'}); choose a name such as my-agent"
        )
    return name


def _check_free(target: Path) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise InputError(str(target), "is not a directory; choose a new directory")
    if target.exists() and any(target.iterdir()):
        raise InputError(str(target), "is not empty; choose a new directory")


def _copied(source: Path, made: Path, old: str, new: str, edits: Sequence[tuple[str, str]]) -> list[str]:
    files: list[str] = []
    for path in sorted(source.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        relative = Path(*(part.replace(old, new) for part in path.relative_to(source).parts))
        text = path.read_text(encoding="utf-8").replace(old, new)
        text = text.replace(old.replace("_", "-"), new.replace("_", "-"))
        text = text.replace(_class(old), _class(new))
        for pattern, instead in edits:
            text = re.sub(pattern, instead, text)
        (made / relative).parent.mkdir(parents=True, exist_ok=True)
        (made / relative).write_text(text, encoding="utf-8", newline="\n")
        shutil.copymode(path, made / relative)
        files.append(relative.as_posix())
    return files


def _class(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
