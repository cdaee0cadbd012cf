"""Where the project's own data files are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_PACKAGE = Path(__file__).resolve().parent
_SHAPING = ("document", "load", "model", "emit", "runtime")


def resource(name: str) -> Path:
    """The path of `schema.json` or `templates`."""
    inside = _PACKAGE / "data" / name
    return inside if inside.exists() else _PACKAGE.parent / name


def examples(folder: str) -> Traversable:
    """A folder of the examples that `explain` shows: `tests/...` in a checkout, part of one archive in a wheel."""
    import zipfile  # noqa: PLC0415  # only `explain` needs it

    packed = _PACKAGE / "data" / "examples.zip"
    return zipfile.Path(packed, f"{folder}/") if packed.exists() else _PACKAGE.parent / folder


def annotation_files() -> list[Path]:
    """The annotation documents, that of the newest version of the protocol first."""
    return sorted((_PACKAGE / "annotations").glob("v*.json"), reverse=True)


def generator_sources() -> list[Path]:
    """Every file of ours that shapes the output, in a fixed order."""
    modules = [path for part in _SHAPING for path in sorted((_PACKAGE / part).glob("*.py"))]
    return [*modules, *annotation_files(), *sorted(resource("templates").glob("*.jinja2"))]


def runtime_modules() -> dict[str, Path]:
    """The hand-written modules of every generated package, by file name."""
    return {path.name: path for path in sorted((_PACKAGE / "runtime").glob("*.py"))}
