"""The baseline of `check` in repositories that git makes: never the commit under test, else "not compared" with a remedy."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .test_check_command import commit, git, schema
from .test_hooks import HOOKS, STEPS, inputs, run

if TYPE_CHECKING:
    from tests.conftest import RunCli

WHOLE, BROKEN = schema("red", "green"), schema("red")
START, LATER = "start", "another file"


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A repository whose main branch has two commits, and whose branch `feature` breaks a peer in the first of its two."""
    path = tmp_path / "origin"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    (path / "schema.json").write_text(WHOLE)
    git(path, "add", ".")
    git(path, "commit", "-q", "-m", START)
    git(path, "commit", "-q", "--allow-empty", "-m", LATER)
    git(path, "switch", "-q", "-c", "feature")
    commit(path, BROKEN)
    git(path, "commit", "-q", "--allow-empty", "-m", LATER)
    git(path, "switch", "-q", "main")
    return path


def break_main(path: Path) -> Path:
    commit(path, BROKEN)
    return path


def push_break(path: Path) -> None:
    git(break_main(path), "update-ref", "refs/remotes/origin/main", "HEAD")


def merge(path: Path) -> Path:
    git(path, "merge", "-q", "--no-ff", "-m", "merge", "feature")
    return path


def detach(path: Path) -> Path:
    git(path, "switch", "-q", "--detach", "feature")
    return path


def edit(path: Path) -> Path:
    commit(path, schema("red", "green", "blue"))
    (path / "schema.json").write_text(WHOLE)
    return path


def clone(*options: str, head: str = "main", into: Callable[[Path], object] | None = None) -> Callable[[Path], Path]:
    def make(path: Path) -> Path:
        git(path, "switch", "-q", head)
        git(path.parent, "clone", "-q", *options, f"file://{path}", "clone")
        if into is not None:
            into(path.parent / "clone")
        return path.parent / "clone"

    return make


def verdict(run_cli: RunCli, path: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    ran = run_cli("check", "--schema", str(path / "schema.json"), "--format", "json", *arguments)
    return ran.code, json.loads(ran.out.splitlines()[0])


COMPARED: dict[str, Callable[[Path], Path]] = {
    "a breaking commit on main, without a remote": break_main,
    "a breaking commit on main that was pushed": clone(into=push_break),
    "main after the merge": merge,
    "main after the merge, cloned": lambda path: clone()(merge(path)),
    "a detached head": detach,
    "uncommitted edits": edit,
    "a branch": clone("-b", "feature"),
    "a branch of a remote that has it checked out": clone(head="feature"),
}


@pytest.mark.parametrize("make", COMPARED.values(), ids=COMPARED)
def test_a_break_is_found_in(make: Callable[[Path], Path], origin: Path, run_cli: RunCli) -> None:
    path = make(origin)
    code, head = verdict(run_cli, path)
    assert (code, head["notCompared"]) == (1, [])
    revision = head["against"].partition(":")[0]
    assert git(path, "rev-parse", revision) != git(path, "rev-parse", "HEAD") or git(path, "status", "--porcelain")


PARTIAL = {
    "one commit of a branch of a remote that has it checked out": ("feature", ("--depth=1", "-b", "feature")),
    "one branch of a remote that has it checked out": ("feature", ("--single-branch", "-b", "feature")),
    "one commit of a branch": ("main", ("--depth=1", "-b", "feature")),
    "one branch": ("main", ("--single-branch", "-b", "feature")),
    "some commits of a branch": ("main", ("--depth=2", "--no-single-branch", "-b", "feature")),
}


@pytest.mark.parametrize(("head", "options"), PARTIAL.values(), ids=PARTIAL)
def test_a_clone_without_a_baseline_is_not_compared_until_the_command_that_it_names_has_run(
    head: str, options: tuple[str, ...], origin: Path, run_cli: RunCli
) -> None:
    path = clone(*options, head=head)(origin)
    code, said = verdict(run_cli, path)
    assert (code, said["verdict"]) == (3, "not compared")
    remedy = re.search(r"git fetch .*", said["notCompared"][0]["instead"])
    assert remedy is not None
    subprocess.run(remedy[0], shell=True, cwd=path, check=True, capture_output=True)  # as a person would
    assert verdict(run_cli, path)[0] == 1


def test_a_shallow_clone_of_main_fetches_the_first_parent(origin: Path, run_cli: RunCli) -> None:
    path = clone("--depth=1")(break_main(origin))
    code, said = verdict(run_cli, path)
    assert (code, said["notCompared"][0]["instead"]) == (3, "run: git fetch --deepen=1 origin")
    git(path, "fetch", "-q", "--deepen=1", "origin")
    assert verdict(run_cli, path)[0] == 1


@pytest.mark.parametrize("against", ["HEAD", "main", "HEAD:schema.json", "schema.json"])
def test_what_is_named_may_not_be_what_is_under_test(
    against: str, origin: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(origin)
    assert verdict(run_cli, Path(), "--against", against)[0] == 3


def test_the_first_commit_and_a_repository_without_one_are_not_compared(tmp_path: Path, run_cli: RunCli) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "schema.json").write_text(WHOLE)
    assert verdict(run_cli, tmp_path)[0] == 3
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", START)
    assert verdict(run_cli, tmp_path)[0] == 3


def test_an_edited_extension_is_compared_with_the_last_commit(origin: Path, run_cli: RunCli) -> None:
    extension = origin / "more.json"
    actions = [{"target": "$['$defs'].PaintRequest", "update": {"description": "Paints a wall."}}]
    extension.write_text(
        json.dumps({"overlay": "1.0.0", "info": {"title": "More", "version": "1"}, "actions": actions})
    )
    code, said = verdict(run_cli, origin, "--extend", str(extension))
    assert (code, said["against"]) == (0, "HEAD:schema.json")


# --- hooks and the action -------------------------------------------------------------------------------------------------


def test_the_hook_compares_with_the_commit_that_pre_commit_names(origin: Path) -> None:
    path = clone("-b", "feature")(origin)
    git(path, "branch", "-q", "-f", "main", "feature")
    git(path, "update-ref", "refs/remotes/origin/main", "feature")
    (entry,) = (hook["entry"] for hook in HOOKS if hook["id"] == "acp-schema-check")
    assert run(path, entry).returncode == 0  # the last commit of what has become main
    assert run(path, entry, PRE_COMMIT_FROM_REF="feature~2", PRE_COMMIT_TO_REF="feature").returncode == 1
    missing = run(path, entry, PRE_COMMIT_FROM_REF="0123456789abcdef0123456789abcdef01234567")
    assert (missing.returncode, "git fetch" in missing.stdout) == (3, True)


@pytest.mark.parametrize("branch", ["main", "feature"])
@pytest.mark.parametrize("event", ["workflow_dispatch", "schedule", "push of a new branch"])
def test_the_action_finds_a_baseline_for_every_event(event: str, branch: str, origin: Path, tmp_path: Path) -> None:
    if branch == "main":
        break_main(origin)
    path = clone("--depth=1", "-b", branch)(origin)
    before = "0" * 40 if event.startswith("push") else ""
    context = {"GITHUB_BASE_REF": "", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    assert run(path, STEPS["Fetch what to compare with"]["run"], **context).returncode == 0
    step = STEPS["Check the schema"]
    ran = run(path, step["run"], **{**context, **inputs(step), "BEFORE": before})
    assert (ran.returncode, "enum-value-removed" in ran.stdout) == (1, True), ran.stdout
