"""Every figure that a document shows is in results.json, and was written from there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.model import SENSES
from benchmarks.rows import rows

ROOT = Path(__file__).resolve().parents[2]
RESULTS = json.loads((ROOT / report.FILE).read_bytes())


@pytest.mark.parametrize("document", sorted(report.PARTS))
def test_a_document_shows_what_results_json_says(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    name, part = report.PARTS[document]
    assert report.filled(text, name, part(RESULTS)) == text


def test_the_readme_shows_no_figure_of_speed_outside_that_part() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rest = re.sub("<!-- speed -->.*?<!-- end of speed -->", "", text, flags=re.DOTALL)
    assert re.findall(r"\d[\d.,]* ?(?:\u00d7|times|ms|µs|a second|per second)", rest) == []


def test_results_were_measured_for_the_rows_that_there_are() -> None:
    assert [row["id"] for row in RESULTS["rows"]] == [row.id for row in rows()]


def test_results_judge_by_the_targets_that_there_are() -> None:
    measured = {(row["id"], c["peer"], c["sense"], c["limit"]) for row in RESULTS["rows"] for c in row["comparisons"]}
    assert measured == {(row.id, t.peer, t.sense, t.limit) for row in rows() for t in row.targets}


def test_what_is_said_to_be_reached_follows_from_the_figures() -> None:
    judged = [c for row in RESULTS["rows"] for c in row["comparisons"] if c["limit"] is not None]
    assert [c["reached"] for c in judged] == [
        SENSES[c["sense"]].reached(c["figure"]["median"], float(c["limit"])) for c in judged
    ]


def test_results_name_no_folder_of_the_machine() -> None:
    assert not re.search(r"/home/|/tmp/|/root/|/work/|https?:", (ROOT / report.FILE).read_text(encoding="utf-8"))


@pytest.mark.parametrize("plot", report.PLOTS, ids=str)
def test_a_plot_is_there_and_names_no_folder_of_the_machine(plot: Path) -> None:
    text = (ROOT / plot).read_text(encoding="utf-8")
    assert "<svg" in text
    assert not re.search(r"/home/|/tmp/|/root/|/work/", text)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1.5, "s", "1.50 s"),
        (0.0123, "s", "12.3 ms"),
        (4.2e-7, "s", "420 ns"),
        (368.2, "B", "368 B"),
        (6_700, "B", "6.70 KB"),
        (17_284.0, "", "17,284"),
    ],
)
def test_a_cost_has_three_digits_and_a_unit_that_fits(value: float, unit: str, text: str) -> None:
    assert report.amount(value, unit) == text


def test_the_table_has_a_line_for_each_comparison() -> None:
    lines = report.plain(RESULTS).splitlines()
    assert len(lines) == 2 + sum(len(row["comparisons"]) for row in RESULTS["rows"])


def test_a_document_without_the_part_is_refused() -> None:
    with pytest.raises(ValueError, match="0 parts"):
        report.filled("no part here", "speed", "fast")
