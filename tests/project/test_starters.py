"""`acp-codegen new`: what it writes runs, passes its own tests and types check; nothing of anybody's is overwritten."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from codegen.cli.generate import STARTERS
from codegen.cli.main import main
from codegen.resources import resource
from codegen.shape.public import PACKAGE_REQUIREMENT

ROOT = Path(__file__).parents[2]
RUNNER = """
import asyncio, inspect

def pytest_pyfunc_call(pyfuncitem):
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        names = inspect.signature(pyfuncitem.obj).parameters
        asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
        return True
"""
"""Stands for the plugin that the projects name."""


def test_there_is_one_for_each_side() -> None:
    assert sorted(path.name for path in resource("examples/starters").iterdir() if path.is_dir()) == [*STARTERS]


@pytest.fixture(scope="module", params=["agent", "client"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("new") / "Hello World"
    assert main(["new", request.param, str(target)]) == 0
    return target


@pytest.mark.environment
def test_its_tests_pass(project: Path) -> None:
    (project / "conftest.py").write_text(RUNNER)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "asyncio_mode=", "-W", "ignore"]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_it_has_its_own_name_everywhere(project: Path) -> None:
    texts = {path: path.read_text() for path in project.rglob("*") if path.suffix in (".py", ".toml", ".md")}
    ours = [path for path in texts if "acp" not in path.relative_to(project).parts]
    assert [path for path in ours for old in ("my_", "my-", "MyAgent", "MyClient") if old in texts[path]] == []
    assert 'name = "hello-world"' in texts[project / "pyproject.toml"]


def test_the_package_in_it_is_up_to_date(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vendor", str(project / "src" / "hello_world" / "acp"), "--check"]) == 0
    assert capsys.readouterr().out.endswith("is up to date\n")


def test_the_package_in_it_has_the_part_that_the_test_uses(project: Path) -> None:
    manifest = json.loads((project / "src" / "hello_world" / "acp" / "manifest.json").read_text())
    assert manifest["parts"] == ["client", "testing"]


def test_parts_may_be_added(tmp_path: Path) -> None:
    assert main(["new", "client", str(tmp_path / "talker"), "--with", "blocking"]) == 0
    manifest = json.loads((tmp_path / "talker" / "src" / "talker" / "acp" / "manifest.json").read_text())
    assert manifest["parts"] == ["client", "blocking", "testing"]


@pytest.mark.parametrize("kind", STARTERS)
def test_a_project_may_depend_on_the_distribution(tmp_path: Path, kind: str) -> None:
    assert main(["new", kind, str(tmp_path / "talker"), "--installed"]) == 0
    files = [path for path in (tmp_path / "talker").rglob("*") if path.is_file()]
    assert len(files) <= 8
    texts = "".join(path.read_text() for path in files)
    assert f'dependencies = ["{PACKAGE_REQUIREMENT}"]' in texts
    assert re.findall("talker.acp|vendor|import acp$", texts, re.MULTILINE) == []
    (tmp_path / "talker" / "conftest.py").write_text(RUNNER)
    (tmp_path / "talker" / "src" / "acp_generated").symlink_to(ROOT / "generated")
    test_its_tests_pass(tmp_path / "talker")


def test_the_distribution_is_the_one_of_this_commit() -> None:
    version = runpy.run_path(str(ROOT / "wheels/package/hatch_build.py"))["version"](protocol=True)
    assert version in Requirement(PACKAGE_REQUIREMENT).specifier


def test_the_distribution_has_all_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "agent", str(tmp_path / "agent"), "--installed", "--with", "stores"]) == 2
    assert "already has all parts" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_nobody_knows_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "agent", str(tmp_path / "agent"), "--with", "bloking"]) == 2
    assert '"bloking" is not a part; did you mean blocking?' in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.environment
def test_its_types_check_in_strict_mode_with_msgspec_alone(project: Path, tmp_path: Path) -> None:
    venv.create(tmp_path, with_pip=False, symlinks=True)
    alone = tmp_path / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "--python", str(alone)]
    subprocess.run([*pip, "install", "-c", str(ROOT / "constraints.txt"), "msgspec"], check=True)
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(alone), "src"]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout


def test_a_type_checker_can_do_without_the_extras() -> None:
    for path in (ROOT / "codegen" / "runtime").rglob("*.py"):
        for line in re.findall(r"^ *(?:import|from) \w.*", path.read_text(), re.MULTILINE):
            root = line.split()[1].partition(".")[0]
            assert root in {*sys.stdlib_module_names, "msgspec"} or "type: ignore[import-not-found" in line, (
                f"{path}: {line}"
            )


@pytest.mark.environment
def test_the_client_talks_to_a_real_agent(tmp_path: Path) -> None:
    assert main(["new", "client", str(tmp_path / "talker")]) == 0
    agent = [sys.executable, str(ROOT / "examples" / "echo_agent.py")]
    command = [sys.executable, "-m", "talker.client", "Hello", "--", *agent]
    environment = {"PYTHONPATH": "src", "PATH": "/usr/bin:/bin"}
    (tmp_path / "talker" / "generated").symlink_to(ROOT / "generated")
    ran = subprocess.run(
        [*command[:-2], *("env", f"PYTHONPATH={ROOT}", *agent)],
        cwd=tmp_path / "talker",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("Hello\n(end_turn)\n", "")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("full", "is not empty; choose a new directory"),
        ("file", "is not a directory; choose a new directory"),
        ("link", "is not a directory; choose a new directory"),
        ("123", "is not a valid name of a Python package (123); choose a name such as my-agent"),
        ("asyncio", "is not a valid name of a Python package (asyncio); choose a name such as my-agent"),
        ("class", "is not a valid name of a Python package (class); choose a name such as my-agent"),
        ("acp", "is not a valid name of a Python package (acp); choose a name such as my-agent"),
        ("日本", "is not a valid name of a Python package (empty); choose a name such as my-agent"),
    ],
)
def test_nothing_is_written_where_something_is_in_the_way(
    name: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").touch()
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    before = sorted(tmp_path.rglob("*"))
    assert main(["new", "agent", str(tmp_path / name)]) == 2
    assert problem in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_run_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "models.py")

    monkeypatch.setattr("codegen.write.transaction.apply", fails)
    assert main(["new", "agent", str(tmp_path / "agent")]) == 2
    assert list(tmp_path.iterdir()) == []
