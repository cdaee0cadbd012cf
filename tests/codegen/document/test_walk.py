"""Keywords are reported from names by where they stand: a property may be called like any keyword, and nothing changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.check.parts.promotion import before_promotion
from codegen.document.keywords import ANNOTATIONS, EXTENSIONS, GENERAL, ROOT, ROOT_EXTENSIONS, TYPED
from codegen.document.projection import stable
from codegen.document.read import parse
from codegen.document.walk import along, everything, kind_of, mapped, part_at, references, rewrite, schemas
from codegen.load.schema import load
from codegen.publish.published_schema import publish
from codegen.validate.values.lenient_schema import NodeMarks, lenient

KEYWORDS = sorted(ANNOTATIONS | GENERAL | TYPED | ROOT | set(EXTENSIONS) | ROOT_EXTENSIONS)
Json = dict[str, Any]


def schema(first: str, second: str, stage: str = "draft") -> Json:
    """A schema with two property names of any text, and parts of an RFD below and beside them."""
    kept = {"type": "string", "x-capability": "say", "description": "Stays."}
    draft: Json = {"type": "integer", "x-rfd": "new", "x-deserialize-default-on-null": True}
    variants = [
        {"type": "object", "properties": {"tag": {"const": "old"}, first: draft}, "required": ["tag"]},
        {
            "type": "object",
            "properties": {"tag": {"const": "new"}, second: kept},
            "required": ["tag", second],
            "x-rfd": "new",
        },
        {
            "type": "object",
            "properties": {"tag": {"type": "string"}},
            "not": {"anyOf": [{"properties": {"tag": {"const": c}}, "required": ["tag"]} for c in ("old", "new")]},
        },
    ]
    inner: Json = {"type": "object", "properties": {first: {"$ref": "#/$defs/Used"}, second: draft}}
    holder: Json = {
        "type": "object",
        "x-method": "hold",
        "x-side": "agent",
        "x-capability": False,
        "properties": {
            first: inner,
            second: {"$ref": "#/$defs/Gone", "x-rfd": "new"},
            "choice": {"$ref": "#/$defs/Choice"},
            "list": {"type": "array", "items": inner, "x-deserialize-skip-invalid-items": True},
            "map": {"type": "object", "additionalProperties": inner},
            "data": {
                "type": "object",
                "properties": {first: {"type": "string"}, second: {"type": "integer", "x-rfd": "new"}},
                "default": {first: "x-rfd"},
            },
        },
        "required": [first, second],
    }
    definitions = {
        "HoldNotification": holder,
        "Choice": {"oneOf": variants},
        "Used": {"type": "object", "properties": {first: kept, second: {"$ref": "#/$defs/Gone", "x-rfd": "new"}}},
        "Gone": {"type": "object", "properties": {first: kept}},
    }
    return {"x-rfds": {"new": {"title": "New", "stage": stage}}, "$defs": definitions}


def document(value: Json) -> Any:
    return parse(json.dumps(value).encode(), "names.json")


def published(value: Json) -> Json:
    read = document(value)
    found: Json = json.loads(publish(read, load(read)[0], annotated=False))
    return found


def promoted(first: str, second: str) -> Any:
    found = before_promotion(document(schema(first, second)), document(schema(first, second, "completed")))
    assert found is not None
    return found.value


def relaxed(definitions: dict[str, Any]) -> Any:
    whole, _ = load(document({"$defs": definitions}), tolerant=True)
    return lenient(definitions, NodeMarks(whole, definitions))


TRANSFORMATIONS: dict[str, Callable[[str, str], Any]] = {
    "published": lambda first, second: published(schema(first, second)),
    "stable": lambda first, second: stable(document(schema(first, second))).value,
    "promotion": promoted,
    "lenient": lambda first, second: relaxed(schema(first, second)["$defs"]),
    "rewrite": lambda first, second: rewrite(schema(first, second), lambda _, after: after, "root"),
    "references": lambda first, second: sorted(references(schema(first, second), "root")),
}


@pytest.mark.parametrize("transformed", TRANSFORMATIONS.values(), ids=TRANSFORMATIONS.keys())
@settings(max_examples=3)
@given(names=st.permutations(KEYWORDS))
def test_a_property_may_have_the_name_of_any_keyword(transformed: Callable[..., Any], names: list[str]) -> None:
    plain = json.dumps(transformed("first-name", "second-name"))
    for first, second in zip(names[::2], names[1::2], strict=False):
        expected = plain.replace('"first-name"', json.dumps(first)).replace('"second-name"', json.dumps(second))
        assert transformed(first, second) == json.loads(expected)


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_a_schema_in_a_property_of_any_name_is_found(keyword: str) -> None:
    value = {"$defs": {keyword: {"properties": {keyword: {"$ref": "#/$defs/A"}}}}}
    assert [node.value for node in schemas(value, kind="root")][1:] == [{"$ref": "#/$defs/A"}]


@pytest.mark.parametrize("target", ["#", "", "#/", "other.json#/$defs/A", 1, None])
def test_what_names_no_definition_is_no_reference_to_one(target: Any) -> None:
    assert list(references({"items": {"$ref": target}})) == []


def test_data_holds_no_schemas() -> None:
    inside = {"properties": {"a": {"x-rfd": "r"}}, "$ref": "#/$defs/A"}
    node = dict.fromkeys(("default", "const", "examples", "x-other", "required"), inside) | {"enum": [inside]}
    assert [found.pointer for found in schemas(node)] == [""]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ((), "root"),
        (("$defs", "A", "items", "oneOf", 0), "schema"),
        (("$defs", "A", "properties", "items"), "schema"),
        (("$defs", "A", "properties"), "schemas"),
        (("$defs", "A", "default", "properties"), "data"),
        (("anyOf", 0, "allOf"), "variants"),
    ],
)
def test_a_path_leads_to_a_kind_of_part(path: tuple[str | int, ...], kind: str) -> None:
    assert kind_of(path) == kind


# --- what the stable projection prunes -----------------------------------------------------------------------------------


def tags(node: Json) -> list[str]:
    return [entry["properties"]["tag"]["const"] for entry in node["not"]["anyOf"]]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda union: union,
        lambda union: {"type": "array", "items": union},
        lambda union: {"type": "object", "additionalProperties": union},
        lambda union: {"type": "object", "properties": {"a": union}},
    ],
    ids=["definition", "items", "values", "property"],
)
def test_not_is_pruned_of_the_variants_that_are_gone_wherever_a_union_stands(wrap: Callable[[Any], Any]) -> None:
    value = schema("first", "second")
    union = value["$defs"]["Choice"]
    value["$defs"]["Choice"] = wrap(union)
    projected = stable(document(value)).value["$defs"]["Choice"]
    (found,) = [n.value for n in schemas(projected) if "oneOf" in n.value]
    assert (len(found["oneOf"]), tags(found["oneOf"][-1])) == (2, ["old"])
    assert tags(union["oneOf"][-1]) == ["old", "new"]


def test_a_default_loses_the_properties_that_are_gone_however_deep() -> None:
    draft = {"type": "boolean", "x-rfd": "new"}
    inner = {"type": "object", "properties": {"old": {"type": "boolean"}, "new": draft}}
    outer = {"type": "object", "properties": {"inner": {"$ref": "#/$defs/Inner"}, "own": {"type": "object"}}}
    holder = {
        "properties": {
            "p": {"$ref": "#/$defs/Outer", "default": {"inner": {"old": True, "new": True}, "own": {"new": 1}}}
        }
    }
    value = {
        "x-rfds": {"new": {"title": "New", "stage": "draft"}},
        "$defs": {"Holder": holder, "Outer": outer, "Inner": inner},
    }
    projected = stable(document(value)).value["$defs"]["Holder"]["properties"]["p"]
    assert projected["default"] == {"inner": {"old": True}, "own": {"new": 1}}


def test_not_is_pruned_of_a_variant_whose_definition_is_gone() -> None:
    value = schema("first", "second")
    variants = value["$defs"]["Choice"]["oneOf"]
    variants[1] = {**variants[1], "$ref": "#/$defs/Gone"}
    del variants[1]["x-rfd"]
    value["$defs"]["Gone"]["x-rfd"] = "new"
    assert tags(stable(document(value)).value["$defs"]["Choice"]["oneOf"][-1]) == ["old"]


TREE = {"a": [1, {"b": None}], "c": "text"}


def test_everything_is_in_the_order_of_the_text() -> None:
    assert list(everything(TREE)) == [TREE, TREE["a"], 1, {"b": None}, None, "text"]


def test_a_value_is_mapped_from_the_inside() -> None:
    def change(value: Any) -> Any:
        return len(value) if isinstance(value, (dict, list)) else value

    assert mapped(TREE, change) == 2
    assert mapped({"a": [[], {}]}, lambda value: 7 if value == [] else value) == {"a": [7, {}]}


def test_steps_lead_as_far_as_there_is_something() -> None:
    assert list(along(TREE, ["a", "1", "b", "c"])) == [TREE["a"], {"b": None}, None]
    assert part_at(TREE, ["a", 1]) == {"b": None}
    assert part_at(TREE, []) is TREE
    assert part_at(TREE, ["a", 2]) is None
    assert part_at(TREE, ["c", 0]) is None
