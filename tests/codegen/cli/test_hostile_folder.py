"""A directory that somebody else has prepared: nothing outside of it is read, written or removed, and nothing holds a run up."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.pipeline import Shaped
from codegen.shape.shapes import Shapes

if TYPE_CHECKING:
    from tests.conftest import Ran, RunCli

SCHEMA = {
    "$defs": {
        "PingRequest": {"type": "object", "x-method": "ping", "x-side": "agent"},
        "PingResponse": {"type": "object", "x-method": "ping", "x-side": "agent"},
    }
}
OUT = Path("out")


@pytest.fixture(params=[True, False], ids=["stepwise", "looking first"])
def stepwise(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With what this system can do, and with what every system can."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("codegen.write.directory.STEPWISE", request.param)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory, run_cli: RunCli) -> Path:
    """A schema, and a package made from it in `out`."""
    template = tmp_path_factory.mktemp("template")
    (template / "schema.json").write_text(json.dumps(SCHEMA))
    with contextlib.chdir(template):
        assert run_cli("vendor", OUT, "--schema", "schema.json").code == 0
    return template


@pytest.fixture
def home(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a copy of the template, and beside it a directory that is not ours."""
    home = tmp_path / "home"
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "keep.txt").write_text("keep")
    shutil.copytree(template, home)
    monkeypatch.chdir(home)
    return home


def refused(ran: Ran, text: str) -> None:
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert text in ran.err


def listing(path: str, data: bytes) -> None:
    """Have the manifest say that a file is ours."""
    manifest = json.loads((OUT / "manifest.json").read_text())
    manifest["files"][path] = hashlib.sha256(data).hexdigest()
    manifest["options"] = ["--bare"]  # so that it is out of date
    (OUT / "manifest.json").write_text(json.dumps(manifest, indent=1))


COMMANDS = [["generate", "--out", OUT], ["generate", "--out", OUT, "--check"], ["generate", "--out", OUT, "--diff"]]
COMMANDS += [["vendor", OUT], ["vendor", OUT, "--check"], ["vendor", OUT, "--force"]]
every_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(map(str, command)))

# --- links ---------------------------------------------------------------------------------------------------------------


@every_command
@pytest.mark.usefixtures("stepwise")
def test_a_listed_file_is_not_removed_through_a_link(home: Path, run_cli: RunCli, command: list[str]) -> None:
    (OUT / "link").symlink_to("../../outside")
    listing("link/keep.txt", b"keep")
    refused(run_cli(*command), "out/link: error: is a link")
    assert (home.parent / "outside" / "keep.txt").read_text() == "keep"


@every_command
@pytest.mark.usefixtures("stepwise")
def test_nothing_is_written_through_a_link(home: Path, run_cli: RunCli, command: list[str]) -> None:
    runtime = OUT / "_runtime"
    runtime.rename(home.parent / "runtime")
    runtime.symlink_to(home.parent / "runtime")
    before = {path: path.read_bytes() for path in sorted((home.parent / "runtime").rglob("*")) if path.is_file()}
    (home / "schema.json").write_text(json.dumps({**SCHEMA, "title": "Other"}))
    refused(run_cli(*command), "out/_runtime: error: is a link")
    assert {
        path: path.read_bytes() for path in sorted((home.parent / "runtime").rglob("*")) if path.is_file()
    } == before


@every_command
def test_a_destination_that_a_link_takes_out_of_the_project_is_refused(
    home: Path, run_cli: RunCli, command: list[str]
) -> None:
    OUT.rename(home.parent / "moved")
    OUT.symlink_to("../moved")
    refused(run_cli(*command), "out: error: is behind a link that leads out of the working directory")


def test_a_destination_that_is_a_link_inside_the_project_is_used(home: Path, run_cli: RunCli) -> None:
    OUT.rename("moved")
    OUT.symlink_to("moved")
    assert run_cli("generate", "--out", OUT).code == 0
    assert OUT.is_symlink()


# --- what is not a file --------------------------------------------------------------------------------------------------


@every_command
@pytest.mark.usefixtures("stepwise")
@pytest.mark.parametrize("name", ["models.py", "manifest.json"])
def test_a_pipe_is_refused(home: Path, run_cli: RunCli, command: list[str], name: str) -> None:
    (home / OUT / name).unlink()
    os.mkfifo(home / OUT / name)
    refused(run_cli(*command), f"out/{name}: error: is a pipe or a device, expected a file")


@every_command
@pytest.mark.usefixtures("stepwise")
@pytest.mark.parametrize("name", ["models.py", "manifest.json"])
def test_a_link_to_a_device_is_refused(home: Path, run_cli: RunCli, command: list[str], name: str) -> None:
    (home / OUT / name).unlink()
    (home / OUT / name).symlink_to("/dev/zero")
    refused(run_cli(*command), f"out/{name}: error: is a link")


@pytest.mark.parametrize("name", ["models.py", "manifest.json"])
def test_a_file_that_does_not_end_is_refused(home: Path, run_cli: RunCli, name: str) -> None:
    with (home / OUT / name).open("r+b") as file:
        file.truncate(64 * 2**20 + 1)
    refused(run_cli("vendor", OUT), f"out/{name}: error: more than 16 MiB in a file (limit `file-size`")


# --- manifests -----------------------------------------------------------------------------------------------------------

NAMES = [
    "",
    ".",
    "..",
    "../x",
    "/etc/passwd",
    "a/../../x",
    "a\\b",
    "C:x",
    "a\nb",
    "\x1b[2J",
    "a//b",
    "\x00",
    "x" * 5000,
]
WRONG: list[Any] = [None, 5, -1.5, True, "", "x", [], {}, [5], {"x": 5}, {"x": "y"}, [[]], [{}], 10**400, "\ud800"]
WRONG += [{"\ud800": "x"}, {"a": {"a": {"a": []}}}, [{"title": 1}], {"schema": {"path": 5}}, {"extensions": 5}]
TEXTS = [
    b"",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    b"null",
    b"{",
    b"[" * 200_000,
    b'{"a":' * 200_000,
    b"9" * 100_000,
    b"\x00" * 9,
]


def wrong_manifests(whole: dict[str, Any]) -> Iterator[bytes]:
    """A manifest with each of its values replaced by each of what it cannot be, and texts that are none at all."""
    yield from TEXTS
    places = [[key] for key in whole] + [["vendored", "schema"], ["vendored", "extensions"], ["files", "models.py"]]
    places += [["vendored", "schema", "path"], ["unknown"], ["vendored", "unknown"]]
    for place in places:
        for value in WRONG:
            yield json.dumps(replaced(whole, place, value)).encode()
    for name in NAMES:
        yield json.dumps(replaced(whole, ["files", name], "0" * 64)).encode()
        yield json.dumps(replaced(whole, ["vendored", "schema", "path"], name)).encode()


def replaced(whole: dict[str, Any], place: list[str], value: Any) -> dict[str, Any]:
    found = inner = copy.deepcopy(whole)
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return found


def test_a_wrong_manifest_is_one_line(home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (OUT / "manifest.json").read_text()
    files = {str(path.relative_to(OUT)): path.read_text() for path in OUT.rglob("*") if path.is_file()}
    del files["manifest.json"]
    nothing: Any = None
    # What is slow and does not look at the manifest.
    monkeypatch.setattr("codegen.shape.package.package", lambda *_: None)
    monkeypatch.setattr("codegen.emit.package.render", lambda *_, **__: dict(files))
    monkeypatch.setattr(
        "codegen.pipeline.load_shapes",
        lambda *_, **__: Shaped(nothing, nothing, Shapes(records={}, choices={}, aliases={}), None),
    )
    monkeypatch.setattr("codegen.write.manifest.generator_sources", list)
    for wrong in wrong_manifests(json.loads(text)):
        (OUT / "manifest.json").write_bytes(wrong)
        for command in (["generate", "--out", OUT, "--check"], ["vendor", OUT, "--check"]):
            ran = run_cli(*command)
            shown = ran.out + ran.err
            assert ran.code in (0, 1, 2), wrong[:200]
            assert "internal error" not in shown, (wrong[:200], shown)
            assert ran.err.count("\n") <= 1, (wrong[:200], shown)
            assert all(char.isprintable() or char == "\n" for char in shown), (wrong[:200], shown)


# --- what vendor remembers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../../secret.json", "../link/secret.json", "../" * 30 + "dev/zero", "../a\nb"]
)
@pytest.mark.parametrize("kind", ["schema", "extension"])
def test_a_remembered_path_never_leaves_the_project(home: Path, run_cli: RunCli, path: str, kind: str) -> None:
    (home.parent / "secret.json").write_text("secret")
    (home / "link").symlink_to(home.parent)
    manifest = json.loads((OUT / "manifest.json").read_text())
    if kind == "schema":
        manifest["vendored"]["schema"] = {"path": path}
    else:
        manifest["extensions"] = [{"title": "x", "version": "1", "sha256": ""}]
        manifest["vendored"]["extensions"] = [{"name": "x", "path": path, "text": "{}"}]
    (OUT / "manifest.json").write_text(json.dumps(manifest))
    ran = run_cli("vendor", OUT, "--check")
    if kind == "schema":
        refused(ran, "which is not in the project; pass the schema")
    else:
        # The text of the last time serves, and is the "{}" above.
        assert ran.code == 2
        assert "outside the project" in ran.err.splitlines()[0]
        assert ran.err.splitlines()[1].startswith("x:1:1: error: ")


def test_the_project_is_the_repository_where_the_command_runs_below_it(
    home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".git").mkdir()
    monkeypatch.chdir(OUT)
    assert run_cli("vendor", home / OUT, "--check").code == 0


# --- without the environment ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", [[], ["check"], ["schema"], ["rfd"], ["rules"], ["vendor", "x"], ["validate", "-"]], ids=str
)
def test_a_python_without_the_dependencies_is_told_what_to_do(root: Path, command: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-S", "-m", "codegen", *command], cwd=root, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert ran.stderr.startswith("error: this tool needs the module")
