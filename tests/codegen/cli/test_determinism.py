"""The same input makes the same bytes: whatever the hash seed, the directory, the order of files on disk, the Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.sampling import exhaustive

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]

TEXT = {"type": "string"}
KINDS = ["zeta", "alpha", "mid-dle"]
SCHEMA: dict[str, Any] = {
    "title": "Tiny",
    "x-rfds": {"new": {"title": "New", "stage": "draft"}},
    "x-handshake": {
        "method": "open",
        "versionNumber": 1,
        "version": "v",
        "capabilities": {"agent": "can", "client": "can"},
        "info": {},
    },
    "$defs": {
        "Kind": {"anyOf": [{"const": kind, "description": f"{kind} \U0001fae8 \u202e"} for kind in KINDS] + [TEXT]},
        "Part": {
            "oneOf": [
                {"type": "object", "properties": {"t": {"const": kind}, "x": TEXT}, "required": ["t"]} for kind in KINDS
            ]
        },
        "Loose": {"anyOf": [TEXT, {"type": "array", "items": {"$ref": "#/$defs/Part"}}, {"type": "integer"}]},
        "Can": {
            "type": "object",
            "properties": {
                "yes": {"type": "boolean"},
                "deep": {"type": "object", "properties": {"x": {"type": "null"}}},
            },
        },
        "OpenRequest": {
            "type": "object",
            "properties": {"v": {"type": "integer"}, "can": {"$ref": "#/$defs/Can"}, "inline": {"enum": ["b", "a", 1]}},
            "x-method": "open",
            "x-side": "agent",
        },
        "OpenResponse": {
            "type": "object",
            "properties": {"v": {"type": "integer"}, "can": {"$ref": "#/$defs/Can"}},
            "x-method": "open",
            "x-side": "agent",
        },
        "SayNotification": {
            "type": "object",
            "description": "Says é \U0001fae8.",
            "properties": {
                "part": {"$ref": "#/$defs/Part"},
                "loose": {"$ref": "#/$defs/Loose"},
                "big": {"maximum": 2**70, "type": "integer"},
            },
            "x-method": "say",
            "x-side": "both",
            "x-capability": "deep",
            "x-rfd": "new",
        },
        "RouteNotification": {"type": "object", "x-method": "route", "x-side": "proxy"},
    },
}


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(SCHEMA), encoding="utf-8")
    return path


def files(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


@pytest.fixture
def expected(schema: Path, tmp_path: Path, run_cli: RunCli) -> dict[str, bytes]:
    """What this process makes of the schema."""
    assert run_cli("--schema", schema, "--out", tmp_path / "expected").err == ""
    return files(tmp_path / "expected")


def made_by(command: list[str], schema: Path, out: Path, **variables: str) -> dict[str, bytes]:
    """What a process of its own makes of the schema."""
    environment = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"], **variables}
    ran = subprocess.run(
        [*command, "-m", "codegen", "--schema", str(schema), "--out", str(out)],
        cwd=out.parent,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    return files(out)


@pytest.mark.parametrize("seed", exhaustive(["0", "1", "4242"], stay=["4242"]))
def test_the_hash_seed_changes_nothing(seed: str, schema: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    assert made_by([sys.executable], schema, tmp_path / "made", PYTHONHASHSEED=seed) == expected


def test_the_place_of_the_schema_changes_nothing(
    schema: Path, tmp_path: Path, expected: dict[str, bytes], run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "else where" / "é"
    elsewhere.mkdir(parents=True)
    shutil.copy(schema, elsewhere / "other name.json")
    monkeypatch.chdir(elsewhere)
    run_cli("--schema", "other name.json", "--out", "x")
    assert files(elsewhere / "x") == expected


def test_the_locale_and_optimisation_change_nothing(schema: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    command = [sys.executable, "-OO", "-X", "utf8=0"]
    variables = {
        "LC_ALL": "C",
        "PYTHONIOENCODING": "latin-1",
        "TZ": "Asia/Tokyo",
        "COLUMNS": "20",
        "HOME": "/nonexistent",
    }
    assert made_by(command, schema, tmp_path / "made", **variables) == expected


@pytest.mark.environment
def test_the_place_of_the_sources_changes_nothing(schema: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    copy = tmp_path / "a copy"
    for name in ("codegen", "templates"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "schema.json", copy)
    assert made_by([sys.executable], schema, tmp_path / "made", PYTHONPATH=str(copy)) == expected


def test_what_was_there_before_changes_nothing(
    schema: Path, tmp_path: Path, expected: dict[str, bytes], run_cli: RunCli
) -> None:
    out = tmp_path / "made"
    run_cli("--schema", schema, "--out", out, "--stable")
    (out / "models.py").write_text("mine")
    run_cli("--schema", schema, "--out", out)
    assert files(out) == expected


def test_a_second_run_in_one_process_makes_the_same(
    schema: Path, tmp_path: Path, expected: dict[str, bytes], run_cli: RunCli
) -> None:
    run_cli("--schema", schema, "--out", tmp_path / "again")
    assert files(tmp_path / "again") == expected


def test_nothing_of_this_machine_is_in_the_output(tmp_path: Path, expected: dict[str, bytes]) -> None:
    for name, data in expected.items():
        for trace in (str(tmp_path), str(ROOT), str(Path.home()), os.uname().nodename):
            assert trace.encode() not in data, name


def others() -> list[Path]:
    """Interpreters of other versions that have what the generator needs."""
    named = [Path(path) for path in os.environ.get("CODEGEN_OTHER_PYTHONS", "").split(os.pathsep) if path]
    found = [shutil.which(f"python3.{minor}") for minor in (11, 12, 13, 14) if minor != sys.version_info[1]]
    probe = "import black, datamodel_code_generator, jinja2, msgspec"
    return [
        path
        for path in [*named, *(Path(path) for path in found if path)]
        if path.exists() and subprocess.run([path, "-c", probe], capture_output=True, check=False).returncode == 0
    ]


@pytest.mark.slow
def test_another_version_of_python_changes_nothing(schema: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    """Set CODEGEN_OTHER_PYTHONS to the interpreters of other virtual environments to run this."""
    interpreters = others()
    if not interpreters:
        pytest.skip("no other Python with the generator's dependencies; name some in CODEGEN_OTHER_PYTHONS")
    for number, interpreter in enumerate(interpreters):
        made = made_by([str(interpreter)], schema, tmp_path / f"made{number}")
        assert {name for name in expected if made.get(name) != expected[name]} == set(), interpreter
