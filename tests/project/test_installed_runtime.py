"""Packages with `--runtime installed`: what they write, that several share one runtime in one process, and the check at import."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
import tomllib
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codegen.cli.main import main
from codegen.runtime import INTERFACE_VERSION
from codegen.shape.public import INSTALLED_RUNTIME, RUNTIME_REQUIREMENT
from tests.codegen.vendor.conftest import run
from tests.codegen.vendor.test_addition import vendor
from tests.project.test_core_package import AGENT, CLIENT, ROOT, ran
from tests.project.test_ranges import SUPPORTED, found, installed

if TYPE_CHECKING:
    from tests.conftest import RunCli

WHEEL = ROOT / "wheels" / "runtime"
TOGETHER = """\
import asyncio
import sys

import msgspec
from app import acp, more, other
from app.other.testing import connected
from app.acp.errors import RequestError as one
from app.other.errors import RequestError as another


class Other(other.Agent):
    async def new_session(self, params):
        return other.NewSessionResponse(session_id="other")


def read(package, **values):
    try:
        found = package.from_dict(package.EnvVariable, {"name": "a", **values}, keep_undeclared=True)
    except msgspec.ValidationError as error:
        return str(error)
    return found.__class__.__mro__[1].__module__


async def main():
    print(read(acp, value="1", more=1), read(other, value=1, more=1))
    print(read(acp, value=1), read(other, value="1"), sep=" / ")
    print(acp.from_dict(acp.Role, "user"), acp.codec.meta({"oak": {"look": True}}, more.OakMeta))
    print(one is another, acp.methods.requirements is other.methods.requirements)
    async with connected(Other(), other.Client()) as (_, client):
        async with acp.spawn_agent(acp.Client(), sys.executable, "-m", "app.agent") as agent:
            await agent.initialize()
            for each in client, agent:
                print((await each.new_session(cwd="/", mcp_servers=[])).session_id)


asyncio.run(main())
"""
SHARED = """\
app.acp.models app.other.models
Expected `str`, got `int` - at `$.value` / Expected `int`, got `str` - at `$.value`
user OakMeta(look=True)
True False
other
sess_1
"""


def written(folder: Path) -> Path:
    """A project with packages on an installed runtime: a plain one, one with a client, one of another schema, and one that adds to the second."""
    schema = json.loads((ROOT / "schema.json").read_text())
    schema["$defs"]["EnvVariable"]["properties"]["value"]["type"] = "integer"
    (folder / "other.json").write_text(json.dumps(schema))
    (folder / "one.json").write_text((ROOT / "schema.json").read_text())
    (folder / "oak.json").write_text(json.dumps(vendor("oak")))
    with chdir(folder):
        for more in (
            ("app/plain", "--schema", "one.json", "--runtime", "installed"),
            ("app/acp", "--schema", "one.json", "--runtime", "installed", "--with", "client"),
            ("app/other", "--schema", "other.json", "--runtime", "installed", "--with", "testing"),
            ("app/more", "--schema", "one.json", "--extend", "oak.json", "--on", "app.acp"),
        ):
            assert main(["vendor", *more]) == 0
    (folder / "app" / "__init__.py").touch()
    (folder / "app" / "agent.py").write_text(AGENT)
    (folder / "app" / "client.py").write_text(CLIENT)
    (folder / "together.py").write_text(TOGETHER)
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That project, with the runtime where its programs find it."""
    folder = written(tmp_path_factory.mktemp("installed"))
    home = folder / INSTALLED_RUNTIME
    shutil.copytree(ROOT / "codegen/runtime", home, ignore=shutil.ignore_patterns("__pycache__"))
    (home / "py.typed").touch()
    return folder


def test_such_a_package_is_no_larger_than_agreed(project: Path) -> None:
    files = [path for path in (project / "app/plain").rglob("*") if "__pycache__" not in path.parts]
    modules = [*(project / "app/acp").rglob("*.py")]
    assert (len(files) <= 20, len(modules) <= 16) == (True, True)
    assert sum(path.read_bytes().count(b"\n") for path in modules) <= 9_500
    assert not any("_runtime" in path.name for path in (project / "app").rglob("*"))


def test_it_serves_a_turn_over_pipes(project: Path) -> None:
    done = ran(project, "-m", "app.client")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Hello\nend_turn\n", "")


def test_everything_that_it_exports_is_there(project: Path) -> None:
    code = "from app import acp, more\nfor each in acp, more:\n  for name in [*each.__all__, *dir(each)]: getattr(each, name)"
    done = ran(project, "-W", "error", "-c", code)
    assert (done.returncode, done.stderr) == (0, "")


def test_packages_of_different_schemas_share_a_runtime_in_one_process(project: Path) -> None:
    done = ran(project, "together.py")
    assert (done.stdout, done.stderr) == (SHARED, "")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            "INTERFACE_VERSION: int = 999",
            "app.acp needs version {} of the runtime's interface, the installed one has version 999",
        ),
        (None, "app.acp needs an installed runtime: pip install '{}'"),
    ],
)
def test_a_runtime_that_does_not_serve_is_refused_at_import(project: Path, edit: str | None, message: str) -> None:
    home = project / INSTALLED_RUNTIME
    kept = (home / "__init__.py").read_text()
    try:
        if edit is None:
            home.rename(project / "away")
        else:
            (home / "__init__.py").write_text(edit)
        done = ran(project, "-B", "-c", "from app import acp")
    finally:
        if edit is None:
            (project / "away").rename(home)
        (home / "__init__.py").write_text(kept)
    expected = message.format(RUNTIME_REQUIREMENT if edit is None else INTERFACE_VERSION)
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: {expected}")
    assert RUNTIME_REQUIREMENT in last


def test_the_manifest_remembers_the_choice(
    project: Path, run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dest = tmp_path / "app" / "acp"
    shutil.copytree(project / "app/acp", dest)
    shutil.copy(project / "one.json", tmp_path)
    monkeypatch.chdir(tmp_path)  # the usages of the package are looked for from here on
    assert run_cli("vendor", dest, "--schema", "one.json", "--check").code == 0
    asked = run_cli("vendor", dest, "--schema", "one.json", "--check", "--runtime", "copied")
    assert (asked.code, "_runtime/__init__.py: missing" in asked.out) == (1, True)
    assert run_cli("vendor", dest, "--schema", "one.json", "--runtime", "copied").code == 0
    assert (dest / "_runtime" / "tasks.py").exists()
    back = run_cli("vendor", dest, "--schema", "one.json", "--runtime", "installed")
    assert f"add {RUNTIME_REQUIREMENT} to the dependencies of the project" in back.err
    assert not (dest / "_runtime" / "tasks.py").exists()


def test_a_package_over_another_one_uses_the_runtime_of_that_one(
    project: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    ran = run_cli("vendor", "app/more", "--runtime", "copied")
    assert (ran.code, "uses the runtime of app.acp, which is installed; choose the runtime there" in ran.err) == (
        2,
        True,
    )


def test_the_wheel_of_the_runtime_is_the_release_that_packages_ask_for() -> None:
    from packaging.requirements import Requirement

    own = tomllib.loads((WHEEL / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = Requirement(RUNTIME_REQUIREMENT)
    assert (own["name"], own["requires-python"]) == (asked.name, tool["requires-python"])
    assert tool["version"] in asked.specifier
    assert set(own["dependencies"]) <= set(tool["dependencies"])
    assert own["optional-dependencies"]["remote"] == tool["optional-dependencies"]["remote"]


@pytest.mark.environment
def test_mypy_finds_nothing_in_strict_mode(project: Path) -> None:
    pytest.importorskip("mypy")
    done = ran(project, "-m", "mypy", "--strict", "--config-file=", "app")
    assert done.returncode == 0, done.stdout


@pytest.mark.environment
def test_pyright_finds_nothing_in_strict_mode(project: Path) -> None:
    if importlib.util.find_spec("pyright") is None or shutil.which("node") is None:
        pytest.skip("pyright or node is not here")
    config = {"typeCheckingMode": "strict", "include": ["app/acp", "app/more", "app/*.py"], "pythonVersion": "3.11"}
    (project / "pyrightconfig.json").write_text(json.dumps(config))
    done = ran(project, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(project))
    found = json.loads(done.stdout)
    assert (found["summary"]["filesAnalyzed"] > 20, found["generalDiagnostics"]) == (True, [])


@pytest.mark.environment
@pytest.mark.parametrize("python", SUPPORTED)
def test_two_packages_share_the_installed_wheel(tmp_path: Path, python: str) -> None:
    pip = (sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, WHEEL, cwd=tmp_path)
    (wheel,) = tmp_path.glob("acp_runtime-*.whl")
    programs = installed(found(python), tmp_path / "env", wheel)
    folder = tmp_path / "project"
    folder.mkdir()
    written(folder)
    assert run(programs / "python", "together.py", cwd=folder) == SHARED
    assert run(programs / "python", "-m", "app.client", cwd=folder) == "Hello\nend_turn\n"
