"""What `check` asks examples for is what the tests of the wire ask for, and it can write each of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from codegen.check.parts.missing_examples import End, Missing
from codegen.check.rfd.examples import lacking, write
from codegen.document.read import read
from codegen.load.schema import load
from codegen.model.algebra.conformance import fits
from codegen.model.algebra.normal_form import WireForms
from codegen.model.instances.coverage import Part, Shown
from codegen.model.instances.example_messages import Bodies, known_values
from codegen.model.nodes.types import Method, Reference
from tests.support.sampling import exhaustive
from tests.wire.coverage import Coverage, parts
from tests.wire.documents import examples, message_definitions, ours
from tests.wire.judge import Judge

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
OF_THE_FRAME = ("Error", "ErrorCode")


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the schema and no examples."""
    shutil.copy(ROOT / "schema.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["Do.a"], "Do.a"),
        (["Do.a", "Do.b", "Of.c"], "Do.a, nor Do.b, Of.c"),
        (["Do.a", "Do.a.x"], "Do.a, nor Do.a.x"),
        (["Do", "Do.a", "Of", "Do.b"], "Do of thing/do, nor Of"),  # who shows the message shows its properties
        (["Do.a", "Do.b", "Do.c", "Do.d", "Do.e"], "Do.a, nor Do.b, Do.c, Do.d and 1 more"),
    ],
)
def test_a_missing_message_names_what_it_would_show(words: list[str], told: str) -> None:
    method = Method(side="agent", path="thing/do", kind="request", params="Do", result=None, pointer="/$defs/Do")
    end = End(method, "request", "Do")
    missing = Missing(end, tuple(Part(each, f"/{each}", each) for each in words))
    assert str(missing) == f"no example message contains {told}"


def unshown(messages: list[tuple[str, Any]]) -> list[str]:
    """What the tests of the wire ask examples for beyond some messages."""
    coverage = Coverage(ours())
    for definition, value in messages:
        coverage.add(definition, value)
    missing = parts(ours()) - coverage.seen
    return sorted(name for name in missing if name.replace(".", " ").split(" ")[0] not in OF_THE_FRAME)


# --- green is one thing ----------------------------------------------------------------------------------------------------


def test_the_examples_that_are_written_from_nothing_are_all_that_the_tests_ask_for(beside: Path) -> None:
    found = lacking(beside / "schema.json", ())
    bodies = [(each.end.definition, each.body) for each in found if each.end is not None]
    judge = Judge(ours())
    assert [name for name, body in bodies if not judge.accepts(name, body)] == []
    assert len(bodies) == len(found)
    assert unshown(bodies) == []


def test_the_examples_of_this_repository_show_all_of_the_schema() -> None:
    assert [str(each) for each in lacking(ROOT / "schema.json", ())] == []


def test_what_is_written_is_not_missing_any_more(beside: Path) -> None:
    assert len(write(lacking(beside / "schema.json", ()))) > 200
    assert lacking(beside / "schema.json", ()) == []


@pytest.mark.parametrize("seed", exhaustive(range(12), stay=(0, 1)))
def test_check_asks_for_whatever_the_tests_miss_once_examples_are_gone(seed: int) -> None:
    kept = [example for example in examples() if Random(f"{seed} {example}").random() > 0.05]
    schema, _ = load(read(ROOT / "schema.json"))
    shown = Shown(WireForms(schema), NULLS)
    definitions = message_definitions(ours())
    seen: set[str] = set()
    for example in kept:
        seen |= shown.by(Reference(definitions[example.key]), example.value)
    asked = set(shown.parts(list(definitions.values()))) - seen
    missed = unshown([(definitions[example.key], example.value) for example in kept])
    assert bool(asked) or not missed
    assert len(asked) >= len([name for name in missed if " | " not in name])


NULLS = frozenset(
    f"/$defs/{name}/properties/{key}"
    for name, node in ours()["$defs"].items()
    for key, child in node.get("properties", {}).items()
    if {"type": "null"} in child.get("anyOf", ())
)


# --- bodies ------------------------------------------------------------------------------------------------------------------


def shows(definitions: dict[str, Any], *, known: tuple[Any, ...] = (), tmp_path: Path) -> list[Any]:
    """The messages for `Thing` that show all of it."""
    file = tmp_path / "schema.json"
    file.write_text(json.dumps({"title": "T", "$defs": definitions}))
    schema, _ = load(read(file))
    shown = Shown(WireForms(schema))
    found = [body.value for body in Bodies(shown, known_values(known)).showing(["Thing"], shown.parts(["Thing"]))]
    assert all(fits(shown.forms, Reference("Thing"), value) for value in found)
    return found


def thing(**properties: Any) -> dict[str, Any]:
    return {"Thing": {"type": "object", "properties": properties}}


KIND = {"oneOf": [{"const": "a"}, {"const": "b"}]}
OPEN = {"anyOf": [{"const": "a"}, {"type": "string"}]}
KIND_OF_NUMBER = {"type": "integer", "title": "After what no message can show"}
TAGGED = {
    "oneOf": [
        {"type": "object", "properties": {"t": {"const": tag}, tag: {"type": "integer"}}, "required": ["t", tag]}
        for tag in ("x", "y")
    ]
}


@pytest.mark.parametrize(
    ("definitions", "expected"),
    [
        (
            thing(n={"anyOf": [{"type": "string"}, {"type": "string", "title": "Again"}, KIND_OF_NUMBER]}),
            [{"n": "n"}, {"n": 1}],
        ),
        (thing(a={"type": "string"}, b={"type": "boolean"}), [{"a": "a", "b": True}]),
        (thing(kind=KIND), [{"kind": "a"}, {"kind": "b"}]),
        (thing(kind=OPEN), [{"kind": "a"}, {"kind": "other"}]),
        (thing(of=TAGGED), [{"of": {"t": "x", "x": 1}}, {"of": {"t": "y", "y": 1}}]),
        (thing(many={"type": "array", "items": KIND}), [{"many": ["a"]}, {"many": ["b"]}]),
        (thing(at={"type": "string", "format": "date-time"}), [{"at": "2026-01-31T12:00:00Z"}]),
        (thing(n={"type": "integer", "minimum": 7}), [{"n": 7}]),
        (thing(code={"type": "string", "pattern": "^[0-9]{3}$"}), [{"code": "000"}]),
        (
            thing(_meta={"type": "object", "additionalProperties": True}),
            [{"_meta": {"example.com/note": "Any JSON value."}}],
        ),
        (
            thing(more={"$ref": "#/$defs/Thing"}, name={"type": "string"}),
            [{"more": {}, "name": "name"}],
        ),
        (
            thing(n={"anyOf": [{"type": "integer", "title": "Whole"}, {"type": "number", "title": "Any"}]}),
            [{"n": 1}, {"n": 0.5}],
        ),
    ],
    ids=[
        "blocked",
        "properties",
        "values",
        "open",
        "variants",
        "items",
        "format",
        "bound",
        "pattern",
        "room",
        "itself",
        "overlap",
    ],
)
def test_a_message_shows_as_much_as_fits_into_it(
    definitions: dict[str, Any], expected: list[Any], tmp_path: Path
) -> None:
    assert shows(definitions, tmp_path=tmp_path) == expected


def test_a_message_has_the_values_that_others_usually_have(tmp_path: Path) -> None:
    known = ({"path": "/tmp"}, {"deep": [{"path": "/home"}]}, {"path": "/home"}, {"_meta": {"k": 1}})
    definitions = thing(path={"type": "string"}, _meta={"type": "object", "additionalProperties": True})
    assert shows(definitions, known=known, tmp_path=tmp_path) == [{"path": "/home", "_meta": {"k": 1}}]


# --- the commands --------------------------------------------------------------------------------------------------------------


def small(folder: Path) -> None:
    """A schema with one request, and an example of its params."""
    text = (ROOT / "tests" / "rules" / "example-missing" / "after.json").read_text()
    (folder / "schema.json").write_text(text)
    shutil.copytree(ROOT / "tests" / "rules" / "example-missing" / "examples", folder / "examples")


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    small(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


MISSING = """\
examples/messages/agent/thing/do/full.response.json
{
  "_meta": {}
}

examples/messages/agent/thing/do/fast.request.json
{
  "how": "fast",
  "where": {
    "kind": "number",
    "number": 1,
    "_meta": {}
  }
}

examples/messages/agent/thing/do/null-where.request.json
{
  "where": null
}
"""


def test_what_is_missing_is_printed_with_its_path(demo: Path, run_cli: RunCli) -> None:
    ran = run_cli("examples", "--missing")
    assert (ran.code, ran.out, ran.err) == (1, MISSING, "")


def test_what_is_missing_is_written(demo: Path, run_cli: RunCli) -> None:
    ran = run_cli("examples", "--missing", "--write")
    assert ran.code == 0
    assert ran.out.splitlines() == [f"{line}: written" for line in MISSING.splitlines() if line.endswith(".json")]
    assert json.loads((demo / "examples/messages/agent/thing/do/null-where.request.json").read_text()) == {
        "where": None
    }
    again = run_cli("examples", "--missing", "--write")
    assert (again.code, again.out, again.err) == (0, "no example is missing\n", "")


def test_the_examples_are_listed_with_what_they_are(demo: Path, run_cli: RunCli) -> None:
    assert run_cli("examples").out == "examples/messages/agent/thing/do/full.request.json  DoRequest\n"


def test_a_file_that_is_there_is_not_overwritten(demo: Path, run_cli: RunCli) -> None:
    file = demo / "examples/messages/agent/thing/do/full.response.json"
    file.write_text("not JSON")
    ran = run_cli("examples", "--missing", "--write")
    assert ran.code == 2
    assert ran.err == (
        "examples/messages/agent/thing/do/full.response.json: error: already exists and is not an example of the "
        "schema; rename or remove it\n"
    )
    assert file.read_text() == "not JSON"


def test_nothing_is_written_through_a_link_that_leads_elsewhere(demo: Path, run_cli: RunCli) -> None:
    (demo / "schema.json").replace(demo / "inner.json")
    inside, outside = demo / "inside", demo / "outside"
    inside.mkdir(), outside.mkdir()
    (demo / "inner.json").replace(inside / "schema.json")
    (inside / "examples").symlink_to(outside)
    ran = run_cli("examples", "--missing", "--write", "--schema", "inside/schema.json")
    assert ran.code == 2
    assert "a link leads out of the folder of the schema" in ran.err
    assert [path for path in outside.rglob("*") if path.is_file()] == []


def test_write_alone_is_wrong_usage(demo: Path, run_cli: RunCli) -> None:
    ran = run_cli("examples", "--write")
    assert (ran.code, ran.err) == (2, "--write: error: requires --missing: it writes the missing examples\n")
