"""`vendor DEST`: a package in someone's source tree, made, repeated, checked, and never at the cost of what they wrote."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any

import pytest

from codegen.vendor import way
from codegen.write.directory import is_inside

if TYPE_CHECKING:
    from tests.conftest import RunCli

SCHEMA: dict[str, Any] = {
    "title": "Small",
    "x-rfds": {"hum": {"title": "Hum", "stage": "draft"}},
    "$defs": {
        "PingRequest": {"type": "object", "x-method": "ping", "x-side": "agent"},
        "PingResponse": {"type": "object", "x-method": "ping", "x-side": "agent"},
        "HumNotification": {"type": "object", "x-method": "hum", "x-side": "agent", "x-rfd": "hum"},
    },
}
EXTENSION: dict[str, Any] = {
    "overlay": "1.0.0",
    "info": {"title": "Acme", "version": "2.1"},
    "actions": [
        {
            "target": "$['$defs']",
            "update": {"PongNotification": {"type": "object", "x-method": "_acme/pong", "x-side": "client"}},
        }
    ],
}
DEST = Path("src") / "app" / "acp"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a project with a schema and an extension of its own."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").touch()
    (project / "protocol.json").write_text(json.dumps(SCHEMA))
    (project / "acme.json").write_text(json.dumps(EXTENSION))
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def vendored(project: Path, run_cli: RunCli) -> Path:
    """The project after the first `vendor`."""
    ran = run_cli("vendor", DEST, "--schema", "protocol.json", "--extend", "acme.json")
    assert (ran.code, ran.err) == (0, "")
    return project


def methods(project: Path) -> list[str]:
    meta = json.loads((project / DEST / "meta.json").read_text())
    return [path for section in ("agentMethods", "clientMethods") for path in meta[section].values()]


def contents(project: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted((project / DEST).rglob("*")) if path.is_file()}


# --- the first time ------------------------------------------------------------------------------------------------------


def test_the_package_is_written_with_the_extensions_methods(vendored: Path) -> None:
    assert methods(vendored) == ["ping", "hum", "_acme/pong"]


def test_the_headers_say_how_to_bring_it_up_to_date(vendored: Path) -> None:
    head = (vendored / DEST / "models.py").read_text().splitlines()[:2]
    assert head[0].endswith(", extended by Acme 2.1. Do not edit.")
    assert head[1] == "# Regenerate with: acp-codegen vendor DEST"


def test_without_a_schema_it_is_the_one_of_the_tool(project: Path, run_cli: RunCli, root: Path) -> None:
    assert run_cli("vendor", DEST).code == 0
    ours = json.loads((root / "schema.json").read_text())["$defs"].values()
    assert {d["x-method"] for d in ours if "x-method" in d and d["x-side"] == "agent"} <= set(methods(project))


@pytest.mark.parametrize("name", ["my-acp", "1acp", "class", "a.b"])
def test_a_directory_that_nobody_could_import_is_refused(project: Path, run_cli: RunCli, name: str) -> None:
    ran = run_cli("vendor", name, "--schema", "protocol.json")
    assert (ran.code, "is not a valid Python package name" in ran.err, (project / name).exists()) == (2, True, False)


def test_a_file_that_is_not_ours_is_never_overwritten(project: Path, run_cli: RunCli) -> None:
    mine = project / DEST / "models.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine = True\n")
    ran = run_cli("vendor", DEST, "--schema", "protocol.json", "--force")
    assert (ran.code, mine.read_text(), os.listdir(mine.parent)) == (2, "mine = True\n", ["models.py"])


def test_a_bad_extension_leaves_the_vendored_package_as_it_is(vendored: Path, run_cli: RunCli) -> None:
    before = contents(vendored)
    bad = {**EXTENSION, "actions": [{"target": "$.nowhere", "update": {}}]}
    (vendored / "acme.json").write_text(json.dumps(bad))
    ran = run_cli("vendor", DEST)
    assert (ran.code, ran.err.startswith("acme.json:1:")) == (2, True)
    assert contents(vendored) == before


# --- once more -----------------------------------------------------------------------------------------------------------


def test_the_directory_alone_repeats_it(vendored: Path, run_cli: RunCli) -> None:
    before = contents(vendored)
    ran = run_cli("vendor", DEST)
    assert (ran.code, ran.out, contents(vendored)) == (0, f"{DEST} is up to date\n", before)


def test_an_unchanged_run_goes_by_digests_alone(
    vendored: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def render(*_: object, **__: object) -> None:
        raise AssertionError("rendered")

    monkeypatch.setattr("codegen.emit.package.render", render)
    assert run_cli("vendor", DEST).code == 0


def test_it_does_so_from_any_directory(
    vendored: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert run_cli("vendor", vendored / DEST, "--check").out.endswith("is up to date\n")


def test_it_does_so_where_the_project_was_moved_to(
    vendored: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = vendored.rename(vendored.with_name("moved"))
    monkeypatch.chdir(moved)
    assert run_cli("vendor", DEST, "--check").code == 0


def test_edits_of_the_schema_and_of_extensions_count(vendored: Path, run_cli: RunCli) -> None:
    for name in ("protocol.json", "acme.json"):
        path = vendored / name
        path.write_text(path.read_text().replace('"hum"', '"drum"').replace("_acme/pong", "_acme/boing"))
    assert run_cli("vendor", DEST).code == 0
    assert methods(vendored) == ["ping", "drum", "_acme/boing"]


def test_an_extension_that_is_gone_is_taken_from_the_manifest(vendored: Path, run_cli: RunCli) -> None:
    (vendored / "acme.json").unlink()
    ran = run_cli("vendor", DEST, "--check")
    assert (ran.code, "using the previous text" in ran.err) == (0, True)


def test_an_extension_from_elsewhere_is_kept_as_text(project: Path, run_cli: RunCli) -> None:
    elsewhere = project.parent / "acme.json"
    shutil.move(project / "acme.json", elsewhere)
    run_cli("vendor", DEST, "--schema", "protocol.json", "--extend", elsewhere)
    elsewhere.unlink()
    ran = run_cli("vendor", DEST, "--check")
    assert (ran.code, ran.err) == (0, "")


def test_a_schema_from_elsewhere_has_to_be_named_again(project: Path, run_cli: RunCli) -> None:
    elsewhere = project.parent / "protocol.json"
    shutil.move(project / "protocol.json", elsewhere)
    assert run_cli("vendor", DEST, "--schema", elsewhere).code == 0
    ran = run_cli("vendor", DEST)
    assert (ran.code, "pass the schema with --schema" in ran.err) == (2, True)
    assert run_cli("vendor", DEST, "--schema", elsewhere).out == f"{DEST} is up to date\n"


def test_no_path_of_this_machine_is_remembered(vendored: Path) -> None:
    manifest = (vendored / DEST / "manifest.json").read_text()
    remembered = json.loads(manifest)["vendored"]
    assert remembered["schema"] == {"path": "../../../protocol.json"}
    assert [(e["name"], e["path"]) for e in remembered["extensions"]] == [("acme.json", "../../../acme.json")]
    assert str(vendored) not in manifest


def test_other_extensions_replace_those_of_the_last_time(vendored: Path, run_cli: RunCli) -> None:
    (vendored / "b.json").write_text(json.dumps(EXTENSION).replace("pong", "peng").replace("Pong", "Peng"))
    assert run_cli("vendor", DEST, "--extend", "b.json").code == 0
    assert methods(vendored) == ["ping", "hum", "_acme/peng"]


def test_no_extend_drops_them(vendored: Path, run_cli: RunCli) -> None:
    assert run_cli("vendor", DEST, "--no-extend").code == 0
    assert methods(vendored) == ["ping", "hum"]
    assert run_cli("vendor", DEST, "--check").code == 0


def test_stable_is_remembered_until_no_stable(vendored: Path, run_cli: RunCli) -> None:
    found = []
    for options in (["--stable"], [], ["--no-stable"], []):
        assert run_cli("vendor", DEST, *options).code == 0
        found.append("hum" in methods(vendored))
    assert found == [False, False, True, True]


def test_a_manifest_that_a_merge_has_broken_is_an_error_and_not_a_loss(vendored: Path, run_cli: RunCli) -> None:
    manifest = vendored / DEST / "manifest.json"
    manifest.write_text("<<<<<<< ours\n" + manifest.read_text())
    ran = run_cli("vendor", DEST)
    assert (ran.code, "manifest.json: error: has merge conflicts; `vendor --resolve` combines" in ran.err) == (2, True)


def test_extensions_that_are_not_remembered_are_an_error_and_not_a_loss(project: Path, run_cli: RunCli) -> None:
    run_cli("generate", "--schema", "protocol.json", "--extend", "acme.json", "--out", DEST)
    ran = run_cli("vendor", DEST)
    assert (ran.code, "pass them with --extend" in ran.err) == (2, True)


@pytest.mark.parametrize("memory", [{"extensions": [{"path": "x"}]}, {"schema": 1}, []])
def test_a_memory_that_was_tampered_with_is_an_error(vendored: Path, run_cli: RunCli, memory: Any) -> None:
    manifest = vendored / DEST / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "vendored": memory}))
    ran = run_cli("vendor", DEST)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "is not a readable manifest" in ran.err


# --- edited by hand ------------------------------------------------------------------------------------------------------


@pytest.fixture
def edited(vendored: Path) -> Path:
    """The project with a line of its own in a vendored file."""
    with (vendored / DEST / "agent.py").open("a") as file:
        file.write("MINE = 1\n")
    return vendored


def test_a_file_that_was_edited_by_hand_is_named_and_shown_and_nothing_is_written(
    edited: Path, run_cli: RunCli
) -> None:
    path = edited / "acme.json"
    path.write_text(path.read_text().replace("_acme/pong", "_acme/boing"))
    before = contents(edited)
    ran = run_cli("vendor", DEST)
    assert ran.code == 1
    assert ran.out.startswith(f"{DEST}/agent.py: edited by hand")
    assert "\n-MINE = 1\n" in ran.out
    assert contents(edited) == before


def test_force_overwrites_it(edited: Path, run_cli: RunCli) -> None:
    assert run_cli("vendor", DEST, "--force").code == 0
    assert "MINE" not in (edited / DEST / "agent.py").read_text()


def test_check_lists_it_and_writes_nothing(edited: Path, run_cli: RunCli) -> None:
    before = contents(edited)
    ran = run_cli("vendor", DEST, "--check")
    assert (ran.code, ran.out.splitlines()[0]) == (1, f"{DEST}/agent.py: edited by hand")
    assert contents(edited) == before


def test_check_sees_drift(vendored: Path, run_cli: RunCli) -> None:
    path = vendored / "acme.json"
    path.write_text(path.read_text().replace("_acme/pong", "_acme/boing"))
    ran = run_cli("vendor", DEST, "--check")
    assert ran.code == 1
    assert f"{DEST}/agent.py: stale" in ran.out.splitlines()


def test_files_beside_the_package_are_left_alone(vendored: Path, run_cli: RunCli) -> None:
    mine = vendored / DEST / "mine.py"
    mine.write_text("mine = True\n")
    assert run_cli("vendor", DEST, "--no-extend").code == 0
    assert mine.read_text() == "mine = True\n"


# --- Windows, by test doubles: none of these tests ran on one ----------------------------------------------------------------


WAYS = {
    "below": (r"C:\p\src\acp", r"C:\p\src\acp\x.json", "x.json"),
    "beside": (r"C:\p\src\acp", r"C:\p\acme.json", "../../acme.json"),
    "other-case": (r"C:\P\src\acp", r"c:\p\SRC\acme.json", "../acme.json"),
    "other-drive": (r"C:\p\src\acp", r"D:\p\acme.json", None),
    "share": (r"\\host\share\p\acp", r"\\host\share\acme.json", "../../acme.json"),
}


@pytest.mark.parametrize(("start", "target", "found"), WAYS.values(), ids=WAYS.keys())
def test_a_path_of_windows_is_remembered_with_slashes(start: str, target: str, found: str | None) -> None:
    assert way(PureWindowsPath(start), PureWindowsPath(target)) == found


def test_a_remembered_path_leads_back_on_windows() -> None:
    import ntpath

    assert ntpath.normpath(PureWindowsPath(r"C:\p\src\acp") / "../../acme.json") == r"C:\p\acme.json"


def test_a_file_that_windows_could_not_hold_is_not_in_a_manifest() -> None:
    assert [name for name in ("a\\b.py", "a:b.py", "C:/a.py", "con?.py", "..\\a.py") if is_inside(name)] == []
