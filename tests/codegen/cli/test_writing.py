"""Writing: all of it or nothing, only what changed, and never a file that is not ours."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Ran, RunCli

NEW = {"x-rfd": "new"}
SCHEMA: dict[str, Any] = {
    "title": "Tiny",
    "x-rfds": {"new": {"title": "New", "stage": "draft"}},
    "$defs": {
        "A": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string", **NEW}}},
        "RouteNotification": {"type": "object", "x-method": "route", "x-side": "proxy", **NEW},
    },
}

Make = Callable[..., "Ran"]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def make(tmp_path: Path, out: Path, run_cli: RunCli) -> Make:
    """Generate into `out`; a title makes another schema of it."""

    def run(*flags: str, title: str = "Tiny", to: Path = out) -> Ran:
        path = tmp_path / "schema.json"
        path.write_text(json.dumps({**SCHEMA, "title": title}))
        return run_cli("--schema", path, "--out", to, *flags)

    return run


def contents(directory: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a directory with its bytes and when it was last written."""
    return {
        str(path.relative_to(directory)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def texts(directory: Path) -> dict[str, bytes]:
    return {name: data for name, (data, _) in contents(directory).items()}


def refused(ran: Ran) -> str:
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    return ran.err


# --- only what changed -----------------------------------------------------------------------------------------------


def test_a_run_that_changes_nothing_writes_nothing(make: Make, out: Path) -> None:
    make()
    before = contents(out)
    os.utime(out, ns=(0, 0))
    make()
    assert (contents(out), out.stat().st_mtime_ns) == (before, 0)


def test_a_run_without_its_shortcut_writes_nothing_either(
    make: Make, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make()
    before = contents(out)
    monkeypatch.setattr("codegen.pipeline.up_to_date", lambda *_: False)
    assert make().out == f"{out} is up to date\n"
    assert contents(out) == before


def test_only_files_that_changed_are_touched(make: Make, out: Path) -> None:
    make()
    before = contents(out)
    (out / "models.py").write_text("mine")
    (out / "agent.py").unlink()
    make()
    after = contents(out)
    assert {name for name in after if after[name] != before[name]} == {"models.py", "agent.py"}
    assert texts(out) == {name: data for name, (data, _) in before.items()}


@pytest.mark.parametrize("flag", ["--check", "--diff"])
def test_looking_changes_nothing(make: Make, out: Path, flag: str) -> None:
    make()
    (out / "models.py").write_text("mine")
    before = contents(out)
    assert make(flag, title="Other").code == 1
    assert contents(out) == before


def test_nothing_is_left_beside_what_is_emitted(make: Make, out: Path) -> None:
    make()
    listed = {*json.loads((out / "manifest.json").read_bytes())["files"], "manifest.json"}
    assert {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()} == listed


def test_a_file_that_is_no_longer_emitted_is_removed(make: Make, out: Path) -> None:
    make()
    assert (out / "proxy.py").is_file()
    ran = make("--stable")
    assert not (out / "proxy.py").exists()
    assert ran.out.endswith(", 1 removed\n")


def test_check_lists_a_file_that_is_no_longer_emitted(make: Make, out: Path) -> None:
    make()
    assert f"{out}/proxy.py: no longer emitted" in make("--stable", "--check").out.splitlines()


def test_a_file_that_is_no_longer_emitted_but_was_edited_is_left_alone(make: Make, out: Path) -> None:
    make()
    (out / "proxy.py").write_text("mine")
    make("--stable")
    assert (out / "proxy.py").read_text() == "mine"


def test_line_endings_are_newlines_and_the_encoding_is_utf_8(make: Make, out: Path) -> None:
    make()
    for name, data in texts(out).items():
        assert b"\r" not in data, name
        data.decode("utf-8")


# --- never what is not ours ------------------------------------------------------------------------------------------


def test_files_of_the_user_are_never_touched(make: Make, out: Path) -> None:
    make()
    (out / "mine.py").write_text("mine")
    (out / "sub").mkdir()
    (out / "sub" / "models.py").write_text("mine")
    before = {name: data for name, data in contents(out).items() if "mine" in name or "sub" in name}
    for flags, title in (([], "Other"), (["--stable"], "Other"), ([], "Tiny")):
        assert make(*flags, title=title).code == 0
    assert {name: data for name, data in contents(out).items() if name in before} == before


@pytest.mark.parametrize("name", ["models.py", "codec.py", "meta.json", "METHODS.md", "py.typed", "manifest.json"])
@pytest.mark.parametrize("flag", [[], ["--check"], ["--diff"]], ids=["generate", "check", "diff"])
def test_a_file_in_the_way_that_is_not_ours_is_refused(make: Make, out: Path, name: str, flag: list[str]) -> None:
    out.mkdir()
    (out / name).write_text('{"name": "mine"}')
    problem = "already exists and was not written by this tool; move it or choose another directory"
    assert refused(make(*flag)) == f"{out / name}: error: {problem}\n"
    assert texts(out) == {name: b'{"name": "mine"}'}


@pytest.mark.parametrize("name", ["models.py", "manifest.json"])
def test_a_directory_in_the_way_is_refused(make: Make, out: Path, name: str) -> None:
    (out / name).mkdir(parents=True)
    assert refused(make()) == f"{out / name}: error: is a directory, expected a file; move it\n"


def test_a_link_in_the_way_is_refused_and_what_it_points_at_left_alone(make: Make, out: Path, tmp_path: Path) -> None:
    out.mkdir()
    (out / "models.py").symlink_to(tmp_path / "nowhere.py")
    problem = f"{out / 'models.py'}: error: is a link, and links in this directory are not followed; move it\n"
    assert refused(make()) == problem
    (tmp_path / "nowhere.py").write_text("mine")
    assert refused(make()) == problem
    assert (tmp_path / "nowhere.py").read_text() == "mine"


@pytest.mark.parametrize(
    "manifest",
    [
        {"files": {"../mine.py": None}},
        {"files": {"/etc/hostname": None}},
        {"files": {"a/../../mine.py": None}},
        {"files": {"..\\mine.py": None}},
        {"files": []},
        {"files": {"models.py": 1}},
        [],
    ],
    ids=json.dumps,
)
def test_a_manifest_cannot_name_files_outside_of_the_directory(
    make: Make, out: Path, tmp_path: Path, manifest: Any
) -> None:
    import hashlib

    mine = tmp_path / "mine.py"
    mine.write_text("mine")
    if isinstance(manifest, dict) and isinstance(manifest["files"], dict):
        known = hashlib.sha256(b"mine").hexdigest()
        manifest = {"generator": "", "files": {name: value or known for name, value in manifest["files"].items()}}
    out.mkdir()
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1))
    make()
    assert mine.read_text() == "mine"
    assert Path("/etc/hostname").exists()


def test_a_manifest_that_a_merge_left_in_pieces_is_written_anew(make: Make, out: Path) -> None:
    make()
    whole = (out / "manifest.json").read_text()
    (out / "manifest.json").write_text(f"<<<<<<< ours\n{whole}=======\n{whole}>>>>>>> theirs\n")
    assert make().out == f"{out}: 1 file written, 0 removed\n"
    assert (out / "manifest.json").read_text() == whole


def test_a_file_that_a_merge_of_manifests_forgot_is_known_by_its_first_line(make: Make, out: Path) -> None:
    make()
    manifest = json.loads((out / "manifest.json").read_text())
    del manifest["files"]["agent.py"]
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2))
    with (out / "agent.py").open("a") as file:
        file.write("MINE = 1\n")
    assert f"{out}/agent.py: edited by hand" in make("--check", title="Other").out.splitlines()
    assert make(title="Other").code == 0
    assert "MINE" not in (out / "agent.py").read_text()


def test_a_manifest_of_endless_depth_is_no_traceback(make: Make, out: Path) -> None:
    out.mkdir()
    (out / "manifest.json").write_text("[" * 100_000)
    assert "manifest.json: error: already exists and was not written by this tool" in refused(make())


@pytest.mark.parametrize("place", ["a file", "below a file", "a link to nowhere", "a device"])
def test_a_place_that_cannot_be_a_directory_is_refused(make: Make, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "gone" / "far")
    places = {"a file": "file", "below a file": "file/out", "a link to nowhere": "link", "a device": "/dev/null"}
    to = tmp_path / places[place]
    assert refused(make(to=to)).startswith(str(to))
    assert (tmp_path / "file").read_text() == "mine"
    assert not (tmp_path / "gone").exists()


# --- all of it or nothing --------------------------------------------------------------------------------------------


def fail_on(monkeypatch: pytest.MonkeyPatch, n: int, error: BaseException) -> list[int]:
    """Let the n-th replacement of a file fail, by whatever way it is done."""
    calls: list[int] = []

    def failing(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            calls.append(1)
            if len(calls) == n:
                raise error
            return real(*arguments, **keywords)

        return call

    for owner, name in ((os, "replace"), (os, "rename")):
        monkeypatch.setattr(owner, name, failing(getattr(owner, name)))
    return calls


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "interrupt"]
)
@pytest.mark.parametrize("n", [1, 2, 9])
def test_a_failure_in_the_middle_leaves_the_directory_as_it_was(
    make: Make, out: Path, monkeypatch: pytest.MonkeyPatch, n: int, error: BaseException
) -> None:
    make()
    (out / "mine.py").write_text("mine")
    (out / "agent.py").unlink()  # one file to be made, all others to be replaced, proxy.py to be removed
    before = contents(out)
    with monkeypatch.context() as patched:
        calls = fail_on(patched, n, error)
        ran = make("--stable", title="Other")
    assert len(calls) >= n
    expected = f"{out}: error: cannot be written: No space left on device\n"
    assert refused(ran) == ("interrupted; nothing was changed\n" if isinstance(error, KeyboardInterrupt) else expected)
    assert contents(out) == before
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()) == sorted(before)


def test_a_failure_to_remove_leaves_the_directory_as_it_was(
    make: Make, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make()
    before = contents(out)
    real = os.unlink

    def failing(path: Any, *arguments: Any, **keywords: Any) -> None:
        if Path(path).name == "proxy.py":
            raise PermissionError(13, "Permission denied", str(path))
        real(path, *arguments, **keywords)

    with monkeypatch.context() as patched:
        patched.setattr(os, "unlink", failing)
        ran = make("--stable")
    assert refused(ran) == f"{out}: error: cannot be written: Permission denied\n"
    assert contents(out) == before


def test_a_failure_on_the_first_run_leaves_no_directory(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_on(monkeypatch, 3, OSError(28, "No space left on device"))
    refused(make(to=tmp_path / "deep" / "down"))
    assert not (tmp_path / "deep").exists()


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A directory that this process may read but not write in."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o555)
        if os.geteuid() != 0:
            yield place
            place.chmod(0o755)
            return
        try:
            os.seteuid(65534)
        except OSError as error:
            pytest.skip(f"running as root, and {error}: nothing is read-only here")
        try:
            yield place
        finally:
            os.seteuid(0)


def test_a_read_only_directory_is_refused(unprivileged: Path) -> None:
    from codegen.errors import InputError
    from codegen.write.diff import Change
    from codegen.write.transaction import apply, locked

    with pytest.raises(InputError) as caught, locked(unprivileged, print) as folder:
        apply(folder, [Change("models.py", "missing", "text", None)])
    assert str(caught.value) == f"{unprivileged}: error: cannot be written: Permission denied"
    with pytest.raises(InputError) as caught, locked(unprivileged / "new", print) as folder:
        raise AssertionError
    assert str(caught.value) == f"{unprivileged / 'new'}: error: cannot be written: Permission denied"
    assert list(unprivileged.iterdir()) == []
