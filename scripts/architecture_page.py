"""Write the section about every module in ARCHITECTURE.md: `python -m scripts.architecture_page`, or `make generate`.

The map in the docstring of a folder's `__init__.py` says what each of its modules decides. `architecture.toml` does so
for folders without one.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "ARCHITECTURE.md"
TREES = ("codegen", "acp_remote", "acp_tools", "benchmarks")
OTHERS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    (ROOT / "scripts" / "architecture.toml").read_text(encoding="utf-8")
)
"""Folders without a map: the name of each file, or of a subfolder with a slash, and its gloss."""
BEGIN, END = (
    "<!-- Written by `make generate` (scripts/architecture_page.py). -->\n",
    "<!-- The end of the modules. -->\n",
)
_ENTRY = re.compile(r"^ {0,4}([\w.]+/?) {2,}(\S.*(?:\n {8,}\S.*)*)", re.MULTILINE)
"""An entry of a map: a module, a folder with or without a slash, or a data file; its gloss may take several lines."""


def entries(docstring: str) -> list[tuple[str, str]]:
    """The entries of a map in a docstring: name and gloss."""
    return [(name, " ".join(gloss.split())) for name, gloss in _ENTRY.findall(docstring)]


def docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def packages(trees: tuple[str, ...] = TREES) -> list[str]:
    """Every folder with an `__init__.py` in the trees, as a path from the root."""
    found = {path.parent for tree in trees for path in (ROOT / tree).rglob("__init__.py")}
    return sorted(folder.relative_to(ROOT).as_posix() for folder in found)


def page(text: str) -> str:
    """The page with the section as it should be."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}{''.join(_sections())}{END}{rest.partition(END)[2]}"


def _sections() -> Iterator[str]:
    for folder in packages():
        found = entries(docstring(ROOT / folder / "__init__.py"))
        yield from _section(f"{folder}/", [row for row in found if not (ROOT / folder / row[0].rstrip("/")).is_dir()])
    for folder, files in OTHERS.items():
        yield from _section(folder, [*files.items()])


def _section(folder: str, found: list[tuple[str, str]]) -> Iterator[str]:
    if found:
        rows = "".join(f"| `{name}` | {gloss} |\n" for name, gloss in found)
        yield f"\n### `{folder}`\n\n| module | what it decides |\n| --- | --- |\n{rows}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
