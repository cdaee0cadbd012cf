"""`rfd new` begins an RFD that only lacks words: named, placed, gated and shown like its neighbours."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codegen.document.read import read
from codegen.document.text_edit import addition
from codegen.load.schema import load
from tests.support.sampling import exhaustive
from tests.wire.coverage import Coverage, parts

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the schema with its examples and suppressions."""
    for name in ("schema.json", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "examples" / "messages", tmp_path / "examples" / "messages")
    monkeypatch.chdir(tmp_path)
    return tmp_path


KINDS = [
    ("session-rename", ()),
    ("lint-report", ("--side", "client")),
    ("session-blink", ("--notification",)),
    ("session-glow", ("--side", "client", "--notification")),
    ("bookmarks", ("--method", "bookmark/add")),
    ("beep", ()),
]


@pytest.mark.parametrize(("name", "options"), exhaustive(KINDS, stay=KINDS[::3]), ids=[name for name, _ in KINDS])
def test_a_new_rfd_lacks_nothing_but_words(name: str, options: tuple[str, ...], home: Path, run_cli: RunCli) -> None:
    assert run_cli("rfd", "new", name, *options).code == 0
    ran = run_cli("check", "--no-compare", "--format", "json")
    found = [json.loads(line) for line in ran.out.splitlines()[1:]]
    assert {f["id"] for f in found} == {"def-undocumented"}
    assert all(f["message"].endswith(" has a TODO as its description") for f in found)
    assert unshown(home) == []


def unshown(home: Path) -> list[str]:
    """What the tests of the wire would ask examples for in a folder."""
    document = json.loads((home / "schema.json").read_text())
    schema, _ = load(read(home / "schema.json"))
    ends = {(m.side, m.path, m.kind): m.params for m in schema.methods}
    ends |= {(m.side, m.path, "response"): m.result for m in schema.methods if m.result}
    coverage = Coverage(document)
    for file in sorted((home / "examples" / "messages").rglob("*.json")):
        side, *path = file.relative_to(home / "examples" / "messages").parts
        kind = path[-1].split(".")[-2]
        coverage.add(ends[side, "/".join(path[:-1]), kind], json.loads(file.read_text()))
    missing = parts(document) - coverage.seen
    return sorted(name for name in missing if name.replace(".", " ").split(" ")[0] not in ("Error", "ErrorCode"))


def test_what_is_written_is_told(home: Path, run_cli: RunCli) -> None:
    ran = run_cli("rfd", "new", "session-rename")
    assert ran.out == (
        "schema.json: written\n"
        "rfds/session-rename.md: written\n"
        "examples/messages/agent/session/rename/full.response.json: written\n"
        "examples/messages/agent/session/rename/full.request.json: written\n"
        "examples/messages/agent/initialize/rename.response.json: written\n"
        "examples/messages/agent/initialize/null-rename.response.json: written\n"
        "replace each TODO, add properties, then run: acp-codegen check\n"
    )


def test_the_rest_of_the_file_stays_as_it_is_written(home: Path, run_cli: RunCli) -> None:
    before = (home / "schema.json").read_text().splitlines()
    run_cli("rfd", "new", "session-rename")
    after = (home / "schema.json").read_text().splitlines()
    left = iter(after)
    kept = [line for line in before if any(line.rstrip(",") == other.rstrip(",") for other in left)]
    assert kept == before


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["new", "session-list"], 'schema.json: error: the RFD "session-list" already exists; name another one'),
        (
            ["new", "other", "--method", "session/list"],
            "schema.json: error: the method session/list already exists; choose another one with --method",
        ),
        (["new", "a_b"], "error: a_b is not a valid RFD name; expected kebab-case, such as session-rename"),
        (["new", "x", "--method", "No"], "error: No is not a valid method path; expected a path like session/rename"),
        (
            ["new"],
            "rfd: error: expected a name, or `new`, `promote` or `withdraw` and a name: acp-codegen rfd new NAME",
        ),
        (
            ["a", "b"],
            "rfd: error: expected a name, or `new`, `promote` or `withdraw` and a name: acp-codegen rfd new NAME",
        ),
    ],
)
def test_what_cannot_be_begun_is_said_in_a_line(words: list[str], problem: str, home: Path, run_cli: RunCli) -> None:
    before = (home / "schema.json").read_bytes()
    ran = run_cli("rfd", *words)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{problem}\n")
    assert (home / "schema.json").read_bytes() == before


def test_a_full_disk_leaves_the_schema_and_no_other_file(
    home: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    monkeypatch.setattr(Path, "write_bytes", full)
    ran = run_cli("rfd", "new", "session-rename")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert os.strerror(errno.ENOSPC) in ran.err
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


# --- edits of a text ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "pointer", "after"),
    [
        ('{"a": {}}', "/a", '{"a": {\n  "k": [\n    1\n  ]\n}}'),
        ('{"a": {"b": 1}}', "/a", '{"a": {"b": 1, "k": [1]}}'),
        ('{\n  "b": 1\n}\n', "", '{\n  "b": 1,\n  "k": [\n    1\n  ]\n}\n'),
        ('{\n  "b": 1,\n  "_meta": 2\n}\n', "", '{\n  "b": 1,\n  "k": [\n    1\n  ],\n  "_meta": 2\n}\n'),
        ('{\n  "_meta": 2\n}\n', "", '{\n  "k": [\n    1\n  ],\n  "_meta": 2\n}\n'),
        ('[{"b": "é"}]', "/0", '[{"b": "é", "k": [1]}]'),
    ],
)
def test_a_member_is_added_in_the_style_of_its_neighbours(before: str, pointer: str, after: str) -> None:
    data = before.encode()
    assert addition(data, pointer, "k", [1]).into(data).decode() == after


def test_a_reserved_name_goes_last() -> None:
    data = b'{"b": 1, "c": 2}'
    assert addition(data, "", "_meta", 3).into(data) == b'{"b": 1, "c": 2, "_meta": 3}'


@pytest.mark.parametrize(
    ("name", "options", "definition"),
    [
        ("session-set-pinned", (), "SetSessionPinnedRequest"),
        ("session-pin", (), "PinSessionRequest"),
        ("session-read-state-file", (), "ReadSessionStateFileRequest"),
        ("session-pin-changed", ("--notification",), "SessionPinChangedNotification"),
        ("session-blink", ("--notification",), "BlinkSessionNotification"),
        ("beep", (), "BeepRequest"),
    ],
)
def test_definitions_are_named_like_those_of_other_methods(
    name: str, options: tuple[str, ...], definition: str, home: Path, run_cli: RunCli
) -> None:
    assert run_cli("rfd", "new", name, *options).code == 0
    assert definition in json.loads((home / "schema.json").read_text())["$defs"]


def test_examples_write_adds_a_property_that_became_required(home: Path, run_cli: RunCli) -> None:
    run_cli("rfd", "new", "session-pin")
    path = home / "schema.json"
    schema = json.loads(path.read_text())
    params = schema["$defs"]["PinSessionRequest"]
    params["properties"]["place"] = {"description": "Where.", "type": "integer", "minimum": 1}
    params["required"] = [*params["required"], "place"]
    path.write_text(json.dumps(schema, indent=2))
    assert '"example-invalid"' in run_cli("check", "--no-compare", "--format", "json").out
    ran = run_cli("examples", "--missing", "--write")
    assert (ran.code, "full.request.json: required properties added" in ran.out + ran.err) == (0, True), ran
    out = run_cli("check", "--no-compare", "--format", "json").out
    assert '"example-invalid"' not in out
    assert '"example-missing"' not in out
    (example,) = (home / "examples/messages/agent/session/pin").glob("*.request.json")
    assert json.loads(example.read_text())["place"] == 1
