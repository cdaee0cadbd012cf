"""The action that upgrades vendored packages: a branch, a commit, and a pull request with the plan as its text."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "actions" / "upgrade"
GH = """\
#!/bin/sh
# Keeps what it is called with; `pr list` prints the number of an open pull request, if there is one.
echo "$@" >>"$CALLS"
case "$1 $2" in "pr list") cat "$OPEN";; esac
while [ $# -gt 0 ]; do [ "$1" = --body-file ] && cp "$2" "$BODY"; shift; done
"""
TOOL = f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m codegen "$@"\n'


class Repository:
    """A clone of a repository with a package of an earlier tool, and programs named `gh` and `acp-codegen`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.calls, self.body, self.open = (folder / n for n in ("clone", "calls", "body", "open"))
        self.open.write_text("")
        programs = folder / "programs"
        programs.mkdir()
        for name, text in (("gh", GH), ("acp-codegen", TOOL)):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        files = {"CALLS": self.calls, "BODY": self.body, "OPEN": self.open, "HOME": folder}
        self.environment = {**os.environ, **{name: str(path) for name, path in files.items()}}
        self.environment["PATH"] = f"{programs}:{os.environ['PATH']}"
        self.git("init", "--quiet", "--bare", "-b", "main", "../origin.git", folder=programs)
        self.git("clone", "--quiet", str(folder / "origin.git"), "clone", folder=folder)
        subprocess.run(
            ["acp-codegen", "vendor", "app/acp"], cwd=self.folder, env=self.environment, check=True, capture_output=True
        )
        self.becomes_old()
        self.commit()

    def git(self, *arguments: str, folder: Path | None = None) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@a.example", "-c", "init.defaultBranch=main")
        ran = subprocess.run(
            ["git", *who, *arguments], cwd=folder or self.folder, capture_output=True, text=True, check=True
        )
        return ran.stdout

    def becomes_old(self) -> None:
        """The manifest is that of an earlier tool, which had one handler more."""
        path = self.folder / "app/acp/manifest.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "generator": "0"}))

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "one")
        self.git("push", "--quiet", "origin", "HEAD:main")

    def upgrade(self, **more: str) -> subprocess.CompletedProcess[str]:
        given = {"PACKAGES": "app/acp", "BRANCH": "acp-codegen/upgrade", "NUMBER": "", **more}
        command = ["bash", str(ACTION / "upgrade.sh")]
        return subprocess.run(
            command, cwd=self.folder, env={**self.environment, **given}, capture_output=True, text=True, check=False
        )


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    if shutil.which("git") is None or shutil.which("bash") is None:
        pytest.skip("git or bash is not here")
    return Repository(tmp_path)


def test_a_pull_request_is_opened_with_the_plan_as_its_text(repository: Repository) -> None:
    ran = repository.upgrade()
    assert ran.returncode == 0, ran.stderr
    assert "\n    app/acp: another version of the tool wrote the package\n" in repository.body.read_text()
    assert repository.calls.read_text().splitlines()[-1].startswith("pr create --head acp-codegen/upgrade --title")
    changed = repository.git("diff", "--name-only", "origin/main", "origin/acp-codegen/upgrade").split()
    assert changed == ["app/acp/manifest.json"]


def test_an_open_pull_request_is_brought_up_to_date(repository: Repository) -> None:
    repository.open.write_text("7\n")
    assert repository.upgrade().returncode == 0
    assert repository.calls.read_text().splitlines()[-1].startswith("pr edit 7 --body-file")


def test_a_pull_request_of_renovate_gets_the_package_and_the_text(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "renovate/acp-codegen")
    assert repository.upgrade(NUMBER="9").returncode == 0
    assert repository.calls.read_text().startswith("pr edit 9 --body-file")
    assert "manifest.json" in repository.git("diff", "--name-only", "origin/main", "origin/renovate/acp-codegen")


def test_nothing_happens_where_the_package_is_up_to_date(repository: Repository) -> None:
    assert repository.upgrade().returncode == 0
    repository.calls.unlink()
    ran = repository.upgrade()
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "up to date")
    assert not repository.calls.exists()


def test_an_edited_package_ends_the_run_with_the_edit(repository: Repository) -> None:
    with (repository.folder / "app/acp/agent.py").open("a") as file:
        file.write("# mine\n")
    repository.commit()
    ran = repository.upgrade()
    assert ran.returncode == 1
    assert "agent.py" in ran.stdout + ran.stderr
    assert not repository.calls.exists()


def test_the_action_runs_the_script_and_installs_what_is_locked() -> None:
    steps = yaml.safe_load((ACTION / "action.yml").read_text())["runs"]["steps"]
    assert "upgrade.sh" in steps[-1]["run"]
    assert "--require-hashes" in steps[1]["run"]
    assert json.loads((ACTION / "renovate.json").read_text())["packageRules"]
