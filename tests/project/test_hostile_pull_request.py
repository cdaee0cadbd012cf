"""A pull request of a stranger, checked as action.yml does it: no line is forged, nothing outside is touched, nothing hangs."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.support.hostile_text import COMMAND, EVIL, NAME, faults, only_ours, without_fences
from tests.support.sampling import exhaustive

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = [step for step in ACTION["runs"]["steps"] if "run" in step]
OURS = re.compile(
    f"{COMMAND.pattern}|::error title=generated package::The generated package is not what the schema makes.*"
)
CPU_SECONDS = 10

Edit = Callable[[Path], None]


def schema(description: str = "A thing.", **more: Any) -> dict[str, Any]:
    ask = {"type": "object", "x-method": "ask", "x-side": "agent", "x-capability": False}
    thing = {
        "type": "object",
        "description": description,
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
    }
    things = {
        "Thing": thing,
        "AskRequest": {**ask, "properties": {"thing": {"$ref": "#/$defs/Thing"}}},
        "AskResponse": ask,
    }
    return {"title": "Tiny", "$defs": {**things, **more}}


def write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


def replaced_by_link(path: Path, target: str) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(target)


# --- what strangers send -------------------------------------------------------------------------------------------------


def texts(home: Path) -> None:
    edited = schema(EVIL)
    del edited["$defs"]["Thing"]["properties"]["b"]
    edited["$defs"]["Thing"]["properties"][EVIL] = {"enum": [EVIL], "type": "string"}
    edited["$defs"]["Thing"]["required"] = [EVIL]
    edited["$defs"]["Unused"] = {"type": "object", "description": EVIL}
    write(home / "schema.json", edited)


def names(home: Path) -> None:
    write(home / "schema.json", schema("Other."))
    write(home / "examples" / "messages" / "agent" / "ask" / f"{NAME}.request.json", {"thing": {"a": 1}})
    write(home / NAME / f"{NAME}.json", "{}")
    manifest = json.loads((home / "generated" / "manifest.json").read_text())
    for name in (NAME, "::error::x", "##[group]x", "```"):
        write(home / "generated" / name, "x")
        manifest["files"][name] = hashlib.sha256(b"x").hexdigest()
    write(home / "generated" / "manifest.json", manifest)


def names_that_are_ours(home: Path) -> None:
    names(home)
    manifest = json.loads((home / "generated" / "manifest.json").read_text())
    del manifest["files"][NAME]  # the others could have been written by this tool
    write(home / "generated" / "manifest.json", manifest)


def settings(home: Path) -> None:
    suppress = f"rule = {json.dumps(EVIL)}\npointer = {json.dumps(EVIL)}\nreason = {json.dumps(EVIL)}"
    write(home / "pyproject.toml", f"[[tool.acp-codegen.check.suppress]]\n{suppress}\n")


def deep(home: Path) -> None:
    write(home / "schema.json", '{"$defs": {"A": ' + '{"items": ' * 50_000 + "{}" + "}" * 50_002)


def deep_settings(home: Path) -> None:
    write(home / "pyproject.toml", "a = " + "[" * 50_000)


def chain(home: Path) -> None:
    inner: dict[str, Any] = {"$ref": "#/$defs/Thing"}
    for _ in range(300):
        inner = {"allOf": [inner]}
    write(home / "schema.json", schema(Chained={"type": "object", "properties": {"x": inner}}))


def endless_pattern(home: Path) -> None:
    edited = schema()
    edited["$defs"]["Thing"]["properties"]["a"]["pattern"] = "^(a+)+$"
    write(home / "schema.json", edited)
    text = {"thing": {"a": "a" * 41 + "!"}}
    write(home / "examples" / "messages" / "agent" / "ask" / "full.request.json", text)


def unions_of_unions(home: Path) -> None:
    def union(number: int) -> dict[str, Any]:
        key = f"k{number}"
        return {"oneOf": [{"type": "object", "properties": {key: {"const": c}}, "required": [key]} for c in "ab"]}

    write(home / "schema.json", schema(Unions={"allOf": [union(number) for number in range(11)]}))


def taken_over(home: Path) -> None:
    """Few bytes that make many: a thousand properties, and a thousand definitions that take them over."""
    base = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(1000)}}
    heirs = {f"A{n}": {"type": "object", "allOf": [{"$ref": "#/$defs/Base"}]} for n in range(1000)}
    write(home / "schema.json", schema(Base=base, **heirs))


def names_of_a_stranger(home: Path) -> None:
    lock = {"definitions": {EVIL: {"class": EVIL}}, "variants": {EVIL: {EVIL: EVIL}}, "methods": {EVIL: EVIL}}
    write(home / "names.lock.json", lock)
    write(home / "generated" / "names.lock.json", lock)


def device(home: Path) -> None:
    replaced_by_link(home / "schema.json", "/dev/zero")


def device_as_settings(home: Path) -> None:
    replaced_by_link(home / "pyproject.toml", "/dev/zero")


def device_as_example(home: Path) -> None:
    write(home / "examples" / "messages" / "agent" / "ask" / "full.response.json", {})
    replaced_by_link(home / "examples" / "messages" / "agent" / "ask" / "full.request.json", "/dev/zero")
    replaced_by_link(home / "examples" / "messages" / "agent" / "loop", "..")


def deep_example(home: Path) -> None:
    write(home / "examples" / "messages" / "agent" / "ask" / "full.request.json", "[" * 100_000)


def secret_as_example(home: Path) -> None:
    write(home / "examples" / "messages" / "agent" / "ask" / "full.response.json", {})
    link = home / "examples" / "messages" / "agent" / "ask" / "full.request.json"
    replaced_by_link(link, "../../../../../outside/secret.json")


def secret(home: Path) -> None:
    replaced_by_link(home / "schema.json", "../outside/secret.txt")


def link_as_package(home: Path) -> None:
    replaced_by_link(home / "generated", "../outside")


def link_in_package(home: Path) -> None:
    manifest = json.loads((home / "generated" / "manifest.json").read_text())
    manifest["files"]["link/secret.txt"] = hashlib.sha256(b"secret").hexdigest()
    write(home / "generated" / "manifest.json", manifest)
    replaced_by_link(home / "generated" / "link", "../../outside")
    write(home / "schema.json", schema("Other."))


def journal(home: Path) -> None:
    steps = [{"path": path, "old": None, "ours": []} for path in ("../../outside/secret.txt", "../schema.json")]
    write(home / "generated" / ".codegen-staging" / "journal.json", {"steps": steps, "folders": []})


def programs(home: Path) -> None:
    for name in ("pip", "msgspec", "codegen", "json", "sitecustomize"):
        write(home / f"{name}.py", "print('::error::forged', flush=True)")
        write(home / name / "__init__.py", "print('::error::forged', flush=True)")
        write(home / name / "__main__.py", "print('::error::forged', flush=True)")


def not_a_manifest(home: Path) -> None:
    write(home / "generated" / "manifest.json", {"generator": "", "extensions": 5, "files": {"\ud800": EVIL}})


EDITS: list[Edit] = [
    texts,
    names,
    names_that_are_ours,
    settings,
    deep,
    deep_settings,
    chain,
    device,
    device_as_settings,
]
EDITS += [
    taken_over,
    names_of_a_stranger,
    endless_pattern,
    unions_of_unions,
    device_as_example,
    deep_example,
    secret_as_example,
    secret,
    link_as_package,
    link_in_package,
    journal,
    programs,
    not_a_manifest,
]


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory, run_cli: RunCli) -> Path:
    """A repository with a schema and the package made from it."""
    home = tmp_path_factory.mktemp("origin") / "checkout"
    write(home / "schema.json", schema())
    with contextlib.chdir(home):
        assert run_cli("generate").code == 0
    git(home, "init", "-q", "-b", "main")
    git(home, "add", ".")
    git(home, "commit", "-qm", "start")
    return home


def git(home: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, *arguments], cwd=home, check=True, capture_output=True)


@pytest.mark.parametrize("edit", exhaustive(EDITS, stay=(texts, link_in_package)), ids=lambda edit: edit.__name__)
def test_a_pull_request(origin: Path, tmp_path: Path, edit: Edit) -> None:
    home, outside, summary = tmp_path / "home", tmp_path / "outside", tmp_path / "summary.md"
    git(tmp_path, "clone", "-q", f"file://{origin}", "home")
    write(outside / "secret.txt", "secret")
    write(outside / "secret.json", {"thing": {"a": ["secret"]}})
    edit(home)
    git(home, "checkout", "-q", "-b", EVIL[:1] + "-topic")
    git(home, "add", "-A")
    git(home, "commit", "-qm", EVIL)
    before = {path: path.lstat().st_mtime_ns for path in sorted(outside.rglob("*"))}
    for step in STEPS:
        ran = run(step, home, summary)
        assert ran.returncode in (0, 1, 2, 3), ran
        assert faults(ran.stdout, command=OURS) == []
        assert faults(ran.stderr) == []
        assert "internal error" not in ran.stderr
        assert "secret" not in (ran.stdout + ran.stderr).replace("outside/secret.txt", "")
    shown = summary.read_text() if summary.exists() else ""
    assert faults(without_fences(shown)) == []
    only_ours(shown)
    assert {path: path.lstat().st_mtime_ns for path in sorted(outside.rglob("*"))} == before
    assert not (outside / "__init__.py").exists()


def run(step: dict[str, Any], home: Path, summary: Path) -> subprocess.CompletedProcess[str]:
    """A step as the action runs it; each of its processes may use so many seconds, and none may hang."""
    programs = home.parent / "programs"
    programs.mkdir(exist_ok=True)
    # What is installed is found by its place; `pip` is asked for its version only.
    tool = f"import sys; sys.path[0:0] = [{str(ROOT)!r}]; from codegen.cli.main import main; sys.exit(main())"
    program(programs / "acp-codegen", f'exec {sys.executable} -P -c "{tool}" "$@"')
    program(programs / "python", f'exec {sys.executable} "${{@:1:3}}" --version')
    keys = {name: value.removeprefix("${{ inputs.").removesuffix(" }}") for name, value in step.get("env", {}).items()}
    given = {name: str(ACTION["inputs"].get(key, {}).get("default", "")) for name, key in keys.items()}
    github = {"GITHUB_ACTION_PATH": str(ROOT), "GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(summary)}
    github["RUNNER_TEMP"] = str(programs)
    search = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", f"ulimit -t {CPU_SECONDS}\n{step['run']}"],
        cwd=home,
        env={**os.environ, "PATH": search, **github, **given},
        capture_output=True,
        text=True,
        check=False,
    )


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
