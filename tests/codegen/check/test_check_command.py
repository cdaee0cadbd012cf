"""`check` in a repository: what it compares with, what it says where there is nothing, and what suppressions do."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codegen.diagnostics import FAULTS

from .demo import Node, document

if TYPE_CHECKING:
    from tests.conftest import RunCli

Commit = Callable[[str], None]
META: Node = {"description": "Room.", "type": "object", "additionalProperties": True}


def schema(*colors: str) -> str:
    """A schema without findings of its own whose one enumeration has some values."""
    values = [{"const": color, "description": f"It is {color}."} for color in colors]
    body = {"type": "object", "x-side": "agent", "x-method": "wall/paint"}
    color = {"description": "Which colour.", "$ref": "#/$defs/Color"}
    definitions: Node = {
        "PaintRequest": {
            "description": "Paints.",
            **body,
            "x-capability": False,
            "properties": {"color": color, "_meta": META},
        },
        "PaintResponse": {"description": "It is painted.", **body, "properties": {"_meta": META}},
        "Color": {"description": "A colour.", "oneOf": values},
    }
    return document(definitions).decode()


def git(path: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "protocol.file.allow=always")
    return subprocess.run(["git", *identity, *arguments], cwd=path, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a committed schema, on its main branch."""
    path = tmp_path / "repository"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    (path / "schema.json").write_text(schema("red", "green"))
    git(path, "add", ".")
    git(path, "commit", "-q", "-m", "start")
    git(path, "commit", "-q", "--allow-empty", "-m", "another file")
    monkeypatch.chdir(path)
    return path


def commit(path: Path, text: str) -> None:
    (path / "schema.json").write_text(text)
    git(path, "commit", "-q", "-a", "-m", "edit")


def test_an_unchanged_schema_is_clean(repository: Path, run_cli: RunCli) -> None:
    assert (run_cli("check").code, run_cli("check").out) == (0, "no findings\ncompared with HEAD~1:schema.json\n")


def test_an_edit_is_compared_with_the_last_commit(repository: Path, run_cli: RunCli) -> None:
    commit(repository, schema("red", "green", "blue"))
    (repository / "schema.json").write_text(schema("red", "green", "blue", "black"))
    out = run_cli("check").out
    assert 'has the new value "black"' in out
    assert "blue" not in out


def test_a_clean_branch_is_compared_with_where_it_left_the_main_one(repository: Path, run_cli: RunCli) -> None:
    git(repository, "checkout", "-q", "-b", "topic")
    commit(repository, schema("red"))
    ran = run_cli("check")
    assert ran.code == 1
    assert 'Color lost "green"' in ran.out


@pytest.mark.parametrize("against", ["HEAD~1", "HEAD~1:schema.json", "../old.json"])
def test_a_commit_a_path_in_one_or_a_file_can_be_named(repository: Path, run_cli: RunCli, against: str) -> None:
    (repository.parent / "old.json").write_text(schema("red", "green"))
    commit(repository, schema("red"))
    assert 'Color lost "green"' in run_cli("check", "--against", against).out


def test_a_commit_that_is_not_there_comes_with_the_command_that_brings_it(repository: Path, run_cli: RunCli) -> None:
    ran = run_cli("check", "--against", "origin/stable")
    assert (ran.code, ran.out) == (
        3,
        (
            "not compared: origin/stable: the clone does not contain this commit\n"
            "    instead: fetch it: git fetch --depth=1 origin stable:refs/remotes/origin/stable\n"
            "no findings\n"
        ),
    )


def test_a_branch_that_only_the_remote_has_is_named(
    repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repository, "switch", "-q", "-c", "topic")
    git(repository.parent, "clone", "-q", f"file://{repository}", "clone")
    monkeypatch.chdir(repository.parent / "clone")
    ran = run_cli("diff", "main:schema.json", "schema.json")
    assert "it is a remote branch: compare with origin/main" in ran.out + ran.err
    assert run_cli("diff", "origin/main:schema.json", "schema.json").code == 0


def test_a_shallow_clone_says_how_to_become_a_whole_one(
    repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repository, schema("red", "green", "blue"))
    clone = repository.parent / "clone"
    git(repository.parent, "clone", "-q", "--depth=1", f"file://{repository}", "clone")
    monkeypatch.chdir(clone)
    ran = run_cli("check", "--against", "HEAD~1")
    assert ran.code == 3
    assert "git fetch --unshallow origin\n" in ran.out
    git(clone, "fetch", "-q", "--unshallow", "origin")
    assert run_cli("check", "--against", "HEAD~1").code == 1


@pytest.mark.parametrize(
    ("against", "said"),
    {
        "": "so there is nothing to compare with",
        ":schema.json": "is not a revision",
        "main..HEAD": "a branch, a tag or a commit",
        "HEAD^{tree}": "a branch, a tag or a commit",
    }.items(),
)
def test_what_is_no_commit_is_told_with_what_could_be(
    against: str, said: str, repository: Path, run_cli: RunCli
) -> None:
    ran = run_cli("check", "--against", against)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert said in ran.err


def test_a_repository_without_a_main_branch_says_that_nothing_is_compared(repository: Path, run_cli: RunCli) -> None:
    git(repository, "branch", "-q", "-m", "main", "trunk")
    commit(repository, schema("red"))
    ran = run_cli("check")
    assert ran.code == 3
    assert ran.out.startswith("not compared: schema.json: this repository has no main branch (main or master)\n")
    assert run_cli("check", "--against", "HEAD~1").code == 1


def test_a_revision_can_be_read_in_a_bare_clone(
    repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repository, schema("red"))
    git(repository.parent, "clone", "-q", "--bare", f"file://{repository}", "bare")
    monkeypatch.chdir(repository.parent / "bare")
    assert 'Color lost "green"' in run_cli("diff", "HEAD~1:schema.json", "HEAD:schema.json").out


def test_in_a_hook_of_a_second_worktree_a_schema_in_a_directory_is_compared(
    repository: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "sub").mkdir()
    git(repository, "mv", "schema.json", "sub/schema.json")
    git(repository, "commit", "-q", "-m", "move")
    git(repository, "worktree", "add", "-q", "../second", "-b", "edit")
    second = repository.parent / "second"
    (second / "sub" / "schema.json").write_text(schema("red"))
    monkeypatch.chdir(second)
    monkeypatch.setenv("GIT_DIR", str(repository / ".git" / "worktrees" / "second"))  # as git tells its hooks
    assert 'Color lost "green"' in run_cli("check", "--schema", "sub/schema.json").out


def test_where_there_is_no_schema_check_judges_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run_cli("check")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err
        == "schema.json: error: does not exist in this directory; go to the clone, or pass the schema with --schema\n"
    )


def test_an_extension_is_checked_against_the_bundled_schema_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_cli("new", "extension", "_acme/review/start").code == 0
    ran = run_cli("check", "--extend", "acme.json")
    assert (ran.code, "acme.json" in ran.out, "error" in ran.out) == (0, True, False), ran.out + ran.err


def test_the_author_of_an_extension_gets_no_warnings_about_the_bundled_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none.toml").write_text("")
    assert run_cli("new", "extension", "_acme/review/start").code == 0
    ran = run_cli("check", "--extend", "acme.json", "--config", "none.toml")
    assert "acme.json" in ran.out
    assert "schema.json" not in ran.out


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A schema in a directory that is in no repository."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "schema.json").write_text(schema("red", "green"))
    return tmp_path


def test_without_a_repository_nothing_is_compared_and_that_is_said_first(alone: Path, run_cli: RunCli) -> None:
    ran = run_cli("check")
    assert (ran.code, ran.out) == (
        3,
        (
            "not compared: schema.json: it is not in a git repository\n"
            "    instead: specify a baseline (--against REVISION, REVISION:PATH or FILE), or add --no-compare\n"
            "no findings\n"
        ),
    )
    assert (run_cli("check", "--no-compare").code, run_cli("check", "--no-compare").out) == (0, "no findings\n")
    assert alone.is_dir()


def test_a_finding_that_fails_outweighs_what_was_not_compared(alone: Path, run_cli: RunCli) -> None:
    (alone / "schema.json").write_text(schema("red").replace("#/$defs/Color", "#/$defs/Colour"))
    ran = run_cli("check")
    assert ran.code == 1
    assert ran.out.startswith("not compared: ")


def test_every_format_says_first_that_nothing_was_compared(alone: Path, run_cli: RunCli) -> None:
    verdict = json.loads(run_cli("check", "--format", "json").out.splitlines()[0])
    assert (verdict["verdict"], verdict["against"]) == ("not compared", None)
    assert [gap["what"] for gap in verdict["notCompared"]] == ["schema.json"]
    assert run_cli("check", "--format", "github").out.startswith(
        "::error title=not-compared::not compared: schema.json"
    )
    (run,) = json.loads(run_cli("check", "--format", "sarif").out)["runs"]
    assert run["properties"] == {"verdict": "not compared"}
    assert run["invocations"][0]["executionSuccessful"] is False
    assert alone.is_dir()


def test_a_clean_run_says_so_in_every_format(repository: Path, run_cli: RunCli) -> None:
    (line,) = run_cli("check", "--format", "json").out.splitlines()
    verdict = json.loads(line)
    assert (verdict["verdict"], verdict["notCompared"], verdict["counts"]["error"]) == ("pass", [], 0)
    assert verdict["against"].endswith(":schema.json")
    assert json.loads(run_cli("check", "--format", "sarif").out)["runs"][0]["properties"] == {"verdict": "pass"}
    assert run_cli("check", "--format", "github").out == ""
    assert repository.is_dir()


@pytest.mark.parametrize("format_", ["json", "sarif"])
@pytest.mark.parametrize(
    "arguments", [["check", "--schema", "nowhere.json"], ["diff", "a.json", "b.json"]], ids=" ".join
)
def test_a_program_gets_a_document_whatever_happens(
    arguments: list[str], format_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run_cli(*arguments, "--format", format_)
    assert ran.code == 2
    assert "not compared" in json.dumps(json.loads(ran.out))


def test_a_definition_of_the_baseline_that_does_not_load_is_named_and_the_rest_is_compared(
    alone: Path, run_cli: RunCli
) -> None:
    base = json.loads(schema("red", "green"))
    base["$defs"]["PaintRequest"]["properties"]["size"] = {"$ref": "#/$defs/Size"}
    new = json.loads(schema("red"))
    new["$defs"]["PaintRequest"]["properties"]["size"] = {"description": "How big.", "$ref": "#/$defs/Size"}
    base["$defs"]["Size"] = {"description": "Size.", "type": "integer", "minimum": 2, "maximum": 1}
    new["$defs"]["Size"] = {"description": "Size.", "type": "string"}
    (alone / "schema.json").write_text(json.dumps(new))
    (alone / "old.json").write_text(json.dumps(base, indent=1))
    ran = run_cli("check", "--against", "old.json", "--format", "json")
    verdict, *found = map(json.loads, ran.out.splitlines())
    assert ran.code == 1
    assert [(gap["what"], gap["file"]) for gap in verdict["notCompared"]] == [("Size", "old.json")]
    assert [f["id"] for f in found if f["level"] == "error"] == ["enum-value-removed"]
    (alone / "schema.json").write_text(json.dumps(new | {"$defs": {**new["$defs"], "Color": base["$defs"]["Color"]}}))
    assert run_cli("check", "--against", "old.json").code == 3


def test_a_baseline_that_is_not_json_is_not_compared(alone: Path, run_cli: RunCli) -> None:
    (alone / "old.json").write_text('{"title": ')
    ran = run_cli("check", "--against", "old.json")
    assert ran.code == 3
    assert ran.out.startswith("old.json:1:11: not compared: old.json: not JSON: ")
    assert run_cli("diff", "old.json", "schema.json").code == 3


@pytest.mark.parametrize(
    ("text", "pointer"), [('{"$defs": {"Color": {"const": 1e999}}}', "/$defs/Color/const"), ('{"$defs": 5}', "")]
)
def test_the_reason_why_nothing_was_compared_has_a_place(
    repository: Path, run_cli: RunCli, text: str, pointer: str
) -> None:
    (repository / "old.json").write_text(text)
    first, *_ = map(json.loads, run_cli("diff", "old.json", "schema.json", "--format", "json").out.splitlines())
    (gap,) = first["notCompared"]
    assert (gap["file"], gap["line"], gap["pointer"]) == ("old.json", 1, pointer)
    assert first["against"] == "old.json"


def test_an_error_in_one_place_does_not_hide_a_break_in_another(repository: Path, run_cli: RunCli) -> None:
    broken = json.loads(schema("red"))
    broken["$defs"]["PaintRequest"]["properties"]["size"] = {"description": "Size.", "type": "integr"}
    (repository / "schema.json").write_text(json.dumps(broken))
    _, *found = map(json.loads, run_cli("check", "--format", "json").out.splitlines())
    assert {f["id"] for f in found if f["level"] == "error"} == {"enum-value-removed", "not-draft-2020-12"}


def test_a_branch_is_compared_with_where_this_one_left_it(repository: Path, run_cli: RunCli) -> None:
    git(repository, "checkout", "-q", "-b", "topic")
    commit(repository, schema("red", "green", "blue"))
    git(repository, "checkout", "-q", "main")
    commit(repository, schema("red", "green", "black"))
    git(repository, "checkout", "-q", "topic")
    ran = run_cli("check", "--against", "main")
    assert 'has the new value "blue"' in ran.out
    assert "black" not in ran.out
    git(repository, "tag", "release", "main")
    assert 'lost "black"' in run_cli("check", "--against", "release").out


def test_places_of_a_sarif_report_are_files_that_exist(repository: Path, run_cli: RunCli) -> None:
    commit(repository, schema("red", "green", "blue"))
    (repository / "schema.json").write_text(schema("red"))
    uris: list[str] = []

    def physical(node: object) -> None:
        if isinstance(node, dict):
            if "artifactLocation" in node:
                uris.append(node["artifactLocation"]["uri"])
            for child in node.values():
                physical(child)
        elif isinstance(node, list):
            for child in node:
                physical(child)

    physical(json.loads(run_cli("check", "--format", "sarif").out))
    physical(json.loads(run_cli("diff", "HEAD:schema.json", "HEAD~1:schema.json", "--format", "sarif").out))
    assert set(uris) == {"schema.json"}


def test_an_empty_baseline_is_an_error_that_names_the_option(repository: Path, run_cli: RunCli) -> None:
    ran = run_cli("check", "--against=")
    assert (ran.code, ran.out) == (2, "")
    assert "--against: error: does not exist, so there is nothing to compare with" in ran.err


def test_an_option_is_no_revision(repository: Path, run_cli: RunCli) -> None:
    assert run_cli("check", "--against=--output=x").code == 2
    assert not (repository / "x").exists()


def test_a_schema_that_does_not_load_is_a_finding_at_its_place(repository: Path, run_cli: RunCli) -> None:
    (repository / "schema.json").write_text(schema("red").replace("#/$defs/Color", "#/$defs/Colour"))
    ran = run_cli("check", "--format", "json")
    _, *found = map(json.loads, ran.out.splitlines())
    assert [(f["id"], f["pointer"]) for f in found] == [("ref-unresolved", "/$defs/PaintRequest/properties/color/$ref")]
    assert ran.code == 1


def told(out: str) -> list[tuple[str, str, int]]:
    """Rule, pointer and line of each finding of a JSON report."""
    return [(f["id"], f["pointer"], f["line"]) for f in map(json.loads, out.splitlines()[1:])]


def test_a_text_that_is_no_json_is_a_finding_at_its_place(repository: Path, run_cli: RunCli) -> None:
    (repository / "schema.json").write_text('{"title": "Demo",\n "$defs": {},\n}')
    ran = run_cli("check", "--format", "github")
    assert ran.code == 1
    assert ran.out.startswith("::error file=schema.json,line=2,col=13,title=not-json::not JSON: ")
    assert "Instead: remove the trailing comma" in ran.out


def test_a_file_that_cannot_be_read_is_no_finding(repository: Path, run_cli: RunCli) -> None:
    assert run_cli("check", "--schema", "nowhere.json").code == 2


def test_all_faults_of_a_schema_are_told_at_once(repository: Path, run_cli: RunCli) -> None:
    broken = json.loads(schema("red", "red"))
    properties = broken["$defs"]["PaintRequest"]["properties"]
    properties["a"] = {"description": "A.", "type": "strin"}
    properties["b"] = {"description": "B.", "type": "integer", "minimum": 2, "maximum": 1}
    broken["x-rfds"] = {"paint": {"title": "Paint", "stage": "finished"}}
    broken["$defs"]["Color"]["nullable"] = True
    (repository / "schema.json").write_text(json.dumps(broken))
    assert sorted((id_, pointer) for id_, pointer, _ in told(run_cli("check", "--format", "json").out)) == [
        ("not-draft-2020-12", "/$defs/PaintRequest/properties/a/type"),
        ("rfd-entry-invalid", "/x-rfds/paint"),
        ("rfd-unused", "/x-rfds/paint"),
        ("type-unsatisfiable", "/$defs/PaintRequest/properties/b/maximum"),
        ("unsupported-keyword", "/$defs/Color/nullable"),
        ("value-duplicate", "/$defs/Color/oneOf/1"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    {
        "a side with a typing error": ('"x-side": "agent"', '"x-side": "agnt"', "side-invalid"),
        "a side unlike that of the result": ('"x-side": "agent"', '"x-side": "client"', "request-without-response"),
        "params with another ending": ('"PaintRequest"', '"PaintParams"', "method-type-suffix"),
        "a reference with a typing error": ("#/$defs/Color", "#/$defs/Colour", "ref-unresolved"),
        "a type of another language": ('"object"', '"dict"', "not-draft-2020-12"),
        "a lower-case definition": ('"Color"', '"color"', "ref-unresolved"),
    }.values(),
    ids=str,
)
def test_one_mistake_is_one_error(old: str, new: str, rule: str, repository: Path, run_cli: RunCli) -> None:
    (repository / "schema.json").write_text(schema("red", "green").replace(old, new, 1))
    ran = run_cli("check", "--format", "json")
    assert [f["id"] for f in map(json.loads, ran.out.splitlines()[1:]) if f["level"] == "error"] == [rule]


def test_a_fault_of_an_extension_is_a_finding_in_its_file(repository: Path, run_cli: RunCli) -> None:
    action = {"target": "$.$defs.Paint", "update": {"description": "x"}}
    text = json.dumps({"overlay": "1.0.0", "info": {"title": "X", "version": "1"}, "actions": [action]})
    (repository / "more.json").write_text(text)
    ran = run_cli("check", "--extend", "more.json")
    assert (ran.code, ran.out.partition(": error")[0]) == (1, f"more.json:1:{text.index('$.$defs')}")
    assert "[extension-target]" in ran.out


# --- one edit, one finding ------------------------------------------------------------------------------------------------


def example(path: Path, name: str, value: object) -> None:
    file = path / "examples" / "messages" / "agent" / "wall" / "paint" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))


def test_messages_that_one_edit_breaks_are_one_finding_at_what_refuses_them(repository: Path, run_cli: RunCli) -> None:
    for name in "abc":
        example(repository, f"{name}.request.json", {"color": "green"})
    example(repository, "a.response.json", {})
    (repository / "schema.json").write_text(schema("red"))
    found = [
        f for f in map(json.loads, run_cli("check", "--format", "json").out.splitlines()[1:]) if f["category"] == "lint"
    ]
    assert [(f["id"], f["pointer"]) for f in found] == [("example-invalid", "/$defs/Color")]
    assert found[0]["message"].endswith("; 2 more examples fail here")


def test_messages_of_a_method_that_is_gone_are_one_finding(repository: Path, run_cli: RunCli) -> None:
    for name in "abc":
        example(repository, f"{name}.request.json", {})
    (repository / "schema.json").write_text(schema("red").replace("wall/paint", "wall/coat"))
    out = run_cli("check").out
    lints = [line for line in out.splitlines() if "[example-invalid]" in line]
    assert len(lints) == 1
    assert "3 files in examples/messages/agent/wall/paint show wall/paint, which was removed" in lints[0]
    assert "\n    instead: move them to examples/messages/agent/wall/coat\n" in out


def test_variants_that_only_a_broken_message_shows_are_not_missing(repository: Path, run_cli: RunCli) -> None:
    painted = json.loads(schema("red"))
    dot = {"type": "object", "description": "A dot.", "properties": {"kind": {"const": "dot"}}, "required": ["kind"]}
    line = {**dot, "description": "A line.", "properties": {"kind": {"const": "line"}}}
    painted["$defs"]["Shape"] = {"description": "A shape.", "anyOf": [dot, line]}
    request = painted["$defs"]["PaintRequest"]["properties"]
    request["shape"] = {"description": "Which shape.", "$ref": "#/$defs/Shape"}
    (repository / "schema.json").write_text(json.dumps(painted))
    for kind in ("dot", "line"):
        example(repository, f"{kind}.request.json", {"color": "red", "shape": {"kind": kind}, "_meta": {}})
    example(repository, "a.response.json", {"_meta": {}})
    assert "example-missing" not in run_cli("check").out
    painted["$defs"]["Color"]["oneOf"][0]["const"] = "blue"
    (repository / "schema.json").write_text(json.dumps(painted))
    ran = run_cli("check")
    assert "[example-invalid]" in ran.out
    assert "example-missing" not in ran.out


def test_a_variant_without_room_for_implementations_is_told_at_the_variant(repository: Path, run_cli: RunCli) -> None:
    painted = json.loads(schema("red"))
    kind = {"description": "Kind.", "const": "dot"}
    size = {"description": "Size.", "type": "integer"}
    dot = {"type": "object", "description": "A dot.", "properties": {"kind": kind, "size": size}, "required": ["kind"]}
    line = {**dot, "properties": {"kind": {**kind, "const": "line"}, "_meta": META}}
    painted["$defs"]["Shape"] = {"description": "A shape.", "anyOf": [line, dot]}
    shape = {"description": "Which shape.", "$ref": "#/$defs/Shape"}
    painted["$defs"]["PaintRequest"]["properties"]["shape"] = shape
    (repository / "schema.json").write_text(json.dumps(painted))
    found = [(id_, pointer) for id_, pointer, _ in told(run_cli("check", "--format", "json").out)]
    assert ("meta-field-missing", "/$defs/Shape/anyOf/1") in found


def test_references_to_one_missing_definition_are_one_finding(repository: Path, run_cli: RunCli) -> None:
    broken = json.loads(schema("red", "green"))
    properties = broken["$defs"]["PaintRequest"]["properties"]
    properties["second"] = {"description": "Another.", "$ref": "#/$defs/Color"}
    del broken["$defs"]["Color"]
    (repository / "schema.json").write_text(json.dumps(broken, indent=1))
    _, found = map(json.loads, run_cli("check", "--format", "json").out.splitlines())
    steps = "/$defs/PaintRequest/properties/{}/$ref"
    assert (found["id"], found["pointer"], found["also"]) == (
        "ref-unresolved",
        steps.format("color"),
        [steps.format("second")],
    )


# --- suppressions ---------------------------------------------------------------------------------------------------------


def suppress(path: Path, *entries: str) -> None:
    lines = "\n".join(f"    {{ {entry} }}," for entry in entries)
    (path / "pyproject.toml").write_text(f"[tool.acp-codegen.check]\nsuppress = [\n{lines}\n]\n")


LOST = 'rule = "enum-value-removed", pointer = "/$defs/Color"'


def test_a_suppressed_finding_is_not_told(repository: Path, run_cli: RunCli) -> None:
    (repository / "schema.json").write_text(schema("red"))
    suppress(repository, f'{LOST}, reason = "nobody ever sent green"')
    ran = run_cli("check")
    assert (ran.code, ran.out) == (0, "no findings\ncompared with HEAD:schema.json\n")


def test_a_suppression_without_a_reason_is_an_error(repository: Path, run_cli: RunCli) -> None:
    suppress(repository, LOST)
    ran = run_cli("check")
    assert (ran.code, ran.err) == (2, "pyproject.toml:3:5: error: suppression 1 has no reason\n")


def test_a_suppression_that_suppresses_nothing_is_told_at_its_line(repository: Path, run_cli: RunCli) -> None:
    suppress(repository, 'rule = "def-unused", pointer = "/$defs/*", reason = "for later"')
    ran = run_cli("check")
    assert ran.out.startswith("pyproject.toml:3:5: warning[suppression-unused] def-unused has no finding at /$defs/*")
    assert (ran.code, run_cli("check", "--fail-on", "warning").code) == (0, 1)


def test_a_suppression_of_an_unknown_rule_is_an_error(repository: Path, run_cli: RunCli) -> None:
    suppress(repository, 'rule = "def-unusd", pointer = "/$defs/*", reason = "for later"')
    expected = 'pyproject.toml:3:5: error: suppression 1: unknown rule "def-unusd"; did you mean def-unused?\n'
    assert run_cli("check").err == expected


@pytest.mark.parametrize("rule", [fault.id for fault in FAULTS])
def test_a_fault_cannot_be_suppressed(rule: str, repository: Path, run_cli: RunCli) -> None:
    suppress(repository, f'rule = "{rule}", pointer = "/**", reason = "generate refuses it all the same"')
    ran = run_cli("check")
    assert (ran.code, ran.out) == (2, "")
    assert f"suppression 1: {rule} cannot be suppressed" in ran.err


def test_where_a_lint_that_stands_for_a_fault_is_suppressed_the_fault_is_told(
    repository: Path, run_cli: RunCli
) -> None:
    tagged = json.loads(schema("red"))
    shape = {"type": "object", "properties": {"kind": {"const": "round"}}, "required": ["kind"], "description": "A."}
    tagged["$defs"]["Shape"] = {"description": "A shape.", "anyOf": [shape, {**shape, "description": "B."}]}
    (repository / "schema.json").write_text(json.dumps(tagged))
    without = {rule for rule, _, _ in told(run_cli("check", "--format", "json").out)}
    suppress(repository, 'rule = "union-tag-duplicate", pointer = "/**", reason = "told elsewhere"')
    ran = run_cli("check", "--format", "json")
    assert ran.code == 1
    assert {rule for rule, _, _ in told(ran.out)} == {*without, "python-name-collision"} - {"union-tag-duplicate"}


@pytest.mark.parametrize("pointer", ["$defs/Color", "#/$defs/Color"])
def test_a_suppression_whose_pointer_is_none_is_an_error(pointer: str, repository: Path, run_cli: RunCli) -> None:
    suppress(repository, f'rule = "def-unused", pointer = "{pointer}", reason = "for later"')
    ran = run_cli("check")
    assert (ran.code, ran.err.partition(": error")[0]) == (2, "pyproject.toml:3:5")
    assert "is not a valid JSON pointer" in ran.err


def test_an_unused_suppression_cannot_be_suppressed(repository: Path, run_cli: RunCli) -> None:
    suppress(repository, 'rule = "suppression-unused", pointer = "/**", reason = "quiet"')
    assert run_cli("check").code == 2


def test_suppressions_are_told_at_their_lines_however_they_are_written(repository: Path, run_cli: RunCli) -> None:
    entry = 'rule = "def-unused"\npointer = "/nowhere/{}"\nreason = "}} # {{ [["\n'
    table = "[[tool.acp-codegen.check.suppress]] # {\n"
    config = f"[other]\nx = {{ y = {{}} }}\n{table}{entry.format(1)}  {table}{entry.format(2)}"
    (repository / "pyproject.toml").write_text(config)
    places = [line.partition(": ")[0] for line in run_cli("check").out.splitlines() if "[suppression-unused]" in line]
    assert places == ["pyproject.toml:3:1", "pyproject.toml:7:3"]


def test_another_file_can_hold_the_suppressions(repository: Path, run_cli: RunCli) -> None:
    (repository / "schema.json").write_text(schema("red"))
    suppress(repository, f'{LOST}, reason = "nobody ever sent green"')
    (repository / "pyproject.toml").rename(repository / "check.toml")
    assert run_cli("check", "--config", "check.toml").code == 0
    assert run_cli("check").code == 1
