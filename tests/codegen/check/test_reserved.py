"""`x-reserved`: names that releases had. `check --fix` writes them, and a new part may not have one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .test_check_command import git, schema

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import RunCli


def paint(found: dict[str, Any]) -> dict[str, Any]:
    node: dict[str, Any] = found["$defs"]["PaintRequest"]
    return node


def full() -> dict[str, Any]:
    """A schema with a property, a value, a variant and a method that can go."""
    found: dict[str, Any] = json.loads(schema("red", "green"))
    paint(found)["properties"]["size"] = {"description": "How big.", "type": "string"}
    tags = [
        {"type": "object", "required": ["kind"], "properties": {"kind": {"const": name}}} for name in ("dot", "line")
    ]
    found["$defs"]["Shape"] = {"description": "A shape.", "oneOf": tags}
    paint(found)["properties"]["shape"] = {"$ref": "#/$defs/Shape"}
    found["$defs"]["WipeNotification"] = {**paint(found), "x-method": "wall/wipe", "properties": {}, "required": []}
    return found


REMOVALS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "property": (lambda s: paint(s)["properties"].pop("size"), "PaintRequest.size"),
    "value": (lambda s: s["$defs"]["Color"]["oneOf"].pop(1), "Color.green"),
    "variant": (lambda s: s["$defs"]["Shape"]["oneOf"].pop(1), "Shape.line"),
    "method": (lambda s: s["$defs"].pop("WipeNotification"), "wall/wipe"),
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two releases of the whole schema."""
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "schema.json").write_text(json.dumps(full(), indent=2))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "start")
    for name in ("v1.0.0", "v1.1.0"):
        git(tmp_path, "tag", name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edited(repository: Path, what: str) -> Path:
    """The schema, edited."""
    found = full()
    REMOVALS[what][0](found)
    (repository / "schema.json").write_text(json.dumps(found, indent=2) + "\n")
    return repository / "schema.json"


@pytest.mark.parametrize("what", REMOVALS)
def test_fix_reserves_the_name_of_a_removed_part_with_the_newest_release_that_had_it(
    what: str, repository: Path, run_cli: RunCli
) -> None:
    path = edited(repository, what)
    before = path.read_text()
    ran = run_cli("check", "--fix")
    name = REMOVALS[what][1]
    assert f"reserved in schema.json: {name}\n" in ran.err
    after = json.loads(path.read_text())
    assert after.pop("x-reserved") == {name: "v1.1.0"}
    assert after == json.loads(before)
    written = path.read_text()
    assert "reserved in" not in run_cli("check", "--fix").err
    assert path.read_text() == written


@pytest.mark.parametrize("what", REMOVALS)
def test_a_reserved_name_that_comes_back_is_an_error_that_names_the_release(
    what: str, repository: Path, run_cli: RunCli
) -> None:
    name = REMOVALS[what][1]
    (repository / "schema.json").write_text(json.dumps({**full(), "x-reserved": {name: "v0.9.0"}}))
    ran = run_cli("check", "--no-compare")
    assert (ran.code, f"error[reserved-name-used] {name} is reserved, because release v0.9.0 used it\n" in ran.out) == (
        1,
        True,
    )


def test_a_name_that_no_release_had_is_not_reserved(repository: Path, run_cli: RunCli) -> None:
    for name in ("v1.0.0", "v1.1.0"):
        git(repository, "tag", "-d", name)
    path = edited(repository, "property")
    before = path.read_text()
    run_cli("check", "--fix")
    assert path.read_text() == before


def test_a_name_that_another_part_still_has_is_not_reserved(repository: Path, run_cli: RunCli) -> None:
    found = full()
    found["$defs"]["Color"]["oneOf"][1] = {"const": "green", "title": "Leaf", "description": "It is green."}
    (repository / "schema.json").write_text(json.dumps(found, indent=2))
    run_cli("check", "--fix")
    assert "x-reserved" not in (repository / "schema.json").read_text()


def test_a_reservation_in_another_form_is_an_error(repository: Path, run_cli: RunCli) -> None:
    (repository / "schema.json").write_text(json.dumps({**full(), "x-reserved": ["a"]}))
    ran = run_cli("check")
    assert (ran.code, "error[root-keyword-invalid] `x-reserved`: Expected `object`" in ran.out) == (1, True), ran.out


def test_fix_that_fails_still_gives_a_program_the_document_that_it_asked_for(repository: Path, run_cli: RunCli) -> None:
    (repository / "pyproject.toml").write_text("[tool.acp-codegen.check]\nsuppress = 5\n")
    ran = run_cli("check", "--fix", "--format", "json")
    assert (ran.code, json.loads(ran.out.splitlines()[0])["verdict"]) == (2, "not compared")


def test_fix_makes_the_safe_fixes_and_no_others(repository: Path, run_cli: RunCli) -> None:
    found = full()
    found["x-rfds"] = {"unused": {"title": "Unused", "stage": "draft"}}
    found["$defs"]["extra"] = {"type": "object", "description": "An object.", "properties": {}}
    keyword = {"description": "Anything.", "x-deserialize-default-on-error": True}
    found["$defs"]["extra"]["properties"]["any"] = keyword
    path = repository / "schema.json"
    path.write_text(json.dumps(found, indent=2))
    ran = run_cli("check", "--fix")
    assert "Remove the entry (rfd-unused)\n" in ran.err
    assert "Remove the keyword (leniency-useless)\n" in ran.err
    after = json.loads(path.read_text())
    assert after["x-rfds"] == {}
    assert after["$defs"]["extra"]["properties"] == {"any": {"description": "Anything."}}  # not renamed to PascalCase
    assert "[def-not-pascal-case]" in ran.out
