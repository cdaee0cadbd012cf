"""What `x-updates` and `x-update` may say, and the fault where they say what cannot be."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.model.analysis.updates import readings, rules

STROKE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "strokeId": {"type": "string"},
        "points": {"type": "array", "items": {"type": "integer"}},
        "point": {"type": "integer"},
        "stage": {"enum": ["dry", "wet"]},
    },
    "required": ["strokeId"],
}


def variant(tag: str, update: Any) -> dict[str, Any]:
    return {
        "$ref": "#/$defs/Stroke",
        "x-update": update,
        "properties": {"kind": {"const": tag}},
        "required": ["kind"],
    }


def wall() -> dict[str, Any]:
    return {
        "x-updates": {"method": "wall/update", "property": "news", "state": "WallState"},
        "$defs": {
            "WallNotification": {
                "type": "object",
                "x-side": "client",
                "x-method": "wall/update",
                "properties": {"news": {"$ref": "#/$defs/News"}},
                "required": ["news"],
            },
            "Stroke": copy.deepcopy(STROKE),
            "Shade": {"type": "object", "properties": {"colour": {"type": "string", "x-update": {"part": "colour"}}}},
            "News": {
                "oneOf": [
                    variant("began", {"part": "strokes", "does": "create", "key": "strokeId"}),
                    variant("changed", {"part": "strokes", "does": "patch", "key": "strokeId"}),
                    variant(
                        "drawn",
                        {
                            "part": "strokes",
                            "does": "append",
                            "key": "strokeId",
                            "of": "began",
                            "item": "point",
                            "to": "points",
                        },
                    ),
                    variant("wiped", {"part": "strokes", "does": "remove", "key": "strokeId"}),
                    variant("smelt", False),
                    {
                        "$ref": "#/$defs/Shade",
                        "properties": {"kind": {"const": "shaded"}},
                        "required": ["kind"],
                    },
                ]
            },
        },
    }


def loaded(value: dict[str, Any]) -> Any:
    return load(parse(json.dumps(value).encode(), "wall.json"), tolerant=False)[0]


def test_each_variant_that_changes_something_has_a_rule_and_each_value_a_reading() -> None:
    schema = loaded(wall())
    assert {tag: rule.update.does for tag, rule in rules(schema).items()} == {
        "began": "create",
        "changed": "patch",
        "drawn": "append",
        "wiped": "remove",
    }
    assert [(r.message, r.path, r.update.part) for r in readings(schema)] == [("Shade", ("colour",), "colour")]


WRONG: dict[str, tuple[str, Any, str]] = {
    "a key that does not exist": (
        "/$defs/News/oneOf/1/x-update",
        {"part": "strokes", "does": "patch", "key": "id"},
        "the update has no property 'id' for the key",
    ),
    "no key": (
        "/$defs/News/oneOf/0/x-update",
        {"part": "strokes", "does": "create"},
        "`create` needs a `key`: the property that names the entry",
    ),
    "no key to remove": (
        "/$defs/News/oneOf/0/x-update",
        {"part": "strokes", "does": "remove"},
        "`remove` needs a `key`: the property that names the entry",
    ),
    "a patch of what nothing creates": (
        "/$defs/News/oneOf/1/x-update",
        {"part": "lines", "does": "patch", "key": "strokeId"},
        "no update creates an entry of 'lines', so there is none to patch",
    ),
    "a list that does not exist": (
        "/$defs/News/oneOf/2/x-update",
        {"part": "strokes", "does": "append", "key": "strokeId", "of": "began", "item": "point", "to": "point"},
        "'began' has no list 'point' to append to: name it in `to`",
    ),
    "an item that does not exist": (
        "/$defs/News/oneOf/2/x-update",
        {"part": "strokes", "does": "append", "key": "strokeId", "of": "began", "item": "dot", "to": "points"},
        "the update has no property 'dot' to append: name it in `item`",
    ),
    "an update that does not exist": (
        "/$defs/News/oneOf/2/x-update",
        {"part": "strokes", "does": "append", "key": "strokeId", "of": "begun", "item": "point", "to": "points"},
        "no update called 'begun' creates entries of 'strokes'",
    ),
    "a list without an update that has it": (
        "/$defs/News/oneOf/2/x-update",
        {"part": "strokes", "does": "append", "key": "strokeId", "item": "point", "to": "points"},
        "`to` has no effect without `of`, the tag of the update that has the list",
    ),
    "one value that has entries elsewhere": (
        "/$defs/Shade/properties/colour/x-update",
        {"part": "strokes"},
        "the part 'strokes' has entries elsewhere, so it is not one value",
    ),
    "an update that is one value": (
        "/$defs/News/oneOf/3/x-update",
        {"part": "strokes", "does": "replace"},
        "the part 'strokes' has entries elsewhere, so it is not one value",
    ),
    "a property that creates": (
        "/$defs/Shade/properties/colour/x-update",
        {"part": "colours", "does": "create"},
        "no update called '' has the effect `create` on entries of 'colours': name one in `of`",
    ),
    "a property that acts as an update and has no key": (
        "/$defs/Shade/properties/colour/x-update",
        {"part": "strokes", "does": "patch", "of": "changed"},
        "the object has no property 'strokeId', which is the key of 'changed'",
    ),
    "a property that appends what is no list": (
        "/$defs/Shade/properties/colour/x-update",
        {"part": "strokes", "does": "append", "of": "drawn"},
        "`append` needs an array, whose items are appended",
    ),
    "joining what is no text": (
        "/$defs/Stroke/properties/point/x-update",
        {"does": "join"},
        "`join` belongs to a string",
    ),
    "advancing what has no stages": (
        "/$defs/Stroke/properties/strokeId/x-update",
        {"does": "advance"},
        "`advance` belongs to an enumeration",
    ),
    "an end that is no stage": (
        "/$defs/Stroke/properties/stage/x-update",
        {"does": "advance", "done": "painted"},
        "the enumeration has no value 'painted'",
    ),
    "advancing an update": (
        "/$defs/News/oneOf/4/x-update",
        {"does": "advance"},
        "`advance` belongs to a property",
    ),
    "a property that no message carries": (
        "/$defs/Unused/properties/colour/x-update",
        {"part": "colour"},
        "no message contains this property outside an array, so `x-update` has no effect",
    ),
    "no part": (
        "/$defs/News/oneOf/0/x-update",
        {"does": "create", "key": "strokeId"},
        '`part` must be a name in camel case, not ""',
    ),
    "a part that cannot be an attribute": (
        "/$defs/News/oneOf/0/x-update/part",
        {"does": "create", "key": "strokeId", "part": "the strokes"},
        '`part` must be a name in camel case, not "the strokes"',
    ),
    "a part of a property of an entry": (
        "/$defs/Stroke/properties/stage/x-update/part",
        {"does": "advance", "part": "stages"},
        "`advance` describes the entry of the property, so it takes no `part`",
    ),
    "a member that does not exist": (
        "/$defs/News/oneOf/0/x-update",
        {"part": "strokes", "does": "create", "keys": "strokeId"},
        "`x-update`: Object contains unknown field `keys`",
    ),
    "a word that does not exist": (
        "/$defs/News/oneOf/0/x-update",
        {"part": "strokes", "does": "make", "key": "strokeId"},
        "`x-update`: Invalid enum value 'make' - at `$.does`",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_keyword_that_cannot_be_is_a_fault_at_its_place(wrong: str) -> None:
    pointer, update, problem = WRONG[wrong]
    value = wall()
    value["$defs"]["Unused"] = {"type": "object", "properties": {"colour": {"type": "string"}}}
    node: Any = value
    for step in pointer.removesuffix("/part").split("/")[1:-1]:
        node = node[int(step) if isinstance(node, list) else step]
    node["x-update"] = update
    with pytest.raises(SchemaError) as caught:
        loaded(value)
    found = [(error.pointer, error.problem) for error in (caught.value, *caught.value.others)]
    assert (pointer, problem) in found


@pytest.mark.parametrize("does", ["patch", "remove"])
def test_a_key_of_a_type_that_no_entrys_key_has_is_a_fault(does: str) -> None:
    value = wall()
    value["$defs"]["News"]["oneOf"][3] = {
        "x-update": {"part": "strokes", "does": does, "key": "row"},
        "type": "object",
        "properties": {"kind": {"const": "wiped"}, "row": {"type": "integer"}},
        "required": ["kind", "row"],
    }
    with pytest.raises(SchemaError, match="the key is an integer, but 'began' creates entries whose key is a string"):
        loaded(value)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"method": "wall/updated"}, "no notification is called 'wall/updated'"),
        ({"property": "noise"}, "WallNotification has no property 'noise'"),
        ({"state": "wall"}, "'wall' is not a valid type name"),
        ({"state": "Stroke"}, "'Stroke' is already the name of a definition"),
    ],
)
def test_the_root_names_what_the_schema_has(said: dict[str, str], problem: str) -> None:
    value = wall()
    value["x-updates"] |= said
    with pytest.raises(SchemaError, match=problem):
        loaded(value)


def test_without_the_root_keyword_no_update_means_anything() -> None:
    value = wall()
    del value["x-updates"]
    with pytest.raises(SchemaError, match="so `x-update` has no effect here"):
        loaded(value)


def test_a_release_that_lacks_what_a_keyword_names_is_read_without_the_state() -> None:
    value = wall()
    del value["$defs"]["Stroke"]["properties"]["points"]
    schema, warnings = load(parse(json.dumps(value).encode(), "wall.json"), tolerant=True)
    assert schema.updates is None
    assert any("has no list 'points'" in text for _, text in warnings)


def noted(piece: Any, text: Any, more: list[str], key: str = "strokeId", to: str = "note.text") -> dict[str, Any]:
    """A wall whose strokes have a note, which comes in pieces."""
    value = wall()
    definitions = value["$defs"]
    definitions["Stroke"]["properties"] |= {"piece": piece, "note": {"$ref": "#/$defs/Note"}}
    properties = {"text": text, "by": {"type": "string"}}
    definitions["Note"] = {"type": "object", "properties": properties, "required": ["text", *more]}
    said = {"part": "strokes", "does": "append", "of": "began", "item": "piece", "to": to}
    definitions["News"]["oneOf"][2]["x-update"] = said | ({"key": key} if key else {})
    return value


PLAIN = {"type": "string"}
BYTES = {"type": "string", "contentEncoding": "base64"}


@pytest.mark.parametrize("text", [PLAIN, BYTES])
def test_pieces_of_a_text_in_an_object_of_the_entry_can_be_said(text: Any) -> None:
    assert rules(loaded(noted(text, text, [])))["drawn"].update.to == "note.text"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (noted(PLAIN, PLAIN, [], to="note.words"), "'began' has no string 'note.words' in an object to append to"),
        (noted(PLAIN, PLAIN, [], to="title.text"), "'began' has no string 'title.text' in an object to append to"),
        (noted(PLAIN, PLAIN, [], key=""), "and the entry in `key`"),
        (
            noted(PLAIN, PLAIN, ["by"]),
            "'note' of 'began' requires more properties than 'text', so it cannot be built from pieces",
        ),
        (noted({"type": "integer"}, PLAIN, []), "'piece' and 'note.text' must be strings"),
        (noted(PLAIN, BYTES, []), "must both be plain text, or both have the `contentEncoding` base64"),
    ],
)
def test_pieces_that_do_not_make_the_text_are_a_fault(value: dict[str, Any], problem: str) -> None:
    with pytest.raises(SchemaError) as caught:
        loaded(value)
    assert any(problem in error.problem for error in (caught.value, *caught.value.others))
