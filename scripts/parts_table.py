"""Writes the table of parts in docs/vendoring.md: what each adds to a package, its size, what it needs. `make generate` runs it."""

from __future__ import annotations

from pathlib import Path

from codegen.emit.parts import PARTS, part_of

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "vendoring.md"
PACKAGE = ROOT / "generated"
BEGIN, END = "<!-- Written by `make generate` (scripts/parts_table.py). -->\n", "<!-- The end of what it writes. -->\n"
_CORE = "Models, method table, base classes and typed calls, sessions and their state, connections over standard streams and sockets."


def page(text: str) -> str:
    """The page with the table as it should be."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}{_table()}{END}{rest.partition(END)[2]}"


def _table() -> str:
    sizes: dict[str, tuple[int, int]] = {}
    for path in PACKAGE.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            part = part_of(path.relative_to(PACKAGE).as_posix())
            files, lines = sizes.get(part, (0, 0))
            added = path.read_bytes().count(b"\n") if path.suffix == ".py" else 0
            sizes[part] = files + 1, lines + added
    missing = sum(len(part.modules) for part in PARTS.values())
    core = sizes[""][0] + missing, sizes[""][1]
    rows = ["| | you get | files | lines of Python | needs |", "| --- | --- | --- | --- | --- |"]
    rows += [_row("core", _CORE, core, "msgspec")]
    rows += [_row(f"`{name}`", part.about, sizes[name], part.requires) for name, part in PARTS.items()]
    whole = sum(files for files, _ in sizes.values()), sum(lines for _, lines in sizes.values())
    return "\n".join([*rows, _row("`all`", "All of it; so has the wheel `acp-generated`.", whole, "")]) + "\n"


def _row(name: str, about: str, size: tuple[int, int], requires: str) -> str:
    """A row; lines in hundreds, so that not every change of the runtime changes it."""
    files, lines = size
    return f"| {name} | {about} | {files} | {round(lines, -2):,} | {requires} |"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
