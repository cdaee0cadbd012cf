"""Results as text: the table on the terminal, and the parts of documents that show figures.

Such a part is between `<!-- name -->` and `<!-- end of name -->` in its document, and is written here alone.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .model import SENSES

Results = Mapping[str, Any]
"""What results.json holds."""

FILE = Path("benchmarks/results.json")
PLOTS = (Path("benchmarks/results.svg"), Path("benchmarks/results-dark.svg"))

_SCALES = {
    "s": ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")),
    "B": ((1e6, "MB"), (1e3, "KB"), (1, "B")),
}


def amount(value: float, unit: str) -> str:
    """A cost for people: three digits and a unit that fits. Things are counted in full."""
    if not unit:
        return f"{value:,.0f}"
    scale, name = next((row for row in _SCALES[unit] if abs(value) >= row[0]), _SCALES[unit][-1])
    return f"{digits(value / scale)} {name}"


def digits(value: float) -> str:
    """Three digits, and those before the point in full."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:#.3g}".rstrip(".")


def _peer(results: Results, name: str) -> str:
    versions = results["versions"]
    return {
        "ours": "ours",
        "sdk": f"official SDK {versions['sdk: agent-client-protocol']}",
        "sdk-pre": f"official SDK {versions['sdk-pre: agent-client-protocol']}",
        "sdk-pre, remote": f"official SDK {versions['sdk-remote: agent-client-protocol']}",
        "sdk, pydantic alone": "its models, by pydantic's own JSON",
        "orjson": "orjson, dicts",
        "msgspec": "msgspec's bare codec",
        "ours, unchecked": "ours, outgoing messages unchecked",
    }.get(name, name)


_HEAD = ("what", "cost", "beside", "its cost", "ratio (quartiles)", "to reach", "reached")


def _lines(results: Results) -> Iterator[tuple[str, ...]]:
    """One line for each comparison; what a row says once is in its first line."""
    for row in results["rows"]:
        cost = row["costs"][row["subject"]]["median"]
        what = row["what"] if row["subject"] == "ours" else f"{row['what']}: {row['subject']}"
        head = (what, amount(cost, row["unit"]))
        for comparison in row["comparisons"]:
            sense, figure = SENSES[comparison["sense"]], comparison["figure"]
            spread = f" ({digits(figure['low'])} to {digits(figure['high'])})" if row["rounds"] > 1 else ""
            grows = f", grows with n^{comparison['exponent']:.2f}" if "exponent" in comparison else ""
            limit, reached = comparison["limit"], comparison["reached"]
            yield (
                *head,
                _peer(results, comparison["peer"]),
                amount(row["costs"][comparison["peer"]]["median"], row["unit"]),
                sense.words.format(digits(figure["median"])) + spread + grows,
                "" if limit is None else sense.wanted.format(f"{limit:.3g}"),
                "" if reached is None else "yes" if reached else "**no**",
            )
            head = ("", "")


def plain(results: Results) -> str:
    """The table on a terminal."""
    lines = [_HEAD, *([cell.replace("*", "") for cell in line] for line in _lines(results))]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
    return f"{table}\n{_tally(results)}"


def _tally(results: Results) -> str:
    judged = [c["reached"] for row in results["rows"] for c in row["comparisons"] if c["reached"] is not None]
    return f"{sum(judged)} of {len(judged)} targets reached, in {results['seconds']} seconds."


def table(results: Results) -> str:
    """The whole table, the machine and the versions."""
    machine = results["machine"]
    described = (results["date"], machine["processor"], f"{machine['cores']} cores", *list(machine.values())[2:])
    versions = (f"{package} {number} ({where})" for (where, package), number in _versions(results))
    rows = ["| " + " | ".join(line) + " |" for line in (_HEAD, ["---"] * len(_HEAD), *_lines(results))]
    notes = [f"- {row['what']}: {row['note']}" for row in results["rows"] if row["note"]]
    text = [
        f"{', '.join(described)}. {_tally(results)}",
        "",
        *rows,
        "",
        *notes,
        "",
        f"Versions: {', '.join(versions)}.",
    ]
    return "\n".join(text)


def _versions(results: Results) -> Iterator[tuple[list[str], str]]:
    for name, number in results["versions"].items():
        yield name.split(": "), number


def _figure(results: Results, name: str, peer: str) -> float:
    row = next(row for row in results["rows"] if row["id"] == name)
    return next(float(c["figure"]["median"]) for c in row["comparisons"] if c["peer"] == peer)


def _cost(results: Results, name: str, contender: str = "ours") -> float:
    row = next(row for row in results["rows"] if row["id"] == name)
    return float(row["costs"][contender]["median"])


def _about(number: float) -> str:
    """A large number, its first three digits."""
    return f"{float(f'{number:.3g}'):,.0f}"


def speed(results: Results) -> str:
    """The README's sentence: what people ask first."""
    decode, encode = (digits(_figure(results, f"{do}/tool_call", "sdk")) for do in ("decode", "encode"))
    updates = 1 / _cost(results, "pipe/updates")
    return (
        f"Compared with the official Python SDK {results['versions']['sdk: agent-client-protocol']} in the same run:\n\n"
        f"- A tool call with a diff is decoded **{decode} times** and encoded **{encode} times** as fast.\n"
        f"- An agent process streams {_about(updates)} updates per second to its client, "
        f"**{digits(_figure(results, 'pipe/updates', 'sdk'))} times** as many.\n"
        f"- An agent answers `initialize` {amount(_cost(results, 'start/initialize'), 's')} after its start, "
        f"**{digits(_figure(results, 'start/initialize', 'sdk'))} times** as fast."
    )


def scale(results: Results) -> str:
    """Table of docs/scale.md: costs and capacities."""
    update, request = _cost(results, "pipe/updates"), _cost(results, "pipe/in_flight")
    session, held = _cost(results, "memory/session"), _cost(results, "memory/updates")
    crowd = _cost(results, "growth/sessions", "10,000 sessions")
    rows = (
        ("an update from an agent process to its client", update, "s"),
        ("a request and its response, 1,000 in flight", request, "s"),
        ("opening a session, and a turn of ten updates, 10,000 at once", crowd, "s"),
        ("a session during its turn, both sides", session, "B"),
        ("a decoded update in memory", held, "B"),
    )
    lines = [f"| {what} | {amount(cost, unit)} | {_many(cost, unit)} |" for what, cost, unit in rows]
    turns, rate = 10_000, 100
    cores, memory = turns * rate * update, amount(turns * session, "B")
    example = f"For example, {turns:,} turns at once, with {rate} updates per second each, use {cores:.0f} pairs of cores and {memory}."
    return "\n".join(["| unit | cost | capacity |", "| --- | --- | --- |", *lines, "", example])


def _many(cost: float, unit: str) -> str:
    return f"{_about(1 / cost)} a second" if unit == "s" else f"{_about(2**30 / cost)} in 1 GiB"


PARTS: Mapping[str, tuple[str, Callable[[Results], str]]] = {
    "benchmarks/README.md": ("results", table),
    "README.md": ("speed", speed),
    "docs/scale.md": ("measured", scale),
}
"""Document to the part of it that shows figures: (name, how it is written)."""


def filled(document: str, name: str, text: str) -> str:
    """A document with one part written anew."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    new, count = re.subn(f"{begin}.*?{end}", lambda _: f"{begin}\n{text}\n{end}", document, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"the document has {count} parts {begin} ... {end}")
    return new


def write(results: Results, root: Path, plotting_python: str) -> None:
    """Write results.json, the plots and the parts of documents."""
    (root / FILE).write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    show(root, plotting_python)


def show(root: Path, plotting_python: str) -> None:
    """Write the plots and the parts of documents from results.json as it stands."""
    results: Results = json.loads((root / FILE).read_bytes())
    plots = [str(root / plot) for plot in PLOTS]
    subprocess.run([plotting_python, str(root / "benchmarks/plot.py"), str(root / FILE), *plots], check=True)
    for document, (name, part) in PARTS.items():
        path = root / document
        path.write_text(filled(path.read_text(encoding="utf-8"), name, part(results)), encoding="utf-8")
