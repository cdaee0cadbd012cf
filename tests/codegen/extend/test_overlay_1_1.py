"""Overlay 1.1 and YAML: `copy`, and documents that people write by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.document.overlay import parse_extension
from codegen.errors import SchemaError
from codegen.pipeline import read_extended

from .conftest import Write

if TYPE_CHECKING:
    from tests.conftest import RunCli

DEFS = "$['$defs']"


def copied(base: Path, write: Write, *actions: dict[str, Any]) -> Any:
    return read_extended(base, [write("a.json", *actions, overlay="1.1.0")]).value


# --- copy ------------------------------------------------------------------------------------------------------------------


def test_copy_merges_what_is_there_into_the_target(base: Path, write: Write) -> None:
    made = copied(
        base,
        write,
        {"target": DEFS, "update": {"Ponged": {"type": "object", "properties": {}}}},
        {"target": f"{DEFS}.Ponged.properties", "copy": f"{DEFS}.Pinged.properties"},
        {"target": f"{DEFS}.Pinged.properties.times", "update": {"description": "Later."}},
    )
    assert list(made["$defs"]["Ponged"]["properties"]) == ["text", "times", "_meta"]
    assert "description" not in made["$defs"]["Ponged"]["properties"]["times"]


FAULTS: dict[str, tuple[dict[str, Any], str, str]] = {
    "nothing": ({"target": DEFS, "copy": f"{DEFS}.Pingd"}, "selects no parts", "/actions/0/copy"),
    "several": ({"target": DEFS, "copy": f"{DEFS}.*"}, "selects 4 parts", "/actions/0/copy"),
    "beside-update": ({"target": DEFS, "copy": DEFS, "update": {}}, "has no effect beside", "/actions/0/copy"),
    "of-another-kind": ({"target": DEFS, "copy": f"{DEFS}.Kind.enum"}, "must be an object, too", "/actions/0/copy"),
}


@pytest.mark.parametrize(("action", "problem", "pointer"), FAULTS.values(), ids=FAULTS.keys())
def test_a_copy_that_makes_no_sense_is_an_error(
    base: Path, write: Write, action: dict[str, Any], problem: str, pointer: str
) -> None:
    with pytest.raises(SchemaError, match=problem) as caught:
        copied(base, write, action)
    assert caught.value.pointer == pointer


def test_version_1_0_has_no_copy(base: Path, write: Write) -> None:
    with pytest.raises(SchemaError, match=r'unknown field "copy"'):
        read_extended(base, [write("a.json", {"target": DEFS, "copy": DEFS})])


def test_what_is_wrong_with_a_copy_is_placed_at_it(run_cli: RunCli, base: Path, write: Write, tmp_path: Path) -> None:
    path = write(
        "a.json",
        {"target": DEFS, "update": {"Loud": {"type": "object", "properties": {}}}},
        {"target": f"{DEFS}.Loud", "copy": f"{DEFS}.PingRequest"},
        overlay="1.1.0",
    )
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out", "--bare")
    assert (ran.code, ran.err.startswith(f"{path}:")) == (2, True)


# --- YAML ------------------------------------------------------------------------------------------------------------------

YAML = """\
overlay: 1.1.0
info: {title: Pong, version: "1"}
actions:
  - target: $.$defs
    update:
      PongNotification:
        description: >
          Tells that it
          was heard.
        type: object
        x-side: client
        x-method: _v/pong
        x-capability: false
        properties:
          answer: {type: string, enum: [yes, no, 2026-01-01]}
          times: {type: integer, minimum: 0}
"""


@pytest.mark.parametrize("suffix", [".yaml", ".yml", ".YAML"])
def test_an_extension_may_be_yaml(run_cli: RunCli, base: Path, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"pong{suffix}"
    path.write_text(YAML)
    made = read_extended(base, [path]).value["$defs"]["PongNotification"]  # type: ignore[index]
    assert made["description"] == "Tells that it was heard.\n"
    assert made["properties"] == {
        "answer": {"type": "string", "enum": ["yes", "no", "2026-01-01"]},
        "times": {"type": "integer", "minimum": 0},
    }
    assert made["x-capability"] is False


def test_vendor_remembers_it_as_text(
    run_cli: RunCli, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pong.yaml").write_text(YAML)
    assert run_cli("vendor", "acp", "--schema", base, "--extend", "pong.yaml").code == 0
    Path("pong.yaml").unlink()
    ran = run_cli("vendor", "acp", "--check")
    assert (ran.code, ran.out) == (0, "acp is up to date\n")


def test_a_fault_is_placed_at_its_line(base: Path, tmp_path: Path) -> None:
    path = tmp_path / "pong.yaml"
    path.write_text(YAML.replace("target: $.$defs", "target: $.$def"))
    with pytest.raises(SchemaError) as caught:
        read_extended(base, [path])
    assert (caught.value.line, caught.value.column) == (4, 13)


WRONG = {
    "alias": ("a: &x [1]\nb: *x\n", "anchors and aliases", (1, 4)),
    "laughs": ("a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "anchors and aliases", (1, 4)),
    "twice": ("a: 1\nb: 2\na: 3\n", "appears twice", (3, 1)),
    "tag": ("a: !python/object:os.system x\n", "is not supported", (1, 4)),
    "syntax": ("a: [1\nb: 2\n", "not YAML", (2, 2)),
    "key": ("? [a]\n: 1\n", "a key must be a text", (1, 3)),
    "empty": ("# nothing\n", "is empty", (1, 1)),
    "deep": ("[" * 3000, "", (1, 1)),
}


@pytest.mark.parametrize(("text", "problem", "place"), WRONG.values(), ids=WRONG.keys())
def test_what_is_not_of_json_s_kind_is_refused(text: str, problem: str, place: tuple[int, int]) -> None:
    with pytest.raises(SchemaError) as caught:
        parse_extension(text.encode(), "a.yaml")
    assert problem in caught.value.problem
    assert caught.value.line == place[0] or not problem
    assert caught.value.column == place[1] or not problem


@pytest.mark.parametrize("data", [b"\xff", json.dumps({"overlay": "1.0.0"}).encode()])
def test_other_texts_are_refused_too(data: bytes) -> None:
    with pytest.raises(SchemaError):
        parse_extension(data, "a.yaml")
