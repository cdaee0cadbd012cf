"""The packaging: one version, every pin in its place, the same commands everywhere, a wheel that works by itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from codegen.write.manifest import WRITER

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = [
    Requirement(line.partition("#")[0])
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line.partition("#")[0].strip()
]
PINS = {canonicalize_name(pin.name): str(pin.specifier) for pin in CONSTRAINTS}
EXTRAS = PROJECT["project"]["optional-dependencies"]
DEVELOPMENT = [
    Requirement(text) for text in (*PROJECT["build-system"]["requires"], *PROJECT["dependency-groups"]["dev"])
]
INSTALLED = [Requirement(text) for text in (*PROJECT["project"]["dependencies"], *EXTRAS["check"])]


@pytest.mark.parametrize("requirement", DEVELOPMENT, ids=lambda requirement: requirement.name)
def test_a_dependency_has_one_exact_version_in_both_files(requirement: Requirement) -> None:
    assert re.fullmatch(r"==[^,*]+", str(requirement.specifier))
    assert PINS[canonicalize_name(requirement.name)] == str(requirement.specifier)


@pytest.mark.parametrize("requirement", INSTALLED, ids=lambda requirement: requirement.name)
def test_a_users_environment_gets_a_range_and_ours_a_version_in_it(requirement: Requirement) -> None:
    exact = requirement.name == WRITER
    assert exact or re.search(r"<\d+", str(requirement.specifier)), "a range ends before the next major release"
    assert requirement.specifier.contains(PINS[canonicalize_name(requirement.name)].removeprefix("=="))


def test_everything_that_is_installed_is_pinned() -> None:
    if not Path(sys.prefix).is_relative_to(ROOT):
        pytest.skip("not run by `make test`: this environment is not the one that constraints.txt describes")
    ours = {"acp-codegen", "pip", "setuptools"}
    installed = {canonicalize_name(found.metadata["Name"]): f"=={found.version}" for found in distributions()}
    assert {name: v for name, v in installed.items() if name not in ours} == {
        name: version for name, version in PINS.items() if name in installed
    }


def test_the_pins_name_no_registry() -> None:
    for name in ("constraints.txt", "pyproject.toml", "Makefile"):
        text = (ROOT / name).read_text(encoding="utf-8")
        found = re.findall(r"https?://[^\s\"]*|--(?:extra-)?index-url|--hash|git\+", text)
        assert [one for one in found if one not in PROJECT["project"]["urls"].values()] == []


def test_the_metadata_names_no_address_that_the_readme_does_not() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"({url})" in readme for url in PROJECT["project"]["urls"].values())


def imported(path: Path) -> set[str]:
    """The top-level packages a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names


IMPORTED_AS = {"markdown_it_py": "markdown_it"}


def test_what_the_generator_imports_it_depends_on() -> None:
    extras = [Requirement(text) for texts in EXTRAS.values() for text in texts]
    dependencies = {requirement.name.replace("-", "_") for requirement in (*INSTALLED, *extras)}
    dependencies |= {IMPORTED_AS.get(name, name) for name in dependencies}
    needed = set().union(*(imported(path) for path in (ROOT / "codegen").rglob("*.py")))
    assert needed - {"anyio", "uvicorn"} <= dependencies  # which the package mcp itself depends on


def test_the_generated_package_imports_msgspec_alone() -> None:
    modules = {path.name: imported(path) for path in (ROOT / "generated").glob("*.py")}
    assert modules.pop("pydantic_models.py") == {"pydantic"}
    assert set().union(*modules.values()) == {"msgspec"}


def test_the_version_stands_in_one_place() -> None:
    version = PROJECT["project"]["version"]
    holders = [
        path.relative_to(ROOT).as_posix()
        for path in (*(ROOT / "codegen").rglob("*.py"), *ROOT.glob("*.toml"), ROOT / "Makefile")
        if re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.])", path.read_text(encoding="utf-8"))
    ]
    assert holders == ["pyproject.toml"]


def test_the_changelog_begins_with_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", changelog, re.MULTILINE)[1] == PROJECT["project"]["version"]  # type: ignore[index]


def test_the_licence_is_the_one_that_the_metadata_names() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text


def test_ci_runs_the_tests_of_the_readme_the_linters_and_the_check() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^make [\w-]+$", script, re.MULTILINE) == [
        "make test",
        "make test-environments",
        "make lint",
        "make check",
    ]
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def run(*command: str | Path, cwd: Path) -> str:
    ran = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def environment(folder: Path) -> Path:
    """A new virtual environment, empty; its Python."""
    venv.create(folder, with_pip=False, symlinks=True)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network: the build backend is part of the development environment."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--quiet", "--no-input")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT, cwd=folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.mark.environment
def test_the_wheel_holds_the_generator_with_its_data_the_tools_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    sources = {
        p.relative_to(ROOT / "codegen") for kind in ("*.py", "*.toml", "*.mjs") for p in (ROOT / "codegen").rglob(kind)
    }
    sources |= {p.relative_to(ROOT / "codegen") for p in (ROOT / "codegen" / "annotations").iterdir()}
    copied = [
        p
        for folder in ("templates", "examples/starters", "examples/messages")
        for p in (ROOT / folder).rglob("*")
        if p.is_file()
    ]
    folders = {p.relative_to(ROOT).as_posix() for p in copied if "__pycache__" not in p.parts}
    package = {f"generated/{p.name}" for p in (ROOT / "generated").iterdir() if p.is_file()}
    data = {f"data/{name}" for name in (*folders, *package, "schema.json", "names.lock.json")}
    tools = {p.relative_to(ROOT).as_posix() for p in (ROOT / "acp_tools").rglob("*") if p.is_file()}
    generator = {
        f"acp_codegen/{name}" for name in {*(p.as_posix() for p in sources), *data, "emit/prebuilt.json", "py.typed"}
    }
    assert names == generator | {name for name in tools if "__pycache__" not in name}


@pytest.mark.environment
def test_the_wheels_page_is_about_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA"))
    page = metadata.partition("\n\n")[2]
    assert page.startswith("# acp-codegen\n")
    assert 'uvx --from "$CLONE" acp-codegen vendor' in page
    assert "make " not in page, "whoever reads it has no checkout"
    assert not re.search(r"\]\((?!https)", page), "a link into the checkout leads nowhere"


@pytest.mark.environment
def test_the_wheel_works_in_an_empty_environment_from_an_empty_directory(wheel: Path, tmp_path: Path) -> None:
    tool, user = environment(tmp_path / "tool"), environment(tmp_path / "user")
    pip = (sys.executable, "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check", "--python")
    run(*pip, tool, "install", "--no-compile", "-c", ROOT / "constraints.txt", wheel, cwd=tmp_path)
    assert run(tool, "-c", "import importlib.util as u; print(u.find_spec('codegen'))", cwd=tmp_path) == "None\n"
    run(*pip, user, "install", "--no-compile", "-c", ROOT / "constraints.txt", "msgspec", cwd=tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()

    run(tmp_path / "tool" / "bin" / "acp-codegen", "--out", "acp", cwd=empty)

    assert [path.name for path in empty.iterdir()] == ["acp"]
    assert (
        run(
            user, "-c", "import acp; print(acp.decode(acp.SessionId, '\"s\"'), len(acp.methods.METHODS))", cwd=empty
        ).split()[0]
        == "s"
    )
    assert run(tmp_path / "tool" / "bin" / "acp-codegen", "--out", "acp", "--check", cwd=empty) == "acp is up to date\n"
    explained = run(tmp_path / "tool" / "bin" / "acp-codegen", "explain", "enum-value-removed", cwd=empty)
    whole, _, example = run(sys.executable, "-m", "codegen", "explain", "enum-value-removed", cwd=ROOT).partition(
        "example:"
    )
    assert explained == f"{whole}example: tests/rules/enum-value-removed in the repository of acp-codegen\n"
    assert "enum-value-removed" in example
    refused = subprocess.run(
        [tmp_path / "tool" / "bin" / "acp-codegen", "validate", "."],
        cwd=empty,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (refused.returncode, "install 'acp-codegen[check]'" in refused.stderr) == (2, True)
    # The wheel makes what the checkout makes.
    run(sys.executable, "-m", "codegen", "--out", empty / "from_checkout", cwd=ROOT)
    for path in sorted(path for path in (empty / "from_checkout").rglob("*") if path.is_file()):
        inside = path.relative_to(empty / "from_checkout")
        assert path.read_bytes() == (empty / "acp" / inside).read_bytes(), str(inside)


def test_the_import_names_of_a_checkout_lead_to_one_copy_of_each_module() -> None:
    """In a process of its own: a second copy of a module would replace the first in its parent."""
    program = (
        "import generated, acp_generated._runtime.errors as other; from acp_generated.methods import METHODS; "
        "assert other is generated._runtime.errors; assert METHODS is generated.methods.METHODS; "
        "assert other.__spec__.name == 'generated._runtime.errors'"
    )
    run(sys.executable, "-W", "error", "-c", program, cwd=ROOT)
