"""Deprecation: it is told when it comes, a removal is accepted when its window has ended, and nobody is broken who asks first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.check.parts.promotion import counterpart
from codegen.findings.finding import Finding, Level

from .demo import HANDSHAKE, Node, carried, compared, message, opening
from .test_check_command import commit, example, git, schema

if TYPE_CHECKING:
    from tests.conftest import RunCli

GREEN = {"deprecated": True, "x-deprecated": {"since": "v1", "until": "2027-01-31", "instead": "blue"}}
LOST = 'Color lost "green"'


def colors(green: Node | None, *others: str) -> str:
    """A schema with these colours, and green as it is said."""
    found = json.loads(schema(*others))
    if green is not None:
        found["$defs"]["Color"]["oneOf"].append({"const": "green", "description": "It is green.", **green})
    return json.dumps(found, indent=1)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose release v1, of June 2026, has green; it is 30 January 2027."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-06-01T12:00:00Z")
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "schema.json").write_text(colors({}, "red"))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "start")
    git(tmp_path, "tag", "v1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801267200")
    return tmp_path


def release(repository: Path, green: Node, name: str = "v2") -> None:
    """Mark green, and make a release of it."""
    commit(repository, colors(green, "red"))
    git(repository, "tag", name)


AUGUST = "1786000000"  # 2026-08-06


def test_what_becomes_deprecated_is_told_with_its_window(
    repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", AUGUST)
    (repository / "schema.json").write_text(colors(GREEN, "red"))
    ran = run_cli("check")
    assert (ran.code, ran.out) == (
        0,
        (
            "version: next minor\n"
            'schema.json:42:5: info[deprecated-added] the value "green" of Color is deprecated since v1, '
            "and stays until 2027-01-31; instead: blue\n1 info\ncompared with HEAD:schema.json\n"
        ),
    )


def test_a_removal_before_the_window_has_ended_breaks_and_says_how_long_to_wait(
    repository: Path, run_cli: RunCli
) -> None:
    commit(repository, colors(GREEN, "red"))
    (repository / "schema.json").write_text(colors(None, "red"))
    ran = run_cli("check")
    assert ran.code == 1
    assert ran.out.startswith("version: needs another protocol version for clients; next minor for agents\n")
    assert f"error[enum-value-removed] {LOST}\n" in ran.out
    assert "\n    instead: keep it until 2027-01-31, as its deprecation announced\n" in ran.out


def test_a_removal_after_the_window_is_accepted(
    repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(repository, GREEN)
    (repository / "schema.json").write_text(colors(None, "red"))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801440000")  # 1 February
    ran = run_cli("check")
    assert ran.code == 0
    assert ran.out.startswith("version: next minor (1 accepted break not listed)\n")
    assert f"info[enum-value-removed] {LOST}\n" in ran.out
    assert "\n    accepted: deprecated since v1, until 2027-01-31\n" in ran.out


def test_a_window_ends_with_a_release_too(repository: Path, run_cli: RunCli) -> None:
    until = {"deprecated": True, "x-deprecated": {"since": "v1", "until": "v3"}}
    release(repository, until)
    (repository / "schema.json").write_text(colors(None, "red"))
    assert run_cli("check").code == 1
    git(repository, "tag", "v3")
    assert run_cli("check").code == 0


MARKS = {
    "in the past": ({"since": "v1", "until": "2026-08-01"}, "`until` must be in the future, found 2026-08-01"),
    "too soon": (
        {"since": "v1", "until": "2026-08-20"},
        "it must stay for 90 days: `until` must be 2026-11-04 or later, found 2026-08-20",
    ),
    "a release that is out": ({"since": "v1", "until": "v1"}, "`until` must be in the future, found v1"),
    "since a release that is not out": (
        {"since": "v7", "until": "2027-01-31"},
        "`since` must be an existing release, found v7; the newest is v1",
    ),
}


@pytest.mark.parametrize(("said", "fault"), MARKS.values(), ids=MARKS)
def test_a_new_window_must_be_long_enough(
    said: Node, fault: str, repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", AUGUST)
    (repository / "schema.json").write_text(colors({"deprecated": True, "x-deprecated": said}, "red"))
    ran = run_cli("check")
    assert (ran.code, f": {fault}\n" in ran.out) == (1, True), ran.out


def test_outside_a_repository_a_removal_is_accepted_after_its_window(
    tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801267200")
    monkeypatch.chdir(tmp_path)
    past = {"deprecated": True, "x-deprecated": {"until": "2027-01-01"}}
    (tmp_path / "old.json").write_text(colors(past, "red"))
    (tmp_path / "new.json").write_text(colors(None, "red"))
    ran = run_cli("check", "--against", "old.json", "--schema", "new.json")
    assert (ran.code, f"info[enum-value-removed] {LOST}" in ran.out) == (0, True), ran.out


def test_a_part_that_no_release_announced_as_deprecated_is_removed_too_early(repository: Path, run_cli: RunCli) -> None:
    past = {"deprecated": True, "x-deprecated": {"since": "v1", "until": "2027-01-01"}}
    commit(repository, colors(past, "red"))
    (repository / "schema.json").write_text(colors(None, "red"))
    ran = run_cli("check")
    assert (ran.code, f"{LOST}; no release announced its deprecation\n" in ran.out) == (1, True)


@pytest.mark.parametrize(
    ("period", "code", "why"),
    [
        ("243 days", 0, ""),
        ("244 days", 1, "it must stay until 2027-01-31"),
        ("30 days", 0, ""),
        ("1 releases", 0, ""),
        ("300 days", 1, "it must stay until 2027-03-28"),
        ("2 releases", 1, "1 of 2 releases"),
    ],
)
def test_the_minimum_period_is_a_setting(period: str, code: int, why: str, repository: Path, run_cli: RunCli) -> None:
    (repository / "pyproject.toml").write_text(f'[tool.acp-codegen.check]\nminimum-deprecation = "{period}"\n')
    release(repository, {"deprecated": True, "x-deprecated": {"since": "v1", "until": "2027-01-01"}})
    (repository / "schema.json").write_text(colors(None, "red"))
    ran = run_cli("check")
    assert (ran.code, why in ran.out) == (code, True), ran.out


@pytest.mark.parametrize("line", ['minimum-deprecation = "soon"', "releases = 3", 'releases = { v1 = "soon" }'])
def test_a_malformed_setting_ends_the_run(line: str, repository: Path, run_cli: RunCli) -> None:
    (repository / "pyproject.toml").write_text(f"[tool.acp-codegen.check]\n{line}\n")
    ran = run_cli("check")
    assert (ran.code, ran.err.startswith("pyproject.toml: error: `")) == (2, True)


def test_a_deprecation_without_a_window_accepts_nothing(repository: Path, run_cli: RunCli) -> None:
    commit(repository, colors({"deprecated": True}, "red"))
    (repository / "schema.json").write_text(colors(None, "red"))
    ran = run_cli("check")
    assert ran.code == 1
    assert "\n    instead: announce the end in `x-deprecated`, and remove the part after it\n" in ran.out


def test_only_what_is_gone_is_accepted(repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads(schema("red"))
    found["$defs"]["PaintRequest"]["properties"]["a"] = {"description": "A.", "type": "string", **GREEN}
    commit(repository, json.dumps(found))
    found["$defs"]["PaintRequest"]["properties"]["a"]["type"] = "integer"
    (repository / "schema.json").write_text(json.dumps(found))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801440000")
    assert "error[property-type-changed]" in run_cli("check").out


def test_a_method_goes_with_its_window_as_well(
    repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wash(**more: Any) -> str:
        found = json.loads(schema("red"))
        body = {"description": "Washes.", "type": "object", "x-side": "agent", "x-method": "wall/wash"}
        meta = found["$defs"]["PaintResponse"]["properties"]
        found["$defs"]["WashRequest"] = {**body, "x-capability": False, "properties": meta, **more}
        found["$defs"]["WashResponse"] = {**body, "properties": meta}
        return json.dumps(found)

    commit(repository, wash())
    both = json.loads(wash(**GREEN))
    both["$defs"]["WashResponse"] |= GREEN  # the params speak for the method
    (repository / "schema.json").write_text(json.dumps(both))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", AUGUST)
    out = run_cli("check").out
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801267200")
    assert "info[deprecated-added] wall/wash is deprecated since v1" in out
    assert out.count("deprecated-added") == 1
    commit(repository, wash(**GREEN))
    git(repository, "tag", "v2")
    (repository / "schema.json").write_text(schema("red"))
    assert "error[method-removed] the request wall/wash of the agent was removed" in run_cli("check").out
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1801440000")
    assert "info[method-removed] the request wall/wash of the agent was removed" in run_cli("check").out


# --- who asks first -------------------------------------------------------------------------------------------------------

ROOT = {"x-handshake": HANDSHAKE}


def washing(gate: str | None) -> Node:
    more = message("WashRequest", "agent", "wall/wash")
    if gate is not None:
        more["WashRequest"]["x-capability"] = gate
    return {**more, **message("WashResponse", "agent", "wall/wash")}


def without(old: Node, new: Node) -> dict[str, Finding]:
    return {f.id: f for f in compared(old, new, **ROOT) if f.id in ("method-removed", "capability-removed")}


PAINT = carried("agent request", {"type": "string"})
WASH: Node = {"wash": {"type": "object"}}


def test_a_method_that_went_with_its_gate_breaks_nobody_who_asked_first() -> None:
    found = without({**opening(WASH), **PAINT, **washing("wash")}, {**opening(), **PAINT})
    assert {id_: f.level for id_, f in found.items()} == {
        "method-removed": Level.info,
        "capability-removed": Level.info,
    }
    assert found["method-removed"].message == (
        "the request wall/wash of the agent was removed, with the capability that gated it"
    )
    assert (
        found["capability-removed"].message
        == "the capability AgentCapabilities.wash was removed, with all that it gated"
    )
    assert found["method-removed"].breaks == ()


def test_a_method_whose_gate_stays_breaks_those_that_see_it_advertised() -> None:
    found = without({**opening(WASH), **PAINT, **washing("wash")}, {**opening(WASH), **PAINT})
    assert {id_: f.level for id_, f in found.items()} == {"method-removed": Level.error}


def test_a_method_that_nothing_gated_breaks_everybody() -> None:
    found = without({**opening(WASH), **PAINT, **washing(None)}, {**opening(), **PAINT})
    assert {id_: f.level for id_, f in found.items()} == {
        "method-removed": Level.error,
        "capability-removed": Level.error,
    }


def test_a_gate_that_nobody_could_advertise_protects_nobody() -> None:
    old, new = {**opening(), **PAINT, **washing("wash")}, {**opening(), **PAINT}
    assert {id_: f.level for id_, f in without(old, new).items()} == {"method-removed": Level.error}


def test_a_capability_that_still_gates_something_is_missed() -> None:
    old = {**opening(WASH), **PAINT, **washing("wash")}
    new = {**opening(), **PAINT, **washing("wash")}
    assert {id_: f.level for id_, f in without(old, new).items()} == {"capability-removed": Level.error}


def test_a_capability_that_gated_a_value_goes_with_it() -> None:
    def color(*more: Node) -> Node:
        return {"Color": {"oneOf": [{"const": "red"}, {"const": "green"}, *more]}}

    base = carried("agent request", {"$ref": "#/$defs/Color"})
    old = {**opening(WASH), **base, **color({"const": "blue", "x-capability": "wash"})}
    found = {f.id: f for f in compared(old, {**opening(), **base, **color()}, **ROOT)}
    assert {id_: (f.level, f.message) for id_, f in found.items()} == {
        "capability-removed": (Level.info, "the capability AgentCapabilities.wash was removed, with all that it gated"),
        "enum-value-removed": (Level.info, 'Color lost "blue", with the capability that gated it'),
    }
    stays = {f.id: f.level for f in compared(old, {**opening(WASH), **base, **color()}, **ROOT)}
    assert stays == {"enum-value-removed": Level.error}


def test_an_rfd_that_went_with_its_gates_breaks_nobody_who_asked_first() -> None:
    rfds = {"x-rfds": {"wash": {"title": "Wash", "stage": "completed"}}, **ROOT}
    gate = {"wash": {"type": "object", "x-rfd": "wash"}}
    wash = {name: {**node, "x-rfd": "wash"} for name, node in washing("wash").items()}
    gone = compared({**opening(gate), **PAINT, **wash}, {**opening(), **PAINT}, **rfds)
    (finding,) = (f for f in gone if f.id == "rfd-withdrawn")
    assert (finding.level, finding.breaks) == (Level.info, ())
    assert finding.message == (
        "the RFD wash was removed, including wall/wash and AgentCapabilities.wash, with the capabilities that gated it"
    )
    stays = compared({**opening(gate), **PAINT, **wash}, {**opening(gate), **PAINT}, **rfds)
    assert {f.level for f in stays if f.id == "method-removed"} == {Level.error}


# --- examples of what is gone ---------------------------------------------------------------------------------------------


def test_examples_of_a_method_that_is_gone_are_to_be_deleted(repository: Path, run_cli: RunCli) -> None:
    for name in ("a.request.json", "b.request.json", "a.response.json"):
        example(repository, name, {})
    both = json.loads(colors({}, "red"))
    for name in ("PaintRequest", "PaintResponse"):
        both["$defs"][name.replace("Paint", "Wash")] = {**both["$defs"].pop(name), "x-method": "wall/wash"}
    both["$defs"]["WashRequest"]["properties"]["soap"] = {"description": "S.", "type": "string"}
    (repository / "schema.json").write_text(json.dumps(both))
    lines = run_cli("check").out.splitlines()
    (at,) = [index for index, line in enumerate(lines) if "error[example-invalid]" in line]
    assert (
        lines[at].partition("] ")[2]
        == "3 files in examples/messages/agent/wall/paint show wall/paint, which was removed"
    )
    assert lines[at + 2] == "    instead: delete them"
    for name in ("b.request.json", "a.response.json"):
        (repository / "examples" / "messages" / "agent" / "wall" / "paint" / name).unlink()
    out = run_cli("check").out
    assert "examples/messages/agent/wall/paint/a.request.json shows wall/paint, which was removed\n" in out
    assert "    instead: delete it\n" in out


# --- the same part of the other document ----------------------------------------------------------------------------------

ONE = {"$defs": {"A": {"oneOf": [{"const": 1}, {"const": 2, "title": "Two"}], "properties": {"a": {"type": "string"}}}}}
OTHER = {"$defs": {"A": {"oneOf": [{"const": 2, "title": "Two"}], "properties": {"a": {"type": "null"}}}}}


@pytest.mark.parametrize(
    ("pointer", "expected"),
    {
        "/$defs/A/oneOf/1": ("/$defs/A/oneOf/0", {"const": 2, "title": "Two"}),
        "/$defs/A/oneOf/0": None,
        "/$defs/A/properties/a": ("/$defs/A/properties/a", {"type": "null"}),
        "/$defs/A/properties/b": None,
        "/$defs/B": None,
    }.items(),
    ids=str,
)
def test_a_part_is_found_in_the_other_document_by_what_it_is(pointer: str, expected: object) -> None:
    assert counterpart(ONE, OTHER, pointer) == expected


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("soon", 'must be an object, found "soon"'),
        ({"after": "v1"}, 'has the unknown key "after"; expected since, until, instead'),
        ({"since": 1}, 'must have a string for "since", found 1'),
        ({"instead": " "}, 'must have a string for "instead", found " "'),
        ({"since": "some day"}, 'must have a release for "since", found "some day"'),
        ({"until": "some day"}, 'must have a release or a date for "until", found "some day"'),
    ],
)
def test_a_keyword_that_says_something_else_is_an_error(
    repository: Path, run_cli: RunCli, said: Any, problem: str
) -> None:
    (repository / "schema.json").write_text(colors({"deprecated": True, "x-deprecated": said}, "red"))
    assert f"error[deprecation-invalid] `x-deprecated` {problem}" in run_cli("check", "--no-compare").out
