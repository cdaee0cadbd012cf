"""Zensical, the site generator: its configuration, its run in a temporary folder, and its output."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import CodegenError
from ..resources import resource, template_environment
from .text import quoted

Navigation = Sequence[tuple[str, Any]]
"""Titles with the path of a page, or with nested navigation."""

_LEFT_OUT = ("404.html", ".png", "sitemap.xml", "LICENSE", "objects.inv")
"""Suffixes of files that a local site does not need."""


def build(title: str, about: str, pages: Mapping[str, str], navigation: Navigation) -> dict[str, str]:
    """Build the site of some pages and return its files by path. Raises ModuleNotFoundError if Zensical is not
    installed.
    """
    if find_spec("zensical") is None:
        raise ModuleNotFoundError("No module named 'zensical'", name="zensical")
    with TemporaryDirectory(prefix="acp-docs-") as folder:
        home = Path(folder).resolve()
        given = {f"docs/{path}": text for path, text in pages.items()}
        for file in (resource("templates") / "site" / "shell").iterdir():
            below = "theme" if file.suffix == ".html" else "docs/assets"
            given[f"{below}/{file.name}"] = file.read_text(encoding="utf-8")
        given["zensical.toml"] = _configuration(title, about, navigation)
        for name, text in given.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text, encoding="utf-8", newline="\n")
        ran = subprocess.run(  # the generator, with files of ours
            [sys.executable, "-m", "zensical", "build"], cwd=home, capture_output=True, text=True, check=False
        )
        if ran.returncode:
            raise CodegenError(f"error: zensical could not build the site: {(ran.stdout + ran.stderr).strip()[-1000:]}")
        made = [path for path in sorted((home / "site").rglob("*")) if path.is_file()]
        return {
            path.relative_to(home / "site").as_posix(): path.read_text(encoding="utf-8")
            for path in made
            if not path.name.endswith(_LEFT_OUT)
        }


def _configuration(title: str, about: str, navigation: Navigation) -> str:
    environment = template_environment("site", autoescape=False)
    environment.filters["toml"] = quoted
    return environment.get_template("zensical.toml.jinja2").render(title=title, about=about, navigation=navigation)
