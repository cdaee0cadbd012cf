"""Two branches that each add an extension: `vendor --resolve`, the merge driver of locks, and what users are told before."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.model.naming.lock import Lock, Locked, merged, parse_lock
from codegen.write.conflicts import branches

from .test_vendor import DEST, SCHEMA, contents

if TYPE_CHECKING:
    from tests.conftest import RunCli

DRIVER = f"{sys.executable} -m codegen package merge-lock %O %A %B"


def extension(name: str) -> dict[str, Any]:
    pong = {"type": "object", "x-method": f"_{name}/pong", "x-side": "client"}
    return {
        "overlay": "1.0.0",
        "info": {"title": name.capitalize(), "version": "1"},
        "actions": [{"target": "$['$defs']", "update": {f"{name.capitalize()}PongNotification": pong}}],
    }


def git(*arguments: str, code: int = 0) -> str:
    settings = ("-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "init.defaultBranch=main")
    ran = subprocess.run(["git", *settings, *arguments], capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture
def merging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli) -> Path:
    """A project in which git merges branch `beta` into branch `acme`, with conflicts. Each added an extension."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    (project / "protocol.json").write_text(json.dumps(SCHEMA))
    assert run_cli("vendor", DEST, "--schema", "protocol.json").code == 0
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "base")
    for name in ("beta", "acme"):
        git("checkout", "-qb", name, "main") if name == "beta" else git("checkout", "-qb", name, "beta~1")
        (project / f"{name}.json").write_text(json.dumps(extension(name)))
        assert run_cli("vendor", DEST, "--extend", f"{name}.json").code == 0
        git("add", ".")
        git("commit", "-qm", name)
    git("merge", "-q", "beta", code=1)
    return project


def test_resolve_takes_the_extensions_of_both_branches(merging: Path, run_cli: RunCli) -> None:
    assert run_cli("vendor", DEST, "--resolve").code == 0
    assert run_cli("vendor", DEST, "--check").out == f"{DEST} is up to date\n"
    assert {"AcmePongNotification", "BetaPongNotification"} <= {
        *json.loads((merging / DEST / "names.lock.json").read_text())["definitions"]
    }
    resolved = contents(merging)
    assert run_cli("vendor", DEST, "--extend", "acme.json", "--extend", "beta.json").code == 0
    assert contents(merging) == resolved
    git("add", ".")
    git("commit", "-qm", "merged")


@pytest.mark.parametrize("command", [[], ["--check"], ["--plan"]])
def test_without_resolve_the_conflict_is_named_and_nothing_is_written(
    merging: Path, run_cli: RunCli, command: list[str]
) -> None:
    before = contents(merging)
    ran = run_cli("vendor", DEST, *command)
    assert ran.code == 2
    assert ran.err == (
        f"{DEST}/manifest.json: error: has merge conflicts; `vendor --resolve` combines the extensions of both "
        "branches and regenerates the package\n"
    )
    assert contents(merging) == before


def test_a_lock_with_conflicts_alone_is_named_too(merging: Path, run_cli: RunCli) -> None:
    git("checkout", "-q", "--ours", str(DEST / "manifest.json"))
    ran = run_cli("vendor", DEST)
    assert (ran.code, "--resolve" in ran.err, "restore" in ran.err) == (2, True, False)


def test_branches_with_different_options_need_a_choice(merging: Path, run_cli: RunCli) -> None:
    path = merging / DEST / "manifest.json"
    ours, theirs = branches(path.read_bytes()) or (b"", b"")
    stable = json.dumps({**json.loads(ours), "options": ["--stable"]})
    path.write_text(f"<<<<<<< HEAD\n{stable}\n=======\n{theirs.decode()}>>>>>>> beta\n")
    ran = run_cli("vendor", DEST, "--resolve")
    assert (ran.code, "choose with --stable" in ran.err) == (2, True)
    assert run_cli("vendor", DEST, "--resolve", "--no-stable").code == 0


def test_resolve_without_conflicts_changes_nothing(merging: Path, run_cli: RunCli) -> None:
    git("merge", "--abort")
    assert run_cli("vendor", DEST, "--resolve").out == f"{DEST} is up to date\n"


def test_resolve_of_a_manifest_that_is_none(merging: Path, run_cli: RunCli) -> None:
    (merging / DEST / "manifest.json").write_text("<<<<<<< HEAD\n{\n=======\n}\n>>>>>>> beta\n")
    before = contents(merging)
    ran = run_cli("vendor", DEST, "--resolve")
    assert (ran.code, "is not a valid manifest on both branches" in ran.err) == (2, True)
    assert contents(merging) == before


def test_git_merges_locks_with_the_driver(merging: Path) -> None:
    git("merge", "--abort")
    git("config", "merge.names-lock.driver", DRIVER)
    Path(".git/info/attributes").write_text("names.lock.json merge=names-lock\n")
    git("merge", "-q", "beta", code=1)
    lock = parse_lock((merging / DEST / "names.lock.json").read_bytes(), "lock")
    assert {"AcmePongNotification", "BetaPongNotification"} <= {*lock.definitions}
    assert str(DEST / "names.lock.json") not in git("diff", "--name-only", "--diff-filter=U")


# --- locks -------------------------------------------------------------------------------------------------------------------


def lock_of(**classes: str) -> Lock:
    return Lock({name: Locked(python) for name, python in classes.items()}, {}, {})


@pytest.mark.parametrize(
    ("ours", "theirs", "expected", "problems"),
    [
        ({"A": "A", "B": "B"}, {"A": "A", "C": "C"}, {"A": "A", "B": "B", "C": "C"}, 0),
        ({"A": "Aye"}, {"A": "A"}, {"A": "Aye"}, 0),
        ({"A": "A"}, {"A": "Aye"}, {"A": "Aye"}, 0),
        ({"A": "Aye"}, {"A": "Eh"}, {"A": "Aye"}, 1),
        ({"A": "A"}, {}, {}, 0),
        ({}, {"A": "A"}, {}, 0),
        ({}, {"A": "Aye"}, {"A": "Aye"}, 0),
        ({"A": "A", "B": "Same"}, {"A": "A", "C": "Same"}, {"A": "A", "B": "Same"}, 1),
    ],
)  # fmt: skip
def test_a_merge_keeps_the_names_of_both(
    ours: dict[str, str], theirs: dict[str, str], expected: dict[str, str], problems: int
) -> None:
    lock, found = merged(lock_of(A="A"), lock_of(**ours), lock_of(**theirs))
    assert {name: locked.python for name, locked in lock.definitions.items()} == expected
    assert len(found) == problems


def test_the_driver_leaves_a_conflict_where_the_branches_differ(tmp_path: Path, run_cli: RunCli) -> None:
    for name, lock in (("base", lock_of(A="A")), ("ours", lock_of(A="Aye")), ("theirs", lock_of(A="Eh"))):
        (tmp_path / name).write_text(lock.text())
    ran = run_cli("package", "merge-lock", tmp_path / "base", tmp_path / "ours", tmp_path / "theirs")
    assert (ran.code, ran.out) == (1, "A is Aye on one branch and Eh on the other; the current branch keeps its name\n")


def test_two_definitions_with_one_name_are_an_error(vendored_lock: Path, run_cli: RunCli) -> None:
    lock = json.loads(vendored_lock.read_text())
    lock["definitions"]["Other"] = {"class": "PingRequest", "shape": ""}
    vendored_lock.write_text(json.dumps(lock))
    ran = run_cli("generate", "--schema", "protocol.json", "--out", "fresh")
    assert (ran.code, "gives both PingRequest and Other the name `PingRequest`" in ran.err.replace('"', "`")) == (
        2,
        True,
    ), ran.err
    assert not Path("fresh").exists()


@pytest.fixture
def vendored_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The lock beside a schema in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protocol.json").write_text(json.dumps(SCHEMA))
    lock = tmp_path / "protocol.names.lock.json"
    lock.write_text(lock_of(PingRequest="PingRequest").text())
    return lock


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_markers_with_the_common_ancestor(end: str) -> None:
    lines = ["a", "<<<<<<< HEAD", "b", "||||||| base", "c", "=======", "d", ">>>>>>> beta", "e", ""]
    ours, theirs = branches(end.join(lines).encode()) or (b"", b"")
    assert (ours.split(), theirs.split()) == ([b"a", b"b", b"e"], [b"a", b"d", b"e"])
    assert branches(b"a\n=======\n") is None
