"""Overlay 1.0 on a schema: what actions do, and what is not an extension document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.document.read import Document
from codegen.errors import SchemaError
from codegen.pipeline import read_extended

from .conftest import Extend, Write

PINGED = "$['$defs'].Pinged"


def definition(document: Document, name: str) -> Any:
    return document.value["$defs"][name]


# --- merging -----------------------------------------------------------------------------------------------------------


def test_an_update_merges_objects_to_any_depth(extend: Extend) -> None:
    document = extend({"target": PINGED, "update": {"properties": {"at": {"type": "string"}}}})
    assert list(definition(document, "Pinged")["properties"]) == ["text", "times", "_meta", "at"]


def test_arrays_inside_an_update_append(extend: Extend) -> None:
    document = extend({"target": PINGED, "update": {"required": ["times"]}})
    assert definition(document, "Pinged")["required"] == ["text", "times"]


def test_an_update_of_an_array_appends_one_entry(extend: Extend) -> None:
    document = extend({"target": "$['$defs'].Kind.enum", "update": "shrill"})
    assert definition(document, "Kind")["enum"] == ["loud", "quiet", "shrill"]


def test_remove_takes_out_what_the_target_selects(extend: Extend) -> None:
    document = extend({"target": "$['$defs'].Kind", "remove": True})
    assert "Kind" not in document.value["$defs"]


def test_remove_wins_over_update(extend: Extend) -> None:
    document = extend({"target": "$['$defs'].Kind", "remove": True, "update": {"description": "x"}})
    assert "Kind" not in document.value["$defs"]


def test_removed_items_do_not_shift_each_other(extend: Extend) -> None:
    variants = {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"type": "null"}]}
    document = extend(
        {"target": "$['$defs']", "update": {"Mixed": variants}},
        {"target": "$['$defs'].Mixed.anyOf[0, 2]", "remove": True},
    )
    assert definition(document, "Mixed")["anyOf"] == [{"type": "integer"}, {"type": "null"}]


def test_actions_see_what_those_before_them_did(extend: Extend) -> None:
    document = extend(
        {"target": "$['$defs']", "update": {"New": {"type": "object"}}},
        {"target": "$['$defs'].New", "update": {"description": "late"}},
    )
    assert definition(document, "New") == {"type": "object", "description": "late"}


def test_a_target_may_select_several_places(extend: Extend) -> None:
    document = extend({"target": "$['$defs'][?@['x-method'] == 'ping']", "update": {"deprecated": True}})
    assert [definition(document, name)["deprecated"] for name in ("PingRequest", "PingResponse")] == [True, True]


def test_places_that_one_update_reached_stay_apart(extend: Extend) -> None:
    document = extend(
        {"target": "$['$defs'][?@['x-method'] == 'ping']", "update": {"examples": [{}]}},
        {"target": "$['$defs'].PingRequest.examples[0]", "update": {"only": "here"}},
    )
    assert definition(document, "PingResponse")["examples"] == [{}]


@pytest.mark.parametrize("target", ["$['$defs'].Kind", '$["$defs"]["Kind"]', "$.$defs.Kind", "$..Kind", "$.*.Kind"])
def test_names_with_a_dollar_may_do_without_brackets(extend: Extend, target: str) -> None:
    assert definition(extend({"target": target, "update": {"description": "x"}}), "Kind")["description"] == "x"


def test_what_is_there_already_is_not_added_twice(extend: Extend) -> None:
    document = extend({"target": PINGED, "update": {"type": "object", "required": ["text"]}})
    assert definition(document, "Pinged")["required"] == ["text"]


def test_a_property_that_is_there_is_not_defined_once_more(extend: Extend) -> None:
    with pytest.raises(SchemaError, match='the property "text" already exists'):
        extend({"target": PINGED, "update": {"properties": {"text": {"type": "integer"}}}})


def test_a_keyword_that_is_there_is_not_overwritten(extend: Extend) -> None:
    with pytest.raises(
        SchemaError, match=r'`type` is already "object" \(.*\), found "array"; extensions cannot'
    ) as caught:
        extend({"target": PINGED, "update": {"type": "array"}})
    assert caught.value.pointer == "/actions/0/update/type"


def test_descriptions_may_be_replaced(extend: Extend) -> None:
    document = extend({"target": PINGED, "update": {"description": "Else."}})
    assert definition(document, "Pinged")["description"] == "Else."


def test_the_base_document_is_left_alone(base: Path, write: Write) -> None:
    before = base.read_bytes()
    document = read_extended(base, [write("a.json", {"target": PINGED, "update": {"required": ["times"]}})])
    assert (document.text, base.read_bytes()) == (before, before)
    assert json.loads(document.text)["$defs"]["Pinged"]["required"] == ["text"]


# --- what is not an extension ------------------------------------------------------------------------------------------------

GOOD = {"overlay": "1.0.0", "info": {"title": "t", "version": "1"}, "actions": [{"target": "$", "update": {}}]}
WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    "no-version": ({"overlay": None}, "/overlay", "must be a non-empty string"),
    "other-version": ({"overlay": "1.2.0"}, "/overlay", "is not supported"),
    "no-title": ({"info": {"version": "1"}}, "/info", "`title` is missing"),
    "no-info": ({"info": None}, "/info", "expected an object"),
    "no-actions": ({"actions": []}, "/actions", "at least one action"),
    "unknown-field": ({"acts": []}, "/acts", "unknown field"),
    "unknown-action-field": ({"actions": [{"target": "$", "copy": "$"}]}, "/actions/0/copy", "unknown field"),
    "no-target": ({"actions": [{"update": {}}]}, "/actions/0", "`target` is missing"),
    "does-nothing": ({"actions": [{"target": "$"}]}, "/actions/0", "neither `update` nor `remove`"),
    "odd-remove": ({"actions": [{"target": "$", "remove": 1}]}, "/actions/0/remove", "true or false"),
    "no-path": (
        {"actions": [{"target": "$[", "update": {}}]},
        "/actions/0/target",
        r'the target "\$\[" is not a JSONPath',
    ),
    "not-rooted": ({"actions": [{"target": "a", "update": {}}]}, "/actions/0/target", "is not a JSONPath"),
    "no-match": ({"actions": [{"target": "$.nowhere", "update": {}}]}, "/actions/0/target", "matches nothing"),
    "a-scalar": ({"actions": [{"target": "$.title", "update": {}}]}, "/actions/0/target", "select the object"),
    "the-root": ({"actions": [{"target": "$", "remove": True}]}, "/actions/0/target", "cannot be removed"),
    "no-object": ({"actions": [{"target": "$", "update": 1}]}, "/actions/0/update", "must be an object, too"),
    "several-entries": (
        {"actions": [{"target": "$.$defs.Kind.enum", "update": ["a", "b"]}]},
        "/actions/0/update",
        "one entry to append",
    ),
}


@pytest.mark.parametrize(("change", "pointer", "problem"), WRONG.values(), ids=WRONG.keys())
def test_what_is_no_extension_is_refused_at_its_place(
    base: Path, tmp_path: Path, change: dict[str, Any], pointer: str, problem: str
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps({**GOOD, **change}), encoding="utf-8")
    with pytest.raises(SchemaError, match=problem) as caught:
        read_extended(base, [path])
    assert (caught.value.file, caught.value.pointer) == (str(path), pointer)


def test_updates_that_pile_up_are_refused(base: Path, write: Write) -> None:
    deep: Any = {}
    for _ in range(60):
        deep = {"a": deep}
    path = write(
        "deep.json",
        {"target": "$", "update": {"x-deep": deep}},
        {"target": "$['x-deep']" + "['a']" * 60, "update": deep},
    )
    with pytest.raises(SchemaError, match="more than 100 levels of nesting") as caught:
        read_extended(base, [path])
    assert caught.value.file == str(path)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("$.$defs.Pingd", "$.$defs.Pinged"),
        ("$['$defs']['pinged'].properties", "$['$defs']['Pinged'].properties"),
        ("$['$defs'].Pinged.propertys.text", "$['$defs'].Pinged.properties.text"),
        ("$['$defs'].Kynd[?@ == 'loud']", "$['$defs'].Kind[?@ == 'loud']"),
    ],
)
def test_a_misspelt_target_gets_a_suggestion(extend: Extend, wrong: str, meant: str) -> None:
    with pytest.raises(SchemaError) as caught:
        extend({"target": wrong, "update": {"description": "x"}})
    assert caught.value.instead == f'did you mean "{meant}"?'


def test_a_target_that_nothing_comes_near_gets_none(extend: Extend) -> None:
    with pytest.raises(SchemaError) as caught:
        extend({"target": "$['$defs'].Zebra", "update": {"description": "x"}})
    assert caught.value.instead == caught.value.fault.instead
