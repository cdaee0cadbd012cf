"""The pre-commit hooks and the GitHub Action run commands that exist; here they run as they stand."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.support.fake_github import GitHub

from .test_check_command import commit, git, schema

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = {step.get("name", step.get("uses")): step for step in ACTION["runs"]["steps"]}


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory, run_cli: RunCli) -> Path:
    """A repository whose main branch has a schema and a package made from it, and whose topic branch breaks a peer."""
    origin = tmp_path_factory.mktemp("origin")
    git(origin, "init", "-q", "-b", "main")
    (origin / "schema.json").write_text(schema("red", "green"))
    with contextlib.chdir(origin):
        assert run_cli("generate").code == 0
    git(origin, "add", ".")
    git(origin, "commit", "-q", "-m", "start")
    git(origin, "checkout", "-q", "-b", "topic")
    commit(origin, schema("red"))
    git(origin, "checkout", "-q", "main")
    return origin


@pytest.fixture
def checkout(origin: Path, tmp_path: Path) -> Path:
    """A clone of the topic branch."""
    git(tmp_path, "clone", "-q", "--depth=1", "--branch=topic", f"file://{origin}", "clone")
    return tmp_path / "clone"


def run(path: Path, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script with the tool on the path, as an installed one is."""
    shims = path.parent / "shims"
    shims.mkdir(exist_ok=True)
    (shims / "acp-codegen").write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m codegen "$@"\n')
    (shims / "acp-codegen").chmod(0o755)
    (shims / "python").unlink(missing_ok=True)
    (shims / "python").symlink_to(sys.executable)
    search = f"{shims}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=path,
        env={**os.environ, "PATH": search, "RUNNER_TEMP": str(shims), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def inputs(step: dict[str, Any]) -> dict[str, str]:
    """The environment a step gets when the caller names no input."""
    found: dict[str, str] = {}
    for name, value in step.get("env", {}).items():
        key = value.removeprefix("${{ inputs.").removesuffix(" }}")
        found[name] = str(ACTION["inputs"][key]["default"]) if key in ACTION["inputs"] else ""
    return found


def test_the_hooks_report_a_break_and_a_stale_package(checkout: Path) -> None:
    git(checkout, "fetch", "-q", "--unshallow", "origin", "+refs/heads/main:refs/remotes/origin/main")
    results = {hook["id"]: run(checkout, hook["entry"]) for hook in HOOKS}
    assert 'Color lost "green"' in results["acp-schema-check"].stdout
    assert [result.returncode for result in results.values()] == [1, 1]


def test_a_hook_runs_for_the_files_it_judges() -> None:
    import re

    patterns = {hook["id"]: re.compile(hook["files"]) for hook in HOOKS}
    assert patterns["acp-schema-check"].search("protocol/schema.json")
    assert patterns["acp-schema-check"].search("accepted-breaks.toml")
    assert not patterns["acp-schema-check"].search("src/main.py")
    assert patterns["acp-generated"].search("generated/models.py")


def test_the_action_annotates_a_pull_request_and_writes_a_summary(checkout: Path, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    context = {"GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(summary)}
    assert run(checkout, STEPS["Fetch what to compare with"]["run"], **context).returncode == 0
    step = STEPS["Check the schema"]
    ran = run(checkout, step["run"], **context, **inputs(step))
    assert ran.returncode == 1, ran.stderr
    version, found = ran.stdout.splitlines()
    assert version == "::notice title=version::needs another protocol version for clients; next minor for agents"
    assert found.startswith("::error file=schema.json,line=")
    assert summary.read_text().startswith("### Needs another protocol version for clients; next minor for agents\n")
    assert '- **error** `enum-value-removed` Color lost "green"' in summary.read_text()


@pytest.mark.environment
def test_the_action_keeps_one_comment_up_to_date(checkout: Path, tmp_path: Path) -> None:
    check, comment = STEPS["Check the schema"], STEPS["Keep the comment of the pull request up to date"]
    assert comment["if"] == "always() && inputs.comment == 'true' && github.event.pull_request.number"
    assert "TOKEN" not in check["env"]
    with GitHub.running() as github:
        context = {
            "GITHUB_BASE_REF": "main",
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_API_URL": f"http://127.0.0.1:{github.server_port}",
            "GITHUB_REPOSITORY": "acme/spec",
        }
        run(checkout, STEPS["Fetch what to compare with"]["run"], **context)
        given = {"NUMBER": "7", "TOKEN": "secret", "MARKER": "acp-codegen schema.json"}

        def both() -> tuple[int, str]:
            checked = run(checkout, check["run"], **context, **inputs(check))
            said = run(checkout, comment["run"], **context, **given)
            assert (said.returncode, said.stderr) == (0, "")
            return checked.returncode, said.stdout

        github.has("A person's", "somebody")
        assert both() == (1, "the comment was written\n")
        _, body = github.bodies
        assert body == f"<!-- acp-codegen schema.json -->\n{(tmp_path / 'summary.md').read_text()}"
        commit(checkout, schema("red", "green", "blue"))
        assert both() == (1, "the comment was brought up to date\n")
        assert 'Color has the new value "blue"' in github.bodies[1]
        commit(checkout, schema("red", "green"))
        assert both() == (0, "the comment was brought up to date\n")
        assert "\nVerdict: **pass**. No findings, compared with " in github.bodies[1]
        assert len(github.bodies) == 2
        del github.comments[1]
        assert both() == (0, "no comment is needed\n")


@pytest.mark.environment
def test_the_action_compares_a_push_with_what_it_replaces(checkout: Path, tmp_path: Path) -> None:
    context = {"GITHUB_BASE_REF": "", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    assert run(checkout, STEPS["Fetch what to compare with"]["run"], **context).returncode == 0
    step, before = STEPS["Check the schema"], git(checkout, "rev-parse", "HEAD~1").strip()
    ran = run(checkout, step["run"], **{**context, **inputs(step), "BEFORE": before})
    assert (ran.returncode, "enum-value-removed" in ran.stdout) == (1, True), ran.stderr


def test_the_action_does_not_pass_a_clone_in_which_nothing_can_be_compared(checkout: Path, tmp_path: Path) -> None:
    step = STEPS["Check the schema"]
    context = {"GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    ran = run(checkout, step["run"], **context, **inputs(step))
    assert ran.returncode == 3
    assert ran.stdout.startswith("::error title=not-compared::not compared: origin/main")
    assert "**Not compared:** origin/main: " in (tmp_path / "summary.md").read_text()


def test_the_action_annotates_a_stale_package(checkout: Path, tmp_path: Path) -> None:
    step = STEPS["Check that the generated package is up to date"]
    ran = run(checkout, step["run"], GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"), **inputs(step))
    assert ran.returncode == 1
    assert "\n::error title=generated package::The generated package is not what the schema makes; run" in ran.stdout


def test_scripts_of_the_action_take_inputs_through_the_environment_only() -> None:
    assert [name for name, step in STEPS.items() if "${{" in step.get("run", "")] == []
