"""Requirements in `check` and `diff`: what their stage means, what a published file means, and tests that are elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.check.command import check as whole_check
from codegen.check.command import compare_files
from codegen.findings.finding import Finding

from .support import FIXTURES

ROOT = Path(__file__).parents[3]
BASE: dict[str, Any] = json.loads((FIXTURES / "requirement-removed" / "before.json").read_text())
ONCE = BASE["x-requirements"]["undo"]["once"]


def written(path: Path, *, stage: str = "completed", **requirements: Any) -> Path:
    """A schema with the requirements of the RFD `undo`."""
    rfds = {"undo": {"title": "Undo", "stage": stage}}
    path.write_text(json.dumps({**BASE, "x-rfds": rfds, "x-requirements": {"undo": requirements}}))
    return path


def check(path: Path, *extend: Path) -> list[Finding]:
    return list(whole_check(path, extend=extend, compare=False).findings)


def about(findings: tuple[Finding, ...] | list[Finding]) -> list[str]:
    return [f"{each.level.name}[{each.id}] {each.pointer}" for each in findings if each.id.startswith("requirement")]


@pytest.mark.parametrize(("stage", "level"), [("completed", "warning"), ("preview", "info"), ("draft", "info")])
def test_a_statement_of_an_rfd_in_progress_may_change(stage: str, level: str, tmp_path: Path) -> None:
    old = written(tmp_path / "old.json", stage=stage, once=ONCE, twice={**ONCE, "level": "must"})
    new = written(tmp_path / "new.json", stage=stage, twice=ONCE)
    found = about(compare_files(old, new).findings)
    assert found == [
        f"{level}[requirement-removed] /x-requirements/undo",
        f"{level}[requirement-weakened] /x-requirements/undo/twice",
    ]


@pytest.mark.parametrize("before", [{}, {"undo": {"title": "Undo", "stage": "draft"}}], ids=["new", "completed"])
def test_what_a_new_or_newly_completed_rfd_requires_is_not_told_statement_by_statement(
    before: dict[str, Any], tmp_path: Path
) -> None:
    old = tmp_path / "old.json"
    old.write_text(json.dumps({**BASE, "x-rfds": before, "x-requirements": {}}))
    assert about(compare_files(old, written(tmp_path / "new.json", once=ONCE)).findings) == []


def test_an_rfd_that_was_completed_may_still_have_been_changed_on_the_way(tmp_path: Path) -> None:
    old = written(tmp_path / "old.json", stage="draft", once={**ONCE, "level": "must"})
    new = written(tmp_path / "new.json", stage="completed", once=ONCE)
    assert about(compare_files(old, new).findings) == ["info[requirement-weakened] /x-requirements/undo/once"]


def test_what_a_withdrawn_rfd_required_is_not_told_statement_by_statement(tmp_path: Path) -> None:
    old = written(tmp_path / "old.json", once=ONCE)
    new = tmp_path / "new.json"
    new.write_text(json.dumps({**BASE, "x-rfds": {}, "x-requirements": {}}))
    assert about(compare_files(old, new).findings) == []


@pytest.mark.parametrize("back", [False, True])
def test_a_published_file_requires_nothing_and_takes_nothing_back(back: bool, tmp_path: Path) -> None:
    ours = written(tmp_path / "ours.json", once=ONCE)
    bare = tmp_path / "bare.json"
    bare.write_text(json.dumps({"$defs": {name: _plain(node) for name, node in BASE["$defs"].items()}}))
    assert about(compare_files(*((ours, bare) if back else (bare, ours))).findings) == []


def _plain(node: dict[str, Any]) -> dict[str, Any]:
    ours = {"x-capability", "x-rfd"}
    return {
        key: {name: _plain(inner) for name, inner in value.items()} if key == "properties" else value
        for key, value in node.items()
        if key not in ours
    }


def test_tests_are_not_looked_for_where_there_is_no_folder_of_them(tmp_path: Path) -> None:
    schema = written(tmp_path / "schema.json", once={**ONCE, "covered": {"tests": ["tests/test_do.py::test_once"]}})
    assert about(check(schema)) == []
    (tmp_path / "tests").mkdir()
    expected = ["error[requirement-coverage-unknown] /x-requirements/undo/once/covered/tests"]
    assert about(check(schema)) == expected
    for text in ("test_once = None\n", 'NAMES = ["test_once"]\n', "# def test_once():\n"):
        (tmp_path / "tests" / "test_do.py").write_text(text)
        assert about(check(schema)) == expected, "what is only named is not a test"
    (tmp_path / "tests" / "test_do.py").write_text("    async def test_once(self):\n")
    assert about(check(schema)) == []


def test_the_coverage_of_an_extension_is_found_beside_the_schema(tmp_path: Path) -> None:
    schema = written(tmp_path / "schema.json")
    (tmp_path / "tests").mkdir()
    statement = {**ONCE, "covered": {"tests": ["tests/test_do.py::test_once"]}}
    extension = tmp_path / "more" / "vendor.json"
    extension.parent.mkdir()
    actions = [{"target": "$", "update": {"x-requirements": {"_vendor": {"once": statement}}}}]
    extension.write_text(json.dumps({"overlay": "1.0.0", "info": {"title": "V", "version": "1"}, "actions": actions}))
    found = check(schema, extension)
    assert [(each.id, each.place.file.endswith("vendor.json")) for each in found if each.id.startswith("req")] == [
        ("requirement-coverage-unknown", True)
    ]
    (tmp_path / "tests" / "test_do.py").write_text("def test_once(): ...\n")
    assert about(check(schema, extension)) == []


def test_every_requirement_of_the_schema_and_its_extension_is_covered() -> None:
    found = check(ROOT / "schema.json", ROOT / "examples" / "extensions" / "sandboxagent.json")
    assert about(found) == []


@pytest.mark.parametrize(
    ("on", "example", "hints"),
    [
        ("DoRequest", "agent/thing/do/ful.request.json", ["did you mean agent/thing/do/full.request.json?"]),
        ("Do.word", "agent/thing/undo/full.request.json", ["", ""]),
        ("DoRequest.worth", "agent/thing/do/full.request.json", ["did you mean DoRequest.words?"]),
        ("thing/does", "agent/thing/do/full.request.json", ["did you mean thing/do?"]),
    ],
)
def test_a_similar_name_is_advised_only_for_the_same_owner(
    on: str, example: str, hints: list[str], tmp_path: Path
) -> None:
    """Another method's example, and the type without its property, are similar and never meant."""
    schema = {**BASE, "$defs": json.loads(json.dumps(BASE["$defs"]))}
    schema["$defs"]["DoRequest"]["properties"] = {"words": {"type": "string"}}
    undo = {"once": {**ONCE, "on": [on], "covered": {"examples": [example]}}}
    path = tmp_path / "schema.json"
    path.write_text(
        json.dumps({**schema, "x-rfds": {"undo": {"title": "U", "stage": "draft"}}, "x-requirements": {"undo": undo}})
    )
    made = tmp_path / "examples" / "messages" / "agent" / "thing" / "do" / "full.request.json"
    made.parent.mkdir(parents=True)
    made.write_text("{}")
    wrong = ("requirement-unresolved", "requirement-coverage-unknown")
    found = {each.id: each.instead for each in check(path) if each.id in wrong}
    assert [found[rule] if found[rule].startswith("did you mean") else "" for rule in wrong if rule in found] == hints
