"""Annotation documents: what a published file leaves unsaid, and how it is filled in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.annotate import derive, text_of
from codegen.document.annotations import Annotated, annotate, annotated, annotation_documents, fitting, is_bare
from codegen.document.extend import extend
from codegen.document.overlay import Action, Extension, parse_extension
from codegen.document.projection import without
from codegen.document.read import Document, parse, pointer_parts, read
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.model.nodes.capabilities import gates_of, resolve_gate
from codegen.resources import annotation_files
from tests.support.sampling import exhaustive
from tests.upstream import HERE as UPSTREAM
from tests.upstream import RELEASES, release_name

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
V2, V1 = annotation_documents()
WHOLE = {1: UPSTREAM / "current" / "schema.unstable.json", 2: UPSTREAM / "current-v2" / "schema.unstable.json"}
BY_VERSION = {1: V1, 2: V2}
RFDS: dict[str, list[str]] = json.loads((UPSTREAM / "current" / "rfds.json").read_text())


def document(value: Any) -> Document:
    return parse(json.dumps(value).encode(), "given.json")


def published(version: int) -> list[dict[str, Any]]:
    """The actions about what was published: RFDs that came later are in the documents, not in the published files."""
    if version != 1:
        return list(BY_VERSION[version].document.value["actions"])
    ours = read(ROOT / "schema.json")
    earlier = without(ours, set(ours.value["x-rfds"]) - set(RFDS["current/schema.unstable.json"]))
    return list(derive(earlier, load(earlier)[0])["actions"])


def text(action: dict[str, Any]) -> str:
    return json.dumps({**action, "x-requires": sorted(action.get("x-requires", ()))}, sort_keys=True)


def filled(path: Path) -> Annotated:
    found = annotated(read(path))
    assert isinstance(found, Annotated)
    return found


# --- the documents -------------------------------------------------------------------------------------------------------


def test_those_of_the_first_version_are_what_schema_json_says() -> None:
    ours = read(ROOT / "schema.json")
    path = next(path for path in annotation_files() if path.name == "v1.json")
    assert path.read_text(encoding="utf-8") == text_of(derive(ours, load(ours)[0])), "run make generate"


@pytest.mark.parametrize("version", [1, 2])
def test_each_action_has_a_place_in_the_whole_protocol_and_names_all_that_it_relies_on(version: int) -> None:
    whole, said = filled(WHOLE[version]), published(version)
    again = derive(whole, load(whole)[0])["actions"]
    assert [(a.target, a.update) for a in whole.applied] == [(a["target"], a["update"]) for a in said]
    assert sorted(map(text, said)) == sorted(map(text, again))


@pytest.mark.parametrize("release", RELEASES, ids=release_name)
def test_a_release_gets_the_annotations_of_its_version(release: Path) -> None:
    found = fitting(read(release))
    assert found is not None
    assert found.version == ("2" if release.parent.name == "current-v2" else "1")


@pytest.mark.parametrize("release", RELEASES, ids=release_name)
def test_every_gate_that_is_filled_in_leads_somewhere(release: Path) -> None:
    schema, _ = load(filled(release))
    assert schema.handshake is not None
    assert set(schema.handshake.info) == {"agent", "client"}
    gates = {gate for gate, _ in gates_of(schema)}
    assert gates
    assert [g for g in gates if not any(resolve_gate(schema, side, g) for side in ("agent", "client"))] == []


@pytest.mark.parametrize("name", ["schema.json", "schema.unstable.json"])
def test_a_release_has_the_gates_that_schema_json_has(name: str) -> None:
    ours = {m.key: (m.capability, m.gated) for m in load(read(ROOT / "schema.json"))[0].methods}
    schema, _ = load(filled(UPSTREAM / "current" / name))
    assert {m.key: (m.capability, m.gated) for m in schema.methods} == {m.key: ours[m.key] for m in schema.methods}


@pytest.mark.parametrize(("version", "every"), exhaustive([(1, 6), (2, 6), (1, 1), (2, 1)], stay=[(1, 6), (2, 6)]))
def test_an_action_is_left_out_where_something_that_it_names_is_missing(version: int, every: int) -> None:
    annotations, text = BY_VERSION[version], WHOLE[version].read_bytes()
    pointers = sorted({pointer for action in published(version) for pointer in action.get("x-requires", ())})
    for pointer in pointers[::every]:
        value = json.loads(text)
        *parents, name = pointer_parts(pointer)
        node = value
        for step in parents:
            node = node[step]
        del node[name]
        applied = annotate(Document("given.json", b"", value), annotations).applied
        assert not [action.pointer for action in applied if pointer in action.requires]
        assert applied


# --- how they are applied ------------------------------------------------------------------------------------------------


PLAIN: dict[str, Any] = {
    "$defs": {
        "Hello": {"properties": {"x-rfd": {"type": "string"}, "tag": {"const": "x-capability"}}},
        "Kind": {"anyOf": [{"const": "loud"}, {"const": "quiet"}]},
    }
}


def overlay(*actions: dict[str, Any], **root: Any) -> Extension:
    head = {"overlay": "1.0.0", "info": {"title": "t", "version": "9"}}
    return parse_extension(json.dumps({**head, **root, "actions": list(actions)}).encode(), "notes.json")


@pytest.mark.parametrize(
    "addition",
    [
        {"x-ordering": {"property": "p"}},
        {"$defs": {"A": {"type": "array", "items": {"oneOf": [{"x-capability": "a"}]}}}},
        {"$defs": {"A": {"properties": {"x": {"x-rfd": "r"}}}}},
    ],
    ids=["root", "variant", "property"],
)
def test_a_file_with_one_of_our_keywords_says_it_all_itself(addition: dict[str, Any]) -> None:
    assert is_bare(document(PLAIN))
    assert not is_bare(document({**PLAIN, **addition}))


def test_the_keywords_of_an_extension_are_not_those_of_the_file() -> None:
    notes = overlay({"target": "$", "update": {"x-ordering": {"property": "p"}}})
    assert is_bare(extend(document(PLAIN), [notes]))


def test_a_file_that_no_annotations_fit_is_left_alone() -> None:
    given = document(PLAIN)
    assert annotated(given) is given


def test_what_a_file_says_itself_is_never_overwritten() -> None:
    given = document({**PLAIN, "x-handshake": {"method": "hello", "info": {}}})
    update = {"x-handshake": {"method": "other", "info": {"agent": "a"}}, "x-ordering": {"property": "p"}}
    value = annotate(given, overlay({"target": "$", "update": update})).value
    assert value["x-handshake"] == {"method": "hello", "info": {"agent": "a"}}
    assert value["x-ordering"] == {"property": "p"}


def test_an_action_without_a_place_is_left_out_and_the_others_are_not() -> None:
    here: dict[str, Any] = {"target": "$['$defs'].Kind.anyOf[?@.const == 'loud']", "update": {"x-capability": "loud"}}
    nowhere = ({**here, "target": "$['$defs'].Gone"}, {**here, "x-requires": ["/$defs/Hello/properties/gone"]})
    found = annotate(document(PLAIN), overlay(*nowhere, here))
    assert [action.pointer for action in found.applied] == ["/actions/2"]
    assert found.value["$defs"]["Kind"]["anyOf"] == [{"const": "loud", "x-capability": "loud"}, {"const": "quiet"}]


def test_what_is_filled_in_stands_in_the_annotation_document() -> None:
    found = annotate(document(PLAIN), overlay({"target": "$['$defs'].Kind", "update": {"x-capability": "loud"}}))
    assert found.place("/$defs/Kind/x-capability")[0] == "notes.json"
    assert found.place("/$defs/Kind/anyOf")[0] == "given.json"


def test_annotating_changes_neither_the_document_nor_what_was_made_of_it() -> None:
    given = document(PLAIN)
    note = {"target": "$['$defs'].Kind", "update": {"x-capability": "loud"}}
    first = annotate(given, overlay(note))
    second = annotate(first, overlay({**note, "update": {"x-capability": "quiet"}}))
    assert (first.value["$defs"]["Kind"]["x-capability"], given.value) == ("loud", PLAIN)
    assert (second.value["$defs"]["Kind"]["x-capability"], second.given) == ("quiet", given)


@pytest.mark.parametrize("field", ["x-fits", "x-requires"])
@pytest.mark.parametrize("value", ["/a", ["a"], [1]], ids=str)
def test_what_an_action_relies_on_is_a_list_of_pointers(field: str, value: Any) -> None:
    action: dict[str, Any] = {"target": "$", "update": {}}
    with pytest.raises(SchemaError, match=f"`{field}` must be a list of JSON pointers") as refused:
        overlay({**action, field: value}) if field == "x-requires" else overlay(action, **{field: value})
    assert refused.value.pointer == ("/actions/0/x-requires" if field == "x-requires" else "/x-fits")


def test_actions_are_data_and_compare_as_such() -> None:
    assert Action("/actions/0", "$", {}, remove=False) == Action("/actions/0", "$", {}, remove=False, requires=())


# --- annotate --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", exhaustive(RELEASES, stay=RELEASES[::3]), ids=release_name)
def test_the_command_writes_out_what_is_filled_in(run_cli: RunCli, tmp_path: Path, release: Path) -> None:
    ran, only = run_cli("annotate", release), run_cli("annotate", release, "--overlay")
    version = fitting(read(release))
    assert version is not None
    assert (ran.code, only.code) == (0, 0)
    assert ran.err.startswith(f"{release}: filled in from annotations/v{version.version}.json: the handshake, ")
    assert json.loads(ran.out) == filled(release).value
    # The overlay is an extension document like any other, all of whose actions have a place.
    path = tmp_path / "overlay.json"
    path.write_text(only.out, encoding="utf-8")
    extended = run_cli("schema", "--schema", release, "--extend", path, "--annotated")
    assert (extended.code, extended.err) == (0, "")
    named = {name: node for name, node in json.loads(ran.out)["$defs"].items() if "x-docs-ignore" not in node}
    assert {name: json.loads(extended.out)["$defs"][name] for name in named} == named


def test_a_file_with_the_keywords_is_written_out_as_it_is(run_cli: RunCli) -> None:
    ran = run_cli("annotate", ROOT / "schema.json")
    assert (ran.code, ran.out) == (0, (ROOT / "schema.json").read_text(encoding="utf-8"))
    assert "so nothing was added" in ran.err


def test_a_file_that_nothing_fits_is_an_error(run_cli: RunCli, tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(PLAIN), encoding="utf-8")
    ran = run_cli("annotate", path)
    assert (ran.code, ran.out, "no annotation document matches it" in ran.err) == (2, "", True)


def test_a_method_that_was_on_another_side_once_is_left_alone() -> None:
    """Releases before the present one have `MessageMcpNotification` on the client, where its gate leads nowhere."""
    value = json.loads(WHOLE[1].read_text())
    value["$defs"]["MessageMcpNotification"]["x-side"] = "client"
    found = annotated(document(value))
    assert "x-capability" not in found.value["$defs"]["MessageMcpNotification"]
    assert "x-capability" in found.value["$defs"]["MessageMcpRequest"]
    load(found)
