"""`new extension`: the first document of a vendor's method is one that `check` accepts as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import RunCli


@pytest.mark.parametrize("side", ["agent", "client"])
@pytest.mark.parametrize("flags", [[], ["--notification"]], ids=["request", "notification"])
def test_check_accepts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, root: Path, side: str, flags: list[str]
) -> None:
    schema, released = root / "schema.json", tmp_path / "released.json"
    released.write_bytes(schema.read_bytes())
    monkeypatch.chdir(tmp_path)
    written = run_cli("new", "extension", "_acme/review/start", "--side", side, *flags)
    assert (written.code, written.err) == (0, "")
    checked = run_cli("check", "--schema", schema, "--extend", "acme.json", "--against", released)
    assert checked.code == 0, checked.out
    assert "has a TODO as its description" in checked.out
    again = run_cli("new", "extension", "_acme/review/start", "--side", side, *flags)
    assert (again.code, again.out) == (2, "")
    assert again.err == "acme.json: error: the method _acme/review/start already exists; name another one\n"


def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli) -> dict[str, object]:
    """A directory without a schema, with the extension of one method."""
    monkeypatch.chdir(tmp_path)
    assert run_cli("new", "extension", "_acme/review/start").code == 0
    document: dict[str, object] = json.loads(Path("acme.json").read_text())
    return document


@pytest.mark.parametrize("side", ["agent", "client"])
def test_a_second_method_is_added_to_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, side: str
) -> None:
    before = alone(tmp_path, monkeypatch, run_cli)
    added = run_cli("new", "extension", "_acme/review/stop", "--side", side)
    assert (added.code, added.err) == (0, "")
    assert str(before["actions"])[:-1] in str(json.loads(Path("acme.json").read_text())["actions"])
    checked = run_cli("check", "--extend", "acme.json", "--format", "json")
    found = [json.loads(line)["id"] for line in checked.out.splitlines()[1:]]
    assert set(found) == {"def-undocumented"}
    assert run_cli("vendor", "acme", "--extend", "acme.json").code == 0
    methods = Path("acme/methods.py").read_text()
    assert "start_acme_review" in methods
    assert "stop_acme_review" in methods


def test_the_advice_about_a_missing_example_can_be_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    text = json.dumps(alone(tmp_path, monkeypatch, run_cli))
    depth = '"properties": {"depth": {"type": "integer", "description": "Its depth."}, "_meta"'
    Path("acme.json").write_text(text.replace('"properties": {"_meta"', depth, 1))
    advice = "acp-codegen examples --missing --write --extend acme.json"
    assert f"run `{advice}`" in run_cli("check", "--extend", "acme.json").out
    written = run_cli(*advice.split()[1:])
    assert (written.code, written.err) == (0, "")
    assert written.out.startswith("acme/messages/agent/_acme/review/start/")
    assert "example-missing" not in run_cli("check", "--extend", "acme.json").out


def test_examples_of_the_bundled_schema_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    monkeypatch.chdir(tmp_path)
    node = {"properties": {"depth": {"type": "integer"}}, "required": ["depth"]}
    action = {"target": "$['$defs'].ListSessionsRequest", "update": node}
    document = {"overlay": "1.0.0", "info": {"title": "Acme", "version": "1"}, "actions": [action]}
    Path("acme.json").write_text(json.dumps(document))
    ran = run_cli("examples", "--missing", "--write", "--extend", "acme.json")
    assert (ran.code, ran.err) == (0, "")
    assert all(line.startswith("acme/") for line in ran.out.splitlines()), ran.out
