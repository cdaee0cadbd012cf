"""`changelog`: the changes from release to release, over tags, revisions or files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .test_check_command import commit, git, schema

if TYPE_CHECKING:
    from tests.conftest import RunCli

LOG = """\
# Changelog of the schema

## v3

Needs another protocol version for clients; next minor for agents. Since `v2`: 1 error.

### Outside any RFD

**Client authors**

- **error** Color lost "red"
  ```diff
  - {"method": "wall/paint", "params": {"color": "red"}}
  + {"method": "wall/paint", "params": {"color": "green"}}
  ```

## v2

Needs another protocol version for agents; next minor for clients. Since `v1`: 1 error.

### Outside any RFD

**Agent authors**

- **error** Color has the new value "blue"
  ```diff
  - {"method": "wall/paint", "params": {"color": "red"}}
  + {"method": "wall/paint", "params": {"color": "blue"}}
  ```
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the releases v1 to v3, one of them without a change of the schema."""
    git(tmp_path, "init", "-q", "-b", "main")
    for number, colors in enumerate((["red", "green"], ["red", "green", "blue"], [], ["green", "blue"])):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2026-01-0{number + 1}T00:00:00Z")
        if colors:
            (tmp_path / "schema.json").write_text(schema(*colors))
        else:
            (tmp_path / "README.md").write_text("x")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", "edit")
        git(tmp_path, "tag", ("v1", "v2", "v2.1", "v3")[number])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_range_takes_in_the_tags_between(repository: Path, run_cli: RunCli) -> None:
    ran = run_cli("changelog", "v1..v3")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == LOG.replace("Since `v2`", "Since `v2.1`")


def test_the_end_of_a_range_has_the_name_of_its_tag(repository: Path, run_cli: RunCli) -> None:
    assert run_cli("changelog", "v1..HEAD").out == run_cli("changelog", "v1..v3").out
    assert run_cli("changelog", "v1..").out == run_cli("changelog", "v1..v3").out


def test_the_releases_can_be_listed(repository: Path, run_cli: RunCli) -> None:
    assert run_cli("changelog", "v1", "v2", "v3").out == LOG
    assert run_cli("changelog", "v1", "v2:schema.json", "HEAD").out == LOG.replace("v3", "HEAD")


def test_files_are_releases_too(repository: Path, run_cli: RunCli) -> None:
    (repository / "a.json").write_text(schema("red", "green"))
    (repository / "b.json").write_text(schema("red", "green", "blue"))
    expected = LOG[: LOG.index("## v3")] + LOG[LOG.index("## v2") :].replace("v1", "a.json").replace("v2", "b.json")
    assert run_cli("changelog", "a.json", "b.json").out == expected


def test_what_was_accepted_is_said_with_its_reason_also_when_its_window_is_over(
    repository: Path, run_cli: RunCli
) -> None:
    (repository / "accepted-breaks.toml").write_text(
        '[[break]]\nrule = "enum-value-removed"\npointer = "/$defs/Color"\nwhat = "red"\nwhy = "nobody used it"\n'
        'since = "v3"\nuntil = "2000-01-01"\n'
    )
    out = run_cli("changelog", "v2..v3").out
    assert '- **accepted** Color lost "red" (accepted: nobody used it (since v3, until 2000-01-01))\n' in out
    assert "\nNext minor (1 accepted break not listed). Since `v2.1`: 1 info.\n" in out


def test_a_tag_without_the_schema_is_left_out_and_named(repository: Path, run_cli: RunCli) -> None:
    git(repository, "mv", "schema.json", "other.json")
    git(repository, "commit", "-q", "-m", "move")
    git(repository, "tag", "v4")
    git(repository, "mv", "other.json", "schema.json")
    commit(repository, schema("green", "blue"))
    ran = run_cli("changelog", "v3..HEAD")
    assert (ran.code, ran.out) == (0, "# Changelog of the schema\n\nNothing changed.\n")
    assert ran.err == "skipping v4: it has no schema.json\n"


def test_a_release_that_cannot_be_read_is_said_and_the_others_are_compared(repository: Path, run_cli: RunCli) -> None:
    (repository / "broken.json").write_text("{")
    ran = run_cli("changelog", "v1", "v2", "broken.json")
    assert ran.code == 3
    assert "\n**Not compared:** broken.json: not JSON: " in ran.out
    assert 'Color has the new value "blue"' in ran.out


def test_for_programs_each_step_is_a_line(repository: Path, run_cli: RunCli) -> None:
    steps = [json.loads(line) for line in run_cli("changelog", "v1..v3", "--format", "json").out.splitlines()]
    assert [(step["from"], step["to"]) for step in steps] == [("v2.1", "v3"), ("v1", "v2")]
    assert steps[0]["version"]["now"] == {"client": "needs another protocol version", "agent": "next minor"}
    assert steps[0]["notes"] == [
        "Needs another protocol version for clients; next minor for agents.",
        'Breaking for clients: Color lost "red".',
    ]
    assert [finding["id"] for finding in steps[1]["findings"]] == ["enum-value-added"]


def test_the_page_has_a_heading_for_each_release(repository: Path, run_cli: RunCli) -> None:
    page = run_cli("changelog", "v1..v3", "--format", "html").out
    assert [line for line in page.splitlines() if line.startswith("<h2 class=")] == [
        '<h2 class="release">v3</h2>',
        '<h2 class="release">v2</h2>',
    ]


@pytest.mark.parametrize(
    ("points", "said"),
    {
        ("v1",): "v1: error: is one release; give two or more, or a range (FROM..TO)\n",
        ("v1", "v9"): (
            "v9: error: the clone does not contain this commit; run: git fetch --depth=1 origin v9, then compare with FETCH_HEAD\n"
        ),
        (
            "v1",
            "v2:other.json",
        ): "v2:other.json: error: the commit does not contain the file; specify another path with REVISION:PATH\n",
    }.items(),
    ids=str,
)
def test_what_is_no_release_is_told(points: tuple[str, ...], said: str, repository: Path, run_cli: RunCli) -> None:
    ran = run_cli("changelog", *points)
    assert (ran.code, ran.out, ran.err) == (2, "", said)


def test_outside_of_a_repository_only_files_are_releases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    ran = run_cli("changelog", "v1..v2")
    assert (ran.code, ran.err) == (
        2,
        "v1..v2: error: is not a file, and the schema is not in a git repository\n",
    )
