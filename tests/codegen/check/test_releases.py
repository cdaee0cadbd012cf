"""`check` compares with every live release, and its findings name them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .test_check_command import commit, git, schema

if TYPE_CHECKING:
    from tests.conftest import RunCli


def with_size(type_: str | None) -> str:
    found = json.loads(schema("red", "green"))
    if type_ is not None:
        found["$defs"]["PaintRequest"]["properties"]["size"] = {"description": "How big.", "type": type_}
    return json.dumps(found, indent=1)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose release v1.0.0 has an optional property, which v1.1.0 and v1.2.0 lack."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-06-01T12:00:00Z")
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "schema.json").write_text(with_size("string"))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "start")
    git(tmp_path, "tag", "v1.0.0")
    for name in ("v1.1.0", "v1.2.0"):
        commit(tmp_path, with_size(None) + ("\n" if name == "v1.2.0" else ""))
        git(tmp_path, "tag", name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(run_cli: RunCli, rule: str) -> list[Any]:
    lines = map(json.loads, run_cli("check", "--format", "json").out.splitlines()[1:])
    return [each for each in lines if each["id"] == rule]


def test_a_property_that_comes_back_with_another_type_breaks_the_release_that_had_it(
    repository: Path, run_cli: RunCli
) -> None:
    (repository / "schema.json").write_text(with_size("integer"))
    (finding,) = found(run_cli, "property-type-changed")
    assert (finding["level"], finding["releases"]) == ("error", ["v1.0.0"])
    assert "\n    releases: v1.0.0\n" in run_cli("check").out


def test_a_finding_names_every_release_that_it_breaks(repository: Path, run_cli: RunCli) -> None:
    (repository / "schema.json").write_text(schema("red"))
    (finding,) = found(run_cli, "enum-value-removed")
    assert finding["releases"] == ["v1.0.0", "v1.1.0", "v1.2.0"]


def test_what_breaks_nobody_names_no_release(repository: Path, run_cli: RunCli) -> None:
    edited = json.loads(schema("red", "green"))
    edited["$defs"]["PaintRequest"]["properties"]["more"] = {"description": "More.", "type": "string"}
    (repository / "schema.json").write_text(json.dumps(edited))
    (finding,) = found(run_cli, "optional-property-added")
    assert (finding["level"], finding["releases"]) == ("info", [])


def test_what_a_release_broke_is_not_the_edits(repository: Path, run_cli: RunCli) -> None:
    edited = json.loads(with_size(None))
    edited["$defs"]["PaintRequest"]["properties"]["more"] = {"description": "More.", "type": "string"}
    (repository / "schema.json").write_text(json.dumps(edited))
    assert found(run_cli, "optional-property-removed") == []


@pytest.mark.parametrize(
    ("setting", "releases"),
    [
        ('releases = "v1.1*"', ["v1.1.0"]),
        ('releases = { "v1.0.0" = "2026-12-31", "v1.2.0" = "2026-07-01" }', ["v1.0.0"]),
        ('releases = "release-*"', []),
    ],
)
def test_the_live_releases_are_a_setting(
    setting: str, releases: list[str], repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1786000000")  # 2026-08-06
    (repository / "pyproject.toml").write_text(f"[tool.acp-codegen.check]\n{setting}\n")
    (repository / "schema.json").write_text(schema("red"))
    (finding,) = found(run_cli, "enum-value-removed")
    assert finding["releases"] == releases


@pytest.mark.parametrize("day", ["2026-12-31T10:00:00Z", '"2026-12-31 10:00"', '"soon"'])
def test_the_last_day_of_a_release_is_a_day(day: str, repository: Path, run_cli: RunCli) -> None:
    (repository / "pyproject.toml").write_text(f'[tool.acp-codegen.check]\nreleases = {{ "v1.0.0" = {day} }}\n')
    ran = run_cli("check")
    assert (ran.code, "v1.0.0 must have a day like 2027-06-30" in ran.err) == (2, True)


def test_a_release_that_cannot_be_read_is_not_compared(repository: Path, run_cli: RunCli) -> None:
    commit(repository, "{")
    git(repository, "tag", "v1.2.1")
    commit(repository, with_size(None))
    (repository / "schema.json").write_text(with_size("string"))
    ran = run_cli("check")
    assert (ran.code, "not compared: v1.2.1" in ran.out) == (3, True)
