"""Writes the table of packages in docs/vendoring.md: what each part adds, its size, what it needs. `make generate` runs it."""

from __future__ import annotations

from pathlib import Path

from codegen.emit.parts import PARTS, is_in
from codegen.shape.public import RUNTIME, RUNTIME_REQUIREMENT

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "vendoring.md"
PACKAGE = ROOT / "generated"
BEGIN, END = "<!-- Written by `make generate` (scripts/parts_table.py). -->\n", "<!-- The end of what it writes. -->\n"
_CORE = "What an agent over standard streams needs: models, method table, base class and typed calls, sessions, connections."


def page(text: str) -> str:
    """The page with the table as it should be."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}{_table()}{END}{rest.partition(END)[2]}"


def _table() -> str:
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    sizes = {path.relative_to(PACKAGE).as_posix(): _size(path) for path in files}
    core = [size for path, size in sizes.items() if is_in(path, ())]
    rows = ["| | you get | files | lines of Python | kB | needs |", "| --- | --- | --- | --- | --- | --- |"]
    rows += [_row("core", _CORE, core, "msgspec")]
    for name, part in PARTS.items():
        own = [size for path, size in sizes.items() if is_in(path, {name}) and not is_in(path, ())]
        needs = [*(f"`{needed}`" for needed in part.needs), *([part.requires] if part.requires else [])]
        rows += [_row(f"`{name}`", part.about, own, "; ".join(needs))]
    rows += [_row("`all`", "All of it; so has the wheel `acp-generated`.", [*sizes.values()], "")]
    own = [size for path, size in sizes.items() if not path.startswith(RUNTIME) and is_in(path, ())]
    distribution = RUNTIME_REQUIREMENT.partition(">")[0]
    rows += [_row("core, `--runtime installed`", "The core without its runtime.", own, distribution)]
    runtime = [size for path, size in sizes.items() if path.startswith(RUNTIME)]
    rows += [_row(f"the wheel `{distribution}`", "The runtime of the core and of every part.", runtime, "msgspec")]
    return "\n".join(rows) + "\n"


def _size(path: Path) -> tuple[int, int, int]:
    """A file as its number, lines of Python, and bytes."""
    data = path.read_bytes()
    return 1, data.count(b"\n") if path.suffix == ".py" else 0, len(data)


def _row(name: str, about: str, sizes: list[tuple[int, int, int]], requires: str) -> str:
    """A row; lines in hundreds and bytes in thousands, so that not every change of the runtime changes it."""
    files, lines, size = (sum(each) for each in zip(*sizes, strict=True))
    return f"| {name} | {about} | {files} | {round(lines, -2):,} | {round(size / 1000):,} | {requires} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
