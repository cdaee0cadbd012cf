"""The folder of a site: what a run writes, leaves alone, removes, and does not write again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.docsite import command
from codegen.write import transaction
from tests.codegen.docsite.walls import project, schema

if TYPE_CHECKING:
    from tests.conftest import Ran, RunCli


BUILD = command.build
_built: dict[str, dict[str, str]] = {}


@pytest.fixture(autouse=True)
def built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Build the site of the same pages once: these tests are about what becomes of its files."""

    def build(*given: Any) -> dict[str, str]:
        key = repr(given)
        if key not in _built:
            _built[key] = BUILD(*given)
        return dict(_built[key])

    monkeypatch.setattr(command, "build", build)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    project(tmp_path)
    return tmp_path


def docs(run_cli: RunCli, home: Path, *more: str | Path) -> Ran:
    return run_cli("docs", "--schema", home / "schema.json", "--out", home / "site", *more)


def edit(home: Path, change: Any) -> None:
    document = schema()
    change(document)
    (home / "schema.json").write_text(json.dumps(document, indent=1), encoding="utf-8")


def state(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_second_run_changes_nothing(home: Path, run_cli: RunCli) -> None:
    first = docs(run_cli, home)
    assert (first.code, first.err) == (0, "")
    assert docs(run_cli, home).out == f"{home / 'site'} is up to date\n"


def test_a_type_that_is_gone_takes_its_page_along(home: Path, run_cli: RunCli) -> None:
    docs(run_cli, home)
    edit(home, lambda document: document["$defs"].pop("Unused"))
    assert ", 1 removed" in docs(run_cli, home).out
    assert not (home / "site" / "types" / "Unused.html").exists()
    assert "Unused" not in (home / "site" / "types" / "index.html").read_text(encoding="utf-8")


def test_files_of_others_stay(home: Path, run_cli: RunCli) -> None:
    docs(run_cli, home)
    (home / "site" / "CNAME").write_text("mine\n", encoding="utf-8")
    (home / "site" / "types" / "mine.html").write_text("mine\n", encoding="utf-8")
    edit(home, lambda document: document["$defs"].pop("Unused"))
    assert docs(run_cli, home).code == 0
    assert (home / "site" / "CNAME").read_text(encoding="utf-8") == "mine\n"
    assert (home / "site" / "types" / "mine.html").exists()


def test_a_file_in_the_way_is_an_error_and_nothing_is_written(home: Path, run_cli: RunCli) -> None:
    (home / "site" / "types").mkdir(parents=True)
    (home / "site" / "types" / "Oil.html").write_text("mine\n", encoding="utf-8")
    ran = docs(run_cli, home)
    assert ran.code == 2
    assert "types/Oil.html" in ran.err
    assert "already exists and was not written by this tool" in ran.err
    assert list(state(home / "site")) == ["types/Oil.html"]


def test_a_package_in_the_same_folder_is_none_of_its_business(home: Path, run_cli: RunCli) -> None:
    (home / "site").mkdir()
    package = {"generator": "x", "schema": "y", "files": {"agent.py": "0123456789abcdef"}}
    (home / "site" / "manifest.json").write_text(json.dumps(package), encoding="utf-8")
    (home / "site" / "agent.py").write_text("mine\n", encoding="utf-8")
    assert docs(run_cli, home).code == 0
    assert (home / "site" / "agent.py").exists()
    assert json.loads((home / "site" / "manifest.json").read_text(encoding="utf-8")) == package


def test_a_run_that_fails_half_way_leaves_what_was_there(
    home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs(run_cli, home)
    before = state(home / "site")
    edit(home, lambda document: document["$defs"]["Oil"].update(description="Much oil."))
    moves: list[str] = []
    move = transaction.Directory.move

    def failing(self: transaction.Directory, path: str, to: str) -> None:
        moves.append(to)
        if len(moves) == 4:
            raise OSError(28, "No space left on device")
        move(self, path, to)

    monkeypatch.setattr(transaction.Directory, "move", failing)
    ran = docs(run_cli, home)
    assert ran.code == 2
    assert "No space left on device" in ran.err
    assert state(home / "site") == before


def test_a_page_that_cannot_be_written_leaves_nothing_behind(
    home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = transaction.Directory.write

    def failing(self: transaction.Directory, path: str, data: bytes) -> None:
        if path.endswith("new-40"):
            raise OSError(28, "No space left on device")
        write(self, path, data)

    monkeypatch.setattr(transaction.Directory, "write", failing)
    ran = docs(run_cli, home)
    assert ran.code == 2
    assert "No space left on device" in ran.err
    assert not (home / "site").exists()


def test_check_lists_what_is_stale_and_writes_nothing(home: Path, run_cli: RunCli) -> None:
    docs(run_cli, home)
    assert docs(run_cli, home, "--check").code == 0
    edit(home, lambda document: document["$defs"]["Oil"].update(description="Much oil."))
    before = state(home / "site")
    ran = docs(run_cli, home, "--check")
    assert ran.code == 1
    assert "types/Oil.html: stale" in ran.out
    assert state(home / "site") == before


def test_the_same_input_gives_the_same_bytes(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "build", BUILD)
    for name in ("one", "two"):
        project(tmp_path / name)
        assert docs(run_cli, tmp_path / name).code == 0
    assert state(tmp_path / "one" / "site") == state(tmp_path / "two" / "site")


# --- what is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--release", "v1"), "expected NAME=FILE"),
        (("--release", "v1=missing.json"), "missing.json: error: cannot be read"),
        (("--release", "a b=schema.json"), "is not a valid release name"),
        (("--examples", "missing"), "missing: error: is not a directory"),
        (("--guides", "missing"), "missing: error: is not a directory"),
    ],
)
def test_a_wrong_argument_is_an_error_that_says_what_to_do(
    arguments: tuple[str, ...], said: str, home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    ran = docs(run_cli, home, *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert not (home / "site").exists()


def test_a_schema_that_does_not_load_is_one_line_with_its_place(home: Path, run_cli: RunCli) -> None:
    edit(home, lambda document: document["$defs"]["Oil"].update(type="oil"))
    ran = docs(run_cli, home)
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "schema.json:" in ran.err
    assert not (home / "site").exists()


def test_an_example_of_nothing_is_left_out_with_a_word(home: Path, run_cli: RunCli) -> None:
    stray = home / "examples" / "messages" / "agent" / "wall" / "stray.request.json"
    stray.write_text("{}", encoding="utf-8")
    ran = docs(run_cli, home)
    assert ran.code == 0
    assert "agent/wall/stray.request.json: skipped: it is not an example of a method of this schema" in ran.err


def test_a_document_that_is_not_text_is_an_error(home: Path, run_cli: RunCli) -> None:
    (home / "docs" / "bytes.md").write_bytes(b"\xff\xfe")
    ran = docs(run_cli, home)
    assert ran.code == 2
    assert "bytes.md: error: is not UTF-8" in ran.err
