"""The comment that the action keeps up to date, against an API on this machine that behaves as GitHub's does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fake_github import BOT, GitHub

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "comment.py"
MARKER = "<!-- acp-codegen schema.json -->"


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub.running() as server:
        yield server


def keep(github: GitHub, tmp_path: Path, report: str, **environment: str) -> str:
    """What the script says when it has a report."""
    (tmp_path / "report.md").write_text(report)
    given = {
        "GITHUB_API_URL": f"http://127.0.0.1:{github.server_port}",
        "GITHUB_REPOSITORY": "acme/spec",
        "NUMBER": "7",
        "TOKEN": "secret",
        "MARKER": "acp-codegen schema.json",
        "AUTHOR": BOT,
        **environment,
    }
    command = [sys.executable, "-I", str(SCRIPT), str(tmp_path / "report.md")]
    ran = subprocess.run(command, env={**os.environ, **given}, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return ran.stdout


def test_a_comment_is_written_once_and_then_brought_up_to_date(github: GitHub, tmp_path: Path) -> None:
    github.has("Nice!", "somebody")
    assert keep(github, tmp_path, "### One\n") == "the comment was written\n"
    assert keep(github, tmp_path, "### Two\n") == "the comment was brought up to date\n"
    assert github.bodies == ["Nice!", f"{MARKER}\n### Two\n"]
    assert keep(github, tmp_path, "### Two\n") == "the comment is up to date\n"
    assert github.asked[-1].startswith("GET")


def test_a_comment_of_somebody_else_is_left_alone_whatever_it_begins_with(github: GitHub, tmp_path: Path) -> None:
    github.has(f"{MARKER}\nforged", "somebody")
    github.has(f"Look: {MARKER}", BOT)
    keep(github, tmp_path, "### One\n")
    assert github.bodies == [f"{MARKER}\nforged", f"Look: {MARKER}", f"{MARKER}\n### One\n"]


def test_each_schema_has_a_comment_of_its_own(github: GitHub, tmp_path: Path) -> None:
    keep(github, tmp_path, "### One\n")
    keep(github, tmp_path, "### Two\n", MARKER="acp-codegen other.json")
    assert len(github.comments) == 2


def test_the_comment_is_found_on_any_page(github: GitHub, tmp_path: Path) -> None:
    for number in range(150):
        github.has(f"{number}", "somebody")
    github.has(f"{MARKER}\nold")
    assert keep(github, tmp_path, "new") == "the comment was brought up to date\n"
    assert github.asked[:2] == ["GET per_page=100&page=1", "GET per_page=100&page=2"]


def test_where_nothing_was_found_only_a_comment_that_is_there_says_so(github: GitHub, tmp_path: Path) -> None:
    assert keep(github, tmp_path, "nothing", ONLY_UPDATE="true") == "no comment is needed\n"
    github.has(f"{MARKER}\nold")
    keep(github, tmp_path, "nothing", ONLY_UPDATE="true")
    assert github.bodies == [f"{MARKER}\nnothing"]


def test_a_report_that_no_comment_holds_is_named(github: GitHub, tmp_path: Path) -> None:
    keep(github, tmp_path, "x" * 70_000)
    assert github.bodies == [f"{MARKER}\nThe report is too long for a comment. It is in the summary of the run.\n"]


@pytest.mark.parametrize(
    ("code", "told"),
    {
        403: "the token may not write comments (permissions: pull-requests: write)",
        404: "the token may not write comments (permissions: pull-requests: write)",
        500: "GitHub answered 500",
    }.items(),
)
def test_a_token_that_may_not_write_is_a_notice(github: GitHub, tmp_path: Path, code: int, told: str) -> None:
    github.refuses = code
    assert keep(github, tmp_path, "x") == f"::notice title=comment::No comment was written: {told}\n"


def test_an_api_that_is_not_there_is_a_notice(github: GitHub, tmp_path: Path) -> None:
    said = keep(github, tmp_path, "x", GITHUB_API_URL="http://127.0.0.1:1")
    assert said == "::notice title=comment::No comment was written: URLError\n"


def test_a_marker_cannot_end_its_own_comment(github: GitHub, tmp_path: Path) -> None:
    keep(github, tmp_path, "x", MARKER="a --> <b>")
    assert github.bodies == ["<!-- a - -> <b> -->\nx"]
