"""The verdict on the version, the ledger of accepted breaks and the migration list, as the commands show them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .test_check_command import commit, git, schema

if TYPE_CHECKING:
    from tests.conftest import RunCli

ENTRY = """\
[[break]]
rule = "enum-value-removed"
pointer = "/$defs/Color"
what = 'lost "green"'
why = "nobody used it"
since = "v2"
until = "UNTIL"
"""
LOST = """\
schema.json:35:3: {level}[enum-value-removed] Color lost "green"
{at}    was at: {base}:schema.json:42:5
    breaks: new agents reading from released clients
    lost: the call; the caller gets an error
    carried by: wall/paint (request)
    for example: {{"color": "green"}} in wall/paint (request): a released peer sends it, a new one refuses it
    which says: Invalid enum value 'green' - at `$.color`
{end}"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose release v1 has a value that was removed in the working tree; it is 30 January 2027. No release
    is live.
    """
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "pyproject.toml").write_text("[tool.acp-codegen.check]\nreleases = {}\n")
    (tmp_path / "schema.json").write_text(schema("red", "green"))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "start")
    git(tmp_path, "tag", "v1")
    (tmp_path / "schema.json").write_text(schema("red"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801267200")
    return tmp_path


def lost(level: str, at: str = "", end: str = "", base: str = "HEAD") -> str:
    return LOST.format(level=level, at=at, end=end, base=base)


AT = "    at: /$defs/Color\n"
INSTEAD = "    instead: keep the value, or open the enumeration first{}\n1 error\n"
NEEDED = "version: needs another protocol version for clients; next minor for agents\n"


def test_the_verdict_on_the_version_comes_first(repository: Path, run_cli: RunCli) -> None:
    ran = run_cli("check")
    assert (ran.code, ran.out) == (1, NEEDED + lost("error", AT, INSTEAD.format("")))
    head = json.loads(run_cli("check", "--format", "json").out.splitlines()[0])
    expected = {"client": "needs another protocol version", "agent": "next minor"}
    assert head["version"] == {"now": expected, "atCompletion": expected, "next": False, "accepted": 0, "numbers": None}
    (run,) = json.loads(run_cli("check", "--format", "sarif").out)["runs"]
    assert run["properties"]["version"] == head["version"]


def test_an_accepted_break_stays_accepted_after_the_merge_and_against_later_baselines(
    repository: Path, run_cli: RunCli
) -> None:
    (repository / "accepted-breaks.toml").write_text(ENTRY.replace("UNTIL", "2027-01-31"))

    def said(base: str) -> str:
        accepted = "    accepted: nobody used it (since v2, until 2027-01-31)\n"
        return (
            "version: next minor (1 accepted break not listed)\n"
            + lost("info", "", accepted, base)
            + f"1 info\ncompared with {base}:schema.json\n"
        )

    ran = run_cli("check")
    assert (ran.code, ran.out) == (0, said("HEAD"))
    commit(repository, schema("red"))
    git(repository, "tag", "v2")
    assert run_cli("check").out == said("HEAD~1")
    assert run_cli("check", "--against", "v1").out == said("v1")
    git(repository, "commit", "-q", "--allow-empty", "-m", "another file")
    assert run_cli("check", "--against", "v2", "--fail-on", "warning").code == 0
    assert run_cli("diff", "v1:schema.json", "schema.json").out == said("v1")


def test_after_its_window_an_entry_is_a_finding_and_accepts_nothing(
    repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "accepted-breaks.toml").write_text(ENTRY.replace("UNTIL", "2027-01-31"))
    commit(repository, schema("red"))
    git(repository, "commit", "-q", "--allow-empty", "-m", "another file")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801440000")  # 1 February
    over = (
        "accepted-breaks.toml:1:1: warning[accepted-break-over] "
        "enum-value-removed at /$defs/Color was accepted until 2027-01-31, which has passed\n"
        "    at: /break/0\n    instead: remove it from accepted-breaks.toml\n1 warning\ncompared with HEAD~1:schema.json\n"
    )
    assert run_cli("check").out == over
    ran = run_cli("check", "--against", "v1")
    was = "; it was accepted until 2027-01-31 (accepted-breaks.toml:1), which has passed"
    assert (ran.code, ran.out) == (1, NEEDED + lost("error", AT, INSTEAD.format(was), base="v1"))


def test_a_window_is_open_on_its_last_day(repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "accepted-breaks.toml").write_text(ENTRY.replace("UNTIL", "2027-01-31"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801439999")  # 31 January, a second before midnight
    assert run_cli("check").code == 0


def test_whether_an_entry_is_over_is_known_only_where_all_was_compared(repository: Path, run_cli: RunCli) -> None:
    (repository / "accepted-breaks.toml").write_text(ENTRY.replace("UNTIL", "2020-01-31"))
    commit(repository, schema("red"))
    git(repository, "commit", "-q", "--allow-empty", "-m", "another file")
    assert "accepted-break-over" in run_cli("check").out
    assert "accepted-break-over" not in run_cli("check", "--no-compare").out
    (repository / "old.json").write_text("{")
    assert "accepted-break-over" not in run_cli("check", "--against", "old.json").out


def test_a_window_ends_with_a_release_that_the_repository_has(repository: Path, run_cli: RunCli) -> None:
    (repository / "accepted-breaks.toml").write_text(ENTRY.replace("UNTIL", "v3"))
    assert run_cli("check").code == 0
    git(repository, "tag", "v3")
    assert run_cli("check").code == 1


def test_a_ledger_can_be_named(repository: Path, run_cli: RunCli) -> None:
    (repository / "other.toml").write_text(ENTRY.replace("UNTIL", "v3"))
    assert run_cli("check", "--accepted", "other.toml").code == 0
    assert run_cli("diff", "v1:schema.json", "schema.json", "--accepted", "other.toml").code == 0
    ran = run_cli("check", "--accepted", "missing.toml")
    assert (ran.code, ran.out) == (2, "")


def test_a_malformed_ledger_ends_the_run_with_its_line(repository: Path, run_cli: RunCli) -> None:
    (repository / "accepted-breaks.toml").write_text("\n[[break]]\nrule = 'x'\n")
    ran = run_cli("check")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "accepted-breaks.toml:2:1: error: accepted break 1 has no pointer\n"


def both(colors: list[str], sizes: list[str], extra: dict[str, Any] | None = None) -> str:
    """A schema with a value that clients send and one that agents answer with."""
    found = json.loads(schema(*colors))
    values = [{"const": size, "description": f"It is {size}."} for size in sizes]
    found["$defs"]["Size"] = {"description": "A size.", "oneOf": values}
    answer = found["$defs"]["PaintResponse"]["properties"]
    answer["size"] = {"description": "How big.", "$ref": "#/$defs/Size"}
    answer.update(extra or {})
    return json.dumps(found, indent=1)


def test_work_on_the_next_version_gives_a_migration_list(repository: Path, run_cli: RunCli) -> None:
    more = {"note": {"description": "A note.", "type": "string"}}
    (repository / "old.json").write_text(both(["red", "green"], ["small", "big"]))
    (repository / "new.json").write_text(both(["red", "blue"], ["small"], more))
    ran = run_cli("diff", "old.json", "new.json", "--next-version")
    assert (ran.code, ran.out) == (
        0,
        """\
version: the next protocol version, which may break peers of the current one
what agents must adapt to: 2
new.json:50:5: change[enum-value-added] Color has the new value "blue"
    at: /$defs/Color/oneOf/1
    breaks: released agents reading from new clients
    lost: the call; the caller gets an error
    carried by: wall/paint (request)
    for example: {"color": "blue"} in wall/paint (request): a new peer sends it, a released one refuses it
    which says: Invalid enum value 'blue' - at `$.color`
new.json:56:3: change[enum-value-removed] Size lost "big"
    at: /$defs/Size
    was at: old.json:59:5
    breaks: new clients reading from released agents
    lost: the call; the caller gets an error
    carried by: wall/paint (response)
    for example: {"size": "big"} in wall/paint (response): a released peer sends it, a new one refuses it
    which says: Invalid enum value 'big' - at `$.size`
what clients must adapt to: 1
new.json:43:3: change[enum-value-removed] Color lost "green"
    at: /$defs/Color
    was at: old.json:46:5
    breaks: new agents reading from released clients
    lost: the call; the caller gets an error
    carried by: wall/paint (request)
    for example: {"color": "green"} in wall/paint (request): a released peer sends it, a new one refuses it
    which says: Invalid enum value 'green' - at `$.color`
changes that affect neither: 1
new.json:37:5: info[optional-property-added] PaintResponse.note was added
compared with old.json
""",
    )
    assert run_cli("diff", "old.json", "new.json").code == 1
    findings = [
        json.loads(line) for line in run_cli("diff", "old.json", "new.json", "--format", "json").out.splitlines()
    ]
    assert [finding["affects"] for finding in findings[1:]] == [[], ["client"], ["agent"], ["agent"]]


def test_lints_are_judged_in_the_next_version_too(repository: Path, run_cli: RunCli) -> None:
    (repository / "schema.json").write_text(schema("red").replace("#/$defs/Color", "#/$defs/Colour"))
    assert run_cli("check", "--next-version").code == 1


def test_the_second_version_of_the_protocol_is_known_for_one(run_cli: RunCli) -> None:
    from tests.upstream import HERE

    files = (str(HERE / name / "schema.json") for name in ("current", "current-v2"))
    assert run_cli("diff", *files).out.startswith(
        "version: needs another protocol version, for clients and for agents; the version number already changed from 1 to 2 "
        "(--next-version lists what peers must migrate)\n"
    )
