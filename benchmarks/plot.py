"""Draws results.json: `plot.py RESULTS LIGHT.svg DARK.svg`. Runs in the environment that has matplotlib."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt

FLOORS = ("orjson", "msgspec", "raw loop", "Python importing msgspec")


@dataclass(frozen=True)
class Theme:
    """Colours; the peers' are told apart by people who see fewer of them, and by their shapes."""

    paper: str
    ink: str
    faint: str
    official: str
    preview: str
    floor: str


LIGHT = Theme("#ffffff", "#1f2328", "#d8dee4", "#0072b2", "#d55e00", "#57606a")
DARK = Theme("#0d1117", "#e6edf3", "#30363d", "#56b4e9", "#e69f00", "#9da7b3")


def ratio(row: dict[str, Any], peers: tuple[str, ...]) -> float | None:
    """What the first of some peers that a row has needs, as a multiple of what we need: the table's figure."""
    found = {
        compared["peer"]: compared["figure"]["median"] ** (-1 if compared["sense"] == "of" else 1)
        for compared in row["comparisons"]
        if compared["sense"] != "over"
    }
    return next((found[peer] for peer in peers if peer in found), None)


def series(results: dict[str, Any], theme: Theme) -> list[tuple[str, tuple[str, ...], str, str]]:
    """(label, peers, colour, marker), from the back to the front."""
    versions = results["versions"]
    return [
        (
            "floor: orjson into dicts, msgspec alone, a raw asyncio loop, Python importing msgspec",
            FLOORS,
            theme.floor,
            "D",
        ),
        (f"official SDK {versions['sdk-pre: agent-client-protocol']}", ("sdk-pre",), theme.preview, "s"),
        (
            f"official SDK {versions['sdk: agent-client-protocol']}, official generator",
            ("sdk", "official generator"),
            theme.official,
            "o",
        ),
    ]


def draw(results: dict[str, Any], theme: Theme, file: Path) -> None:
    """One line for each row that has a peer; to the right of 1, we need less."""
    rows = [row for row in results["rows"] if row["subject"] == "ours" and ratio(row, ("sdk", "official generator"))]
    rows.reverse()
    figure, axes = plt.subplots(figsize=(10, 0.32 * len(rows) + 1.7), facecolor=theme.paper, layout="constrained")
    axes.set_facecolor(theme.paper)
    axes.set_xscale("log")
    for height, row in enumerate(rows):
        points = [value for _, peers, *_ in series(results, theme) if (value := ratio(row, peers))]
        axes.plot([min(1, *points), max(1, *points)], [height] * 2, color=theme.faint, linewidth=2, zorder=1)
    for label, peers, colour, marker in series(results, theme):
        points = [(value, height) for height, row in enumerate(rows) if (value := ratio(row, peers))]
        axes.scatter(*zip(*points, strict=True), color=colour, marker=marker, s=42, label=label, zorder=3)
    axes.axvline(1, color=theme.ink, linewidth=1.4, zorder=2)
    ticks = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]
    low, high = axes.get_xlim()
    axes.set_xticks([tick for tick in ticks if low <= tick <= high], [f"{t:g}×" for t in ticks if low <= t <= high])
    axes.minorticks_off()
    axes.set_yticks(range(len(rows)), [row["what"].replace("`", "") for row in rows])
    axes.tick_params(colors=theme.ink, length=0)
    axes.grid(axis="x", color=theme.faint, linewidth=0.7, zorder=0)
    axes.set_xlabel("time or memory that the peer needs, as a multiple of ours", color=theme.ink)
    axes.spines[:].set_visible(False)
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(
        handles[::-1], labels[::-1], loc="outside upper left", ncols=1, frameon=False, labelcolor=theme.ink, fontsize=9
    )
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None}, facecolor=theme.paper)
    plt.close(figure)


def main(source: str, light: str, dark: str) -> None:
    """The same picture twice."""
    mpl.use("svg")
    # Text stays text: a quarter of the size, and it can be searched. A fixed salt: same results, same bytes.
    mpl.rcParams.update({"svg.hashsalt": "acp", "svg.fonttype": "none", "font.size": 9.5, "font.family": "sans-serif"})
    results = json.loads(Path(source).read_text(encoding="utf-8"))
    for theme, file in ((LIGHT, light), (DARK, dark)):
        draw(results, theme, Path(file))


if __name__ == "__main__":
    main(*sys.argv[1:])
