"""A vendored package beside its user's tools: they leave it alone, and what they do to it all the same is not a drift."""

from __future__ import annotations

import importlib.metadata
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.sampling import exhaustive

from .test_vendor import DEST, EXTENSION, SCHEMA

if TYPE_CHECKING:
    from tests.conftest import RunCli

RUFF = [sys.executable, "-m", "ruff"]
PLAIN = ""
"""No settings: 88 columns, and the rules that are on by default."""
SETTINGS = '[tool.ruff]\nline-length = 60\ntarget-version = "py311"\n[tool.ruff.lint]\nselect = ["ALL"]\n[tool.black]\nline-length = 60\n'


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a vendored package, and the settings of somebody with other taste."""
    from contextlib import chdir

    from codegen.cli.main import main

    template = tmp_path_factory.mktemp("template")
    (template / "protocol.json").write_text(json.dumps(SCHEMA))
    (template / "acme.json").write_text(json.dumps(EXTENSION, indent=2))
    (template / "pyproject.toml").write_text(SETTINGS)
    with chdir(template):
        assert main(["vendor", str(DEST), "--schema", "protocol.json", "--extend", "acme.json"]) == 0
    return template


@pytest.fixture
def project(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "project"
    shutil.copytree(template, project)
    monkeypatch.chdir(project)
    return project


def contents() -> dict[str, bytes]:
    return {path.relative_to(DEST).as_posix(): path.read_bytes() for path in sorted(DEST.rglob("*")) if path.is_file()}


# --- what tools do -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings", exhaustive([PLAIN, SETTINGS], stay=[SETTINGS]), ids=["88-columns", "60-columns-all-rules"]
)
@pytest.mark.parametrize(
    "command",
    [
        [*RUFF, "format", "--no-cache", "."],
        [*RUFF, "check", "--no-cache", "--fix", "--unsafe-fixes", "--exit-zero", "."],
        [sys.executable, "-m", "black", "-q", "."],
        [sys.executable, "-m", "isort", "-q", "--profile=black", "."],
    ],
    ids=lambda command: " ".join(command[2:4]),
)
def test_formatters_and_fixers_leave_it_as_it_is(project: Path, command: list[str], settings: str) -> None:
    (project / "pyproject.toml").write_text(settings)
    if command[2] not in {*importlib.metadata.packages_distributions(), "ruff"}:
        pytest.skip(f"{command[2]} is not installed")
    before = contents()
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert contents() == before


def test_a_linter_with_all_rules_finds_nothing_in_it(project: Path) -> None:
    ran = subprocess.run(
        [*RUFF, "check", "--no-cache", "src"], cwd=project, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "All checks passed!\n")


def test_every_file_says_that_it_is_generated(project: Path) -> None:
    for name, data in contents().items():
        if name.endswith((".py", ".md")):
            assert b"@generated" in data.splitlines()[0], name


# --- what is not a drift ----------------------------------------------------------------------------------------------------


def test_line_ends_of_another_system_are_no_drift(project: Path, run_cli: RunCli) -> None:
    for path in DEST.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = contents()
    for command in (["vendor", DEST, "--check"], ["vendor", DEST]):
        ran = run_cli(*command)
        assert (ran.code, ran.out, ran.err) == (0, f"{DEST} is up to date\n", "")
    assert contents() == before


def test_git_keeps_the_lines_ends_and_folds_the_package_in_reviews(project: Path, run_cli: RunCli) -> None:
    def git(*arguments: str) -> str:
        settings = ("-c", "core.autocrlf=true", "-c", "user.name=me", "-c", "user.email=me@example.org")
        ran = subprocess.run(["git", *settings, *arguments], capture_output=True, text=True, check=True)
        return ran.stdout

    before = contents()
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "all")
    shutil.rmtree(DEST)
    git("checkout", "-q", "--", ".")
    assert contents() == before
    assert b"\r\n" in git_text(project / "notes.txt", git)
    assert "linguist-generated: set" in git("check-attr", "-a", str(DEST / "models.py"))
    assert run_cli("vendor", DEST, "--check").code == 0


@pytest.mark.parametrize("keeps_attributes", [True, False])
def test_a_clone_with_the_line_ends_of_windows_is_up_to_date(
    project: Path, tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, keeps_attributes: bool
) -> None:
    def git(*arguments: str) -> str:
        settings = ("-c", "core.autocrlf=true", "-c", "user.name=me", "-c", "user.email=me@example.org")
        return subprocess.run(["git", *settings, *arguments], capture_output=True, text=True, check=True).stdout

    git("init", "-q")
    git("-c", "core.autocrlf=false", "add", ".")
    git("commit", "-q", "-m", "all")
    git("clone", "-q", "--no-checkout", "--config", "core.autocrlf=true", ".", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    if not keeps_attributes:
        Path(".git/info/attributes").write_text("* !eol\n")
    git("checkout", "-q", "HEAD")
    assert b"\r\n" in Path("acme.json").read_bytes()
    assert (b"\r\n" in (DEST / "models.py").read_bytes()) is not keeps_attributes
    for command in (["vendor", DEST, "--check"], ["vendor", DEST]):
        assert (run_cli(*command).out, git("status", "--porcelain")) == (f"{DEST} is up to date\n", "")
    if keeps_attributes:
        assert run_cli("vendor", DEST, "--with", "testing").code == 0
        assert run_cli("vendor", DEST, "--without", "testing").code == 0
        assert git("status", "--porcelain") == ""


def git_text(path: Path, git: Any) -> bytes:
    """A file of the project's own as this git writes it: the setting has an effect."""
    path.write_text("a\n")
    git("add", path.name)
    path.unlink()
    git("checkout", "-q", "--", path.name)
    return path.read_bytes()


COVERAGE = '[project]\nname = "app"\n[tool.coverage.run]\nsource = ["src"]\n'


def test_a_project_with_coverage_is_told_how_to_leave_it_out(project: Path, run_cli: RunCli) -> None:
    shutil.rmtree(DEST)
    (project / "pyproject.toml").write_text(COVERAGE)
    ran = run_cli("vendor", DEST, "--schema", "protocol.json")
    *_, hint = ran.out.splitlines()
    assert hint == (
        "to exclude the package from coverage, add src/app/acp/* to `omit` of [tool.coverage.run] in project/pyproject.toml"
    )
    (project / "pyproject.toml").write_text(COVERAGE + 'omit = ["src/app/acp/*"]\n')
    (project / "use.py").write_text("from app import acp\nacp.SCHEMA = acp.methods.METHODS\n")
    coverage = [sys.executable, "-m", "coverage"]
    source = {"PYTHONPATH": "src", "PATH": ""}
    subprocess.run([*coverage, "run", "--source=.", "use.py"], cwd=project, env=source, check=True)
    report = subprocess.run([*coverage, "report"], cwd=project, env=source, capture_output=True, text=True, check=True)
    assert "use.py" in report.stdout
    assert "acp" not in report.stdout
    shutil.rmtree(DEST)
    assert "coverage" not in run_cli("vendor", DEST, "--schema", "protocol.json").out


def reformatted() -> None:
    """Two modules as a formatter that reads no comments would leave them."""
    for name in ("agent.py", "_runtime/codec/codec.py"):
        text = (DEST / name).read_text().replace('"""', "'''").replace("\n\n\n", "\n\n").replace("# fmt", "#fmt")
        (DEST / name).write_text(text)


def test_another_format_is_no_drift_and_said_in_one_line(project: Path, run_cli: RunCli) -> None:
    reformatted()
    before = contents()
    for command in (["vendor", DEST, "--check"], ["vendor", DEST]):
        ran = run_cli(*command)
        assert (ran.code, ran.out) == (0, f"{DEST} is up to date\n")
        assert (
            ran.err
            == f"{DEST}: another tool or version reformatted these files, without other changes: _runtime/codec/codec.py, agent.py\n"
        )
    assert contents() == before


def test_another_format_is_not_in_the_way_of_another_schema(project: Path, run_cli: RunCli) -> None:
    reformatted()
    described(project, "Pings the agent, and waits.")
    ran = run_cli("vendor", DEST)
    assert (ran.code, ran.out) == (0, f"{DEST}: 2 files written, 0 removed\n")


def test_other_code_is_drift(project: Path, run_cli: RunCli) -> None:
    reformatted()
    with (DEST / "agent.py").open("a") as file:
        file.write("MINE = 1\n")
    ran = run_cli("vendor", DEST, "--check")
    assert (ran.code, ran.out.splitlines()[0]) == (1, f"{DEST}/agent.py: edited by hand")


def test_a_comment_is_drift(project: Path, run_cli: RunCli) -> None:
    with (DEST / "agent.py").open("a") as file:
        file.write("# mine\n")
    ran = run_cli("vendor", DEST)
    assert (ran.code, ran.out.splitlines()[0]) == (1, f"{DEST}/agent.py: edited by hand; these edits would be lost:")


@pytest.mark.parametrize("text", ["(" * 5000, "\0", "x = " + "-" * 100_000 + "1", "def"])
def test_what_does_not_parse_is_drift(project: Path, run_cli: RunCli, text: str) -> None:
    (DEST / "agent.py").write_text(text)
    ran = run_cli("vendor", DEST, "--check")
    assert (ran.code, ran.out.splitlines()[0]) == (1, f"{DEST}/agent.py: edited by hand")


# --- what a new schema changes -------------------------------------------------------------------------------------------


def described(project: Path, text: str) -> None:
    """Describe a definition anew."""
    schema: dict[str, Any] = json.loads((project / "protocol.json").read_text())
    schema["$defs"]["PingResponse"]["description"] = text
    (project / "protocol.json").write_text(json.dumps(schema))


def test_one_changed_description_changes_the_models_and_the_manifest(project: Path, run_cli: RunCli) -> None:
    before = contents()
    described(project, "The agent is there.")
    assert run_cli("vendor", DEST).code == 0
    after = contents()
    assert {name for name in after if after[name] != before.get(name)} == {"manifest.json", "models.py"}


def test_no_file_but_the_manifest_has_a_digest(project: Path) -> None:
    digest = json.loads((DEST / "manifest.json").read_text())["schema"]
    assert [name for name, data in contents().items() if digest[:16].encode() in data] == ["manifest.json"]
