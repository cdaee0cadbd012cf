"""The project's own data files: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGE = Path(__file__).resolve().parent
_SHAPING = ("document", "load", "model", "shape", "emit", "formatting", "write", "runtime")


def resource(name: str) -> Path:
    """The path of `schema.json` or `templates`."""
    inside = _PACKAGE / "data" / name
    return inside if inside.exists() else _PACKAGE.parent / name


def template_environment(folder: str, *, autoescape: bool, keep_trailing_newline: bool = True) -> Environment:
    """The template environment of a folder. An undefined name in a template is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415  # few commands fill templates

    return Environment(
        loader=FileSystemLoader(resource("templates") / folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=keep_trailing_newline,
        autoescape=autoescape,  # noqa: S701  # formats without it have escapers of their own
    )


def annotation_files() -> list[Path]:
    """The annotation documents, the newest protocol version first."""
    return sorted((_PACKAGE / "annotations").glob("v*.json"), reverse=True)


def generator_sources() -> list[Path]:
    """Every source file that affects the output, in a fixed order."""
    modules = [path for part in _SHAPING for path in sorted((_PACKAGE / part).rglob("*.py"))]
    templates = [path for part in (".", "models") for path in sorted((resource("templates") / part).glob("*.jinja2"))]
    return [*modules, *annotation_files(), *templates]


def runtime_modules() -> dict[str, Path]:
    """The hand-written modules of every generated package, by their path in the runtime, with slashes."""
    home = _PACKAGE / "runtime"
    return {path.relative_to(home).as_posix(): path for path in sorted(home.rglob("*.py"))}
