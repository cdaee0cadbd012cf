"""What `vendor` says of packages and places that it cannot work with: each has one error with the way out."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import RunCli

DEST = Path("app/acp")


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli) -> Path:
    """A project with the standard package."""
    monkeypatch.chdir(tmp_path)
    assert run_cli("vendor", DEST).code == 0
    return DEST


def edit_manifest(**changes: Any) -> None:
    path = DEST / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_half_vendored_package_is_listed_file_by_file_and_completed(run_cli: RunCli) -> None:
    for name in ("models.py", "manifest.json"):
        (DEST / name).unlink()
    ran = run_cli("vendor", DEST, "--check")
    assert ran.code == 1
    assert ran.out.startswith(f"{DEST}/manifest.json: missing\n{DEST}/models.py: missing\n")
    assert run_cli("vendor", DEST).code == 0
    assert run_cli("vendor", DEST, "--check").code == 0


@pytest.mark.parametrize("options", [[], ["--check"], ["--plan"]])
def test_a_manifest_of_a_newer_tool_is_named_as_such(run_cli: RunCli, options: list[str]) -> None:
    edit_manifest(vendored={"schema": None, "extensions": [], "telepathy": 3})
    before = (DEST / "manifest.json").read_bytes()
    ran = run_cli("vendor", DEST, *options)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"{DEST}/manifest.json: error: was written by a newer version of acp-codegen and has")
    assert "update the tool" in ran.err
    assert (DEST / "manifest.json").read_bytes() == before


def write_extension() -> None:
    actions = [{"target": "$", "update": {"x-note": 1}}]
    Path("oak.json").write_text(
        json.dumps({"overlay": "1.0.0", "info": {"title": "Oak", "version": "1"}, "actions": actions})
    )


def test_a_base_with_a_manifest_of_a_newer_tool_is_named_as_such(run_cli: RunCli) -> None:
    edit_manifest(vendored={"schema": None, "extensions": [], "telepathy": 3})
    write_extension()
    ran = run_cli("vendor", "app/oak", "--extend", "oak.json", "--on", "app.acp")
    assert ran.code == 2
    assert "app/acp/manifest.json: error: was written by a newer version of acp-codegen" in ran.err


@pytest.mark.parametrize("place", ["app.acp", "app.oak"], ids=["vendored", "new"])
def test_a_package_is_not_its_own_base(run_cli: RunCli, place: str) -> None:
    write_extension()
    before = sorted(Path("app").rglob("*"))
    ran = run_cli("vendor", place.replace(".", "/"), "--extend", "oak.json", "--on", place)
    assert (ran.code, sorted(Path("app").rglob("*"))) == (2, before)
    assert f"is the package {place} itself; choose another directory" in ran.err


def test_a_package_that_only_adds_is_no_base(run_cli: RunCli) -> None:
    write_extension()
    assert run_cli("vendor", "app/oak", "--extend", "oak.json", "--on", "app.acp").code == 0
    ran = run_cli("vendor", "app/elm", "--extend", "oak.json", "--on", "app.oak")
    assert (ran.code, Path("app/elm").exists()) == (2, False)
    assert "would extend app.oak, which itself extends app.acp; pass app.acp to --on" in ran.err


def test_a_name_that_python_would_normalise_is_refused(run_cli: RunCli) -> None:
    name = "\N{LATIN SMALL LIGATURE FI}le"
    assert name.isidentifier()
    ran = run_cli("vendor", name)
    assert (ran.code, Path(name).exists()) == (2, False)
    assert "is not a valid Python package name" in ran.err


@pytest.mark.parametrize("place", ["asyncio", "src/msgspec"])
def test_a_package_does_not_hide_a_module(run_cli: RunCli, place: str) -> None:
    ran = run_cli("vendor", place)
    assert (ran.code, Path(place).exists()) == (2, False)
    assert f"{place}: error: would hide the module {Path(place).name} from this project" in ran.err
    assert run_cli("vendor", f"app/{Path(place).name}").code == 0


def test_a_file_and_a_link_to_nothing_are_no_directories(run_cli: RunCli) -> None:
    Path("file").write_text("x")
    Path("link").symlink_to("nothing")
    for name in ("file", "link"):
        ran = run_cli("vendor", name)
        assert (ran.code, ran.err) == (2, f"{name}: error: is not a directory; move it, or choose another name\n")


def test_a_text_that_is_no_manifest_is_not_called_newer(run_cli: RunCli) -> None:
    (DEST / "manifest.json").write_text("{}}")
    ran = run_cli("vendor", DEST, "--check")
    assert ran.code == 2
    assert "is not a readable manifest; restore it, or pass the extensions again" in ran.err


def test_a_name_that_differs_only_in_case_is_refused(run_cli: RunCli) -> None:
    ran = run_cli("vendor", "app/ACP")
    assert ran.code == 2
    assert (
        "app/ACP: error: differs only in case from acp, and some systems do not distinguish them; write acp, or rename"
        in ran.err
    )
    assert sorted(os.listdir("app")) == ["acp"]


@pytest.mark.skipif(os.name == "nt", reason="there, it is a path")
def test_a_path_of_windows_is_refused_with_the_path_to_write(run_cli: RunCli) -> None:
    ran = run_cli("vendor", "app\\acp")
    assert ran.code == 2
    assert "is not a valid Python package name; write the path with slashes: app/acp" in ran.err


def test_a_tree_that_may_only_be_read_is_an_error_and_nothing_changes(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def read_only(path: Any, flags: int, *more: Any, **rest: Any) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return real(path, flags, *more, **rest)

    edit_manifest(generator="0")
    before = {path: path.read_bytes() for path in DEST.rglob("*") if path.is_file()}
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", read_only)
        ran = run_cli("vendor", DEST)
    assert ran.code == 2
    assert ran.err.startswith(f"{DEST}")
    assert "Read-only file system" in ran.err
    assert ran.err.count("\n") == 1
    assert {path: path.read_bytes() for path in DEST.rglob("*") if path.is_file()} == before


def test_a_comment_makes_only_its_file_stale(run_cli: RunCli) -> None:
    with (DEST / "agent.py").open("a") as file:
        file.write("# a note\n")
    ran = run_cli("vendor", DEST, "--check")
    assert (ran.code, ran.out.splitlines()[:2]) == (
        1,
        [f"{DEST}/agent.py: edited by hand", f"{DEST}: files were edited by hand"],
    )
    assert ran.out.splitlines()[2].startswith(f"1 files in {DEST}")
